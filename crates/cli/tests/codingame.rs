//! Tests of `ninefold uttt codingame` and of the file that `ninefold uttt bundle` writes, run as the arena runs them.

#![allow(missing_docs, reason = "a test")]

mod common;

use api::uttt::{Accept, Move, Position, Rules};
use common::{Folder, cpu_time, ninefold};
use grid::Rng;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const RULES: Rules = Rules::CodinGame;

fn start() -> Position {
    RULES.read("9/9/9/9/9/9/9/9/9 X 0 -", Accept::Reachable).unwrap()
}

fn place(mv: &Move) -> String {
    let (row, column) = mv.row_and_column();
    format!("{row} {column}")
}

/// Plays a game of a bot against a random opponent, as the arena does. Returns its result for the bot, and the wall-clock
/// and CPU time of each answer. Every answer must be legal.
fn game(bot: &mut Command, seed: u64, bot_first: bool) -> (i32, Vec<[Duration; 2]>) {
    let mut child = bot.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut rng = Rng::new(seed);
    let (mut position, mut last, mut times) = (start(), "-1 -1".to_owned(), Vec::new());
    for ply in 0.. {
        let moves = RULES.moves(&position);
        if moves.is_empty() {
            break;
        }
        let mv = if (ply % 2 == 0) == bot_first {
            let listed: Vec<String> = moves.iter().map(place).collect();
            let (began, before) = (Instant::now(), cpu_time(&child));
            input.write_all(format!("{last}\n{}\n{}\n", moves.len(), listed.join("\n")).as_bytes()).unwrap();
            let answer = answers.next().unwrap().unwrap();
            times.push([began.elapsed(), cpu_time(&child) - before]);
            *moves
                .iter()
                .find(|mv| place(mv) == answer)
                .unwrap_or_else(|| panic!("seed {seed}: `{answer}` is not legal"))
        } else {
            let mv = rng.pick(moves.iter()).copied().unwrap();
            last = place(&mv);
            mv
        };
        position = RULES.play_unchecked(&position, mv);
    }
    let result = RULES.result(&position).unwrap();
    drop(input);
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{}", String::from_utf8_lossy(&ended.stderr));
    (if bot_first { result } else { -result }, times)
}

/// Games by the clock are played one after another, so that no bot disturbs another one.
fn alone() -> MutexGuard<'static, ()> {
    static PLAYING: Mutex<()> = Mutex::new(());
    PLAYING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// CPU time is counted in steps of 10 ms; one step of error at each end.
const STEPS: Duration = Duration::from_millis(20);

/// The slowest first answer and the slowest later one, by wall clock and by CPU time. Too much CPU time fails the test.
fn slowest(seed: u64, times: &[[Duration; 2]]) -> [[Duration; 2]; 2] {
    let [first, later] = [&times[..1], &times[1..]]
        .map(|part| [0, 1].map(|clock| part.iter().map(|times| times[clock]).max().unwrap_or_default()));
    assert!(first[1] < Duration::from_millis(1000) + STEPS, "seed {seed}: {first:?}");
    assert!(later[1] < Duration::from_millis(100) + STEPS, "seed {seed}: {later:?}");
    [first, later]
}

/// By the wall clock, one game in time is enough, because a busy machine can delay any answer. By CPU time, every
/// answer of every game must be in time: a bot that thinks too long uses too much of it.
#[test]
fn it_wins_against_chance_and_answers_in_time() {
    let _alone = alone();
    let mut late = Vec::new();
    for seed in 0..8 {
        let mut bot = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        let (result, times) = game(bot.args(["uttt", "codingame"]), seed, seed % 2 == 0);
        assert_eq!(result, 1, "seed {seed}: it does not lose to chance");
        let [first, later] = slowest(seed, &times);
        if first[0] < Duration::from_millis(1000) && later[0] < Duration::from_millis(100) {
            return;
        }
        late.push((first[0], later[0]));
    }
    panic!("first and slowest later answers: {late:?}");
}

const QUICK: [&str; 5] = ["codingame", "--time", "10ms", "--first-time", "10ms"];

