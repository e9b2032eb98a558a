//! Moves for up to 64 boards of one pattern at once, stored die by die (structure of arrays).
//!
//! ```text
//! pips of column j     p[j] = base-6 digits of the index, plus one; p[0] is the rest of the pips
//! can capture S        sum of p[j] over S <= limit                                            one bit per board
//! index of the child   minimum over its images of constant + sum of weight[j] * p[j]         16 boards per vector
//! ```
//!
//! There is no table lookup and no branch that depends on a board. A child is an index, so a search needs no hash table.
//!
//! Measured, instructions for all children of a board with six dice and an empty centre, 16 moves to try
//! (`cephalopods/children(columns)` in `bench/counts.txt`): 324.87 scalar, 249.32 sse2, 236.83 v2, 137.18 v3.

use crate::pattern::{Change, Image, MOST_DICE, Pattern};
use grid::simd::fearless_simd::{Simd, mask16x16, prelude::*, u8x32, u16x16, u32x8};
use grid::{Cell, Sym};

/// Maximum number of boards.
pub const BOARDS: usize = 64;

/// Boards of one pattern and one total number of pips, by column.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Columns {
    /// The indices of the boards. [`Columns::read`] computes the pips from them.
    pub indices: [u16; BOARDS],
    /// By cell: the sum of its digits over all children of a board.
    totals: [[u16; BOARDS]; 9],
    pips: [[u16; BOARDS]; MOST_DICE],
    bytes: [[u8; BOARDS]; MOST_DICE],
}

/// The children of all boards by one move.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Children {
    /// The indices of the children.
    pub indices: [u16; BOARDS],
    /// Bits 26 and up: the number of the board. Bits 21 to 23: the symmetry. Below: the `tag` that the caller gave.
    pub tags: [u32; BOARDS],
}

impl Default for Children {
    fn default() -> Self {
        Self { indices: [0; BOARDS], tags: [0; BOARDS] }
    }
}

impl Default for Columns {
    fn default() -> Self {
        Self {
            indices: [0; BOARDS],
            totals: [[0; BOARDS]; 9],
            pips: [[0; BOARDS]; MOST_DICE],
            bytes: [[0; BOARDS]; MOST_DICE],
        }
    }
}

/// The number of each board, shifted to its place in [`Children::tags`].
static NUMBERS: [u32; BOARDS] = {
    let (mut table, mut at) = ([0; BOARDS], 0);
    while at < BOARDS {
        table[at] = (at as u32) << 26;
        at += 1;
    }
    table
};

/// The decimal weight of a pip on each cell in the values of the eight images.
static WORTH: [[u32; 8]; 9] = {
    let (mut table, mut cell) = ([[0; 8]; 9], 0);
    while cell < 9 {
        let mut sym = 0;
        while sym < 8 {
            table[cell][sym] = 10u32.pow(8 - Sym::ALL[sym].cell(Cell::ALL[cell]).index() as u32);
            sym += 1;
        }
        cell += 1;
    }
    table
};

impl Columns {
    /// Computes the pips of the first `count` boards with `DICE` dice from their indices.
    #[inline(always)]
    pub fn read<const DICE: usize>(&mut self, pips: usize, count: usize) {
        debug_assert!(count <= BOARDS);
        let Self { indices, pips: columns, bytes, .. } = self;
        for (from, indices) in indices.as_chunks::<16>().0.iter().enumerate().take(count.div_ceil(16)) {
            let (mut rest, mut left) = (*indices, [pips as u16; 16]);
            for (columns, bytes) in columns.iter_mut().zip(&mut *bytes).take(DICE).skip(1) {
                // Division by 6, exact for every 16-bit number.
                let sixths = rest.map(|rest| ((u32::from(rest) * 43_691) >> 18) as u16);
                let shown: [u16; 16] = core::array::from_fn(|board| rest[board].wrapping_sub(6 * sixths[board]) + 1);
                rest = sixths;
                left = core::array::from_fn(|board| left[board].wrapping_sub(shown[board]));
                columns.as_chunks_mut().0[from % 4] = shown;
                bytes.as_chunks_mut().0[from % 4] = shown.map(|pips| pips as u8);
            }
            if DICE > 0 {
                columns[0].as_chunks_mut().0[from % 4] = left;
                bytes[0].as_chunks_mut().0[from % 4] = left.map(|pips| pips as u8);
            }
        }
    }

