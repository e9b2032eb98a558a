//! Tests of `ninefold cephalopods` as a user runs it: answers, streams, files and wrong input of every kind.

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
    // One thread and two, on a sum large enough for two; many lines at once, the last without a line break.
    for threads in ["1", "2", "0"] {
        assert_eq!(says(&["sum", "000010110", "--depth", "40", "--threads", threads], ""), "806725433\n");
    }
    let many = "606000615 8\n".repeat(700) + "060222161 20";
    assert_eq!(says(&["sum", "-"], &many), "76092874\n".repeat(700) + "322444322\n");
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
    refused(&["sum", "-"], "051000401\n", 2, "line 1: expected a depth");
    refused(&["sum", "-"], "051000401 2 3\n", 2, "line 1: expected a depth");
    refused(&["sum", "-"], "051000401 -2\n", 2, "line 1: expected a depth");
    refused(&["sum", "-", "--depth", "4"], "\n051000401\nx\n", 2, "line 3: expected");
    refused(&["sum", "-"], "05100040\u{e9} 2\n", 2, "line 1: expected a digit from 0 to 6");
    refused(&["moves", "051000481"], "", 2, "a digit from 0 to 6");
    refused(&["moves", "-"], "051000401\n0510\n", 2, "line 2: expected nine digits");
    refused(&["count", "051000901", "--depth", "3"], "", 2, "a digit from 0 to 6");
    refused(&["count", "051000401"], "", 2, "--depth");
    refused(&["count", "051000401", "--depth", "-3"], "", 2, "-3");
    refused(&["contest"], "", 2, "ends before the depth");
    refused(&["contest"], "-1 0 0 0 0 0 0 0 0 0", 2, "`-1`");
    refused(&["contest"], "1 0 0 0 0 0 0 0 0 0 7", 2, "goes on after");
    refused(&["table", "build", "--ranks", "9-3"], "", 2, "the range of ranks is empty");
    refused(&["heatmap", "--last-rank", "99"], "", 2, "99");
    refused(&["bundle", "--rank", "70"], "", 2, "70");
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
    assert!(says(&["table", "verify", "--file", file], "").contains("checksum OK"));
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
    let mut other = whole.clone();
    other[0] = b'x';
    std::fs::write(&path, &other).unwrap();
    refused(&ask, "060222161 20\n", 1, "not a table of Cephalopods");
    let mut later = whole.clone();
    later[8] += 1;
    std::fs::write(&path, &later).unwrap();
    refused(&ask, "060222161 20\n", 1, "checksum of the header");
    std::fs::write(&path, b"").unwrap();
    refused(&ask, "060222161 20\n", 1, "");
    refused(&["table", "verify", "--file", folder.to_str().unwrap()], "", 1, "is a directory");
    refused(&["table", "build", "--ranks", "45", "--file", "/proc/no/such"], "", 1, "/proc/no");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Answers before a malformed line are still printed.
#[test]
fn a_stream_answers_up_to_the_fault() {
    let output = ninefold(&["sum", "-"], "060222161 20\n606000615 8\nnonsense\n606000615 8\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "322444322\n76092874\n");
}

/// A path that cannot be written is named, no temporary file is left, and the old file stays.
#[test]
fn files_that_cannot_be_written_are_named() {
    let folder = folder("unwritable");
    let file = folder.join("file");
    std::fs::write(&file, "as it was").unwrap();
    let below = file.join("below");
    for path in [folder.to_str().unwrap(), below.to_str().unwrap()] {
        refused(&["table", "build", "--ranks", "48", "--file", path], "", 1, "unwritable");
        refused(&["bundle", "--output", path], "", 1, "unwritable");
        let heat = ["heatmap", "--last-rank", "0", "--from", "1", "--to", "1", "--boards", "1", "--svg", path];
        refused(&heat, "", 1, "unwritable");
        refused(&["table", "verify", "--file", path], "", 1, "unwritable");
        refused(&["sum", "051000401", "--depth", "2", "--engine", "table", "--file", path], "", 1, "unwritable");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "as it was");
    std::fs::remove_dir_all(folder).unwrap();
}

/// The answer itself cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_told() {
    use std::process::{Command, Stdio};
    for arguments in
        [&["sum", "051000401", "--depth", "3"][..], &["moves", "051000401"], &["count", "051000401", "--depth", "3"]]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        let output = command.arg("cephalopods").args(arguments).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.contains("o space left"), "{arguments:?}: {error}");
    }
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
