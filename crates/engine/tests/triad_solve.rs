//! The solver against the naive model: every rule mix, late positions, every move; and the same nodes on every
//! instruction set.

#[path = "../../triad/tests/common/mod.rs"]
mod common;

extern crate triad as ninefold_triad;

use grid::simd::Isa;
use grid::{Game, Rng};
use ninefold_engine::triad::{Solver, chances, expected};
use oracle::laws::{Model, Plan, position_text};
use oracle::triad::Table;
use triad::{Deal, Position, Rule, Setup};

/// A position with `left` empty cells, by random play.
fn random_position(deal: &Deal, left: usize, rng: &mut Rng) -> Position {
    let mut position = deal.start();
    while position.free().len() > left {
        let mv = rng.pick(deal.moves(&position)).unwrap();
        position = deal.play_unchecked(&position, mv);
    }
    position
}

#[test]
fn every_move_of_late_positions_has_the_naive_value() {
    let mut solvers: Vec<Solver> = Isa::available().map(Solver::new).collect();
    let games = Plan { seed: 7, games: 1500 }.scaled().games;
    for number in 0..games {
        let mut rng = Rng::new(grid::mix(7 ^ u64::from(number)));
        let deal = Deal::new(&common::random_setup(&mut rng)).unwrap();
        let position = random_position(&deal, 1 + number as usize % 4, &mut rng);
        let text = position_text(&deal, &position);
        let naive = Table::read(&text);
        let value = naive.value();
        let mut nodes = Vec::new();
        for solver in &mut solvers {
            let solution = solver.solve(&deal, &position);
            assert_eq!(solution.value as i32, value, "seed 7, game {number}: {text}");
            nodes.push((solution.nodes, solution.moves));
            // The line is legal and ends with the value.
            let end = solution.line.iter().fold(position, |position, mv| deal.play(&position, *mv).unwrap());
            assert_eq!((end.free().len(), end.score()), (0, solution.value), "seed 7, game {number}: {text}");
        }
        for mv in &nodes[0].1 {
            let after = naive.after(mv.mv.card().into(), mv.mv.cell().index());
            assert_eq!(mv.value as i32, after.value(), "seed 7, game {number}, {}: {text}", mv.mv);
        }
        assert!(nodes.iter().all(|other| *other == nodes[0]), "the same nodes everywhere: {text}");
    }
}

#[test]
fn chaos_has_the_naive_expectation() {
    for number in 0..60 {
        let mut rng = Rng::new(grid::mix(9 ^ number));
        let setup = common::random_setup(&mut rng);
        if !Rule::ChaosA.is_of(setup.rules.edition()) {
            continue;
        }
        let rules = setup.rules.set(Rule::OrderA, false).set(Rule::OrderB, false).with(Rule::ChaosA);
        let (rules, names) = if number % 2 == 0 { (rules, "a") } else { (rules.with(Rule::ChaosB), "ab") };
        let deal = Deal::new(&Setup { rules, ..setup }).unwrap();
        let position = random_position(&deal, 4, &mut rng);
        let naive = Table::read(&position_text(&deal, &position)).chaotic_value(names);
        assert!((expected(&deal, &position) - naive).abs() < 1e-9, "seed 9, game {number}");
        // Every move, and the same with a card drawn.
        let solution = chances(Isa::detect(), None, &deal, &position);
        let table = Table::read(&position_text(&deal, &position));
        for (mv, value) in &solution.moves {
            let after = table.after(mv.card().into(), mv.cell().index()).chaotic_value(names);
            assert!((value - after).abs() < 1e-9, "seed 9, game {number}, {mv}");
        }
        assert!(solution.best.iter().all(|mv| solution.moves.iter().any(|known| known.0 == *mv)));
        let card = (0..10).find(|card| deal.hand(&position, deal.turn(&position)) >> card & 1 != 0).unwrap();
        if let Some(drawn) = deal.draw(&position, card) {
            let naive = Table::read(&position_text(&deal, &drawn)).chaotic_value(names);
            assert!((expected(&deal, &drawn) - naive).abs() < 1e-9, "seed 9, game {number}, {card} drawn");
        }
    }
}

#[test]
fn the_signature_is_the_same_everywhere() {
    let wanted = ninefold_engine::triad::signature(Isa::Scalar);
    assert!(wanted > 100_000);
    for isa in Isa::available() {
        assert_eq!(ninefold_engine::triad::signature(isa), wanted, "{isa}");
    }
}
