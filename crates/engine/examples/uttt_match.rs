//! A match between two searches at equal time, colours swapped, from random openings of four moves.
//! `cargo run --release -p ninefold-engine --example uttt_match -- mcts uct 100 100` (names, games, milliseconds)

use ninefold_engine::uttt::Rules;
use ninefold_engine::uttt::matches::match_of;
use ninefold_engine::uttt::play::{Method, Request};
use std::time::Duration;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, games, milliseconds] = &arguments[..] else {
        eprintln!("usage: uttt_match FIRST SECOND GAMES MILLISECONDS");
        std::process::exit(2);
    };
    let request = |name: &str| Request {
        method: Method::NAMED.iter().find(|(known, _)| *known == name).expect("mcts, uct or alphabeta").1,
        time: Some(Duration::from_millis(milliseconds.parse().expect("milliseconds"))),
        ..Request::default()
    };
    let requests = [&request(first), &request(second)];
    let tally = match_of(Rules::Standard, requests, games.parse().expect("games"), 256 << 20, 20_261_116, |tally| {
        eprintln!("+{} ={} -{}  {:.3}", tally.won, tally.drawn, tally.lost, tally.score());
    });
    let tally = tally.expect("memory for two engines");
    println!("{first} against {second}: +{} ={} -{}, {:.3}", tally.won, tally.drawn, tally.lost, tally.score());
}
