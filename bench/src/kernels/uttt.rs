//! The kernels of Ultimate Tic-Tac-Toe: perft on both layouts and by masks, playouts, endgame tests, the solver, the network.

use crate::{Kernel, Round};
use engine::uttt::network::{Network, NetworkJudge};
use engine::uttt::signature;
use grid::simd::{Isa, Simd, dispatch};
use grid::{Game, Rng};
use search::best_first::Judge;
use std::hint::black_box;
use uttt::kernel::published::endgame_vectors;
use uttt::kernel::{Lanes, Layout, Playout, one_by_one, perft, playouts};
use uttt::{Position, Standard, Uttt};

pub(super) const KERNELS: &[Kernel] = &[
    Kernel { name: "uttt/perft(position)", by_level: true, prepare: |isa| one_by_one_on(isa, Layout::Position) },
    Kernel { name: "uttt/perft(lanes)", by_level: true, prepare: |isa| one_by_one_on(isa, Layout::Lanes) },
    Kernel { name: "uttt/perft(masks)", by_level: true, prepare: by_masks },
    Kernel { name: "uttt/playout", by_level: true, prepare: random_games },
    Kernel { name: "uttt/endgame(vectors)", by_level: true, prepare: endgame_tests_by_vectors },
    Kernel { name: "uttt/endgame(masks)", by_level: false, prepare: endgame_tests_by_masks },
    Kernel { name: "uttt/endgame(boards)", by_level: false, prepare: endgame_tests_by_boards },
    Kernel { name: "uttt/solve", by_level: true, prepare: endgames },
    Kernel { name: "uttt/network", by_level: true, prepare: judged_children },
];

/// Number of leaves at depths 4 and 5 from the start, from public perft suites.
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

/// The items are children, each judged once.
fn judged_children(isa: Isa) -> Round {
    #[inline(always)]
    fn all<S: Simd>(simd: S, judge: &NetworkJudge, positions: &[Position]) -> (u64, usize) {
        simd.vectorize(
            #[inline(always)]
            || {
                let (mut children, mut digest, mut count) = (Vec::new(), 0_u64, 0);
                for position in positions {
                    judge.judge(simd, Uttt::<Standard>::GAME, position, &mut children);
                    count += children.len();
                    let values = children.iter().map(|child| u64::from(child.value.to_bits()));
                    digest = values.fold(digest, u64::wrapping_add);
                }
                (digest, count)
            },
        )
    }
    let game = Uttt::<Standard>::GAME;
    let mut rng = Rng::new(7);
    let mut positions = Vec::new();
    while positions.len() < 512 {
        let mut position = game.start();
        for _ in 0..rng.below(40) {
            let Some(mv) = rng.pick(game.moves(&position)) else { break };
            position = game.play_unchecked(&position, mv);
        }
        positions.push(position);
    }
    let judge = NetworkJudge(Network::built_in());
    let (expected, items) = dispatch!(Isa::Scalar.level(), simd => all(simd, &judge, &positions));
    let work = move || dispatch!(isa.level(), simd => all(simd, &judge, black_box(&positions))).0;
    Round { items, expected, work: Box::new(work) }
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

/// The winnable and threatened boards as one number.
fn digest(sets: [endgame_vectors::Sets; 2]) -> u64 {
    sets.iter().flatten().fold(0, |digest, set| digest << 16 | u64::from(set.bits()))
}

fn by_masks_alone(position: &Lanes) -> u64 {
    digest([endgame_vectors::winnable_by_masks(position), endgame_vectors::threatened_by_masks::<Standard>(position)])
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
                let test = |position: &Lanes| {
                    digest([endgame_vectors::winnable(simd, position), endgame_vectors::threatened(simd, position)])
                };
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
    let expected = sum(&positions, |position| digest(endgame_vectors::both_by_boards(position)));
    Round { items: 512, expected, work: Box::new(move || sum(black_box(&positions), by_masks_alone)) }
}

fn endgame_tests_by_boards(_: Isa) -> Round {
    let positions = middle_games();
    let expected = sum(&positions, by_masks_alone);
    let work = move || sum(black_box(&positions), |position| digest(endgame_vectors::both_by_boards(position)));
    Round { items: 512, expected, work: Box::new(work) }
}

/// The items are positions visited.
fn endgames(isa: Isa) -> Round {
    let expected = signature(Isa::Scalar);
    Round { items: expected as usize, expected, work: Box::new(move || signature(isa)) }
}
