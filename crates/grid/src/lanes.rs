//! Nine lanes of `K` bits in one word: arithmetic on all nine at once (SWAR).
//!
//! Cell `c` has the bits `K*c .. K*c + K`. With `K = 3` a board of dice is 27 bits:
//!
//! ```text
//! bit  26..24 23..21 20..18 17..15 14..12 11..9  8..6   5..3   2..0
//! cell    8      7      6      5      4      3      2      1      0
//! ```
//!
//! ```
//! use ninefold_grid::lanes;
//! let (x, y) = (0o000_006_215, 0o000_005_310);
//! assert_eq!(lanes::add_saturate::<3>(x, y), 0o000_007_525); // 6 + 5 stays at 7
//! assert_eq!(lanes::zero_mask::<3>(x), 0o444_440_000); // the top bit of each lane that is zero
//! ```
//!
//! Every function works for any `K` from 2 to 7 and keeps the bits above the ninth lane zero. An addition of nine lanes with
//! saturation costs 12.76 instructions at any level (`grid/add_saturate` in `bench/counts.txt`).

use crate::Cell;

/// The same value in all nine lanes.
#[inline]
#[must_use]
pub const fn splat<const K: u32>(value: u64) -> u64 {
    let mut word = 0;
    let mut cell = 0;
    while cell < 9 {
        word |= value << (K * cell);
        cell += 1;
    }
    word
}

/// The value of one lane.
#[inline]
#[must_use]
pub const fn get<const K: u32>(word: u64, cell: Cell) -> u64 {
    word >> (K * cell.index() as u32) & ((1 << K) - 1)
}

/// The word with one lane replaced. `value` must fit.
#[inline]
#[must_use]
pub const fn set<const K: u32>(word: u64, cell: Cell, value: u64) -> u64 {
    debug_assert!(value < 1 << K);
    let shift = K * cell.index() as u32;
    word & !(((1 << K) - 1) << shift) | value << shift
}

/// All bits of the lanes that belong to a set of cells.
#[inline]
#[must_use]
pub const fn mask<const K: u32>(cells: crate::CellSet) -> u64 {
    let mut word = 0;
    let mut cell = 0;
    while cell < 9 {
        if cells.bits() >> cell & 1 != 0 {
            word |= ((1 << K) - 1) << (K * cell);
        }
        cell += 1;
    }
    word
}

/// The top bit of every lane.
#[inline]
#[must_use]
pub const fn tops<const K: u32>() -> u64 {
    splat::<K>(1 << (K - 1))
}

/// Lane-wise `x + y` with saturation. 11 operations.
///
/// ```text
/// one, both   the top bits differ; the top bits are both set
/// low         the sum of the bits below the top bits
/// over        overflow: both, or one and a carry into the top bit
/// fill        over << 1  -  over >> (K-1): all bits of the lanes that overflow
/// ```
#[inline]
#[must_use]
pub const fn add_saturate<const K: u32>(x: u64, y: u64) -> u64 {
    let top = tops::<K>();
    let one = (x ^ y) & top;
    let low = (x & !top) + (y & !top);
    let over = x & y & top | one & low;
    (low ^ one) | ((over << 1) - (over >> (K - 1)))
}

/// The top bit of each lane that is zero. All other bits are clear.
#[inline]
#[must_use]
pub const fn zero_mask<const K: u32>(x: u64) -> u64 {
    let top = tops::<K>();
    let low = splat::<K>((1 << (K - 1)) - 1);
    !(((x & low) + low) | x) & top
}

/// The cells whose lanes have the top bit set: converts a lane mask into a set.
#[inline]
#[must_use]
pub const fn cells_of<const K: u32>(tops: u64) -> crate::CellSet {
    let mut bits = 0;
    let mut cell = 0;
    while cell < 9 {
        bits |= ((tops >> (K * cell + K - 1) & 1) as u16) << cell;
        cell += 1;
    }
    crate::CellSet::from_bits(bits)
}

/// The word of the mirrored board: left becomes right.
#[inline]
#[must_use]
pub const fn mirror<const K: u32>(word: u64) -> u64 {
    let left = mask::<K>(crate::cells! { x . . / x . . / x . . });
    let middle = mask::<K>(crate::cells! { . x . / . x . / . x . });
    (word & left) << (2 * K) | word & middle | word >> (2 * K) & left
}

/// The word of the board turned upside down: up becomes down.
#[inline]
#[must_use]
pub const fn upside_down<const K: u32>(word: u64) -> u64 {
    let upper = mask::<K>(crate::cells! { x x x / . . . / . . . });
    let middle = mask::<K>(crate::cells! { . . . / x x x / . . . });
    (word & upper) << (6 * K) | word & middle | word >> (6 * K) & upper
}

/// The word of the transposed board, by two exchanges: cells 1, 5 with 3, 7, then cell 2 with 6.
#[inline]
#[must_use]
pub const fn transpose<const K: u32>(word: u64) -> u64 {
    let near = (word >> (2 * K) ^ word) & mask::<K>(crate::cells! { . x . / . . x / . . . });
    let word = word ^ near ^ near << (2 * K);
    let far = (word >> (4 * K) ^ word) & mask::<K>(crate::cells! { . . x / . . . / . . . });
    word ^ far ^ far << (4 * K)
}
