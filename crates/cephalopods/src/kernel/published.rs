//! The methods of the write-up "CG Spring Challenge 2025": SWAR sums, moves four at a time, canonical form in spiral order.
//!
//! Kept to teach and to compare. They need no table. Only the engine `cache`, which is the engine of that write-up, uses
//! them.
//!
//! ```text
//! children    corners, sides, centre: sums of neighbours four cells at a time; keep sums up to 6; compress into a list
//! canonical   eight rotations of the ring of outer cells in eight lanes; smallest lane
//! probe       compare eight keys of a cache at once
//! ```
//!
//! Measured, instructions per call (`bench/counts.txt`):
//!
//! | function | scalar | sse2 | v2 | v3 |
//! |---|---|---|---|---|
//! | [`children`] | 1680.70 | 972.55 | 260.03 | 216.91 |
//! | [`canonical`] | 72.01 | 105.01 | 77.01 | 60.01 |
//! | [`probe`] | 93.50 | 28.29 | 27.80 | 16.39 |

use crate::{Board, MOST};
use grid::simd::fearless_simd::{Simd, mask32x4, prelude::*, u32x4, u32x8};
use grid::{Sym, cells, lanes, spiral};

/// The smallest of the eight images **in spiral order**, and a symmetry that maps the board to it. The centre never moves.
///
/// ```text
/// ring, mirrored ring           eight outer cells as 24 bits
/// eight lanes                   each rotated by 0, 2, 4, 6 cells: two shifts, an or, an and
/// | the lane's index            in the free low bits
/// smallest lane
/// ```
#[inline(always)]
pub fn canonical<S: Simd>(simd: S, board: Board) -> (Board, Sym) {
    let bits = u64::from(board.bits());
    let (ring, mirrored) = (spiral::ring::<3>(bits) as u32, spiral::mirrored_ring::<3>(bits) as u32);
    let rings: u32x8<S> = [ring, ring, ring, ring, mirrored, mirrored, mirrored, mirrored].simd_into(simd);
    let up: u32x8<S> = [0, 6, 12, 18, 0, 6, 12, 18].simd_into(simd);
    let down: u32x8<S> = [24, 18, 12, 6, 24, 18, 12, 6].simd_into(simd);
    let turned = ((rings << up) | (rings >> down)) & u32x8::splat(simd, (1 << 24) - 1);
    let numbers: u32x8<S> = [0, 1, 2, 3, 4, 5, 6, 7].simd_into(simd);
    let least = super::images::least(simd, (turned << 3) | numbers);
    let word = spiral::word::<3>(u64::from(least >> 3), bits) as u32;
    (Board::from_bits_unchecked(word), Sym::ALL[least as usize & 7])
}

/// Searches eight keys of a cache at once. `Ok`: the index of the key. `Err`: the index where it may be stored: the first empty
/// slot, else the first with a smaller key, else slot 0. An empty slot holds 0.
#[inline(always)]
pub fn probe<S: Simd>(simd: S, keys: &[u32; 8], key: u32) -> Result<usize, usize> {
    let keys: u32x8<S> = (*keys).simd_into(simd);
    let wanted = u32x8::splat(simd, key);
    let found = keys.simd_eq(wanted).to_bitmask();
    if found != 0 {
        return Ok(found.trailing_zeros() as usize);
    }
    let free = keys.simd_eq(u32x8::splat(simd, 0)).to_bitmask();
    if free != 0 {
        return Err(free.trailing_zeros() as usize);
    }
    // Bit 8 means that no key is smaller; modulo 8 it becomes slot 0.
    let smaller = keys.simd_lt(wanted).to_bitmask() | 1 << 8;
    Err(smaller.trailing_zeros() as usize % 8)
}

const fn lane(cell: u32) -> u32 {
    7 << (3 * cell)
}

/// Appends the chosen lanes to `out`.
#[inline(always)]
fn push<S: Simd>(boards: u32x4<S>, chosen: mask32x4<S>, out: &mut [u32; MOST + 4], count: &mut usize) {
    let chosen_bits = chosen.to_bitmask();
    let packed: [u32; 4] = boards.compress(chosen).into();
    out[*count..*count + 4].copy_from_slice(&packed);
    *count += chosen_bits.count_ones() as usize;
}

/// Writes all children of a board in no particular order and returns their number. The last four entries of `out` are
/// padding.
#[inline(always)]
pub fn children<S: Simd>(simd: S, board: Board, out: &mut [u32; MOST + 4]) -> usize {
    let v = board.bits();
    let vv = u32x4::splat(simd, v);
    let mut count = 0;
    corners(simd, v, vv, out, &mut count);
    sides(simd, vv, out, &mut count);
    if v & lane(4) == 0 {
        centre(simd, v, vv, out, &mut count);
    }
    count
}

