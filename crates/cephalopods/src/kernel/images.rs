//! Moves and canonical forms in all eight images at once: the form that won.
//!
//! ```text
//! images  = ROWS[0][row 0] | ROWS[1][row 1] | ROWS[2][row 2]        eight lanes, lane g = image g << 3 | g
//! for each empty cell:
//!     for each move of its surroundings:
//!         least lane of (images ^ DELTA[move])                      the child's canonical form, and its symmetry
//! ```

use crate::tables::{self, List};
use crate::{Board, moves::MOST};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::{Sym, lanes};

/// A child's canonical board, shifted up by three, with the number of the symmetry that leads to it below.
pub type Child = u32;

/// The children of one board.
#[derive(Clone, Debug)]
pub struct Children {
    /// As many as there are; the rest is of no account.
    pub child: [Child; MOST],
    /// How many dice each captures.
    pub captured: [u8; MOST],
    /// How many there are.
    pub count: usize,
}

impl Children {
    /// None.
    pub const NONE: Self = Self { child: [0; MOST], captured: [0; MOST], count: 0 };
}

/// The eight images of a board, each with its symmetry's number in the low three bits.
#[inline(always)]
pub fn images<S: Simd>(simd: S, bits: u32) -> u32x8<S> {
    let [a, b, c] = tables::rows(bits);
    let load = |row: usize, digits: usize| -> u32x8<S> { tables::IMAGE_ROWS[row][digits].simd_into(simd) };
    load(0, a) | load(1, b) | load(2, c)
}

/// The values of the eight images of a board.
#[inline(always)]
pub fn values<S: Simd>(simd: S, bits: u32) -> u32x8<S> {
    let [a, b, c] = tables::rows(bits);
    let load = |row: usize, digits: usize| -> u32x8<S> { tables::VALUE_ROWS[row][digits].simd_into(simd) };
    load(0, a) + load(1, b) + load(2, c)
}

/// The least lane.
#[inline(always)]
pub fn least<S: Simd>(_: S, images: u32x8<S>) -> Child {
    let (low, high) = images.split();
    let four = low.min(high);
    let two = four.min(four.slide::<2>(four));
    two.min(two.slide::<1>(two))[0]
}

/// The canonical form, and the first symmetry that leads to it.
#[inline(always)]
pub fn canonical<S: Simd>(simd: S, board: Board) -> (Board, Sym) {
    let least = least(simd, images(simd, board.bits()));
    (Board::from_bits_unchecked(least >> 3), Sym::ALL[least as usize & 7])
}

/// All children, in the order of the rules: 1 load, 1 XOR and the reduction each.
#[inline(always)]
pub fn children<S: Simd>(simd: S, bits: u32, out: &mut Children) {
    let images = images(simd, bits);
    let surroundings = tables::surroundings(bits);
    let mut empty = lanes::zero_mask::<3>(u64::from(bits));
    let mut count = 0;
    while empty != 0 {
        let cell = empty.trailing_zeros() as usize / 3;
        empty &= empty - 1;
        let List { start, count: moves } = tables::LISTS[surroundings.place(cell)];
        for mv in usize::from(start)..usize::from(start) + usize::from(moves) {
            let delta: u32x8<S> = tables::DELTAS[mv].simd_into(simd);
            // The slot is masked rather than checked: no board has more than 16 children.
            out.child[count % MOST] = least(simd, images ^ delta);
            out.captured[count % MOST] = tables::CAPTURED[mv];
            count += 1;
        }
    }
    out.count = count;
}

/// The sum of the values of all children, in eight images, and how many there are: no child is made.
///
/// ```text
/// sum = children * value(board) + sum over empty cells of GAIN[surroundings]
/// ```
#[inline(always)]
pub fn sum_of_children<S: Simd>(simd: S, bits: u32) -> u32x8<S> {
    let surroundings = tables::surroundings(bits);
    let mut empty = lanes::zero_mask::<3>(u64::from(bits));
    let mut gain = u32x8::splat(simd, 0);
    let mut count = 0;
    while empty != 0 {
        let cell = empty.trailing_zeros() as usize / 3;
        empty &= empty - 1;
        let place = surroundings.place(cell);
        gain += u32x8::simd_from(simd, tables::GAINS[place]);
        count += u32::from(tables::LISTS[place].count);
    }
    gain + values(simd, bits) * u32x8::splat(simd, count)
}
