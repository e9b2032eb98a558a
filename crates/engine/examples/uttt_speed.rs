//! Speeds of Ultimate Tic-Tac-Toe in processor time, which a busy machine disturbs less than the clock: the best of
//! several runs, every answer asserted. `cargo run --release -p ninefold-engine --example uttt_speed [ISA]`

use grid::simd::Isa;
use grid::{Game, Rng};
use ninefold_engine::Control;
use ninefold_engine::uttt::{Rules, Solver};
use uttt::kernel::{Layout, Playout, one_by_one, perft, playouts};
use uttt::{Accept, Standard, Uttt};

/// Processor time of this thread in seconds; wall-clock time where the system has no such count.
fn processor_seconds() -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<u64>().ok())
        .map_or_else(|| std::time::UNIX_EPOCH.elapsed().map_or(0.0, |t| t.as_secs_f64()), |ns| ns as f64 / 1e9)
}

fn best_of<T>(runs: u32, mut run: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..runs {
        let start = processor_seconds();
        last = Some(run());
        best = best.min(processor_seconds() - start);
    }
    (best, last.expect("at least one run"))
}

/// The 300 endgames, value and every best move: seconds and nodes.
fn endgames(isa: Isa, rules: Rules) -> (f64, u64) {
    let lines = include_str!("../../../oracle/data/uttt_endgames.txt").lines().filter(|line| !line.starts_with('#'));
    let mut solver = Solver::new(rules, 64 << 20).expect("64 MiB").with_isa(isa);
    let start = processor_seconds();
    let mut nodes = 0;
    for line in lines {
        let columns: Vec<_> = line.split(' ').collect();
        let answer = if rules == Rules::Standard { &columns[1..3] } else { &columns[3..5] };
        let position = rules.read(columns[0], Accept::Reachable).expect("a position");
        let solution = solver.solve(&position, &Control::new());
        let outcome = format!("{:?}", solution.value.outcome.expect("no limit"));
        assert!(outcome.starts_with(answer[0]), "{line}: {outcome}");
        let optimal: Vec<_> = solution.optimal().map(|mv| mv.to_string()).collect();
        assert_eq!(optimal.join(","), answer[1]);
        nodes += solution.nodes;
    }
    (processor_seconds() - start, nodes)
}

fn main() {
    let isa = std::env::args().nth(1).map_or(Isa::detect(), |name| name.parse().expect("an instruction set"));
    let start = Uttt::<Standard>::default().start();
    println!("instruction set {isa}");
    for layout in Layout::ALL {
        let (seconds, leaves) = best_of(5, || one_by_one::<Standard>(isa, layout, &start, 7));
        assert_eq!(leaves, 33_782_544);
        println!("perft 7 one by one, {layout:?}: {:.1} M leaves/s", leaves as f64 / seconds / 1e6);
    }
    let (seconds, leaves) = best_of(5, || perft::<Standard>(isa, &start, 9));
    assert_eq!(leaves, 2_317_018_992);
    println!("perft 9, two plies by masks: {:.2} G leaves/s", leaves as f64 / seconds / 1e9);
    for kind in [Playout::Uniform, Playout::TakeWins] {
        let (seconds, tally) = best_of(5, || playouts::<Standard>(isa, kind, &start, 200_000, &mut Rng::new(1)));
        assert_eq!(tally.results.iter().sum::<u64>(), 200_000);
        println!("{kind:?}: {:.3} M games/s, {:.1} M moves/s", 0.2 / seconds, tally.moves as f64 / seconds / 1e6);
    }
    for rules in [Rules::Standard, Rules::CodinGame] {
        let (seconds, nodes) = endgames(isa, rules);
        println!(
            "300 endgames, {}: {seconds:.2} s, {nodes} nodes, {:.2} M/s",
            rules.name(),
            nodes as f64 / seconds / 1e6
        );
    }
}
