//! Who takes what, in the form a search wants it: two boards behind one name, chosen once for a search.

use grid::simd::Simd;
use grid::{Cell, CellSet};
use triad::kernel::fast::{self, Rank, Special};
use triad::kernel::resolved::{self, Resolver};
use triad::{Deal, Move, Position};

/// A board that a search lays cards on and lifts them from.
pub(super) trait Captures {
    /// What the moves to one cell share.
    type View: Copy;

    /// Whether captures are those of the basic rule alone and never change, so that safe cards can be counted.
    const SAFE: bool;

    fn lay<S: Simd>(&mut self, simd: S, mv: Move);
    fn lift<S: Simd>(&mut self, simd: S, mv: Move);
    fn view(&self, cell: Cell, level: u8) -> Self::View;
    /// The cards a move takes from those of the enemy. The move's cell is that of the view.
    fn flips(&self, view: Self::View, mv: Move, enemy: u16) -> u16;
    /// The cards that `reply` takes from those of the enemy right after `mv` was laid, which is then lifted again.
    fn reply<S: Simd>(&mut self, simd: S, mv: Move, reply: Move, level: u8, enemy: u16) -> u16;
    /// How far laying a card moves the counters of Ascension and Descension.
    fn step(&self, mv: Move) -> u8;
    /// By card, what it takes on any of the cells, whoever owns it. Asked only if [`SAFE`](Self::SAFE).
    fn takes_anywhere<S: Simd>(&self, simd: S, cells: CellSet) -> [u16; 16];
}

/// Ranks that stay as they are. `SPECIAL`: Same or Plus take part.
pub(super) struct Fixed<'a, const SPECIAL: bool> {
    rank: Rank<'a>,
    special: Special,
    resolver: Resolver,
    board: resolved::Board,
}

impl<'a, const SPECIAL: bool> Fixed<'a, SPECIAL> {
    pub(super) fn new(deal: &'a Deal, position: &Position) -> Self {
        let resolver = Resolver::new(deal);
        let board = resolved::Board::new(&resolver, position);
        Self { rank: Rank::new(deal, 0), special: Special::of(deal), resolver, board }
    }
}

impl<const SPECIAL: bool> Captures for Fixed<'_, SPECIAL> {
    /// The cards for which Same or Plus fires.
    type View = u16;

    const SAFE: bool = !SPECIAL;

    #[inline(always)]
    fn lay<S: Simd>(&mut self, simd: S, mv: Move) {
        self.board.lay::<S, SPECIAL>(simd, &self.resolver, mv);
    }

    #[inline(always)]
    fn lift<S: Simd>(&mut self, simd: S, mv: Move) {
        self.board.lift::<S, SPECIAL>(simd, mv);
    }

    #[inline(always)]
    fn view(&self, cell: Cell, _: u8) -> u16 {
        if SPECIAL { self.board.special(&self.resolver, cell) } else { 0 }
    }

    #[inline(always)]
    fn flips(&self, view: u16, mv: Move, enemy: u16) -> u16 {
        if SPECIAL && view >> (mv.bits() >> 4) & 1 != 0 {
            self.board.flips(&self.rank, self.special, mv, enemy)
        } else {
            self.board.takes(mv) & enemy
        }
    }

    #[inline(always)]
    fn reply<S: Simd>(&mut self, _: S, mv: Move, reply: Move, _: u8, enemy: u16) -> u16 {
        if SPECIAL {
            self.board.mark(mv);
            let fires = self.board.special(&self.resolver, reply.cell()) >> (reply.bits() >> 4) & 1 != 0;
            let flips = if fires { self.board.flips(&self.rank, self.special, reply, enemy) } else { 0 };
            self.board.unmark(mv);
            if fires {
                return flips;
            }
        }
        (self.board.takes(reply) | self.resolver.takes_back(mv, reply)) & enemy
    }

    #[inline(always)]
    fn step(&self, _: Move) -> u8 {
        0
    }

    #[inline(always)]
    fn takes_anywhere<S: Simd>(&self, simd: S, cells: CellSet) -> [u16; 16] {
        self.board.takes_anywhere(simd, cells)
    }
}

/// Ranks that change as cards are laid: Ascension, Descension.
pub(super) struct Changing<'a> {
    deal: &'a Deal,
    special: Special,
    board: fast::Board,
}

impl<'a> Changing<'a> {
    pub(super) fn new(deal: &'a Deal, position: &Position) -> Self {
        Self { deal, special: Special::of(deal), board: fast::Board::new(position) }
    }
}

impl<'a> Captures for Changing<'a> {
    type View = (Rank<'a>, u64);

    const SAFE: bool = false;

    #[inline(always)]
    fn lay<S: Simd>(&mut self, _: S, mv: Move) {
        self.board.lay(mv);
    }

    #[inline(always)]
    fn lift<S: Simd>(&mut self, _: S, mv: Move) {
        self.board.lift(mv);
    }

    #[inline(always)]
    fn view(&self, cell: Cell, level: u8) -> Self::View {
        (Rank::new(self.deal, level), self.board.neighbours(cell))
    }

    #[inline(always)]
    fn flips(&self, (rank, neighbours): Self::View, mv: Move, enemy: u16) -> u16 {
        rank.flips(self.special, &self.board, mv, neighbours, enemy)
    }

    #[inline(always)]
    fn reply<S: Simd>(&mut self, simd: S, mv: Move, reply: Move, level: u8, enemy: u16) -> u16 {
        self.lay(simd, mv);
        let flips = self.flips(self.view(reply.cell(), level + self.step(mv)), reply, enemy);
        self.lift(simd, mv);
        flips
    }

    #[inline(always)]
    fn step(&self, mv: Move) -> u8 {
        self.deal.step(mv.bits() >> 4)
    }

    fn takes_anywhere<S: Simd>(&self, _: S, _: CellSet) -> [u16; 16] {
        [u16::MAX; 16]
    }
}
