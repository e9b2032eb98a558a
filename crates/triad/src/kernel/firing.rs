//! In which of the 24 last lines Same or Plus fires, so that the basic rule alone is not the whole answer.
//!
//! ```text
//! fires[p]             the cards for which Same or Plus fires on p, given two neighbours already on the board
//! joins[q <- c on p]   the cards for which it fires on q once c is on p: lanes by c, one row per neighbour of q
//! both[r <- c, z]      the cards for which it fires on r because of c and z together
//!
//! first fires   bit of the first card in fires[p]
//! reply fires   bit of the reply      in fires[q] | joins[q <- first]
//! last fires    bit of the last card  in fires[r] | joins[r <- first] | joins[r <- reply] | both[r <- first, reply]
//! ```
//!
//! Same, Plus and combos only add captures to those of the basic rule. So if nothing fires, the line of
//! [`ending`](super::ending) is exact. If the reply does not fire, the opener owns at least these cards. If neither of the
//! opener's cards fires, he owns at most these cards. For half of the positions with three cards to play, these bounds
//! already settle a null-window question.
//!
//! Measured as part of the solver (`triad/solve(same,plus)` in `bench/counts.txt`), instructions per position: 3191.21
//! scalar, 2925.20 sse2, 2101.86 v2, 1992.41 v3.

use super::ending::{Four, Last, PAIR, TRIPLES, TWOS, four, halves, low_halves, pick, twos};
use super::resolved::{Board, Lanes, OTHERS, Resolver, WALL};
use crate::{Deal, HAND};
use alloc::{boxed::Box, vec};
use grid::Player;
use grid::simd::Simd;
use grid::simd::fearless_simd::{prelude::*, u8x16, u16x8, u16x16};

/// The tables of a deal.
#[derive(Clone, Debug)]
pub struct Firing {
    /// By two directions and the neighbour in the second (`(new << 2 | old) << 4 | neighbour`): the lane of a new card in the
    /// first direction has the cards for which Same or Plus fires on the two.
    joins: Box<[Lanes]>,
    /// By the directions of the first card and of the reply, the opener's two cards and the other player's: the bit of the
    /// last card if it fires on the two, in the four lanes of `ending`.
    both: Box<[Four]>,
    /// For each lane the bit of its card.
    bits: Lanes,
}

/// In the lanes of [`Ends`](super::ending::Ends): nonzero where Same or Plus fires.
#[derive(Clone, Copy)]
pub struct Fires<S: Simd> {
    /// For the first card.
    pub first: u16x8<S>,
    /// For the reply.
    pub reply: u16x8<S>,
    /// For the last card.
    pub last: u16x8<S>,
}

impl<S: Simd> Fires<S> {
    /// Fires nowhere.
    #[inline(always)]
    pub fn none(simd: S) -> Self {
        let zero = u16x8::splat(simd, 0);
        Self { first: zero, reply: zero, last: zero }
    }
}

impl Firing {
    /// The tables of a deal.
    #[must_use]
    pub fn new(deal: &Deal, resolver: &Resolver) -> Self {
        let mut bits = [0; 16];
        for card in 0..10 {
            bits[resolver.lane(card)] = 1 << card;
        }
        let mut joins = vec![[0; 16]; 256].into_boxed_slice();
        let mut both = vec![0; 1600].into_boxed_slice();
        let opener = HAND * usize::from(deal.setup().first == Player::Second);
        for new in 0..4 {
            for old in OTHERS[new] {
                let fires = |one: u8, other: u8| resolver.fires_on(new, one, old, other);
                for neighbour in 0..=WALL {
                    for card in (0..10).filter(|card| *card != neighbour) {
                        joins[(new << 2 | old) << 4 | usize::from(neighbour)][resolver.lane(card)] =
                            fires(card, neighbour);
                    }
                }
                for (ab, [a, b]) in twos(opener).enumerate() {
                    for (xy, [x, y]) in twos(HAND - opener).enumerate() {
                        both[100 * (new << 2 | old) + 10 * ab + xy] = four([
                            fires(a, x) & 1 << b,
                            fires(a, y) & 1 << b,
                            fires(b, x) & 1 << a,
                            fires(b, y) & 1 << a,
                        ]);
                    }
                }
            }
        }
        Self { joins, both, bits }
    }

