//! A move, one of the ten cards on one of the nine cells, and the list of legal moves.

use core::fmt;
use grid::{Cell, CellSet};

/// A card of the deal played on a cell, in one byte: `card << 4 | cell`. Written `card@cell`.
///
/// ```
/// use grid::Cell;
/// use ninefold_triad::Move;
/// let mv = Move::new(7, Cell::CENTRE);
/// assert_eq!((mv.card(), mv.cell()), (7, Cell::CENTRE));
/// assert_eq!(mv.to_string(), "7@4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

const _: () = assert!(size_of::<Move>() == 1);

impl Move {
    /// The move that plays a card on a cell: 0 to 9 in a deal, up to 14 where a hand is hidden.
    #[inline]
    #[must_use]
    pub const fn new(card: u8, cell: Cell) -> Self {
        debug_assert!(card < 15);
        Self(card << 4 | cell.index() as u8)
    }

    /// The byte, which is an index into the tables of a deal.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The card: 0 to 4 were dealt to A, 5 to 9 to B.
    #[inline]
    #[must_use]
    pub const fn card(self) -> u8 {
        self.0 >> 4
    }

    /// The cell.
    #[inline]
    #[must_use]
    pub const fn cell(self) -> Cell {
        Cell::ALL[(self.0 & 15) as usize]
    }
}

impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}@{}", self.card(), self.cell())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}

/// Every playable card on every free cell, ordered by card, then by cell.
#[derive(Clone, Debug)]
pub struct Moves {
    cards: u16,
    free: CellSet,
    rest: CellSet,
}

impl Moves {
    pub(crate) fn new(cards: u16, free: CellSet) -> Self {
        let cards = if free.is_empty() { 0 } else { cards };
        Self { cards, free, rest: if cards == 0 { CellSet::EMPTY } else { free } }
    }
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let cell = self.rest.into_iter().next()?;
        let mv = Move::new(self.cards.trailing_zeros() as u8, cell);
        self.rest -= CellSet::of(cell);
        if self.rest.is_empty() {
            self.cards &= self.cards - 1;
            if self.cards != 0 {
                self.rest = self.free;
            }
        }
        Some(mv)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let whole = (self.cards.count_ones() as usize).saturating_sub(1);
        let left = whole * self.free.len() + self.rest.len();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Moves {}
