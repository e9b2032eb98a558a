//! Tests of `ninefold serve`: the printed address answers, and a bad request gets a clear error.

#![allow(missing_docs, reason = "a test")]

mod common;

use common::Server;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

fn ninefold(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command.args(arguments);
    command
}

#[test]
fn the_page_is_there_with_all_it_needs() {
    let server = Server::start();
    let files = [
        ("/", "text/html"),
        ("/style.css", "text/css"),
        ("/app.js", "text/javascript"),
        ("/icon.svg", "image/svg+xml"),
        ("/openapi.json", "application/json"),
    ];
    for (path, kind) in files {
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

/// The command line and the server give the same answer to the same question.
#[test]
fn the_command_line_and_the_server_agree() {
    let server = Server::start();
    let body = r#"{"board": "051000401", "depth": 20}"#;
    let answer = server.post("/api/cephalopods/count", body);
    let mut counted =
        ninefold(&["cephalopods", "count", "051000401", "--depth", "20", "--json", "--exact", "--finals", "0"]);
    let said = String::from_utf8(counted.output().unwrap().stdout).unwrap();
    assert_eq!(answer.split("\r\n\r\n").nth(1), Some(said.trim()));
}

#[cfg(unix)]
#[test]
fn a_signal_stops_it_in_order() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let mut server = Server::start();
        let process = server.child.id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
        assert_eq!(server.child.wait().unwrap().code(), Some(0), "{signal}");
    }
}

#[test]
fn other_machines_are_let_in_only_with_a_warning() {
    let mut command = ninefold(&["serve", "--port", "0", "--host", "0.0.0.0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    let warning = child.wait_with_output().unwrap().stderr;
    assert!(String::from_utf8(warning).unwrap().contains("can be reached from other machines"));
}

/// The machine's own names work when other machines are let in; a foreign name does not unless it is added.
#[test]
fn an_open_server_has_the_names_of_the_machine() {
    let server = Server::start_with(&["--host", "0.0.0.0", "--allow-host", "games.example"]);
    let status = |host: &str| server.get_from(host, "/api/about").split(' ').nth(1).unwrap().to_owned();
    let machine = rustix::system::uname().nodename().to_str().unwrap().split('.').next().unwrap().to_owned();
    for host in ["localhost", "192.0.2.7:3999", "games.example:443", &machine, &format!("{machine}.local")] {
        assert_eq!(status(host), "200", "{host}");
    }
    assert_eq!(status("evil.example"), "421");
}

/// The library below the server reads this variable and ends the program if it is no number above 0.
#[test]
fn a_variable_of_the_environment_does_not_end_it() {
    for threads in ["0", "x"] {
        let mut command = ninefold(&["serve", "--port", "0"]);
        let mut child = command.env("TOKIO_WORKER_THREADS", threads).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(line.starts_with("Ninefold is at http://127.0.0.1:"), "{threads}: {line:?}");
    }
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
    for arguments in [
        &["serve", "--port", "70000"][..],
        &["serve", "--host", "here"],
        &["serve", "--allow-host", "http://a:80"],
        &["sreve"],
        &[],
    ] {
        let refused = ninefold(arguments).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(!refused.stderr.is_empty());
    }
}
