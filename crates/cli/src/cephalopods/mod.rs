//! `ninefold cephalopods`: sums, moves, counts, tables, the contest's own input and file, the plot of times, and the
//! two-player game.

mod bundle;
mod heatmap;
mod play;
mod rule;
mod solve;
pub(crate) mod table;

use crate::failure::Failure;
use crate::options::{IsaOption, ThreadsOption};
use crate::output::Output;
use clap::{Args, Subcommand, ValueEnum};
use engine::cephalopods::{Board, Cache, Engine, Scratch, Setup, Table, exact, moves, read_board};
use grid::simd::Isa;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

/// What `cephalopods` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Sum the values of all final boards, modulo 2^30
    Sum(SumArguments),
    /// List the legal moves of a board
    Moves(MovesArguments),
    /// Count the sequences
    Count(CountArguments),
    /// Build, check or describe the table
    #[command(subcommand)]
    Table(table::Command),
    /// Read the contest's input (depth, then three rows) and print only the answer
    Contest(EngineArguments),
    /// Measure time by rank and depth and draw it
    Heatmap(heatmap::Arguments),
    /// Write the contest's paste-ready source file
    Bundle(bundle::Arguments),
    /// The value of a position of the two-player game, and of every move
    Solve(solve::Arguments),
    /// Play the two-player game in the terminal
    #[command(after_help = play::EXAMPLES)]
    Play(play::Arguments),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineName {
    /// Every board within reach once, then added up
    Scratch,
    /// The published method: depth first with an evicting cache
    Cache,
    /// Looked up in a table built before
    Table,
}

#[derive(Args)]
pub(super) struct EngineArguments {
    /// Which engine answers
    #[arg(long, value_enum, default_value = "scratch")]
    engine: EngineName,
    /// The table's file; in the user's cache directory unless given
    #[arg(long)]
    file: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    isa: IsaOption,
}

impl EngineArguments {
    fn open(&self) -> Result<Engine, Failure> {
        open(self.engine, self.file.as_ref(), self.isa.get(), self.threads.get().get())
    }
}

/// Opens an engine. Large questions from scratch use two threads if they may.
pub(super) fn open(name: EngineName, file: Option<&PathBuf>, isa: Isa, threads: usize) -> Result<Engine, Failure> {
    let scratch = Scratch::with_threads(isa, threads);
    Ok(match name {
        EngineName::Scratch => Engine::Scratch(scratch),
        EngineName::Cache => Engine::Cache(Cache::new(isa)),
        EngineName::Table => {
            let path = table::path(file)?;
            let table = Table::open(&path, false).map_err(|error| {
                Failure::Run(format!("{error}\n  `ninefold cephalopods table build` makes the table"))
            })?;
            Engine::Table(table, scratch)
        }
    })
}

#[derive(Args)]
struct SumArguments {
    /// Nine digits, row by row; `-` reads lines `BOARD DEPTH` from standard input
    board: String,
    /// Maximum number of moves
    #[arg(long)]
    depth: Option<u32>,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArguments,
}

#[derive(Args)]
struct MovesArguments {
    /// Nine digits, row by row; `-` reads one board per line from standard input
    board: String,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct CountArguments {
    /// Nine digits, row by row; `-` reads one board per line from standard input
    board: String,
    /// Maximum number of moves
    #[arg(long)]
    depth: u32,
    /// Also the exact sum, the lengths and the final boards
    #[arg(long)]
    exact: bool,
    /// How many final boards to list with --exact
    #[arg(long, default_value_t = 10)]
    finals: usize,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// Does what was asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Sum(arguments) => sum(arguments),
        Command::Moves(arguments) => list_moves(arguments),
        Command::Count(arguments) => count(arguments),
        Command::Table(command) => table::run(command),
        Command::Contest(arguments) => contest(arguments),
        Command::Heatmap(arguments) => heatmap::run(arguments),
        Command::Bundle(arguments) => bundle::run(arguments),
        Command::Solve(arguments) => solve::run(arguments),
        Command::Play(arguments) => play::run(arguments),
    }
}

fn board(text: &str) -> Result<Board, Failure> {
    read_board(text).map_err(|fault| Failure::Usage(fault.pointing_into(text).to_string()))
}

fn answer(engine: &mut Engine, board: Board, depth: u32) -> Result<engine::cephalopods::Sum, Failure> {
    engine.sum(board, depth).map_err(|error| Failure::Run(error.to_string()))
}

