//! Search on rectangles: what it proves is what the solved game says, and it beats random play.

use cephalopods::rectangle::{Area, Placement, Rectangle};
use cephalopods::{Aim, Duel, Move};
use grid::simd::Isa;
use grid::{Cell, CellSet, Game, Notation, Player, Rng, Versus};
use ninefold_engine::cephalopods::{duel::Solver, rectangle::analyse};
use ninefold_engine::{Certainty, Control};
use std::time::Duration;

fn control(nodes: u64, depth: Option<u32>) -> Control<'static> {
    let control = Control::new().node_limit(nodes);
    if let Some(depth) = depth { control.depth_limit(depth) } else { control }
}

/// A move of a 3x3 rectangle as a move of the solved game.
fn duel_move(game: &Rectangle, area: &Area, mv: Placement) -> Move {
    let captured = area.occupied() & !game.play_unchecked(area, mv).occupied();
    Move::new(Cell::ALL[mv.cell()], CellSet::from_bits(captured as u16))
}

fn played(game: &Rectangle, rng: &mut Rng, moves: u32) -> Area {
    let mut area = game.start();
    for _ in 0..moves {
        let Some(mv) = rng.pick(game.moves(&area)) else { break };
        area = game.play_unchecked(&area, mv);
    }
    area
}

#[test]
fn what_is_proved_on_three_by_three_is_what_the_solver_says() {
    let seed = 77;
    let mut rng = Rng::new(seed);
    let mut exact = 0;
    for aim in Aim::ALL {
        let (game, mut solver) = (Rectangle::new(3, 3, aim).unwrap(), Solver::new(aim, Isa::detect()));
        for number in 0..60 {
            let area = played(&game, &mut rng, 25 + number % 12);
            let mut text = String::new();
            game.write_position(&area, &mut text).unwrap();
            let stand = Duel { aim }.read_position(&text.replace('/', "")).unwrap();
            for depth in [None, Some(30)] {
                let found = analyse(&game, &area, &control(20_000, depth), seed, Isa::detect()).unwrap();
                assert!(found.value.score.abs() <= 1.0);
                assert_eq!(found.best().is_none(), game.is_over(&area), "{text}");
                if let Some(outcome) = found.value.outcome {
                    exact += 1;
                    let expected = solver.value(&stand, &Control::new()).unwrap();
                    assert_eq!(outcome, expected, "seed {seed}: {text} {depth:?}");
                    let hashed = matches!(found.value.certainty, Certainty::Hashed { error } if error < 1e-6);
                    assert_eq!(hashed, depth.is_some() && !game.is_over(&area), "{found:?}");
                }
                for line in found.lines.iter().filter(|line| line.value.certainty.is_certain()) {
                    let next = Duel { aim }.play(&stand, duel_move(&game, &area, line.mv)).unwrap();
                    let expected = solver.value(&next, &Control::new()).unwrap().reversed();
                    assert_eq!(line.value.outcome, Some(expected), "seed {seed}: {text} {depth:?}");
                }
            }
        }
    }
    assert!(exact > 150, "{exact}");
}

#[test]
fn search_beats_random_play_on_three_by_five() {
    let game = Rectangle::new(3, 5, Aim::Majority).unwrap();
    for depth in [None, Some(3)] {
        let (mut rng, mut won) = (Rng::new(5), 0);
        for number in 0..12 {
            let mut area = game.start();
            let us = if number % 2 == 0 { Player::First } else { Player::Second };
            while !game.is_over(&area) {
                let mv = if area.mover() == us {
                    analyse(&game, &area, &control(400, depth), number, Isa::detect()).unwrap().best().unwrap()
                } else {
                    rng.pick(game.moves(&area)).unwrap()
                };
                area = game.play_unchecked(&area, mv);
            }
            won += i32::from(game.result(&area) == Some(us.sign()));
        }
        assert!(won >= 10, "{depth:?}: {won} of 12");
    }
}

#[test]
fn a_search_without_any_budget_still_names_a_move() {
    let game = Rectangle::new(5, 5, Aim::Majority).unwrap();
    for control in [
        Control::new().node_limit(0),
        Control::new().time_limit(Duration::ZERO),
        Control::new().depth_limit(0),
        control(0, Some(1)),
    ] {
        let found = analyse(&game, &game.start(), &control, 1, Isa::detect()).unwrap();
        assert!(found.best().is_some() && !found.complete && found.value.outcome.is_none(), "{control:?}");
    }
}

#[test]
fn slices_of_time_do_not_change_a_search_with_a_node_limit() {
    let game = Rectangle::new(3, 5, Aim::Majority).unwrap();
    let analysis = || analyse(&game, &game.start(), &control(60_000, None), 7, Isa::detect()).unwrap();
    let first = analysis();
    assert_eq!(first.nodes, 60_000);
    assert_eq!(analysis(), first);
}

#[test]
fn memory_that_is_not_there_is_an_error() {
    let game = Rectangle::new(5, 5, Aim::Majority).unwrap();
    for depth in [None, Some(3)] {
        let control = control(10, depth).memory_limit(usize::MAX / 4);
        let error = analyse(&game, &game.start(), &control, 1, Isa::detect()).unwrap_err();
        assert_eq!(error.field(), "limits.memory_mib", "{error}");
    }
}
