//! The last three cards at once: all 24 ways to end a game under the basic rule, one in each 16-bit lane.
//!
//! Three cells p, q, r are empty; the opener moves and holds a and b, the other player holds x and y (he keeps one). A way
//! to end is the opener's card and cell, the reply's card and cell, and then the opener's other card on the last cell:
//!
//! ```text
//! for each first cell, eight lanes:  the reply on the one other cell | the reply on the other one
//!                                     a x   a y   b x   b y          |  a x   a y   b x   b y
//!
//! end = (mine | first card takes) & !(reply takes) | last card takes
//!
//! what a card takes from the cards that lie:          rows of the board, shuffled into place
//! what the three new cards take from each other:      three tables of the deal, by the cards and how the cells touch
//! ```
//!
//! A capture of the basic rule does not depend on owners, so nothing is decided before the end: no branch, 24 ends in about
//! as many instructions as two of them cost one by one. The best of the worst is found in the same lanes.

use super::resolved::{Board, Resolver, TOWARDS};
use crate::moves::Move;
use crate::{Deal, HAND, Rule};
use alloc::{boxed::Box, vec};
use grid::simd::Simd;
use grid::simd::fearless_simd::{prelude::*, u8x16, u16x8, u32x4, u64x2};
use grid::{Cell, CellSet};

/// Three cells in their order, and for each ordered pair of them how they touch: the direction from the one to the other
/// (4 if they do not), and the same with five for each cell it starts from.
#[derive(Clone, Copy)]
pub(crate) struct Triple {
    pub(crate) cells: [u8; 3],
    pub(crate) touch: [[u8; 6]; 2],
}

/// The ordered pairs: the place of (one, other) is `PAIR[one][other]`.
pub(crate) const PAIR: [[usize; 3]; 3] = [[0, 0, 1], [2, 0, 3], [4, 5, 0]];

pub(crate) static TRIPLES: [Triple; 512] = {
    let mut table = [Triple { cells: [0; 3], touch: [[4; 6]; 2] }; 512];
    let mut bits = 0u32;
    while bits < 512 {
        if bits.count_ones() == 3 {
            let (mut cell, mut count) = (0, 0);
            let mut cells = [0u8; 3];
            while cell < 9 {
                if bits >> cell & 1 != 0 {
                    cells[count] = cell as u8;
                    count += 1;
                }
                cell += 1;
            }
            table[bits as usize].cells = cells;
            let mut one = 0;
            while one < 3 {
                let mut other = 0;
                while other < 3 {
                    if one != other {
                        let direction = TOWARDS[(cells[one] as usize) << 4 | cells[other] as usize];
                        table[bits as usize].touch[0][PAIR[one][other]] = direction;
                        table[bits as usize].touch[1][PAIR[one][other]] = 5 * cells[one] + direction;
                    }
                    other += 1;
                }
                one += 1;
            }
        }
        bits += 1;
    }
    table
};

/// Two cards of a hand: their number among the ten pairs, and the bytes of a row's lanes in three orders.
#[derive(Clone, Copy)]
pub(crate) struct Two {
    pub(crate) number: u8,
    /// one one other other, twice
    pub(crate) aabb: [u8; 16],
    /// other other one one, twice
    pub(crate) bbaa: [u8; 16],
    /// one other one other, twice
    pub(crate) abab: [u8; 16],
}

pub(crate) static TWOS: [Two; 32] = {
    let mut table = [Two { number: 0, aabb: [0; 16], bbaa: [0; 16], abab: [0; 16] }; 32];
    let (mut hand, mut number) = (0u32, 0);
    while hand < 32 {
        if hand.count_ones() == 2 {
            let one = hand.trailing_zeros() as u8;
            let other = (hand & (hand - 1)).trailing_zeros() as u8;
            let two = &mut table[hand as usize];
            two.number = number;
            number += 1;
            let mut lane = 0;
            while lane < 8 {
                let (second, odd) = (lane / 2 % 2 == 1, lane % 2 == 1);
                let [aabb, bbaa, abab] =
                    [if second { other } else { one }, if second { one } else { other }, if odd { other } else { one }];
                let mut byte = 0;
                while byte < 2 {
                    two.aabb[2 * lane + byte] = 2 * aabb + byte as u8;
                    two.bbaa[2 * lane + byte] = 2 * bbaa + byte as u8;
                    two.abab[2 * lane + byte] = 2 * abab + byte as u8;
                    byte += 1;
                }
                lane += 1;
            }
        }
        hand += 1;
    }
    table
};

