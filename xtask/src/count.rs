//! Counts the instructions of each kernel with callgrind. Unlike times, the counts are the same to the digit on a busy
//! machine.
//!
//! A kernel runs for one round and for three rounds. The difference is exactly two rounds: start-up, input and loading
//! cancel out.

use crate::process::{Outcome, bench_example, read, root, target_directory};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Relative growth up to this limit passes.
const TOLERANCE: f64 = 0.05;

const HEAD: &str =
    "# Instructions per item of each kernel at each level, by callgrind. `cargo xtask count --update` rewrites this.";

/// Instructions per item, by kernel and level.
type Counts = BTreeMap<String, f64>;

fn file() -> PathBuf {
    root().join("bench/counts.txt")
}

/// The compiler and architecture. Counts from others cannot be compared.
fn compiler() -> Outcome<String> {
    let version = read(Command::new("rustc").current_dir(root()).arg("--version"))?;
    Ok(format!("{} for {}", version.trim(), std::env::consts::ARCH))
}

/// Counts and compares with the file.
pub(crate) fn check() -> Outcome {
    let text = fs::read_to_string(file()).map_err(|error| format!("{}: {error}", file().display()))?;
    let (recorded_by, recorded) = parse(&text)?;
    let counted = count()?;
    println!("{:32} {:>12} {:>12} {:>8}", "instructions per item", "recorded", "now", "");
    let names: BTreeMap<&String, ()> = recorded.keys().chain(counted.keys()).map(|name| (name, ())).collect();
    for name in names.into_keys() {
        let show = |count: Option<&f64>| count.map_or("-".to_string(), |count| format!("{count:.2}"));
        let change =
            recorded.get(name).zip(counted.get(name)).map(|(old, new)| format!("{:+.1} %", (new / old - 1.0) * 100.0));
        let [old, new] = [&recorded, &counted].map(|counts| show(counts.get(name)));
        println!("{name:32} {old:>12} {new:>12} {:>8}", change.unwrap_or_default());
    }
    let compiler = compiler()?;
    if compiler != recorded_by {
        println!("not compared: recorded with {recorded_by}, counted with {compiler}");
        return Ok(());
    }
    let faults = faults(&recorded, &counted);
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}\nIf the change is intended, run `cargo xtask count --update` and give the reason in the commit",
        faults.join("\n")
    ))
}

/// Counts and rewrites the file.
pub(crate) fn update() -> Outcome {
    let lines: String = count()?.iter().map(|(name, count)| format!("{name} {count:.2}\n")).collect();
    let text = format!("{HEAD}\n# {}\n{lines}", compiler()?);
    fs::write(file(), text).map_err(|error| format!("{}: {error}", file().display()))
}

fn parse(text: &str) -> Outcome<(String, Counts)> {
    let mut lines = text.lines();
    let compiler = lines.nth(1).and_then(|line| line.strip_prefix("# ")).ok_or("bench/counts.txt names no compiler")?;
    let parse = |line: &str| {
        let (name, count) = line.rsplit_once(' ')?;
        Some((name.to_string(), count.parse().ok()?))
    };
    let counts = lines.map(|line| parse(line).ok_or(format!("bench/counts.txt: `{line}` is not a count")));
    Ok((compiler.to_string(), counts.collect::<Outcome<Counts>>()?))
}

/// The errors in the new counts.
fn faults(recorded: &Counts, counted: &Counts) -> Vec<String> {
    let gone =
        recorded.keys().filter(|name| !counted.contains_key(*name)).map(|name| format!("{name} was not counted"));
    let worse = counted.iter().filter_map(|(name, new)| match recorded.get(name) {
        None => Some(format!("{name} is not in bench/counts.txt")),
        Some(old) if *new > old * (1.0 + TOLERANCE) => Some(format!("{name} grew from {old:.2} to {new:.2}")),
        Some(_) => None,
    });
    gone.chain(worse).collect()
}

fn count() -> Outcome<Counts> {
    let program = bench_example("count")?;
    let out = target_directory()?.join("callgrind.out");
    let list = read(Command::new(&program).arg("list"))?;
    println!("$ valgrind --tool=callgrind count run KERNEL LEVEL ROUNDS, {} times two", list.lines().count());
    list.lines()
        .map(|line| {
            let (kernel, level) = line.split_once(' ').ok_or(format!("`{line}` is not a kernel and a level"))?;
            let (once, items) = instructions(&program, &out, kernel, level, 1)?;
            let (thrice, _) = instructions(&program, &out, kernel, level, 3)?;
            // Rounded to the digits that the file keeps.
            let per_item = (thrice - once) / (2.0 * items);
            Ok((line.to_string(), (per_item * 100.0).round() / 100.0))
        })
        .collect()
}

/// The instructions of a whole run, and the number of items per round.
fn instructions(program: &Path, out: &Path, kernel: &str, level: &str, rounds: u32) -> Outcome<(f64, f64)> {
    let mut callgrind = Command::new("valgrind");
    callgrind.args(["--tool=callgrind", "--quiet"]).arg(format!("--callgrind-out-file={}", out.display()));
    let items = read(callgrind.arg(program).args(["run", kernel, level, &rounds.to_string()]))?;
    let report = fs::read_to_string(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let total = total(&report).ok_or("callgrind wrote no total")?;
    Ok((total, items.trim().parse().map_err(|_| format!("{kernel} printed `{items}` for its items"))?))
}

fn total(report: &str) -> Option<f64> {
    report.lines().find_map(|line| line.strip_prefix("summary:").or(line.strip_prefix("totals:")))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(items: &[(&str, f64)]) -> Counts {
        items.iter().map(|&(name, count)| (name.to_string(), count)).collect()
    }

    #[test]
    fn growth_and_strangers_are_faults_and_shrinking_is_not() {
        let recorded = counts(&[("a v3", 100.0), ("b v3", 10.0), ("c v3", 10.0), ("d v3", 1.0)]);
        let counted = counts(&[("a v3", 105.0), ("b v3", 10.6), ("c v3", 2.0), ("e v3", 1.0)]);
        let expected = ["d v3 was not counted", "b v3 grew from 10.00 to 10.60", "e v3 is not in bench/counts.txt"];
        assert_eq!(faults(&recorded, &counted), expected);
        assert!(faults(&recorded, &recorded).is_empty());
    }

    #[test]
    fn the_file_is_read_back() {
        let text = format!("{HEAD}\n# rustc 1\ngrid/matches v3 2.50\n");
        assert_eq!(parse(&text), Ok(("rustc 1".to_string(), counts(&[("grid/matches v3", 2.5)]))));
        assert!(parse("").is_err());
        assert!(parse(&format!("{text}grid/matches\n")).is_err());
        assert_eq!(total("version: 1\nsummary: 855254\n"), Some(855_254.0));
    }
}
