//! Endgame tests on nine boards at once, after the write-up: the boards lie in the lanes of a vector and each of the eight
//! lines is held against all of them.
//!
//! ```text
//! lanes      boards a to h of the first player, then boards a to h of the second: sixteen sets of squares
//! one step   one line against sixteen sets; eight steps for all lines
//! board i    the ninth, the other way round: its set against the eight lines in eight lanes, one step a player
//! ```
//!
//! What is asked, and why the answer holds:
//!
//! - **winnable**: can the player still make a line in the board? A stone never leaves its square, so a line with a stone of
//!   the other stays spoilt. If every line of the board is spoilt, or the board is decided or full, he will never win it, in
//!   whatever order the rest is played; if one is not, he wins it by filling that line before anything else happens. So
//!   the answer is exact for the board taken alone, and sound for the game, in which the order is not his to choose.
//! - **threatened**: does one stone of the player win the board? Exactly if some line has two of his stones and no stone of
//!   the other: the third square is empty then. This only reads the rule.
//! - **dead**: can anybody still make a global line? The boards of a player at the end are among those he has won and
//!   those he can win now, since *winnable* only shrinks. Without a line among these he makes none. Not exact: players need
//!   the same squares.
//!
//! The same three by masks: [`Lanes::alive`] (kept up to date by each move), [`Lanes::winning_squares`] board by board, and
//! by a table of whole boards, `tables::BOARDS`. `cargo bench -p ninefold-uttt -- endgame` times them.

use crate::Rule;
use crate::kernel::Lanes;
use crate::tables::{BOARDS, THREATENED, WINNABLE};
use grid::simd::fearless_simd::{Simd, prelude::*, u16x8, u16x16};
use grid::simd::{LINE_LANES, has_line};
use grid::{Cell, CellSet};

/// For each player, a set of boards.
pub type Sets = [CellSet; 2];

/// The lanes of both players, and the same with the players exchanged.
#[inline(always)]
fn both<S: Simd>(simd: S, position: &Lanes) -> [u16x16<S>; 2] {
    let [first, second] = position.stones.map(|stones| u16x8::from_slice(simd, &stones[..8]));
    [first.combine(second), second.combine(first)]
}

/// Sixteen lanes and the ninth board of each player as two sets of boards.
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
        // What the line lacks, with a second bit for each stone of the other: one bit if one stone is missing and its
        // square free. Nothing is lacking only in a board that is decided, and those are masked out at the end.
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

/// [`winnable`] by masks: each move has kept it up to date.
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
