//! `ninefold cephalopods table`: builds the table with a progress bar, checks it, describes it.

use crate::cache;
use crate::count::count;
use crate::failure::Failure;
use crate::options::{IsaOption, ThreadsOption};
use crate::output::Output;
use crate::progress::watched;
use api::Limits;
use api::cephalopods::{Contest, HIGHEST_RANK, TableInfo};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(super) enum Command {
    /// Build the table: 1.7 GB for all ranks
    Build(BuildArguments),
    /// Read the whole table and compare its checksum
    Verify(FileArguments),
    /// Describe the table
    Info(FileArguments),
}

#[derive(Args)]
pub(super) struct BuildArguments {
    /// The ranks, as numbers and ranges: `13`, `13,18`, `0-18`; all by default
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
    /// The table file; by default in the user's cache directory
    #[arg(long)]
    file: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone)]
struct Ranks(Vec<u32>);

fn ranks(text: &str) -> Result<Ranks, String> {
    let mut ranks = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let rank = |text: &str| text.trim().parse::<u32>().ok();
        let (Some(first), Some(last)) = (rank(first), rank(last).filter(|last| *last <= HIGHEST_RANK)) else {
            return Err(format!("`{part}` is not a rank from 0 to {HIGHEST_RANK} or a range such as 0-18"));
        };
        ranks.extend(first..=last);
    }
    if ranks.is_empty() { Err("the range of ranks is empty".into()) } else { Ok(Ranks(ranks)) }
}

/// The given file, or the one in the user's cache directory.
pub(crate) fn path(asked: Option<&PathBuf>) -> Result<PathBuf, Failure> {
    if let Some(path) = asked {
        return Ok(path.clone());
    }
    let cache =
        cache::folder().ok_or_else(|| Failure::Usage(format!("{}, or name the file with --file", cache::MISSING)))?;
    Ok(cache.join("cephalopods.table"))
}

/// Adds to a failure how to build the table.
pub(super) fn how_to_build(failure: Failure) -> Failure {
    match failure {
        Failure::Run(message) => {
            Failure::Run(format!("{message}\n  `ninefold cephalopods table build` creates the table"))
        }
        other => other,
    }
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
    let mut limits = Limits::default();
    limits.threads = u32::try_from(arguments.threads.get().get()).ok();
    let ranks = arguments.ranks.as_ref().map(|ranks| ranks.0.as_slice());
    let contest = Contest::new(arguments.isa.get());
    let info = watched(&limits, |control| contest.build_table(&path, ranks, control));
    show(&info.map_err(Failure::or_interrupted)?, arguments.file.json, false)
}

fn describe(arguments: &FileArguments, thorough: bool) -> Result<(), Failure> {
    let path = path(arguments.file.as_ref())?;
    let mut contest = Contest::new(grid::simd::Isa::detect());
    let info = if thorough {
        watched(&Limits::default(), |control| contest.verify_table(&path, control)).map_err(Failure::or_interrupted)
    } else {
        contest.open_table(&path).map_err(Failure::from)
    };
    let info = info.map_err(how_to_build)?;
    show(&info, arguments.json, thorough)
}

fn show(info: &TableInfo, json: bool, thorough: bool) -> Result<(), Failure> {
    let mut output = Output::new();
    if json {
        return output.json(info);
    }
    let ranks: Vec<String> = info.ranks.iter().map(u32::to_string).collect();
    let checked = if thorough { ", checksum OK" } else { "" };
    output.line(format_args!("{}: {}{checked}", info.file, count(info.bytes, "byte", "bytes")))?;
    let (boards, entries) = (count(info.boards, "board", "boards"), count(info.entries, "entry", "entries"));
    let noun = if ranks.len() == 1 { "rank" } else { "ranks" };
    output.line(format_args!("{boards}, {entries}, {noun} {}", ranks.join(" ")))
}
