//! Times of the kernels: leaves per second on each layout and by masks, random games per second, endgame tests.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grid::simd::{Isa, Simd, dispatch};
use grid::{Game, Rng};
use ninefold_uttt::kernel::published::endgame_vectors;
use ninefold_uttt::kernel::{Lanes, Layout, Playout, one_by_one, perft, playouts};
use ninefold_uttt::{Position, Standard, Uttt};
use std::hint::black_box;

const LEAVES: [u64; 10] = [1, 81, 720, 6336, 55080, 473256, 4020960, 33782544, 281067408, 2317018992];

fn start() -> Position {
    Uttt::<Standard>::default().start()
}

fn leaves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("uttt perft 7, one by one");
    group.throughput(Throughput::Elements(LEAVES[7])).sample_size(10);
    for layout in Layout::ALL {
        for isa in Isa::available() {
            group.bench_function(BenchmarkId::new(format!("{layout:?}"), isa), |bencher| {
                bencher.iter(|| assert_eq!(one_by_one::<Standard>(isa, layout, black_box(&start()), 7), LEAVES[7]));
            });
        }
    }
    group.finish();
    let mut group = criterion.benchmark_group("uttt perft 8, two plies by masks");
    group.throughput(Throughput::Elements(LEAVES[8])).sample_size(10);
    for isa in Isa::available() {
        group.bench_function(BenchmarkId::from_parameter(isa), |bencher| {
            bencher.iter(|| assert_eq!(perft::<Standard>(isa, black_box(&start()), 8), LEAVES[8]));
        });
    }
    group.finish();
}

fn games(criterion: &mut Criterion) {
    const GAMES: u64 = 20_000;
    let mut group = criterion.benchmark_group("uttt random games");
    group.throughput(Throughput::Elements(GAMES)).sample_size(10);
    for kind in [Playout::Uniform, Playout::TakeWins] {
        for isa in Isa::available() {
            group.bench_function(BenchmarkId::new(format!("{kind:?}"), isa), |bencher| {
                bencher.iter(|| {
                    let tally = playouts::<Standard>(isa, kind, black_box(&start()), GAMES, &mut Rng::new(1));
                    assert_eq!(tally.results.iter().sum::<u64>(), GAMES);
                    tally.moves
                });
            });
        }
    }
    group.finish();
}

/// Positions of random games, one from each, with at least 30 stones.
fn middle_games() -> Vec<Lanes> {
    let game = Uttt::<Standard>::default();
    let mut rng = Rng::new(3);
    let mut positions = Vec::new();
    while positions.len() < 1024 {
        let mut position = game.start();
        let plies = 30 + rng.below(20);
        for _ in 0..plies {
            let Some(mv) = rng.pick(game.moves(&position)) else { break };
            position = game.play_unchecked(&position, mv);
        }
        if !game.is_over(&position) {
            positions.push(Lanes::new::<Standard>(&position));
        }
    }
    positions
}

/// The forms of the same tests: which boards can be won, and which with one move, for both players.
fn endgame_tests(criterion: &mut Criterion) {
    type Test = fn(Isa, &[Lanes]) -> u64;
    fn digest(sets: [endgame_vectors::Sets; 2]) -> u64 {
        sets.iter().flatten().fold(0, |digest, set| digest << 16 | u64::from(set.bits()))
    }
    fn vectors(isa: Isa, positions: &[Lanes]) -> u64 {
        #[inline(always)]
        fn all<S: Simd>(simd: S, positions: &[Lanes]) -> u64 {
            simd.vectorize(
                #[inline(always)]
                || {
                    let both = |position| {
                        digest([endgame_vectors::winnable(simd, position), endgame_vectors::threatened(simd, position)])
                    };
                    positions.iter().map(both).fold(0, u64::wrapping_add)
                },
            )
        }
        dispatch!(isa.level(), simd => all(simd, positions))
    }
    fn masks(_: Isa, positions: &[Lanes]) -> u64 {
        let both = |position| {
            digest([
                endgame_vectors::winnable_by_masks(position),
                endgame_vectors::threatened_by_masks::<Standard>(position),
            ])
        };
        positions.iter().map(both).fold(0, u64::wrapping_add)
    }
    fn boards(_: Isa, positions: &[Lanes]) -> u64 {
        positions.iter().map(|position| digest(endgame_vectors::both_by_boards(position))).fold(0, u64::wrapping_add)
    }
    /// What the solver uses instead: the boards in which the opponent could win the game with one move.
    fn critical(_: Isa, positions: &[Lanes]) -> u64 {
        let critical = |position: &Lanes| u64::from(position.critical::<Standard>(1 - position.mover()).bits());
        positions.iter().map(critical).fold(0, u64::wrapping_add)
    }
    let positions = middle_games();
    let expected = masks(Isa::Scalar, &positions);
    let mut group = criterion.benchmark_group("uttt endgame tests");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let forms: [(&str, Test); 4] = [("vectors", vectors), ("masks", masks), ("boards", boards), ("critical", critical)];
    for (name, test) in forms {
        let levels = if name == "vectors" { Isa::available().collect() } else { vec![Isa::Scalar] };
        for isa in levels {
            group.bench_function(BenchmarkId::new(name, isa), |bencher| {
                let answer = test(isa, &positions);
                assert!(name == "critical" || answer == expected, "{name}");
                bencher.iter(|| assert_eq!(test(isa, black_box(&positions)), answer));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, leaves, games, endgame_tests);
criterion_main!(benches);
