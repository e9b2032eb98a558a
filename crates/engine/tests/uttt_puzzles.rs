//! Puzzles of Ultimate Tic-Tac-Toe: the shipped ones and the maker.

#![allow(missing_docs, reason = "a test")]

use grid::{Rng, Sym, Symmetric};
use ninefold_engine::uttt::puzzles::{HARDEST, shipped};
use ninefold_engine::uttt::{Puzzle, Puzzles, Rules, Solver};
use ninefold_engine::{Control, Error, Outcome, Stop};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use uttt::{Standard, Uttt};

fn solver(rules: Rules) -> Solver {
    Solver::new(rules, 16 << 20).expect("16 MiB")
}

/// `ninefold uttt puzzles --check` proves all of them.
#[test]
fn a_sample_of_the_shipped_puzzles_holds() {
    let (puzzles, mut rng) = (shipped(), Rng::new(17));
    let (mut solver, control) = (solver(Rules::Standard), Control::new());
    for _ in 0..60 {
        let puzzle = rng.pick(puzzles.iter()).unwrap();
        assert!(puzzle.holds(&mut solver, &control).unwrap(), "{puzzle}");
        let other = Rules::Standard.moves(&puzzle.position).into_iter().find(|&mv| mv != puzzle.mv).unwrap();
        let wrong = [
            Puzzle { mv: other, ..*puzzle },
            Puzzle { outcome: if puzzle.outcome == Outcome::Win { Outcome::Draw } else { Outcome::Win }, ..*puzzle },
        ];
        for wrong in wrong {
            assert!(!wrong.holds(&mut solver, &control).unwrap(), "{wrong}");
        }
    }
}

#[test]
fn the_shipped_puzzles_differ_and_have_all_grades() {
    let puzzles = shipped();
    assert_eq!(puzzles.len(), 500);
    let mut met = HashSet::new();
    for puzzle in &puzzles {
        assert!(!met.contains(&puzzle.position), "an image of another one: {puzzle}");
        met.extend(Sym::ALL.map(|sym| Uttt::<Standard>::default().map(&puzzle.position, sym)));
        assert!(Rules::Standard.moves(&puzzle.position).len() >= 4, "{puzzle}");
    }
    for grade in 1..=HARDEST {
        let count = puzzles.iter().filter(|puzzle| puzzle.grade == grade).count();
        assert!((20..=100).contains(&count), "grade {grade}: {count}");
    }
    for outcome in [Outcome::Win, Outcome::Draw] {
        assert!(puzzles.iter().filter(|puzzle| puzzle.outcome == outcome).count() > 100, "{outcome:?}");
    }
}

#[test]
fn a_seed_makes_the_same_puzzles_and_they_hold() {
    for rules in Rules::ALL {
        let make = |seed| {
            let mut maker = Puzzles::new(rules, seed, 16 << 20).unwrap();
            (0..3).map(|_| maker.make(&Control::new()).unwrap()).collect::<Vec<_>>()
        };
        let puzzles = make(5);
        assert_eq!(puzzles, make(5));
        assert_ne!(puzzles, make(6));
        let mut solver = solver(rules);
        for puzzle in &puzzles {
            // Every other move is worse, each by a proof of its own.
            let every_move = solver.analyse_moves(&puzzle.position, &Control::new());
            assert!(every_move.complete);
            for line in &every_move.lines {
                let outcome = line.value.outcome.unwrap();
                assert!(
                    if line.mv == puzzle.mv { outcome == puzzle.outcome } else { outcome < puzzle.outcome },
                    "{puzzle}"
                );
            }
            assert_eq!(Puzzle::read(rules, &puzzle.to_string()).as_ref(), Ok(puzzle));
        }
    }
}

#[test]
fn a_limit_or_the_cancel_flag_stops_the_maker() {
    let mut maker = Puzzles::new(Rules::Standard, 1, 1 << 20).unwrap();
    let cancelled = Control::new().cancel(Arc::new(AtomicBool::new(true)));
    assert!(matches!(maker.make(&cancelled), Err(Error::Stopped(Stop::Cancelled))));
    let short = Control::new().node_limit(100);
    assert!(matches!(maker.make(&short), Err(Error::Stopped(Stop::Nodes))));
    assert!(maker.make(&Control::new()).is_ok(), "it goes on afterwards");
}

#[test]
fn a_bad_line_is_refused_at_its_place() {
    let line = shipped()[0].to_string();
    let words: Vec<&str> = line.split(' ').collect();
    let at = |line: &str| Puzzle::read(Rules::Standard, line).unwrap_err().at;
    let start = |number: usize| words[..number].iter().map(|word| word.len() + 1).sum::<usize>();
    let with = |number: usize, word: &str| {
        let mut words = words.clone();
        words[number] = word;
        words.join(" ")
    };
    assert_eq!(at(""), 0);
    assert_eq!(at(&with(0, "Z")), 0);
    assert_eq!(at(&with(1, "zz")), start(1));
    assert_eq!(at(&with(2, "loss")), start(2));
    for grade in ["0", "10", "-1", "many"] {
        assert_eq!(at(&with(3, grade)), start(3), "{grade}");
    }
    assert_eq!(at(words[0]), words[0].len());
    assert_eq!(at(&format!("{line} more")), line.len() + 1);
}
