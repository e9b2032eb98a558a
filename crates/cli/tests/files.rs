//! Tests of the files that the program reads and writes: whole or not there, links followed, devices and pipes in place,
//! `-` for standard input.

#![cfg(unix)]
#![allow(missing_docs, reason = "a test")]

mod common;

use common::{DRAWN, Folder, ninefold, run};
use serde_json::Value;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

/// More than the largest number that Linux gives to a process.
const DEAD: u32 = 4_194_305;

fn text(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn run_bytes(arguments: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    text(&run(arguments, input))
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path("")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_certificate_goes_through_a_link_and_into_a_pipe() {
    let folder = Folder::new();
    let (link, target) = (folder.path("link"), folder.path("target"));
    symlink("target", &link).unwrap();
    for _ in 0..2 {
        assert!(ninefold("uttt", &["solve", "--proof", &link, DRAWN], "").status.success());
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(ninefold("uttt", &["verify", &target], "").status.success());
    }
    assert_eq!(names(&folder), ["link", "target"]);

    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).unwrap()
    });
    assert!(ninefold("uttt", &["solve", "--proof", &pipe, DRAWN], "").status.success());
    assert_eq!(reader.join().unwrap(), std::fs::read(&target).unwrap());
    assert!(std::fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
}

/// What was in the file before stays, and what comes later follows.
#[test]
fn standard_output_is_written_in_order() {
    let folder = Folder::new();
    let script = format!(
        "{{ echo first; {program} cephalopods bundle --output /dev/stdout; echo last; }} > {file}",
        program = env!("CARGO_BIN_EXE_ninefold"),
        file = folder.path("out")
    );
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
    let out = std::fs::read_to_string(folder.path("out")).unwrap();
    assert!(out.starts_with("first\n") && out.ends_with("last\n") && out.contains("fn main()"), "{out:.200}");
    assert!(out.contains("/dev/stdout: "), "the report follows: {out:.200}");
}

#[test]
fn a_proved_value_is_told_although_the_certificate_fails() {
    let folder = Folder::new();
    let mut places = vec![folder.path("no folder/file"), folder.path("")];
    if std::fs::metadata("/dev/full").is_ok_and(|data| data.file_type().is_char_device()) {
        places.push("/dev/full".to_owned());
    }
    for place in &places {
        let (code, out, error) = text(&ninefold("uttt", &["solve", "--proof", place, DRAWN], ""));
        assert_eq!(code, Some(1), "{place}: {error}");
        assert!(out.starts_with("O to move: drawn"), "{place}: {out}");
        assert!(error.contains("only the certificate failed") && error.contains(place.as_str()), "{place}: {error}");
    }
    assert_eq!(names(&folder), [""; 0]);
}

/// A plot that does not fit on the disk leaves the old one, and no temporary file.
#[test]
fn a_plot_is_whole_or_not_there() {
    let folder = Folder::new();
    let file = folder.write("plot.svg", "old");
    let script = format!(
        "trap '' XFSZ; ulimit -f 1; exec {} cephalopods heatmap --last-rank 12 --from 6 --to 12 --boards 1 --svg {file}",
        env!("CARGO_BIN_EXE_ninefold")
    );
    let (code, _, error) = text(&Command::new("sh").args(["-c", &script]).output().unwrap());
    assert_eq!(code, Some(1), "{error}");
    assert!(error.contains("plot.svg"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(names(&folder), ["plot.svg"]);
}

#[test]
fn leftovers_are_named_and_swept() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("ninefold")).unwrap();
    let left = folder.write(&format!("ninefold/cephalopods.table.{DEAD}.tmp"), "half a table");
    let doctor = |json: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        text(&command.arg("doctor").args(json).env("XDG_CACHE_HOME", folder.path("")).output().unwrap())
    };
    let (code, out, _) = doctor(&[]);
    assert!(code == Some(0) && out.contains(&left) && out.contains("12 bytes"), "{out}");
    let report: Value = serde_json::from_str(&doctor(&["--json"]).1).unwrap();
    assert_eq!(report["leftovers"], serde_json::json!([{ "file": left, "bytes": 12 }]));
    let built = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(["cephalopods", "table", "build", "--ranks", "48"])
        .env("XDG_CACHE_HOME", folder.path(""))
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", text(&built).2);
    assert!(!Path::new(&left).exists());
    assert!(!doctor(&[]).1.contains("leftover"));
}

#[test]
fn the_cache_folder_is_absolute_or_missing() {
    let doctor = |home: Option<&str>, cache: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        command.arg("doctor").env_remove("HOME").env_remove("XDG_CACHE_HOME");
        home.map(|home| command.env("HOME", home));
        cache.map(|cache| command.env("XDG_CACHE_HOME", cache));
        text(&command.output().unwrap())
    };
    for cache in [None, Some(""), Some("relative")] {
        let (code, out, _) = doctor(Some("/nowhere"), cache);
        assert!(code == Some(0) && out.contains(" /nowhere/.cache/ninefold/cephalopods.table"), "{cache:?}: {out}");
        let (code, out, _) = doctor(None, cache);
        assert!(code == Some(0) && out.contains("set HOME or XDG_CACHE_HOME to an absolute path"), "{cache:?}: {out}");
        assert!(!out.contains("--file"), "{out}");
    }
    let (_, out, _) = doctor(None, Some("/cache"));
    assert!(out.contains(" /cache/ninefold/cephalopods.table"), "{out}");
}

