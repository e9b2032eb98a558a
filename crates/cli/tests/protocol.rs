//! Tests of `ninefold engine` as a driver uses it: its guarantees, the conversations of the documentation, and nonsense
//! input.

#![allow(missing_docs, reason = "a test")]

mod common;

use common::engine::Engine;
use common::{DRAWN, cpu_time};
use std::time::{Duration, Instant};

const GAMES: [&str; 3] = ["uttt", "triad", "cephalopods"];

#[test]
fn it_introduces_itself_and_is_ready() {
    for game in GAMES {
        let mut engine = Engine::of(game);
        let lines = engine.ask("ugi", "ugiok");
        assert!(lines[0].starts_with("id name Ninefold") && lines[1].starts_with("id author"), "{lines:?}");
        for name in ["Level", "MultiPV", "Seed"] {
            let option = format!("option name {name} type spin default ");
            assert!(lines.iter().any(|line| line.starts_with(&option)), "{game} lacks {name}: {lines:?}");
        }
        if game == "uttt" {
            for name in ["Hash", "Threads", "Rule", "Search", "MoveStyle"] {
                assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))), "{name}");
            }
        }
        engine.is_quiet();
        engine.quit();
    }
}

#[test]
fn a_game_is_played_from_start_to_end_by_the_engine_alone() {
    for game in GAMES {
        let mut engine = Engine::of(game);
        engine.ask("ugi", "ugiok");
        engine.ask("isready", "readyok");
        engine.send("uginewgame");
        let mut moves = String::new();
        for ply in 0..200 {
            engine.send(&format!("position startpos{}{moves}", if moves.is_empty() { "" } else { " moves" }));
            if engine.answer("query gameover", "response") == "response true" {
                break;
            }
            assert_eq!(engine.answer("query result", "response"), "response none");
            assert_eq!(engine.answer("query p1turn", "response"), format!("response {}", ply % 2 == 0));
            let best = engine.answer("go nodes 300", "bestmove");
            let words: Vec<&str> = best.split(' ').collect();
            assert_eq!(words.len(), 2, "drivers expect two words: {best}");
            moves.push(' ');
            moves.push_str(words[1]);
        }
        assert_eq!(engine.answer("query gameover", "response"), "response true");
        let result = engine.answer("query result", "response");
        assert!(["response p1win", "response p2win", "response draw"].contains(&result.as_str()), "{result}");
        assert_eq!(engine.answer("go movetime 10", "bestmove"), "bestmove 0000", "no move after the end");
        engine.send(&format!("position startpos moves{moves} {}", moves.split(' ').nth(1).unwrap()));
        assert!(engine.next().unwrap().1.starts_with("info string move "), "no move after the end");
        engine.quit();
    }
}

/// All kinds of search, each from a cold start.
const ENDLESS: [(&str, &[&str], &str); 12] = [
    ("uttt", &[], "go infinite"),
    ("uttt", &["search=alphabeta"], "go infinite"),
    ("uttt", &["search=uct", "rule=open"], "go infinite"),
    ("uttt", &[], "go solve"),
    ("uttt", &[], "go perft 30"),
    ("cephalopods", &[], "go infinite"),
    ("cephalopods", &["rule=sixes"], "go solve"),
    ("cephalopods", &["size=4x4"], "go infinite"),
    ("cephalopods", &["size=4x4"], "go depth 60"),
    ("cephalopods", &[], "go perft 40"),
    ("triad", &["edition=ff14", "rules=chaos"], "go infinite"),
    ("triad", &["rules=same,plus,elemental"], "go perft 9"),
];

