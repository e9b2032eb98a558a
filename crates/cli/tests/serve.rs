//! `ninefold serve` as a new user meets it: the printed address answers, and a bad request says what is wrong.

#![allow(missing_docs, reason = "a test")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A running server that ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> Self {
        let mut child = ninefold(&["serve", "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default().to_owned();
        assert!(address.starts_with("127.0.0.1:"), "loopback unless asked otherwise: {line}");
        Self { child, address }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn ninefold(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command.args(arguments);
    command
}

#[test]
fn the_page_is_there_with_all_it_needs() {
    let server = Server::start();
    for (path, kind) in [("/", "text/html"), ("/style.css", "text/css"), ("/app.js", "text/javascript")] {
        let answer = server.get(path).to_lowercase();
        assert!(answer.starts_with("http/1.1 200"), "{path}: {answer}");
        assert!(answer.contains(&format!("content-type: {kind}")), "{path}: {answer}");
        for header in ["content-security-policy: default-src 'self'", "x-content-type-options: nosniff"] {
            assert!(answer.contains(header), "{path} lacks {header}: {answer}");
        }
    }
    let about = server.get("/api/about");
    assert!(about.contains(concat!("\"version\":\"", env!("CARGO_PKG_VERSION"))), "{about}");
    assert!(server.get("/nowhere").starts_with("HTTP/1.1 404"));
}

#[test]
fn a_port_in_use_is_a_failure_while_running() {
    let server = Server::start();
    let port = server.address.rsplit(':').next().unwrap();
    let second = ninefold(&["serve", "--port", port]).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    let message = String::from_utf8(second.stderr).unwrap();
    assert!(message.contains(&format!("cannot listen on 127.0.0.1 port {port}")), "{message}");
}

#[test]
fn a_bad_request_is_a_usage_error() {
    for arguments in [&["serve", "--port", "70000"][..], &["serve", "--host", "here"], &["sreve"], &[]] {
        let refused = ninefold(arguments).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(!refused.stderr.is_empty());
    }
}
