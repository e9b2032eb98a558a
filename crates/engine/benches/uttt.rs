//! The solver on the 300 endgames, value and every optimal move; positions a second; playouts a second in the tree.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grid::simd::Isa;
use ninefold_engine::uttt::Rules;
use ninefold_engine::uttt::play::{Engine, Method, Request};
use ninefold_engine::uttt::solve::{Limits, Solver};
use std::hint::black_box;
use uttt::{Accept, Position};

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

/// Solves them all with a new table, and asserts every answer. How many positions that took.
fn solve_all(rules: Rules, isa: Isa, endgames: &[(Position, String, String)]) -> u64 {
    let mut solver = Solver::new(rules, Limits { memory: 64 << 20, isa, ..Limits::default() }).expect("64 MiB");
    let mut nodes = 0;
    for (position, value, optimal) in endgames {
        let solution = solver.solve(black_box(position), &mut |_| {});
        assert_eq!(format!("{:?}", solution.value.expect("no limit")), *value);
        assert_eq!(solution.optimal.join(","), *optimal);
        nodes += solution.nodes;
    }
    nodes
}

fn solver(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("uttt 300 endgames, positions");
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
    for (name, method) in Method::NAMED {
        let request = Request { method, time: None, nodes: Some(NODES), ..Request::default() };
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || Engine::new(Rules::Standard, 64 << 20, Isa::detect(), 1).expect("64 MiB"),
                |mut engine| assert_eq!(engine.analyse(black_box(&Position::START), &request).nodes, NODES),
                criterion::BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, solver, tree);
criterion_main!(benches);
