//! Moves and canonical forms in all eight images at once: the form that won.
//!
//! ```text
//! images  = ROWS[0][row 0] | ROWS[1][row 1] | ROWS[2][row 2]        eight lanes, lane g = image g << 3 | g
//! for each empty cell:
//!     for each move of its surroundings:
//!         least lane of (images ^ DELTAS[change])                    the child's canonical form, and its symmetry
//! ```

use crate::tables::{self, List};
use crate::{Board, MOST, Move};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::{Sym, lanes};

/// A child: its canonical board, the symmetry that leads there, and how it came about.
///
/// ```text
/// bit  31..30  0 a placement; for a capture, by how many dice it lowers their number
///      29..3   the canonical board
///       2..0   the number of the symmetry
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Child(u32);

const _: () = assert!(size_of::<Child>() == 4);

impl Child {
    /// The bits of the canonical board.
    #[inline(always)]
    #[must_use]
    pub const fn board(self) -> u32 {
        self.0 >> 3 & ((1 << 27) - 1)
    }

    /// The symmetry that takes the child to its canonical board.
    #[inline(always)]
    #[must_use]
    pub const fn sym(self) -> usize {
        self.0 as usize & 7
    }

    /// 0 for a placement; for a capture, by how many dice it lowers their number.
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> usize {
        (self.0 >> 30) as usize
    }

    /// Kind and symmetry in five bits, `kind | sym << 2`.
    #[inline(always)]
    #[must_use]
    pub const fn manner(self) -> u32 {
        self.0.rotate_left(2) & 31
    }
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
pub fn least<S: Simd>(_: S, images: u32x8<S>) -> u32 {
    let (low, high) = images.split();
    let four = low.min(high);
    let two = four.min(four.slide::<2>(four));
    let one: [u32; 4] = two.min(two.slide::<1>(two)).into();
    one[0]
}

/// The canonical form, and the first symmetry that leads to it.
#[inline(always)]
pub fn canonical<S: Simd>(simd: S, board: Board) -> (Board, Sym) {
    let least = least(simd, images(simd, board.bits()));
    (Board::from_bits_unchecked(least >> 3), Sym::ALL[least as usize & 7])
}

/// All children, by cell with the centre last; gives how many. Each is 1 load, 1 XOR and the reduction: its kind rides in
/// the two bits above the images, the same in all lanes.
#[inline(always)]
pub fn children<S: Simd>(simd: S, bits: u32, out: &mut [Child; MOST]) -> usize {
    let images = images(simd, bits);
    let empty = lanes::zero_mask::<3>(u64::from(bits));
    let mut count = 0;
    tables::surroundings(bits).for_each_place(
        empty,
        #[inline(always)]
        |place| {
            let List { start, count: moves } = tables::LISTS[place];
            for &change in &tables::CHANGE_OF[usize::from(start)..usize::from(start) + usize::from(moves)] {
                let delta: u32x8<S> = tables::DELTAS[usize::from(change)].simd_into(simd);
                // The slot is masked rather than checked: no board has more than 16 children.
                out[count % MOST] = Child(least(simd, images ^ delta));
                count += 1;
            }
        },
    );
    count.min(MOST)
}

/// The sum of the values of all children, in eight images, and how many there are: no child is made.
///
/// ```text
/// sum = children * value(board) + sum over empty cells of GAIN[surroundings]
/// ```
#[inline(always)]
pub fn sum_of_children<S: Simd>(simd: S, bits: u32) -> u32x8<S> {
    let empty = lanes::zero_mask::<3>(u64::from(bits));
    let mut gain = u32x8::splat(simd, 0);
    let mut count = 0;
    tables::surroundings(bits).for_each_place(
        empty,
        #[inline(always)]
        |place| {
            gain += u32x8::simd_from(simd, tables::GAINS[place]);
            count += u32::from(tables::LISTS[place].count);
        },
    );
    gain + values(simd, bits) * u32x8::splat(simd, count)
}

/// The moves that [`children`] plays, in its order.
pub fn steps(bits: u32) -> impl Iterator<Item = Move> {
    let (mut out, mut count) = ([Move::NONE; MOST], 0);
    tables::surroundings(bits).for_each_place(lanes::zero_mask::<3>(u64::from(bits)), |place| {
        let List { start, count: moves } = tables::LISTS[place];
        for &mv in &tables::STEPS[usize::from(start)..][..usize::from(moves)] {
            out[count] = mv;
            count += 1;
        }
    });
    out.into_iter().take(count)
}
