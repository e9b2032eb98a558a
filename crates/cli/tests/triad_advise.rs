//! `triad advise` and `triad log` as a player and a program use them.

#![allow(missing_docs, reason = "a test")]

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

const HAND: &str = "Zeromus,#269,Roundrox,Tioman,#93";
const LATE: &str = "me:Tioman@2 opponent:Vidofnir@4 me:Roundrox@0 opponent:Byblos@1 me:Zeromus@8 opponent:Griffin@7";

fn ninefold(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    // No answer of an earlier run.
    command.arg("triad").args(arguments).env("XDG_CACHE_HOME", "/dev/null/cache");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
    // A program that refuses its arguments does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn one_question_a_line_is_one_answer_a_line() {
    let moves: Vec<&str> = LATE.split(' ').collect();
    let question = serde_json::json!({
        "game": "ff14", "hand": HAND.split(',').collect::<Vec<_>>(), "opponent": {"npc": "Flichoirel"}, "first": "me",
        "moves": moves, "aim": "points",
    });
    let wrong = r#"{"hand":["Titan"],"oponent":{}}"#;
    let output = ninefold(&["advise", "--json", "-"], &format!("{question}\n\n{question}\n{wrong}\n"));
    let lines: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), output.status.code()), (2, Some(2)));
    for answer in &lines {
        assert_eq!((answer["worlds"].as_u64(), answer["moves"].as_array().unwrap().len()), (Some(3), 6), "{answer}");
        assert_eq!(answer["best"], answer["moves"][0]["move"]);
    }
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("standard input, line 4") && error.contains("opponent"), "{error}");
    let told = ninefold(&["advise", "--npc", "Flichoirel", "--hand", HAND, "--moves", LATE, "--json"], "");
    let told: Value = serde_json::from_str(&text(&told)).unwrap();
    assert_eq!(told["moves"], lines[0]["moves"], "the same question by options");
}

#[test]
fn exact_advice_before_the_first_card_is_kept() {
    let cache = tempfile::tempdir().unwrap();
    let ask = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        command.env("XDG_CACHE_HOME", cache.path()).args(["triad", "advise", "--npc", "Flichoirel", "--hand", HAND]);
        serde_json::from_str::<Value>(&text(&command.arg("--json").output().unwrap())).unwrap()
    };
    let (first, again) = (ask(), ask());
    assert!(first["complete"] == true && first["nodes"].as_u64() > Some(0), "{first}");
    let files = std::fs::read_dir(cache.path().join("ninefold/advice")).map_or(0, Iterator::count);
    // A machine that needs less than a second keeps nothing.
    if files > 0 {
        assert_eq!((again["nodes"].as_u64(), files), (Some(0), 1));
    }
    for field in ["moves", "position", "best", "worlds"] {
        assert_eq!(first[field], again[field]);
    }
}

#[test]
fn a_pick_of_a_draft_is_ranked() {
    let asked = ["draft", "Titan,Garuda", "--taken", "#1,#2,#3,#30", "--npc", "Flichoirel"];
    let told = text(&ninefold(&asked, ""));
    assert!(told.contains("exact: 20 games for each card"), "{told}");
    let answer = text(&ninefold(&["draft", "Titan,Garuda,#3", "--games", "2", "--json"], ""));
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((answer["picks"].as_array().unwrap().len(), answer["games"].as_u64()), (3, Some(2)));
    assert_eq!(answer["best"], answer["picks"][0]["card"]);
    for (arguments, words) in [
        (vec!["draft", "Titann"], "did you mean Titan"),
        (vec!["draft", "Titan", "--rules", "chaos"], "chaos brings more luck"),
        (vec!["draft", "Titan", "--taken", "Titan"], "twice"),
        (vec!["draft", "Titan", "--npc", "Flichoir", "--rules", "swap"], "swap brings more luck"),
    ] {
        let output = ninefold(&arguments, "");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(words), "{arguments:?}: {error}");
    }
}

