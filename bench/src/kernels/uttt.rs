//! The kernels of Ultimate Tic-Tac-Toe: making moves, counting by masks, random games, endgame tests, the solver.

use crate::{Kernel, Round};
use engine::uttt::signature;
use grid::simd::{Isa, Simd, dispatch};
use grid::{Game, Rng};
use std::hint::black_box;
use uttt::kernel::{Lanes, Layout, Playout, nine, one_by_one, perft, playouts};
use uttt::{Position, Standard, Uttt};

pub(super) const KERNELS: &[Kernel] = &[
    Kernel { name: "uttt/perft(position)", by_level: true, prepare: |isa| one_by_one_on(isa, Layout::WriteUp) },
    Kernel { name: "uttt/perft(lanes)", by_level: true, prepare: |isa| one_by_one_on(isa, Layout::Lanes) },
    Kernel { name: "uttt/perft(masks)", by_level: true, prepare: by_masks },
    Kernel { name: "uttt/playout", by_level: true, prepare: random_games },
    Kernel { name: "uttt/nine(vectors)", by_level: true, prepare: endgame_tests_by_vectors },
    Kernel { name: "uttt/nine(masks)", by_level: false, prepare: endgame_tests_by_masks },
    Kernel { name: "uttt/nine(boards)", by_level: false, prepare: endgame_tests_by_boards },
    Kernel { name: "uttt/solve", by_level: true, prepare: endgames },
];

/// Leaves at depth 4 and 5 from the start, known from public suites.
const LEAVES: [u64; 2] = [55_080, 473_256];

fn one_by_one_on(isa: Isa, layout: Layout) -> Round {
    let work = move || one_by_one::<Standard>(isa, layout, black_box(&Position::START), 4);
    Round { items: LEAVES[0] as usize, expected: LEAVES[0], work: Box::new(work) }
}

fn by_masks(isa: Isa) -> Round {
    let work = move || perft::<Standard>(isa, black_box(&Position::START), 5);
    Round { items: LEAVES[1] as usize, expected: LEAVES[1], work: Box::new(work) }
}

/// The items are moves.
fn random_games(isa: Isa) -> Round {
    let moves =
        |isa| playouts::<Standard>(isa, Playout::TakeWins, black_box(&Position::START), 200, &mut Rng::new(1)).moves;
    let expected = moves(Isa::Scalar);
    Round { items: expected as usize, expected, work: Box::new(move || moves(isa)) }
}

/// Positions of random games with at least 30 stones.
fn middle_games() -> Vec<Lanes> {
    let game = Uttt::<Standard>::GAME;
    let mut rng = Rng::new(3);
    let mut positions = Vec::new();
    while positions.len() < 512 {
        let mut position = game.start();
        for _ in 0..30 + rng.below(20) {
            let Some(mv) = rng.pick(game.moves(&position)) else { break };
            position = game.play_unchecked(&position, mv);
        }
        if !game.is_over(&position) {
            positions.push(Lanes::new::<Standard>(&position));
        }
    }
    positions
}

/// Which boards can be won and which by one stone, as a number.
fn digest(sets: [nine::Sets; 2]) -> u64 {
    sets.iter().flatten().fold(0, |digest, set| digest << 16 | u64::from(set.bits()))
}

fn by_masks_alone(position: &Lanes) -> u64 {
    digest([nine::winnable_by_masks(position), nine::threatened_by_masks::<Standard>(position)])
}

fn sum(positions: &[Lanes], test: impl Fn(&Lanes) -> u64) -> u64 {
    positions.iter().map(test).fold(0, u64::wrapping_add)
}

fn endgame_tests_by_vectors(isa: Isa) -> Round {
    #[inline(always)]
    fn all<S: Simd>(simd: S, positions: &[Lanes]) -> u64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let test =
                    |position: &Lanes| digest([nine::winnable(simd, position), nine::threatened(simd, position)]);
                positions.iter().map(test).fold(0, u64::wrapping_add)
            },
        )
    }
    let positions = middle_games();
    let expected = sum(&positions, by_masks_alone);
    let work = move || dispatch!(isa.level(), simd => all(simd, black_box(&positions)));
    Round { items: 512, expected, work: Box::new(work) }
}

fn endgame_tests_by_masks(_: Isa) -> Round {
    let positions = middle_games();
    let expected = sum(&positions, |position| digest(nine::both_by_boards(position)));
    Round { items: 512, expected, work: Box::new(move || sum(black_box(&positions), by_masks_alone)) }
}

fn endgame_tests_by_boards(_: Isa) -> Round {
    let positions = middle_games();
    let expected = sum(&positions, by_masks_alone);
    let work = move || sum(black_box(&positions), |position| digest(nine::both_by_boards(position)));
    Round { items: 512, expected, work: Box::new(work) }
}

/// The items are positions visited.
fn endgames(isa: Isa) -> Round {
    let expected = signature(Isa::Scalar);
    Round { items: expected as usize, expected, work: Box::new(move || signature(isa)) }
}
