//! `ninefold`, the command line.
//!
//! **This room** translates: flags into questions of `api`, and answers into text for people or JSON.
//! **It may not know** searches, rules or the engines.
//! **Go next** to `api` for the questions and answers.
//!
//! Exit codes: 0 done, 1 failed while running, 2 usage error, 128 plus the number of the signal that stopped it (130, 143, 129).

mod arena;
mod bench;
mod cache;
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

use clap::{ArgMatches, Args, FromArgMatches};
use failure::Failure;
use std::io::Write;
use std::process::ExitCode;

/// The display order of options that every command has: after its own options, before `--help`.
const LAST: usize = 998;

/// Options of every command.
#[derive(Args)]
struct Global {
    /// Colours: auto (only on a terminal), always or never
    #[arg(
        long,
        alias = "colour",
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true,
        display_order = LAST
    )]
    color: colour::Choice,
}

/// The table of commands: the name, an alias, the arguments, the function that runs it, and what it does.
macro_rules! commands {
    ($($(#[$condition:meta])? $name:literal $(or $alias:literal)?, $arguments:ty, $run:path, $about:literal;)*) => {
        /// All commands with their short options and examples. The arguments of a command are built when it is used:
        /// building those of all commands takes longer than starting the process.
        fn command() -> clap::Command {
            let root = Global::augment_args(clap::Command::new("ninefold"))
                .version(env!("CARGO_PKG_VERSION"))
                .about("Very fast, exact engines for games on a 3x3 grid")
                .subcommand_required(true)
                .arg_required_else_help(true);
            $(
                $(#[$condition])?
                let root = root.subcommand(
                    clap::Command::new($name)$(.visible_alias($alias))?
                        .about($about)
                        .hide($name == "describe")
                        .defer(|command| finished::<$arguments>(command).about($about)),
                );
            )*
            root
        }

        /// Runs the command of these arguments.
        fn run(matches: &ArgMatches) -> Result<Result<(), Failure>, clap::Error> {
            match matches.subcommand() {
                $($(#[$condition])? Some(($name, matches)) => Ok($run(&<$arguments>::from_arg_matches(matches)?)),)*
                _ => Err(command().error(clap::error::ErrorKind::MissingSubcommand, "a command is missing")),
            }
        }
    };
}

commands! {
    "bench", bench::Arguments, bench::run,
        "Measure the headline figures, as ratios to the naive model and the published methods";
    "cephalopods" or "ceph", cephalopods::Arguments, cephalopods::run, "Cephalopods: the contest and the game for two";
    "completions", manual::CompletionArguments, manual::completions, "Generate shell completions";
    #[cfg(feature = "schema")]
    "describe", describe::Arguments, describe::run, "Write the descriptions that are generated from the Rust types";
    "doctor", doctor::Arguments, doctor::run,
        "Show what is installed, what this machine offers, and whether the files on disk are intact";
    "engine", protocol::Arguments, protocol::run, "Speak the Universal Game Interface on standard input and output";
    "man", manual::ManArguments, manual::man, "Write the manual";
    "match", arena::Arguments, arena::run, "Play two engines against each other";
    "serve", serve::Arguments, serve::run, "Serve the page on this machine";
    "triad", triad::Arguments, triad::run, "Triple Triad, as Final Fantasy VIII and XIV play it";
    "uttt", uttt::Arguments, uttt::run, "Ultimate Tic-Tac-Toe: count, show, analyse, play, solve, verify, puzzles";
}

/// A command with its arguments, short options and examples.
fn finished<T: Args>(command: clap::Command) -> clap::Command {
    let command = T::augment_args(command).long_about(None);
    examples::with_examples(options::with_short_options(command))
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
    let read = command().try_get_matches().and_then(|matches| {
        colour::choose(Global::from_arg_matches(&matches)?.color);
        run(&matches)
    });
    match read {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.report(),
        Err(error) => explain(&error),
    }
}
