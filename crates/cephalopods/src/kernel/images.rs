//! Moves and canonical forms in all eight images at once: the fastest method for a single board.
//!
//! ```text
//! images  = ROWS[0][row 0] | ROWS[1][row 1] | ROWS[2][row 2]        eight lanes, lane g = image g << 3 | g
//! for each empty cell:
//!     for each move, given the pips around the cell:
//!         smallest lane of (images ^ DELTAS[change])                 the child's canonical form and its symmetry
//! ```
//!
//! Measured, instructions per board (`bench/counts.txt`), with the published method in brackets:
//!
//! | function | scalar | sse2 | v2 | v3 |
//! |---|---|---|---|---|
//! | [`canonical()`] | 47.01 (72.01) | 47.01 (105.01) | 26.01 (77.01) | 24.01 (60.01) |
//! | [`children`], with canonical forms | 335.62 (1955.41) | 274.38 (1344.53) | 206.90 (528.20) | 184.43 (415.88) |

use crate::tables;
use crate::{Board, MOST};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::{Sym, lanes};

/// A child: its canonical board, the symmetry that maps it there, and the kind of move.
///
/// ```text
/// bit  31..30  0 for a placement; for a capture the decrease in the number of dice
///      29..3   the canonical board
///       2..0   the index of the symmetry
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct Child(u32);

const _: () = assert!(size_of::<Child>() == 4);

impl Child {
    /// The bits of the canonical board.
    #[inline(always)]
    #[must_use]
    pub const fn board(self) -> u32 {
        self.0 >> 3 & ((1 << 27) - 1)
    }

    /// The index of the symmetry that maps the child to its canonical board.
    #[inline(always)]
    #[must_use]
    pub const fn sym(self) -> usize {
        self.0 as usize & 7
    }

    /// 0 for a placement; for a capture the decrease in the number of dice.
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> usize {
        (self.0 >> 30) as usize
    }
}

/// The eight images of a board, each with the index of its symmetry in the low three bits.
#[inline(always)]
pub fn images<S: Simd>(simd: S, bits: u32) -> u32x8<S> {
    let [a, b, c] = tables::rows(bits);
    let load = |row: usize, digits: usize| -> u32x8<S> { tables::IMAGE_ROWS.0[row][digits].simd_into(simd) };
    load(0, a) | load(1, b) | load(2, c)
}

/// The values of the eight images of a board.
#[inline(always)]
fn values<S: Simd>(simd: S, bits: u32) -> u32x8<S> {
    let [a, b, c] = tables::rows(bits);
    let load = |row: usize, digits: usize| -> u32x8<S> { tables::VALUE_ROWS.0[row][digits].simd_into(simd) };
    load(0, a) + load(1, b) + load(2, c)
}

/// The smallest lane.
#[inline(always)]
pub fn least<S: Simd>(_: S, images: u32x8<S>) -> u32 {
    let (low, high) = images.split();
    let four = low.min(high);
    let two = four.min(four.slide::<2>(four));
    let one: [u32; 4] = two.min(two.slide::<1>(two)).into();
    one[0]
}

/// The canonical form, and the first symmetry that maps the board to it.
#[inline(always)]
pub fn canonical<S: Simd>(simd: S, board: Board) -> (Board, Sym) {
    let least = least(simd, images(simd, board.bits()));
    (Board::from_bits_unchecked(least >> 3), Sym::ALL[least as usize & 7])
}

/// The smallest lane of each of four vectors. The four share one tree of minima: 21 instructions instead of 32 for four
/// separate reductions.
///
/// ```text
/// a0 a1 a2 a3   zip a, c    a0 c0 a1 c1   min    a02 c02 a13 c13   zip    a02 b02 c02 d02   min    a b c d
/// b0 b1 b2 b3               a2 c2 a3 c3                                   a13 b13 c13 d13
/// c0 c1 c2 c3   zip b, d    b0 d0 b1 d1   min    b02 d02 b13 d13
/// d0 d1 d2 d3               b2 d2 b3 d3
/// ```
#[inline(always)]
fn least_of_four<S: Simd>(images: [u32x8<S>; 4]) -> [u32; 4] {
    let [a, b, c, d] = images.map(
        #[inline(always)]
        |images| {
            let (low, high) = images.split();
            low.min(high)
        },
    );
    let ac = a.zip_low(c).min(a.zip_high(c));
    let bd = b.zip_low(d).min(b.zip_high(d));
    ac.zip_low(bd).min(ac.zip_high(bd)).into()
}

/// Writes the changes of all moves of a board, by cell, and returns their number. Bits above the lowest ten are not part of a
/// change.
///
/// Each cell writes four entries, whatever its number of moves. Only the centre can have more, and rarely does.
#[inline(always)]
fn changes(bits: u32, out: &mut [u16; 2 * MOST]) -> usize {
    let mut count = 0;
    tables::places(bits).for_each(
        lanes::zero_mask::<3>(u64::from(bits)),
        #[inline(always)]
        |place| {
            // Masked rather than checked: no board has more than 16 children.
            debug_assert!(place < tables::PLACES && count < MOST);
            let (place, to) = (place % tables::PLACES_ROOM, count % MOST);
            let four = tables::FOURS[place];
            let moves = (four >> 58) as usize;
            out[to..to + 4].copy_from_slice(&[
                four as u16,
                (four >> 16) as u16,
                (four >> 32) as u16,
                (four >> 48) as u16,
            ]);
            if moves > 4 {
                let from = usize::from(tables::LISTS[place].start) % tables::MOVES_ROOM;
                debug_assert!(from < tables::MOVES);
                out[to..to + MOST].copy_from_slice(&tables::CHANGE_OF[from..from + MOST]);
            }
            count += moves;
        },
    );
    debug_assert!(count <= MOST);
    count.min(MOST)
}

/// Writes all children of a board, by cell, and returns their number. Each child costs a load, an XOR and a quarter of a shared
/// reduction. The kind of move is in the two top bits of every lane, so the reduction keeps it.
#[inline(always)]
pub fn children<S: Simd>(simd: S, bits: u32, out: &mut [Child; MOST]) -> usize {
    let mut changes = [0; 2 * MOST];
    let count = self::changes(bits, &mut changes);
    let images = images(simd, bits);
    let fours = changes.as_chunks::<4>().0.iter().zip(out.as_chunks_mut::<4>().0).take(count.div_ceil(4));
    for (changes, out) in fours {
        let child = |place: usize| {
            let change = usize::from(changes[place]) % tables::CHANGES_ROOM;
            debug_assert!(change < tables::CHANGES);
            images ^ u32x8::simd_from(simd, tables::DELTAS.0[change])
        };
        *out = least_of_four([child(0), child(1), child(2), child(3)]).map(Child);
    }
    count
}

/// The sum of the values of all children, in eight images, without building the children.
///
/// ```text
/// sum = number of children * value(board) + sum of GAINS[place] over the empty cells
/// ```
#[inline(always)]
pub fn sum_of_children<S: Simd>(simd: S, bits: u32) -> u32x8<S> {
    let empty = lanes::zero_mask::<3>(u64::from(bits));
    let mut gain = u32x8::splat(simd, 0);
    let mut count = 0;
    tables::places(bits).for_each(
        empty,
        #[inline(always)]
        |place| {
            gain += u32x8::simd_from(simd, tables::GAINS.0[place]);
            count += u32::from(tables::LISTS[place].count);
        },
    );
    gain + values(simd, bits) * u32x8::splat(simd, count)
}
