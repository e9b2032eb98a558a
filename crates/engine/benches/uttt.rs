//! The solver on the 300 endgames, value and every best move: nodes per second. The searches of the player: nodes per second.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grid::simd::Isa;
use ninefold_engine::Control;
use ninefold_engine::uttt::{Accept, Evaluation, Player, Position, Rules, SearchKind, Settings, Solver};
use std::hint::black_box;

/// The endgames of the suite with what is expected under a rule.
fn endgames(rules: Rules) -> Vec<(Position, String, String)> {
    let lines = include_str!("../../../oracle/data/uttt_endgames.txt").lines().filter(|line| !line.starts_with('#'));
    let first = if rules == Rules::Standard { 1 } else { 3 };
    let parse = |line: &str| {
        let columns: Vec<_> = line.split(' ').collect();
        let position = rules.read(columns[0], Accept::Reachable).expect("a position");
        (position, columns[first].to_owned(), columns[first + 1].to_owned())
    };
    lines.map(parse).collect()
}

/// Solves them all with a new table, and asserts every answer. Returns the number of nodes.
fn solve_all(rules: Rules, isa: Isa, endgames: &[(Position, String, String)]) -> u64 {
    let mut solver = Solver::new(rules, 64 << 20).expect("64 MiB").with_isa(isa);
    let control = Control::new();
    for (position, value, optimal) in endgames {
        let solution = solver.solve(black_box(position), &control);
        assert!(format!("{:?}", solution.value.outcome.expect("no limit")).starts_with(value));
        assert_eq!(solution.optimal().map(|mv| mv.to_string()).collect::<Vec<_>>().join(","), *optimal);
    }
    control.nodes()
}

fn solver(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("uttt 300 endgames, nodes");
    group.sample_size(10);
    for rules in [Rules::Standard, Rules::CodinGame] {
        let endgames = endgames(rules);
        assert_eq!(endgames.len(), 300);
        group.throughput(Throughput::Elements(solve_all(rules, Isa::detect(), &endgames)));
        group.bench_function(BenchmarkId::from_parameter(rules.name()), |bencher| {
            bencher.iter(|| solve_all(rules, Isa::detect(), &endgames));
        });
    }
    group.finish();
}

fn tree(criterion: &mut Criterion) {
    const NODES: u64 = 50_000;
    let mut group = criterion.benchmark_group("uttt search from the start, nodes");
    group.sample_size(10).throughput(Throughput::Elements(NODES));
    for (name, search) in SearchKind::NAMED {
        for (evaluated, evaluation) in Evaluation::NAMED {
            let is_same = match search {
                SearchKind::BestFirst => evaluation != Evaluation::Auto,
                SearchKind::AlphaBeta => evaluation == Evaluation::Playouts,
                SearchKind::Mcts | SearchKind::Uct => evaluation == Evaluation::Auto,
            };
            if is_same {
                continue;
            }
            let settings = Settings { search, evaluation, seed: 1, ..Settings::default() };
            group.bench_function(format!("{name} {evaluated}"), |bencher| {
                bencher.iter_batched(
                    || Player::new(settings, 64 << 20).expect("64 MiB"),
                    |mut player| {
                        let control = Control::new().node_limit(NODES);
                        assert_eq!(player.analyse(black_box(&Position::START), 1, &control).nodes, NODES);
                    },
                    criterion::BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

criterion_group!(benches, solver, tree);
criterion_main!(benches);
