//! Random games to the end, as fast as they can be played.

use crate::Rule;
use crate::kernel::Lanes;
use crate::position::{ANY, Position};
use crate::tables::NTH;
use fearless_simd_macros::simd;
use grid::simd::{Isa, Simd, dispatch, fearless_simd};
use grid::{Cell, Rng};

/// How the moves of a random game are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Playout {
    /// Each legal move is as likely as any other.
    Uniform,
    /// A move that wins the game is taken; otherwise as above.
    TakeWins,
}

/// What came of a number of random games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games won by the first player, drawn, won by the second.
    pub results: [u64; 3],
    /// Moves made in all of them.
    pub moves: u64,
}

/// Plays `games` random games.
#[must_use]
pub fn playouts<R: Rule>(isa: Isa, kind: Playout, position: &Position, games: u64, rng: &mut Rng) -> Tally {
    let start = Lanes::new::<R>(position);
    dispatch!(isa.level(), simd => match kind {
        Playout::Uniform => many::<_, R, false>(simd, &start, games, rng),
        Playout::TakeWins => many::<_, R, true>(simd, &start, games, rng),
    })
}

#[simd]
fn many<S: Simd, R: Rule, const TAKE_WINS: bool>(simd: S, start: &Lanes, games: u64, rng: &mut Rng) -> Tally {
    let mut tally = Tally::default();
    for _ in 0..games {
        let mut position = *start;
        tally.moves += u64::from(position.play_out::<R, TAKE_WINS>(rng));
        tally.results[(1 - position.result::<R>()) as usize] += 1;
    }
    tally
}

impl Lanes {
    /// Plays random moves to the end and gives their number.
    #[inline(always)]
    pub fn play_out<R: Rule, const TAKE_WINS: bool>(&mut self, rng: &mut Rng) -> u32 {
        let mut moves = 0;
        while !self.is_over() {
            if TAKE_WINS && let Some((board, square)) = self.winning_move::<R>() {
                self.advance::<R, false>(board.index(), square.index());
                return moves + 1;
            }
            let (board, square) = self.random_move(rng);
            self.advance::<R, false>(board, square);
            moves += 1;
        }
        moves
    }

    /// A move that completes a global line.
    #[inline(always)]
    #[must_use]
    pub fn winning_move<R: Rule>(&self) -> Option<(Cell, Cell)> {
        let us = self.mover();
        (self.winning_boards(us) & self.playable())
            .into_iter()
            .find_map(|board| self.winning_squares::<R>(us, board).first().map(|square| (board, square)))
    }

    /// One of the legal moves, each as likely: the `n`-th free square of all that may be marked.
    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> (usize, usize) {
        let mut n = rng.below(self.move_count());
        let mut board = self.next as usize;
        if self.next == ANY {
            board = 0;
            while n >= self.free_count(board) {
                n -= self.free_count(board);
                board += 1;
            }
        }
        (board, usize::from(NTH[usize::from(self.free_squares(board))][n as usize & 15]))
    }
}
