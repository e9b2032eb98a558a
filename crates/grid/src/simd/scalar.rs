//! The functions of this module without vectors: their definition, and the reference for tests.

use crate::CellSet;

/// Whether the set contains a line.
#[inline]
#[must_use]
pub fn has_line(set: CellSet) -> bool {
    set.has_line_scalar()
}

/// [`has_line`] of each set.
///
/// # Panics
/// If the slices differ in length.
pub fn has_line_each(sets: &[CellSet], out: &mut [bool]) {
    assert_eq!(sets.len(), out.len());
    for (set, won) in sets.iter().zip(out) {
        *won = has_line(*set);
    }
}

/// A bit mask of the indices at which `words` equals `wanted`.
#[inline]
#[must_use]
pub fn matches(words: [u64; 4], wanted: u64) -> u8 {
    words.iter().enumerate().fold(0, |bits, (place, &word)| bits | u8::from(word == wanted) << place)
}
