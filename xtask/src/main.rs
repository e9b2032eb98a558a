//! The chores of the house. `cargo xtask test` runs every check there is; `cargo xtask help` lists the rest.
//!
//! **This room** calls other programs (cargo, apt, npm, valgrind, an emulator, a browser) and judges what they say.
//! **It may not** be needed to build or use anything, nor skip a check in silence: a missing tool is a failure that
//! names the tool.
//! **Go next** to `steps` for the list of checks, to `tools` for what is installed, to `rooms` for who may know whom.

mod apt;
mod count;
mod neon;
mod process;
mod rooms;
mod signature;
mod source;
mod steps;
mod tidy;
mod tools;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test [STEP...]        every check, or only these, in this order
cargo xtask count [--update]      instructions of each kernel against bench/counts.txt, or rewrite it
cargo xtask signature [--update]  node count of each game on each level against bench/signature.txt, or rewrite it
cargo xtask help                  this text";

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
        ["count"] => count::check(),
        ["count", "--update"] => count::update(),
        ["signature"] => signature::check(),
        ["signature", "--update"] => signature::update(),
        _ => return usage("no such chore"),
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
