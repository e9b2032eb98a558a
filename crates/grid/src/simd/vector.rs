//! The verbs of this room, once for all levels: generic over the level's token, compiled for each by `dispatch!`.

use crate::{CellSet, LINES};
use fearless_simd::{Simd, prelude::*, u16x8, u64x4};

/// The eight lines as the eight 16-bit lanes of one 128-bit register.
pub const LINE_LANES: [u16; 8] = {
    let mut lanes = [0; 8];
    let mut line = 0;
    while line < 8 {
        lanes[line] = LINES[line].bits();
        line += 1;
    }
    lanes
};

/// Whether the set has a line: all eight masks against the set at once.
///
/// ```text
/// splat the set into eight lanes; and with the eight lines; equal to the lines in any lane?
/// ```
#[inline(always)]
pub fn has_line<S: Simd>(simd: S, set: CellSet) -> bool {
    let lines = u16x8::from_slice(simd, &LINE_LANES);
    (u16x8::splat(simd, set.bits()) & lines).simd_eq(lines).any_true()
}

/// Whether each set has a line. Not [`has_line`] in a loop: the shifts and compares of
/// [`has_line_scalar`](CellSet::has_line_scalar) go over as many sets at once as a register holds, which is about three times
/// as fast at v3 (`cargo bench -p ninefold-grid`).
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

/// The places at which `words` equals `wanted`, as four bits: the probe of a table's bucket.
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