/// The wall-clock time is the minimum of three runs, so that a busy machine does not fail the test. The protocol
/// answers `stop` even if the search continues, so the search itself is checked by CPU time: it must free its thread
/// for the next question.
#[test]
fn stop_is_answered_within_fifty_milliseconds_and_ends_the_search() {
    for (game, options, go) in ENDLESS {
        let (mut least, mut cost) = (Duration::MAX, Duration::MAX);
        for wait in [0, 40, 150] {
            let options: Vec<String> = options.iter().map(|option| format!("--option={option}")).collect();
            let arguments: Vec<&str> = ["--game", game].into_iter().chain(options.iter().map(String::as_str)).collect();
            let mut engine = Engine::start(&arguments);
            engine.send(go);
            std::thread::sleep(Duration::from_millis(wait));
            let (start, before) = (Instant::now(), cpu_time(&engine.child));
            engine.send("stop");
            let answer = if go.contains("perft") { "info string the count was stopped" } else { "bestmove " };
            let (when, lines) = engine.until(answer);
            least = least.min(when - start);
            assert!(lines.iter().all(|line| !line.contains("0000")), "{lines:?}");
            // The worker answers this one only after it has left the search.
            engine.ask("go perft 1", "nodes ");
            cost = cost.min(cpu_time(&engine.child) - before);
            engine.quit();
        }
        assert!(least < Duration::from_millis(50), "{game} {options:?} {go}: {least:?}");
        assert!(cost <= Duration::from_millis(120), "{game} {options:?} {go}: {cost:?} of CPU after `stop`");
    }
}

#[test]
fn an_endless_search_says_nothing_final_before_stop() {
    // A deal is solved in milliseconds, but the answer must wait for `stop`.
    let mut engine = Engine::of("triad");
    engine.send("go infinite");
    std::thread::sleep(Duration::from_millis(300));
    engine.send("query p1turn");
    let (_, lines) = engine.until("response true");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains(" margin ")), "{lines:?}");
    engine.ask("stop", "bestmove ");
    engine.is_quiet();
    engine.quit();
}

#[test]
fn a_search_keeps_to_its_limits() {
    let mut engine = Engine::of("uttt");
    engine.ask("isready", "readyok");
    for (go, least, most) in [
        ("go movetime 300", 250, 450),
        ("go p1time 6000 p2time 1", 150, 350),
        ("go p1time 0 p2time 9999", 0, 150),
        ("go movetime 60000 p1time 1000", 10, 200),
    ] {
        let mut spent = Vec::new();
        for _ in 0..3 {
            engine.send("uginewgame");
            let start = Instant::now();
            engine.send(go);
            spent.push((engine.until("bestmove ").0 - start).as_millis());
        }
        assert!(spent.iter().any(|spent| (least..most).contains(spent)), "{go}: {spent:?}");
    }
    let nodes = |lines: &[String]| -> u64 {
        let line = lines.iter().rev().find(|line| line.contains(" nodes ")).unwrap();
        line.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    engine.send("uginewgame");
    let lines = engine.ask("go nodes 5000", "bestmove");
    assert_eq!(nodes(&lines), 5000, "{lines:?}");
    engine.send("setoption name Search value alphabeta");
    let lines = engine.ask("go depth 5", "bestmove");
    let depth = |line: &String| line.split(' ').nth(2).and_then(|depth| depth.parse::<u32>().ok());
    assert_eq!(lines.iter().filter_map(depth).max(), Some(5), "{lines:?}");
    engine.quit();
}

#[test]
fn options_change_what_is_said_and_played() {
    let mut engine = Engine::of("uttt");
    engine.send("position startpos moves e5");
    let moves = |lines: &[String], number: &str| {
        let line = lines.iter().rev().find(|line| line.contains(number)).unwrap_or_else(|| panic!("{lines:?}"));
        line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap().to_owned()
    };
    engine.send("setoption name MultiPV value 3");
    let lines = engine.ask("go nodes 3000", "bestmove");
    let told: Vec<String> = (1..=3).map(|number| moves(&lines, &format!(" multipv {number} "))).collect();
    assert!(told[0] != told[1] && told[1] != told[2], "{lines:?}");
    let in_centre = |mv: &str| "def".contains(&mv[..1]) && "456".contains(&mv[1..]);
    assert!(told.iter().all(|mv| in_centre(mv)), "algebraic, in the forced board: {told:?}");
    engine.send("setoption name movestyle value LETTERS");
    let best = engine.answer("go nodes 3000", "bestmove");
    assert!(best.len() == 11 && best.starts_with("bestmove e"), "{best}");
    engine.send("setoption name Level value 1");
    let lines = engine.ask("go infinite\nstop", "bestmove");
    assert_eq!(lines.len(), 1, "a weak player does not tell what a strong one sees: {lines:?}");
    engine.send("setoption name Rule value codingame");
    assert_eq!(engine.answer("query p1turn", "response"), "response false", "the game goes on");
    engine.quit();

    let mut engine = Engine::of("cephalopods");
    engine.send("setoption name Size value 2x3");
    engine.send("d");
    let (_, lines) = engine.until("A to move");
    assert_eq!(lines[..2], ["...", "..."], "a game that has not begun begins under the new rules: {lines:?}");
    engine.quit();

    let mut engine = Engine::start(&["--game", "triad", "--option", "seed=7"]);
    let deal = |engine: &mut Engine| {
        let lines = engine.ask("d", "A to move");
        lines.into_iter().find(|line| line.starts_with("position ")).unwrap()
    };
    let seventh = deal(&mut engine);
    engine.send("setoption name Seed value 8");
    assert_ne!(deal(&mut engine), seventh);
    engine.send("setoption name Seed value 7");
    assert_eq!(deal(&mut engine), seventh);
    engine.quit();
}

#[test]
fn proofs_are_proofs_and_a_proof_that_fails_says_so() {
    let mut engine = Engine::of("uttt");
    engine.send(&format!("position fen {DRAWN}"));
    let lines = engine.ask("go solve", "bestmove");
    assert!(lines[lines.len() - 2].contains(" score cp 0 draw "), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove g1");
    engine.send("position startpos");
    let lines = engine.ask("go solve nodes 2000", "bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info string not solved within the limit")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("win") || line.contains("loss")), "{lines:?}");
    engine.quit();
}

