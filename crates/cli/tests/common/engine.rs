//! A running `ninefold engine`, as a driver sees it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine that is stopped when the test ends.
pub(crate) struct Engine {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
}

impl Engine {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
            .arg("engine")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                if sender.send((Instant::now(), line.expect("protocol is UTF-8"))).is_err() {
                    return;
                }
            }
        });
        Self { input: child.stdin.take(), child, lines }
    }

    pub(crate) fn of(game: &str) -> Self {
        Self::start(&["--game", game])
    }

    pub(crate) fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(&[line, b"\n"].concat()).unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    pub(crate) fn next(&self) -> Option<(Instant, String)> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the engine hangs"),
        }
    }

    /// All lines up to one that starts with this text, and when that line arrived.
    pub(crate) fn until(&self, beginning: &str) -> (Instant, Vec<String>) {
        let mut lines = Vec::new();
        loop {
            let (when, line) = self.next().unwrap_or_else(|| panic!("the engine ended before {beginning}: {lines:?}"));
            lines.push(line.clone());
            if line.starts_with(beginning) {
                return (when, lines);
            }
        }
    }

    /// Sends `line` and returns the answer, up to a line that starts with this text.
    pub(crate) fn ask(&mut self, line: &str, beginning: &str) -> Vec<String> {
        self.send(line);
        self.until(beginning).1
    }

    pub(crate) fn answer(&mut self, line: &str, beginning: &str) -> String {
        self.ask(line, beginning).pop().unwrap()
    }

    /// Checks that the engine still answers and prints nothing else.
    pub(crate) fn is_quiet(&mut self) {
        assert_eq!(self.ask("isready", "readyok"), ["readyok"]);
    }

    pub(crate) fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the engine does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub(crate) fn quit(mut self) {
        self.send("quit");
        assert!(self.ended().success());
        let mut complaint = String::new();
        std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut complaint).unwrap();
        assert_eq!(complaint, "", "nothing goes wrong in silence");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Usually it has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
