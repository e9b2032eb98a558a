//! `ninefold cephalopods table`: build it with a progress bar, check it, describe it.

use crate::failure::Failure;
use crate::options::{IsaOption, ThreadsOption};
use crate::output::Output;
use clap::{Args, Subcommand};
use engine::cephalopods::Table;
use engine::cephalopods::table::{self, ALL_RANKS, Ranks};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(super) enum Command {
    /// Build the table: 1.7 GB for all ranks
    Build(BuildArguments),
    /// Read the whole table and compare its checksum
    Verify(FileArguments),
    /// Say what the table holds
    Info(FileArguments),
}

#[derive(Args)]
pub(super) struct BuildArguments {
    /// Which ranks, as numbers and ranges: `13`, `13,18`, `0-18`; all unless given
    #[arg(long, value_parser = ranks)]
    ranks: Option<Ranks>,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    isa: IsaOption,
    #[command(flatten)]
    file: FileArguments,
}

#[derive(Args)]
pub(super) struct FileArguments {
    /// The table's file; in the user's cache directory unless given
    #[arg(long)]
    file: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

fn ranks(text: &str) -> Result<Ranks, String> {
    let mut ranks = 0;
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let rank = |text: &str| text.parse::<u32>().ok().filter(|rank| *rank <= 53);
        let (Some(first), Some(last)) = (rank(first), rank(last)) else {
            return Err(format!("`{part}` is no rank from 0 to 53 nor a range of them"));
        };
        ranks |= (first..=last).fold(0, |set, rank| set | 1 << rank);
    }
    if ranks == 0 { Err("no rank is left".into()) } else { Ok(ranks) }
}

/// The file asked for, or the one in the user's cache directory.
pub(crate) fn path(asked: Option<&PathBuf>) -> Result<PathBuf, Failure> {
    if let Some(path) = asked {
        return Ok(path.clone());
    }
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    let cache =
        cache.ok_or_else(|| Failure::Usage("there is no cache directory here: name the file with --file".into()))?;
    Ok(cache.join("ninefold").join("cephalopods.table"))
}

#[derive(serde::Serialize)]
struct Info {
    file: String,
    ranks: Vec<u32>,
    boards: u64,
    entries: u64,
    bytes: u64,
}

pub(super) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Build(arguments) => build(arguments),
        Command::Verify(arguments) => describe(arguments, true),
        Command::Info(arguments) => describe(arguments, false),
    }
}

fn build(arguments: &BuildArguments) -> Result<(), Failure> {
    let path = path(arguments.file.file.as_ref())?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| Failure::Run(format!("{}: {error}", folder.display())))?;
    }
    let isa = arguments.isa.get();
    let threads = arguments.threads.get().get();
    let bar = crate::progress::bar(0);
    table::write(&path, isa, threads, arguments.ranks.unwrap_or(ALL_RANKS), &mut |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    })
    .map_err(|error| Failure::Run(error.to_string()))?;
    bar.finish_and_clear();
    describe(&arguments.file, false)
}

fn describe(arguments: &FileArguments, thorough: bool) -> Result<(), Failure> {
    let path = path(arguments.file.as_ref())?;
    let table = Table::open(&path, thorough).map_err(|error| Failure::Run(error.to_string()))?;
    let bytes = std::fs::metadata(&path)?.len();
    let size = table.size();
    let ranks: Vec<u32> = (0..55).filter(|rank| table.ranks() >> rank & 1 == 1).collect();
    let info = Info { file: path.display().to_string(), ranks, boards: size.boards, entries: size.entries, bytes };
    let mut output = Output::new();
    if arguments.json {
        return output.json(&info);
    }
    let ranks: Vec<String> = info.ranks.iter().map(u32::to_string).collect();
    let checked = if thorough { ", checksum OK" } else { "" };
    output.line(format_args!("{}: {} bytes{checked}", info.file, info.bytes))?;
    output.line(format_args!("{} boards, {} entries, ranks {}", info.boards, info.entries, ranks.join(" ")))
}
