//! Tests of `ninefold uttt codingame`, run as the arena runs it.

#![allow(missing_docs, reason = "a test")]

mod common;

use api::uttt::{Accept, Move, Position, Rules};
use common::{cpu_time, ninefold};
use grid::Rng;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RULES: Rules = Rules::CodinGame;

fn start() -> Position {
    RULES.read("9/9/9/9/9/9/9/9/9 X 0 -", Accept::Reachable).unwrap()
}

fn place(mv: &Move) -> String {
    let (row, column) = mv.row_and_column();
    format!("{row} {column}")
}

/// Plays a game against a random opponent, as the arena does, and returns the wall-clock and CPU time of each answer.
/// Every answer must be legal.
fn game(seed: u64, bot_first: bool) -> Vec<[Duration; 2]> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(["uttt", "codingame"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
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
    assert_eq!(result, if bot_first { 1 } else { -1 }, "seed {seed}: it does not lose to chance");
    drop(input);
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{}", String::from_utf8_lossy(&ended.stderr));
    times
}

/// By the wall clock, one game in time is enough, because a busy machine can delay any answer. By CPU time, every
/// answer of every game must be in time: a bot that thinks too long uses too much of it.
#[test]
fn it_wins_against_chance_and_answers_in_time() {
    /// CPU time is counted in steps of 10 ms; one step of error at each end.
    const STEPS: Duration = Duration::from_millis(20);
    let mut slowest = Vec::new();
    for seed in 0..8 {
        let times = game(seed, seed % 2 == 0);
        let [first, later] = [&times[..1], &times[1..]]
            .map(|part| [0, 1].map(|clock| part.iter().map(|times| times[clock]).max().unwrap_or_default()));
        assert!(first[1] < Duration::from_millis(1000) + STEPS, "seed {seed}: {first:?}");
        assert!(later[1] < Duration::from_millis(100) + STEPS, "seed {seed}: {later:?}");
        if first[0] < Duration::from_millis(1000) && later[0] < Duration::from_millis(100) {
            return;
        }
        slowest.push((first[0], later[0]));
    }
    panic!("first and slowest later answers: {slowest:?}");
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