/// The four corners at once. The sums of their two neighbours come from one SWAR addition:
///
/// ```text
///  1 . 1   3 . 5
///  . . . + . . .     in the corners' own lanes, saturated at 7
///  7 . 7   3 . 5
/// ```
#[inline(always)]
fn corners<S: Simd>(simd: S, v: u32, vv: u32x4<S>, out: &mut [u32; MOST + 4], count: &mut usize) {
    const ABOVE_BELOW: u32 = lanes::mask::<3>(cells! { . x . / . . . / . x . }) as u32;
    const LEFT_RIGHT: u32 = lanes::mask::<3>(cells! { . . . / x . x / . . . }) as u32;
    let (rows, columns) = (v & ABOVE_BELOW, v & LEFT_RIGHT);
    let sums = lanes::add_saturate::<3>(
        u64::from((rows >> 3 | rows << 3) & 0o707_000_707),
        u64::from((columns >> 9 | columns << 9) & 0o707_000_707),
    ) as u32;
    let zero = u32x4::splat(simd, 0);
    let corner: u32x4<S> = [lane(0), lane(2), lane(6), lane(8)].simd_into(simd);
    let one: u32x4<S> = [1, 1 << 6, 1 << 18, 1 << 24].simd_into(simd);
    let beside: u32x4<S> = [lane(1) | lane(3), lane(1) | lane(5), lane(3) | lane(7), lane(5) | lane(7)].simd_into(simd);
    let first: u32x4<S> = [lane(1), lane(1), lane(3), lane(5)].simd_into(simd);
    let sum = u32x4::splat(simd, sums) & corner;
    let both = !((vv & first).simd_eq(zero) | (vv & (beside ^ first)).simd_eq(zero));
    let captures = both & sum.simd_lt(corner);
    let after = captures.select((vv & !beside) | sum, vv | one);
    push(after, (vv & corner).simd_eq(zero), out, count);
}

/// The four sides at once, one set of captures after the other: both corners, either corner with the centre, all three.
#[inline(always)]
fn sides<S: Simd>(simd: S, vv: u32x4<S>, out: &mut [u32; MOST + 4], count: &mut usize) {
    let (zero, seven, most) = (u32x4::splat(simd, 0), u32x4::splat(simd, 7), u32x4::splat(simd, 6));
    let shift = |cells: [u32; 4]| -> u32x4<S> { cells.map(|cell| 3 * cell).simd_into(simd) };
    let (own, a, b, c) = (shift([1, 3, 5, 7]), shift([0, 0, 2, 6]), shift([2, 6, 8, 8]), shift([4; 4]));
    let pips = |at: u32x4<S>| (vv >> at) & seven;
    let (in_a, in_b, in_c) = (pips(a), pips(b), pips(c));
    let (has_a, has_b, has_c) = (!in_a.simd_eq(zero), !in_b.simd_eq(zero), !in_c.simd_eq(zero));
    let empty = pips(own).simd_eq(zero);
    let (lane_a, lane_b, lane_c) = (seven << a, seven << b, seven << c);
    let choices = [
        (in_a + in_b, has_a & has_b, lane_a | lane_b),
        (in_a + in_c, has_a & has_c, lane_a | lane_c),
        (in_b + in_c, has_b & has_c, lane_b | lane_c),
        (in_a + in_b + in_c, has_a & has_b & has_c, lane_a | lane_b | lane_c),
    ];
    let mut captured = !vv.simd_eq(vv);
    for (sum, present, taken) in choices {
        let captures = empty & present & sum.simd_le(most);
        captured |= captures;
        push((vv & !taken) | (sum << own), captures, out, count);
    }
    push(vv | (u32x4::splat(simd, 1) << own), empty & !captured, out, count);
}

/// The centre's eleven sets of two to four neighbours, four at a time.
#[inline(always)]
fn centre<S: Simd>(simd: S, v: u32, vv: u32x4<S>, out: &mut [u32; MOST + 4], count: &mut usize) {
    /// The sets as bits of the neighbours 1, 3, 5, 7. The last is padding that never captures.
    const SETS: [u32; 12] = [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100, 0b0111, 0b1011, 0b1101, 0b1110, 0b1111, 0];
    let before = *count;
    let pips = [v >> 3 & 7, v >> 9 & 7, v >> 15 & 7, v >> 21 & 7];
    for sets in SETS.as_chunks::<4>().0 {
        let sets: u32x4<S> = (*sets).simd_into(simd);
        let (mut sum, mut taken) = (u32x4::splat(simd, 0), u32x4::splat(simd, 0));
        let mut possible = !sets.simd_eq(sum);
        for (neighbour, &shown) in pips.iter().enumerate() {
            let chosen = !(sets & u32x4::splat(simd, 1 << neighbour)).simd_eq(u32x4::splat(simd, 0));
            // A missing die counts 7, which is above any legal sum.
            let cost = if shown == 0 { 7 } else { shown };
            sum += chosen.select(u32x4::splat(simd, cost), u32x4::splat(simd, 0));
            taken |= chosen.select(u32x4::splat(simd, lane(2 * neighbour as u32 + 1)), u32x4::splat(simd, 0));
        }
        possible &= sum.simd_le(u32x4::splat(simd, 6));
        push((vv & !taken) | (sum << 12), possible, out, count);
    }
    if *count == before {
        out[*count] = v | 1 << 12;
        *count += 1;
    }
}
