//! Tests of signals: real ones to real processes. Each stops the work, keeps what was found, and sets the exit code.

#![cfg(target_os = "linux")]
#![allow(missing_docs, reason = "a test")]

mod common;

use common::{DRAWN, Folder, cpu_time, program};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A proof from here never finishes, so the signal is sure to come first.
const ENDLESS: &str = "9/9/9/9/4x4/9/9/9/9 O 1 e5";
/// The signals and their numbers.
const SIGNALS: [(&str, i32); 3] = [("INT", 2), ("TERM", 15), ("HUP", 1)];

fn start(arguments: &[&str]) -> Child {
    let mut command = program();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn send(child: &Child, signal: &str) {
    let process = child.id().to_string();
    assert!(Command::new("kill").args([&format!("-{signal}"), &process]).status().unwrap().success());
}

/// Waits for a condition, however slow the machine is.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(120), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether the process has a handler for a signal.
fn catches(child: &Child, number: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (number - 1) & 1 == 1
}

/// Waits until the process has installed its handlers and worked for a while.
fn wait_for_work(child: &Child) {
    wait_until("the handlers", || catches(child, 15));
    wait_until("some work", || cpu_time(child) > Duration::from_millis(200));
}

fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn every_signal_saves_a_proof_and_tells_what_is_known() {
    for (signal, number) in SIGNALS {
        let folder = Folder::new();
        let state = folder.path("state");
        let child = start(&["uttt", "solve", "--memory", "64M", "--state", &state, ENDLESS]);
        wait_for_work(&child);
        send(&child, signal);
        let output = child.wait_with_output().unwrap();
        let (out, error) = text(&output);
        assert_eq!(output.status.code(), Some(128 + number), "{signal}: {out}{error}");
        assert!(out.starts_with("not solved after "), "{signal}: {out}");
        assert!(error.contains("state saved"), "{signal}: {error}");
        let resumed = common::ninefold("uttt", &["solve", "--nodes", "1000", "--state", &state, ENDLESS], "");
        assert!(text(&resumed).1.contains("state saved"), "{signal}: the state is whole");
    }
}

#[test]
fn every_signal_ends_an_analysis_with_the_best_move_so_far() {
    for (signal, number) in SIGNALS {
        let child = start(&["uttt", "analyse", "--json", "--time", "10m", "--memory", "64M"]);
        wait_for_work(&child);
        send(&child, signal);
        let output = child.wait_with_output().unwrap();
        let (out, error) = text(&output);
        assert_eq!(output.status.code(), Some(128 + number), "{signal}: {out}{error}");
        let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert!(answer["best"].is_string(), "{signal}: {answer}");
    }
}

#[test]
fn every_signal_ends_the_protocol_with_a_move() {
    for (signal, number) in SIGNALS {
        let mut child = start(&["engine", "--game", "uttt", "--option", "memory=64"]);
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"go infinite\n").unwrap();
        wait_for_work(&child);
        send(&child, signal);
        let mut out = String::new();
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(128 + number), "{signal}: {out}");
        assert!(out.contains("bestmove "), "{signal}: {out}");
    }
}

/// The program waits for a reader of the pipe, so that only the second signal can end it.
#[test]
fn the_second_signal_ends_at_once() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = start(&["uttt", "solve", "--proof", &pipe, DRAWN]);
    // The answer is there before the certificate.
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("O to move: drawn"), "{line}");
    wait_until("it waits", || {
        let state = std::fs::read_to_string(format!("/proc/{}/wchan", child.id())).unwrap_or_default();
        ["partner", "pipe", "fifo"].iter().any(|word| state.contains(word))
    });
    send(&child, "TERM");
    std::thread::sleep(Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none(), "one signal lets it finish");
    send(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[test]
fn a_program_that_waits_for_input_ends_at_the_first_signal() {
    let mut child = start(&["uttt", "solve", "-"]);
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{DRAWN}").unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    assert!(line.starts_with("O to move: drawn"), "{line}");
    send(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
    drop(input);
}

#[test]
fn nohup_keeps_working() {
    let command = format!("trap '' HUP; exec {} uttt solve --memory 64M '{ENDLESS}'", env!("CARGO_BIN_EXE_ninefold"));
    let mut child =
        Command::new("sh").args(["-c", &command]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_work(&child);
    assert!(!catches(&child, 1), "an ignored signal stays ignored");
    let before = cpu_time(&child);
    send(&child, "HUP");
    wait_until("it goes on", || cpu_time(&child) > before + Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none());
    send(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
}
