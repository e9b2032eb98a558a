//! The table of the best known decks: computed opponent by opponent, so that it can be stopped at any time.
//!
//! Opponents without a row come first. A later run goes on from the decks that are there and never makes one worse; decks
//! that are perfect or proved are left alone. Under Chaos and Roulette the exact expected points of one deck take minutes; with
//! less time the row has an estimate.

use crate::process::{Outcome, cargo, read, root, run as start};
use crate::program;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const TABLE: &str = "crates/engine/data/triad/ff14_decks.csv";

/// What to compute.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    time: Option<String>,
    only: Option<String>,
    seed: Option<String>,
    threads: Option<String>,
    verify: bool,
    enumerate: bool,
}

/// Reads the arguments.
pub(crate) fn choose(arguments: &[&str]) -> Outcome<Options> {
    let mut options = Options::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let place = match *word {
            "--verify" => {
                options.verify = true;
                continue;
            }
            "--enumerate" => {
                options.enumerate = true;
                continue;
            }
            "--time-per-npc" => &mut options.time,
            "--only" => &mut options.only,
            "--seed" => &mut options.seed,
            "--threads" => &mut options.threads,
            other => return Err(format!("decks: unknown argument {other}")),
        };
        *place = Some((*words.next().ok_or(format!("decks: {word} needs a value"))?).to_owned());
    }
    Ok(options)
}

/// Computes or checks the table.
pub(crate) fn run(options: &Options) -> Outcome {
    if options.enumerate {
        // The tests of decks that are too long for every day.
        let tests = ["test", "--package", "ninefold-engine", "--test", "triad_deck", "--", "--ignored", "--nocapture"];
        return start(&mut cargo(&tests));
    }
    let program = program::release()?;
    let threads = options.threads.as_deref().unwrap_or("0");
    if options.verify {
        let mut command = Command::new(&program);
        command.args(["triad", "decks", "--verify", "--threads", threads, "--file", TABLE]).current_dir(root());
        return start(&mut command);
    }
    let rows = objects(&program, &["triad", "decks", "--json", "--file", TABLE])?;
    let npcs = objects(&program, &["triad", "npcs", "--json"])?;
    let row = |npc: &Value| rows.iter().find(|row| row["npc"] == npc["name"]);
    let is_done = |npc: &Value| {
        row(npc).is_some_and(|row| {
            row["unranked"].is_string() || matches!(row["status"].as_str(), Some("perfect" | "proved"))
        })
    };
    let is_wanted = |npc: &Value| {
        let name = npc["name"].as_str().unwrap_or_default().to_lowercase();
        options.only.as_ref().is_none_or(|only| name.contains(&only.to_lowercase()))
    };
    let mut open: Vec<&Value> = npcs.iter().filter(|npc| is_wanted(npc) && !is_done(npc)).collect();
    open.sort_by_key(|npc| row(npc).is_some());
    let mut failed = Vec::new();
    for npc in open {
        let (id, time) = (format!("#{}", npc["id"]), options.time.as_deref().unwrap_or("60s"));
        let seed = options.seed.as_deref().unwrap_or("1");
        let mut command = Command::new(&program);
        command.args(["triad", "deck", "--npc", &id, "--owned", "all", "--time", time, "--seed", seed]);
        command.args(["--finalists", "0", "--threads", threads, "--save", TABLE]);
        // A time that is too short for one opponent does not end the others.
        if start(command.current_dir(root())).is_err() {
            failed.push(id);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("no deck for {}; raise --time-per-npc", failed.join(", "))) }
}

/// The JSON lines that a command prints.
fn objects(program: &Path, arguments: &[&str]) -> Outcome<Vec<Value>> {
    let text = read(Command::new(program).args(arguments).current_dir(root()))?;
    let object = |line: &str| serde_json::from_str(line).map_err(|error| format!("{}: {error}", arguments.join(" ")));
    text.lines().map(object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_or_refused() {
        let options = choose(&["--time-per-npc", "5s", "--only", "Baderon", "--verify"]).unwrap();
        assert_eq!(
            (options.time.as_deref(), options.only.as_deref(), options.verify),
            (Some("5s"), Some("Baderon"), true)
        );
        assert!(choose(&["--enumerate"]).unwrap().enumerate);
        assert!(choose(&["--time-per-npc"]).unwrap_err().contains("needs a value"));
        assert!(choose(&["--fast"]).unwrap_err().contains("--fast"));
    }
}
