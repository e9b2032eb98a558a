//! A position of a game whose second hand is hidden, and a move of it.

use super::deal::Side;
use grid::{Cell, CellSet};
use triad::HAND;

/// What lies on the board, who owns it, and what is known of the opponent's hand.
///
/// ```text
/// bits   0..36  nine cells of four bits: the card, or 15 if the cell is empty
///       36..51  the cards that I own, those in my hand included; their number is my score
///       51..61  the opponent's cards that were seen, played or not
///       61..64  under Chaos the card that was drawn for me, or 7
/// worlds        one bit per world: the hands that all cards shown so far allow
/// ```
///
/// Cards 0 to 4 are mine, in the order of my hand. Cards 5 to 14 are those that the opponent may hold, in the order of
/// [`HiddenDeal::opponent_cards`](super::HiddenDeal::opponent_cards).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HiddenPosition {
    bits: u64,
    worlds: u64,
}

const _: () = assert!(size_of::<HiddenPosition>() == 16);

/// A card on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Laid {
    /// Whose hand it came from.
    pub from: Side,
    /// Its place in my hand, or its place among the opponent's cards.
    pub card: u8,
    /// Who owns it now.
    pub owner: Side,
}

/// A card on a cell. Whose card it is follows from the turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HiddenMove {
    /// My cards: the place in my hand, 0 to 4. The opponent's: the place in
    /// [`HiddenDeal::opponent_cards`](super::HiddenDeal::opponent_cards).
    pub card: u8,
    /// The cell.
    pub cell: Cell,
}

const EMPTY_CELLS: u64 = 0xf_ffff_ffff;
const OWN_SHIFT: u32 = 36;
const SEEN_SHIFT: u32 = 51;
const DRAWN_SHIFT: u32 = 61;
/// No card is drawn for me, or it is not known which.
const NOT_DRAWN: u64 = 7 << DRAWN_SHIFT;
/// My cards.
pub(super) const MINE: u16 = 0x1f;
/// The opponent's cards.
pub(super) const THEIRS: u16 = 0x7fe0;

impl HiddenPosition {
    pub(super) const fn start(worlds: u64) -> Self {
        Self { bits: EMPTY_CELLS | (MINE as u64) << OWN_SHIFT | NOT_DRAWN, worlds }
    }

    /// With one more card on the board.
    pub(super) const fn with(self, card: u8, cell: Cell, own: u16, worlds: u64) -> Self {
        let shift = 4 * cell.index() as u32;
        let kept = self.bits & !(15 << shift) & !(0x7fff << OWN_SHIFT);
        Self { bits: kept | (card as u64) << shift | (own as u64) << OWN_SHIFT | NOT_DRAWN, worlds }
    }

    /// With a card drawn for me.
    pub(super) const fn drawing(self, card: u8) -> Self {
        Self { bits: self.bits & !NOT_DRAWN | (card as u64) << DRAWN_SHIFT, ..self }
    }

    /// With these worlds alone.
    pub(super) const fn in_worlds(self, worlds: u64) -> Self {
        Self { worlds, ..self }
    }

    /// With one more card seen.
    pub(super) const fn seeing(self, cards: u16, worlds: u64) -> Self {
        Self { bits: self.bits | ((cards & THEIRS) as u64 >> HAND) << SEEN_SHIFT, worlds }
    }

    /// The nine cells.
    pub(super) const fn cells(self) -> u64 {
        self.bits & EMPTY_CELLS
    }

    /// The cards that I own, as bits.
    pub(super) const fn own(self) -> u16 {
        (self.bits >> OWN_SHIFT) as u16 & (MINE | THEIRS)
    }

    /// The opponent's cards that were seen, as bits.
    pub(super) const fn seen(self) -> u16 {
        ((self.bits >> SEEN_SHIFT) as u16 & 0x3ff) << HAND
    }

    /// Whether the opponent may hold the hand of this world.
    pub(super) const fn holds(self, world: usize) -> bool {
        self.worlds() >> world & 1 != 0
    }

    /// The worlds left, as bits.
    pub(super) const fn worlds(self) -> u64 {
        self.worlds
    }

    /// The card on a cell.
    pub(super) const fn card_at(self, cell: Cell) -> Option<u8> {
        let card = (self.bits >> (4 * cell.index()) & 15) as u8;
        if card < 15 { Some(card) } else { None }
    }

    /// The cards on the board, as bits.
    pub(super) fn lying(self) -> u16 {
        Cell::ALL.into_iter().filter_map(|cell| self.card_at(cell)).fold(0, |cards, card| cards | 1 << card)
    }

    /// The empty cells.
    #[must_use]
    pub fn free(self) -> CellSet {
        let empty = |set: CellSet, cell: Cell| if self.card_at(cell).is_none() { set.with(cell) } else { set };
        Cell::ALL.into_iter().fold(CellSet::EMPTY, empty)
    }

    /// How many cards I own, those in my hand included. The opponent owns the rest of ten.
    #[must_use]
    pub const fn score(self) -> u32 {
        self.own().count_ones()
    }

    /// The card that Chaos drew for me, as a place in my hand.
    #[must_use]
    pub const fn drawn(self) -> Option<u8> {
        let card = (self.bits >> DRAWN_SHIFT) as u8;
        if card < 7 { Some(card) } else { None }
    }

    /// The card on a cell and its owner.
    #[must_use]
    pub fn at(self, cell: Cell) -> Option<Laid> {
        let card = self.card_at(cell)?;
        let owner = if self.own() >> card & 1 != 0 { Side::Me } else { Side::Opponent };
        Some(match card.checked_sub(HAND as u8) {
            None => Laid { from: Side::Me, card, owner },
            Some(card) => Laid { from: Side::Opponent, card, owner },
        })
    }
}
