//! Tests of `ninefold bench`: the spread, and the comparison with a baseline.

mod common;

use common::{Folder, run, words};
use serde_json::Value;

fn figures(line: &str) -> Vec<Value> {
    let ended = run(&words(line), "");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The figures as a file, each changed.
fn file(figures: &[Value], change: impl Fn(&mut Value)) -> String {
    let changed = |figure: &Value| {
        let mut figure = figure.clone();
        change(&mut figure);
        format!("{figure}\n")
    };
    figures.iter().map(changed).collect()
}

#[test]
fn a_run_is_compared_with_a_baseline() {
    const BENCH: &str = "bench triad --time 1ms --isa scalar";
    let folder = Folder::new();
    let measured = figures(&format!("{BENCH} --json"));
    assert!(measured.len() >= 3, "{measured:?}");
    for figure in &measured {
        let number = |name: &str| figure[name].as_f64().unwrap();
        assert!(number("rounds") >= 5.0 && number("spread") >= 0.0, "{figure}");
        assert!(number("per_second") >= number("median_per_second"), "{figure}");
        assert!(figure["baseline"].is_null(), "{figure}");
    }
    // A factor of a million is more than any spread.
    for (factor, verdict, text) in [(1e6, "slower", "slower"), (1e-6, "faster", "faster")] {
        let change = |figure: &mut Value| {
            figure["median_per_second"] = (figure["median_per_second"].as_f64().unwrap() * factor).into();
        };
        let path = folder.write("changed", &file(&measured, change));
        for figure in figures(&format!("{BENCH} --json --baseline {path}")) {
            assert_eq!(figure["baseline"]["verdict"], verdict, "{figure}");
        }
        let told = run(&words(&format!("{BENCH} --baseline {path}")), "");
        let told = String::from_utf8(told.stdout).unwrap();
        assert_eq!(told.lines().filter(|line| line.ends_with(text)).count(), measured.len(), "{told}");
    }
    // A slow run of the same build differs by chance on a busy machine, but every figure is compared.
    let path = folder.write("same", &file(&measured, |_| ()));
    assert!(figures(&format!("{BENCH} --json --baseline {path}")).iter().all(|figure| figure["baseline"].is_object()));
    let path = folder.write("part", &file(&measured[..1], |_| ()));
    let told = String::from_utf8(run(&words(&format!("{BENCH} --baseline {path}")), "").stdout).unwrap();
    assert!(told.contains("not in the baseline"), "{told}");

    let refused = |text: &str, message: &str| {
        let path = folder.write("refused", text);
        let ended = run(&words(&format!("{BENCH} --baseline {path}")), "");
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.code() == Some(1) && said.contains(message), "{message}: {said}");
    };
    refused("", "no figures");
    refused("nonsense\n", "line 1: not a figure");
    refused(&file(&measured, |figure| figure["format"] = 99.into()), "line 1: not a figure of format 1");
    refused(&file(&measured, |figure| figure["machine"] = "another".into()), "measured on another machine (another; ");
    refused(&file(&measured, |figure| figure["isa"] = "v9".into()), "measured with v9, not with scalar");
    refused(&file(&measured, |figure| figure["median_per_second"] = 0.into()), "the speed is not above zero");
    refused(&file(&measured, |figure| figure["more"] = 1.into()), "unknown field");
    let ended = run(&words(&format!("{BENCH} --baseline {}", folder.path("nothing"))), "");
    assert_eq!(ended.status.code(), Some(1));
}
