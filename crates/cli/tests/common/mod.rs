//! Helpers that run the program.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod engine;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Ultimate Tic-Tac-Toe: `ig` draws and every other move loses.
pub(crate) const DRAWN: &str =
    "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....";

/// The program as a command for which HUP is not ignored, although the tests themselves may run under `nohup`.
pub(crate) fn program() -> Command {
    if cfg!(target_os = "linux") {
        let mut command = Command::new("env");
        command.args(["--default-signal=HUP", env!("CARGO_BIN_EXE_ninefold")]);
        return command;
    }
    Command::new(env!("CARGO_BIN_EXE_ninefold"))
}

/// Runs `ninefold ARGUMENTS` with `input` on standard input.
pub(crate) fn run(arguments: &[impl AsRef<str>], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(arguments.iter().map(AsRef::as_ref))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read its input, so writing may fail.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

/// Runs `ninefold GAME ARGUMENTS` with `input` on standard input.
pub(crate) fn ninefold(game: &str, arguments: &[&str], input: &str) -> Output {
    run(&[&[game], arguments].concat(), input)
}

/// The CPU time of a running process, in steps of 10 ms. Unlike wall-clock time it does not depend on other load.
pub(crate) fn cpu_time(child: &Child) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    // The name of the program may contain spaces; it ends at the last parenthesis.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: u64 = [11, 12].iter().map(|&field: &usize| fields[field].parse::<u64>().unwrap()).sum();
    Duration::from_millis(10 * ticks)
}

/// Splits words as a shell does; quotes keep spaces.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        if number % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// A folder that is removed when the test ends.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// Creates an empty folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// The path of a file in it, or of the folder itself if the name is empty.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }
}

/// A file that is removed when the test ends.
pub(crate) struct Scratch {
    _folder: Folder,
    path: String,
}

impl Scratch {
    /// Creates a file with this text.
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let folder = Folder::new();
        let path = folder.write(name, text);
        Self { _folder: folder, path }
    }

    /// The path of the file.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }
}

/// A running server that is stopped when the test ends.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
}

impl Server {
    /// Starts a server on a free port.
    pub(crate) fn start() -> Self {
        let server = Self::start_with(&[]);
        assert!(server.address.starts_with("127.0.0.1:"), "loopback unless asked otherwise: {}", server.address);
        server
    }

    /// Starts a server on a free port, with more arguments.
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let mut child =
            program().args(["serve", "--port", "0"]).args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default().to_owned();
        Self { child, address }
    }

    /// Sends a GET request and returns the whole response.
    pub(crate) fn get(&self, path: &str) -> String {
        self.get_from(&self.address, path)
    }

    /// Sends a GET request for this host and returns the whole response.
    pub(crate) fn get_from(&self, host: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Sends a POST request and returns the whole response.
    pub(crate) fn post(&self, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!("Host: {}\r\nConnection: close\r\nContent-Type: application/json", self.address);
        write!(stream, "POST {path} HTTP/1.1\r\n{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if the test has already stopped it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
