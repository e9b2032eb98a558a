//! Tests of `ninefold triad cards`, `npcs` and `play`, with wrong input too.

#![allow(missing_docs, reason = "a test")]

mod common;

use common::Scratch;
use serde_json::Value;
use std::process::Output;

fn ninefold(arguments: &[&str], input: &str) -> Output {
    common::ninefold("triad", arguments, input)
}

fn told(arguments: &[&str], input: &str) -> String {
    let output = ninefold(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn objects(arguments: &[&str]) -> Vec<Value> {
    told(arguments, "").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn cards_are_found_by_name_number_and_sides() {
    for query in ["Squall", "SQUALL", "sqaull", "#109", "A469"] {
        let found = objects(&["cards", query, "--json"]);
        assert_eq!((&found[0]["name"], &found[0]["id"]), (&Value::from("Squall"), &Value::from(109)), "{query}");
    }
    assert!(told(&["cards", "fujin, raijin"], "").contains("Fujin, Raijin"));
    assert_eq!(
        objects(&["npcs", "wyra greenhands lyehga", "--json"])[0]["hands"].as_u64().map(|n| n <= 10),
        Some(true)
    );
    assert!(told(&["npcs", "badreon"], "").contains("#2 Baderon: rules Three Open; 10 possible hands"));
}

#[test]
fn cards_and_collections_of_ones_own() {
    let cards =
        Scratch::new("own.csv", "ninefold-cards 1\ngame: ff8\nadds-to: built-in\n\nid,name,sides\n900,Mine,8A32\n");
    let owned = Scratch::new("owned.csv", "card,count\nMine,2\nGeezard,3\n");
    let found = objects(&["cards", "--cards", cards.path(), "--owned", owned.path(), "--json"]);
    let counts: Vec<(&str, u64)> =
        found.iter().map(|card| (card["name"].as_str().unwrap(), card["owned"].as_u64().unwrap())).collect();
    assert_eq!(counts, [("Geezard", 3), ("Mine", 2)]);
}

#[test]
fn what_is_asked_wrongly_is_refused_by_name() {
    let bad_row = Scratch::new("bad.csv", "ninefold-cards 1\ngame: ff8\n\nid,name,sides\n1,One,8A32\n2,Two,8032\n");
    let bad_owned = Scratch::new("bad-owned.csv", "Geezard\nSqall\n");
    let few = Scratch::new("few.csv", "Geezard\nSquall\n");
    for (arguments, says) in [
        (&["cards", "qqqqqqqq"][..], "no card of ff8 is like \"qqqqqqqq\""),
        (&["cards", "--game", "ff7"], "no game is called \"ff7\""),
        (&["cards", "8032"], "character 2"),
        (&["cards", "--cards", bad_row.path()], "line 6: the sides \"8032\", character 2"),
        (&["cards", "--owned", bad_owned.path()], "line 2: no card of ff8 is called \"Sqall\"; did you mean Squall?"),
        (&["npcs", "qqqqqqqq"], "no opponent is like"),
        (&["play", "--hand-a", "Squall,Ifrit,Shiva,Zell"], "hand a: a hand has five cards; this one has 4"),
        (&["play", "--hand-a", "Squall,Squall,Shiva,Zell,Rinoa"], "Squall is in the hand twice"),
        (&["play", "--game", "ff14", "--hand-a", "#1,#1,#2,#3,#4"], "Dodo is in the hand twice"),
        (&["play", "--game", "ff14", "--trade", "one"], "ff14 has no trade rules"),
        (&["play", "--trade", "two"], "--trade is none, one"),
        (&["play", "--npc", "Badreon"], "no opponent is called \"Badreon\"; nearest: Baderon"),
        (&["play", "--owned", few.path()], "no five of these 2 cards make a deck"),
        (&["play", "--you", "c"], "no player is called \"c\""),
    ] {
        let output = ninefold(arguments, "");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(says), "wanted: {says}\ntold: {message}");
    }
    // The question is right, but the file does not exist.
    let output = ninefold(&["cards", "--cards", "/no/such/file"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such/file"));
}

/// Every card on every cell, repeatedly: illegal moves are refused, so the game reaches its end.
fn every_move() -> String {
    let mut text = String::new();
    for _ in 0..5 {
        for card in 1..=5 {
            for cell in 0..9 {
                text.push_str(&format!("{card} {cell}\n"));
            }
        }
    }
    text
}

#[test]
fn a_whole_game_is_played_with_hint_and_undo() {
    let hands = ["--hand-a", "9999,9999,9999,9999,9999", "--hand-b", "1111,1111,1111,1111,1111"];
    let flags = [&["play", "--trade", "all"][..], &hands].concat();
    let input = format!("undo\nhelp\nhint\nnonsense\n1 4\nundo\n1 9\n9999@4\n1 4\n{}", every_move());
    let text = told(&flags, &input);
    for part in [
        "there is no move of yours to undo",
        "plays a card of your hand",
        "hint: ",
        " by ",
        "\"nonsense\" is not a card and a cell",
        "there is no cell 9",
        "cell 4 is occupied",
        "│   9 A 9   │",
        "takes 1111 at ",
        ": 9>1 ",
        "A has won, 7 to 3",
        "trade all: A takes 1111, 1111, 1111, 1111, 1111",
    ] {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
    let laid = text.lines().filter(|line| *line == "9999@4").count();
    assert_eq!(laid, 2, "played, taken back, played:\n{text}");
    assert!(!text.contains('\u{1b}'), "no colours where there is no terminal");
}

#[test]
fn games_dealt_by_chance_come_to_their_end_under_every_rule() {
    for flags in [
        &["--seed", "3", "--rules", "same,plus,elemental,same-wall", "--card-level", "4", "--trade", "one"][..],
        &["--seed", "4", "--rules", "sudden-death", "--you", "b", "--trade", "diff"],
        &["--game", "ff14", "--seed", "5", "--rules", "chaos,swap"],
        &["--game", "ff14", "--seed", "8", "--rules", "random,roulette"],
        &["--game", "ff14", "--seed", "6", "--rules", "order,ascension,reverse"],
        &["--seed", "7", "--npc", "Botan"],
    ] {
        let input = every_move().repeat(4);
        let text = told(&[&["play"], flags].concat(), &input);
        assert!(text.contains(" has won, ") || text.contains("drawn, 5 to 5"), "{flags:?}:\n{text}");
        assert_eq!(text, told(&[&["play"], flags].concat(), &input), "the same seed plays the same");
    }
    assert_eq!(told(&["play"], "quit\n").matches("your move").count(), 1);
}

#[test]
fn luck_before_the_first_card_is_told() {
    let ff14 = |rules: &str, seed: &str| told(&["play", "--game", "ff14", "--rules", rules, "--seed", seed], "quit\n");
    assert!(ff14("swap", "5").contains("swap: A gives "), "{}", ff14("swap", "5"));
    assert!(ff14("roulette", "5").contains("roulette: "), "{}", ff14("roulette", "5"));
    assert_ne!(ff14("random", "5"), ff14("random", "6"), "another seed deals other hands");
    let counted = told(&["play", "--game", "ff14", "--rules", "ascension", "--seed", "5"], "quit\n");
    assert!(counted.contains("to move, 5 to 5; ascension: nothing yet"), "{counted}");
}

#[test]
fn edition_and_game_are_two_names_of_one_option() {
    let cards = |flag: &str| told(&["cards", "moogle", flag, "ff14"], "");
    assert_eq!(cards("--edition"), cards("--game"));
    assert!(cards("--edition").contains("Moogle"));
    for name in ["edition", "game"] {
        let input = format!("setoption name {name} value ff14\nposition startpos\nd\nquit\n");
        let output = common::run(&["engine", "--game", "triad"], &input);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("ff14"), "{name}: {text}");
    }
}

#[test]
fn a_draft_offers_three_cards_five_times() {
    let flags = ["play", "--game", "ff14", "--rules", "draft", "--seed", "9"];
    let text = told(&flags, "4\nnonsense\n1\n2\n3\n1\n2\nmoves\nquit\n");
    assert_eq!(text.matches("take one by its number, 1 to 3").count(), 2, "{text}");
    for number in 1..=5 {
        assert!(text.contains(&format!("draft, A, card {number} of 5:  1 ")), "{text}");
    }
    // The drafted cards are the hand, in the order in which they were chosen.
    let offers: Vec<&str> = text.lines().filter(|line| line.starts_with("draft, A, card 5")).collect();
    let second = offers[0].split("   ").nth(1).unwrap();
    let name = second.split_once(' ').unwrap().1.rsplit_once(' ').unwrap().0;
    assert!(text.contains(&format!("{name}@0")), "{name} is not in the hand:\n{text}");
    assert!(told(&flags, "q\n").lines().count() == 1, "left in the draft");
    let output = ninefold(&flags, "1\n2\n");
    assert_eq!(output.status.code(), Some(1), "out of input");
    // If both hands are given, there is no draft.
    let given = ["--hand-a", "#1,#2,#3,#4,#5", "--hand-b", "#6,#7,#8,#9,#10"];
    assert!(!told(&[&flags[..], &given].concat(), "quit\n").contains("card 1 of 5"));
}

#[test]
fn a_winner_chooses_the_cards_he_takes() {
    let play = |trade: &str, theirs: &str, choices: &str| {
        let moves: String = (0..5).flat_map(|_| (0..9).map(|cell| format!("9999@{cell}\n"))).collect();
        let hands = ["--hand-a", "9999,9999,9999,9999,9999", "--hand-b", theirs];
        // Moves after the end are not numbers, so they are refused; the choices end the game.
        told(&[&["play", "--trade", trade][..], &hands].concat(), &format!("{moves}{choices}"))
    };
    let text = play("one", "1111,1112,1113,1114,1115", "7\n3\n");
    assert!(text.contains("choose 1 of: 1 1111  2 1112  3 1113  4 1114  5 1115"), "{text}");
    assert!(text.contains("a number from 1 to 5") && text.ends_with("  trade one: A takes 1113\n"), "{text}");
    let text = play("diff", "1111,1112,1113,9999,9999", "1\n1\n");
    assert!(text.contains("choose 2 of: 1 1111") && text.contains("choose 1 of: 1 1112"), "{text}");
    assert!(text.ends_with("  trade diff: A takes 1112\n"), "{text}");
    let text = play("diff", "1111,1112,1113,1114,1115", "");
    assert!(text.contains("trade diff: A takes 1111, 1112, 1113, 1114, 1115"), "all five are no choice: {text}");
    assert!(play("one", "1111,1112,1113,1114,1115", "").ends_with("no more input: nothing is chosen\n"));
}