    /// A bit mask of the boards whose dice in these columns sum to at most `limit`. Valid for the first `count` boards.
    #[inline(always)]
    pub fn at_most<S: Simd>(&self, simd: S, columns: &[u8], limit: u8, count: usize) -> u64 {
        debug_assert!(count <= BOARDS && columns.iter().all(|column| usize::from(*column) < MOST_DICE));
        let half = |from: usize| {
            let mut sum = u8x32::splat(simd, 0);
            for &column in columns {
                sum += u8x32::simd_from(simd, part(&self.bytes[usize::from(column) % MOST_DICE], from));
            }
            sum.simd_le(u8x32::splat(simd, limit)).to_bitmask()
        };
        if count > 32 { half(0) | half(32) << 32 } else { half(0) }
    }

    /// Writes the indices and tags of the children of the first `count` boards with `DICE` dice. It does not test whether the
    /// move is legal: combine it with [`at_most`](Self::at_most).
    #[inline(always)]
    pub fn children<S: Simd, const DICE: usize>(
        &self,
        simd: S,
        images: &[Image],
        count: usize,
        tag: u32,
        out: &mut Children,
    ) {
        debug_assert!(count <= BOARDS);
        let Some((first, others)) = images.split_first() else { return };
        let Children { indices, tags } = out;
        let (indices, tags) = (indices.as_chunks_mut::<16>().0, tags.as_chunks_mut::<8>().0);
        let (numbers, tag) = (NUMBERS.as_chunks::<8>().0, u32x8::splat(simd, tag));
        for from in 0..count.div_ceil(16).min(BOARDS / 16) {
            let mut least = self.indices_by::<S, DICE>(simd, first, from);
            let mut syms = u16x16::splat(simd, first.sym.into());
            for image in others {
                let before = least;
                least = before.min(self.indices_by::<S, DICE>(simd, image, from));
                syms = least.simd_eq(before).select(syms, u16x16::splat(simd, image.sym.into()));
            }
            indices[from] = least.into();
            let (low, high) = syms.widen();
            tags[2 * from] = ((low << 21) + tag + u32x8::simd_from(simd, numbers[2 * from])).into();
            tags[2 * from + 1] = ((high << 21) + tag + u32x8::simd_from(simd, numbers[2 * from + 1])).into();
        }
    }

    /// The indices of 16 children under one image.
    #[inline(always)]
    fn indices_by<S: Simd, const DICE: usize>(&self, simd: S, image: &Image, from: usize) -> u16x16<S> {
        let mut index = u16x16::splat(simd, image.constant);
        for (pips, weight) in self.pips.iter().zip(image.weights).take(DICE) {
            index += u16x16::simd_from(simd, part(pips, 16 * from)) * u16x16::splat(simd, weight);
        }
        index
    }

    /// Sums the digits of all children of the first `count` boards.
    #[inline(always)]
    pub fn add_up_children<S: Simd, const DICE: usize>(&mut self, simd: S, pattern: &Pattern, count: usize) {
        debug_assert!(count <= BOARDS);
        let one = u16x16::splat(simd, 1);
        for from in (0..count).step_by(16) {
            let mut tally = Tally::<S, DICE>::new(simd, &self.pips, from);
            let mut captures = tally.none;
            for change in pattern.moves() {
                debug_assert!(usize::from(change.cell) < pattern.empty().len());
                let cell = usize::from(change.cell) % 9;
                if change.taken().is_empty() {
                    let calm = captures.simd_eq(tally.none).select(one, tally.none);
                    tally.count += calm;
                    tally.placed[cell] += calm;
                    captures = tally.none;
                } else {
                    captures += tally.capture(simd, change, one);
                }
            }
            tally.write(pattern, &mut self.totals, from);
        }
    }

    /// The same for the double moves of boards with seven dice. If no capture is possible after the placement, the double move
    /// fills the board.
    #[inline(always)]
    pub fn add_up_doubles<S: Simd>(&mut self, simd: S, pattern: &Pattern, count: usize) {
        debug_assert!(count <= BOARDS);
        let one = u16x16::splat(simd, 1);
        for from in (0..count).step_by(16) {
            let mut tally = Tally::<S, MOST_DICE>::new(simd, &self.pips, from);
            debug_assert!(pattern.empty().len() == 2);
            let mut calm = [one; 2];
            for change in pattern.moves().iter().filter(|change| !change.taken().is_empty()) {
                debug_assert!(change.cell < 2);
                let captured = tally.can(simd, change);
                let calm = &mut calm[usize::from(change.cell) % 2];
                *calm = captured.select(tally.none, *calm);
            }
            let mut filled = calm;
            for change in pattern.doubles() {
                debug_assert!(change.cell < 2);
                let cell = usize::from(change.cell) % 2;
                let captured = tally.capture(simd, change, calm[1 - cell]);
                filled[1 - cell] &= one - captured;
                tally.placed[if change.takes_the_first() { cell } else { 1 - cell }] += captured;
            }
            let filled = filled[0] + filled[1];
            tally.count += filled;
            tally.placed[0] += filled;
            tally.placed[1] += filled;
            tally.write(pattern, &mut self.totals, from);
        }
    }

