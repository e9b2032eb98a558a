//! Tests that the command line, the engine protocol and the server give the same answers, since they share one type.

#![allow(missing_docs, reason = "a test")]

mod common;

use api::{Analysis, Outcome};
use common::{Server, run};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const ENDGAMES: &str = include_str!("../../../oracle/data/uttt_endgames.txt");
const TRIAD: [&str; 3] = [
    "ff8 same,plus ......... 8A32,1234,5555f,6666,7777 1111,2222,3333,4444,5555 ..3.7.... ..a.b.... a",
    "ff8 same,plus,elemental f..i..... 8A32,1234,5555f,6666,7777 1111,2222,3333,4444,5555 ..3.7.0.5 ..a.b.b.a b",
    "ff14 reverse,ascension ......... 8A32,1234,5555,6666,7777 1111,2222,3333,4444,5555 0.3.7.8.. a.a.b.b.. a",
];
const CEPHALOPODS: [&str; 4] = ["5.a.6.c.2:A", ".........:A", "12.ab....:B", "66.f..1..:A"];

/// Removes what depends on the machine and on a session's memory.
fn settled(mut analysis: Analysis) -> Analysis {
    (analysis.seconds, analysis.nodes) = (0.0, 0);
    analysis.certainty = api::Certainty::Proved;
    analysis.lines.iter_mut().for_each(|line| line.certainty = api::Certainty::Proved);
    analysis
}

/// The answer of `ninefold GAME solve --json`.
fn by_command(game: &str, position: &str) -> Analysis {
    let arguments = match game {
        "triad" => vec!["triad", "solve", "--json", "--all-moves", "--position", position],
        "uttt" => vec!["uttt", "solve", "--json", "--all-moves", "--line", position],
        _ => vec![game, "solve", "--json", position],
    };
    let ended = run(&arguments, "");
    assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    settled(serde_json::from_slice(&ended.stdout).unwrap())
}

/// The answer of the server.
fn by_server(server: &Server, game: &str, position: &str) -> Analysis {
    let body = json!({"position": position, "all_moves": true, "line": true, "limits": {"time_ms": 60000}});
    let answer = server.post(&format!("/api/{game}/solve"), &body.to_string());
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{game} {position}: {answer}");
    settled(serde_json::from_str(body).unwrap())
}

/// The answer of `ninefold engine` to `go solve`: the outcome and one move.
fn by_protocol(game: &str, position: &str) -> (Option<Outcome>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(["engine", "--game", game, "--option"])
        .arg(if game == "uttt" { "movestyle=letters" } else { "level=10" })
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    write!(input, "position fen {position}\ngo solve\n").unwrap();
    let (mut outcome, mut best) = (None, String::new());
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if let Some(mv) = line.strip_prefix("bestmove ") {
            best = mv.to_owned();
            break;
        }
        for (word, known) in [("win", Outcome::Win), ("draw", Outcome::Draw), ("loss", Outcome::Loss)] {
            if line.split(' ').any(|said| said == word) {
                outcome = Some(known);
            }
        }
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    (outcome, best)
}

#[test]
fn three_doors_one_answer() {
    let server = Server::start();
    let endgames = ENDGAMES.lines().filter(|line| !line.starts_with('#')).step_by(40);
    let uttt: Vec<&str> = endgames.filter_map(|line| line.split(' ').next()).collect();
    assert!(uttt.len() >= 7);
    for (game, positions) in [("uttt", uttt.as_slice()), ("triad", &TRIAD), ("cephalopods", &CEPHALOPODS)] {
        for position in positions {
            let answer = by_command(game, position);
            assert!(answer.outcome.is_some() && !answer.optimal.is_empty(), "{game} {position}: {answer:?}");
            assert_eq!(by_server(&server, game, position), answer, "{game} {position}");
            let (outcome, best) = by_protocol(game, position);
            assert_eq!(outcome, answer.outcome, "{game} {position}");
            assert!(answer.optimal.contains(&best), "{game} {position}: {best} is not among {:?}", answer.optimal);
        }
    }
}
