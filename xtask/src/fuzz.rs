//! Builds the fuzz targets of `fuzz/` and runs them one after another.
//!
//! Inputs that reach new code are kept in `target/fuzz/corpus` for the next run; an input that breaks a target is kept in
//! `target/fuzz/findings`. The small inputs in `fuzz/seeds` are only read.

use crate::process::{Outcome, cargo, read, root, run as start, target_directory};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The version of cargo-fuzz that `tools` installs.
const VERSION: &str = "0.13.2";

/// The bounds of a target in `cargo xtask test`.
const TEST: Bound = Bound { runs: 20_000, seconds: 3 };

/// How long a target runs; the first bound that is reached counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bound {
    /// Inputs; no limit if negative.
    runs: i64,
    seconds: u64,
}

/// A target and its result.
struct Ran {
    name: String,
    runs: u64,
    /// What broke the target, if an input did.
    finding: Option<String>,
}

/// Installs cargo-fuzz if it is missing or has another version.
pub(crate) fn prepare() -> Outcome<String> {
    let version = || read(&mut cargo(&["fuzz", "--version"])).map(|version| version.trim().to_owned());
    let wanted = format!("cargo-fuzz {VERSION}");
    if version().is_ok_and(|version| version == wanted) {
        return Ok(wanted);
    }
    start(&mut cargo(&["install", "cargo-fuzz", "--version", VERSION, "--locked"]))?;
    version()
}

/// Reads `[--seconds N] [TARGET...]`.
pub(crate) fn choose(arguments: &[&str]) -> Outcome<(Bound, Vec<String>)> {
    let all = targets()?;
    let (seconds, names) = match *arguments {
        ["--seconds", seconds, ref names @ ..] => (seconds.parse().map_err(|_| "--seconds takes a number")?, names),
        ref names => (10, names),
    };
    if let Some(name) = names.iter().find(|name| !all.iter().any(|known| known == **name)) {
        return Err(format!("there is no target {name}; the targets are\n  {}", all.join("\n  ")));
    }
    let chosen = if names.is_empty() { all } else { names.iter().map(ToString::to_string).collect() };
    Ok((Bound { runs: -1, seconds }, chosen))
}

/// All targets, a few inputs each.
pub(crate) fn check() -> Outcome {
    run(TEST, &targets()?)
}

fn targets() -> Outcome<Vec<String>> {
    let folder = root().join("fuzz/targets");
    let files = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let name = |path: PathBuf| Some(path.file_stem()?.to_string_lossy().into_owned());
    let mut names: Vec<String> = files.flatten().filter_map(|file| name(file.path())).collect();
    names.sort();
    Ok(names)
}

/// Builds all targets, runs these, and prints a table.
pub(crate) fn run(bound: Bound, names: &[String]) -> Outcome {
    let folder = target_directory()?.join("fuzz");
    // A sanitizer needs an unstable compiler. Rust's own checks and the assertions of the targets do not.
    start(cargo(&["fuzz", "build", "--sanitizer", "none", "--fuzz-dir", "fuzz", "--target-dir"]).arg(&folder))?;
    let programs = folder.join(host()?).join("release");
    let ran = names.iter().map(|name| fuzz(bound, &programs, &folder, name)).collect::<Outcome<Vec<Ran>>>()?;
    println!("\n{:24} {:>12} {:>9}", "target", "runs", "findings");
    for Ran { name, runs, finding } in &ran {
        println!("{name:24} {runs:>12} {:>9}", u8::from(finding.is_some()));
    }
    println!("{:24} {:>12}", "all", ran.iter().map(|ran| ran.runs).sum::<u64>());
    let found: Vec<_> = ran.iter().filter_map(|ran| Some(format!("{}: {}", ran.name, ran.finding.as_ref()?))).collect();
    if found.is_empty() { Ok(()) } else { Err(format!("{} targets are broken\n{}", found.len(), found.join("\n"))) }
}

