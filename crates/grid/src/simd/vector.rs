//! The vector functions of this module. Each is written once, generic over the level, and compiled for each level by
//! `dispatch!`.
//!
//! Measured, instructions per call (`bench/counts.txt`):
//!
//! | function | scalar | sse2 | v2 | v3 |
//! |---|---|---|---|---|
//! | [`has_line_each`], per set | 6.15 | 6.15 | 6.15 | 4.03 |
//! | [`matches()`] | 21.01 | 17.01 | 13.01 | 6.01 |

use crate::{CellSet, LINES};
use fearless_simd::{Simd, prelude::*, u16x8, u64x4};

/// The eight lines as the eight 16-bit lanes of a 128-bit vector.
pub const LINE_LANES: [u16; 8] = {
    let mut lanes = [0; 8];
    let mut line = 0;
    while line < 8 {
        lanes[line] = LINES[line].bits();
        line += 1;
    }
    lanes
};

/// Whether the set contains a line: compares it with all eight lines at once.
///
/// ```text
/// splat the set into eight lanes; and it with the eight lines; is any lane equal to its line?
/// ```
#[inline(always)]
pub fn has_line<S: Simd>(simd: S, set: CellSet) -> bool {
    let lines = u16x8::from_slice(simd, &LINE_LANES);
    (u16x8::splat(simd, set.bits()) & lines).simd_eq(lines).any_true()
}

/// Whether each set contains a line. This is not [`has_line`] in a loop: the compiler vectorises
/// [`has_line_scalar`](CellSet::has_line_scalar) over as many sets as a register holds, which is about three times as fast at
/// v3 (`cargo bench -p ninefold-grid`).
///
/// # Panics
/// If the slices differ in length.
#[inline(always)]
pub fn has_line_each<S: Simd>(_: S, sets: &[CellSet], out: &mut [bool]) {
    assert_eq!(sets.len(), out.len());
    for (set, won) in sets.iter().zip(out) {
        *won = set.has_line_scalar();
    }
}

/// A bit mask of the indices at which `words` equals `wanted`: the probe of a bucket of a hash table.
#[inline(always)]
pub fn matches<S: Simd>(simd: S, words: [u64; 4], wanted: u64) -> u8 {
    u64x4::from_slice(simd, &words).simd_eq(u64x4::splat(simd, wanted)).to_bitmask() as u8
}

/// Loads the cache line of an item ahead of its use. An index past the end is harmless. Does nothing where the target has
/// no stable prefetch instruction.
#[inline(always)]
pub fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: SSE is part of every x86-64, and a prefetch reads nothing: it cannot fault, whatever the address.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(index).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}
