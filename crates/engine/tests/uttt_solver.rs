//! The solver against the published endgames and against brute force on the naive model.

use grid::{Game, Notation, Rng, Versus};
use ninefold_engine::uttt::solve::{Limits, Solver};
use ninefold_engine::uttt::{Rules, Value};
use oracle::uttt as naive;
use std::collections::HashMap;
use uttt::{Accept, Position};

fn solver(rules: Rules) -> Solver {
    Solver::new(rules, Limits { memory: 64 << 20, ..Limits::default() }).unwrap()
}

/// Position, value, optimal moves; under the standard rule and under CodinGame's.
fn endgames() -> Vec<(String, [(Value, Vec<String>); 2])> {
    let value = |letter: &str| match letter {
        "W" => Value::W,
        "D" => Value::D,
        "L" => Value::L,
        other => panic!("{other} is no value"),
    };
    let lines = include_str!("../../../oracle/data/uttt_endgames.txt").lines().filter(|line| !line.starts_with('#'));
    let answer = |v: &str, moves: &str| (value(v), moves.split(',').map(str::to_owned).collect());
    lines
        .map(|line| {
            let columns: Vec<_> = line.split(' ').collect();
            (columns[0].to_owned(), [answer(columns[1], columns[2]), answer(columns[3], columns[4])])
        })
        .collect()
}

#[test]
fn all_endgames_of_the_suite_under_both_rules() {
    let endgames = endgames();
    assert_eq!(endgames.len(), 300);
    let mut changed = 0;
    for (column, rules) in [Rules::Standard, Rules::CodinGame].into_iter().enumerate() {
        let mut solver = solver(rules);
        for (text, answers) in &endgames {
            let position = rules.read(text, Accept::Reachable).unwrap();
            let solution = solver.solve(&position, &mut |_| {});
            assert!(solution.proved);
            assert_eq!((solution.value, &solution.optimal), (Some(answers[column].0), &answers[column].1), "{text}");
            changed += usize::from(column == 0 && answers[0].0 != answers[1].0);
        }
    }
    assert_eq!(changed, 72, "the two rules differ where the suite says");
}

/// The value for the mover by trying everything, each position once.
fn brute_force(game: &naive::Uttt, state: &naive::State, known: &mut HashMap<naive::State, i32>) -> i32 {
    if let Some(result) = game.result(state) {
        return result * state.mover.sign();
    }
    if let Some(&value) = known.get(state) {
        return value;
    }
    let after = |(board, square)| game.after(state, board, square);
    let value = game.legal(state).into_iter().map(|mv| -brute_force(game, &after(mv), known)).max().unwrap();
    known.insert(*state, value);
    value
}

/// A position of random play with at most `most` squares that may still be marked.
fn random_endgame(game: &naive::Uttt, rng: &mut Rng, most: usize) -> naive::State {
    loop {
        let mut state = game.start();
        let target = 4 + rng.below(most as u32 - 3) as usize;
        while let Some(mv) = rng.pick(game.moves(&state)) {
            state = game.play_unchecked(&state, mv);
            let playable = (0..9).filter(|&board| game.is_playable(&state, board));
            let empties: usize =
                playable.map(|board| state.squares[board].iter().filter(|square| square.is_none()).count()).sum();
            if empties <= target && game.result(&state).is_none() {
                return state;
            }
        }
    }
}