    /// Where Same or Plus fires in the 24 lines. `fires`: for each of the three cells, the cards for which it fires with the
    /// cards already on the board.
    #[inline(always)]
    #[must_use]
    pub fn fires<S: Simd>(&self, simd: S, board: &Board, last: Last, fires: [u16; 3]) -> [Fires<S>; 3] {
        debug_assert!(last.is_valid());
        let triple = &TRIPLES[usize::from(last.free.bits()) & 511];
        let (two, other) = (&TWOS[usize::from(last.ours) & 31], &TWOS[usize::from(last.theirs) & 31]);
        let aabb = u8x16::from_slice(simd, &two.aabb);
        let xyxy = u8x16::from_slice(simd, &other.abab);
        let (ours, theirs) = u16x16::from_slice(simd, &self.bits[..]).split();
        let first_bit = ours.swizzle_dyn_within_blocks(aabb);
        let last_bit = ours.swizzle_dyn_within_blocks(u8x16::from_slice(simd, &two.bbaa));
        let reply_bit = theirs.swizzle_dyn_within_blocks(xyxy);
        let zero = u16x8::splat(simd, 0);
        // By the cell that is played on and the cell of the new card.
        let (mut by_first, mut by_reply) = ([[zero; 3]; 3], [[zero; 3]; 3]);
        let fires = [u16x8::splat(simd, fires[0]), u16x8::splat(simd, fires[1]), u16x8::splat(simd, fires[2])];
        for (to, from) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
            let direction = usize::from(triple.touch[0][PAIR[to][from]]);
            if direction == 4 {
                continue;
            }
            let around = board.around(triple.cells[to]);
            let mut row = u16x16::splat(simd, 0);
            debug_assert!(direction < 4);
            for side in OTHERS[direction & 3] {
                let at = (direction << 2 | side) << 4 | around[side];
                debug_assert!(around[side] < 16);
                row |= u16x16::from_slice(simd, &self.joins[at & 255][..]);
            }
            let (ours, theirs) = row.split();
            by_first[to][from] = ours.swizzle_dyn_within_blocks(aabb);
            by_reply[to][from] = theirs.swizzle_dyn_within_blocks(xyxy);
        }
        let cards = 10 * usize::from(two.number) + usize::from(other.number);
        let mut found = [Fires::none(simd); 3];
        for (at, one, other) in [(0, 1, 2), (1, 0, 2), (2, 0, 1)] {
            let reply = low_halves(fires[one] | by_first[one][at], fires[other] | by_first[other][at]);
            let mut last = low_halves(
                fires[other] | by_first[other][at] | by_reply[other][one],
                fires[one] | by_first[one][at] | by_reply[one][other],
            );
            // Both new cards are neighbours of the last cell.
            let to_first = [usize::from(triple.touch[0][PAIR[other][at]]), usize::from(triple.touch[0][PAIR[one][at]])];
            let to_reply =
                [usize::from(triple.touch[0][PAIR[other][one]]), usize::from(triple.touch[0][PAIR[one][other]])];
            let mut between = [0; 2];
            for half in 0..2 {
                if to_first[half] < 4 && to_reply[half] < 4 {
                    between[half] = pick(&self.both, 100 * (to_first[half] << 2 | to_reply[half]) + cards);
                }
            }
            last |= halves(simd, between[0], between[1]);
            found[at] = Fires { first: fires[at] & first_bit, reply: reply & reply_bit, last: last & last_bit };
        }
        found
    }
}
