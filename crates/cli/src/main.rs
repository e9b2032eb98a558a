//! `ninefold`, the command line.
//!
//! **This room** translates: flags into questions of `api`, and answers into text for people or JSON.
//! **It may not know** searches, rules or the engines.
//! **Go next** to `api` for the questions and answers.
//!
//! Exit codes: 0 done, 1 failed while running, 2 usage error, 128 plus the number of the signal that stopped it (130, 143, 129).

mod arena;
mod bench;
mod cephalopods;
mod colour;
mod count;
#[cfg(feature = "schema")]
mod describe;
mod doctor;
mod draw;
mod examples;
mod failure;
mod input;
mod interrupt;
mod manual;
mod options;
mod output;
mod play;
mod progress;
mod protocol;
mod serve;
mod triad;
mod uttt;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// The display order of options that every command has: after its own options, before `--help`.
const LAST: usize = 998;

/// Very fast, exact engines for games on a 3x3 grid.
#[derive(Parser)]
#[command(name = "ninefold", version, arg_required_else_help = true)]
struct Arguments {
    /// Colours: auto (only on a terminal), always or never
    #[arg(
        long,
        visible_alias = "colour",
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true,
        display_order = LAST
    )]
    color: colour::Choice,
    #[command(subcommand)]
    command: Command,
}

/// One variant per command. The commands of a game are in its module.
#[derive(Subcommand)]
enum Command {
    /// Measure the headline figures, as ratios to the naive model and the published methods.
    Bench(bench::Arguments),
    /// Cephalopods: the contest and the game for two.
    #[command(visible_alias = "ceph")]
    Cephalopods(cephalopods::Arguments),
    /// Generate shell completions.
    Completions(manual::CompletionArguments),
    /// Write the descriptions that are generated from the Rust types.
    #[cfg(feature = "schema")]
    #[command(hide = true)]
    Describe(describe::Arguments),
    /// Show what is installed, what this machine offers, and whether the files on disk are intact.
    Doctor(doctor::Arguments),
    /// Speak the Universal Game Interface on standard input and output.
    Engine(protocol::Arguments),
    /// Write the manual.
    Man(manual::ManArguments),
    /// Play two engines against each other.
    Match(Box<arena::Arguments>),
    /// Serve the page on this machine.
    Serve(serve::Arguments),
    /// Triple Triad, as Final Fantasy VIII and XIV play it.
    Triad(Box<triad::Arguments>),
    /// Ultimate Tic-Tac-Toe: count, show, analyse, play, solve, verify.
    Uttt(uttt::Arguments),
}

/// All commands with their short options and examples.
fn command() -> clap::Command {
    examples::with_examples(options::with_short_options(Arguments::command()))
}

/// Prints a usage error, or the help or version that was asked for. Clap quotes arguments as they are, so an argument that
/// is very long or has control characters is cut and cleaned first.
fn explain(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    let cleaned = failure::printable(&text);
    if !error.use_stderr() || cleaned == text {
        error.exit();
    }
    let _ = write!(std::io::stderr(), "{cleaned}");
    ExitCode::from(2)
}

fn main() -> ExitCode {
    let read = command().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let Arguments { color, command } = match read {
        Ok(arguments) => arguments,
        Err(error) => return explain(&error),
    };
    colour::choose(color);
    let outcome = match command {
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Cephalopods(arguments) => cephalopods::run(&arguments),
        Command::Completions(arguments) => manual::completions(&arguments),
        #[cfg(feature = "schema")]
        Command::Describe(arguments) => describe::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Engine(arguments) => protocol::run(&arguments),
        Command::Man(arguments) => manual::man(&arguments),
        Command::Match(arguments) => arena::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Triad(arguments) => triad::run(&arguments),
        Command::Uttt(arguments) => uttt::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
