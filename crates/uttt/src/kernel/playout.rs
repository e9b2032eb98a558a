//! Random playouts.
//!
//! ```text
//! n      a random number below the number of moves
//! board  the forced board; if the move is free, the board of the n-th free square
//! mark   the n-th free square of that board; only a win or a full board needs more work
//! ```
//!
//! Each step depends on the previous one, so latency decides: the path from one forced board to the next. All state except the
//! marks is in registers, and the path has two loads (free squares of the board, index of the n-th).
//!
//! Measured, instructions per move (`uttt/playout` in `bench/counts.txt`): 112.44 scalar, 113.02 sse2, 113.09 v2, 94.12 v3.

use crate::Rule;
use crate::kernel::Lanes;
use crate::kernel::lanes::{result_of, sum_nibbles};
use crate::position::{ANY, OVER, Position};
use crate::tables::NTH;
use fearless_simd_macros::simd;
use grid::simd::{Isa, Simd, dispatch, fearless_simd};
use grid::{Cell, CellSet, Rng};

/// How the moves of a random game are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Playout {
    /// Every legal move is equally likely.
    Uniform,
    /// Plays a move that wins the game if there is one; otherwise as above.
    TakeWins,
}

/// The results of a number of random games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games won by the first player, drawn, won by the second.
    pub results: [u64; 3],
    /// Total number of moves.
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
        let end = start.play_out::<R, TAKE_WINS>(rng);
        tally.moves += u64::from(end.moves);
        tally.results[(1 - end.result::<R>()) as usize] += 1;
    }
    tally
}

/// How a random game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    won: [u16; 2],
    /// Number of moves.
    pub moves: u32,
}

impl End {
    /// 1 for the first player, -1 for the second, 0 for a draw.
    #[inline(always)]
    #[must_use]
    pub fn result<R: Rule>(self) -> i32 {
        result_of::<R>(self.won)
    }
}

/// Random numbers for one game: the high half of a multiplicative congruential generator. The next state takes one
/// multiplication and depends on nothing else, so the processor computes it ahead. The caller's seeded generator gives each
/// game its first state.
struct Draws(u64);

impl Draws {
    #[inline(always)]
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(0xd134_2543_de82_ef95);
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }
}

impl Lanes {
    /// Plays random moves to the end of the game.
    #[inline(always)]
    pub fn play_out<R: Rule, const TAKE_WINS: bool>(&self, rng: &mut Rng) -> End {
        self.play_out_telling::<R, TAKE_WINS>(rng, |_, _| {})
    }

