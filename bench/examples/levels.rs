//! The levels of Ultimate Tic-Tac-Toe, each against the one below.
//! `cargo run --release -p ninefold-bench --example levels [-- GAMES [NODES:NOISE NODES:NOISE ...]]`.
//!
//! Games start from two random moves and are played with both colours, under the standard rule. Full strength plays with 60,000
//! nodes a move, about 80 ms. With strengths on the command line these are matched instead of the levels.

use engine::Control;
use engine::uttt::{LEVELS, Player, Position, Rules, Settings, Strength};
use grid::{Game, Rng, Versus};
use uttt::{Standard, Uttt};

/// Nodes of a move at full strength.
const FULL: u64 = 60_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let games: u32 = arguments.next().map_or(200, |text| text.parse().expect("a number of games"));
    let given: Vec<(String, Option<Strength>)> = arguments
        .map(|text| {
            let (nodes, noise) = text.split_once(':').expect("NODES:NOISE");
            let strength = Strength { nodes: nodes.parse().expect("nodes"), noise: noise.parse().expect("noise") };
            (text, Some(strength))
        })
        .collect();
    let levels = LEVELS.iter().map(|level| (level.name.to_owned(), level.strength)).collect();
    let players: Vec<(String, Option<Strength>)> = if given.is_empty() { levels } else { given };
    println!("{games} games each; score of the stronger, with one standard error");
    for pair in players.windows(2) {
        let [weak, strong] = pair else { continue };
        let scores: Vec<f64> = (0..games).map(|number| score(number, strong.1, weak.1)).collect();
        let mean = scores.iter().sum::<f64>() / f64::from(games);
        let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / f64::from(games);
        println!("{:20} against {:20} {mean:.3} +- {:.3}", strong.0, weak.0, (variance / f64::from(games)).sqrt());
    }
}

/// The score of `a` in one game. Even games have it first; each opening is played twice.
fn score(number: u32, a: Option<Strength>, b: Option<Strength>) -> f64 {
    let game = Uttt::<Standard>::GAME;
    let mut rng = Rng::new(grid::mix(u64::from(number / 2)));
    let mut position: Position = game.start();
    for _ in 0..2 {
        let mv = rng.pick(game.moves(&position)).expect("a move");
        position = game.play_unchecked(&position, mv);
    }
    let is_first = number.is_multiple_of(2);
    let mut players = [a, b].map(|strength| {
        let settings = Settings { rules: Rules::Standard, ..Settings::default() };
        (Player::new(settings, 32 << 20).expect("memory"), strength)
    });
    let mut ply = 0_u64;
    while game.result(&position).is_none() {
        let (player, strength) = &mut players[usize::from(ply.is_multiple_of(2) != is_first)];
        let control = Control::new().node_limit(FULL);
        let mv = match *strength {
            Some(strength) => {
                player.choose_with(&position, strength, u64::from(number) << 8 | ply, &control).expect("memory")
            }
            None => player.analyse(&position, 1, &control).best(),
        };
        position = game.play(&position, mv.expect("the game goes on")).expect("a legal move");
        ply += 1;
    }
    let first = f64::from(game.result(&position).expect("the game is over").signum() + 1) / 2.0;
    if is_first { first } else { 1.0 - first }
}
