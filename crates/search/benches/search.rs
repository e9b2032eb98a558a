//! Times of the table and the searches. `cargo bench -p ninefold-search`; read them as ratios within one run.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use grid::simd::{Isa, Simd, dispatch, matches};
use grid::{Facts, Game, Player, Rng, Versus, mix};
use ninefold_search::alphabeta::Unguided;
use ninefold_search::playout::{Policy, TakeWins, Uniform};
use ninefold_search::proof::{Alike, Mobility};
use ninefold_search::{AlphaBeta, BestFirst, Budget, DepthFirst, Exact, Hashed, Mcts, Question, Table, perft};
use oracle::tictactoe::TicTacToe;
use std::hint::{black_box, select_unpredictable};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A bucket of the table: four checks, four data words.
type Bucket = [AtomicU64; 8];

/// The table's own way.
#[inline(always)]
fn no_branch(bucket: &Bucket, key: u64) -> u64 {
    (0..4).rev().fold(0, |found, place| {
        let data = bucket[4 + place].load(Relaxed);
        select_unpredictable(bucket[place].load(Relaxed) ^ data == key, data, found)
    })
}

#[inline(always)]
fn early_exit(bucket: &Bucket, key: u64) -> u64 {
    for place in 0..4 {
        let data = bucket[4 + place].load(Relaxed);
        if bucket[place].load(Relaxed) ^ data == key {
            return data;
        }
    }
    0
}

#[inline(always)]
fn vector<S: Simd>(simd: S, bucket: &Bucket, key: u64) -> u64 {
    let data: [u64; 4] = std::array::from_fn(|place| bucket[4 + place].load(Relaxed));
    let keys = std::array::from_fn(|place| bucket[place].load(Relaxed) ^ data[place]);
    let places = matches(simd, keys, key);
    select_unpredictable(places != 0, data[places.trailing_zeros() as usize & 3], 0)
}

/// Three ways to find a key in a bucket. Full buckets, half of the probes hit, and keys never repeat, so that no branch can
/// be learned.
fn probe(criterion: &mut Criterion) {
    const PROBES: u64 = 1 << 14;
    for (name, bytes) in [("16 KiB", 16 << 10), ("256 MiB", 256 << 20)] {
        let buckets: Vec<Bucket> = (0..bytes as u64 / 64)
            .map(|index| {
                let mut words = [0; 8];
                for place in 0..4 {
                    let data = mix(8 * index + place) | 1;
                    words[4 + place as usize] = data;
                    words[place as usize] = mix(8 * index + place) ^ data;
                }
                words.map(AtomicU64::new)
            })
            .collect();
        // A bucket, and a place in it or (as often) none.
        let wanted = |draw: u64| {
            let draw = mix(draw) % (8 * buckets.len() as u64);
            (&buckets[draw as usize / 8], mix(draw))
        };
        let expected = (0..PROBES).map(wanted).fold(0_u64, |sum, (bucket, key)| sum ^ early_exit(bucket, key));
        assert_ne!(expected, 0);

        let mut group = criterion.benchmark_group(format!("probe, {name}"));
        group.throughput(Throughput::Elements(PROBES));
        let mut run = |name: String, sum: &dyn Fn(Range<u64>) -> u64| {
            assert_eq!(sum(0..PROBES), expected);
            let mut first = 0;
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    first += PROBES;
                    sum(black_box(first..first + PROBES))
                });
            });
        };
        run("no branch".into(), &|draws| draws.map(wanted).fold(0, |sum, (bucket, key)| sum ^ no_branch(bucket, key)));
        run("early exit".into(), &|draws| {
            draws.map(wanted).fold(0, |sum, (bucket, key)| sum ^ early_exit(bucket, key))
        });
        for isa in Isa::available() {
            run(format!("vector, {isa}"), &|draws| {
                dispatch!(isa.level(), simd => simd.vectorize(
                    #[inline(always)]
                    || draws.map(wanted).fold(0, |sum, (bucket, key)| sum ^ vector(simd, bucket, key)),
                ))
            });
        }
        group.finish();
    }
}

