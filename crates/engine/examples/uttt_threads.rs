//! What a second thread is worth: the hard positions of the suite by one thread and by two, in turn, on a machine that has
//! nothing else to do. `cargo run --release -p ninefold-engine --example uttt_threads [ROUNDS [POSITIONS]]`

use ninefold_engine::uttt::Rules;
use ninefold_engine::uttt::solve::{Limits, Solver};
use std::time::Instant;
use uttt::Accept;

fn main() {
    let argument =
        |place, default: usize| std::env::args().nth(place).map_or(default, |text| text.parse().expect("a number"));
    let (rounds, positions) = (argument(1, 1), argument(2, usize::MAX));
    let lines = include_str!("../../../oracle/data/uttt_hard.txt").lines().filter(|line| !line.starts_with('#'));
    let mut best = [f64::INFINITY; 2];
    for _ in 0..rounds {
        let mut seconds = [0.0; 2];
        for line in lines.clone().take(positions) {
            let (text, value) = line.split_once(' ').expect("position and value");
            let position = Rules::Standard.read(text, Accept::Reachable).expect("a position");
            for threads in [1, 2] {
                let limits = Limits { memory: 512 << 20, threads, ..Limits::default() };
                let mut solver = Solver::new(Rules::Standard, limits).expect("512 MiB");
                let start = Instant::now();
                let mut nodes = 0;
                let found = solver.value(&position, &mut |at| nodes = at.nodes).expect("no limit");
                let took = start.elapsed().as_secs_f64();
                assert_eq!(format!("{found:?}"), value, "{text}");
                seconds[threads - 1] += took;
                println!("{threads} threads: {took:.2} s, about {:.1} M positions, {value}", nodes as f64 / 1e6);
            }
        }
        println!("one thread {:.2} s, two {:.2} s: {:.2} times", seconds[0], seconds[1], seconds[0] / seconds[1]);
        best = [best[0].min(seconds[0]), best[1].min(seconds[1])];
    }
    println!("best: one thread {:.2} s, two {:.2} s: {:.2} times", best[0], best[1], best[0] / best[1]);
}
