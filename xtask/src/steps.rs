//! The steps of `cargo xtask test`, cheapest first, and their runner.

use crate::process::{Outcome, cargo, run as start};
use crate::{count, fuzz, neon, package, signature, soak, tidy, tools, web};
use std::time::{Duration, Instant};

/// One check.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    name: &'static str,
    about: &'static str,
    run: fn() -> Outcome,
}

const STEPS: [Step; 15] = [
    Step { name: "tools", about: "find or install the programs that the other steps need", run: tools::run },
    Step { name: "format", about: "rustfmt has nothing to change", run: format },
    Step { name: "tidy", about: "project rules that a program can check", run: tidy::run },
    Step { name: "clippy", about: "no warning in any target", run: clippy },
    Step { name: "docs", about: "the documentation builds without a warning", run: docs },
    Step {
        name: "tests",
        about: "unit, law, doc and command-line tests; generated descriptions are up to date",
        run: tests,
    },
    Step { name: "loom", about: "the entries of both tables in every order of loads and stores", run: loom },
    Step { name: "fuzz", about: "some thousand inputs for each fuzz target", run: fuzz::check },
    Step { name: "web", about: "the web page: its types, then whole games in a real browser", run: web::run },
    Step { name: "soak", about: "20 seconds of mixed traffic with clients that vanish", run: soak::step },
    Step {
        name: "package",
        about: "the .deb and the .tar.gz, unpacked, run the commands of README.md",
        run: package::run,
    },
    Step { name: "isa", about: "the signatures at each x86-64 level; grid without std", run: isa },
    Step { name: "neon", about: "the tests of the kernels at the NEON level, emulated if necessary", run: neon::run },
    Step { name: "bench-smoke", about: "every benchmark once, with its answer asserted", run: bench_smoke },
    Step { name: "count", about: "instructions of each kernel against bench/counts.txt", run: count::check },
];

/// The names and descriptions, one per line.
pub(crate) fn list() -> String {
    STEPS.map(|step| format!("  {:12} {}", step.name, step.about)).join("\n")
}

/// The steps with these names; all steps if there are none.
pub(crate) fn choose(names: &[&str]) -> Outcome<Vec<Step>> {
    if names.is_empty() {
        return Ok(STEPS.to_vec());
    }
    let find = |name: &&str| STEPS.into_iter().find(|step| step.name == *name);
    names.iter().map(|name| find(name).ok_or(format!("there is no step {name}; the steps are\n{}", list()))).collect()
}

/// Runs the steps up to the first failure and prints a summary.
pub(crate) fn run(chosen: &[Step]) -> Outcome {
    let mut times: Vec<Duration> = Vec::new();
    let mut outcome = Ok(());
    for (number, step) in chosen.iter().enumerate() {
        println!("\n=== {} of {}: {} ({})", number + 1, chosen.len(), step.name, step.about);
        let start = Instant::now();
        outcome = (step.run)();
        times.push(start.elapsed());
        println!("=== {}: {}, {}", step.name, if outcome.is_ok() { "ok" } else { "FAILED" }, seconds(start.elapsed()));
        if outcome.is_err() {
            break;
        }
    }
    println!("\n=== summary");
    let passed = times.len() - usize::from(outcome.is_err());
    for (number, step) in chosen.iter().enumerate() {
        let verdict = match number {
            _ if number < passed => "ok",
            _ if number < times.len() => "FAILED",
            _ => "not run",
        };
        println!(
            "{:12} {verdict:8} {:>9}",
            step.name,
            times.get(number).map(|&time| seconds(time)).unwrap_or_default()
        );
    }
    println!("{:12} {:8} {:>9}", "all", "", seconds(times.iter().sum()));
    println!("steps: {passed} passed, {} failed", times.len() - passed);
    outcome.map_err(|fault| format!("the step `{}` failed: {fault}", chosen[passed].name))
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn format() -> Outcome {
    // The fuzz targets are a workspace of their own.
    for manifest in ["Cargo.toml", "fuzz/Cargo.toml"] {
        start(&mut cargo(&["fmt", "--all", "--manifest-path", manifest, "--", "--check"]))
            .map_err(|fault| format!("{fault}; run `cargo fmt --manifest-path {manifest}`"))?;
    }
    Ok(())
}

fn clippy() -> Outcome {
    let arguments = ["clippy", "--workspace", "--all-targets", "--features", "ninefold-cli/schema"];
    start(cargo(&arguments).args(["--", "-D", "warnings"]))
}

fn docs() -> Outcome {
    let mut command = cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"]);
    start(command.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Writes the descriptions that are generated from the Rust types.
pub(crate) fn describe() -> Outcome {
    start(&mut cargo(&["run", "--package", "ninefold-cli", "--features", "schema", "--", "describe"]))
}

fn tests() -> Outcome {
    // With `schema`, the tests also compare the generated descriptions with the Rust types.
    start(&mut cargo(&["test", "--workspace", "--features", "ninefold-cli/schema"]))
}

/// The models are ignored by `cargo test`, because they take as long as all other tests of their packages.
fn loom() -> Outcome {
    let arguments = ["test", "--package", "ninefold-search", "--package", "ninefold-engine", "--lib", "loom_model"];
    start(cargo(&arguments).args(["--", "--ignored"]))
}

/// The tests already loop over the levels. This step adds the release build and a build without std.
fn isa() -> Outcome {
    signature::check()?;
    start(&mut cargo(&["test", "--package", "ninefold-grid", "--no-default-features", "--features", "libm"]))
}

fn bench_smoke() -> Outcome {
    start(&mut cargo(&["bench", "--workspace", "--bench", "*", "--", "--test"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fine() -> Outcome {
        Ok(())
    }

    fn broken() -> Outcome {
        Err("it broke".into())
    }

    #[test]
    fn the_first_failure_stops_the_run_and_is_named() {
        fn never() -> Outcome {
            panic!("a step ran after a failure")
        }
        let step = |name, run| Step { name, about: "", run };
        assert_eq!(run(&[step("a", fine as fn() -> Outcome)]), Ok(()));
        let outcome = run(&[step("a", fine), step("b", broken), step("c", never)]);
        assert_eq!(outcome, Err("the step `b` failed: it broke".into()));
    }

    #[test]
    fn steps_are_chosen_by_name() {
        assert_eq!(choose(&[]).map(|steps| steps.len()), Ok(STEPS.len()));
        let names: Vec<_> = choose(&["neon", "tidy"]).unwrap_or_default().iter().map(|step| step.name).collect();
        assert_eq!(names, ["neon", "tidy"]);
        assert!(choose(&["tidy", "nothing"]).is_err());
    }
}