#[test]
fn leaves_are_counted_and_told_by_move() {
    for (game, depth, sum, moves) in [("uttt", 4, 55080, 81), ("triad", 3, 50400, 45), ("cephalopods", 1, 9, 9)] {
        let mut engine = Engine::of(game);
        let lines = engine.ask(&format!("go perft {depth}"), "nodes ");
        assert_eq!(lines.last().unwrap(), &format!("nodes {sum}"));
        assert_eq!(lines.len(), moves + 1, "{lines:?}");
        assert_eq!(engine.answer("go perft 0", "nodes "), "nodes 1");
        engine.quit();
    }
}

#[test]
fn the_end_of_the_input_ends_it_with_an_answer() {
    for game in GAMES {
        for go in ["go infinite", "go movetime 600000", "go nodes 18446744073709551615", "go depth 4294967295"] {
            let mut engine = Engine::of(game);
            engine.send(go);
            drop(engine.input.take());
            engine.until("bestmove ");
            assert!(engine.ended().success());
        }
        let mut engine = Engine::of(game);
        drop(engine.input.take());
        assert!(engine.ended().success());
        assert_eq!(engine.next(), None, "nothing was asked");
    }
}

#[test]
fn it_can_be_left_at_any_time() {
    for game in GAMES {
        for before in ["", "go infinite", "go perft 30", "go solve", "isready"] {
            let mut engine = Engine::of(game);
            engine.send(before);
            let start = Instant::now();
            engine.quit();
            assert!(start.elapsed() < Duration::from_secs(5), "{game} after `{before}`: {:?}", start.elapsed());
        }
    }
}

#[test]
fn what_comes_during_a_search_does_not_disturb_it() {
    for game in GAMES {
        let mut engine = Engine::of(game);
        engine.send("go infinite");
        engine.ask("go infinite", "info string a search is running");
        engine.ask("setoption name Level value 1", "info string a search is running");
        engine.ask("isready", "readyok");
        let first = engine.ask("d", "moves ").pop().unwrap().split(' ').nth(1).unwrap().to_owned();
        engine.send(&format!("position startpos moves {first}"));
        engine.ask("query p1turn", "response false");
        engine.send("position fen nonsense");
        engine.until("info string ");
        engine.ask("stop", "bestmove ");
        engine.send("stop");
        engine.is_quiet();
        engine.send("go infinite");
        engine.send("uginewgame");
        engine.until("bestmove ");
        assert_eq!(engine.answer("query p1turn", "response"), "response true");
        engine.quit();
    }
}

