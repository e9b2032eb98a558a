//! What a second thread gains: the hard positions of the suite by one thread and by two, in turn, on an idle machine; the
//! value alone, or the value and all best moves.
//! `cargo run --release -p ninefold-engine --example uttt_threads [value|moves [ROUNDS [POSITIONS]]]`

use ninefold_engine::Control;
use ninefold_engine::uttt::{Accept, Rules, Solver};

fn main() {
    let argument = |place| std::env::args().nth(place);
    let number = |place, default| argument(place).map_or(default, |text| text.parse().expect("a number"));
    let moves = match argument(1).as_deref() {
        None | Some("value") => false,
        Some("moves") => true,
        Some(other) => panic!("value or moves, not {other}"),
    };
    let (rounds, positions) = (number(2, 1), number(3, usize::MAX));
    let lines = include_str!("../../../oracle/data/uttt_hard.txt").lines().filter(|line| !line.starts_with('#'));
    let mut total = [0.0; 2];
    for line in lines.take(positions) {
        let (text, value) = line.split_once(' ').expect("position and value");
        let position = Rules::Standard.read(text, Accept::Reachable).expect("a position");
        // Times of several threads vary from run to run: the least of the rounds counts, for one thread as for two.
        let mut best = [f64::INFINITY; 2];
        let mut visited = [0; 2];
        for _ in 0..rounds {
            for threads in [1, 2] {
                let mut solver = Solver::new(Rules::Standard, 512 << 20).expect("512 MiB");
                let control = Control::new().threads(threads);
                let found = if moves {
                    solver.solve(&position, &control).value
                } else {
                    solver.value(&position, &control).expect("no limit")
                };
                let (seconds, nodes) = (control.elapsed().as_secs_f64(), control.nodes());
                let outcome = format!("{:?}", found.outcome.expect("no limit"));
                assert!(outcome.starts_with(value), "{text}: {outcome}");
                if seconds < best[threads - 1] {
                    (best[threads - 1], visited[threads - 1]) = (seconds, nodes);
                }
            }
        }
        let [one, two] = best;
        let [nodes_one, nodes_two] = visited.map(|nodes| nodes as f64 / 1e6);
        println!(
            "{value}: one thread {one:.2} s, {nodes_one:.1} M nodes; two {two:.2} s, {nodes_two:.1} M: {:.2} times",
            one / two
        );
        total = [total[0] + one, total[1] + two];
    }
    println!("together: one thread {:.2} s, two {:.2} s: {:.2} times", total[0], total[1], total[0] / total[1]);
}
