//! Compares the node count of each game, from the release build, at each level of this architecture.

use crate::process::{Outcome, bench_example, read, root};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Every level of this architecture. A machine that lacks one fails the check, so that nothing is skipped silently.
const LEVELS: &[&str] =
    if cfg!(target_arch = "aarch64") { &["scalar", "neon"] } else { &["scalar", "sse2", "v2", "v3"] };

fn file() -> PathBuf {
    root().join("bench/signature.txt")
}

fn recorded() -> Outcome<String> {
    fs::read_to_string(file()).map_err(|error| format!("{}: {error}", file().display()))
}

fn without_head(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// Compares each level with the file.
pub(crate) fn check() -> Outcome {
    let recorded = without_head(&recorded()?);
    let counted = count()?;
    if counted != recorded {
        return Err(format!(
            "the signatures are\n{counted}but bench/signature.txt has\n{recorded}\
             If the change is intended, run `cargo xtask signature --update` and give the reason in the commit"
        ));
    }
    println!("{counted}the same at {} and in bench/signature.txt", LEVELS.join(", "));
    Ok(())
}

/// Rewrites the file.
pub(crate) fn update() -> Outcome {
    let head: String =
        recorded()?.lines().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    fs::write(file(), head + &count()?).map_err(|error| format!("{}: {error}", file().display()))
}

/// The output of all levels, if they agree.
fn count() -> Outcome<String> {
    let program = bench_example("signature")?;
    let by_level = |level: &&str| read(Command::new(&program).arg(level));
    let counted = LEVELS.iter().map(by_level).collect::<Outcome<Vec<_>>>()?;
    match counted.iter().zip(LEVELS).find(|(text, _)| **text != counted[0]) {
        None => Ok(counted[0].clone()),
        Some((text, level)) => {
            Err(format!("at {} the signatures are\n{}but at {level}\n{text}", LEVELS[0], counted[0]))
        }
    }
}