/// Whether a line matches the documentation, where `*` stands for any words.
fn fits(pattern: &str, line: &str) -> bool {
    let parts: Vec<&str> = pattern.split('*').collect();
    let Some(mut rest) = line.strip_prefix(parts[0]) else { return false };
    for part in &parts[1..] {
        let Some(at) = (if part.is_empty() { Some(rest.len()) } else { rest.find(part) }) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

#[test]
fn the_documented_conversations_take_place() {
    let document = include_str!("../../../docs/protocol.md");
    let mut conversations = 0;
    for block in document.split("```ugi ").skip(1) {
        let (game, lines) = block.split("```").next().unwrap().split_once('\n').unwrap();
        conversations += 1;
        let mut engine = Engine::of(game);
        let mut skips = false;
        for line in lines.lines() {
            if let Some(said) = line.strip_prefix("> ") {
                engine.send(said);
            } else if line == "< ..." {
                skips = true;
            } else {
                let pattern = line.strip_prefix("< ").unwrap_or_else(|| panic!("neither said nor answered: {line}"));
                loop {
                    let (_, found) = engine.next().unwrap_or_else(|| panic!("the engine ended before {line}"));
                    if fits(pattern, &found) {
                        break;
                    }
                    assert!(skips, "{game}: not {pattern}\n      but {found}");
                }
                skips = false;
            }
        }
        assert!(engine.ended().success());
        assert_eq!(engine.next(), None, "nothing is left to say");
    }
    assert_eq!(conversations, 3, "one for each game");
}

/// Lines that no driver should send. None may end the engine, hang it, or leave it unable to play.
fn nonsense() -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = [
        "", " ", "\t", "\r", "\u{0}", "\u{0}\u{0}\u{0}", "\u{feff}ugi", "\u{1b}[2J", "é", "🐙", "ugi ugi ugi", "UGI", "Quit",
        "quit\u{0}", "hello quit", "uci", "isready\u{0}", "is ready", "position", "position ", "position startpos fen",
        "position startpos moves", "position startpos moves moves", "position startpos moves zz", "position startpos moves é",
        "position startpos moves e5 e5", "position startpos moves \u{0}", "position startpos moves -1 -1",
        "position startpos moves 99999999999999999999", "position startpos nonsense", "position moves e5", "position fen",
        "position fen moves", "position fen \u{0}", "position fen nonsense", "position fen 9/9/9/9/9/9/9/9/9",
        "position fen 9/9/9/9/9/9/9/9/9 X", "position fen 9/9/9/9/9/9/9/9/9 X -1 -", "position fen 9/9/9/9/9/9/9/9/9 X 99999999999 -",
        "position fen 9/9/9/9/9/9/9/9/9 X 0 z9", "position fen 9/9/9/9/9/9/9/9/9 Z 0 -", "position fen 10/9/9/9/9/9/9/9/9 X 0 -",
        "position fen xxxxxxxxx/9/9/9/9/9/9/9/9 X 0 -", "position fen xxx6/9/9/9/9/9/9/9/9 X 0 -",
        "position fen 9/9/9/9/9/9/9/9/9/9/9/9 X 0 -", "position fen X;.........;", "position fen X;@@@@@@@@@;........./.........",
        "position fen .........:A", "position fen .........:C", "position fen ..........:A", "position fen 777777777:A",
        "position fen gggggggg.:B", "position fen é........:A", "position fen ff8", "position fen ff9 - ......... x x ......... ......... a",
        "position fen ff8 - ......... 4856,2994t,4A2A,7742p,7274f 6749i,A826,7285,2367,84A4 0123456789 ......... a",
        "position fen ff8 nonsense ......... 4856,2994t,4A2A,7742p,7274f 6749i,A826,7285,2367,84A4 ......... ......... a",
        "position fen ff8 - ......... 0000,0000,0000,0000,0000 6749i,A826,7285,2367,84A4 ......... ......... a",
        "position fen ff8 - ......... ,,,, ,,,, ......... ......... a", "position fen \"", "position fen ../../../etc/passwd",
        "position fen %s%s%s%n", "position fen X;\u{ff0e}........", "moves", "moves zz", "moves e5 zz", "moves \u{0}", "moves 4x13",
        "moves 9@9", "moves 0@0 0@0", "moves -", "go nodes", "go nodes x", "go nodes -1", "go nodes 18446744073709551616",
        "go nodes 1.5", "go nodes 0x10", "go nodes \u{0}", "go nodes ٣", "go depth", "go depth -1", "go depth 4294967296", "go depth deep",
        "go movetime", "go movetime -1", "go movetime 1e9", "go movetime 99999999999999999999", "go p1time", "go p1time x",
        "go p1time 9223372036854775808", "go p1time -9223372036854775809 p2time 1", "go p1inc", "go p2inc x", "go movestogo -1",
        "go movestogo 4294967296", "go perft", "go perft -1", "go perft x", "go perft 4294967296", "go perft 0", "go perft 4294967295",
        "go nodes 0", "go movetime 0", "go depth 0", "go", "go infinite infinite solve", "go nonsense", "go \u{0}", "go infinite movetime 1",
        "go nodes 18446744073709551615", "go movetime 18446744073709551615", "go depth 4294967295", "go solve nodes 1", "go solve",
        "go p1time -9223372036854775808 p2time -9223372036854775808", "go p1time 9223372036854775807 p2time 9223372036854775807",
        "go p1time 1 p2time 1 p1inc -5 p2inc -5", "go p1time 0 p2time 0 movestogo 0", "go perft 1 perft 2 nodes 3", "stop", "stop stop",
        "query", "query \u{0}", "query result gameover", "query everything", "query RESULT", "d d d", "setoption", "setoption name",
        "setoption name value", "setoption value 3", "setoption name Level", "setoption name Level value", "setoption name Level value 0",
        "setoption name Level value 11", "setoption name Level value -1", "setoption name Level value 4294967297",
        "setoption name Level value ten", "setoption name MultiPV value 0", "setoption name MultiPV value 1000000",
        "setoption name MoveStyle value runes", "setoption name Hash value 0", "setoption name Hash value -1",
        "setoption name Hash value 18446744073709551615", "setoption name Hash value 1048576", "setoption name Hash value 16",
        "setoption name Threads value 0", "setoption name Threads value 1000000", "setoption name Seed value -1",
        "setoption name Seed value 18446744073709551616", "setoption name Rule value chess", "setoption name Rule value \u{0}",
        "setoption name Search value harder", "setoption name Size value 0x0", "setoption name Size value 99x99",
        "setoption name Size value 3", "setoption name Size value -3x-3", "setoption name Size value 18446744073709551616x1",
        "setoption name Edition value ff15", "setoption name Rules value nonsense", "setoption name Rules value ,,,,",
        "setoption name Rules value same,same", "setoption name \u{0} value \u{0}", "setoption name Clear Hash", "uginewgame now",
        "info string hello", "bestmove e5", "readyok", "debug on", "ponderhit", "register later",
    ]
    .iter()
    .map(|line| line.as_bytes().to_vec())
    .collect();
    lines.push(b"\xff\xfe\xfd".to_vec());
    lines.push(b"position fen \xff".to_vec());
    lines.push(b"go nodes \xc3\x28".to_vec());
    lines.push(b"setoption name Rule value \x80".to_vec());
    lines.push(vec![b'x'; 3 << 20]);
    lines.push([b"position fen ".to_vec(), vec![b'9'; 900_000]].concat());
    lines.push([b"position startpos".to_vec(), b" moves".repeat(100_000)].concat());
    lines.push([b"position startpos moves".to_vec(), b" e5".repeat(100_000)].concat());
    lines.push([b"go".to_vec(), b" nodes 5".repeat(50_000)].concat());
    lines.push([b"setoption name ".to_vec(), vec![b'N'; 500_000], b" value 1".to_vec()].concat());
    lines.push(vec![0; 100_000]);
    lines
}

#[test]
fn nonsense_neither_ends_nor_hangs_it() {
    let lines = nonsense();
    assert!(lines.len() >= 150, "{}", lines.len());
    for game in GAMES {
        let mut engine = Engine::of(game);
        engine.ask("ugi", "ugiok");
        for line in &lines {
            let shown = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
            engine.send_bytes(line);
            engine.send("stop");
            let said = engine.ask("isready", "readyok");
            for line in &said {
                assert!(line.len() < 4000 && !line.contains("panicked"), "{game} `{shown}`: {line}");
                assert!(!line.contains(|c: char| c.is_control()), "{game} `{shown}`: {line:?}");
            }
        }
        // After a new game it plays as if nothing had happened.
        engine.send("stop");
        engine.send("setoption name Level value 10");
        engine.send("uginewgame");
        engine.ask("isready", "readyok");
        let moves = engine.ask("d", "moves ").pop().unwrap();
        let best = engine.answer("go nodes 200", "bestmove");
        let best = best.split(' ').nth(1).unwrap();
        assert!(moves.split(' ').any(|mv| mv == best), "{game}: {best} is none of {moves}");
        engine.quit();
    }
}
