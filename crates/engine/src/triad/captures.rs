//! Captures, in the form a search needs them: two kinds of board behind one trait, chosen once per search.

use grid::simd::Simd;
use grid::simd::fearless_simd::{prelude::*, u16x8};
use grid::{Cell, CellSet};
use triad::kernel::ending::{Ending, Ends, Last, Takes};
use triad::kernel::fast::{self, Rank, Special};
use triad::kernel::firing::{Fires, Firing};
use triad::kernel::resolved::{self, Resolver};
use triad::{Deal, Move, Position};

/// A cell on which the cards of a hand are tried.
#[derive(Clone, Copy)]
pub(super) struct To {
    pub(super) cell: Cell,
    pub(super) level: u8,
    /// 1 the opener, 0 the other player.
    pub(super) mover: usize,
    /// The cards to try, five bits, and the number of the first of the five.
    pub(super) hand: u16,
    pub(super) base: u8,
    pub(super) enemy: u16,
}

/// A board on which a search plays and unplays cards.
pub(super) trait Captures {
    /// The cards for which Same or Plus fires on a cell, if that is known beforehand.
    type Fires: Copy + Default;

    /// Whether only the basic rule captures and ranks never change, so that safe cards can be counted.
    const SAFE: bool;

    /// Whether the last three cards can be played in all sequences at once.
    const AT_ONCE: bool;

    fn lay<S: Simd>(&mut self, simd: S, mv: Move);
    fn lift<S: Simd>(&mut self, simd: S, mv: Move);
    /// Puts a card on the board for [`flips_after`](Self::flips_after) alone; cheaper than [`lay`](Self::lay).
    fn mark(&mut self, mv: Move);
    fn unmark(&mut self, mv: Move);
    /// On a cell of the present board.
    fn fires(&self, cell: Cell) -> Self::Fires;
    /// On a cell after the move `new`, from what it was before that move.
    fn fires_beside(&self, before: Self::Fires, cell: Cell, new: Move) -> Self::Fires;
    /// The cards that each card of a hand captures on a cell, one lane per card. Lanes of cards that are not in the hand
    /// hold arbitrary values.
    fn flips<S: Simd>(&self, simd: S, to: To, fires: Self::Fires) -> u16x8<S>;
    /// The cards of the enemy that `mv` captures after one move that is marked.
    fn flips_after(&self, mv: Move, fires: Self::Fires, level: u8, marked: Move, enemy: u16) -> u16;
    /// The same after a move that is marked and then one that is not.
    fn flips_last(&mut self, mv: Move, fires: Self::Fires, level: u8, before: [Move; 2], enemy: u16) -> u16;
    /// By how much playing a card raises the counters of Ascension and Descension.
    fn step(&self, mv: Move) -> u8;
    /// The cards that the opener's hand and the other hand can capture on any of these cells, whoever owns them. Called
    /// only if [`SAFE`](Self::SAFE).
    fn threatened<S: Simd>(&self, simd: S, cells: CellSet, hands: [u16; 2]) -> [u16; 2];
    /// All ends of a game with three cards to play, after `before`, by the basic rule. Called only if
    /// [`AT_ONCE`](Self::AT_ONCE), like the next two.
    fn ends<S: Simd>(&self, simd: S, before: Option<Move>, last: Last) -> Ends<S>;
    /// In which of them Same or Plus fires; `fires` is of the three cells in their order.
    fn firing<S: Simd>(&self, simd: S, last: Last, fires: [Self::Fires; 3]) -> [Fires<S>; 3];
    /// The cards of the enemy that `mv` captures under all rules, marked cards included.
    fn flips_of(&self, mv: Move, enemy: u16) -> u16;
}

/// A board whose ranks never change. `SPECIAL`: Same or Plus is in force.
pub(super) struct Fixed<'a, const SPECIAL: bool> {
    rank: Rank<'a>,
    special: Special,
    resolver: Resolver,
    ending: Ending,
    firing: Option<Firing>,
    board: resolved::Board,
}