/// The triple of this machine, which names the folder of the programs.
fn host() -> Outcome<String> {
    let about = read(Command::new("rustc").arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or("rustc -vV names no host".into())
}

fn fuzz(bound: Bound, programs: &Path, folder: &Path, name: &str) -> Outcome<Ran> {
    let (corpus, findings) = (folder.join("corpus").join(name), folder.join("findings").join(name));
    for folder in [&corpus, &findings] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let Bound { runs, seconds } = bound;
    let mut command = Command::new(programs.join(name));
    command.args([format!("-runs={runs}"), format!("-max_total_time={seconds}"), "-timeout=60".into()]);
    command.args(["-print_final_stats=1".to_owned(), format!("-artifact_prefix={}/", findings.display())]);
    command.arg(&corpus).arg(root().join("fuzz/seeds").join(name)).stdin(Stdio::null());
    let scratch = scratch_folder().map_err(|error| format!("no folder for temporary files: {error}"))?;
    println!("{name} ...");
    let output = command.env("TMPDIR", &scratch).output().map_err(|error| format!("cannot start {name}: {error}"))?;
    // What is left costs memory until the next start of the machine, but no result.
    let _ = fs::remove_dir_all(scratch);
    let report = String::from_utf8_lossy(&output.stderr);
    Ok(Ran {
        name: name.to_owned(),
        runs: executed(&report),
        finding: (!output.status.success()).then(|| end(&report)),
    })
}

/// A folder for the files of a target, in memory where possible: a file per input on a disk takes longer than its test.
fn scratch_folder() -> std::io::Result<PathBuf> {
    let memory = Path::new("/dev/shm");
    let above = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let folder = above.join(format!("ninefold-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).map(|()| folder)
}

/// The number of inputs in the report of libFuzzer. A target that breaks reports only its progress.
fn executed(report: &str) -> u64 {
    let total = |line: &str| line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok();
    let progress = |line: &str| line.strip_prefix('#')?.split('\t').next()?.trim().parse().ok();
    report.lines().rev().find_map(|line| total(line).or_else(|| progress(line))).unwrap_or(0)
}

/// What broke the target, without the stack: the message of the panic or of libFuzzer, and the file with the input.
fn end(report: &str) -> String {
    let message =
        report.lines().skip_while(|line| !line.contains("panicked at")).take_while(|line| *line != "stack backtrace:");
    let about = report.lines().filter(|line| line.starts_with("SUMMARY:") || line.contains("Test unit written to"));
    message.chain(about).map(|line| line.chars().take(1000).collect::<String>()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_runs_is_read_from_either_report() {
        let whole = "#8\tINITED cov: 3\n#20000\tDONE   cov: 9\nstat::number_of_executed_units: 20000\n";
        assert_eq!(executed(whole), 20_000);
        assert_eq!(executed("#8\tINITED cov: 3\n#512\tNEW    cov: 5\nthread panicked\n"), 512);
        assert_eq!(executed("no report"), 0);
    }

    #[test]
    fn a_finding_is_named_without_its_stack() {
        let report =
            "#8\tINITED\nthread panicked at src/a.rs:1:\nwrong\nstack backtrace:\n   0: main\nSUMMARY: deadly signal\n";
        assert_eq!(end(report), "thread panicked at src/a.rs:1:\nwrong\nSUMMARY: deadly signal");
    }

    #[test]
    fn every_target_has_seeds_and_can_be_chosen() {
        let all = targets().unwrap();
        assert!(all.len() > 20, "{all:?}");
        let seeds = root().join("fuzz/seeds");
        for name in &all {
            assert!(fs::read_dir(seeds.join(name)).is_ok_and(|mut files| files.next().is_some()), "{name}");
        }
        assert_eq!(choose(&[]), Ok((Bound { runs: -1, seconds: 10 }, all)));
        let one = vec!["uttt_fen".to_owned()];
        assert_eq!(choose(&["--seconds", "7", "uttt_fen"]), Ok((Bound { runs: -1, seconds: 7 }, one)));
        assert!(choose(&["--seconds", "x"]).is_err() && choose(&["nothing"]).is_err());
    }
}
