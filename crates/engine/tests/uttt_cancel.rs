//! Every long call ends soon after another thread raises the cancel flag.
#![cfg(target_os = "linux")]

use grid::simd::Isa;
use ninefold_engine::uttt::{Accept, Evaluation, Player, Position, Rules, SearchKind, Settings, Solver};
use ninefold_engine::{Control, Error, Stop};
use oracle::cancel::cancelled;
use std::time::Duration;

/// Raises the flag after 300 ms.
fn cancel_in_the_middle(name: &str, call: impl FnOnce(&Control<'_>)) {
    cancel(name, 1, call);
}

fn cancel(name: &str, threads: usize, call: impl FnOnce(&Control<'_>)) {
    let delay = Duration::from_millis(300);
    cancelled(name, delay, |flag| call(&Control::new().threads(threads).cancel(flag)));
}

/// An early middle game that nobody solves in a second.
fn hopeless() -> Position {
    let mut position = Position::START;
    for mv in ["ee", "ea", "ae", "ei", "ie", "eb", "be", "eh", "he"] {
        position = Rules::Standard.play_unchecked(&position, Rules::Standard.read_move(&position, mv).unwrap());
    }
    position
}

#[test]
fn the_solver() {
    let position = hopeless();
    for threads in [1, 2] {
        let mut solver = Solver::new(Rules::Standard, 64 << 20).unwrap();
        cancel(&format!("solve, {threads} threads"), threads, |control| {
            let found = solver.solve(&position, control);
            assert!(!found.complete && found.value.outcome.is_none() && found.nodes > 1000);
        });
    }
    let mut solver = Solver::new(Rules::Standard, 64 << 20).unwrap();
    let cancelled = |error: Error| assert!(matches!(error, Error::Stopped(Stop::Cancelled)), "{error}");
    cancel_in_the_middle("every move", |control| assert!(!solver.analyse_moves(&position, control).complete));
    cancel_in_the_middle("value", |control| cancelled(solver.value(&position, control).unwrap_err()));
    cancel_in_the_middle("line", |control| cancelled(solver.line(&position, control).unwrap_err()));
}

/// Writing a proof down, which takes longer than the proof when the table has lost entries.
#[test]
fn the_certificate() {
    let text = include_str!("../../../oracle/data/uttt_hard.txt").lines().find_map(|line| line.strip_suffix(" L"));
    let position = Rules::Standard.read(text.unwrap(), Accept::Reachable).unwrap();
    let mut solver = Solver::new(Rules::Standard, 32 << 20).unwrap();
    solver.value(&position, &Control::new()).unwrap();
    cancel_in_the_middle("certify", |control| {
        // Whole certificates, one after another, until the flag is up.
        while control.stop().is_none() {
            let result = solver.certify(&position, control);
            assert!(matches!(result, Ok(_) | Err(Error::Stopped(Stop::Cancelled))), "{result:?}");
        }
    });
}

#[test]
fn the_player() {
    for search in [SearchKind::Mcts, SearchKind::Uct, SearchKind::AlphaBeta] {
        for evaluation in [Evaluation::Playouts, Evaluation::HandMade] {
            let settings = Settings { search, evaluation, ..Settings::default() };
            let mut player = Player::new(settings, 64 << 20).unwrap();
            for position in [Position::START, hopeless()] {
                cancel_in_the_middle(&format!("{search:?} {evaluation:?}"), |control| {
                    assert!(player.analyse(&position, 81, control).best().is_some());
                });
            }
        }
    }
}

#[test]
fn perft() {
    for depth in [9, 12] {
        cancel_in_the_middle(&format!("perft {depth}"), |control| {
            let counted = Rules::Standard.divide(Isa::detect(), &Position::START, depth, control);
            assert_eq!(counted, Err(Stop::Cancelled));
        });
    }
}
