//! The board of the search. Every comparison is precomputed: for each empty cell and each card, the cards it would beat.
//!
//! ```text
//! takes[cell][card]   ten bits: the cards that `card` on `cell` beats by the basic rule, whoever owns them
//!
//! lay c on p          for each neighbour q of p:  takes[q] |= fought[c, p, direction]     16 lanes, one per card
//! lift c from p       for each neighbour q of p:  takes[q] &= !(bit of c)                 undo needs no copy
//! flips of a move     takes[cell][card] & enemy                                           one load
//! ```
//!
//! Playing a card costs four vector operations instead of none. But a search looks at five to ten moves for each one it
//! plays, and each look is now a load and an `and`. The exact search of random basic deals went from 16.2 to 12.5 ms per
//! deal, compared with gathering the neighbours for each cell and testing each move (`bench/LOG.md`). Instructions per position
//! of the whole search, with [`ending`](super::ending): 1936.56 scalar, 1213.54 v3 (`triad/solve(basic)` in
//! `bench/counts.txt`).
//!
//! Same and Plus need two matching neighbours. A table of pairs of neighbours has one bit per card that tells whether either
//! rule can fire. Only then is the full rule evaluated.

use super::fast::{self, Rank, Special};
use crate::moves::Move;
use crate::position::Position;
use crate::tables::BORDER;
use crate::{Deal, HAND};
use alloc::{boxed::Box, vec};
use grid::simd::Simd;
use grid::simd::fearless_simd::{prelude::*, u16x8, u16x16, u64x2};
use grid::{BORDERED, Cell, Direction, Player};

/// One 16-bit lane per card: the opener's five in the lower half, the other player's five in the upper half.
///
/// ```text
/// lane  0 1 2 3 4  . . .  8 9 10 11 12  . . .
/// card  opener's 0 to 4   the other's 0 to 4
/// ```
pub(crate) type Lanes = [u16; 16];

/// The neighbours of each cell; 9 is the border. Writes to row 9 are never read.
const AROUND: [[u8; 4]; 16] = {
    let mut table = [[9; 4]; 16];
    let mut cell = 0;
    while cell < 9 {
        let mut direction = 0;
        while direction < 4 {
            let slot = BORDERED[cell][direction];
            table[cell][direction] = if slot < 9 { slot } else { 9 };
            direction += 1;
        }
        cell += 1;
    }
    table
};

/// The direction from one cell to another, by `from << 4 | to`; 4 if they are not adjacent.
pub(crate) const TOWARDS: [u8; 256] = {
    let mut table = [4; 256];
    let mut cell = 0;
    while cell < 9 {
        let mut direction = 0;
        while direction < 4 {
            let there = AROUND[cell][direction] as usize;
            if there < 9 {
                table[cell << 4 | there] = direction as u8;
            }
            direction += 1;
        }
        cell += 1;
    }
    table
};

/// The six pairs of directions.
const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// The three other directions.
pub(crate) const OTHERS: [[usize; 3]; 4] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];

/// Index of two neighbours in the table of pairs.
#[inline(always)]
const fn pair(one: usize, first: usize, other: usize, second: usize) -> usize {
    debug_assert!(one < 4 && other < 4 && first < 16 && second < 16);
    (one << 10 | other << 8 | first << 4 | second) & 4095
}

/// The lane mask of a hand of five bits.
pub static HELD: [[u16; 8]; 32] = {
    let mut table = [[0; 8]; 32];
    let mut hand = 0;
    while hand < 32 {
        let mut card = 0;
        while card < 5 {
            table[hand][card] = if hand >> card & 1 != 0 { u16::MAX } else { 0 };
            card += 1;
        }
        hand += 1;
    }
    table
};

/// The union of the lanes of a hand.
#[inline(always)]
fn held<S: Simd>(simd: S, lanes: u16x8<S>, hand: u16) -> u16 {
    debug_assert!(hand < 32);
    let words: u64x2<S> = (lanes & u16x8::from_slice(simd, &HELD[usize::from(hand) & 31])).bitcast();
    fast::fold(words[0] | words[1])
}