/// Four lanes: what one card takes of another, for each of the four ways to choose the first card and the reply.
pub(crate) type Four = u64;

/// What the last three cards of a deal take from each other. Each table is by how the cells touch, seen from the card that is
/// taken, then by the opener's two cards and the other player's two.
#[derive(Clone, Debug)]
pub struct Ending {
    /// Whether it matters on which cell a card lies.
    by_cell: usize,
    /// The first card by the reply: a by x, a by y, b by x, b by y.
    first_by_reply: Box<[Four]>,
    /// The reply by the last card: x by b, y by b, x by a, y by a.
    reply_by_last: Box<[Four]>,
    /// The first card by the last: a by b, a by b, b by a, b by a.
    first_by_last: Box<[Four]>,
}

/// The empty cells and the cards left in the two hands, five bits each.
#[derive(Clone, Copy, Debug)]
pub struct Last {
    /// Three of them.
    pub free: CellSet,
    /// Two of the opener's.
    pub ours: u16,
    /// Two of the other player's.
    pub theirs: u16,
}

impl Last {
    /// Whether three cells are empty and each hand has two cards: what the tables are made for.
    pub(crate) const fn is_valid(self) -> bool {
        let two_of_five = self.ours.count_ones() == 2 && self.theirs.count_ones() == 2;
        self.free.len() == 3 && two_of_five && self.ours | self.theirs < 32
    }
}

/// What the three cards take in eight of the 24 ways to end.
#[derive(Clone, Copy, Debug)]
pub struct Takes<S: Simd> {
    /// The first card, of those that lay before.
    pub first: u16x8<S>,
    /// The reply.
    pub reply: u16x8<S>,
    /// The last card.
    pub last: u16x8<S>,
}

impl<S: Simd> Takes<S> {
    /// Nothing.
    #[inline(always)]
    pub fn none(simd: S) -> Self {
        let zero = u16x8::splat(simd, 0);
        Self { first: zero, reply: zero, last: zero }
    }

    /// The cards the opener owns at the end, if he owned `mine`.
    #[inline(always)]
    #[must_use]
    pub fn end(self, simd: S, mine: u16) -> u16x8<S> {
        (u16x8::splat(simd, mine) | self.first) & !self.reply | self.last
    }
}

/// The 24 ways to end, by the first cell.
pub type Ends<S> = [Takes<S>; 3];

/// The pairs of cards of the hand that begins with the card `base`, in the order of their numbers.
pub(crate) fn twos(base: usize) -> impl Iterator<Item = [u8; 2]> {
    let pairs = (0..32u32).filter(|hand| hand.count_ones() == 2);
    pairs.map(move |hand| [hand, hand & (hand - 1)].map(|rest| rest.trailing_zeros() as u8 + base as u8))
}

/// Four lanes as a word.
pub(crate) fn four(lanes: [u16; 4]) -> Four {
    lanes.into_iter().rev().fold(0, |word, lane| word << 16 | u64::from(lane))
}

impl Ending {
    /// The tables of a deal.
    #[must_use]
    pub fn new(deal: &Deal, resolver: &Resolver) -> Self {
        let by_cell = usize::from(deal.setup().rules.has(Rule::Elemental));
        let places = if by_cell == 1 { 45 } else { 5 };
        let mut tables = Self {
            by_cell,
            first_by_reply: vec![0; 100 * places].into_boxed_slice(),
            reply_by_last: vec![0; 100 * places].into_boxed_slice(),
            first_by_last: vec![0; 10 * places].into_boxed_slice(),
        };
        let opener = HAND * usize::from(deal.setup().first == grid::Player::Second);
        for place in 0..places {
            let (cell, direction) =
                if by_cell == 1 { (Cell::ALL[place / 5], place % 5) } else { (Cell::CENTRE, place) };
            // What `by` takes of `card`.
            let taken = |card: u8, by: u8| resolver.taken(Move::new(card, cell), direction, by);
            for (ab, [a, b]) in twos(opener).enumerate() {
                let [by_b, by_a] = [taken(a, b), taken(b, a)];
                tables.first_by_last[10 * place + ab] = four([by_b, by_b, by_a, by_a]);
                for (xy, [x, y]) in twos(HAND - opener).enumerate() {
                    let at = 100 * place + 10 * ab + xy;
                    tables.first_by_reply[at] = four([taken(a, x), taken(a, y), taken(b, x), taken(b, y)]);
                    tables.reply_by_last[at] = four([taken(x, b), taken(y, b), taken(x, a), taken(y, a)]);
                }
            }
        }
        tables
    }

