//! Perft: counts move sequences, to test a move generator and to measure it.

use fearless_simd_macros::simd;
use grid::Game;
use grid::simd::{Isa, Simd, dispatch, fearless_simd};

/// Number of sequences of exactly `depth` moves. Every move is played.
///
/// ```
/// # use oracle::tictactoe::TicTacToe;
/// use grid::{Game, simd::Isa};
/// use ninefold_search::perft;
/// let start = TicTacToe.start();
/// assert_eq!(perft::every(&TicTacToe, &start, 3, Isa::detect()), 504);
/// assert_eq!(perft::bulk(&TicTacToe, &start, 3, Isa::detect()), 504);
/// ```
pub fn every<G: Game>(game: &G, position: &G::Position, depth: u32, isa: Isa) -> u64 {
    dispatch!(isa.level(), simd => count::<_, G, false>(simd, game, position, depth))
}

/// The same number, but the moves of the last ply are counted without playing them.
pub fn bulk<G: Game>(game: &G, position: &G::Position, depth: u32, isa: Isa) -> u64 {
    dispatch!(isa.level(), simd => count::<_, G, true>(simd, game, position, depth))
}

/// [`bulk`] below each move. If two generators differ, this finds the branch.
pub fn divide<G: Game>(game: &G, position: &G::Position, depth: u32, isa: Isa) -> Vec<(G::Move, u64)> {
    let below = depth.saturating_sub(1);
    game.moves(position).map(|mv| (mv, bulk(game, &game.play_unchecked(position, mv), below, isa))).collect()
}

/// Number of complete games from this position.
pub fn games<G: Game>(game: &G, position: &G::Position, isa: Isa) -> u64 {
    dispatch!(isa.level(), simd => count_games(simd, game, position))
}

#[simd]
fn count<S: Simd, G: Game, const BULK: bool>(simd: S, game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = game.moves(position);
    if BULK && depth == 1 {
        return moves.len() as u64;
    }
    let mut sum = 0;
    for mv in moves {
        sum += count::<S, G, BULK>(simd, game, &game.play_unchecked(position, mv), depth - 1);
    }
    sum
}

#[simd]
fn count_games<S: Simd, G: Game>(simd: S, game: &G, position: &G::Position) -> u64 {
    let moves = game.moves(position);
    if moves.len() == 0 {
        return 1;
    }
    let mut sum = 0;
    for mv in moves {
        sum += count_games(simd, game, &game.play_unchecked(position, mv));
    }
    sum
}
