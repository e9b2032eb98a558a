//! Ultimate Tic-Tac-Toe: perft leaves per second and random games per second.

use super::{Contender, Contest, Role, contender};
use grid::simd::Isa;
use grid::{Game, Rng};
use oracle::uttt as naive;
use std::hint::black_box;
use uttt::kernel::{Layout, Playout, one_by_one, perft, playouts};
use uttt::{Position, Standard, Uttt};

/// Pairs of a depth and its number of leaves.
const LEAVES: [(u32, u64); 3] = [(4, 55_080), (6, 4_020_960), (7, 33_782_544)];

pub(super) fn contests(isa: Isa) -> Vec<Contest> {
    let game = "Ultimate Tic-Tac-Toe";
    let games = vec![naive_games(), layout_games(), our_games(isa)];
    vec![
        Contest { game, items: "leaves of the game tree", contenders: leaves(isa) },
        Contest { game, items: "random games", contenders: games },
    ]
}

fn leaves(isa: Isa) -> Vec<Contender> {
    let [(low, few), (middle, some), (high, many)] = LEAVES;
    let made = |name, role, layout| {
        let work = move || one_by_one::<Standard>(isa, layout, black_box(&Position::START), middle);
        contender(name, role, some as usize, some, work)
    };
    vec![
        contender("naive model", Role::Naive, few as usize, few, move || {
            let rules = naive::Uttt(naive::Rule::Standard);
            rules.perft(black_box(&rules.start()), low)
        }),
        made("published, 40 bytes, eight masks in a vector", Role::WriteUp, Layout::Position),
        made("nine lanes, leaf by leaf", Role::Ours, Layout::BareLanes),
        contender("last two plies counted by masks", Role::Ours, many as usize, many, move || {
            perft::<Standard>(isa, black_box(&Position::START), high)
        }),
    ]
}

/// Total number of moves in random games with a fixed seed. It must be the same in every round.
fn played<G: Game>(game: &G, games: usize) -> u64 {
    let mut rng = Rng::new(1);
    let mut moves = 0;
    for _ in 0..games {
        let mut position = game.start();
        while let Some(mv) =
            Some(game.moves(&position)).filter(|legal| legal.len() > 0).and_then(|legal| rng.pick(legal))
        {
            position = game.play_unchecked(&position, mv);
            moves += 1;
        }
    }
    moves
}

fn naive_games() -> Contender {
    const GAMES: usize = 200;
    let rules = naive::Uttt(naive::Rule::Standard);
    let expected = played(Uttt::<Standard>::GAME, GAMES);
    contender("naive model", Role::Naive, GAMES, expected, move || played(black_box(&rules), GAMES))
}

fn layout_games() -> Contender {
    const GAMES: usize = 5_000;
    let rules = Uttt::<Standard>::GAME;
    let expected = played(rules, GAMES);
    contender("published, 40 bytes", Role::WriteUp, GAMES, expected, move || played(black_box(rules), GAMES))
}

fn our_games(isa: Isa) -> Contender {
    const GAMES: usize = 20_000;
    let play = move || {
        playouts::<Standard>(isa, Playout::Uniform, black_box(&Position::START), GAMES as u64, &mut Rng::new(1))
    };
    contender("nine lanes", Role::Ours, GAMES, play().moves, move || play().moves)
}
