//! How far the score of the best-first search is off: the root mean square difference to the score of a long search.
//! `cargo run --release -p ninefold-bench --example errors [-- POSITIONS]`.
//!
//! The positions come from games of level 7 after four random moves, between move 4 and 30, under the standard rule.

use engine::Control;
use engine::uttt::{Player, Position, Rules, Settings};
use grid::{Game, Rng, Versus};
use uttt::{Standard, Uttt};

const SHORT: [u64; 5] = [100, 300, 1_000, 3_000, 10_000];
const LONG: u64 = 120_000;

fn main() {
    let count: u64 = std::env::args().nth(1).map_or(100, |text| text.parse().expect("a number of positions"));
    let game = Uttt::<Standard>::GAME;
    let player = || Player::new(Settings { rules: Rules::Standard, ..Settings::default() }, 64 << 20).expect("memory");
    let (mut sums, mut used) = ([0.0; SHORT.len()], 0.0);
    for number in 0..count {
        let mut rng = Rng::new(grid::mix(number));
        let mut position: Position = game.start();
        let plies = 4 + rng.below(27);
        for ply in 0..plies {
            if game.result(&position).is_some() {
                break;
            }
            let random = rng.pick(game.moves(&position));
            let chosen = player().choose(&position, 7, number << 8 | u64::from(ply), &Control::new()).expect("memory");
            let mv = if ply < 4 { random } else { chosen };
            position = game.play_unchecked(&position, mv.expect("a move"));
        }
        let score = |nodes: u64| player().analyse(&position, 1, &Control::new().node_limit(nodes)).value;
        let long = score(LONG);
        if game.result(&position).is_some() || long.outcome.is_some() {
            continue;
        }
        used += 1.0;
        for (sum, nodes) in sums.iter_mut().zip(SHORT) {
            *sum += (score(nodes).score - long.score).powi(2);
        }
    }
    println!("{used} positions; root mean square difference to {LONG} visits");
    for (sum, nodes) in sums.iter().zip(SHORT) {
        println!("{nodes:7} visits  {:.3}", (sum / used).sqrt());
    }
}
