//! What drivers of other protocols and of other habits send to `ninefold engine`, each with the answer that lets them go on.

#![allow(missing_docs, reason = "a test")]

mod common;

use common::engine::Engine;
use std::time::{Duration, Instant};

/// X is to move in the board at the bottom left.
const FORCED: &str = "position startpos moves e5 d4";

fn best(line: &str) -> &str {
    line.strip_prefix("bestmove ").unwrap_or_else(|| panic!("not a move: {line}"))
}

#[test]
fn a_time_below_zero_is_answered_at_once() {
    for game in ["uttt", "triad", "cephalopods"] {
        let mut engine = Engine::of(game);
        for go in [
            "go movetime -5",
            "go nodes -1",
            "go depth -3",
            "go p1time -20 p2time -20",
            "go movetime -99999999999999999999",
        ] {
            assert_ne!(engine.answer(go, "bestmove"), "bestmove 0000", "{game}: {go}");
        }
        engine.is_quiet();
        engine.quit();
    }
}

#[test]
fn a_go_that_is_not_understood_is_answered_without_a_move() {
    let mut engine = Engine::of("uttt");
    for go in ["go movetime soon", "go depth", "go wtime 1e3"] {
        let lines = engine.ask(go, "bestmove");
        assert!(lines[0].starts_with("info string go: "), "{lines:?}");
        assert_eq!(lines[1..], ["bestmove 0000"], "{lines:?}");
    }
    engine.send("go infinite");
    let lines = engine.ask("go movetime soon", "info string go: ");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "the search is still to be answered: {lines:?}");
    assert_ne!(engine.answer("stop", "bestmove"), "bestmove 0000");
    engine.quit();
}

#[test]
fn the_clock_words_of_other_protocols_are_limits() {
    let mut engine = Engine::of("uttt");
    for go in ["go wtime 1000 btime 1000 winc 10 binc 10", "go xtime 1000 otime 1000 xinc 10 oinc 10"] {
        engine.send("ucinewgame");
        engine.ask("isready", "readyok");
        // Without a limit there is no answer before `stop`.
        engine.answer(go, "bestmove");
    }
    // The second player's clock counts when he is to move.
    engine.send("position startpos moves e5");
    let start = Instant::now();
    engine.answer("go wtime 600000 btime 100", "bestmove");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    engine.quit();
}