impl<'a, const SPECIAL: bool> Fixed<'a, SPECIAL> {
    pub(super) fn new(deal: &'a Deal, position: &Position) -> Self {
        let resolver = Resolver::new(deal);
        let board = resolved::Board::new(&resolver, position);
        let ending = Ending::new(deal, &resolver);
        let firing = SPECIAL.then(|| Firing::new(deal, &resolver));
        Self { rank: Rank::new(deal, 0), special: Special::of(deal), resolver, ending, firing, board }
    }
}

impl<const SPECIAL: bool> Captures for Fixed<'_, SPECIAL> {
    /// The cards for which Same or Plus fires.
    type Fires = u16;

    const SAFE: bool = !SPECIAL;

    const AT_ONCE: bool = true;

    #[inline(always)]
    fn lay<S: Simd>(&mut self, simd: S, mv: Move) {
        self.board.lay::<S, SPECIAL>(simd, &self.resolver, mv);
    }

    #[inline(always)]
    fn lift<S: Simd>(&mut self, simd: S, mv: Move) {
        self.board.lift::<S, SPECIAL>(simd, mv);
    }

    #[inline(always)]
    fn mark(&mut self, mv: Move) {
        if SPECIAL {
            self.board.mark(mv);
        }
    }

    #[inline(always)]
    fn unmark(&mut self, mv: Move) {
        if SPECIAL {
            self.board.unmark(mv);
        }
    }

    #[inline(always)]
    fn fires(&self, cell: Cell) -> u16 {
        if SPECIAL { self.board.special(&self.resolver, cell) } else { 0 }
    }

    #[inline(always)]
    fn fires_beside(&self, before: u16, cell: Cell, new: Move) -> u16 {
        if SPECIAL { before | self.board.special_beside(&self.resolver, cell, new) } else { 0 }
    }

    #[inline(always)]
    fn flips<S: Simd>(&self, simd: S, to: To, fires: u16) -> u16x8<S> {
        let basic = self.board.takes_by(simd, to.cell, to.mover ^ 1) & u16x8::splat(simd, to.enemy);
        let mut fires = if SPECIAL { fires >> to.base & to.hand } else { 0 };
        if fires == 0 {
            return basic;
        }
        let mut lanes: [u16; 8] = [0; 8];
        basic.store_slice(&mut lanes);
        while fires != 0 {
            let place = fires.trailing_zeros() as u8;
            fires &= fires - 1;
            let mv = Move::new(to.base + place, to.cell);
            debug_assert!(place < 8);
            lanes[usize::from(place & 7)] = self.board.flips(&self.rank, self.special, mv, to.enemy);
        }
        u16x8::from_slice(simd, &lanes)
    }

    #[inline(always)]
    fn flips_after(&self, mv: Move, fires: u16, _: u8, marked: Move, enemy: u16) -> u16 {
        if SPECIAL && fires >> (mv.bits() >> 4) & 1 != 0 {
            return self.board.flips(&self.rank, self.special, mv, enemy);
        }
        (self.board.takes(mv) | self.resolver.takes_back(marked, mv)) & enemy
    }

    #[inline(always)]
    fn flips_last(&mut self, mv: Move, fires: u16, _: u8, [marked, before]: [Move; 2], enemy: u16) -> u16 {
        if SPECIAL && fires >> (mv.bits() >> 4) & 1 != 0 {
            self.board.mark(before);
            let flips = self.board.flips(&self.rank, self.special, mv, enemy);
            self.board.unmark(before);
            return flips;
        }
        let back = self.resolver.takes_back(marked, mv) | self.resolver.takes_back(before, mv);
        (self.board.takes(mv) | back) & enemy
    }

    #[inline(always)]
    fn step(&self, _: Move) -> u8 {
        0
    }

    #[inline(always)]
    fn threatened<S: Simd>(&self, simd: S, cells: CellSet, hands: [u16; 2]) -> [u16; 2] {
        self.board.threatened(simd, cells, hands)
    }

    #[inline(always)]
    fn ends<S: Simd>(&self, simd: S, before: Option<Move>, last: Last) -> Ends<S> {
        self.ending.ends(simd, &self.board, &self.resolver, before, last)
    }

    #[inline(always)]
    fn firing<S: Simd>(&self, simd: S, last: Last, fires: [u16; 3]) -> [Fires<S>; 3] {
        match &self.firing {
            Some(firing) => firing.fires(simd, &self.board, last, fires),
            None => [Fires::none(simd); 3],
        }
    }

    #[inline(always)]
    fn flips_of(&self, mv: Move, enemy: u16) -> u16 {
        self.board.flips(&self.rank, self.special, mv, enemy)
    }
}

