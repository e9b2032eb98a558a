//! `uttt book`, and who plays from the opening book and who does not.

mod common;

use common::engine::Engine;
use common::{Folder, run, words};
use serde_json::Value;

fn text(line: &str, input: &str) -> String {
    let ended = run(&words(line), input);
    assert!(ended.status.success(), "{line}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap()
}

/// The move of the book in the position after X in the centre, as file and rank.
const CENTRE: &str = "9/9/9/9/4X4/9/9/9/9 O 1 e5";

fn book_move(position: &str) -> String {
    let found: Value = serde_json::from_str(&text(&format!("uttt book '{position}' --json"), "")).unwrap();
    found["moves"][0]["label"].as_str().unwrap().to_owned()
}

#[test]
fn the_book_is_shown() {
    for rule in ["standard", "codingame"] {
        let all = text(&format!("uttt book --rule {rule}"), "");
        assert!(all.lines().count() >= 100, "{rule}");
        let first = all.lines().next().unwrap();
        assert!(first.starts_with("X;.........;"), "the start comes first: {first}");
        // A line says the same when its position is asked for.
        for line in all.lines().step_by(40) {
            let position = line.split(' ').next().unwrap();
            assert_eq!(text(&format!("uttt book '{position}' --rule {rule}"), "").trim_end(), line);
        }
    }
    assert_eq!(text("uttt book --rule open", ""), "", "no network knows this rule");
    let late = run(&words(&format!("uttt book '{}'", common::DRAWN)), "");
    assert_eq!(late.status.code(), Some(1));
    assert!(String::from_utf8(late.stderr).unwrap().contains("not in the book"));
}

#[test]
fn a_book_is_built_and_goes_on() {
    let folder = Folder::new();
    let build = |name: &str, positions: u32, more: &str| {
        format!("uttt book --build {} --positions {positions} --visits 200 --memory 8M {more}", folder.path(name))
    };
    assert_eq!(text(&build("whole.txt", 12, ""), ""), format!("12 positions in {}\n", folder.path("whole.txt")));
    text(&build("parts.txt", 5, ""), "");
    text(&build("parts.txt", 12, ""), "");
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    assert_eq!(read("whole.txt"), read("parts.txt"));
    // A stop leaves a whole book, or none.
    let stopped = run(&words(&build("late.txt", 12, "--time 0ms")), "");
    assert_eq!(stopped.status.code(), Some(1), "{stopped:?}");
    assert!(!std::path::Path::new(&folder.path("late.txt")).exists());
    for (more, why) in
        [("--rule open", "no book for the rule open"), ("--rule codingame", "not a book of the codingame rule")]
    {
        let ended = run(&words(&build("whole.txt", 13, more)), "");
        assert_eq!(ended.status.code(), Some(2));
        assert!(String::from_utf8(ended.stderr).unwrap().contains(why), "{more}");
    }
    assert_eq!(read("whole.txt"), read("parts.txt"), "a refused book stays");
}

#[test]
fn play_uses_the_book_at_full_strength_unless_told_not_to() {
    let play = |more: &str| text(&format!("uttt play --you x --time 20ms {more}"), "e5\nquit\n");
    let expected = format!("engine: {} (from the opening book)", book_move(CENTRE));
    assert!(play("").contains(&expected), "{}", play(""));
    for more in ["--no-book", "--level 9", "--rule open"] {
        let printed = play(more);
        assert!(printed.contains("engine: ") && !printed.contains("opening book"), "{more}: {printed}");
    }
}

#[test]
fn a_driver_has_to_ask_for_the_book() {
    let mut engine = Engine::of("uttt");
    engine.send(&format!("position fen {CENTRE}"));
    assert!(engine.ask("go nodes 2000", "bestmove").len() > 1, "a search tells what it sees");
    engine.send("setoption name OwnBook value true");
    let best = format!("bestmove {}", book_move(CENTRE));
    let best = [best];
    assert_eq!(engine.ask("go nodes 2000", "bestmove"), best);
    assert_eq!(engine.ask("go movetime 10000", "bestmove"), best, "at once");
    // These ask for more than a move.
    for go in ["go nodes 2000 searchmoves d6 e6", "go infinite\nstop"] {
        assert!(engine.ask(go, "bestmove").len() > 1, "{go}");
    }
    engine.send("setoption name OwnBook value perhaps");
    assert!(engine.answer("isready", "info string").contains("true or false"));
    engine.quit();
}
