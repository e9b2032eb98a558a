//! The last three cards at once: all 24 ways to finish a game under the basic rule, one per 16-bit lane.
//!
//! Three cells p, q, r are empty. The opener (the player who played the first card) is to move and holds a and b. The other
//! player holds x and y and keeps one of them. A line is the opener's card and cell, the reply's card and cell, then the
//! opener's other card on the last cell:
//!
//! ```text
//! for each first cell, eight lanes:  reply on the first remaining cell | reply on the second remaining cell
//!                                     a x   a y   b x   b y            |  a x   a y   b x   b y
//!
//! end = (mine | captures of the first card) & !(captures of the reply) | captures of the last card
//!
//! captures among the cards on the board:     rows of the board, shuffled into place
//! captures among the three new cards:        three tables of the deal, by the cards and by which cells are adjacent
//! ```
//!
//! Which cards a card beats does not depend on ownership, so all lines are computed without a branch: 24 lines cost about as
//! many instructions as two lines played one by one. The minimax over the lines runs in the same lanes.
//!
//! Measured as part of the solver (`triad/solve(basic)` in `bench/counts.txt`), instructions per position: 1936.56 scalar,
//! 1740.31 sse2, 1274.42 v2, 1213.54 v3.

use super::resolved::{Board, Resolver, TOWARDS};
use crate::moves::Move;
use crate::{Deal, HAND, Rule};
use alloc::{boxed::Box, vec};
use grid::simd::Simd;
use grid::simd::fearless_simd::{prelude::*, u8x16, u16x8, u32x4, u64x2};
use grid::{Cell, CellSet};

/// Three cells in order. For each ordered pair, the direction from one cell to the other (4 if they are not adjacent), and
/// the same plus 5 times the first cell.
#[derive(Clone, Copy)]
pub(crate) struct Triple {
    pub(crate) cells: [u8; 3],
    pub(crate) touch: [[u8; 6]; 2],
}

/// Index of the ordered pair (one, other).
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

/// Two cards of a hand: the number of the pair among ten, and three byte shuffles of a row.
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

/// Four lanes: whether one card captures another, for each of the four choices of first card and reply.
pub(crate) type Four = u64;

/// The captures among the last three cards of a deal. The index of each table is the direction from the captured card to the
/// capturing one, then the opener's two cards, then the other player's two.
#[derive(Clone, Debug)]
pub struct Ending {
    /// 1 if captures depend on the cell, because of elements; otherwise 0.
    by_cell: usize,
    /// First card captured by the reply: a by x, a by y, b by x, b by y.
    first_by_reply: Box<[Four]>,
    /// Reply captured by the last card: x by b, y by b, x by a, y by a.
    reply_by_last: Box<[Four]>,
    /// First card captured by the last: a by b, a by b, b by a, b by a.
    first_by_last: Box<[Four]>,
}

/// The empty cells and the cards left in both hands, five bits each.
#[derive(Clone, Copy, Debug)]
pub struct Last {
    /// Three empty cells.
    pub free: CellSet,
    /// Two cards of the opener.
    pub ours: u16,
    /// Two cards of the other player.
    pub theirs: u16,
}

impl Last {
    /// Whether three cells are empty and each hand has two cards. The tables cover only this case.
    pub(crate) const fn is_valid(self) -> bool {
        let two_of_five = self.ours.count_ones() == 2 && self.theirs.count_ones() == 2;
        self.free.len() == 3 && two_of_five && self.ours | self.theirs < 32
    }
}

/// The captures of the three cards in eight of the 24 lines.
#[derive(Clone, Copy, Debug)]
pub struct Takes<S: Simd> {
    /// Of the first card, among the cards already on the board.
    pub first: u16x8<S>,
    /// Of the reply.
    pub reply: u16x8<S>,
    /// Of the last card.
    pub last: u16x8<S>,
}

impl<S: Simd> Takes<S> {
    /// No captures.
    #[inline(always)]
    pub fn none(simd: S) -> Self {
        let zero = u16x8::splat(simd, 0);
        Self { first: zero, reply: zero, last: zero }
    }

    /// The cards that the opener owns at the end, if he owned `mine` before.
    #[inline(always)]
    #[must_use]
    pub fn end(self, simd: S, mine: u16) -> u16x8<S> {
        (u16x8::splat(simd, mine) | self.first) & !self.reply | self.last
    }
}

/// The 24 lines, by first cell.
pub type Ends<S> = [Takes<S>; 3];

/// The pairs of cards of the hand that starts at card `base`, in the order of their numbers.
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
            // The bit of `card` if `by` captures it.
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

    /// The captures in all 24 lines. `before`: a card that is played first.
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
        // Loops instead of `map`: a closure does not inherit the instruction set.
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

/// The lower half of each vector.
#[inline(always)]
pub(crate) fn low_halves<S: Simd>(one: u16x8<S>, other: u16x8<S>) -> u16x8<S> {
    let (one, other): (u64x2<S>, u64x2<S>) = (one.bitcast(), other.bitcast());
    one.zip_low(other).bitcast()
}

/// The minimax value: the number of cards the opener can guarantee, given the number at the end of each line.
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

/// The minimum over the replies: lane 0 for the opener's one card, lane 2 for the other.
#[inline(always)]
#[must_use]
pub fn least<S: Simd>(count: u16x8<S>) -> u16x8<S> {
    let by_cell = count.min(count.slide::<4>(count));
    let wide: u32x4<S> = by_cell.bitcast();
    let by_card: u16x8<S> = (wide >> 16).bitcast();
    by_cell.min(by_card)
}
