//! Leaves a second made one by one on each layout, leaves a second counted by masks, random games a second.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grid::simd::Isa;
use grid::{Game, Rng};
use ninefold_uttt::kernel::{Layout, Playout, one_by_one, perft, playouts};
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

criterion_group!(benches, leaves, games);
criterion_main!(benches);