/// A board whose ranks change with every card: Ascension, Descension.
pub(super) struct Changing<'a> {
    deal: &'a Deal,
    special: Special,
    board: fast::Board,
}

impl<'a> Changing<'a> {
    pub(super) fn new(deal: &'a Deal, position: &Position) -> Self {
        Self { deal, special: Special::of(deal), board: fast::Board::new(position) }
    }

    #[inline(always)]
    fn flips_at(&self, mv: Move, level: u8, enemy: u16) -> u16 {
        let rank = Rank::new(self.deal, level);
        rank.flips(self.special, &self.board, mv, self.board.neighbours(mv.cell()), enemy)
    }
}

impl Captures for Changing<'_> {
    type Fires = ();

    const SAFE: bool = false;

    const AT_ONCE: bool = false;

    #[inline(always)]
    fn lay<S: Simd>(&mut self, _: S, mv: Move) {
        self.board.lay(mv);
    }

    #[inline(always)]
    fn lift<S: Simd>(&mut self, _: S, mv: Move) {
        self.board.lift(mv);
    }

    #[inline(always)]
    fn mark(&mut self, mv: Move) {
        self.board.lay(mv);
    }

    #[inline(always)]
    fn unmark(&mut self, mv: Move) {
        self.board.lift(mv);
    }

    #[inline(always)]
    fn fires(&self, _: Cell) {}

    #[inline(always)]
    fn fires_beside(&self, (): (), _: Cell, _: Move) {}

    #[inline(always)]
    fn flips<S: Simd>(&self, simd: S, to: To, (): ()) -> u16x8<S> {
        let mut lanes: [u16; 8] = [0; 8];
        for place in 0..5 {
            if to.hand >> place & 1 != 0 {
                lanes[usize::from(place)] = self.flips_at(Move::new(to.base + place, to.cell), to.level, to.enemy);
            }
        }
        u16x8::from_slice(simd, &lanes)
    }

    #[inline(always)]
    fn flips_after(&self, mv: Move, (): (), level: u8, _: Move, enemy: u16) -> u16 {
        self.flips_at(mv, level, enemy)
    }

    #[inline(always)]
    fn flips_last(&mut self, mv: Move, (): (), level: u8, [_, before]: [Move; 2], enemy: u16) -> u16 {
        self.board.lay(before);
        let flips = self.flips_at(mv, level, enemy);
        self.board.lift(before);
        flips
    }

    #[inline(always)]
    fn step(&self, mv: Move) -> u8 {
        self.deal.step(mv.bits() >> 4)
    }

    fn threatened<S: Simd>(&self, _: S, _: CellSet, _: [u16; 2]) -> [u16; 2] {
        [u16::MAX; 2]
    }

    fn ends<S: Simd>(&self, simd: S, _: Option<Move>, _: Last) -> Ends<S> {
        [Takes::none(simd); 3]
    }

    fn firing<S: Simd>(&self, simd: S, _: Last, _: [(); 3]) -> [Fires<S>; 3] {
        [Fires::none(simd); 3]
    }

    fn flips_of(&self, _: Move, _: u16) -> u16 {
        0
    }
}
