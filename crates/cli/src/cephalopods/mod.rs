//! `ninefold cephalopods`: the contest (sums, moves, counts, tables, input, source file, heat map) and the two-player
//! game.

pub(crate) mod bundle;
mod heat_svg;
mod heatmap;
mod play;
mod rule;
mod solve;
pub(crate) mod table;

use crate::failure::Failure;
use crate::input::{self, Lines, each_text};
use crate::options::{IsaOption, ThreadsOption};
use crate::output::Output;
use crate::progress::watched;
use api::cephalopods::{Board, Contest, CountQuestion, EngineName, MovesQuestion, SumAnswer, SumQuestion};
use api::{Control, Limits};
use clap::builder::PossibleValue;
use clap::{Args, Subcommand, ValueEnum};
use std::path::{Path, PathBuf};

/// Arguments of `cephalopods`.
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
    /// Count the sequences of moves
    Count(CountArguments),
    /// Build, check or describe the table
    #[command(subcommand)]
    Table(table::Command),
    /// Read the contest's input (depth, then three rows) and print only the answer
    Contest(EngineArguments),
    /// Measure times by rank and depth, as a table and a plot
    Heatmap(heatmap::Arguments),
    /// Write the contest's paste-ready source file
    Bundle(bundle::Arguments),
    /// The value of a position of the two-player game, and of every move
    Solve(solve::Arguments),
    /// Play the two-player game in the terminal
    #[command(after_help = play::EXAMPLES)]
    Play(play::Arguments),
}

/// The engines as values of `--engine`.
#[derive(Clone, Copy)]
pub(super) struct EngineValue(pub(super) EngineName);

impl ValueEnum for EngineValue {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(EngineName::Scratch), Self(EngineName::Cache), Self(EngineName::Table)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self.0 {
            EngineName::Cache => "The published method: depth first with an evicting cache",
            EngineName::Table => "Looked up in a table built before",
            _ => "Every board within reach once, then summed",
        };
        Some(PossibleValue::new(self.0.name()).help(help))
    }
}

#[derive(Args)]
pub(super) struct EngineArguments {
    /// The engine
    #[arg(long, value_enum, default_value = "scratch")]
    engine: EngineValue,
    /// The table file; by default in the user's cache directory
    #[arg(long)]
    file: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    isa: IsaOption,
}

impl EngineArguments {
    fn open(&self) -> Result<Contest, Failure> {
        let mut contest = Contest::new(self.isa.get());
        if self.engine.0 == EngineName::Table {
            open_table(&mut contest, self.file.as_ref())?;
        }
        Ok(contest)
    }

    /// A sum takes at most a tenth of a second, so nothing watches it. Large ones use two threads if allowed.
    fn control(&self) -> Control<'static> {
        Control::new().threads(self.threads.get().get())
    }
}

/// Opens this table file, or the one in the user's cache directory.
pub(super) fn open_table(contest: &mut Contest, file: Option<&PathBuf>) -> Result<(), Failure> {
    let opened = contest.open_table(&table::path(file)?);
    opened.map(drop).map_err(|fault| table::how_to_build(fault.into()))
}