#[test]
fn searchmoves_restricts_the_answer() {
    let mut engine = Engine::of("uttt");
    engine.send(FORCED);
    for wanted in [&["c2"][..], &["a1", "B3"], &["c1", "c2", "c3"]] {
        for search in ["mcts", "alphabeta"] {
            engine.send(&format!("setoption name Search value {search}"));
            let lines = engine.ask(&format!("go searchmoves {} nodes 3000", wanted.join(" ")), "bestmove");
            let best = best(lines.last().unwrap());
            assert!(wanted.iter().any(|mv| mv.eq_ignore_ascii_case(best)), "{wanted:?}: {lines:?}");
            let shown = lines.iter().filter_map(|line| line.split(" pv ").nth(1)).map(|pv| &pv[..2]);
            shown.for_each(|mv| assert!(wanted.iter().any(|wanted| wanted.eq_ignore_ascii_case(mv)), "{lines:?}"));
        }
    }
    let lines = engine.ask("go searchmoves a1 e5 nodes 100", "bestmove");
    assert!(lines[0].starts_with("info string searchmoves: move 1 `e5`"), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove a1");
    let lines = engine.ask("go searchmoves e5 nodes 100", "bestmove");
    assert_eq!(lines.last().unwrap(), "bestmove 0000", "no legal move to choose from: {lines:?}");
    engine.send("setoption name Level value 2");
    for _ in 0..3 {
        assert_eq!(engine.ask("go searchmoves b2 nodes 300", "bestmove"), ["bestmove b2"]);
    }
    engine.quit();

    let mut engine = Engine::of("triad");
    assert_eq!(engine.answer("go searchmoves 3@4 movetime 5000", "bestmove"), "bestmove 3@4");
    engine.quit();
}

/// The best of ten runs counts, because the machine may be busy.
#[test]
fn the_move_overhead_keeps_the_answer_within_its_time() {
    let mut engine = Engine::start(&["--game", "uttt", "--option", "MoveOverhead=40"]);
    engine.ask("isready", "readyok");
    let spent = |engine: &mut Engine| {
        let start = Instant::now();
        engine.send("go movetime 100");
        engine.until("bestmove").0 - start
    };
    let least = (0..10).map(|_| spent(&mut engine)).min().unwrap();
    assert!((Duration::from_millis(50)..Duration::from_millis(100)).contains(&least), "{least:?}");
    engine.send("setoption name Move Overhead value 0");
    let least = (0..10).map(|_| spent(&mut engine)).min().unwrap();
    assert!(least > Duration::from_millis(90), "{least:?}");
    engine.ask("setoption name MoveOverhead value -1", "info string MoveOverhead is a number from 0 to 60000");
    engine.quit();
}

#[test]
fn pondering_waits_for_ponderhit_or_stop() {
    let mut engine = Engine::of("uttt");
    let silent = |engine: &mut Engine| {
        std::thread::sleep(Duration::from_millis(150));
        let lines = engine.ask("query p1turn", "response");
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
    };
    engine.send("go ponder movetime 20");
    silent(&mut engine);
    engine.answer("ponderhit", "bestmove");
    engine.send("go ponder wtime 100 btime 100");
    silent(&mut engine);
    engine.answer("stop", "bestmove");
    // A search that is over before the opponent has moved holds its answer back.
    engine.send("go ponder nodes 10");
    silent(&mut engine);
    engine.answer("ponderhit", "bestmove");
    engine.send("ponderhit");
    engine.is_quiet();
    engine.quit();
}

#[test]
fn after_a_refused_position_no_move_is_made() {
    let mut engine = Engine::of("uttt");
    engine.send(FORCED);
    engine.ask("position startpos moves e5 e5", "info string move 2 ");
    for go in ["go nodes 10", "go perft 1"] {
        let lines = engine.ask(go, "bestmove");
        assert_eq!(lines, ["info string the last position was refused: send another one", "bestmove 0000"]);
    }
    engine.ask("moves a1", "info string the last position was refused");
    engine.send(FORCED);
    assert_ne!(engine.answer("go nodes 100", "bestmove"), "bestmove 0000");
    engine.ask("position fen nonsense", "info string ");
    engine.send("uginewgame");
    assert_ne!(engine.answer("go nodes 100", "bestmove"), "bestmove 0000");
    engine.quit();
}

#[test]
fn a_handful_of_playouts_is_no_score() {
    let mut engine = Engine::of("uttt");
    for nodes in [1, 10, 80] {
        engine.send("uginewgame");
        let lines = engine.ask(&format!("go nodes {nodes}"), "bestmove");
        assert!(lines.iter().all(|line| !line.contains("score cp 1000")), "{lines:?}");
    }
    let lines = engine.ask("go nodes 5000", "bestmove");
    assert!(lines[lines.len() - 2].contains(" score cp "), "{lines:?}");
    engine.quit();
}

#[test]
fn capitals_uci_and_names_of_options_are_understood() {
    let mut engine = Engine::of("uttt");
    let lines = engine.ask("uci", "uciok");
    assert!(lines[0].starts_with("id name Ninefold") && !lines.contains(&"ugiok".to_owned()), "{lines:?}");
    engine.send("position startpos moves E5 D4");
    assert_eq!(engine.answer("query p1turn", "response"), "response true");
    engine.send("position startpos moves EE ea");
    assert_eq!(engine.answer("query p1turn", "response"), "response true");
    engine.ask("setoption name Hash value abc", "info string Hash is a number from 1 to ");
    engine.quit();
}

#[test]
fn no_info_line_is_printed_twice_in_a_row() {
    let mut engine = Engine::of("uttt");
    for go in ["go nodes 1", "go nodes 20000", "go movetime 60", "go solve nodes 3000", "go depth 4"] {
        engine.send("uginewgame");
        let lines = engine.ask(go, "bestmove");
        let twice = lines.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None, "{go}: {lines:?}");
    }
    engine.quit();
}
