//! Times of the table and the searches. `cargo bench -p ninefold-search`; read them as ratios within one run.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use grid::simd::{Isa, Simd, dispatch};
use grid::{ExactKey, Facts, Game, Goal, Player, Rng, mix};
use ninefold_search::alphabeta::Unguided;
use ninefold_search::playout::{Policy, TakeWins, Uniform};
use ninefold_search::proof::{Alike, Mobility};
use ninefold_search::table::{Exact, Key, Keying, Record};
use ninefold_search::{AlphaBeta, BestFirst, Budget, DepthFirst, Mcts, Question, Table, perft};
use oracle::tictactoe::TicTacToe;
use std::hint::black_box;

/// Positions that are nothing but a number.
struct Numbers;

impl Game for Numbers {
    type Position = u64;
    type Move = ();
    type Moves = std::iter::Empty<()>;
    const FACTS: Facts =
        Facts { name: "numbers", goal: Goal::Counted, hidden: false, chance: false, longest_game: 0, most_moves: 0 };

    fn start(&self) -> u64 {
        0
    }

    fn moves(&self, _: &u64) -> Self::Moves {
        std::iter::empty()
    }

    fn play_unchecked(&self, position: &u64, (): ()) -> u64 {
        *position
    }

    fn hash(&self, position: &u64) -> u64 {
        mix(*position)
    }
}

impl ExactKey for Numbers {
    const KEY_BITS: u32 = 64;

    fn key(&self, position: &u64) -> u64 {
        *position
    }
}

#[derive(Clone, Copy)]
struct Low(u64);

impl Record for Low {
    fn pack(self) -> u64 {
        self.0
    }

    fn unpack(word: u64) -> Self {
        Low(word)
    }
}

/// Half the probes hit. A full table, so that every probe looks at four live entries or stops at one of them.
fn probe(criterion: &mut Criterion) {
    for (name, bytes) in [("16 KiB", 16 << 10), ("256 MiB", 256 << 20)] {
        let table = Table::<Exact, Low>::with_bytes(bytes).unwrap();
        let numbers = 2 * table.entries() as u64;
        for position in 0..numbers {
            table.store(Exact::key(&Numbers, &position), 1, Low(position & 0xffff));
        }
        let mut rng = Rng::new(4);
        let keys: Vec<_> = (0..1 << 14).map(|_| Exact::key(&Numbers, &(rng.next_word() % (2 * numbers)))).collect();
        let expected = keys.iter().filter_map(|key| table.probe(*key)).fold(0, |sum, (low, _)| sum + low.0);
        assert!(expected > 0);

        let mut group = criterion.benchmark_group(format!("probe, {name}"));
        group.throughput(Throughput::Elements(keys.len() as u64));
        let mut run = |name: String, sum: &dyn Fn(&[Key<Exact>]) -> u64| {
            assert_eq!(sum(&keys), expected);
            group.bench_function(name, |bencher| bencher.iter(|| sum(black_box(&keys))));
        };
        run("scalar, early exit".into(), &|keys| {
            keys.iter().filter_map(|key| table.probe(*key)).fold(0, |sum, (low, _)| sum + low.0)
        });
        for isa in Isa::available() {
            run(format!("vector, {isa}"), &|keys| dispatch!(isa.level(), simd => vector(simd, &table, keys)));
        }
        group.finish();
    }
}

#[inline(always)]
fn vector<S: Simd>(simd: S, table: &Table<Exact, Low>, keys: &[Key<Exact>]) -> u64 {
    simd.vectorize(
        #[inline(always)]
        || keys.iter().filter_map(|key| table.probe_vector(simd, *key)).fold(0, |sum, (low, _)| sum + low.0),
    )
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

criterion_group!(benches, probe, tictactoe);
criterion_main!(benches);
