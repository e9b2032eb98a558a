//! The spiral order of the contest write-up "CG Spring Challenge 2025": the eight outer cells form a ring.
//!
//! A quarter turn of the board rotates the ring by two lanes: two shifts, an and, an or. The centre never moves and is kept
//! apart.
//!
//! ```text
//!  cell   0 1 2      place in the ring   0 1 2
//!         3 4 5                          7 . 3
//!         6 7 8                          6 5 4
//! ```
//!
//! ```
//! use ninefold_grid::{Sym, spiral};
//! let board = 0o123_456_701; // three bits per cell, cell 8 first
//! let turned = spiral::word::<3>(spiral::turned::<3>(spiral::ring::<3>(board), 1), board);
//! assert_eq!(turned, Sym::TURN.lanes::<3>(board));
//! ```
//!
//! Measured, instructions for the smallest of eight images (`bench/counts.txt`): `grid/least_image(spiral)` 86.76,
//! `grid/least_image(lanes)` with [`Sym::lanes`](crate::Sym::lanes) 93.51.

use crate::{Cell, CellSet, cells, lanes::mask};

/// The cells in ring order.
pub const RING: [usize; 8] = [0, 1, 2, 5, 8, 7, 6, 3];

/// The ring of a row-major word of nine `K`-bit lanes: eight lanes starting at bit 0. Four masks, three shifts.
#[inline]
#[must_use]
pub const fn ring<const K: u32>(word: u64) -> u64 {
    word & mask::<K>(cells! { x x x / . . . / x . . })
        | (word & mask::<K>(cells! { . . . / . . x / . x . })) >> (2 * K)
        | (word & mask::<K>(cells! { . . . / . . . / . . x })) >> (4 * K)
        | (word & mask::<K>(cells! { . . . / x . . / . . . })) << (4 * K)
}

/// The ring of the mirrored board. Three masks, two shifts.
#[inline]
#[must_use]
pub const fn mirrored_ring<const K: u32>(word: u64) -> u64 {
    word & mask::<K>(cells! { . x . / x . . / . . . })
        | (word & mask::<K>(cells! { x . . / . . x / . . . })) << (2 * K)
        | (word & mask::<K>(cells! { . . x / . . . / x x x })) >> (2 * K)
}

/// The ring after `turns` quarter turns clockwise, 0 to 3.
#[inline]
#[must_use]
pub const fn turned<const K: u32>(ring: u64, turns: u32) -> u64 {
    debug_assert!(turns < 4);
    (ring << (2 * K * turns) | ring >> (2 * K * (4 - turns))) & ((1 << (8 * K)) - 1)
}

/// The row-major word of a ring, with the centre taken from the row-major word `centre_of`.
#[inline]
#[must_use]
pub const fn word<const K: u32>(ring: u64, centre_of: u64) -> u64 {
    centre_of & mask::<K>(CellSet::of(Cell::CENTRE))
        | ring & mask::<K>(cells! { x x x / . . . / x . . })
        | (ring & lane::<K>(3) | ring & lane::<K>(5)) << (2 * K)
        | (ring & lane::<K>(4)) << (4 * K)
        | (ring & lane::<K>(7)) >> (4 * K)
}

const fn lane<const K: u32>(place: u32) -> u64 {
    ((1 << K) - 1) << (K * place)
}
