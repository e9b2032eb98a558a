//! The hot verbs: canonical forms and moves, as the contest's write-up has them and in the form that won.
//!
//! | what | variant | how |
//! |---|---|---|
//! | canonical form | [`writeup::canonical`] | spiral order, two rings, eight rotations by per-lane shifts, least lane |
//! | | [`images::canonical`] | three row loads, two ORs, least lane |
//! | children | [`writeup::children`] | SWAR sums of neighbours; corners four at a time, sides, centre |
//! | | [`images::children`] | neighbours' pips as an index; a list of XORs, already in eight images |
//!
//! The engines use `images`: a child costs one load and one XOR, and its canonical form nothing but the reduction, because
//! a move changes all eight images by a constant. The two have not been timed against each other yet.

pub mod images;
pub mod writeup;

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::__m256i;
#[cfg(target_arch = "x86_64")]
use grid::simd::Level;
use grid::simd::fearless_simd::{Simd, prelude::*, u8x32, u32x8};

/// Where the lanes of a canonical board's images are found by a board that symmetry `s` takes there:
/// `map(x, g) = map(canonical, s' then g)`.
pub static ORDER: [[u32; 8]; 8] = {
    let mut table = [[0; 8]; 8];
    let mut sym = 0;
    while sym < 8 {
        let mut lane = 0;
        while lane < 8 {
            table[sym][lane] = grid::Sym::ALL[sym].inverse().then(grid::Sym::ALL[lane]).index() as u32;
            lane += 1;
        }
        sym += 1;
    }
    table
};

/// The same within one half of four lanes, as bytes: a symmetry that mirrors exchanges the halves, and either turns each.
static HALF_ORDER: [[u8; 32]; 8] = {
    let mut table = [[0; 32]; 8];
    let mut sym = 0;
    while sym < 8 {
        let mut byte = 0;
        while byte < 32 {
            table[sym][byte] = (ORDER[sym][byte / 4] % 4 * 4) as u8 + byte as u8 % 4;
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

/// The eight values of a canonical board as seen by the board that symmetry `sym` takes to it. One permutation on AVX2;
/// elsewhere two loads in the right order and a byte shuffle of each half.
#[inline(always)]
pub fn oriented<S: Simd>(simd: S, lanes: &[u32; 8], sym: usize) -> u32x8<S> {
    let sym = sym & 7;
    #[cfg(target_arch = "x86_64")]
    if let Level::Avx2(avx2) = simd.level() {
        let (lanes, order): (u32x8<_>, u32x8<_>) = ((*lanes).simd_into(avx2), ORDER[sym].simd_into(avx2));
        let turned: u32x8<_> = permuted(avx2, lanes.into(), order.into()).simd_into(avx2);
        return <[u32; 8]>::from(turned).simd_into(simd);
    }
    let mirrored = sym & 4;
    let halves: [u32; 8] = core::array::from_fn(|lane| lanes[lane ^ mirrored]);
    let halves: u32x8<S> = halves.simd_into(simd);
    halves.swizzle_dyn_within_blocks(u8x32::simd_from(simd, HALF_ORDER[sym]))
}

/// Asks for a cache line that will be needed soon. Any index is fine.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and cannot fault, whatever the address.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(
            items.as_ptr().wrapping_add(index).cast::<i8>(),
        );
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}