#[test]
fn a_dialogue_goes_on_to_the_end_and_into_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("games.jsonl");
    let dialogue = ["advise", "--npc", "Flichoirel", "--hand", HAND, "--moves", LATE, "--interactive", "--log"];
    let script = "help\nnonsense\nZeromus@3\n\nundo\n\nbehem 9\nbehem@4\nBehemoth@3\n\ndrop Colibri\nquit\n";
    let answer = text(&ninefold(&[&dialogue[..], &[log.to_str().unwrap()]].concat(), script));
    for words in [
        "3 possible hands; your moves, best first:",
        "CARD@CELL",
        "\"nonsense\" is neither a move such as Titan@4 nor a command",
        "Zeromus was played already",
        "he may play: Nael van Darnus, ",
        "there is no cell 9",
        "cell 4 is occupied: Vidofnir lies there",
        "the game is over: you ",
        "noted: Colibri",
    ] {
        assert!(answer.contains(words), "\"{words}\" is missing in:\n{answer}");
    }
    let record = text(&ninefold(&["log", log.to_str().unwrap()], ""));
    assert!(record.starts_with("Flichoirel the Lordling: 1 game, "), "{record}");
    assert!(record.contains("won cards: Colibri") && record.contains("the best"), "{record}");
    let line: Value = serde_json::from_str(&text(&ninefold(&["log", log.to_str().unwrap(), "--json"], ""))).unwrap();
    assert_eq!(line["won"].as_u64().unwrap() + line["drawn"].as_u64().unwrap() + line["lost"].as_u64().unwrap(), 1);
    // A changed log is refused with the number of the game.
    let changed = std::fs::read_to_string(&log).unwrap().replacen("\"version\":1", "\"version\":7", 1);
    std::fs::write(&log, changed).unwrap();
    let refused = ninefold(&["log", log.to_str().unwrap()], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("game 1: version 7"), "{refused:?}");
}

#[test]
fn the_dialogue_asks_for_what_luck_did() {
    let dialogue = ["advise", "--npc", "Flichoirel", "--hand", HAND, "--rules", "swap,roulette", "--interactive"];
    let answer = text(&ninefold(&dialogue, "roulette plus\nswap Zeromus\nswap Zeromus,Titan\nquit\n"));
    assert!(answer.contains("say which rule Roulette brought"), "{answer}");
    assert!(answer.contains("Swap is in force: say which card you gave and which you got"), "{answer}");
    assert!(answer.contains("expected your card and his, separated by a comma"), "{answer}");
    assert!(answer.contains("no possible hand holds Titan"), "{answer}");
}

#[test]
fn under_chaos_the_drawn_card_is_asked_for() {
    let chaos = ["advise", "--npc", "Flichoirel", "--hand", HAND, "--rules", "chaos", "--moves", LATE];
    let answer = text(&ninefold(&chaos, ""));
    assert!(answer.contains("your card is still to be drawn; the best moves of each card:"), "{answer}");
    assert!(answer.contains("before the draw: ") && answer.contains("knowing no more than you do"), "{answer}");
    let drawn = text(&ninefold(&[&chaos[..], &["--drawn", "#93"]].concat(), ""));
    assert!(drawn.contains("your moves, best first:") && !drawn.contains("#269@"), "{drawn}");
    let talk = text(&ninefold(&[&chaos[..], &["--interactive"]].concat(), "\ndrawn Zeromus\ndrawn #93\n\nquit\n"));
    assert!(talk.contains("enter the card that Chaos drew for you, as in drawn Titan"), "{talk}");
    assert!(talk.contains("Zeromus was played already") && talk.contains("he may play: "), "{talk}");
    let refused = ninefold(&[&chaos[..], &["--replays", "1"]].concat(), "");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("sudden-death under chaos"), "{refused:?}");
}

#[test]
fn bad_input_is_refused_by_name() {
    for (arguments, words) in [
        (&["advise", "--npc", "Flichoirel"][..], "give your five cards with --hand"),
        (
            &["advise", "--npc", "Flichorel", "--hand", HAND],
            "no opponent is called \"Flichorel\"; did you mean Flichoirel",
        ),
        (&["advise", "--hand", HAND], "give one of npc, fixed and variable cards, or hands"),
        (&["advise", "--npc", "Flichoirel", "--hand", "Titan"], "this one has 1"),
        (
            &["advise", "--npc", "Flichoirel", "--hand", HAND, "--seen", "Titan"],
            "no possible hand of the opponent holds Titan",
        ),
        (&["advise", "--npc", "Flichoirel", "--hand", HAND, "--aim", "fun"], "expected points or win"),
        (&["advise", "--npc", "Flichoirel", "--hand", HAND, "--swap", "Zeromus"], "--swap: expected two cards"),
        (&["advise", "--hands", "/nowhere/hands", "--hand", HAND], "/nowhere/hands"),
    ] {
        let output = ninefold(arguments, "");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && error.contains(words), "{arguments:?}: {error}");
    }
}