    /// All 24 ends. `before`: a card to be laid first.
    #[inline(always)]
    #[must_use]
    pub fn ends<S: Simd>(
        &self,
        simd: S,
        board: &Board,
        resolver: &Resolver,
        before: Option<Move>,
        last: Last,
    ) -> Ends<S> {
        debug_assert!(last.is_valid());
        let triple = &TRIPLES[usize::from(last.free.bits()) & 511];
        let (two, other) = (&TWOS[usize::from(last.ours) & 31], &TWOS[usize::from(last.theirs) & 31]);
        let aabb = u8x16::from_slice(simd, &two.aabb);
        let bbaa = u8x16::from_slice(simd, &two.bbaa);
        let xyxy = u8x16::from_slice(simd, &other.abab);
        // Loops and not `map`: a closure does not inherit the instruction set.
        let zero = u16x8::splat(simd, 0);
        let (mut first, mut last_card, mut reply) = ([zero; 3], [zero; 3], [zero; 3]);
        for at in 0..3 {
            let mut row = board.row(simd, triple.cells[at]);
            if let Some(mv) = before {
                row |= resolver.towards(simd, mv, triple.cells[at]);
            }
            let (ours, theirs) = row.split();
            first[at] = ours.swizzle_dyn_within_blocks(aabb);
            last_card[at] = ours.swizzle_dyn_within_blocks(bbaa);
            reply[at] = theirs.swizzle_dyn_within_blocks(xyxy);
        }
        debug_assert!(self.by_cell < 2);
        let touch = &triple.touch[self.by_cell & 1];
        let own = usize::from(two.number);
        let cards = 10 * own + usize::from(other.number);
        let mut ends = [Takes::none(simd); 3];
        for (at, one, other) in [(0, 1, 2), (1, 0, 2), (2, 0, 1)] {
            let (to_one, to_other) = (usize::from(touch[PAIR[at][one]]), usize::from(touch[PAIR[at][other]]));
            let (there, back) = (usize::from(touch[PAIR[one][other]]), usize::from(touch[PAIR[other][one]]));
            let replies = low_halves(reply[one], reply[other])
                | halves(
                    simd,
                    pick(&self.first_by_reply, 100 * to_one + cards),
                    pick(&self.first_by_reply, 100 * to_other + cards),
                );
            let lasts = low_halves(last_card[other], last_card[one])
                | halves(
                    simd,
                    pick(&self.first_by_last, 10 * to_other + own),
                    pick(&self.first_by_last, 10 * to_one + own),
                )
                | halves(
                    simd,
                    pick(&self.reply_by_last, 100 * there + cards),
                    pick(&self.reply_by_last, 100 * back + cards),
                );
            ends[at] = Takes { first: first[at], reply: replies, last: lasts };
        }
        ends
    }
}

#[inline(always)]
pub(crate) fn pick(table: &[Four], at: usize) -> Four {
    debug_assert!(at < table.len());
    table.get(at).copied().unwrap_or(0)
}

#[inline(always)]
pub(crate) fn halves<S: Simd>(simd: S, low: Four, high: Four) -> u16x8<S> {
    u64x2::from_slice(simd, &[low, high]).bitcast()
}

/// The lower half of each.
#[inline(always)]
pub(crate) fn low_halves<S: Simd>(one: u16x8<S>, other: u16x8<S>) -> u16x8<S> {
    let (one, other): (u64x2<S>, u64x2<S>) = (one.bitcast(), other.bitcast());
    one.zip_low(other).bitcast()
}

/// The most cards the opener can be sure of, by the number of cards of each end.
#[inline(always)]
#[must_use]
pub fn most<S: Simd>(simd: S, counts: [u16x8<S>; 3]) -> u16 {
    let mut best = u16x8::splat(simd, 0);
    for count in counts {
        best = best.max(least(count));
    }
    let best: u64x2<S> = best.bitcast();
    let best = best[0];
    (best as u16).max((best >> 32) as u16)
}

/// In lane 0 the least of the ends that begin with the one card, in lane 2 with the other.
#[inline(always)]
#[must_use]
pub fn least<S: Simd>(count: u16x8<S>) -> u16x8<S> {
    let by_cell = count.min(count.slide::<4>(count));
    let wide: u32x4<S> = by_cell.bitcast();
    let by_card: u16x8<S> = (wide >> 16).bitcast();
    by_cell.min(by_card)
}