/// An empty neighbour and the border, in the numbering in which cards are 0 to 9.
const NOBODY: u8 = 10;
pub(crate) const WALL: u8 = 11;

/// The precomputed comparisons of a deal without Ascension and Descension.
#[derive(Clone, Debug)]
pub struct Resolver {
    /// By card, cell and direction (`(card << 4 | cell) << 3 | direction`): the lane of each card that beats this one from
    /// there has the bit of this one. Direction 4 means not adjacent; its rows are zero.
    fought: Box<[Lanes]>,
    /// Drops the cell from the index if there are no elements, so that fewer cache lines are used.
    mask: usize,
    /// By two directions and their neighbours (see [`pair`]): the cards for which Same or Plus fires on these two.
    pairs: Box<[u16; 4096]>,
    /// The lane of each card.
    lane: [u8; 16],
}

impl Resolver {
    /// The tables of a deal.
    #[must_use]
    pub fn new(deal: &Deal) -> Self {
        let rank = Rank::new(deal, 0);
        let elemental = deal.setup().rules.has(crate::Rule::Elemental);
        let mask = if elemental { 0xff << 3 | 7 } else { 0xf0 << 3 | 7 };
        let opener = HAND * usize::from(deal.setup().first == Player::Second);
        let lane = core::array::from_fn(|card| (if card / HAND * HAND == opener { 0 } else { 8 } + card % HAND) as u8);
        let mut fought = vec![[0; 16]; 2048].into_boxed_slice();
        for cell in Cell::ALL {
            for direction in Direction::ALL {
                let Some(there) = cell.neighbour(direction) else { continue };
                let back = 16 * direction.opposite() as u32;
                for other in 0..10 {
                    let taken = (rank.beats(Move::new(other, there)) >> back) as u16;
                    for card in (0..10).filter(|card| taken >> card & 1 != 0) {
                        let row = (usize::from(Move::new(card, cell).bits()) << 3 | direction as usize) & mask;
                        fought[row][usize::from(lane[usize::from(other)])] |= 1 << card;
                    }
                }
            }
        }
        Self { fought, mask, pairs: Box::new(pairs(deal, &rank)), lane }
    }

    /// The lane of a card.
    pub(crate) fn lane(&self, card: u8) -> usize {
        debug_assert!(card < 10);
        usize::from(self.lane[usize::from(card & 15)])
    }

    /// The cards for which Same or Plus fires on two neighbours.
    pub(crate) fn fires_on(&self, one: usize, first: u8, other: usize, second: u8) -> u16 {
        self.pairs[pair(one, first.into(), other, second.into())]
    }

    /// The row of a card for an attack from one direction.
    #[inline(always)]
    fn row(&self, mv: Move, direction: usize) -> &Lanes {
        debug_assert!(direction < 5);
        &self.fought[(usize::from(mv.bits()) << 3 | direction) & self.mask & 2047]
    }

    /// The bit of the card of `mv` if `reply` captures it, otherwise 0.
    #[inline(always)]
    #[must_use]
    pub fn takes_back(&self, mv: Move, reply: Move) -> u16 {
        let direction = TOWARDS[usize::from(mv.bits() << 4 | reply.bits() & 15)];
        self.taken(mv, usize::from(direction), reply.bits() >> 4)
    }

    /// The bit of the card of `mv` if the card `by` captures it from that direction, otherwise 0. Direction 4 means not
    /// adjacent.
    #[inline(always)]
    pub(crate) fn taken(&self, mv: Move, direction: usize, by: u8) -> u16 {
        debug_assert!(by < 10);
        self.row(mv, direction)[usize::from(self.lane[usize::from(by & 15)] & 15)]
    }

