//! The verbs of this room without a vector: what they mean, and what machines without vectors run.

use crate::CellSet;

/// Whether the set has a line.
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

/// The places at which `words` equals `wanted`, as four bits.
#[inline]
#[must_use]
pub fn matches(words: [u64; 4], wanted: u64) -> u8 {
    words.iter().enumerate().fold(0, |bits, (place, &word)| bits | u8::from(word == wanted) << place)
}
