//! Tests of `ninefold uttt`, run as a user runs it.

mod common;

use common::DRAWN;

use serde_json::Value;
use std::process::Output;

fn run(arguments: &[&str], input: &str) -> Output {
    common::ninefold("uttt", arguments, input)
}

/// Standard output of a command that succeeds.
fn told(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Exit code and standard error of a command that fails.
fn refused(arguments: &[&str], input: &str) -> (i32, String) {
    let output = run(arguments, input);
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn perft_counts_and_says_so_in_json() {
    let answer = json(&told(&["perft", "--depth", "5", "--json"], ""));
    assert_eq!(answer["leaves"], 473_256);
    assert_eq!(answer["depth"], 5);
    assert!(answer["position"].as_str().unwrap().starts_with("X;.........;"));
    assert_eq!(
        json(&told(&["perft", "--depth", "6", "--json", "--rule", "open", "--isa", "scalar"], ""))["leaves"],
        4_017_888
    );
    let several = told(
        &["perft", "--depth", "2", "--json", "-"],
        "9/9/9/9/9/9/9/9/9 X 0 0000\n\n# comment\n9/9/9/9/4x4/9/9/9/9 O 1 e5\n",
    );
    let counts: Vec<_> = several.lines().map(|line| json(line)["leaves"].clone()).collect();
    assert_eq!(counts, [720, 72]);
}

#[test]
fn moves_and_show_speak_both_notations() {
    assert_eq!(told(&["moves", DRAWN], ""), "i2 g1 h1 i1\n");
    let listed = |flags: &[&str]| json(&told(&[&["moves", "--json", DRAWN], flags].concat(), ""))["moves"].clone();
    assert_eq!(listed(&[]), serde_json::json!(["if", "ig", "ih", "ii"]));
    assert_eq!(listed(&["--algebraic"]), serde_json::json!(["i2", "g1", "h1", "i1"]));
    let shown = json(&told(&["show", "--json", DRAWN], ""));
    assert_eq!((shown["position"].as_str(), &shown["board"]["open"]), (Some(DRAWN), &serde_json::json!([8])));
    let again = json(&told(&["show", "--json", shown["fen"].as_str().unwrap()], ""));
    assert_eq!(again["position"], shown["position"]);
    assert!(told(&["show"], "").contains("X to move in any open board: 81 moves"));
}

#[test]
fn solve_proves_and_verify_checks() {
    let folder = std::env::temp_dir().join(format!("ninefold-uttt-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("proof");
    let file = path.to_str().unwrap();
    let answer = json(&told(&["solve", "--json", "--proof", file, DRAWN], ""));
    assert_eq!((answer["value"].as_str(), answer["proved"].as_bool()), (Some("D"), Some(true)));
    assert_eq!(answer["optimal"], serde_json::json!(["ig"]));
    assert_eq!((answer["certainty"]["kind"].as_str(), answer["outcome"].as_str()), (Some("hashed"), Some("draw")));
    assert!(answer["certainty"]["error"].as_f64() < Some(1e-6), "{answer}");
    let lost = json(&told(&["solve", "--json", "--rule", "codingame", "--threads", "2", DRAWN], ""));
    assert_eq!((lost["value"].as_str(), lost["optimal"].as_array().unwrap().len()), (Some("L"), 4));
    assert!(told(&["solve", "--line", DRAWN], "").contains("line: g1 "));

    let verdict = json(&told(&["verify", "--json", file], ""));
    assert_eq!((verdict["value"].as_str(), verdict["verified"].as_bool()), (Some("D"), Some(true)));
    assert_eq!(verdict["position"], DRAWN);
    let whole = std::fs::read(&path).unwrap();
    for at in [0, 9, 40, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(refused(&["verify", file], "").0, 1, "byte {at}");
    }
    for (length, reason) in [(0, "not a "), (20, "not a "), (whole.len() - 1, "bytes instead of")] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let (code, message) = refused(&["verify", file], "");
        assert!(code == 1 && message.contains(reason), "cut to {length}: {message}");
    }
    let (code, message) = refused(&["verify", "no-such-file"], "");
    assert!(code == 1 && message.contains("no-such-file"), "{message}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_search_that_is_stopped_saves_its_state() {
    let folder = std::env::temp_dir().join(format!("ninefold-uttt-state-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("state");
    let file = path.to_str().unwrap();
    let start = "9/9/9/9/4x4/9/9/9/9 O 1 e5";
    let (code, message) = refused(&["solve", "--nodes", "20000", "--state", file, start], "");
    assert!(code == 1 && message.contains("not solved within the limit; raise --time or --nodes"), "{message}");
    assert!(path.exists());
    let (code, _) = refused(&["solve", "--nodes", "20000", "--state", file, start], "");
    assert_eq!(code, 1, "it goes on, and is stopped again");
    let whole = std::fs::read(&path).unwrap();
    for (at, reason) in [(0, "not a "), (20, "checksum of the header"), (whole.len() - 1, "checksum of the body")] {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        std::fs::write(&path, bytes).unwrap();
        let (code, message) = refused(&["solve", "--state", file, DRAWN], "");
        assert!(code == 1 && message.contains(reason), "byte {at}: {message}");
    }
    std::fs::write(&path, b"not a state").unwrap();
    let (code, message) = refused(&["solve", "--state", file, DRAWN], "");
    assert!(code == 1 && message.contains("not a state of a search for proofs"), "{message}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Ctrl-C during a proof: the results so far are printed and saved, the exit code is 130, and the next run finishes.
#[cfg(unix)]
#[test]
fn an_interrupted_proof_is_saved_and_finished_later() {
    use std::process::{Command, Stdio};
    let folder = common::Folder::new();
    let file = folder.path("state");
    let hard = include_str!("../../../oracle/data/uttt_hard.txt").lines().find(|line| line.ends_with(" L")).unwrap();
    let hard = hard.strip_suffix(" L").unwrap();
    // A proof from the start never finishes, so the interrupt is sure to come first.
    let spawn = |position: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        let arguments = ["uttt", "solve", "--memory", "64M", "--state", &file, position];
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let child = spawn("9/9/9/9/4x4/9/9/9/9 O 1 e5");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{out}{error}");
    assert!(out.starts_with("not solved after "), "{out}");
    assert!(error.contains("state saved") && error.contains("interrupted"), "{error}");

    // A position that can be solved: stopped by a limit, then resumed from the state.
    let solve =
        |more: &[&str]| run(&[&["solve", "--json", "--memory", "64M", "--state", &file], more, &[hard]].concat(), "");
    let stopped = solve(&["--nodes", "200000"]);
    assert_eq!(stopped.status.code(), Some(1), "{}", String::from_utf8_lossy(&stopped.stderr));
    let finished = solve(&[]);
    let answer = json(&String::from_utf8_lossy(&finished.stdout));
    assert_eq!((answer["value"].as_str(), answer["proved"].as_bool()), (Some("L"), Some(true)));
}

/// Ctrl-C during an analysis: the best moves so far are printed, and the exit code is 130.
#[cfg(unix)]
#[test]
fn an_interrupted_analysis_tells_the_best_so_far() {
    use std::process::{Command, Stdio};
    for search in ["mcts", "alphabeta"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        command.args(["uttt", "analyse", "--json", "--time", "10m", "--memory", "64M", "--search", search]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1000));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{error}");
        assert!(error.contains("interrupted"), "{error}");
        let answer = json(&String::from_utf8_lossy(&output.stdout));
        assert!(answer["best"].is_string() && answer["nodes"].as_u64() > Some(1000), "{answer}");
        assert!(answer["seconds"].as_f64() < Some(60.0), "{answer}");
    }
}

#[test]
fn analyse_stops_at_its_depth() {
    for (search, depth) in [("mcts", 3), ("alphabeta", 4)] {
        let arguments = ["analyse", "--json", "--time", "10m", "--search", search, "--depth", &depth.to_string()];
        assert_eq!(json(&told(&arguments, ""))["depth"], depth, "{search}");
    }
}

#[test]
fn analyse_tells_lines_and_what_is_proved() {
    for search in ["mcts", "alphabeta"] {
        let answer =
            json(&told(&["analyse", "--json", "--time", "200ms", "--lines", "3", "--search", search, DRAWN], ""));
        assert_eq!((answer["best"].as_str(), answer["outcome"].as_str()), (Some("ig"), Some("draw")), "{search}");
        assert_eq!(answer["lines"].as_array().unwrap().len(), 3, "{search}");
    }
    let open = json(&told(&["analyse", "--json", "--nodes", "2000", "--lines", "2"], ""));
    assert_eq!((open["outcome"].as_str(), open["lines"].as_array().unwrap().len()), (None, 2));
}

#[test]
fn play_and_codingame_hold_a_conversation() {
    let talk =
        told(&["play", "--time", "20ms"], "e5\nzz\nundo\nundo\nredo\nmoves\nlevel 11\nlevel 2\nhint\nhelp\nquit\n");
    for part in [
        "Ultimate Tic-Tac-Toe · standard rule; you are X; type help for the rules and commands",
        "5│  ·   ·   ·  │  ·   ·   ·  │",
        "\ne5\n",
        "engine: ",
        "║  ·   X   ·  ║",
        "expected a letter from a to i\n  zz\n  ^",
        "there is no move of yours to undo",
        "a level is a number from 1 to 10",
        "the engine plays at level 2",
        "hint: ",
        "estimated",
        "Win three boards in a row",
        "the file and rank of a square",
    ] {
        assert!(talk.contains(part), "no {part:?} in:\n{talk}");
    }
    let itself = told(&["play", "--you", "none", "--level", "1", "--time", "1s"], "");
    assert!(itself.ends_with(" has won\n") || itself.ends_with("drawn\n"), "{itself}");
    let evaluated = told(&["play", "--you", "both", "--nodes", "2000", DRAWN], "eval\nquit\n");
    assert!(evaluated.contains("  g1               drawn, solved"), "{evaluated}");
    let answers = told(&["codingame", "--time", "20ms", "--first-time", "20ms"], "-1 -1\n2\n0 0\n0 1\n");
    let numbers: Vec<usize> = answers.split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert!(numbers.len() == 2 && numbers.iter().all(|&number| number < 9), "{answers}");
    let second = told(&["codingame", "--time", "20ms", "--first-time", "20ms"], "4 4\n0\n");
    let numbers: Vec<usize> = second.split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert!(numbers.iter().all(|number| (3..6).contains(number)), "sent to the centre: {second}");
    let (code, message) = refused(&["codingame"], "4 9\n0\n");
    assert!(code == 2 && message.contains("line 1 of the input"), "{message}");
}

/// People read and type file and rank everywhere; two letters are still read, and are what JSON has.
#[test]
fn people_get_one_notation() {
    let solved = told(&["solve", "--line", DRAWN], "");
    assert!(solved.contains("best moves: g1\n") && solved.contains("line: g1 "), "{solved}");
    let analysed = told(&["analyse", "--time", "200ms", "--lines", "4", DRAWN], "");
    assert!(analysed.starts_with("1. g1  drawn, solved  g1 "), "{analysed}");
    let words: Vec<&str> = analysed.split_whitespace().collect();
    let is_letters = |word: &&&str| word.len() == 2 && word.bytes().all(|letter| (b'a'..=b'i').contains(&letter));
    assert_eq!(words.iter().find(is_letters), None, "{analysed}");
    for typed in ["g1", "ig"] {
        let talk = told(&["play", "--you", "both", DRAWN], &format!("{typed}\nquit\n"));
        assert!(talk.contains("\ng1\n"), "{talk}");
    }
    let (code, message) = refused(&["show", "9/9/9/9/4x4/9/9/9/9 O 2 e5"], "");
    assert!(code == 2 && message.contains("the number of stones on the board"), "{message}");
}

#[test]
fn counts_are_grouped_for_people_and_plain_in_json() {
    assert!(told(&["perft", "--depth", "5"], "").starts_with("473,256 leaves at depth 5 ("));
    assert!(told(&["perft", "--depth", "5", "--json"], "").contains("\"leaves\":473256,"));
    assert!(told(&["analyse", "--nodes", "2000"], "").ends_with("\n2,000 nodes\n"));
}

/// A record of `match` is loaded, and a saved game of another game is refused.
#[test]
fn play_loads_a_game_of_a_match() {
    let folder = common::Folder::new();
    let path = folder.path("games.jsonl");
    let arguments = ["builtin", "builtin", "--game", "uttt", "--nodes", "200", "--games", "2", "--random-plies", "2"];
    let options = ["--option", "rule=codingame", "--record", &path];
    let output = common::run(&[&["match"][..], &arguments, &options].concat(), "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let record = std::fs::read_to_string(&path).unwrap();
    let last = json(record.lines().last().unwrap());
    let talk = told(&["play", "--load", &path], "undo\nmoves\nquit\n");
    assert!(talk.contains("codingame rule; you play both"), "{talk}");
    assert!(talk.contains("has won") || talk.contains("drawn"), "{last} {talk}");
    let triad = common::run(&["triad", "play", "--load", &path], "");
    let message = String::from_utf8_lossy(&triad.stderr).into_owned();
    assert!(triad.status.code() == Some(2) && message.contains("`ninefold uttt play --load`"), "{message}");
    std::fs::write(&path, "{\"version\":1}").unwrap();
    let (code, message) = refused(&["play", "--load", &path], "");
    assert!(code == 2 && message.contains("not the record of a game"), "{message}");
}

#[test]
fn bad_input_is_refused_where_it_is_wrong() {
    let caret =
        |message: &str, column: usize| message.lines().any(|line| line == format!("{}^", " ".repeat(2 + column)));
    let (code, message) = refused(&["show", "X;....?....;"], "");
    assert!(code == 2 && caret(&message, 6), "{message}");
    let (code, message) = refused(&["moves", "-"], "9/9/9/9/9/9/9/9/9 X 0 -\n9/9/9/9/4z4/9/9/9/9 X 0 -\n");
    assert!(code == 2 && message.contains("line 2: ") && caret(&message, 9), "{message}");
    let many = "9/9/9/9/3xxx3/9/9/9/9 X 3 -";
    let (code, message) = refused(&["moves", many], "");
    assert!(code == 2 && message.contains("X: X has a line") || message.contains("--lenient"), "{message}");
    assert!(told(&["moves", "--lenient", many], "").starts_with("a9 b9 "));
    let boards = |at: usize, board: &str| {
        let mut boards = ["........."; 9];
        boards[at] = board;
        boards.join("/")
    };
    for (side_and_global, squares, column, reason) in [
        ("X;X........", boards(1, "........."), 2, "X has no line in this board"),
        ("X;.........", boards(1, "XXX......"), 3, "X has a line in this board"),
        ("X;@@.......", boards(1, "........."), 3, "one forced board and no more"),
        ("X;.#.......", boards(1, "XO......."), 3, "this board is not full"),
        ("Z;.........", boards(1, "........."), 0, "X or O, the side to move"),
        ("X;.........", boards(8, "........"), 100, "nine boards of nine squares"),
        ("X;.........", boards(8, ".........."), 101, "the end of the position"),
    ] {
        let text = format!("{side_and_global};{squares}");
        for more in [&[][..], &["--lenient"]] {
            let (code, message) = refused(&[&["show"], more, &[&text]].concat(), "");
            // Of a long line, only the part around the fault is shown.
            let pointed = column >= 100 && message.contains("…") || caret(&message, column);
            assert!(code == 2 && message.contains(reason) && pointed, "{text}: {message}");
        }
    }
    for arguments in [
        &["solve", "--rule", "chess", DRAWN][..],
        &["solve"],
        &["solve", "--memory", "0", DRAWN],
        &["analyse", "--time", "soon"],
        &["analyse", "--level", "11"],
        &["perft"],
        &["perft", "--depth", "1", "--isa", "avx9"],
        &["solve", "--proof", "x", "-"],
    ] {
        assert_eq!(refused(arguments, "").0, 2, "{arguments:?}");
    }
    let over = "xxx3xxx/9/9/9/9/9/9/9/9 X 0 -";
    assert_eq!(refused(&["solve", over], "").0, 2);
    let finished =
        "O;XXX......;XXX....../XXX....../XXX....../OO......./OO......./OO......./OO......./........./.........";
    assert_eq!(told(&["solve", finished], ""), "the game is over: lost for O\n");
    assert_eq!(told(&["solve", "--lenient", finished], ""), "the game is over: lost for O\n");
    assert_eq!(json(&told(&["perft", "--lenient", "--depth", "2", "--json", finished], ""))["leaves"], 0);
}

#[test]
fn the_value_alone_has_no_moves() {
    let answer = json(&told(&["solve", "--value", "--json", DRAWN], ""));
    assert_eq!((answer["value"].as_str(), answer["complete"].as_bool()), (Some("D"), Some(true)));
    assert_eq!((&answer["optimal"], &answer["best"]), (&serde_json::json!([]), &Value::Null));
    let text = told(&["solve", "--value", DRAWN], "");
    assert!(text.starts_with("O to move: drawn, ") && !text.contains("best moves"), "{text}");
    let over = "X;.XO.XOX.O;..OX.XOOX/XOOOXOOOX/OXXOOX.XO/XOXXOOO.X/OX.XOXXXX/.XO.O.O../.XX.XXOX./XXO.OXXOO/OOXOOX..O";
    assert_eq!(told(&["solve", "--value", over], ""), "the game is over: lost for X\n");
    for flag in ["--line", "--all-moves"] {
        assert_eq!(refused(&["solve", "--value", flag, DRAWN], "").0, 2);
    }
    let (code, message) = refused(&["solve", "--value", "--nodes", "100", &start()], "");
    assert_eq!(code, 1);
    assert!(message.contains("not solved within the limit"), "{message}");
}

/// The start of the game.
fn start() -> String {
    json(&told(&["show", "--json"], ""))["position"].as_str().unwrap().to_owned()
}

#[test]
fn puzzles_are_made_listed_and_proved_again() {
    let some = told(&["puzzles", "--count", "2", "--seed", "3"], "");
    assert_eq!(some, told(&["puzzles", "--count", "2", "--seed", "3", "--isa", "scalar"], ""));
    assert_eq!(some.lines().count(), 2);
    assert_eq!(told(&["puzzles", "--check", "-"], &some), "2 puzzles proved\n");
    let listed = told(&["puzzles", "--shipped", "--json"], "");
    let puzzles: Vec<Value> = listed.lines().map(json).collect();
    assert_eq!(puzzles.len(), 500);
    let line = puzzles[0]["text"].as_str().unwrap();
    assert_eq!(line.split(' ').next(), puzzles[0]["position"].as_str());
    // Another legal move is not the solution.
    let position = puzzles[0]["position"].as_str().unwrap();
    let legal = json(&told(&["moves", "--json", position], ""))["moves"].clone();
    let other = legal.as_array().unwrap().iter().find(|mv| **mv != puzzles[0]["move"]).unwrap().as_str().unwrap();
    let wrong = line.replace(&format!(" {} ", puzzles[0]["move"].as_str().unwrap()), &format!(" {other} "));
    let (code, message) = refused(&["puzzles", "--check", "-"], &format!("{line}\n# a comment\n\n{wrong}\n"));
    assert_eq!(code, 1);
    assert!(message.contains("line 4: ") && message.contains("not the only best move"), "{message}");
    let (_, message) = refused(&["puzzles", "--check", "-"], "nonsense\n");
    assert!(message.contains("line 1: "), "{message}");
    assert_eq!(refused(&["puzzles", "--count", "0"], "").0, 2);
    let (code, message) = refused(&["puzzles", "--count", "100000", "--time", "50ms"], "");
    assert_eq!(code, 1);
    assert!(message.contains("of 100000 puzzles within the limit"), "{message}");
}