/// 10,000 endgames in the long run of `cargo xtask test`, which sets `NINEFOLD_LONG`; 1,500 otherwise.
#[test]
fn random_endgames_against_brute_force() {
    let count = if std::env::var_os("NINEFOLD_LONG").is_some() { 10_000 } else { 1_500 };
    let rules = [
        (Rules::Standard, naive::Rule::Standard),
        (Rules::CodinGame, naive::Rule::CodinGame),
        (Rules::Open, naive::Rule::Open),
    ];
    let mut values = [0; 3];
    for (rules, rule) in rules {
        let (game, mut solver) = (naive::Uttt(rule), solver(rules));
        for number in 0..count / 3 + 1 {
            let seed = 0xb007 + number;
            let state = random_endgame(&game, &mut Rng::new(grid::mix(seed)), 14);
            let mut known = HashMap::new();
            let best = brute_force(&game, &state, &mut known);
            let mut text = String::new();
            game.write_position(&state, &mut text).unwrap();
            let position = rules.read(&text, Accept::Reachable).unwrap();
            let solution = solver.solve(&position, &mut |_| {});
            let expected = [Value::L, Value::D, Value::W][(best + 1) as usize];
            assert_eq!(solution.value, Some(expected), "{rules:?} seed {seed}: {text}");
            let keeps = |&(board, square): &(usize, usize)| {
                -brute_force(&game, &game.after(&state, board, square), &mut known) == best
            };
            let name = |(board, square): (usize, usize)| {
                format!("{}{}", (b'a' + board as u8) as char, (b'a' + square as u8) as char)
            };
            let optimal: Vec<_> = game.legal(&state).into_iter().filter(keeps).map(name).collect();
            assert_eq!(solution.optimal, optimal, "{rules:?} seed {seed}: {text}");
            values[(best + 1) as usize] += 1;
        }
    }
    assert!(values.iter().all(|&seen| seen > count / 20), "all three values occur: {values:?}");
}

/// The endgames of the suite with most empties are the last ones.
fn hard() -> String {
    endgames().into_iter().map(|(text, _)| text).next_back().unwrap()
}

#[test]
fn limits_end_a_search_and_a_saved_state_goes_on() {
    let folder = std::env::temp_dir().join(format!("ninefold-uttt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("state");
    let text = hard();
    let position: Position = Rules::Standard.read(&text, Accept::Reachable).unwrap();
    let mut whole = solver(Rules::Standard);
    let whole = whole.solve(&position, &mut |_| {});
    assert!(whole.proved && whole.nodes > 5_000, "{whole:?}");

    let limits = Limits { memory: 64 << 20, nodes: Some(whole.nodes / 2), ..Limits::default() };
    let mut first = Solver::new(Rules::Standard, limits).unwrap();
    let stopped = first.solve(&position, &mut |_| {});
    assert!(!stopped.proved && stopped.nodes <= whole.nodes / 2 + 2048, "{stopped:?}");
    first.save(&path).unwrap();

    let mut second = solver(Rules::Standard);
    second.resume(&path).unwrap();
    let resumed = second.solve(&position, &mut |_| {});
    assert_eq!((resumed.value, &resumed.optimal), (whole.value, &whole.optimal));
    assert!(resumed.nodes < whole.nodes * 4 / 5, "{} of {}", resumed.nodes, whole.nodes);

    let other = solver(Rules::Open).resume(&path).unwrap_err().to_string();
    assert!(other.contains("open rule"), "{other}");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let damaged = solver(Rules::Standard).resume(&path).unwrap_err().to_string();
    assert!(damaged.contains("checksum"), "{damaged}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn threads_give_the_same_answers() {
    for rules in [Rules::Standard, Rules::CodinGame] {
        let limits = Limits { memory: 64 << 20, threads: 2, ..Limits::default() };
        let mut shared = Solver::new(rules, limits).unwrap();
        let mut single = solver(rules);
        for (text, _) in endgames().iter().skip(280) {
            let position = rules.read(text, Accept::Reachable).unwrap();
            let (one, two) = (single.solve(&position, &mut |_| {}), shared.solve(&position, &mut |_| {}));
            assert_eq!((one.value, one.optimal), (two.value, two.optimal), "{text}");
        }
    }
}

#[test]
fn a_line_never_gives_anything_away() {
    let mut solver = solver(Rules::Standard);
    for (text, answers) in endgames().iter().step_by(30) {
        let mut position = Rules::Standard.read(text, Accept::Reachable).unwrap();
        let line = solver.line(&position, &mut |_| {}).unwrap();
        let game = uttt::Uttt::<uttt::Standard>::default();
        let mover = position.mover().sign();
        for mv in line {
            position = game.play(&position, mv).unwrap();
        }
        let result = game.result(&position).unwrap() * mover;
        assert_eq!([Value::L, Value::D, Value::W][(result + 1) as usize], answers[0].0, "{text}");
    }
}
