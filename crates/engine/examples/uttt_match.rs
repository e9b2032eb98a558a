//! A match between two searches at equal time or equal nodes, colours swapped, from random openings of four moves:
//! names with the exploration constant after a colon if it is not the usual one, games, milliseconds or nodes (5000n).
//! `cargo run --release -p ninefold-engine --example uttt_match -- mcts:0.8 uct 100 100`

use ninefold_engine::uttt::Rules;
use ninefold_engine::uttt::matches::{Side, match_of};
use ninefold_engine::uttt::play::{EXPLORATION, Method, Request};
use std::time::Duration;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, games, budget] = &arguments[..] else {
        eprintln!("usage: uttt_match FIRST SECOND GAMES MILLISECONDS|NODESn");
        std::process::exit(2);
    };
    let (time, nodes) = match budget.strip_suffix('n') {
        Some(nodes) => (None, Some(nodes.parse().expect("nodes"))),
        None => (Some(Duration::from_millis(budget.parse().expect("milliseconds"))), None),
    };
    let side = |text: &str| {
        let (name, exploration) = text.split_once(':').unwrap_or((text, ""));
        let method = Method::NAMED.iter().find(|(known, _)| *known == name).expect("mcts, uct or alphabeta").1;
        let exploration = exploration.parse().unwrap_or(EXPLORATION);
        Side { request: Request { method, time, nodes, ..Request::default() }, exploration }
    };
    let sides = [&side(first), &side(second)];
    let tally = match_of(Rules::Standard, sides, games.parse().expect("games"), 64 << 20, 20_261_116, |tally| {
        eprintln!("+{} ={} -{}  {:.3}", tally.won, tally.drawn, tally.lost, tally.score());
    });
    let tally = tally.expect("memory for two engines");
    println!(
        "{first} against {second}, {budget}: +{} ={} -{}, {:.3}",
        tally.won,
        tally.drawn,
        tally.lost,
        tally.score()
    );
}