#[test]
fn a_dash_is_standard_input() {
    let folder = Folder::new();
    let proof = folder.path("proof");
    assert!(ninefold("uttt", &["solve", "--proof", &proof, DRAWN], "").status.success());
    let bytes = std::fs::read(&proof).unwrap();
    let (code, out, error) = run_bytes(&["uttt", "verify", "-"], &bytes);
    assert!(code == Some(0) && out.contains("verified"), "{error}");
    let (code, _, error) = run_bytes(&["uttt", "verify", "-"], &bytes[1..]);
    assert!(code == Some(1) && error.contains("standard input: not a "), "{error}");

    let game = r#"{"game": "ff8", "rules": [], "hand_a": ["Geezard", "Funguar", "Bite Bug", "Red Bat", "Blobra"],
        "hand_b": ["Gayla", "Gesper", "Fastitocalon-F", "Blood Soul", "Caterchipillar"], "moves": []}"#;
    let games = format!(r#"{{"games": [{game}]}}"#);
    let file = folder.write("games.json", &games);
    for (verb, json) in [("replay", &[][..]), ("solve", &["--json"])] {
        let run = |file: &str, input: &[u8]| run_bytes(&[&["triad", verb, file], json].concat(), input);
        let (from_file, from_input) = (run(&file, b""), run("-", games.as_bytes()));
        assert_eq!(from_file.0, Some(0), "{verb}: {}", from_file.2);
        let stable = |out: &str| {
            let mut answer: Value = serde_json::from_str(out).unwrap();
            answer.as_object_mut().unwrap().remove("seconds");
            answer
        };
        assert_eq!(stable(&from_input.1), stable(&from_file.1), "{verb}");
        let (code, _, error) = run_bytes(&["triad", verb, "-"], b"{");
        assert!(code == Some(2) && error.contains("standard input"), "{verb}: {error}");
    }
}

#[test]
fn text_that_is_not_utf8_and_endless_lines_are_usage_errors() {
    let commands: [&[&str]; 9] = [
        &["uttt", "solve", "-"],
        &["uttt", "show", "-"],
        &["uttt", "codingame"],
        &["uttt", "play", "--plain"],
        &["cephalopods", "solve", "-"],
        &["cephalopods", "sum", "-"],
        &["cephalopods", "moves", "-"],
        &["triad", "solve", "--position", "-"],
        &["cephalopods", "contest"],
    ];
    for command in commands {
        let (code, _, error) = run_bytes(command, b"\n\xff\xfe\n");
        assert_eq!(code, Some(2), "{command:?}: {error}");
        assert!(error.contains("standard input, line 2: not UTF-8"), "{command:?}: {error}");
    }
    let long = [b"\n".as_slice(), &vec![b'x'; (1 << 20) + 1]].concat();
    for command in &commands[..8] {
        let (code, _, error) = run_bytes(command, &long);
        assert_eq!(code, Some(2), "{command:?}: {error}");
        assert!(error.contains("standard input, line 2: longer than 1 MiB"), "{command:?}: {error}");
    }
    for command in [&["triad", "solve", "-"], &["triad", "replay", "-"]] {
        let (code, _, error) = run_bytes(command, b"\n\xff\xfe\n");
        assert!(code == Some(2) && error.contains("standard input, line 2: not UTF-8"), "{command:?}: {error}");
    }
}

/// Wherever the limit falls, text and JSON say the same about the value.
#[test]
fn text_and_json_agree_when_a_limit_is_reached() {
    let whole: Value = serde_json::from_str(&text(&ninefold("uttt", &["solve", "--json", DRAWN], "")).1).unwrap();
    let all = whole["nodes"].as_u64().unwrap();
    let mut between = 0;
    for nodes in (1..=all).step_by((all as usize / 40).max(1)) {
        let limit = ["solve", "--threads", "1", "--nodes", &nodes.to_string(), DRAWN];
        let (code, out, error) = text(&ninefold("uttt", &limit, ""));
        let answer: Value =
            serde_json::from_str(&text(&ninefold("uttt", &[&limit[..], &["--json"]].concat(), "")).1).unwrap();
        let (proved, complete) = (answer["proved"].as_bool().unwrap(), answer["complete"].as_bool().unwrap());
        assert_eq!(out.contains("drawn, proved"), proved, "{nodes}: {out}{answer}");
        assert_eq!(answer["value"].as_str() == Some("D"), proved, "{answer}");
        assert_eq!(code, Some(i32::from(!complete)), "{nodes}: {error}");
        assert_eq!(error.contains("not solved"), !proved, "{nodes}: {error}");
        assert_eq!(error.contains("the value is proved, but"), proved && !complete, "{nodes}: {error}");
        between += u32::from(proved && !complete);
    }
    assert!(between > 0, "no limit of {all} nodes falls between the value and the moves");
}