    /// The sum of the values of a board's children, in eight images. Call one of the two functions above first.
    #[inline(always)]
    pub fn total<S: Simd>(&self, simd: S, board: usize) -> u32x8<S> {
        debug_assert!(board < BOARDS);
        let mut total = u32x8::splat(simd, 0);
        for (worth, totals) in WORTH.iter().zip(&self.totals) {
            total += u32x8::simd_from(simd, *worth) * u32x8::splat(simd, totals[board % BOARDS].into());
        }
        total
    }

    /// The values of a board with seven dice after its two empty cells were filled with ones, in eight images.
    #[inline(always)]
    pub fn filled<S: Simd>(&self, simd: S, pattern: &Pattern, board: usize) -> u32x8<S> {
        debug_assert!(board < BOARDS);
        let mut total = u32x8::splat(simd, 0);
        for (cell, pips) in pattern.occupied().iter().zip(&self.pips) {
            let worth = u32x8::simd_from(simd, WORTH[usize::from(*cell)]);
            total += worth * u32x8::splat(simd, pips[board % BOARDS].into());
        }
        pattern.empty().iter().fold(total, |total, cell| total + u32x8::simd_from(simd, WORTH[usize::from(*cell)]))
    }
}

/// `N` entries that start at `from`, a multiple of `N`.
#[inline(always)]
fn part<T: Copy, const N: usize>(list: &[T; BOARDS], from: usize) -> [T; N] {
    debug_assert!(from.is_multiple_of(N) && from + N <= BOARDS);
    list.as_chunks::<N>().0[from / N % (BOARDS / N)]
}

/// Running sums of the digits of the children of 16 boards.
struct Tally<S: Simd, const DICE: usize> {
    none: u16x16<S>,
    pips: [u16x16<S>; DICE],
    /// Number of children.
    count: u16x16<S>,
    /// By column: number of children in which its die was captured.
    gone: [u16x16<S>; DICE],
    /// By empty cell: sum of the pips of the new dice.
    placed: [u16x16<S>; 9],
}

impl<S: Simd, const DICE: usize> Tally<S, DICE> {
    #[inline(always)]
    fn new(simd: S, pips: &[[u16; BOARDS]; MOST_DICE], from: usize) -> Self {
        let none = u16x16::splat(simd, 0);
        let pips = core::array::from_fn(|column| u16x16::simd_from(simd, part(&pips[column], from)));
        Self { none, pips, count: none, gone: [none; DICE], placed: [none; 9] }
    }

    #[inline(always)]
    fn sum(&self, change: &Change) -> u16x16<S> {
        debug_assert!(change.taken().iter().all(|column| usize::from(*column) < DICE));
        change.taken().iter().fold(self.none, |sum, column| sum + self.pips[usize::from(*column) % DICE.max(1)])
    }

    /// The boards in which the capture is legal.
    #[inline(always)]
    fn can(&self, simd: S, change: &Change) -> mask16x16<S> {
        self.sum(change).simd_le(u16x16::splat(simd, change.limit.into()))
    }

    /// Adds the children of a capture, `times` each, and returns their number.
    #[inline(always)]
    fn capture(&mut self, simd: S, change: &Change, times: u16x16<S>) -> u16x16<S> {
        let times = self.can(simd, change).select(times, self.none);
        self.count += times;
        self.placed[usize::from(change.cell) % 9] += times * self.sum(change);
        for column in change.taken() {
            self.gone[usize::from(*column) % DICE.max(1)] += times;
        }
        times
    }

    #[inline(always)]
    fn write(&self, pattern: &Pattern, totals: &mut [[u16; BOARDS]; 9], from: usize) {
        debug_assert!(from.is_multiple_of(16) && from < BOARDS);
        let mut write = |cell: &u8, digits: u16x16<S>| {
            totals[usize::from(*cell)].as_chunks_mut::<16>().0[from / 16 % 4] = digits.into();
        };
        for ((cell, pips), gone) in pattern.occupied().iter().zip(&self.pips).zip(&self.gone) {
            write(cell, (self.count - *gone) * *pips);
        }
        for (cell, placed) in pattern.empty().iter().zip(&self.placed) {
            write(cell, *placed);
        }
    }
}