#[derive(Args)]
struct SumArguments {
    /// Nine digits, row by row; `-` reads lines `BOARD DEPTH` from standard input
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<String>,
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
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<String>,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct CountArguments {
    /// Nine digits, row by row; `-` reads one board per line from standard input
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<String>,
    /// Maximum number of moves
    #[arg(long)]
    depth: u32,
    /// Also show the exact sum, the lengths and the final boards
    #[arg(long)]
    exact: bool,
    /// Number of final boards to list with --exact
    #[arg(long, default_value_t = 10)]
    finals: usize,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

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

fn question(board: &str, depth: u32) -> SumQuestion {
    let mut question = SumQuestion::default();
    (question.board, question.depth) = (board.to_owned(), depth);
    question
}

fn sum(arguments: &SumArguments) -> Result<(), Failure> {
    let (engine, control) = (arguments.engine.engine.0, arguments.engine.control());
    let mut output = Output::new();
    let mut show = |answer: SumAnswer| if arguments.json { output.json(&answer) } else { output.line(answer.sum) };
    let missing = || Failure::Usage("--depth is missing: the maximum number of moves".into());
    let mut questions = Vec::new();
    for board in arguments.boards.iter().filter(|board| *board != "-") {
        questions.push(question(board, arguments.depth.ok_or_else(missing)?));
    }
    let mut contest = arguments.engine.open()?;
    contest.sums(&questions, engine, &control)?.into_iter().try_for_each(&mut show)?;
    if questions.len() == arguments.boards.len() {
        return Ok(());
    }
    let mut lines = Lines::default();
    loop {
        // Lines that have already arrived are answered together. The program does not wait for more.
        let (mut questions, mut fault, mut ended) = (Vec::new(), Ok(()), false);
        while questions.len() < TOGETHER && !ended && fault.is_ok() {
            if !questions.is_empty() && !lines.is_waiting() {
                break;
            }
            match lines.next() {
                Ok(None) => ended = true,
                Ok(Some(line)) => match read_line(&line, arguments.depth) {
                    Ok(question) => questions.extend(question),
                    Err(message) => fault = Err(Failure::Usage(message).at_line(lines.number())),
                },
                Err(failure) => fault = Err(failure),
            }
        }
        contest.sums(&questions, engine, &control)?.into_iter().try_for_each(&mut show)?;
        fault?;
        if ended {
            return Ok(());
        }
    }
}

/// Maximum number of input lines that are answered together.
const TOGETHER: usize = 256;

/// Reads `BOARD DEPTH`, or only a board if the depth is given for all. `None` for an empty line or a comment.
fn read_line(line: &str, depth: Option<u32>) -> Result<Option<SumQuestion>, String> {
    if line.trim().is_empty() || line.trim().starts_with('#') {
        return Ok(None);
    }
    let wrong = |fault: &grid::TextError| fault.pointing_into(line).to_string();
    let (board, rest) = line.split_once(' ').unwrap_or((line, ""));
    board.parse::<Board>().map_err(|fault| wrong(&fault))?;
    let depth = match (rest.trim(), depth) {
        ("", Some(depth)) => depth,
        (rest, _) => rest
            .parse()
            .map_err(|_| wrong(&grid::TextError::new(line.len().min(board.len() + 1), "a depth, 0 or more")))?,
    };
    Ok(Some(question(board, depth)))
}

fn list_moves(arguments: &MovesArguments) -> Result<(), Failure> {
    let mut output = Output::new();
    let contest = Contest::new(grid::simd::Isa::Scalar);
    let several = arguments.boards.len() > 1;
    each_text(&arguments.boards, |board| {
        let board = board.unwrap_or_default();
        let mut question = MovesQuestion::default();
        question.board = board.to_owned();
        if several && !arguments.json {
            output.line(format_args!("{board}:"))?;
        }
        for step in contest.moves(&question)?.moves {
            if arguments.json {
                output.json(&step)?;
            } else {
                output.line(format_args!("{:7} {}", step.mv, step.after))?;
            }
        }
        Ok(())
    })
}

fn count(arguments: &CountArguments) -> Result<(), Failure> {
    let mut output = Output::new();
    each_text(&arguments.boards, |board| count_one(arguments, board.unwrap_or_default(), &mut output))
}

fn count_one(arguments: &CountArguments, board: &str, output: &mut Output) -> Result<(), Failure> {
    let mut question = CountQuestion::default();
    (question.board, question.depth) = (board.to_owned(), arguments.depth);
    question.finals = if arguments.exact { arguments.finals } else { 0 };
    let contest = Contest::new(grid::simd::Isa::detect());
    let answer = watched(&Limits::default(), |control| contest.count(&question, control));
    let answer = answer.map_err(Failure::or_interrupted)?;
    if arguments.json {
        return output.json(&answer);
    }
    if !arguments.exact {
        return output.line(answer.games);
    }
    if arguments.boards.len() > 1 {
        output.line(format_args!("{board}:"))?;
    }
    output.line(format_args!("sequences      {}", answer.games))?;
    output.line(format_args!("exact sum      {}", answer.sum))?;
    output.line(format_args!("modulo 2^30    {}", answer.sum_modulo))?;
    output.line(format_args!("final boards   {}", answer.final_boards))?;
    for (length, games) in answer.lengths.iter().enumerate().filter(|(_, games)| **games > 0) {
        output.line(format_args!("length {length:2}      {games}"))?;
    }
    for (board, games) in &answer.finals {
        output.line(format_args!("{board}      {games}"))?;
    }
    Ok(())
}

fn contest(arguments: &EngineArguments) -> Result<(), Failure> {
    let text = input::read_text(Path::new("-"))?;
    let mut numbers = text.split_whitespace().map(|word| {
        word.parse::<u32>().map_err(|_| Failure::Usage(format!("standard input: `{word}` is not a whole number")))
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
    if let Some((cell, pips)) = cells.iter().enumerate().find(|(_, pips)| **pips > 6) {
        let (row, column) = (cell / 3 + 1, cell % 3 + 1);
        return Err(Failure::Usage(format!("row {row}, column {column}: {pips} is not a number of pips from 0 to 6")));
    }
    let board: String = cells.iter().map(u32::to_string).collect();
    let mut contest = arguments.open()?;
    let answers = contest.sums(&[question(&board, depth)], arguments.engine.0, &arguments.control())?;
    answers.iter().try_for_each(|answer| Output::new().line(answer.sum))
}
