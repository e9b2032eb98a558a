//! Plain negamax: the value of a position by definition. No table, no pruning, no move ordering. Every search is compared with
//! it.

use grid::Versus;

/// The value for the side to move with best play.
pub fn value<G: Versus>(game: &G, position: &G::Position) -> i32 {
    value_to_depth(game, position, u32::MAX, 1, &|_| unreachable!("no game is that long"))
}

/// The value for the side to move of a search to `depth` plies. The leaves are evaluated by `guess`, from the first player's
/// point of view. A finished game counts `scale` times its result, so that an evaluation can lie between two results.
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
