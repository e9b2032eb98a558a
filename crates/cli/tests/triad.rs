//! Tests of `ninefold triad` as a program: solved deals, replays, and wrong input of every kind.

mod common;

use common::Scratch;
use serde_json::Value;
use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn ninefold(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ninefold")).arg("triad").args(arguments).output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../oracle/data").join(name)
}

fn read(name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(data(name)).unwrap()).unwrap()
}

#[test]
fn solve_gives_the_value_of_every_deal_of_the_file() {
    let solved = lines(&ninefold(&["solve", "--json", data("triad_solved_deals.json").to_str().unwrap()]));
    let known = read("triad_solved_deals.json");
    let known = known["games"].as_array().unwrap();
    assert_eq!((solved.len(), known.len()), (160, 160));
    for (number, (answer, game)) in solved.iter().zip(known).enumerate() {
        assert_eq!(answer["value"], game["value"], "game {number}");
        assert!(answer.get("first_moves").is_none());
    }
}

/// Without `--json` the answers are text for people, one line per game, from several files in order.
#[test]
fn a_file_is_answered_in_text() {
    let known = read("triad_solved_deals.json");
    let games: Vec<Value> = known["games"].as_array().unwrap().iter().step_by(40).cloned().collect();
    let files =
        [0..2, 2..4].map(|part| Scratch::new("part.json", &serde_json::json!({ "games": games[part] }).to_string()));
    let output = ninefold(&["solve", files[0].path(), files[1].path()]);
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), told.lines().count()), (Some(0), 4), "{told}");
    for (number, (line, game)) in told.lines().zip(&games).enumerate() {
        let cards = game["value"].as_u64().unwrap();
        let score = match cards {
            5 => "a draw, 5-5".to_owned(),
            6.. => format!("a wins {cards}-{}", 10 - cards),
            _ => format!("b wins {}-{cards}", 10 - cards),
        };
        assert_eq!(line, format!("game {}: {score} with best play", number % 2 + 1));
    }
    let told = String::from_utf8(ninefold(&["solve", files[0].path(), "--all-moves"]).stdout).unwrap();
    assert!(told.starts_with("game 1\n") && told.contains("\ngame 2\n") && told.contains("best for a: "), "{told}");
}

#[test]
fn all_moves_gives_the_value_of_every_first_move() {
    // Every eighth deal: this covers each mix of rules. The whole file takes a minute on a slow machine.
    let known = read("triad_solved_deals.json");
    let games: Vec<Value> = known["games"].as_array().unwrap().iter().step_by(8).cloned().collect();
    let file = Scratch::new("moves.json", &serde_json::json!({ "games": games }).to_string());
    let solved = lines(&ninefold(&["solve", file.path(), "--all-moves", "--json", "--threads", "2"]));
    for (number, (answer, game)) in solved.iter().zip(&games).enumerate() {
        assert_eq!(answer["first_moves"], game["first_moves"], "game {number}");
        assert_eq!(answer["value"], game["value"], "game {number}");
    }
}

#[test]
fn replay_goes_the_way_of_every_recorded_game() {
    let replayed = lines(&ninefold(&["replay", data("triad_replays.json").to_str().unwrap(), "--explain"]));
    let known = read("triad_replays.json");
    let known = known["games"].as_array().unwrap();
    assert_eq!(replayed.len(), known.len());
    let mut causes = std::collections::BTreeMap::<String, u32>::new();
    for (number, (answer, game)) in replayed.iter().zip(known).enumerate() {
        assert_eq!(answer["owners_after_each_move"], game["owners_after_each_move"], "game {number}");
        for mv in answer["moves"].as_array().unwrap() {
            for flip in mv["flips"].as_array().unwrap() {
                let word = flip["cause"].as_str().unwrap().split(' ').next().unwrap();
                let word = if word.contains(['<', '>']) { "basic" } else { word };
                *causes.entry(word.to_owned()).or_default() += 1;
            }
        }
    }
    let names: Vec<&str> = causes.keys().map(String::as_str).collect();
    assert_eq!(names, ["Combo", "Plus", "Same", "basic"], "{causes:?}");
}

const A: &str = "Squall,Ifrit,#12,8A32,Geezard";
const B: &str = "Rinoa,Seifer,Quistis,1111f,Funguar";

