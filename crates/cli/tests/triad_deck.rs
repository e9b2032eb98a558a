//! Tests of `ninefold triad deck`, `decks` and `verify-deck`, with wrong input too.

#![allow(missing_docs, reason = "a test")]

mod common;

use common::Folder;
use serde_json::Value;
use std::process::Output;

fn ninefold(arguments: &[&str]) -> Output {
    common::ninefold("triad", arguments, "")
}

fn told(arguments: &[&str]) -> String {
    let output = ninefold(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = ninefold(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// A collection of eight cards and an opponent with one hand.
const OWNED: &str = "Dodo\nBomb\nPudding\nCoblyn\nMorbol\nGoobbue\n#20\n#21\n";
const HAND: &str = "#30,#31,#32,#33,#34";

#[test]
fn a_deck_is_proved_saved_resumed_and_checked() {
    let folder = Folder::new();
    let owned = folder.write("cards", OWNED);
    let (state, proof) = (folder.path("state"), folder.path("proof"));
    let question = ["deck", "--fixed", HAND, "--owned", &owned, "--time", "0s", "--threads", "1", "--json"];
    let answer = object(&told(&[&question[..], &["--resume", &state, "--proof", &proof]].concat()));
    assert!(matches!(answer["status"].as_str(), Some("proved" | "perfect")), "{answer}");
    assert_eq!((&answer["of"], answer["games"].as_array().unwrap().len()), (&Value::from(2), 2));
    let again = object(&told(&[&question[..], &["--resume", &state]].concat()));
    for field in ["points", "status", "bound"] {
        assert_eq!(again[field], answer[field], "{field}");
    }
    let checked = object(&told(&["verify-deck", &proof, "--json"]));
    for field in ["deck", "points", "status", "bound"] {
        assert_eq!(checked[field], answer[field], "{field}");
    }
    // Another question does not go on from this state.
    let other = ["deck", "--fixed", HAND, "--owned", &owned, "--rules", "same", "--resume", &state];
    assert!(refused(&other).contains("the state is of another question"), "{}", refused(&other));
    // A damaged file is refused.
    let mut bytes = std::fs::read(&proof).unwrap();
    let last = bytes.len() - 2;
    bytes[last] ^= 1;
    std::fs::write(&proof, &bytes).unwrap();
    let output = ninefold(&["verify-deck", &proof]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("damaged"));
}

#[test]
fn a_deck_is_kept_in_a_table() {
    let folder = Folder::new();
    let table = folder.path("my.decks");
    let question = ["deck", "--npc", "baderon", "--owned", "all", "--finalists", "0", "--save", &table, "--json"];
    let answer = object(&told(&question));
    assert_eq!(answer["status"], "perfect");
    let row = object(&told(&["decks", "--file", &table, "--json"]));
    assert_eq!((&row["npc"], &row["deck"], &row["status"]), (&"Baderon".into(), &answer["deck"], &answer["status"]));
    assert_eq!(told(&["decks", "--file", &table, "--npc", "baderon", "--verify"]).lines().count(), 2);
    // A second run keeps the deck. Rules under which no deck is chosen are marked.
    assert_eq!(object(&told(&question))["deck"], answer["deck"]);
    let draft = told(&["deck", "--npc", "baderon", "--rules", "draft", "--owned", "all", "--save", &table]);
    assert!(draft.contains("not ranked: under draft"), "{draft}");
    let rows = told(&["decks", "--file", &table, "--json"]);
    assert_eq!(rows.lines().count(), 2, "{rows}");
    // A wrong row is found.
    let text = std::fs::read_to_string(&table).unwrap();
    let wrong = folder.write("wrong.decks", &text.replace("20,20,20,perfect", "19.5,20,20,best-known"));
    let output = ninefold(&["decks", "--file", &wrong, "--verify"]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("Baderon: the deck has 20 points, the table says 19.5"), "{error}");
}

/// The hands of a file, line by line or in JSON, are the same for `deck` and `advise`.
#[test]
fn hands_of_a_file_are_read_in_both_forms() {
    let folder = Folder::new();
    let owned = folder.write("cards", OWNED);
    let lines = folder.write("hands", &format!("# two hands\n{HAND}\n\n#30,#31,#32,#33,#35\n"));
    let json = folder
        .write("hands.json", "[[\"#30\",\"#31\",\"#32\",\"#33\",\"#34\"],[\"#30\",\"#31\",\"#32\",\"#33\",\"#35\"]]");
    let games = |file: &str| {
        let answer = object(&told(&["deck", "--hands", file, "--owned", &owned, "--threads", "1", "--json"]));
        assert_eq!(answer["of"], 4);
        answer["games"].clone()
    };
    assert_eq!(games(&lines), games(&json));
    let moves = "me:Dodo@0 opponent:#30@1 me:Bomb@2 opponent:#31@3 me:Pudding@4";
    let advice = |file: &str| {
        let hand = ["--hand", "Dodo,Bomb,Pudding,Coblyn,#20", "--moves", moves, "--json"];
        object(&told(&[&["advise", "--hands", file][..], &hand].concat()))["worlds"].clone()
    };
    assert_eq!((advice(&lines), advice(&json)), (2.into(), 2.into()));
    let refused = refused(&["deck", "--hands", &folder.write("bad.json", "[[1"), "--owned", "all"]);
    assert!(refused.contains("bad.json"), "{refused}");
}

/// Order excludes Chaos, so what Roulette brings is solved in milliseconds.
#[test]
fn expected_points_name_their_model() {
    let folder = Folder::new();
    let owned = folder.write("cards", &OWNED.replace("Goobbue\n#20\n#21\n", ""));
    let question = ["deck", "--fixed", HAND, "--owned", &owned, "--rules", "order,roulette", "--time", "0s"];
    let answer = object(&told(&[&question[..], &["--json"]].concat()));
    assert_eq!((&answer["of"], &answer["status"], &answer["bound"]), (&2.into(), &"best-known".into(), &2.0.into()));
    let expected = &answer["expected"];
    assert_eq!((&expected["model"], &expected["exact"]), (&"both place best".into(), &true.into()), "{answer}");
    let fraction: Vec<f64> = expected["fraction"].as_str().unwrap().split('/').map(|n| n.parse().unwrap()).collect();
    assert!((2.0 * fraction[0] / fraction[1] - answer["points"].as_f64().unwrap()).abs() < 1e-9, "{answer}");
    let text = told(&question);
    assert!(text.contains("points expected in 2 games (exact); best known"), "{text}");
    assert!(text.contains("model: both place best; hands are open"), "{text}");
}

/// What the deck does when the hand is hidden is in the answer and in the text, unless it is not wanted.
#[test]
fn hidden_hands_are_part_of_the_answer() {
    let folder = Folder::new();
    let owned = folder.write("cards", "Okuri Chochin\nDarya the Sea-maid\nBeatrice\nDeadly Dandan\nClive Rosfield\n");
    let question = ["deck", "--fixed", HAND, "--owned", &owned, "--time", "0s", "--threads", "1"];
    let answer = object(&told(&[&question[..], &["--json"]].concat()));
    for start in ["me", "opponent"] {
        let measures = &answer["hidden"][start];
        let open = answer["games"].as_array().unwrap().iter().find(|game| game["first"] == start).unwrap();
        assert_eq!(measures["certain"], open["result"], "one hand: {answer}");
        assert!(measures["guaranteed"]["win"].is_u64() && measures["random"]["win"].is_f64(), "{answer}");
    }
    assert!(told(&question).contains("if the opponent starts and his hand is hidden: wins whatever hand he holds"));
    let without = object(&told(&[&question[..], &["--finalists", "0", "--json"]].concat()));
    assert!(without["hidden"].is_null() && without["points"] == answer["points"]);
}

#[test]
fn who_gives_a_card() {
    let gives = told(&["npcs", "--drops", "titan"]);
    assert!(gives.contains("Titan"), "{gives}");
    let folder = Folder::new();
    let owned = folder.write("cards.json", "{\"cards\": [\"Dodo\", 2]}");
    let lacks = told(&["npcs", "baderon", "--missing", &owned]);
    assert!(lacks.contains("    missing "), "{lacks}");
}

#[test]
fn what_is_asked_wrongly_is_refused_by_name() {
    let folder = Folder::new();
    let (owned, few) = (folder.write("cards", OWNED), folder.write("few", "Dodo\nBomb\n"));
    let empty = folder.write("empty.json", "[]");
    for (arguments, message) in [
        (vec!["--npc", "badderon", "--owned", "all"], "no opponent is called \"badderon\"; did you mean Baderon"),
        (vec!["--owned", "all"], "give one of npc, fixed and variable cards, or hands"),
        (vec!["--npc", "baderon", "--rules", "random", "--owned", "all"], "under random the hand is drawn"),
        (vec!["--npc", "#64", "--owned", "all", "--proof", &few], "if luck decides, there is no proof"),
        (
            vec!["--npc", "baderon", "--owned", &few],
            "these 2 cards make no deck; it needs 3 more of three stars or fewer",
        ),
        (vec!["--npc", "baderon", "--owned", &owned, "--lock", "Zeromus"], "the collection has 0 of Zeromus"),
        (vec!["--npc", "baderon", "--owned", &owned, "--deck", "Dodo,Bomb"], "a hand has five cards; this one has 2"),
        (vec!["--fixed", "Dodo", "--variable", "Bomb", "--owned", "all"], "do not make a hand of five"),
        (vec!["--hands", &empty, "--owned", "all"], "there are no hands in it"),
        (vec!["--edition", "ff8", "--npc", "baderon", "--owned", "all"], "the list of opponents is that of ff14"),
    ] {
        let said = refused(&[&["deck"][..], &arguments].concat());
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    let wrong = folder.write("wrong", "Dodo\nBomp\n");
    let said = refused(&["deck", "--npc", "baderon", "--owned", &wrong]);
    assert!(said.contains("line 2: no card of ff14 is called \"Bomp\"; did you mean Bomb"), "{said}");
    assert_eq!(ninefold(&["verify-deck", &owned]).status.code(), Some(1), "not a proof");
}
