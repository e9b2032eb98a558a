//! The hot functions: canonical forms and moves, in the published form and in the fastest forms found.
//!
//! | function | variant | method |
//! |---|---|---|
//! | canonical form | [`published::canonical`] | spiral order, two rings, eight rotations by per-lane shifts, smallest lane |
//! | | [`images::canonical`] | three row loads, two ORs, smallest lane |
//! | children | [`published::children`] | SWAR sums of neighbours; corners four at a time, sides, centre |
//! | | [`images::children`] | the neighbours' pips are an index; a list of XOR masks, already in eight images |
//! | | [`columns`] | 64 boards of one pattern side by side; indices instead of canonical forms |
//! | probe of a cache | [`published::probe`] | eight keys compared at once |
//!
//! In `images` a child costs one load and one XOR, and its canonical form costs only the reduction, because a move changes
//! each of the eight images by a constant. In `columns` the pattern fixes the symmetry and the move fixes the weights, so a
//! child is a weighted sum. Measured, instructions per board (`bench/counts.txt`):
//!
//! | function | scalar | sse2 | v2 | v3 |
//! |---|---|---|---|---|
//! | `cephalopods/canonical(published)` | 72.01 | 105.01 | 77.01 | 60.01 |
//! | `cephalopods/canonical(images)` | 47.01 | 47.01 | 26.01 | 24.01 |
//! | `cephalopods/children+canonical(published)` | 1955.41 | 1344.53 | 528.20 | 415.88 |
//! | `cephalopods/children(images)`, with canonical forms | 335.62 | 274.38 | 206.90 | 184.43 |
//! | `cephalopods/children(columns)`, with indices | 324.87 | 249.32 | 236.83 | 137.18 |

pub mod columns;
pub mod images;
pub mod published;

use crate::tables::Aligned;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::__m256i;
#[cfg(target_arch = "x86_64")]
use grid::simd::Level;
use grid::simd::fearless_simd::{Simd, prelude::*, u8x32, u32x8};

/// If symmetry `s` maps a board `x` to its canonical form, then image `g` of `x` is image `ORDER[s][g]` of the canonical form:
/// `map(x, g) = map(canonical, s' then g)`, where `s'` is the inverse of `s`.
pub static ORDER: Aligned<[[u32; 8]; 8]> = Aligned({
    let mut table = [[0; 8]; 8];
    let mut number = 0;
    while number < 8 {
        let mut lane = 0;
        while lane < 8 {
            table[number][lane] = grid::Sym::ALL[number].inverse().then(grid::Sym::ALL[lane]).index() as u32;
            lane += 1;
        }
        number += 1;
    }
    table
});

/// The same within one half of four lanes, as a byte shuffle. A mirroring symmetry also swaps the halves.
static HALF_ORDER: [[u8; 32]; 8] = {
    let mut table = [[0; 32]; 8];
    let mut sym = 0;
    while sym < 8 {
        let mut byte = 0;
        while byte < 32 {
            table[sym][byte] = (ORDER.0[sym][byte / 4] % 4 * 4) as u8 + byte as u8 % 4;
            byte += 1;
        }
        sym += 1;
    }
    table
};

#[cfg(target_arch = "x86_64")]
grid::simd::fearless_simd::kernel!(
    #[inline]
    fn permuted(avx2: Avx2, lanes: __m256i, order: __m256i) -> __m256i {
        core::arch::x86_64::_mm256_permutevar8x32_epi32(lanes, order)
    }
);

/// A permutation of eight lanes. One instruction on AVX2; elsewhere two loads in the right order and a byte shuffle of each
/// half.
#[derive(Clone, Copy)]
pub struct Turn<S: Simd> {
    #[cfg(target_arch = "x86_64")]
    order: u32x8<S>,
    half_order: u8x32<S>,
    mirrored: usize,
}

impl<S: Simd> Turn<S> {
    /// The permutation from the eight values of a canonical board to those of a board that symmetry `sym` maps to it.
    #[inline(always)]
    pub fn from_canonical(simd: S, sym: usize) -> Self {
        debug_assert!(sym < 8);
        let sym = sym & 7;
        Self {
            #[cfg(target_arch = "x86_64")]
            order: ORDER.0[sym].simd_into(simd),
            half_order: HALF_ORDER[sym].simd_into(simd),
            mirrored: sym & 4,
        }
    }

    /// The permuted values.
    #[inline(always)]
    pub fn of(self, simd: S, lanes: &[u32; 8]) -> u32x8<S> {
        #[cfg(target_arch = "x86_64")]
        if let Level::Avx2(avx2) = simd.level() {
            let lanes: u32x8<_> = (*lanes).simd_into(avx2);
            let order: u32x8<_> = <[u32; 8]>::from(self.order).simd_into(avx2);
            let turned: u32x8<_> = permuted(avx2, lanes.into(), order.into()).simd_into(avx2);
            return <[u32; 8]>::from(turned).simd_into(simd);
        }
        let halves: [u32; 8] = core::array::from_fn(|lane| lanes[lane ^ self.mirrored]);
        let halves: u32x8<S> = halves.simd_into(simd);
        halves.swizzle_dyn_within_blocks(self.half_order)
    }
}
