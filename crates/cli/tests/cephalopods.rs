//! `ninefold cephalopods` as a user runs it: answers, streams, files and everything that can be asked wrongly.

mod common;

use std::path::PathBuf;
use std::process::Output;

fn ninefold(arguments: &[&str], input: &str) -> Output {
    common::ninefold("cephalopods", arguments, input)
}

#[track_caller]
fn says(arguments: &[&str], input: &str) -> String {
    let output = ninefold(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn refused(arguments: &[&str], input: &str, code: i32, part: &str) {
    let output = ninefold(arguments, input);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(error.contains(part), "{arguments:?}: {error}");
    assert!(!error.contains("panicked"), "{error}");
}

#[test]
fn every_engine_sums() {
    assert_eq!(says(&["sum", "051000401", "--depth", "20"], ""), "738691369\n");
    assert_eq!(says(&["sum", "051000401", "--depth", "20", "--engine", "cache"], ""), "738691369\n");
    let json = says(&["sum", "060222161", "--depth", "20", "--json"], "");
    assert_eq!(json, "{\"board\":\"060222161\",\"depth\":20,\"sum\":322444322}\n");
    let lines = "060222161 20\n\n606000615 8\n";
    assert_eq!(says(&["sum", "-"], lines), "322444322\n76092874\n");
    assert_eq!(says(&["sum", "-", "--isa", "scalar"], lines), "322444322\n76092874\n");
}

#[test]
fn the_contest_speaks_its_own_input() {
    assert_eq!(says(&["contest"], "20\n0 5 1\n0 0 0\n4 0 1\n"), "738691369\n");
    assert_eq!(says(&["contest"], "1\n5 5 5\n0 0 5\n5 5 5\n"), "36379286\n");
}

#[test]
fn moves_and_counts() {
    let moves = says(&["moves", "051000401"], "");
    assert_eq!(moves.lines().count(), 5);
    assert!(moves.contains("5x28    050002400"), "{moves}");
    assert_eq!(says(&["count", "606000615", "--depth", "8"], ""), "1484\n");
    let exact = says(&["count", "606000615", "--depth", "8", "--exact", "--json"], "");
    for part in ["\"games\":1484", "\"sum_modulo\":76092874", "\"final_boards\":20"] {
        assert!(exact.contains(part), "{exact}");
    }
}

#[test]
fn what_is_asked_wrongly_is_pointed_at() {
    refused(&["sum", "05100040", "--depth", "2"], "", 2, "nine digits");
    refused(&["sum", "051000701", "--depth", "2"], "", 2, "        ^");
    refused(&["sum", "05100x401", "--depth", "2"], "", 2, "a digit from 0 to 6");
    refused(&["sum", "051000401"], "", 2, "--depth is missing");
    refused(&["sum", "051000401", "--depth=-1"], "", 2, "invalid value");
    refused(&["sum", "051000401", "--depth", "99999999999"], "", 2, "invalid value");
    refused(&["sum", "051000401", "--depth", "1", "--engine", "magic"], "", 2, "magic");
    refused(&["sum", "051000401", "--depth", "1", "--isa", "mmx"], "", 2, "mmx");
    refused(&["sum", "-"], "051000401 2\n051000401 deep\n", 2, "line 2: expected a depth");
    refused(&["sum", "-"], "0510004019 2\n", 2, "line 1: expected nine digits and no more");
    refused(&["contest"], "20 0 0 0", 2, "ends before the cell in row 2, column 1");
    refused(&["contest"], "20 0 0 0 0 9 0 0 0 0", 2, "row 2, column 2: 9");
    refused(&["contest"], "twenty", 2, "`twenty`");
    refused(&["table", "build", "--ranks", "3-99"], "", 2, "`3-99`");
    refused(&["heatmap", "--from", "9", "--to", "3"], "", 2, "--from 9");
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("ninefold-cephalopods-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn a_table_is_built_checked_asked_and_refused_when_damaged() {
    let folder = folder("table");
    let path = folder.join("barrier.table");
    let file = path.to_str().unwrap();
    refused(&["sum", "051000401", "--depth", "2", "--engine", "table", "--file", file], "", 1, "table build");
    let told = says(&["table", "build", "--ranks", "36,40", "--file", file], "");
    assert!(told.contains("ranks 36 40"), "{told}");
    assert!(says(&["table", "verify", "--file", file], "").contains("checksum right"));
    assert!(says(&["table", "info", "--json", "--file", file], "").contains("\"ranks\":[36,40]"));
    let ask = ["sum", "-", "--engine", "table", "--file", file];
    assert_eq!(says(&ask, "060222161 20\n506450064 20\n555005555 1\n"), "322444322\n951223336\n36379286\n");

    let whole = std::fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 3] ^= 4;
    std::fs::write(&path, &damaged).unwrap();
    refused(&["table", "verify", "--file", file], "", 1, "checksum of the body");
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    refused(&ask, "060222161 20\n", 1, "damaged");
    let mut later = whole.clone();
    later[0] = b'x';
    std::fs::write(&path, &later).unwrap();
    refused(&ask, "060222161 20\n", 1, "not a nf-cephs file");
    std::fs::write(&path, b"").unwrap();
    refused(&ask, "060222161 20\n", 1, "");
    refused(&["table", "build", "--ranks", "45", "--file", "/proc/no/such"], "", 1, "/proc/no");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_plot_is_drawn() {
    let folder = folder("plot");
    let path = folder.join("heat.svg");
    let told = says(
        &[
            "heatmap",
            "--last-rank",
            "4",
            "--from",
            "6",
            "--to",
            "8",
            "--boards",
            "1",
            "--engine",
            "scratch,cache",
            "--svg",
            path.to_str().unwrap(),
        ],
        "",
    );
    assert_eq!(told.lines().count(), 14, "{told}");
    let drawn = std::fs::read_to_string(&path).unwrap();
    assert_eq!(drawn.matches("<title>").count(), 2 * 5 * 3);
    std::fs::remove_dir_all(folder).unwrap();
}
