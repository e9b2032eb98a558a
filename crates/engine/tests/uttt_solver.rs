//! The solver against the published endgames and against brute force on the naive model.

use grid::simd::Isa;
use grid::{Game, Notation, Rng, Versus};
use ninefold_engine::uttt::certificate::Refused;
use ninefold_engine::uttt::solve::{Limits, Solver, signature};
use ninefold_engine::uttt::{Rules, Value};
use oracle::uttt_endgame::Endgame;
use oracle::{uttt as naive, uttt_proof};
use std::time::Duration;
use uttt::{Accept, CodinGame, Open, Position, Rule, Standard, Uttt};

fn solver(rules: Rules) -> Solver {
    Solver::new(rules, Limits { memory: 64 << 20, ..Limits::default() }).unwrap()
}

/// Value and optimal moves.
type Expected = (Value, Vec<String>);

/// Position and what is expected, under the standard rule and under CodinGame's.
fn endgames() -> Vec<(String, [Expected; 2])> {
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

/// The value of the position and of its moves by trying everything on the naive rules.
fn brute_force<R: Rule>(position: &Position) -> Endgame {
    let game = naive::Uttt(match Rules::named(R::NAME).unwrap() {
        Rules::Standard => naive::Rule::Standard,
        Rules::CodinGame => naive::Rule::CodinGame,
        Rules::Open => naive::Rule::Open,
    });
    Endgame::new(game, game.read_position(&format!("{position:?}")).unwrap())
}

/// A position of random play with 4 to `most` squares that may still be marked.
fn random_endgame<R: Rule>(rng: &mut Rng, most: u32) -> Position {
    let game = Uttt::<R>::GAME;
    loop {
        let mut position = game.start();
        let target = 4 + rng.below(most - 3);
        while let Some(mv) = rng.pick(game.moves(&position)) {
            position = game.play_unchecked(&position, mv);
            if position.empties::<R>() <= target && !game.is_over(&position) {
                return position;
            }
        }
    }
}

fn endgames_against_brute_force<R: Rule>(count: u64) {
    let mut values = [0; 3];
    let rules = Rules::named(R::NAME).unwrap();
    let mut solver = solver(rules);
    for seed in 0..count {
        let position = random_endgame::<R>(&mut Rng::new(grid::mix(seed ^ 0xb007)), 14);
        let mut endgame = brute_force::<R>(&position);
        let best = endgame.value();
        let shown = format!("{} seed {seed}: {position:?}", R::NAME);
        let solution = solver.solve(&position, &mut |_| {});
        assert_eq!(solution.value, Some([Value::L, Value::D, Value::W][(best + 1) as usize]), "{shown}");
        let letter = |number: usize| (b'a' + number as u8) as char;
        let keeps = endgame.moves().into_iter().filter(|&(_, value)| value == best);
        let optimal: Vec<_> =
            keeps.map(|((board, square), _)| format!("{}{}", letter(board), letter(square))).collect();
        assert_eq!(solution.optimal, optimal, "{shown}");
        values[(best + 1) as usize] += 1;
    }
    assert!(values.iter().all(|&seen| seen > count / 20), "all three values occur: {values:?}");
}

/// Endgames for each rule.
const ENDGAMES: u64 = 10_000;

#[test]
fn random_endgames_agree_with_brute_force_standard() {
    endgames_against_brute_force::<Standard>(ENDGAMES);
}

#[test]
fn random_endgames_agree_with_brute_force_codingame() {
    endgames_against_brute_force::<CodinGame>(ENDGAMES);
}

#[test]
fn random_endgames_agree_with_brute_force_open() {
    endgames_against_brute_force::<Open>(ENDGAMES);
}

/// A middle game of 41 empties that takes some hundred thousand positions.
fn hard() -> String {
    "X;..@OOXO..;...X.X.XO/O....OX.O/..O.X.X../.O.XOO.OO/O.OO..O../.X.XX.XX./X.OXXOOOO/O...XOX../.X.XX.X..".to_owned()
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
    assert!(whole.proved && whole.nodes > 1_000, "{whole:?}");

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

/// Hard positions with their values.
fn hard_suite() -> Vec<(Position, Value)> {
    let lines = include_str!("../../../oracle/data/uttt_hard.txt").lines().filter(|line| !line.starts_with('#'));
    let value = |letter: &str| [Value::W, Value::D, Value::L].into_iter().find(|value| format!("{value:?}") == letter);
    let parse = |line: &str| {
        let (text, letter) = line.split_once(' ')?;
        Some((Rules::Standard.read(text, Accept::Reachable).ok()?, value(letter)?))
    };
    lines.map(|line| parse(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

/// Saving in the middle stops the threads, writes and goes on; what is written serves another solver.
#[test]
fn a_long_search_saves_itself_now_and_then() {
    let folder = std::env::temp_dir().join(format!("ninefold-uttt-autosave-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("state");
    let (position, value) = hard_suite().into_iter().nth(4).unwrap();
    let limits = Limits { memory: 16 << 20, threads: 2, ..Limits::default() };
    let mut first = Solver::new(Rules::Standard, limits).unwrap();
    first.save_every(&path, Duration::from_millis(150));
    let mut nodes = 0;
    assert_eq!(first.value(&position, &mut |at| nodes = at.nodes), Ok(value));
    let mut second = solver(Rules::Standard);
    second.resume(&path).unwrap();
    let mut again = 0;
    assert_eq!(second.value(&position, &mut |at| again = at.nodes), Ok(value));
    assert!(again < nodes || nodes == 0, "{again} of {nodes}");
    // A place that cannot be written to does not end the search.
    let mut third = solver(Rules::Standard);
    third.save_every(&folder.join("no such folder").join("state"), Duration::from_millis(150));
    assert_eq!(third.value(&position, &mut |_| {}), Ok(value));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_certificate_that_does_not_fit_is_refused() {
    let (text, _) = &endgames()[0];
    let position = Rules::Standard.read(text, Accept::Reachable).unwrap();
    let mut solver = Solver::new(Rules::Standard, Limits { memory: 640, ..Limits::default() }).unwrap();
    let refused = solver.certify(&position, &mut |_| {}).unwrap_err();
    assert_eq!(refused, Refused::TooLarge(4));
    assert!(refused.to_string().contains("more than 4 positions"));
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

/// Two threads at long proofs: at two questions, then both at the one that is left, and one move each.
#[test]
fn threads_prove_what_the_checker_accepts() {
    let hard = include_str!("../../../oracle/data/uttt_hard.txt").lines().filter(|line| line.ends_with(" L"));
    for line in hard {
        let text = line.strip_suffix(" L").unwrap();
        let position = Rules::Standard.read(text, Accept::Reachable).unwrap();
        let limits = Limits { memory: 128 << 20, threads: 2, ..Limits::default() };
        let mut threads = Solver::new(Rules::Standard, limits).unwrap();
        assert_eq!(threads.value(&position, &mut |_| {}), Ok(Value::L), "{text}");
        // The other side's view is won: every move that wins, by two threads and by one.
        let reply = Uttt::<Standard>::GAME.play_unchecked(&position, position.moves::<Standard>().next().unwrap());
        let (two, one) = (threads.solve(&reply, &mut |_| {}), solver(Rules::Standard).solve(&reply, &mut |_| {}));
        assert_eq!((two.value, &two.optimal), (Some(Value::W), &one.optimal), "{text}");
        let certificate = threads.certify(&position, &mut |_| {}).unwrap();
        assert_eq!(uttt_proof::verify(&certificate.body).map(|verified| verified.value), Ok(-1), "{text}");
    }
}

#[test]
fn a_line_never_gives_anything_away() {
    let mut solver = solver(Rules::Standard);
    for (text, answers) in endgames().iter().step_by(30) {
        let mut position = Rules::Standard.read(text, Accept::Reachable).unwrap();
        let line = solver.line(&position, &mut |_| {}).0.unwrap();
        let game = uttt::Uttt::<uttt::Standard>::default();
        let mover = position.mover().sign();
        for mv in line {
            position = game.play(&position, mv).unwrap();
        }
        let result = game.result(&position).unwrap() * mover;
        assert_eq!([Value::L, Value::D, Value::W][(result + 1) as usize], answers[0].0, "{text}");
    }
}

/// Certificates of endgames are accepted by the checker, with the value of the suite.
#[test]
fn certificates_convince_the_checker() {
    for (column, rules) in [Rules::Standard, Rules::CodinGame].into_iter().enumerate() {
        let mut solver = solver(rules);
        for (text, answers) in endgames().iter().step_by(6) {
            let position = rules.read(text, Accept::Reachable).unwrap();
            let certificate = solver.certify(&position, &mut |_| {}).unwrap();
            let verified = uttt_proof::verify(&certificate.body).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
            let value = [Value::L, Value::D, Value::W][(verified.value + 1) as usize];
            assert_eq!((value, certificate.value), (answers[column].0, answers[column].0), "{text}");
            assert_eq!(&verified.position, text);
        }
    }
    let mut solver = solver(Rules::Open);
    for seed in 0..50 {
        let position = random_endgame::<Open>(&mut Rng::new(seed), 14);
        let value = brute_force::<Open>(&position).value();
        let certificate = solver.certify(&position, &mut |_| {}).unwrap();
        assert_eq!(uttt_proof::verify(&certificate.body).map(|verified| verified.value), Ok(value), "{position:?}");
    }
}

/// A table of one cache line forgets nearly everything: the proof is found again and is still right.
#[test]
fn a_tiny_table_is_slow_and_not_wrong() {
    let limits = Limits { memory: 64, ..Limits::default() };
    let mut solver = Solver::new(Rules::Standard, limits).unwrap();
    for seed in 0..100 {
        let position = random_endgame::<Standard>(&mut Rng::new(seed), 12);
        let value = brute_force::<Standard>(&position).value();
        let [loss, draw, win] = [Value::L, Value::D, Value::W];
        assert_eq!(solver.value(&position, &mut |_| {}), Ok([loss, draw, win][(value + 1) as usize]), "{position:?}");
        let line = solver.line(&position, &mut |_| {}).0.unwrap();
        let end = line.iter().fold(position, |position, &mv| Uttt::<Standard>::GAME.play(&position, mv).unwrap());
        let result = Uttt::<Standard>::GAME.result(&end).unwrap() * position.mover().sign();
        assert_eq!(result, value, "{position:?} {line:?}");
    }
}

/// A certificate with any byte changed proves the same or nothing, never something else; cut short, nothing.
#[test]
fn a_damaged_certificate_proves_nothing_else() {
    let (text, answers) = &endgames()[0];
    let position = Rules::Standard.read(text, Accept::Reachable).unwrap();
    let body = solver(Rules::Standard).certify(&position, &mut |_| {}).unwrap().body;
    assert_eq!(answers[0].0, Value::D);
    let mut refused = 0;
    for at in 0..body.len() {
        assert!(uttt_proof::verify(&body[..at]).is_err(), "cut at {at}");
        for change in [1, 2, 16] {
            let mut damaged = body.clone();
            damaged[at] ^= change;
            match uttt_proof::verify(&damaged) {
                Err(refusal) => {
                    refused += 1;
                    assert!(refusal.at <= body.len());
                }
                // Another move of the strategy may do as well, and another position may be a draw, too.
                Ok(verified) => assert!(verified.value == 0 || verified.position != *text, "byte {at}"),
            }
        }
    }
    assert!(refused > body.len(), "{refused} of {}", 3 * body.len());
}

#[test]
fn the_signature_is_the_same_on_every_instruction_set() {
    let counts: Vec<_> = Isa::available().map(signature).collect();
    assert!(counts[0] > 10_000 && counts.iter().all(|&count| count == counts[0]), "{counts:?}");
}
