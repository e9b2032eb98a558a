//! `ninefold doctor`: what is installed, what this machine offers, and whether the files on disk are intact.

use crate::cache;
use crate::cephalopods::table;
use crate::failure::Failure;
use crate::output::Output;
use api::Control;
use api::cephalopods::Contest;
use api::triad::Edition;
use api::triad::card_lists::{Book, NpcBook};
use grid::simd::Isa;
use serde::Serialize;
use std::path::Path;

/// Arguments of `doctor`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ninefold doctor
  ninefold doctor --thorough     read every byte of the tables
  ninefold doctor --json")]
pub(crate) struct Arguments {
    /// Read whole tables and compare their checksums
    #[arg(long)]
    thorough: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// What was found.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Report {
    /// The version of the program.
    version: &'static str,
    /// The commit it was built from.
    commit: &'static str,
    /// The processor's architecture.
    architecture: &'static str,
    /// The instruction sets of this machine.
    isa_found: Vec<String>,
    /// The instruction set in use.
    isa_used: String,
    /// Number of cores.
    cores: usize,
    /// Memory in bytes, if the system says.
    memory_bytes: Option<u64>,
    /// The lists of cards.
    cards: Vec<Cards>,
    /// The tables on disk.
    tables: Vec<TableFound>,
    /// Temporary files in the cache folder that processes have left when they were killed.
    leftovers: Vec<Leftover>,
}

/// A temporary file of a process that has ended.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Leftover {
    /// The file.
    file: String,
    /// Its size in bytes.
    bytes: u64,
}

/// A list of cards.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Cards {
    /// `ff8` or `ff14`.
    edition: String,
    /// The version of the game the list is of.
    patch: String,
    /// Number of cards.
    cards: usize,
    /// Number of opponents.
    opponents: usize,
}

/// A table on disk.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TableFound {
    /// The name of the table.
    name: &'static str,
    /// Its file; left out if there is no cache folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// `sound`, `not built`, `damaged` or `no cache folder`.
    state: &'static str,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

/// Collects the report. A damaged file is a failure; a missing one is not.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let report = look(arguments.thorough);
    let mut output = Output::new();
    if arguments.json {
        output.json(&report)?;
    } else {
        show(&report, &mut output)?;
    }
    let damaged = report.tables.iter().filter_map(|table| table.fault.as_ref()).next();
    damaged.map_or(Ok(()), |fault| Err(Failure::Run(format!("{fault}\n  build it again, or remove the file"))))
}

fn look(thorough: bool) -> Report {
    let found = Isa::ALL.into_iter().filter(|isa| isa.is_available()).map(|isa| isa.to_string());
    let cards = |edition: Edition| {
        let book = Book::built_in(edition);
        let opponents = if edition == Edition::Ff14 { NpcBook::built_in().npcs().len() } else { 0 };
        Cards { edition: edition.to_string(), patch: book.patch().to_owned(), cards: book.cards().len(), opponents }
    };
    Report {
        version: env!("CARGO_PKG_VERSION"),
        commit: env!("NINEFOLD_COMMIT"),
        architecture: std::env::consts::ARCH,
        isa_found: found.collect(),
        isa_used: Isa::detect().to_string(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        memory_bytes: memory(),
        cards: [Edition::Ff8, Edition::Ff14].map(cards).into(),
        tables: vec![table_found(thorough)],
        leftovers: leftovers(),
    }
}

fn table_found(thorough: bool) -> TableFound {
    let name = "cephalopods";
    let Ok(path) = table::path(None) else {
        return TableFound { name, file: None, state: "no cache folder", bytes: None, fault: None };
    };
    let mut contest = Contest::new(Isa::detect());
    let opened = if thorough { contest.verify_table(&path, &Control::new()) } else { contest.open_table(&path) };
    let (state, fault) = match opened {
        _ if !path.exists() => ("not built", None),
        Ok(_) => ("sound", None),
        Err(fault) => ("damaged", Some(fault.message)),
    };
    let bytes = std::fs::metadata(&path).ok().map(|data| data.len());
    TableFound { name, file: Some(path.display().to_string()), state, bytes, fault }
}

fn leftovers() -> Vec<Leftover> {
    let found = cache::folder().map(|folder| api::files::leftovers(&folder)).unwrap_or_default();
    let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |data| data.len());
    found.iter().map(|path| Leftover { file: path.display().to_string(), bytes: bytes(path) }).collect()
}

/// Total memory, if the system reports it.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes: u64 = text.lines().next()?.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes << 10)
}

fn show(report: &Report, output: &mut Output) -> Result<(), Failure> {
    let Report { version, commit, architecture, isa_found, isa_used, cores, memory_bytes, cards, tables, leftovers } =
        report;
    output.line(format_args!("version    {version}, commit {commit}"))?;
    output.line(format_args!("machine    {architecture}: {} found, {isa_used} used", isa_found.join(" ")))?;
    let memory = memory_bytes.map_or("unknown".to_owned(), |bytes| format!("{:.1} GiB", bytes as f64 / 1073741824.0));
    output.line(format_args!("cores      {cores}, memory {memory}"))?;
    for Cards { edition, patch, cards, opponents } in cards {
        let npcs = if *opponents > 0 { format!(", {opponents} opponents") } else { String::new() };
        output.line(format_args!("cards      {edition}: {cards} cards{npcs}, of {patch}"))?;
    }
    for TableFound { name, file, state, bytes, fault } in tables {
        let size = bytes.map_or(String::new(), |bytes| format!(", {bytes} bytes"));
        output.line(format_args!("table      {name}: {state}{size}"))?;
        match file {
            Some(file) => output.line(format_args!("           {file}"))?,
            None => output.line(format_args!("           {}", cache::MISSING))?,
        }
        if *state == "not built" {
            output.line("           `ninefold cephalopods table build` creates it; it is optional")?;
        }
        if let Some(fault) = fault {
            output.line(format_args!("           {fault}"))?;
        }
    }
    for Leftover { file, bytes } in leftovers {
        output.line(format_args!("leftover   {file}, {bytes} bytes"))?;
        output.line("           of a process that was killed; remove it, or build the table again")?;
    }
    Ok(())
}
