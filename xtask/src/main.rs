//! Project automation. `cargo xtask test` runs every check; `cargo xtask help` lists the commands.
//!
//! **This room** runs other programs (cargo, apt, npm, valgrind, an emulator, a browser) and evaluates their output.
//! **It may not** be needed to build or use anything, nor skip a check silently: a missing tool is an error that names the
//! tool.
//! **Go next** to `steps` for the list of checks, to `tools` for what is installed, to `rooms` for the allowed dependencies.

mod apt;
mod count;
mod decks;
mod fuzz;
mod http;
mod neon;
mod package;
mod process;
mod program;
mod rooms;
mod signature;
mod soak;
mod source;
mod steps;
mod tidy;
mod tools;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test [STEP...]        run all checks, or only these, in this order
cargo xtask count [--update]      compare the instructions of each kernel with bench/counts.txt, or rewrite it
cargo xtask decks [--time-per-npc T] [--only NAME] [--seed N] [--threads N]
                                  compute the best known decks of Triple Triad, for a minute per opponent
cargo xtask decks --verify        solve every game of these decks again
cargo xtask decks --enumerate     compare the optimiser with full enumeration on 200 collections of 12 cards, and find a deck
                                  that wins all 20 games among 60 cards; takes minutes
cargo xtask fuzz [--seconds N] [TARGET...]
                                  fuzz all targets, or only these, for 10 seconds each
cargo xtask signature [--update]  compare the node counts on each level with bench/signature.txt, or rewrite it
cargo xtask package               make a .deb and a .tar.gz, and test them
cargo xtask soak [--minutes N]    run mixed traffic against the server, for 20 minutes unless N says otherwise
cargo xtask help                  show this text";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["help" | "--help" | "-h"] => {
            println!("{HELP}\n\nSteps:\n{}", steps::list());
            Ok(())
        }
        ["test", ref names @ ..] => match steps::choose(names) {
            Ok(chosen) => steps::run(&chosen),
            Err(fault) => return usage(&fault),
        },
        ["fuzz", ref arguments @ ..] => match fuzz::choose(arguments) {
            Ok((bound, targets)) => fuzz::run(bound, &targets),
            Err(fault) => return usage(&fault),
        },
        ["decks", ref arguments @ ..] => match decks::choose(arguments) {
            Ok(options) => decks::run(&options),
            Err(fault) => return usage(&fault),
        },
        ["count"] => count::check(),
        ["count", "--update"] => count::update(),
        ["signature"] => signature::check(),
        ["signature", "--update"] => signature::update(),
        ["describe"] => steps::describe(),
        ["package"] => package::run(),
        ["soak"] => soak::minutes("20"),
        ["soak", "--minutes", minutes] => soak::minutes(minutes),
        _ => return usage("unknown command"),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("cargo xtask: {fault}");
            ExitCode::from(1)
        }
    }
}

fn usage(fault: &str) -> ExitCode {
    eprintln!("cargo xtask: {fault}\n\n{HELP}");
    ExitCode::from(2)
}
