//! Search on rectangles: what it calls exact is what the solved game says, and it plays better than luck.

use cephalopods::rectangle::{Area, Rectangle};
use cephalopods::{Aim, Duel};
use grid::simd::Isa;
use grid::{Game, Notation, Player, Rng, Versus};
use ninefold_engine::cephalopods::{duel::Solver, rectangle::analyse};
use search::Budget;
use std::time::Duration;

fn played(game: &Rectangle, rng: &mut Rng, moves: u32) -> Area {
    let mut area = game.start();
    for _ in 0..moves {
        let Some(mv) = rng.pick(game.moves(&area)) else { break };
        area = game.play_unchecked(&area, mv);
    }
    area
}

#[test]
fn what_is_exact_on_three_by_three_is_what_the_table_says() {
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
            for budget in [Budget::nodes(20_000), Budget { depth: Some(30), ..Budget::nodes(20_000) }] {
                let found = analyse(&game, &area, &budget, seed, Isa::detect()).unwrap();
                assert!(found.value.abs() <= 1.0);
                assert_eq!(found.best.is_none(), game.is_over(&area), "{text}");
                if found.exact {
                    exact += 1;
                    assert_eq!(found.value, f64::from(solver.value(&stand)), "seed {seed}: {text} {budget:?}");
                }
            }
        }
    }
    assert!(exact > 150, "{exact}");
}

#[test]
fn search_beats_luck_on_three_by_five() {
    let game = Rectangle::new(3, 5, Aim::Majority).unwrap();
    for depth in [None, Some(3)] {
        let (mut rng, mut won) = (Rng::new(5), 0);
        for number in 0..12 {
            let mut area = game.start();
            let us = if number % 2 == 0 { Player::First } else { Player::Second };
            while !game.is_over(&area) {
                let mv = if area.mover() == us {
                    let budget = Budget { depth, ..Budget::nodes(400) };
                    let best = analyse(&game, &area, &budget, number, Isa::detect()).unwrap().best.unwrap();
                    game.read_move(&area, &best).unwrap()
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
fn a_budget_of_nothing_still_names_a_move() {
    let game = Rectangle::new(5, 5, Aim::Majority).unwrap();
    for budget in [
        Budget::nodes(0),
        Budget::time(Duration::ZERO),
        Budget::depth(0),
        Budget { depth: Some(1), ..Budget::nodes(0) },
    ] {
        let found = analyse(&game, &game.start(), &budget, 1, Isa::detect());
        assert!(found.unwrap().best.is_some(), "{budget:?}");
    }
}