fn sum(arguments: &SumArguments) -> Result<(), Failure> {
    let mut output = Output::new();
    let mut show = |answer: engine::cephalopods::Sum| {
        if arguments.json { output.json(&answer) } else { output.line(answer.sum) }
    };
    if arguments.board != "-" {
        let board = board(&arguments.board)?;
        let depth = arguments.depth.ok_or_else(|| Failure::Usage("--depth is missing: the maximum number of moves".into()))?;
        return show(answer(&mut arguments.engine.open()?, board, depth)?);
    }
    let mut engine = arguments.engine.open()?;
    let mut input = BufReader::new(std::io::stdin());
    let mut number = 0;
    loop {
        // Lines that have come in already are answered together; for others nobody waits.
        let (mut questions, mut fault, mut ended) = (Vec::new(), Ok(()), false);
        while questions.len() < TOGETHER && !ended && fault.is_ok() {
            if !questions.is_empty() && !input.buffer().contains(&b'\n') {
                break;
            }
            let mut line = String::new();
            let count = input.read_line(&mut line).map_err(|error| Failure::Run(format!("standard input: {error}")))?;
            ended = count == 0;
            number += 1;
            match question(line.trim_end_matches(['\n', '\r']), number, arguments.depth) {
                Ok(question) => questions.extend(question),
                Err(failure) => fault = Err(failure),
            }
        }
        let sums = engine.sums(&questions).map_err(|error| Failure::Run(error.to_string()))?;
        sums.into_iter().try_for_each(&mut show)?;
        fault?;
        if ended {
            return Ok(());
        }
    }
}

/// So many lines of standard input are answered together at most.
const TOGETHER: usize = 256;

/// A line `BOARD DEPTH`, or only a board if there is a depth for all; nothing in an empty line.
fn question(line: &str, number: usize, depth: Option<u32>) -> Result<Option<(Board, u32)>, Failure> {
    if line.trim().is_empty() {
        return Ok(None);
    }
    let wrong = |fault: &grid::TextError| Failure::Usage(format!("line {number}: {}", fault.pointing_into(line)));
    let (text, rest) = line.split_once(' ').unwrap_or((line, ""));
    let board = read_board(text).map_err(|fault| wrong(&fault))?;
    let depth = match (rest.trim(), depth) {
        ("", Some(depth)) => depth,
        (rest, _) => rest
            .parse()
            .map_err(|_| wrong(&grid::TextError::new(line.len().min(text.len() + 1), "a depth, 0 or more")))?,
    };
    Ok(Some((board, depth)))
}

fn list_moves(arguments: &MovesArguments) -> Result<(), Failure> {
    let mut output = Output::new();
    each_board(&arguments.board, |board| {
        for step in moves(board) {
            if arguments.json {
                output.json(&step)?;
            } else {
                output.line(format_args!("{:7} {}", step.mv, step.after))?;
            }
        }
        Ok(())
    })
}

/// The board that was given, or for `-` one a line of standard input.
fn each_board(text: &str, mut each: impl FnMut(Board) -> Result<(), Failure>) -> Result<(), Failure> {
    if text != "-" {
        return each(board(text)?);
    }
    for (number, line) in std::io::stdin().lines().enumerate() {
        let line = line.map_err(|error| Failure::Run(format!("standard input: {error}")))?;
        let text = line.trim();
        if !text.is_empty() {
            let place = |fault: grid::TextError| format!("line {}: {}", number + 1, fault.pointing_into(text));
            each(read_board(text).map_err(|fault| Failure::Usage(place(fault)))?)?;
        }
    }
    Ok(())
}

fn count(arguments: &CountArguments) -> Result<(), Failure> {
    let mut output = Output::new();
    each_board(&arguments.board, |board| count_one(arguments, board, &mut output))
}

fn count_one(arguments: &CountArguments, board: Board, output: &mut Output) -> Result<(), Failure> {
    let finals = if arguments.exact { arguments.finals } else { 0 };
    let exact = exact::count(board, arguments.depth, finals);
    if arguments.json {
        return output.json(&exact);
    }
    if !arguments.exact {
        return output.line(exact.games);
    }
    output.line(format_args!("sequences      {}", exact.games))?;
    output.line(format_args!("exact sum      {}", exact.sum))?;
    output.line(format_args!("modulo 2^30    {}", exact.sum_modulo))?;
    output.line(format_args!("final boards   {}", exact.final_boards))?;
    for (length, games) in exact.lengths.iter().enumerate().filter(|(_, games)| **games > 0) {
        output.line(format_args!("length {length:2}      {games}"))?;
    }
    for (board, games) in &exact.finals {
        output.line(format_args!("{board}      {games}"))?;
    }
    Ok(())
}

fn contest(arguments: &EngineArguments) -> Result<(), Failure> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| Failure::Run(format!("standard input: {error}")))?;
    let mut numbers = text.split_whitespace().map(|word| {
        word.parse::<u32>().map_err(|_| Failure::Usage(format!("standard input: `{word}` is no number from 0 up")))
    });
    let mut next = |what: &str| {
        numbers.next().unwrap_or_else(|| Err(Failure::Usage(format!("standard input ends before the {what}"))))
    };
    let depth = next("depth")?;
    let mut cells = [0; 9];
    for (cell, number) in cells.iter_mut().enumerate() {
        *number = next(&format!("cell in row {}, column {}", cell / 3 + 1, cell % 3 + 1))?;
    }
    if numbers.next().is_some() {
        return Err(Failure::Usage("standard input goes on after the depth and nine cells".into()));
    }
    let board = Board::try_from(Setup(cells)).map_err(|fault| Failure::Usage(fault.to_string()))?;
    Output::new().line(answer(&mut arguments.open()?, board, depth)?.sum)
}
