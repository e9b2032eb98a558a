//! The command line, the engine protocol and the server say the same of the same position: one engine, three doors.

#![allow(missing_docs, reason = "a test")]

mod common;

use common::{Server, run};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const ENDGAMES: &str = include_str!("../../../oracle/data/uttt_endgames.txt");
const TRIAD: [&str; 3] = [
    "ff8 same,plus ......... 8A32,1234,5555f,6666,7777 1111,2222,3333,4444,5555 ..3.7.... ..a.b.... a",
    "ff8 same,plus,elemental f..i..... 8A32,1234,5555f,6666,7777 1111,2222,3333,4444,5555 ..3.7.0.5 ..a.b.b.a b",
    "ff14 reverse,ascension ......... 8A32,1234,5555,6666,7777 1111,2222,3333,4444,5555 0.3.7.8.. a.a.b.b.. a",
];
const CEPHALOPODS: [&str; 4] = ["5.a.6.c.2:A", ".........:A", "12.ab....:B", "66.f..1..:A"];

/// What is said of a position: win, draw or loss for the side to move, and the best moves.
type Said = (String, BTreeSet<String>);

fn answer_of(arguments: &[&str]) -> Value {
    let ended = run(arguments, "");
    assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    serde_json::from_slice(&ended.stdout).unwrap()
}

fn word(value: f64) -> String {
    (if value > 0.0 {
        "win"
    } else if value < 0.0 {
        "loss"
    } else {
        "draw"
    })
    .to_owned()
}

fn texts(list: &Value) -> BTreeSet<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// What `ninefold GAME solve --json` says.
fn by_command(game: &str, position: &str) -> Said {
    match game {
        "uttt" => {
            let answer = answer_of(&["uttt", "solve", position, "--json"]);
            let value = ["L", "D", "W"].iter().position(|value| answer["value"] == **value).unwrap();
            (word(value as f64 - 1.0), texts(&answer["optimal"]))
        }
        "triad" => {
            let answer = answer_of(&["triad", "solve", "--position", position, "--json", "--all-moves"]);
            let sign = if answer["mover"] == "a" { 1.0 } else { -1.0 };
            let value = sign * (answer["value"].as_f64().unwrap() - 5.0);
            // The desk names a card by its place in the deal, the command line by its text: cells can be compared.
            let cell = |text: &String| text.split('@').nth(1).unwrap().to_owned();
            (word(value), texts(&answer["best"]).iter().map(cell).collect())
        }
        _ => {
            let answer = answer_of(&["cephalopods", "solve", position, "--json"]);
            let value = answer["value"].as_f64().unwrap();
            let best = answer["moves"].as_array().unwrap().iter().filter(|mv| mv["value"] == answer["value"]);
            (word(value), best.map(|mv| mv["move"].as_str().unwrap().to_owned()).collect())
        }
    }
}

/// What the server says.
fn by_server(server: &Server, game: &str, position: &str) -> Said {
    let answer = server.post(&format!("/api/{game}/solve"), &json!({"position": position}).to_string());
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{game} {position}: {answer}");
    let answer: Value = serde_json::from_str(body).unwrap();
    assert_eq!(answer["exact"], true, "{game} {position}: {answer}");
    let same = |line: &&Value| line["outcome"] == answer["outcome"] && line["margin"] == answer["margin"];
    let lines = answer["lines"].as_array().unwrap().iter().filter(same);
    let name = |line: &Value| {
        let text = line["move"].as_str().unwrap();
        text.split('@').next_back().unwrap().to_owned()
    };
    (answer["outcome"].as_str().unwrap().to_owned(), lines.map(name).collect())
}

/// What `ninefold engine` says to `go solve`: the value and one move.
fn by_protocol(game: &str, position: &str) -> (String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(["engine", "--game", game])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    write!(input, "position fen {position}\ngo solve\n").unwrap();
    let (mut value, mut best) = (String::new(), String::new());
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if let Some(mv) = line.strip_prefix("bestmove ") {
            // Here squares go by file and rank.
            best = match game {
                "uttt" => mv.parse::<engine::uttt::Move>().unwrap().to_string(),
                _ => mv.split('@').next_back().unwrap().to_owned(),
            };
            break;
        }
        let said = line.split(' ').find(|word| ["win", "draw", "loss"].contains(word));
        value = said.map_or(value, str::to_owned);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    (value, best)
}

#[test]
fn three_doors_one_answer() {
    let server = Server::start();
    let endgames = ENDGAMES.lines().filter(|line| !line.starts_with('#')).step_by(40);
    let uttt: Vec<&str> = endgames.filter_map(|line| line.split(' ').next()).collect();
    assert!(uttt.len() >= 7);
    for (game, positions) in [("uttt", uttt.as_slice()), ("triad", &TRIAD), ("cephalopods", &CEPHALOPODS)] {
        for position in positions {
            let said = by_command(game, position);
            assert_eq!(by_server(&server, game, position), said, "{game} {position}");
            let (value, best) = by_protocol(game, position);
            assert_eq!(value, said.0, "{game} {position}");
            assert!(said.1.contains(&best), "{game} {position}: {best} is not among {:?}", said.1);
        }
    }
}
