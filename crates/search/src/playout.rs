//! Playing a game to its end by a policy: random numbers are seeded, so a playout repeats.

use grid::{Rng, Versus};

/// How moves are chosen when nobody thinks.
pub trait Policy<G: Versus> {
    /// A legal move, or `None` when the game is over.
    fn choose(&self, game: &G, position: &G::Position, rng: &mut Rng) -> Option<G::Move>;

    // ---- provided ----

    /// Plays to the end. A game with a faster way to the same distribution may override it.
    #[inline]
    fn play_out(&self, game: &G, position: &G::Position, rng: &mut Rng) -> G::Position {
        let mut position = *position;
        while let Some(mv) = self.choose(game, &position, rng) {
            position = game.play_unchecked(&position, mv);
        }
        position
    }

    /// Plays to the end and tells the result for the first player. Overridden where that is known without the last
    /// position.
    #[inline]
    fn play_to_result(&self, game: &G, position: &G::Position, rng: &mut Rng) -> i32 {
        // A game that a policy ends before its end counts as a draw.
        game.result(&self.play_out(game, position, rng)).unwrap_or(0)
    }
}

/// Every legal move with the same chance.
///
/// ```
/// # use oracle::tictactoe::TicTacToe;
/// use grid::{Game, Rng};
/// use ninefold_search::playout::{Policy, Uniform};
/// let end = Uniform.play_out(&TicTacToe, &TicTacToe.start(), &mut Rng::new(7));
/// assert!(TicTacToe.is_over(&end));
/// ```
#[derive(Clone, Copy, Default, Debug)]
pub struct Uniform;

impl<G: Versus> Policy<G> for Uniform {
    #[inline]
    fn choose(&self, game: &G, position: &G::Position, rng: &mut Rng) -> Option<G::Move> {
        rng.pick(game.moves(position))
    }
}

/// A move that wins at once where there is one, otherwise every move with the same chance. Dearer per move: every move is
/// tried.
#[derive(Clone, Copy, Default, Debug)]
pub struct TakeWins;

impl<G: Versus> Policy<G> for TakeWins {
    #[inline]
    fn choose(&self, game: &G, position: &G::Position, rng: &mut Rng) -> Option<G::Move> {
        let sign = game.mover(position).sign();
        let wins = |mv: &G::Move| game.result(&game.play_unchecked(position, *mv)).is_some_and(|r| r * sign > 0);
        game.moves(position).find(wins).or_else(|| rng.pick(game.moves(position)))
    }
}
