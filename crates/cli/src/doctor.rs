//! `ninefold doctor`: what is installed, what this machine offers, and whether the files on disk are sound.

use crate::cephalopods::table;
use crate::failure::Failure;
use crate::output::Output;
use engine::cephalopods::Table;
use engine::triad::cards::{Book, NpcBook};
use engine::triad::rules::Edition;
use grid::simd::Isa;
use serde::Serialize;

/// What `doctor` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ninefold doctor
  ninefold doctor --thorough     read every byte of the tables
  ninefold doctor --json")]
pub(crate) struct Arguments {
    /// Read the tables whole and compare their checksums
    #[arg(long)]
    thorough: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Findings {
    version: &'static str,
    commit: &'static str,
    architecture: &'static str,
    isa_found: Vec<String>,
    isa_used: String,
    cores: usize,
    memory_bytes: Option<u64>,
    cards: Vec<Cards>,
    tables: Vec<TableFound>,
}

#[derive(Serialize)]
struct Cards {
    edition: String,
    patch: String,
    cards: usize,
    opponents: usize,
}

#[derive(Serialize)]
struct TableFound {
    name: &'static str,
    file: String,
    /// `sound`, `not built` or `damaged`.
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

/// Looks around. A damaged file is a failure; a missing one is not.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let findings = look(arguments.thorough)?;
    let mut output = Output::new();
    if arguments.json {
        output.json(&findings)?;
    } else {
        show(&findings, &mut output)?;
    }
    let damaged = findings.tables.iter().filter_map(|table| table.fault.as_ref()).next();
    damaged.map_or(Ok(()), |fault| Err(Failure::Run(format!("{fault}\n  build it again, or remove the file"))))
}

fn look(thorough: bool) -> Result<Findings, Failure> {
    let found = Isa::ALL.into_iter().filter(|isa| isa.is_available()).map(|isa| isa.to_string());
    let cards = |edition: Edition| {
        let book = Book::built_in(edition);
        let opponents = if edition == Edition::Ff14 { NpcBook::built_in().npcs().len() } else { 0 };
        Cards { edition: edition.to_string(), patch: book.patch().to_owned(), cards: book.cards().len(), opponents }
    };
    Ok(Findings {
        version: env!("CARGO_PKG_VERSION"),
        commit: env!("NINEFOLD_COMMIT"),
        architecture: std::env::consts::ARCH,
        isa_found: found.collect(),
        isa_used: Isa::detect().to_string(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        memory_bytes: memory(),
        cards: [Edition::Ff8, Edition::Ff14].map(cards).into(),
        tables: vec![table_found(thorough)?],
    })
}

fn table_found(thorough: bool) -> Result<TableFound, Failure> {
    let path = table::path(None)?;
    let (state, fault) = match Table::open(&path, thorough) {
        _ if !path.exists() => ("not built", None),
        Ok(_) => ("sound", None),
        Err(fault) => ("damaged", Some(fault.to_string())),
    };
    let bytes = std::fs::metadata(&path).ok().map(|data| data.len());
    Ok(TableFound { name: "cephalopods", file: path.display().to_string(), state, bytes, fault })
}

/// All the memory there is, where the system tells.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes: u64 = text.lines().next()?.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes << 10)
}

fn show(findings: &Findings, output: &mut Output) -> Result<(), Failure> {
    let Findings { version, commit, architecture, isa_found, isa_used, cores, memory_bytes, cards, tables } = findings;
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
        output.line(format_args!("table      {name}: {state}{size}\n           {file}"))?;
        if *state == "not built" {
            output.line("           `ninefold cephalopods table build` creates it; it is optional")?;
        }
        if let Some(fault) = fault {
            output.line(format_args!("           {fault}"))?;
        }
    }
    Ok(())
}