#[test]
fn a_position_is_solved_from_flags_and_from_its_line_alike() {
    let flags = ["solve", "--rules", "same,plus", "--hand-a", A, "--hand-b", B, "--first", "b"];
    let moves = ["--moves", "b:Seifer@4 a:Squall@0 b:#1@8", "--json", "--all-moves"];
    let answer = lines(&ninefold(&[&flags[..], &moves[..]].concat())).remove(0);
    let line = answer["position"].as_str().unwrap();
    assert!(line.starts_with("ff8 same,plus ......... A469,9628f,"), "{line}");
    let again = lines(&ninefold(&["solve", "--position", line, "--json", "--all-moves"])).remove(0);
    assert_eq!(again["position"], answer["position"]);
    assert_eq!(again["value"], answer["value"]);
    assert_eq!(again["first_moves"], answer["first_moves"]);
    assert_eq!(answer["lines"][0]["line"].as_array().unwrap().len(), 6);
    for isa in ["scalar", "sse2", "v2", "v3", "neon"] {
        let output = ninefold(&["solve", "--position", line, "--json", "--all-moves", "--isa", isa]);
        if output.status.success() {
            let other = lines(&output).remove(0);
            assert_eq!((&other["value"], &other["nodes"]), (&answer["value"], &answer["nodes"]), "{isa}");
        } else {
            assert_eq!(output.status.code(), Some(2), "{isa}");
        }
    }
    let people = ninefold(&[&flags[..], &moves[..2]].concat());
    let people = String::from_utf8(people.stdout).unwrap();
    assert!(
        people.contains(" with best play") && people.contains("best for a:") && people.contains("line: a:"),
        "{people}"
    );
}

