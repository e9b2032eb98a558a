//! Tests of the two-player game of `ninefold cephalopods`: answers, and errors that point at the fault.

#![allow(missing_docs, reason = "a test")]

mod common;

/// Exit code, standard output, standard error.
fn ninefold(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let output = common::ninefold("cephalopods", arguments, input);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn solve_says_value_moves_and_line() {
    let (code, out, _) = ninefold(&["solve", "66666ff.f:A"], "");
    assert_eq!(code, Some(0));
    assert!(out.contains("A to move wins, exact\nbest   7\n  7          won, exact\nline   7\n"), "{out}");
    let (code, out, _) = ninefold(&["solve", "--json", "--rule", "misere", "-"], "66666ff.f:A\n\n66666ff.f:B\n");
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, lines.len()), (Some(0), 2));
    assert_eq!(
        (&lines[0]["value"], &lines[0]["certainty"]["kind"], &lines[0]["best"]),
        (&(-1.0).into(), &"proved".into(), &"7".into())
    );
    assert_eq!(lines[0]["lines"][0]["move"], "7");
}

#[test]
fn other_sizes_are_searched_and_say_so() {
    let (code, out, _) = ninefold(&["solve", "--size", "3x5", "--nodes", "500"], "");
    assert!(code == Some(0) && out.contains("estimated"), "{out}");
    let (code, out, _) = ninefold(&["solve", "--size", "2x2", "66/f.:A", "--depth", "4"], "");
    assert!(code == Some(0) && out.contains("A to move wins, solved\nbest   b2"), "{out}");
}

#[test]
fn play_takes_moves_hints_and_undo() {
    let lines = "hint\n9\n7\nundo\nundo\nmoves\nquit\n";
    let (code, out, _) = ninefold(&["play", "6666.ff.f:A", "--you", "both"], lines);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("expected a cell from 0 to 8\n  9\n  ^"), "{out}");
    assert!(out.contains("there is no move of yours to undo") && out.contains("4 7\n"), "{out}");
    assert!(out.contains("hint: all 2 moves win, exact"), "{out}");
    let (code, out, _) = ninefold(&["play", "--you", "none", "--size", "2x3", "--nodes", "200"], "");
    let ends = ["A has won\n", "B has won\n", "drawn\n"];
    assert!(code == Some(0) && ends.iter().any(|end| out.ends_with(end)), "{out}");
    let (code, _, error) = ninefold(&["play", "--you", "x"], "");
    assert!(code == Some(2) && error.contains("no player is called \"x\""), "{error}");
    assert_eq!(ninefold(&["play"], "4\n").0, Some(0), "the end of the input ends the game");
}

#[test]
fn what_is_wrong_is_said_with_exit_code_two() {
    let wrong: [(&[&str], &str); 9] = [
        (&["solve", "1.b.7....:B"], "  1.b.7....:B\n      ^"),
        (&["solve", "1.b"], "nine cells"),
        (&["solve", "--size", "9x9"], "at most 8 a side"),
        (&["solve", "--size", "3"], "at most 8 a side"),
        (&["solve", "--time", "-1", "--size", "3x5"], "--time"),
        (&["solve", "--depth", "3"], "3x3 is solved"),
        (&["bundle", "--rank", "60"], "rank 60"),
        (&["bundle", "--min-depth", "41"], "depth 41"),
        (&["bundle", "--rank", "6"], "fits from depth"),
    ];
    for (arguments, message) in wrong {
        let (code, out, error) = ninefold(arguments, "");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
    }
    let (code, _, error) = ninefold(&["solve", "-"], "66666ff.f:A\nx\n");
    assert!(code == Some(2) && error.contains("line 2: expected"), "{error}");
}

#[test]
fn bundle_writes_a_whole_file_or_none() {
    let folder = std::env::temp_dir().join(format!("ninefold-cli-bundle-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("contest.rs");
    let (code, out, error) =
        ninefold(&["bundle", "--rank", "1", "--min-depth", "39", "--output", path.to_str().unwrap()], "");
    assert!(code == Some(0) && out.contains("UTF-16 units of 100,000"), "{out}{error}");
    assert!(std::fs::read_to_string(&path).unwrap().contains("const RANK: usize = 1;"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    let missing = folder.join("no folder").join("contest.rs");
    let (code, _, error) =
        ninefold(&["bundle", "--rank", "0", "--min-depth", "40", "--output", missing.to_str().unwrap()], "");
    assert!(code == Some(1) && error.contains("contest.rs: "), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Ctrl-C during a search: the best move so far is printed, and the exit code is 130.
#[cfg(unix)]
#[test]
fn an_interrupted_search_tells_what_it_has_found() {
    use std::process::{Command, Stdio};
    for limit in [&["--time", "1h"][..], &["--depth", "200"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        command.args(["cephalopods", "solve", "--size", "5x5", "--json"]).args(limit);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1500));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(130), "{limit:?}: {out}{error}");
        let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert!(answer["best"].is_string() && answer["certainty"]["kind"] == "estimated", "{out}");
        assert!(error.contains("interrupted"), "{error}");
    }
}
