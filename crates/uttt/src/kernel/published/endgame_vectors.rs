//! Endgame tests on nine boards at once. The boards are the lanes of a vector, and each of the eight lines is compared with
//! all of them. The idea follows the article's win test; the other forms of the same tests are here for comparison.
//!
//! ```text
//! lanes      boards a to h of the first player, then boards a to h of the second: sixteen sets of squares
//! one step   one line against sixteen sets; eight steps for all lines
//! board i    the ninth board the other way round: its set against eight lines in eight lanes, one step per player
//! ```
//!
//! The three tests, and why they are correct:
//!
//! - **winnable**: can the player still make a line in the board? A stone never leaves its square, so a line that contains an
//!   opposing stone is blocked for good. If every line is blocked, or the board is decided or full, the player can never win
//!   it, in whatever order the rest is played. Otherwise he wins it by filling an unblocked line first. So the test is exact
//!   for the board alone, and sound (an upper bound) for the game, in which he cannot choose the order.
//! - **threatened**: does one more stone of the player win the board? Exactly if some line has two of his stones and no
//!   opposing stone.
//! - **dead**: can nobody make a global line any more? At the end a player owns only boards that he has won or can win now,
//!   because *winnable* only shrinks. If these contain no line, he makes none. Sound but not exact: the players compete for
//!   the same squares.
//!
//! Measured, instructions per position for *winnable* and *threatened* (`bench/counts.txt`):
//!
//! | form | scalar | sse2 | v2 | v3 |
//! |---|---|---|---|---|
//! | vectors, `uttt/endgame(vectors)` | 877.09 | 335.10 | 329.10 | 154.16 |
//! | masks, `uttt/endgame(masks)`: [`Lanes::alive`] and [`Lanes::winning_squares`] | 314.28 | | | |
//! | table of whole boards, `uttt/endgame(boards)`: `tables::BOARDS` | 260.13 | | | |
//!
//! The solver does not need all nine boards: it reads [`Lanes::alive`], which each move updates.

use crate::Rule;
use crate::kernel::Lanes;
use crate::tables::{BOARDS, THREATENED, WINNABLE};
use grid::simd::fearless_simd::{Simd, prelude::*, u16x8, u16x16};
use grid::simd::{LINE_LANES, has_line};
use grid::{Cell, CellSet};

/// For each player, a set of boards.
pub type Sets = [CellSet; 2];

/// The lanes of both players, and the same with the players swapped.
#[inline(always)]
fn both<S: Simd>(simd: S, position: &Lanes) -> [u16x16<S>; 2] {
    let [first, second] = position.stones.map(|stones| u16x8::from_slice(simd, &stones[..8]));
    [first.combine(second), second.combine(first)]
}

/// Converts sixteen lane bits and the ninth board of each player into two sets of boards.
#[inline(always)]
fn sets(lanes: u64, ninth: [bool; 2], among: CellSet) -> Sets {
    let set = |player: usize| {
        CellSet::from_bits((lanes >> (8 * player)) as u16 & 0xff | u16::from(ninth[player]) << 8) & among
    };
    [set(0), set(1)]
}

/// The boards in which each player can still make a line, by vectors.
#[inline(always)]
#[must_use]
pub fn winnable<S: Simd>(simd: S, position: &Lanes) -> Sets {
    let [_, theirs] = both(simd, position);
    let none = u16x16::splat(simd, 0);
    let mut found = (theirs & u16x16::splat(simd, LINE_LANES[0])).simd_eq(none);
    for line in &LINE_LANES[1..] {
        found |= (theirs & u16x16::splat(simd, *line)).simd_eq(none);
    }
    let lines = u16x8::from_slice(simd, &LINE_LANES);
    let ninth = [1, 0].map(|other: usize| {
        let theirs = u16x8::splat(simd, position.stones[other][8]);
        (theirs & lines).simd_eq(u16x8::splat(simd, 0)).any_true()
    });
    sets(found.to_bitmask(), ninth, position.undecided())
}

/// The boards that each player would win with one stone, by vectors.
#[inline(always)]
#[must_use]
pub fn threatened<S: Simd>(simd: S, position: &Lanes) -> Sets {
    let [ours, theirs] = both(simd, position);
    let (none, one) = (u16x16::splat(simd, 0), u16x16::splat(simd, 1));
    let mut found = none.simd_eq(one);
    for line in LINE_LANES {
        let line = u16x16::splat(simd, line);
        // The missing squares of the line, plus a second bit for each opposing stone: a single bit means that one stone is
        // missing and its square is free. Zero bits occur only in decided boards, which are masked out at the end.
        let lacks = (line & !ours) | ((theirs & line) << 1_u32);
        found |= (lacks & (lacks - one)).simd_eq(none);
    }
    let lines = u16x8::from_slice(simd, &LINE_LANES);
    let ninth = [0, 1].map(|us: usize| {
        let [ours, theirs] = [us, 1 - us].map(|player| u16x8::splat(simd, position.stones[player][8]));
        let lacks = (lines & !ours) | ((theirs & lines) << 1_u32);
        (lacks & (lacks - u16x8::splat(simd, 1))).simd_eq(u16x8::splat(simd, 0)).any_true()
    });
    sets(found.to_bitmask(), ninth, position.undecided())
}

/// Whether nobody can make a global line any more, by vectors.
#[inline(always)]
#[must_use]
pub fn is_dead<S: Simd>(simd: S, position: &Lanes) -> bool {
    let winnable = winnable(simd, position);
    ![0, 1].into_iter().any(|player| has_line(simd, position.won(player) | winnable[player]))
}

/// [`winnable`] by masks: each move has updated them.
#[inline(always)]
#[must_use]
pub fn winnable_by_masks(position: &Lanes) -> Sets {
    [0, 1].map(|player| position.alive(player) - position.won(player))
}

/// [`threatened`] by masks: two loads from a small table for each undecided board.
#[inline(always)]
#[must_use]
pub fn threatened_by_masks<R: Rule>(position: &Lanes) -> Sets {
    [0, 1].map(|player| {
        let wins = |board: &Cell| !position.winning_squares::<R>(player, *board).is_empty();
        position.undecided().into_iter().filter(wins).collect()
    })
}

/// [`is_dead`] by masks.
#[inline(always)]
#[must_use]
pub fn is_dead_by_masks(position: &Lanes) -> bool {
    ![0, 1].into_iter().any(|player| position.alive(player).has_line())
}

/// [`winnable`] and [`threatened`] by the table of whole boards: one load for each undecided board.
#[inline(always)]
#[must_use]
pub fn both_by_boards(position: &Lanes) -> [Sets; 2] {
    let mut answer = [[0_u16; 2]; 2];
    for board in position.undecided() {
        let [first, second] = [0, 1].map(|player| position.stones(player, board).index());
        let facts = u16::from(BOARDS[first | second << 9]);
        for (sets, bit) in answer.iter_mut().zip([WINNABLE, THREATENED]) {
            for (player, set) in sets.iter_mut().enumerate() {
                *set |= (facts >> (bit + player) & 1) << board.index();
            }
        }
    }
    answer.map(|sets| sets.map(CellSet::from_bits))
}
