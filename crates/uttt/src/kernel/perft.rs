//! Perft: counts sequences of moves, leaf by leaf on either layout, or with the last two plies counted by masks.
//!
//! ```text
//! one_by_one   play every move of every ply and count the leaves
//! perft        play all but the last two plies; count those with popcounts and sums of free squares
//! ```
//!
//! Measured, instructions per leaf (`bench/counts.txt`):
//!
//! | form | scalar | sse2 | v2 | v3 |
//! |---|---|---|---|---|
//! | `uttt/perft(position)`, the published layout and win test | 200.86 | 192.77 | 193.16 | 187.12 |
//! | `uttt/perft(lanes)` | 84.16 | 84.16 | 84.16 | 73.74 |
//! | `uttt/perft(masks)` | 2.83 | 2.83 | 2.63 | 2.53 |

use crate::Rule;
use crate::kernel::Lanes;
use crate::position::Position;
use crate::tables::{BOARDS, FULL, LINE};
use core::hint::black_box;
use fearless_simd_macros::simd;
use grid::CellSet;
use grid::simd::{Isa, Simd, dispatch, fearless_simd, has_line};

/// The layout of the positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// The 40-byte [`Position`] with the published win test: eight masks in one vector.
    Position,
    /// The same with a table of 512 bits as win test.
    PositionLineTable,
    /// The same with a table keyed by the whole local board.
    PositionBoardTable,
    /// One cache line with a lane for each board.
    Lanes,
    /// The same without the fields that only a search needs: hash and live boards are not updated.
    BareLanes,
}

impl Layout {
    /// All layouts.
    pub const ALL: [Self; 5] =
        [Self::Position, Self::PositionLineTable, Self::PositionBoardTable, Self::Lanes, Self::BareLanes];
}

/// Number of sequences of `depth` moves. Every position is built, including the leaves.
#[must_use]
pub fn one_by_one<R: Rule>(isa: Isa, layout: Layout, position: &Position, depth: u32) -> u64 {
    match layout {
        Layout::Position => dispatch!(isa.level(), simd => rows_vector::<_, R>(simd, position, depth)),
        Layout::PositionLineTable => dispatch!(isa.level(), simd => rows_table::<_, R>(simd, position, depth)),
        Layout::PositionBoardTable => dispatch!(isa.level(), simd => rows_boards::<_, R>(simd, position, depth)),
        Layout::Lanes => {
            dispatch!(isa.level(), simd => lanes::<_, R, true>(simd, &Lanes::new::<R>(position), depth))
        }
        Layout::BareLanes => {
            dispatch!(isa.level(), simd => lanes::<_, R, false>(simd, &Lanes::new::<R>(position), depth))
        }
    }
}

/// Number of sequences of `depth` moves. The last two plies are counted without playing a move.
#[must_use]
pub fn perft<R: Rule>(isa: Isa, position: &Position, depth: u32) -> u64 {
    dispatch!(isa.level(), simd => masks::<_, R>(simd, &Lanes::new::<R>(position), depth))
}

#[simd]
fn rows_vector<S: Simd, R: Rule>(simd: S, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        black_box(position);
        return 1;
    }
    position
        .moves::<R>()
        .map(|mv| rows_vector::<S, R>(simd, &position.after::<R>(mv, |s| has_line(simd, s)), depth - 1))
        .sum()
}

#[simd]
fn rows_table<S: Simd, R: Rule>(simd: S, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        black_box(position);
        return 1;
    }
    position
        .moves::<R>()
        .map(|mv| rows_table::<S, R>(simd, &position.after::<R>(mv, CellSet::has_line), depth - 1))
        .sum()
}

#[simd]
fn rows_boards<S: Simd, R: Rule>(simd: S, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        black_box(position);
        return 1;
    }
    let judge = |us: usize, ours: u16, theirs: u16| {
        let [first, second] = if us == 0 { [ours, theirs] } else { [theirs, ours] };
        let facts = BOARDS[usize::from(first) | usize::from(second) << 9];
        (facts >> (LINE + us) & 1 != 0, facts >> FULL & 1 != 0)
    };
    let after = |mv| position.after_judged::<R>(mv, CellSet::has_line, judge);
    position.moves::<R>().map(|mv| rows_boards::<S, R>(simd, &after(mv), depth - 1)).sum()
}

#[simd]
fn lanes<S: Simd, R: Rule, const SEARCH: bool>(simd: S, position: &Lanes, depth: u32) -> u64 {
    let mut leaves = 0;
    for board in position.playable() {
        let closing = position.closing_squares::<R>(board);
        for square in position.free(board) - closing {
            let next = position.after_quiet::<R, SEARCH, SEARCH>(board.index(), square.index());
            if depth == 1 {
                black_box(&next);
                leaves += 1;
            } else {
                leaves += lanes::<S, R, SEARCH>(simd, &next, depth - 1);
            }
        }
        for square in closing {
            let mut next = *position;
            next.advance::<R, SEARCH, SEARCH>(board.index(), square.index());
            if depth == 1 {
                black_box(&next);
                leaves += 1;
            } else {
                leaves += lanes::<S, R, SEARCH>(simd, &next, depth - 1);
            }
        }
    }
    leaves
}

#[simd]
fn masks<S: Simd, R: Rule>(simd: S, position: &Lanes, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        1 => return u64::from(position.move_count()),
        2 => return u64::from(two_plies::<R>(position)),
        _ => {}
    }
    let mut leaves = 0;
    for board in position.playable() {
        for square in position.free(board) {
            let mut next = *position;
            next.advance::<R, false, false>(board.index(), square.index());
            leaves += masks::<S, R>(simd, &next, depth - 1);
        }
    }
    leaves
}

/// Number of sequences of two moves, by masks.
///
/// ```text
/// for each playable board:
///   quiet squares     close nothing. If the target board is open, the replies are its free squares (one fewer if it is
///                     this board); if it is closed, the replies are all free squares
///   closing squares   win the board. No replies if that wins the game; otherwise as above without this board
/// the last free square of a board always closes it: that move is played
/// ```
#[inline(always)]
fn two_plies<R: Rule>(position: &Lanes) -> u32 {
    let us = position.mover();
    let all = position.empties();
    let open = position.open;
    let mut leaves = 0;
    for board in position.playable() {
        let index = board.index();
        let this = 1_u16 << index;
        let free = position.free(board);
        let count = position.free_count(index);
        if count == 1 {
            for square in free {
                let mut next = *position;
                next.advance::<R, false, false>(index, square.index());
                leaves += next.move_count();
            }
            continue;
        }
        let mut closing = position.winning_squares::<R>(us, board).bits();
        let mut quiet = free.bits() & !closing;
        let ends_game = position.winning_boards(us).contains(board);
        if ends_game {
            closing = 0;
        } else if R::WON_BOARDS_STAY_OPEN {
            quiet = free.bits();
            closing = 0;
        }
        leaves += position.free_in(quiet & open) - u32::from(quiet >> index & 1);
        leaves += (quiet & !open).count_ones() * (all - 1);
        if closing != 0 {
            let still_open = open & !this;
            leaves += position.free_in(closing & still_open) + (closing & !still_open).count_ones() * (all - count);
        }
    }
    leaves
}