    /// The same; calls `tell` with the board and square of each move.
    #[inline(always)]
    fn play_out_telling<R: Rule, const TAKE_WINS: bool>(
        &self,
        rng: &mut Rng,
        mut tell: impl FnMut(usize, usize),
    ) -> End {
        let mut draws = Draws(rng.next_word() | 1);
        let mut marks = self.stones;
        let mut empty: [u16; 9] = core::array::from_fn(|board| self.free_squares(board));
        let (mut won, mut open, mut free) = (self.won, self.open, self.free);
        let (mut next, mut us) = (self.next, self.mover as usize);
        let mut moves = 0;
        while next != OVER {
            if TAKE_WINS {
                let boards = CellSet::from_bits(won[us]).completing().bits() & open & !won[1 - us];
                let playable = if next == ANY { open } else { 1 << next };
                let completing = |board: Cell| {
                    let ours = CellSet::from_bits(marks[us][board.index()]);
                    (ours.completing() & CellSet::from_bits(empty[board.index()])).first().map(|square| (board, square))
                };
                if let Some((board, square)) = CellSet::from_bits(boards & playable).into_iter().find_map(completing) {
                    tell(board.index(), square.index());
                    won[us] |= 1 << board.index();
                    moves += 1;
                    break;
                }
            }
            let (board, n) = if next == ANY {
                nth_board(free, draws.below(sum_nibbles(free)))
            } else {
                (usize::from(next), draws.below((free >> (4 * next)) as u32 & 0xf))
            };
            debug_assert!(empty[board] < 512 && n < empty[board].count_ones());
            let square = NTH[usize::from(empty[board] & 0x1ff)][n as usize & 15];
            tell(board, usize::from(square));
            moves += 1;
            empty[board] &= !(1 << square);
            marks[us][board] |= 1 << square;
            free -= 1 << (4 * board);
            let bit = 1_u16 << board;
            let decided = R::WON_BOARDS_STAY_OPEN && (won[0] | won[1]) & bit != 0;
            let wins = !decided && CellSet::from_bits(marks[us][board]).has_line();
            let full = empty[board] == 0;
            if wins || full {
                if full || !R::WON_BOARDS_STAY_OPEN {
                    open &= !bit;
                    free &= !(0xf << (4 * board));
                }
                if wins {
                    won[us] |= bit;
                    if CellSet::from_bits(won[us]).has_line() {
                        break;
                    }
                }
                if open == 0 {
                    break;
                }
            }
            next = if open >> square & 1 != 0 { square } else { ANY };
            us ^= 1;
        }
        End { won, moves }
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
}

/// The board of the `n`-th free square, and the index of the square within that board. Boards are counted in the order
/// a c e g i b d f h: first the even lanes of `free`, then the odd ones, as bytes.
///
/// ```text
/// bytes   a c e g i b d f          (h is the rest)
/// sums    prefix sums of the bytes, by one multiplication; at most 81
/// board   the number of sums that are not above n, counted by the high bits of (128 + n) - sum
/// ```
#[inline(always)]
fn nth_board(free: u64, n: u32) -> (usize, u32) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const BOARDS: [u8; 9] = [0, 2, 4, 6, 8, 1, 3, 5, 7];
    debug_assert!(n < sum_nibbles(free));
    let bytes = free & 0x0f_0f0f_0f0f | (free >> 4 & 0x000f_0f0f) << 40;
    let sums = bytes.wrapping_mul(ONES);
    let passed = ((u64::from(n) | 0x80).wrapping_mul(ONES).wrapping_sub(sums) & (0x80 * ONES)).count_ones();
    // The prefix sum before the board.
    let below = if passed == 0 { 0 } else { sums >> (8 * (passed - 1)) & 0xff };
    (usize::from(BOARDS[passed as usize]), n - below as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CodinGame, Move, Open, Standard, Uttt};
    use grid::{Game, Versus};
    use std::vec::Vec;

    /// Every move of a random game is legal, `TAKE_WINS` plays winning moves, and the game ends with the right result.
    fn replay<R: Rule, const TAKE_WINS: bool>() {
        let game = Uttt::<R>::default();
        let mut rng = Rng::new(5);
        let mut from = game.start();
        for _ in 0..3000 {
            let mut moves = Vec::new();
            let start = Lanes::new::<R>(&from);
            let end = start.play_out_telling::<R, TAKE_WINS>(&mut rng, |board, square| moves.push((board, square)));
            assert_eq!(end.moves as usize, moves.len());
            let mut position = from;
            for (board, square) in moves {
                let mv = Move::new(Cell::ALL[board], Cell::ALL[square]);
                let win = Lanes::new::<R>(&position).winning_move::<R>();
                position = game.play(&position, mv).unwrap();
                assert!(!TAKE_WINS || win.is_none() || game.is_over(&position));
            }
            assert_eq!(game.result(&position), Some(end.result::<R>()), "{position:?}");
            // The next game starts one random move later.
            from = rng.pick(game.moves(&from)).map_or(game.start(), |mv| game.play_unchecked(&from, mv));
        }
    }

    #[test]
    fn random_games_are_games() {
        replay::<Standard, false>();
        replay::<Standard, true>();
        replay::<CodinGame, true>();
        replay::<Open, false>();
        replay::<Open, true>();
    }

    #[test]
    fn the_nth_board_is_found_by_counting() {
        let mut rng = Rng::new(1);
        for _ in 0..20_000 {
            let counts: [u32; 9] = core::array::from_fn(|_| if rng.below(3) == 0 { 0 } else { rng.below(10) });
            let free = (0..9).fold(0, |free, board| free | u64::from(counts[board]) << (4 * board));
            let mut n = 0;
            for board in [0, 2, 4, 6, 8, 1, 3, 5, 7] {
                for place in 0..counts[board] {
                    assert_eq!(nth_board(free, n), (board, place), "{counts:?}");
                    n += 1;
                }
            }
        }
    }
}
