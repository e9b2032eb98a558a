//! Times of the kernels of `grid`: `cargo bench -p ninefold-grid`. Only ratios within one run are meaningful.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ninefold_grid::simd::{self, Isa, dispatch};
use ninefold_grid::{CellSet, Rng, Sym, lanes, spiral};
use std::hint::black_box;

fn sets() -> Vec<CellSet> {
    let mut rng = Rng::new(1);
    (0..4096).map(|_| CellSet::from_bits(rng.next_word() as u16)).collect()
}

/// Many independent sets: the throughput of a batch.
fn win_test_each(criterion: &mut Criterion) {
    let sets = sets();
    let expected = sets.iter().filter(|set| set.has_line_scalar()).count();
    let mut out = vec![false; sets.len()];
    let mut group = criterion.benchmark_group("win test, a batch");
    group.throughput(Throughput::Elements(sets.len() as u64));
    let mut run = |name: String, kernel: &mut dyn FnMut(&[CellSet], &mut [bool])| {
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| kernel(black_box(&sets), black_box(&mut out)));
        });
        assert_eq!(out.iter().filter(|won| **won).count(), expected);
    };
    run("table of 512 bits".into(), &mut |sets, out| {
        sets.iter().zip(out).for_each(|(set, won)| *won = set.has_line());
    });
    for isa in Isa::available() {
        run(format!("eight masks, {isa}"), &mut |sets, out| {
            dispatch!(isa.level(), simd => for (set, won) in sets.iter().zip(&mut *out) {
                *won = simd::has_line(simd, *set);
            });
        });
        run(format!("across sets, {isa}"), &mut |sets, out| {
            dispatch!(isa.level(), simd => simd::has_line_each(simd, sets, out));
        });
    }
    group.finish();
}

/// Each set depends on the answer for the one before it: the latency in a search.
fn win_test_chain(criterion: &mut Criterion) {
    let sets = sets();
    let mut group = criterion.benchmark_group("win test, a chain");
    group.throughput(Throughput::Elements(sets.len() as u64));
    let expected = chain(&sets, CellSet::has_line_scalar);
    let mut run = |name: String, kernel: &dyn Fn(&[CellSet]) -> usize| {
        assert_eq!(kernel(&sets), expected);
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| bencher.iter(|| kernel(black_box(&sets))));
    };
    run("table of 512 bits".into(), &|sets| chain(sets, CellSet::has_line));
    run("scalar".into(), &|sets| chain(sets, CellSet::has_line_scalar));
    for isa in Isa::available() {
        run(
            format!("eight masks, {isa}"),
            &|sets| dispatch!(isa.level(), simd => chain(sets, #[inline(always)] |set| simd::has_line(simd, set))),
        );
    }
    group.finish();
}

#[inline(always)]
fn chain(sets: &[CellSet], won: impl Fn(CellSet) -> bool) -> usize {
    (0..sets.len()).fold(0, |at, _| (at * 5 + 1 + usize::from(won(sets[at]))) & (sets.len() - 1))
}

fn symmetry(criterion: &mut Criterion) {
    let mut rng = Rng::new(2);
    let boards: Vec<_> = (0..4096).map(|_| rng.next_word() & 0o777_777_777).collect();
    let mut group = criterion.benchmark_group("least of eight images");
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("three exchanges each", |bencher| {
        bencher.iter(|| black_box(&boards).iter().map(|&b| least(|s| s.lanes::<3>(b))).fold(0, |a, b| a ^ b));
    });
    group.bench_function("spiral rotations", |bencher| {
        bencher.iter(|| {
            let images = |b: u64| {
                let (ring, mirrored) = (spiral::ring::<3>(b), spiral::mirrored_ring::<3>(b));
                least(|s| spiral::turned::<3>(if s.is_mirrored() { mirrored } else { ring }, u32::from(s.turns())))
            };
            black_box(&boards).iter().map(|&b| images(b)).fold(0, |a, b| a ^ b)
        });
    });
    group.bench_function("arrays of nine", |bencher| {
        let arrays: Vec<[u8; 9]> = boards.iter().map(|&b| std::array::from_fn(|c| (b >> (3 * c) & 7) as u8)).collect();
        bencher.iter(|| {
            let least = |items: [u8; 9]| Sym::ALL.iter().map(|s| s.array(items)).min();
            black_box(&arrays).iter().filter_map(|&items| least(items)).fold(0, |a, b| a ^ b[0])
        });
    });
    group.finish();
}

fn least(image: impl Fn(Sym) -> u64) -> u64 {
    Sym::ALL.into_iter().map(image).fold(u64::MAX, u64::min)
}

fn swar(criterion: &mut Criterion) {
    let mut rng = Rng::new(3);
    let pairs: Vec<_> = (0..4096).map(|_| [rng.next_word() & 0o777_777_777, rng.next_word() & 0o777_777_777]).collect();
    let one_by_one =
        |x: u64, y: u64| (0..9).fold(0, |word, c| word | ((x >> (3 * c) & 7) + (y >> (3 * c) & 7)).min(7) << (3 * c));
    assert!(pairs.iter().all(|&[x, y]| one_by_one(x, y) == lanes::add_saturate::<3>(x, y)));
    let mut group = criterion.benchmark_group("saturating add of nine lanes");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    group.bench_function("swar", |bencher| {
        bencher.iter(|| black_box(&pairs).iter().fold(0, |a, &[x, y]| a ^ lanes::add_saturate::<3>(x, y)));
    });
    group.bench_function("lane by lane", |bencher| {
        bencher.iter(|| black_box(&pairs).iter().fold(0, |a, &[x, y]| a ^ one_by_one(x, y)));
    });
    group.finish();
}

criterion_group!(benches, win_test_each, win_test_chain, symmetry, swar);
criterion_main!(benches);
