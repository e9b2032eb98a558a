//! Tests that the command line, the engine protocol and the server give the same answers, since they share one type.

#![allow(missing_docs, reason = "a test")]

mod common;

use api::triad::{AdviseAnswer, DealQuestion, DeckAnswer};
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

const MINE: [&str; 5] = ["Zeromus", "#269", "Roundrox", "Tioman", "#93"];
const HIS: [&str; 5] = ["Nael van Darnus", "Vidofnir", "Byblos", "Griffin", "Behemoth"];

/// The answer of the server to a body, as this type.
fn posted<T: serde::de::DeserializeOwned>(server: &Server, path: &str, body: &serde_json::Value) -> T {
    let answer = server.post(path, &body.to_string());
    let (head, text) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{path} {body}: {answer}");
    serde_json::from_str(text).unwrap()
}

/// One known hand of the opponent: the adviser, `triad solve`, a session, the protocol, the server and the judge of decks have
/// the same number.
#[test]
fn one_evaluator_for_advice_decks_and_play() {
    let server = Server::start();
    let played = [("a", "Tioman", 2), ("b", "Vidofnir", 4), ("a", "Roundrox", 0), ("b", "Byblos", 1)];
    for (rules, plies) in [("-", 0), ("same,plus", 4), ("chaos", 4)] {
        let rules: Vec<&str> = rules.split(',').filter(|rule| *rule != "-").collect();
        let moves: Vec<_> = played[..plies]
            .iter()
            .map(|(player, card, cell)| json!({"player": player, "card": card, "cell": cell}))
            .collect();
        let deal = json!({"game": "ff14", "rules": rules, "hand_a": MINE, "hand_b": HIS, "moves": moves});
        let deal: DealQuestion = serde_json::from_value(deal).unwrap();
        let position = api::triad::deal(&deal, None).unwrap().position;
        let solved = by_command("triad", &position);
        assert_eq!(by_server(&server, "triad", &position), solved, "{position}");
        // From the empty board only the chances take long, and they are not compared.
        let limits = json!({"time_ms": if plies == 0 { 20000 } else { 60000 }});
        let analysed: Analysis =
            posted(&server, "/api/triad/analyse", &json!({"position": position, "limits": limits}));
        assert_eq!((analysed.outcome, analysed.chances), (solved.outcome, solved.chances), "{position}");

        let side = |player: &str| if player == "a" { "me" } else { "opponent" };
        let moves: Vec<String> =
            played[..plies].iter().map(|(player, card, cell)| format!("{}:{card}@{cell}", side(player))).collect();
        let question = json!({
            "rules": rules, "hand": MINE, "opponent": {"hands": [HIS]}, "first": "me", "moves": moves, "limits": limits,
        });
        let told = run(&["triad", "advise", "--json", "-"], format!("{question}\n"));
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
        let advised: AdviseAnswer = serde_json::from_slice(&told.stdout).unwrap();
        let served: AdviseAnswer = posted(&server, "/api/triad/advise", &question);
        assert_eq!(served.position.certain, advised.position.certain, "{position}");
        assert_eq!(served.position.guaranteed, advised.position.guaranteed, "{position}");
        if plies > 0 {
            assert_eq!((&served.moves, &served.position), (&advised.moves, &advised.position), "{position}");
        }
        if let Some(chances) = solved.chances {
            let careful = advised.position.careful.unwrap();
            let is_near = |one: f64, other: f64| (one - other).abs() < 1e-12;
            assert!(is_near(careful.win, chances.win) && is_near(careful.draw, chances.draw), "{position}");
            continue;
        }
        assert_eq!(Some(advised.position.certain), solved.outcome, "{position}");
        let (outcome, best) = by_protocol("triad", &position);
        assert_eq!(outcome, solved.outcome, "{position}");
        assert!(solved.optimal.contains(&best), "{position}: {best}");
        if plies == 0 {
            let owned: Vec<_> = MINE.iter().map(|card| json!({"card": card})).collect();
            let deck =
                json!({"rules": rules, "opponent": {"hands": [HIS]}, "owned": owned, "limits": {"time_ms": 60000}});
            let judged: DeckAnswer = posted(&server, "/api/triad/deck", &deck);
            let game = judged.games.iter().find(|game| game.first == "me").unwrap();
            assert_eq!(game.result, solved.outcome, "{position}");
            assert_eq!(game.margin.map(f64::from), solved.margin, "{position}");
        }
    }
}