#[test]
fn what_it_does_not_understand_it_answers_from_the_list() {
    // First an illegal move of the opponent, then a list that contradicts the rules.
    for input in ["4 4\n1\n3 3\n", "-1 -1\n2\n7 7\n8 8\n"] {
        let ended = ninefold("uttt", &QUICK, input);
        let listed = input.lines().nth(2).unwrap();
        let answers = String::from_utf8(ended.stdout).unwrap();
        assert_eq!(answers.lines().next(), Some(listed), "{input}");
        assert!(ended.status.success() && String::from_utf8_lossy(&ended.stderr).contains("from the list"), "{input}");
    }
    let ended = ninefold("uttt", &QUICK, "0 0\n1\n8 8\n5 5\n1\n2 2\n");
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), "8 8\n2 2\n", "and goes on like that");
}

#[test]
fn the_list_may_be_left_out() {
    let ended = ninefold("uttt", &QUICK, "4 4\n0\n");
    let answer = String::from_utf8(ended.stdout).unwrap();
    let numbers: Vec<usize> = answer.split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert!(numbers.len() == 2 && numbers.iter().all(|number| (3..6).contains(number)), "{answer}");
}

#[test]
fn input_that_is_none_is_refused_where_it_is_wrong() {
    for (input, line) in [
        ("x", 1),
        ("0", 1),
        ("0 9\n0\n", 1),
        ("-1 0\n0\n", 1),
        ("-1 -1\n82\n", 2),
        ("-1 -1\n-1\n", 2),
        ("-1 -1\n1\n9 9\n", 3),
        ("-1 -1\n2\n0 0\n", 3),
        ("-1 -1\n99999999999999999999\n", 2),
        ("4\n4\n1\n3\u{0}\n", 4),
    ] {
        let ended = ninefold("uttt", &QUICK, input);
        let message = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{input:?}: {message}");
        assert!(message.contains(&format!("line {line} of the input")), "{input:?}: {message}");
    }
    assert!(ninefold("uttt", &QUICK, "").status.success(), "nothing asked, nothing answered");
}

/// Compiles a source as the arena does.
fn compiled(folder: &Folder, name: &str, source: &str) -> String {
    let (file, program) = (folder.write(&format!("{name}.rs"), source), folder.path(name));
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let ended = Command::new(rustc).args(["-O", "--edition", "2021", "-o", &program, &file]).output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{}", String::from_utf8_lossy(&ended.stderr));
    program
}

#[test]
fn the_bundle_wins_against_chance_and_answers_in_time() {
    let folder = Folder::new();
    let file = folder.path("bot.rs");
    let ended = ninefold("uttt", &["bundle", "--output", &file], "");
    let report = String::from_utf8(ended.stdout).unwrap();
    let source = std::fs::read_to_string(&file).unwrap();
    assert!(ended.status.success() && report.contains(&format!("of 100,000, {}", source.len() / 1000)), "{report}");
    assert_eq!(ninefold("uttt", &["bundle"], "").stdout, source.as_bytes());

    let program = compiled(&folder, "bot", &source);
    let _alone = alone();
    for (seed, bot_first) in [(0, true), (1, false)] {
        let (result, times) = game(&mut Command::new(&program), seed, bot_first);
        assert_eq!(result, 1, "seed {seed}");
        slowest(seed, &times);
    }
    // The same with less time, for more games.
    let hasty = source
        .replace("FIRST_TURN_MS: u64 = 1000", "FIRST_TURN_MS: u64 = 100")
        .replace("TURN_MS: u64 = 100;", "TURN_MS: u64 = 15;");
    let hasty = compiled(&folder, "hasty", &hasty);
    let results: Vec<i32> = (2..12).map(|seed| game(&mut Command::new(&hasty), seed, seed % 2 == 0).0).collect();
    assert!(results.iter().filter(|&&result| result == 1).count() >= 9, "{results:?}");

    for (input, words) in [
        ("x", "`x` where a number should be"),
        ("0", "ends in the middle of a turn"),
        ("-1 -1\n2\n0 0\n", "ends in the middle of a turn"),
        ("0 9\n0\n", "row 0 and column 9"),
        ("-1 -1\n1\n-3 4\n", "row -3 and column 4"),
        ("-1 -1\n99999999999999999999\n", "where a number should be"),
        ("-1 -1\n82\n", "82 is not a number of moves"),
        ("-1 -1\n-1\n", "-1 is not a number of moves"),
        ("4 4\n0\n4 4\n0\n", "4 4 is not a legal move here"),
    ] {
        let mut child =
            Command::new(&hasty).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let ended = child.wait_with_output().unwrap();
        let message = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{input:?}: {message}");
        assert!(message.contains(words) && message.lines().count() == 1, "{input:?}: {message}");
    }
}
