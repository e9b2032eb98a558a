//! `ninefold`, the command line.
//!
//! **This room** parses arguments, asks `engine`, and renders what comes back: for people, or as JSON.
//! **It may not know** bit masks, searches or rules.
//! **Go next** to `engine` for what can be asked.
//!
//! Exit codes: 0 done, 1 failed while running, 2 asked wrongly, 130 interrupted.

mod bench;
mod cephalopods;
mod doctor;
mod failure;
mod interrupt;
mod manual;
mod options;
mod output;
mod serve;
mod triad;
mod uttt;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Very fast, exact engines for games on a 3x3 grid.
#[derive(Parser)]
#[command(name = "ninefold", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// One variant a command; a game's commands live in the module of that game.
#[derive(Subcommand)]
enum Command {
    /// Measure the headline figures, as ratios to the naive model and the write-ups' forms.
    Bench(bench::Arguments),
    /// Cephalopods: the contest and the game for two.
    Cephalopods(cephalopods::Arguments),
    /// Write the completions of a shell.
    Completions(manual::CompletionArguments),
    /// Say what is installed, what this machine offers, and whether the files on disk are sound.
    Doctor(doctor::Arguments),
    /// Write the manual.
    Man(manual::ManArguments),
    /// Serve the page on this machine.
    Serve(serve::Arguments),
    /// Triple Triad, as Final Fantasy VIII and XIV play it.
    Triad(Box<triad::Arguments>),
    /// Ultimate Tic-Tac-Toe: count, show, analyse, play, solve, verify.
    Uttt(uttt::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Cephalopods(arguments) => cephalopods::run(&arguments),
        Command::Completions(arguments) => manual::completions(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Man(arguments) => manual::man(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Triad(arguments) => triad::run(&arguments),
        Command::Uttt(arguments) => uttt::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
