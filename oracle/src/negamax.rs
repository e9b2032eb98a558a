//! Plain negamax: the value of a position by its definition. No table, no pruning, no order; what every search is held to.

use grid::Versus;

/// The value for the player who moves, with best play of both.
pub fn value<G: Versus>(game: &G, position: &G::Position) -> i32 {
    value_to_depth(game, position, u32::MAX, 1, &|_| unreachable!("no game is that long"))
}

/// The value for the player who moves when the search looks `depth` moves ahead and then trusts `guess`, which speaks for
/// the first player. A finished game counts `scale` times its result, so that guesses can lie between results.
pub fn value_to_depth<G: Versus>(
    game: &G,
    position: &G::Position,
    depth: u32,
    scale: i32,
    guess: &impl Fn(&G::Position) -> i32,
) -> i32 {
    let mover = game.mover(position);
    if let Some(result) = game.result(position) {
        return scale * result * mover.sign();
    }
    if depth == 0 {
        return guess(position) * mover.sign();
    }
    let mut best = i32::MIN;
    for mv in game.moves(position) {
        let next = game.play_unchecked(position, mv);
        let for_next_mover = value_to_depth(game, &next, depth - 1, scale, guess);
        best = best.max(if game.mover(&next) == mover { for_next_mover } else { -for_next_mover });
    }
    best
}
