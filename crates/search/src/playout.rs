//! Playouts: plays a game to its end by a policy. Random numbers are seeded, so a playout is reproducible.

use grid::{Rng, Versus};

/// How a playout chooses its moves.
pub trait Policy<G: Versus> {
    /// A legal move, or `None` when the game is over.
    fn choose(&self, game: &G, position: &G::Position, rng: &mut Rng) -> Option<G::Move>;

    // ---- provided ----

    /// Plays to the end of the game. A game may override it with a faster method of the same distribution.
    #[inline]
    fn play_out(&self, game: &G, position: &G::Position, rng: &mut Rng) -> G::Position {
        let mut position = *position;
        while let Some(mv) = self.choose(game, &position, rng) {
            position = game.play_unchecked(&position, mv);
        }
        position
    }

    /// Plays to the end of the game and returns the result for the first player. Overridden where the result is known
    /// without the final position.
    #[inline]
    fn play_to_result(&self, game: &G, position: &G::Position, rng: &mut Rng) -> i32 {
        // If the policy stops before the game is over, it counts as a draw.
        game.result(&self.play_out(game, position, rng)).unwrap_or(0)
    }
}

/// Chooses uniformly among the legal moves.
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

/// Plays a winning move if there is one, otherwise a random move. Slower: it tries every move.
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