    /// The lanes of the cards that capture the card of `mv` from a cell.
    #[inline(always)]
    pub(crate) fn towards<S: Simd>(&self, simd: S, mv: Move, cell: u8) -> u16x16<S> {
        debug_assert!(cell < 9);
        let direction = TOWARDS[usize::from(mv.bits() << 4 | cell)];
        u16x16::from_slice(simd, &self.row(mv, usize::from(direction))[..])
    }
}

fn pairs(deal: &Deal, rank: &Rank<'_>) -> [u16; 4096] {
    let special = Special::of(deal);
    let mut table = [0; 4096];
    let lane = |direction: usize, neighbour: u8| match neighbour {
        NOBODY => 0,
        WALL => BORDER << (16 * direction),
        card => 1u64 << (16 * direction + usize::from(card)),
    };
    for (one, other) in PAIRS {
        for first in 0..=WALL {
            for second in 0..=WALL {
                let neighbours = lane(one, first) | lane(other, second);
                for card in (0..10).filter(|card| ![first, second].contains(card)) {
                    let fires = rank.fires(special, card, neighbours);
                    let (first, second) = (usize::from(first), usize::from(second));
                    table[pair(one, first, other, second)] |= u16::from(fires) << card;
                    table[pair(other, second, one, first)] |= u16::from(fires) << card;
                }
            }
        }
    }
    table
}

/// The board.
#[derive(Clone, Debug)]
pub struct Board {
    /// By cell; index 9 is the border.
    takes: [Lanes; 16],
    /// The card on each cell.
    lies: [u8; 16],
    /// The board that Same, Plus and combos read.
    plain: fast::Board,
    /// The lane of each card.
    lane: [u8; 16],
}

impl Board {
    /// The board of a position.
    #[must_use]
    pub fn new(resolver: &Resolver, position: &Position) -> Self {
        let plain = fast::Board::new(position);
        let mut board = Self { takes: [[0; 16]; 16], lies: [NOBODY; 16], plain, lane: resolver.lane };
        board.lies[9] = WALL;
        for cell in Cell::ALL {
            let Some(card) = position.card_at(cell) else { continue };
            let mv = Move::new(card, cell);
            board.lies[cell.index()] = card;
            for (direction, there) in AROUND[cell.index()].into_iter().enumerate() {
                for (takes, fought) in board.takes[usize::from(there)].iter_mut().zip(resolver.row(mv, direction)) {
                    *takes |= fought;
                }
            }
        }
        board
    }

    /// Plays a card on an empty cell. `SPECIAL`: also updates what Same and Plus need.
    #[inline(always)]
    pub fn lay<S: Simd, const SPECIAL: bool>(&mut self, simd: S, resolver: &Resolver, mv: Move) {
        let cell = usize::from(mv.bits() & 15);
        for (direction, there) in AROUND[cell].into_iter().enumerate() {
            let there = &mut self.takes[usize::from(there & 15)];
            let takes =
                u16x16::from_slice(simd, &there[..]) | u16x16::from_slice(simd, &resolver.row(mv, direction)[..]);
            takes.store_slice(&mut there[..]);
        }
        if SPECIAL {
            self.mark(mv);
        }
    }

    /// Undoes [`lay`](Self::lay).
    #[inline(always)]
    pub fn lift<S: Simd, const SPECIAL: bool>(&mut self, simd: S, mv: Move) {
        let cell = usize::from(mv.bits() & 15);
        let others = u16x16::splat(simd, !(1 << (mv.bits() >> 4)));
        for there in AROUND[cell] {
            let there = &mut self.takes[usize::from(there & 15)];
            (u16x16::from_slice(simd, &there[..]) & others).store_slice(&mut there[..]);
        }
        if SPECIAL {
            self.unmark(mv);
        }
    }

    /// Records a card for Same, Plus and combos only: half of [`lay`](Self::lay), for the last card but one.
    #[inline(always)]
    pub fn mark(&mut self, mv: Move) {
        self.lies[usize::from(mv.bits() & 15)] = mv.bits() >> 4;
        self.plain.lay(mv);
    }