#[test]
fn what_is_asked_wrongly_is_refused_by_name() {
    let solve = |more: &[&str]| ninefold(&[&["solve"], more].concat());
    let hands = |a: &str, b: &str, more: &[&str]| solve(&[&["--hand-a", a, "--hand-b", b], more].concat());
    for (output, says) in [
        (hands("Sqaull,Ifrit,#12,8A32,Geezard", B, &[]), "no card of ff8 is called \"Sqaull\"; did you mean Squall?"),
        (hands("Squall,Ifrit,#12,8A32", B, &[]), "hand a: a hand has five cards; this one has 4"),
        (hands(A, "1111,1111,1111,1111,1111,1111", &[]), "hand b: a hand has five cards; this one has 6"),
        (hands("Squall,Squall,#12,8A32,Geezard", B, &[]), "hand a: Squall is in the hand twice"),
        (hands("Dodo,Dodo,#12,8A32,#4", "#5,#6,#7,#8,#9", &["--game", "ff14"]), "hand a: Dodo is in the hand twice"),
        (
            hands("8032,Ifrit,#12,8A32,Geezard", B, &[]),
            "the sides \"8032\", character 2: expected a side from 1 to 9, or A for 10",
        ),
        (hands("B832,Ifrit,#12,8A32,Geezard", B, &[]), "the sides \"B832\", character 1: expected a side from 1 to 9"),
        (hands("#110,Ifrit,#12,8A32,Geezard", B, &[]), "no card of ff8 has the number #110"),
        (hands(A, B, &["--rules", "samewall"]), "no rule is called \"samewall\""),
        (hands(A, B, &["--rules", "same,,plus"]), "no rule is called \"\""),
        (hands(A, B, &["--rules", "reverse"]), "reverse is not a rule of ff8"),
        (
            hands("#1,#2,#3,#4,#5", "#5,#6,#7,#8,#9", &["--game", "ff14", "--rules", "open,three-open"]),
            "open and three-open contradict each other",
        ),
        (
            hands("#1,#2,#3,#4,#5", "#5,#6,#7,#8,#9", &["--game", "ff14", "--rules", "ascension,descension"]),
            "contradict",
        ),
        (hands(A, B, &["--moves", "a:Squall@4 b:Rinoa@4"]), "move 2: cell 4 is occupied: Squall lies there"),
        (hands(A, B, &["--moves", "a:Rinoa@4"]), "move 1: Rinoa is not in the hand of a"),
        (hands(A, B, &["--moves", "b:Rinoa@4"]), "it is the other player's turn"),
        (hands(A, B, &["--moves", "a:Squall@9"]), "there is no cell 9"),
        (hands(A, B, &["--moves", "a:Squall"]), "not of the form a:Squall@5"),
        (hands(A, B, &["--moves", "a:Squall@4 b:Rinoa@5 a:Squall@6"]), "move 3: Squall of a was played already"),
        (hands(A, B, &["--game", "ff7"]), "no game is called \"ff7\""),
        (hands(A, B, &["--first", "c"]), "no player is called \"c\""),
        (hands(A, B, &["--elements", "f........"]), "cell 0 has an element, but the rule elemental is off"),
        (hands(A, B, &["--rules", "elemental", "--elements", "f......"]), "7 elements of cells"),
        (solve(&["--hand-a", A]), "give both hands"),
        (solve(&["--position", "ff8 same x........"]), "--position"),
        (hands("#74,#75,#76,#1,#2", "#5,#6,#7,#8,#9", &["--game", "ff14", "--legal-decks", "a"]), "at most"),
    ] {
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{says}: {told}");
        assert!(told.contains(says), "wanted: {says}\ntold: {told}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn damaged_files_are_refused_with_the_line() {
    let refused = |name: &str, text: &str, says: &str| {
        let file = Scratch::new(name, text);
        let output = ninefold(&["solve", file.path()]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(says), "wanted: {says}\ntold: {told}");
    };
    refused("a.json", "{\"games\":[\n{\"rules\":[],\n\"hand_a\":[1,2,3,4,5],,\n", "line 3");
    refused(
        "b.json",
        "{\"games\":[{\"hand_a\":[1,2,3,4,5],\"hand_b\":[1,2,3,4,500]}]}",
        "game 1: hand b: no card of ff8",
    );
    let sides = |side: u32| {
        format!("{{\"games\":[{{\"hand_a\":[1,2,3,4,{{\"sides\":[1,2,3,{side}]}}],\"hand_b\":[1,2,3,4,5]}}]}}")
    };
    refused("c.json", &sides(0), "side 4 of [1, 2, 3, 0]: expected a number from 1 to 10");
    refused("d.json", &sides(11), "side 4 of [1, 2, 3, 11]: expected a number from 1 to 10");
    refused("e.json", "[]", "line 1, column 2: expected an object: {...}, not a list");
    refused(
        "f.json",
        "{\"games\":[{\"hand_A\":[]}]}",
        "line 1, column 19: there is no field `hand_A`; did you mean `hand_a`? (expected edition, game, rules, ",
    );
    refused("g.json", "{\"games\":[{\"hand_a\":[]}]}", "the field `hand_b` is missing");
    refused("h.json", "{\"games\":[{\"hand_a\":7}]}", ": expected a list: [...], not 7");
    let cards = Scratch::new("cards.csv", "ninefold-cards 1\ngame: ff8\n\nid,name,sides\n1,X,12302\n");
    let output = ninefold(&["cards", "--cards", cards.path()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 5: the sides"));
    let none = "/no/such/file";
    for arguments in
        [vec!["replay", none], vec!["solve", none], vec!["cards", "--cards", none], vec!["cards", "--owned", none]]
    {
        assert_eq!(ninefold(&arguments).status.code(), Some(1), "{arguments:?}");
    }
}

#[test]
fn chaos_and_replays_are_solved_in_a_file_too() {
    let game = |rules: &str, moves: &str| {
        let hand = |first: u32| (0..5).map(|card| (first + card).to_string()).collect::<Vec<_>>().join(",");
        format!(
            "{{\"game\":\"ff14\",\"rules\":[{rules}],\"hand_a\":[{}],\"hand_b\":[{}],\"moves\":[{moves}]}}",
            hand(1),
            hand(10)
        )
    };
    let played = (0..6)
        .map(|turn| format!("{{\"player\":\"{}\",\"card\":{},\"cell\":{turn}}}", ["A", "B"][turn % 2], turn / 2))
        .collect::<Vec<_>>()
        .join(",");
    let games = [game("\"chaos\"", &played), game("\"order\",\"sudden-death\"", &played), game("\"chaos-b\"", &played)];
    let file = Scratch::new("luck.json", &format!("{{\"games\":[{}]}}", games.join(",")));
    let answers = lines(&ninefold(&["solve", file.path(), "--all-moves", "--json"]));
    assert_eq!(answers.len(), 3);
    for (answer, moves) in [(&answers[0], 6), (&answers[2], 6)] {
        assert!(
            (0.0..=1.0).contains(&answer["chances"]["win"].as_f64().unwrap()) && answer["value"].is_null(),
            "{answer}"
        );
        assert_eq!(answer["lines"].as_array().unwrap().len(), moves);
        assert!(!answer["optimal"].as_array().unwrap().is_empty());
    }
    assert!(answers[1]["sudden_death"].is_string(), "the rule asks for replays by itself");
    let refused = ninefold(&["solve", file.path(), "--replays", "2"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("game 1: sudden-death under chaos"));
}

#[test]
fn every_move_is_in_a_flat_list_as_well() {
    let hands = ["--hand-a", "#1,#2,#3,#4,#5", "--hand-b", "#6,#7,#8,#9,#10", "--moves", "a:#1@0 b:#6@1 a:#2@2 b:#7@3"];
    let answer = &lines(&ninefold(&[&["solve", "--all-moves", "--json"], &hands[..]].concat()))[0];
    let moves = answer["lines"].as_array().unwrap();
    assert_eq!(moves.len(), 15);
    for mv in moves {
        // `a` moves, so the margin is twice the number of cards that `a` owns beyond five.
        let (card, cell) = mv["move"].as_str().unwrap().split_once('@').unwrap();
        let cards = &answer["first_moves"][card.parse::<usize>().unwrap()][cell.parse::<usize>().unwrap()];
        assert_eq!(mv["margin"].as_f64(), cards.as_f64().map(|cards| 2.0 * cards - 10.0), "{mv}");
        assert!(["win", "draw", "loss"].contains(&mv["outcome"].as_str().unwrap()));
    }
    assert!(moves.is_sorted_by(|one, other| one["margin"].as_f64() >= other["margin"].as_f64()));
}

#[test]
fn cards_and_opponents_are_found() {
    let cards = lines(&ninefold(&["cards", "squal", "--json"]));
    assert_eq!((&cards[0]["name"], &cards[0]["id"]), (&Value::from("Squall"), &Value::from(109)));
    assert_eq!(lines(&ninefold(&["cards", "--json"])).len(), 110);
    assert_eq!(lines(&ninefold(&["cards", "--game", "ff14", "--json"])).len(), 464);
    assert_eq!(lines(&ninefold(&["npcs", "--json"])).len(), 128);
    assert_eq!(lines(&ninefold(&["npcs", "BADERON", "--json"]))[0]["name"], "Baderon");
    assert_eq!(ninefold(&["cards", "qqqqqqqq"]).status.code(), Some(2));
    let owned = Scratch::new("owned.txt", "# mine\nSquall\n#5,3\n");
    let cards = lines(&ninefold(&["cards", "--owned", owned.path(), "--json"]));
    assert_eq!(cards.len(), 2);
    assert_eq!(cards[0]["owned"], 3);
}

#[test]
fn a_game_is_played_to_its_end() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(["triad", "play", "--hand-a", "9999,9999,9999,9999,9999", "--hand-b", "1111,1111,1111,1111,1111"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // Moves on occupied cells are refused, and the program asks again.
    input.write_all(b"hint\nnonsense\n").unwrap();
    for _ in 0..5 {
        for cell in 0..9 {
            // The program may exit before it has read all input.
            let _ = writeln!(input, "9999@{cell}");
        }
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success());
    assert!(told.contains("hint: ") && told.contains("A has won") && told.contains("takes 1111"), "{told}");
}

/// Ctrl-C during a file: the finished games are printed in order, and the exit code is 130.
#[cfg(unix)]
#[test]
fn an_interrupted_file_tells_what_is_finished() {
    let known = read("triad_solved_deals.json");
    let games: Vec<Value> = known["games"].as_array().unwrap().iter().cycle().take(800).cloned().collect();
    let file = Scratch::new("long.json", &serde_json::json!({ "games": games }).to_string());
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command
        .args(["triad", "solve", file.path(), "--all-moves", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // After the first game is printed, the handler is installed. All games together take half a minute.
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    out.read_line(&mut text).unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    out.read_to_string(&mut text).unwrap();
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.trim()), (Some(130), "interrupted"), "{text}");
    for (line, game) in text.lines().zip(&games) {
        let answer: Value = serde_json::from_str(line).unwrap();
        assert_eq!(answer["first_moves"], game["first_moves"]);
    }
    assert!((1..800).contains(&text.lines().count()), "{} games", text.lines().count());
}

#[test]
fn chaos_from_the_empty_board_stops_when_time_is_up() {
    let hands = ["--hand-a", "8A32,7777,1A1A,5526,4483", "--hand-b", "3A65,2958,7766,9123,4848"];
    let chaos = ["solve", "--game", "ff14", "--rules", "chaos", "--json", "--time", "300ms"];
    let output = ninefold(&[&chaos[..], &hands[..]].concat());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(answer["complete"] == false && answer["lines"].as_array().unwrap().len() < 45, "{answer}");
    assert!(answer["lines"].as_array().unwrap().iter().all(|line| line["chances"].is_object()), "{answer}");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && error.contains("time is up: "), "{error}");
    // Late in the game a solution takes milliseconds.
    let moves = "a:8A32@4 b:3A65@0 a:7777@1 b:2958@2 a:1A1A@3";
    let answer = &lines(&ninefold(&[&chaos[..6], &hands[..], &["--moves", moves]].concat()))[0];
    assert!(answer["chances"].is_object() && answer["complete"] == true, "{answer}");
}

#[test]
fn sudden_death_chooses_among_the_moves() {
    let hands = ["--hand-a", "5555,4654,6132,3412,2323", "--hand-b", "6442,5353,1626,4341,3213"];
    let asked = ["solve", "--rules", "sudden-death", "--replays", "1", "--all-moves", "--json"];
    let answer = &lines(&ninefold(&[&asked[..], &hands[..]].concat()))[0];
    let optimal = answer["optimal"].as_array().unwrap();
    assert!(answer["sudden_death"].is_string() && !optimal.is_empty(), "{answer}");
    assert!(optimal.contains(&answer["best"]) && answer["lines"][0]["move"] == answer["best"], "{answer}");
    assert_eq!(answer["lines"][0]["line"][0], answer["best"], "{answer}");
    assert_eq!(answer["lines"].as_array().unwrap().len(), 45);
}
