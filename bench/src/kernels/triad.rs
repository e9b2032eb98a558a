//! The kernels of Triple Triad: placements on each board, with the games of the headline figures, and the solver.

use crate::headline::triad::{GAMES, deal, games, groups, on_batch, on_fast, on_naive, on_published, on_scalar};
use crate::{Kernel, Round};
use engine::Control;
use engine::triad::Solver;
use grid::simd::{Isa, dispatch};
use grid::{Game, Rng};
use std::hint::black_box;
use triad::kernel::batch::Batch;
use triad::{Deal, Edition, Move, Position, Rules, Setup};

pub(super) const KERNELS: &[Kernel] = &[
    Kernel { name: "triad/place(published,scalar)", by_level: false, prepare: |isa| on(isa, scalar) },
    Kernel { name: "triad/place(published)", by_level: true, prepare: |isa| on(isa, published) },
    Kernel { name: "triad/place(tables)", by_level: true, prepare: |isa| on(isa, fast) },
    Kernel { name: "triad/place(batch)", by_level: true, prepare: batch },
    Kernel { name: "triad/solve(basic)", by_level: true, prepare: |isa| positions(isa, "-") },
    Kernel { name: "triad/solve(same,plus)", by_level: true, prepare: |isa| positions(isa, "same,plus") },
];

fn scalar(_: Isa, deal: &Deal, games: &[[Move; 9]]) -> u64 {
    on_scalar(deal, games)
}

fn published(isa: Isa, deal: &Deal, games: &[[Move; 9]]) -> u64 {
    dispatch!(isa.level(), simd => on_published(simd, deal, games))
}

fn fast(isa: Isa, deal: &Deal, games: &[[Move; 9]]) -> u64 {
    dispatch!(isa.level(), simd => on_fast(simd, deal, games))
}

/// The items are placements.
fn on(isa: Isa, work: fn(Isa, &Deal, &[[Move; 9]]) -> u64) -> Round {
    let deal = deal();
    let games = games(&deal);
    let expected = on_naive(&deal, &games);
    Round { items: 9 * GAMES, expected, work: Box::new(move || work(isa, &deal, black_box(&games))) }
}

/// The items are placements.
fn batch(isa: Isa) -> Round {
    let deal = deal();
    let games = games(&deal);
    let (batch, groups) = (Batch::new(&deal), groups(&games));
    let work = move || dispatch!(isa.level(), simd => on_batch(simd, &batch, black_box(&groups)));
    Round { items: 9 * GAMES, expected: on_naive(&deal, &games), work: Box::new(work) }
}

/// Solves positions with seven cards to play. The items are positions visited.
fn positions(isa: Isa, rules: &str) -> Round {
    let rules = Rules::read(rules, Edition::Ff8).expect("rules of the game");
    let deal = Deal::new(&Setup { rules, ..*deal().setup() }).expect("a deal");
    let mut rng = Rng::new(7);
    let positions: Vec<Position> = (0..8)
        .map(|_| {
            let mut position = deal.start();
            for _ in 0..2 {
                position = deal.play_unchecked(&position, rng.pick(deal.moves(&position)).expect("a move"));
            }
            position
        })
        .collect();
    let nodes = move |isa| {
        let (mut solver, control) = (Solver::new(isa), Control::new());
        let value = |position: &Position| solver.value(&deal, position, &control).expect("no limit");
        black_box(black_box(&positions).iter().map(value).sum::<u32>());
        control.nodes()
    };
    let expected = nodes(Isa::Scalar);
    Round { items: expected as usize, expected, work: Box::new(move || nodes(isa)) }
}