    /// Undoes [`mark`](Self::mark).
    #[inline(always)]
    pub fn unmark(&mut self, mv: Move) {
        self.lies[usize::from(mv.bits() & 15)] = NOBODY;
        self.plain.lift(mv);
    }

    /// The cards that a move beats by the basic rule, whoever owns them.
    #[inline(always)]
    #[must_use]
    pub fn takes(&self, mv: Move) -> u16 {
        self.takes[usize::from(mv.bits() & 15)][usize::from(self.lane[usize::from(mv.bits() >> 4)] & 15)]
    }

    /// For each card, the cards that it beats on a cell by the basic rule.
    #[inline(always)]
    pub(crate) fn row<S: Simd>(&self, simd: S, cell: u8) -> u16x16<S> {
        debug_assert!(cell < 9);
        u16x16::from_slice(simd, &self.takes[usize::from(cell & 15)][..])
    }

    /// The same for one player's cards: 0 for the opener, 1 for the other player.
    #[inline(always)]
    #[must_use]
    pub fn takes_by<S: Simd>(&self, simd: S, cell: Cell, player: usize) -> u16x8<S> {
        debug_assert!(player < 2);
        let half = 8 * (player & 1);
        u16x8::from_slice(simd, &self.takes[cell.index() & 15][half..half + 8])
    }

    /// The cards that each hand can beat on any of the cells by the basic rule: the opener's, then the other player's. A hand
    /// is five bits.
    #[inline(always)]
    #[must_use]
    pub fn threatened<S: Simd>(&self, simd: S, cells: grid::CellSet, hands: [u16; 2]) -> [u16; 2] {
        let mut all = u16x16::splat(simd, 0);
        for cell in cells {
            all |= self.row(simd, cell.index() as u8);
        }
        let (opener, other) = all.split();
        [held(simd, opener, hands[0]), held(simd, other, hands[1])]
    }

    /// The cards for which Same or Plus fires on a cell.
    #[inline(always)]
    #[must_use]
    pub fn special(&self, resolver: &Resolver, cell: Cell) -> u16 {
        let around = self.around(cell.index() as u8);
        let mut cards = 0;
        for (one, other) in PAIRS {
            cards |= resolver.pairs[pair(one, around[one], other, around[other])];
        }
        cards
    }

    /// The cards for which Same or Plus fires on a cell with the help of a new card on an adjacent cell; 0 if the cells are not
    /// adjacent. The new card need not be marked.
    #[inline(always)]
    #[must_use]
    pub fn special_beside(&self, resolver: &Resolver, cell: Cell, new: Move) -> u16 {
        let direction = usize::from(TOWARDS[cell.index() << 4 & 0xf0 | usize::from(new.bits() & 15)]);
        if direction == 4 {
            return 0;
        }
        let around = self.around(cell.index() as u8);
        let mut cards = 0;
        debug_assert!(direction < 4);
        for other in OTHERS[direction & 3] {
            cards |= resolver.pairs[pair(direction, usize::from(new.bits() >> 4), other, around[other])];
        }
        cards
    }

    /// The neighbours of a cell.
    #[inline(always)]
    pub(crate) fn around(&self, cell: u8) -> [usize; 4] {
        debug_assert!(cell < 9);
        let [up, right, down, left] = AROUND[usize::from(cell & 15)];
        let lies = |slot: u8| usize::from(self.lies[usize::from(slot & 15)]);
        [lies(up), lies(right), lies(down), lies(left)]
    }

    /// The cards that a move captures under all rules, for a card of [`special`](Self::special).
    #[inline(never)]
    #[must_use]
    pub fn flips(&self, rank: &Rank<'_>, special: Special, mv: Move, enemy: u16) -> u16 {
        rank.flips(special, &self.plain, mv, self.plain.neighbours(mv.cell()), enemy)
    }
}
