//! `ninefold uttt`: Ultimate Tic-Tac-Toe.

mod book;
pub(crate) mod bundle;
mod codingame;
mod learn;
pub(crate) mod network;
mod pipeline;
mod play;
mod puzzles;
mod rules;
mod solve;

use crate::arena::gate::Gate;
use crate::failure::Failure;
use crate::options::IsaOption;
use api::Options;
use api::uttt::{Accept, Rules, Session};
use clap::Subcommand;
use grid::simd::Isa;

/// Arguments of `uttt`.
#[derive(clap::Args)]
#[command(arg_required_else_help = true, after_help = NOTATION)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const NOTATION: &str = "\
Positions are X;@........;........./... (side; nine boards . X O # @; nine times nine squares) or a FEN
(rows from the top, side, ply, last move). Moves are file and rank, as on the edges of the board (f4); in JSON, and
wherever a move is read, also the letters of board and square (ei).";

#[derive(Subcommand)]
enum Command {
    /// Count the sequences of N moves.
    Perft(rules::Perft),
    /// List the legal moves.
    Moves(rules::Moves),
    /// Draw the board.
    Show(rules::Show),
    /// Find the best moves.
    #[command(visible_alias = "analyze")]
    Analyse(play::Analyse),
    /// Play against the engine in the terminal.
    Play(play::Play),
    /// Play as a CodinGame bot on standard input and output.
    Codingame(codingame::Codingame),
    /// Write the CodinGame bot as one source file to paste.
    Bundle(bundle::Bundle),
    /// Prove the value and every best move.
    Solve(solve::Solve),
    /// Check a certificate written by `solve --proof`.
    Verify(solve::Verify),
    /// Make positions with exactly one best move.
    Puzzles(puzzles::Puzzles),
    /// Show the opening book, or build one.
    Book(book::Book),
    /// Play games of the engine against itself, as training data for a network.
    Selfplay(learn::Selfplay),
    /// Train a network on the games of `selfplay`.
    Train(learn::Train),
    /// Decide by a match whether a new network is better than an old one.
    Gate(Gate),
    /// Make a network from nothing: self-play, training, and a gate against the untrained network.
    Pipeline(pipeline::Pipeline),
}

/// Options that all commands share.
#[derive(clap::Args)]
struct Common {
    /// The rule: standard, codingame (no line: more boards win) or open (won boards stay playable)
    #[arg(long, default_value = "standard", value_parser = rule)]
    rule: Rules,
    /// Accept positions that no game can reach
    #[arg(long)]
    lenient: bool,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    isa: IsaOption,
}

fn rule(name: &str) -> Result<Rules, String> {
    Rules::named(name).ok_or_else(|| "the rules are standard, codingame and open".to_owned())
}

impl Common {
    fn isa(&self) -> Isa {
        self.isa.get()
    }

    /// A session under this rule.
    fn session(&self) -> Session {
        let accept = if self.lenient { Accept::Playable } else { Accept::Reachable };
        Session::new(self.isa()).accepting(accept)
    }

    /// The rule as an option.
    fn options(&self) -> Options {
        let mut options = Options::default();
        options.rule = Some(self.rule.name().to_owned());
        options
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Perft(arguments) => arguments.run(),
        Command::Moves(arguments) => arguments.run(),
        Command::Show(arguments) => arguments.run(),
        Command::Analyse(arguments) => arguments.run(),
        Command::Play(arguments) => arguments.run(),
        Command::Codingame(arguments) => arguments.run(),
        Command::Bundle(arguments) => arguments.run(),
        Command::Solve(arguments) => arguments.run(),
        Command::Verify(arguments) => arguments.run(),
        Command::Puzzles(arguments) => arguments.run(),
        Command::Book(arguments) => arguments.run(),
        Command::Selfplay(arguments) => arguments.run(),
        Command::Train(arguments) => arguments.run(),
        Command::Gate(arguments) => arguments.run(),
        Command::Pipeline(arguments) => arguments.run(),
    }
}