fn tictactoe(criterion: &mut Criterion) {
    let (game, start, budget, isa) = (&TicTacToe, TicTacToe.start(), Budget::default(), Isa::detect());
    let mut group = criterion.benchmark_group("tic-tac-toe");
    group.bench_function("alpha-beta", |bencher| {
        bencher.iter(|| {
            let table = Table::<Exact, _>::with_mib(1).unwrap();
            let answer = AlphaBeta::new(game, Unguided, &table).solve(black_box(&start), &budget, isa);
            assert!(answer.value == 0 && answer.report.proved);
        });
    });
    let question = Question { player: Player::First, at_least: 1 };
    group.bench_function("depth-first proof numbers", |bencher| {
        bencher.iter(|| {
            let table = Table::<Exact, _>::with_mib(1).unwrap();
            let search = DepthFirst { game, hint: Alike, table: &table };
            assert_eq!(search.ask(black_box(&start), question, &budget, isa).answer, Some(false));
        });
    });
    group.bench_function("best-first proof numbers", |bencher| {
        bencher.iter(|| {
            let table = Table::<Exact, _>::with_mib(1).unwrap();
            let search = BestFirst { game, hint: Mobility, table: &table, pool_bytes: 1 << 20 };
            assert_eq!(search.ask(black_box(&start), question, &budget, isa).unwrap().answer, Some(false));
        });
    });
    group.bench_function("monte-carlo", |bencher| {
        bencher.iter(|| {
            let mut tree = Mcts::<_, _, true>::new(game, Uniform, black_box(start), 4 << 20, 7).unwrap();
            let answer = tree.search(&budget, isa);
            assert!(answer.report.proved && answer.lower == 0 && answer.upper == 0);
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("tic-tac-toe, counting");
    group.throughput(Throughput::Elements(200_448));
    group.bench_function("perft 8, every move played", |bencher| {
        bencher.iter(|| assert_eq!(perft::every(game, black_box(&start), 8, isa), 200_448));
    });
    group.bench_function("perft 8, last ply counted", |bencher| {
        bencher.iter(|| assert_eq!(perft::bulk(game, black_box(&start), 8, isa), 200_448));
    });
    group.finish();

    let mut group = criterion.benchmark_group("tic-tac-toe, playout");
    group.bench_function("uniform", |bencher| {
        let mut rng = Rng::new(1);
        bencher.iter(|| assert!(game.is_over(&Uniform.play_out(game, black_box(&start), &mut rng))));
    });
    group.bench_function("take wins", |bencher| {
        let mut rng = Rng::new(1);
        bencher.iter(|| assert!(game.is_over(&TakeWins.play_out(game, black_box(&start), &mut rng))));
    });
    group.finish();
}

/// A game whose positions never meet again, so that every probe misses the cache: the worst case of a table.
#[derive(Clone, Copy)]
struct Wide;

impl Game for Wide {
    type Position = (u32, u64);
    type Move = u8;
    type Moves = Range<u8>;
    const FACTS: Facts = Facts { name: "wide", longest_game: 12, most_moves: 6 };
    fn start(&self) -> (u32, u64) {
        (0, 1)
    }
    #[inline]
    fn moves(&self, position: &(u32, u64)) -> Range<u8> {
        0..if position.0 == 12 { 0 } else { 6 }
    }
    #[inline]
    fn play_unchecked(&self, position: &(u32, u64), mv: u8) -> (u32, u64) {
        (position.0 + 1, mix(position.1 ^ u64::from(mv)))
    }
    #[inline]
    fn hash(&self, position: &(u32, u64)) -> u64 {
        position.1
    }
}

impl Versus for Wide {
    const BEST: i32 = 100;
    #[inline]
    fn mover(&self, position: &(u32, u64)) -> Player {
        if position.0.is_multiple_of(2) { Player::First } else { Player::Second }
    }
    #[inline]
    fn result(&self, position: &(u32, u64)) -> Option<i32> {
        (position.0 == 12).then_some((position.1 % 201) as i32 - 100)
    }
}

/// Positions opened in a table far larger than the cache: each opens six buckets nobody has touched.
fn wide(criterion: &mut Criterion) {
    const OPENED: u64 = 300_000;
    let table = Table::<Hashed, _>::with_mib(256).unwrap();
    let search = DepthFirst { game: &Wide, hint: Alike, table: &table };
    let question = Question { player: Player::First, at_least: 1 };
    let mut group = criterion.benchmark_group("wide tree, 256 MiB");
    group.sample_size(10).throughput(Throughput::Elements(OPENED));
    let mut seed = 0;
    group.bench_function("depth-first proof numbers", |bencher| {
        bencher.iter(|| {
            seed += 1;
            let answer = search.ask(&(0, black_box(seed)), question, &Budget::nodes(OPENED), Isa::detect());
            assert!(answer.report.nodes == OPENED || answer.report.proved);
        });
    });
    group.finish();
}

criterion_group!(benches, probe, tictactoe, wide);
criterion_main!(benches);
