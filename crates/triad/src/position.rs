//! A position of a deal in one 64-bit word.

use core::fmt;
use grid::{Cell, CellSet, Player};

/// The place and the owner of each of the ten cards.
///
/// ```text
/// bits  0..36  nine cells of four bits: the card, 0 to 9, or 15 if the cell is empty
///      36..46  the cards that A owns, including those in hand; their number is A's score
///      46..50  the card that Chaos drew for the mover, or 15
/// ```
///
/// The mover follows from the number of empty cells and the player who began. The counters of Ascension and Descension follow
/// from the cards on the board. So the word is the whole position and its own exact key.
///
/// ```
/// use grid::{Cell, Player};
/// use ninefold_triad::Position;
/// let position = Position::START;
/// assert_eq!(position.score(), 5);
/// assert_eq!(position.card_at(Cell::CENTRE), None);
/// assert_eq!(position.bits() & 0xf_ffff_ffff, 0xf_ffff_ffff); // nine empty cells
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(u64);

const _: () = assert!(size_of::<Position>() == 8);

const EMPTY_CELLS: u64 = 0xf_ffff_ffff;
const OWN_SHIFT: u32 = 36;
const DRAWN_SHIFT: u32 = 46;
/// All ten cards.
pub(crate) const ALL_CARDS: u16 = 0x3ff;
/// The cards dealt to A.
pub(crate) const CARDS_OF_A: u16 = 0x01f;

impl Position {
    /// The empty board: each player owns his hand.
    pub const START: Self = Self(EMPTY_CELLS | (CARDS_OF_A as u64) << OWN_SHIFT | 15 << DRAWN_SHIFT);

    /// From the card on each cell and the cards that A owns. No card may occur twice.
    pub(crate) fn from_parts(cells: [Option<u8>; 9], own: u16, drawn: Option<u8>) -> Self {
        debug_assert!(own <= ALL_CARDS);
        let mut bits = u64::from(own & ALL_CARDS) << OWN_SHIFT | u64::from(drawn.unwrap_or(15)) << DRAWN_SHIFT;
        for (cell, card) in cells.into_iter().enumerate() {
            bits |= u64::from(card.unwrap_or(15)) << (4 * cell);
        }
        Self(bits)
    }

    /// From the card on each cell and its owner.
    ///
    /// # Panics
    /// If a card is above 9 or lies on two cells.
    #[must_use]
    pub fn of_cells(cells: [Option<(u8, Player)>; 9]) -> Self {
        let (mut lying, mut own) = (0u16, 0u16);
        for (card, owner) in cells.into_iter().flatten() {
            assert!(card < 10 && lying >> card & 1 == 0, "each of the ten cards at most once");
            lying |= 1 << card;
            own |= u16::from(owner == Player::First) << card;
        }
        Self::from_parts(cells.map(|card| card.map(|card| card.0)), own | CARDS_OF_A & !lying, None)
    }

    /// With one more card on the board, the ownership `own`, and no card drawn.
    #[inline]
    pub(crate) const fn with(self, card: u8, cell: Cell, own: u16) -> Self {
        debug_assert!(card < 10 && own <= ALL_CARDS);
        let shift = 4 * cell.index() as u32;
        let cells = self.0 & EMPTY_CELLS & !(15 << shift) | (card as u64) << shift;
        Self(cells | (own as u64) << OWN_SHIFT | 15 << DRAWN_SHIFT)
    }

    /// With `card` drawn for the mover.
    #[must_use]
    pub(crate) const fn drawing(self, card: u8) -> Self {
        Self(self.0 & !(15 << DRAWN_SHIFT) | (card as u64) << DRAWN_SHIFT)
    }

    /// The word. Within a deal, equal words are equal positions.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The card on a cell.
    #[inline]
    #[must_use]
    pub const fn card_at(self, cell: Cell) -> Option<u8> {
        let card = (self.0 >> (4 * cell.index()) & 15) as u8;
        if card < 15 { Some(card) } else { None }
    }

    /// The cards that A owns, as bits.
    #[inline]
    #[must_use]
    pub const fn own(self) -> u16 {
        (self.0 >> OWN_SHIFT) as u16 & ALL_CARDS
    }

    /// The number of cards that A owns.
    #[inline]
    #[must_use]
    pub const fn score(self) -> u32 {
        self.own().count_ones()
    }

    /// The owner of a card.
    #[inline]
    #[must_use]
    pub const fn owner(self, card: u8) -> Player {
        if self.own() >> card & 1 != 0 { Player::First } else { Player::Second }
    }

    /// The card that Chaos drew for the mover.
    #[inline]
    #[must_use]
    pub const fn drawn(self) -> Option<u8> {
        let card = (self.0 >> DRAWN_SHIFT & 15) as u8;
        if card < 15 { Some(card) } else { None }
    }

    /// The empty cells.
    #[inline]
    #[must_use]
    pub const fn free(self) -> CellSet {
        // A card is at most 9, so bits 1 and 3 of a cell are both set only where it is empty.
        let empty = self.0 >> 1 & self.0 >> 3 & 0x1_1111_1111;
        let mut bits = 0;
        let mut cell = 0;
        while cell < 9 {
            bits |= ((empty >> (4 * cell) & 1) as u16) << cell;
            cell += 1;
        }
        CellSet::from_bits(bits)
    }

    /// The cards on the board, as bits.
    #[inline]
    #[must_use]
    pub fn lying(self) -> u16 {
        Cell::ALL.into_iter().filter_map(|cell| self.card_at(cell)).fold(0, |cards, card| cards | 1 << card)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in Cell::ALL {
            match self.card_at(cell) {
                Some(card) => write!(out, "{}{card}", if self.owner(card) == Player::First { 'a' } else { 'b' })?,
                None => out.write_str(" .")?,
            }
        }
        Ok(())
    }
}
