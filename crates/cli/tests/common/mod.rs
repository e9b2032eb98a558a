//! How the tests run the program.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs `ninefold GAME ARGUMENTS` with `input` on standard input.
pub(crate) fn ninefold(game: &str, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .arg(game)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}
