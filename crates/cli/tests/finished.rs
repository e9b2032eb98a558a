//! A finished position has one meaning everywhere: the value of the result, no moves, a perft of 0, exit code 0.

#![allow(missing_docs, reason = "a test")]

mod common;

use api::{Analysis, Outcome};
use common::{Server, run};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// A finished game: the game, the position, the options, and the outcome for the side to move.
struct Finished {
    game: &'static str,
    position: &'static str,
    options: &'static [(&'static str, &'static str)],
    outcome: Outcome,
}

const fn finished(game: &'static str, position: &'static str, outcome: Outcome) -> Finished {
    Finished { game, position, options: &[], outcome }
}

const HANDS: &str = "1111,2222,3333,4444,5555 1111,2222,3333,4444,5555";

fn positions() -> Vec<Finished> {
    let triad = |rules: &str, owners: &str| String::leak(format!("{rules} ......... {HANDS} 051627384 {owners} b"));
    vec![
        finished(
            "uttt",
            "X;.XO.XOX.O;..OX.XOOX/XOOOXOOOX/OXXOOX.XO/XOXXOOO.X/OX.XOXXXX/.XO.O.O../.XX.XXOX./XXO.OXXOO/OOXOOX..O",
            Outcome::Loss,
        ),
        finished("triad", triad("ff8 -", "bababaaaa"), Outcome::Loss),
        finished("triad", triad("ff8 -", "bbbbbbbbb"), Outcome::Win),
        finished("triad", triad("ff8 sudden-death", "bababaaaa"), Outcome::Loss),
        finished("triad", triad("ff14 chaos", "bababaaaa"), Outcome::Loss),
        finished("cephalopods", "11111aaaa:A", Outcome::Win),
        finished("cephalopods", "11111aaaa:B", Outcome::Loss),
        Finished { options: &[("size", "1x2")], ..finished("cephalopods", "1a:A", Outcome::Draw) },
    ]
}

impl Finished {
    /// Runs `ninefold GAME VERB`, which must succeed.
    fn command(&self, verb: &[&str]) -> String {
        let mut arguments: Vec<String> = vec![self.game.to_owned()];
        arguments.extend(verb.iter().map(|word| (*word).to_owned()));
        arguments.extend(self.options.iter().map(|(name, value)| format!("--{name}={value}")));
        if self.game == "triad" {
            arguments.push("--position".to_owned());
        }
        arguments.push(self.position.to_owned());
        let ended = run(&arguments, "");
        assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
        String::from_utf8(ended.stdout).unwrap()
    }

    fn check(&self, analysis: &Analysis) {
        let Analysis { outcome, score, best, optimal, lines, complete, .. } = analysis;
        assert_eq!((*outcome, *complete), (Some(self.outcome), true), "{analysis:?}");
        assert_eq!(*score, f64::from(self.outcome as u8) - 1.0, "{analysis:?}");
        assert!(best.is_none() && optimal.is_empty() && lines.is_empty(), "{analysis:?}");
    }
}

#[test]
fn on_the_command_line() {
    for finished in positions() {
        let all_moves: &[&str] = if finished.game == "cephalopods" { &[] } else { &["--all-moves"] };
        let solved = finished.command(&[&["solve", "--json"], all_moves].concat());
        finished.check(&serde_json::from_str(&solved).unwrap());
        let told = finished.command(&[&["solve"], all_moves].concat());
        assert!(told.contains("the game is over: "), "{told}");
        if finished.game == "uttt" {
            finished.check(&serde_json::from_str(&finished.command(&["analyse", "--json"])).unwrap());
            assert!(finished.command(&["analyse"]).contains("the game is over: "));
            let moves: Value = serde_json::from_str(&finished.command(&["moves", "--json"])).unwrap();
            assert_eq!(moves["moves"], json!([]));
            let perft: Value = serde_json::from_str(&finished.command(&["perft", "--depth=3", "--json"])).unwrap();
            assert_eq!((&perft["leaves"], &perft["moves"]), (&json!(0), &json!([])));
            assert!(finished.command(&["show"]).contains("O has won"));
        }
    }
}

#[test]
fn in_the_protocol() {
    for finished in positions() {
        let mut arguments = vec!["engine".to_owned(), "--game".to_owned(), finished.game.to_owned()];
        for (name, value) in finished.options {
            arguments.extend(["--option".to_owned(), format!("{name}={value}")]);
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
            .args(&arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        writeln!(input, "position fen {}", finished.position).unwrap();
        for (go, answer) in [("movetime 50", "bestmove 0000"), ("solve", "bestmove 0000"), ("perft 3", "nodes 0")] {
            writeln!(input, "go {go}").unwrap();
            let last = |line: &String| line.starts_with("bestmove") || line.starts_with("nodes");
            let line = lines.by_ref().map(Result::unwrap).find(last);
            assert_eq!(line.as_deref(), Some(answer), "{} {go}", finished.position);
        }
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn over_http() {
    let server = Server::start();
    for finished in positions() {
        let options: serde_json::Map<String, Value> =
            finished.options.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        let ask = |verb: &str, more: Value| -> Value {
            let mut body = json!({"position": finished.position, "options": options});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let answer = server.post(&format!("/api/{}/{verb}", finished.game), &body.to_string());
            assert!(answer.starts_with("HTTP/1.1 200"), "{verb} {body}: {answer}");
            serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
        };
        finished.check(&serde_json::from_value(ask("solve", json!({"all_moves": true, "line": true}))).unwrap());
        let view = ask("look", json!({}));
        assert!(view["moves"] == json!([]) && view["result"].is_number(), "{view}");
        assert_eq!(ask("choose", json!({}))["move"], Value::Null);
        finished.check(&serde_json::from_value(ask("analyse", json!({}))).unwrap());
    }
}
