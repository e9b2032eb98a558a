//! `ninefold cephalopods`: one module a verb.

mod bundle;
mod play;
mod rule;
mod solve;

use crate::failure::Failure;
use clap::Subcommand;

/// The verbs.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Write the contest's paste-ready source file.
    Bundle(bundle::Arguments),
    /// Play the two-player game against the engine.
    Play(play::Arguments),
    /// The value of a position of the two-player game, and of every move.
    Solve(solve::Arguments),
}

/// Does what was asked.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Bundle(arguments) => bundle::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Solve(arguments) => solve::run(arguments),
    }
}
