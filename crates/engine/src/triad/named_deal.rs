//! A deal with the names of its cards, and why a move in it is not legal.

use super::cards::{Book, Hand, HandCard, Holder, check_deck};
use super::error::TriadError;
use grid::{Cell, Player};
use triad::{Deal, HAND, Move, Position, Setup};

/// A deal that can be played, with the names of its cards.
#[derive(Clone, Debug)]
pub struct NamedDeal {
    /// The deal.
    pub deal: Deal,
    /// The names of the ten cards. A second copy in a hand is called `Geezard (2)`, so that every move has its own text.
    pub names: [String; 10],
    /// The ten cards.
    pub cards: [HandCard; 10],
}

impl NamedDeal {
    /// A deal of these hands. The hands of `setup` are replaced.
    ///
    /// # Errors
    /// If the deal cannot be played.
    pub fn deal(setup: Setup, hands: [Hand; 2]) -> Result<Self, TriadError> {
        let printed = hands.each_ref().map(|hand| hand.each_ref().map(|card| card.card));
        let deal = Deal::new(&Setup { hands: printed, ..setup }).map_err(TriadError::Setup)?;
        let [[a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]] = hands;
        Ok(Self::new(deal, [a0, a1, a2, a3, a4, b0, b1, b2, b3, b4]))
    }

    fn new(deal: Deal, cards: [HandCard; 10]) -> Self {
        let plain = cards.each_ref().map(HandCard::name);
        let names = std::array::from_fn(|number: usize| {
            let hand = number / HAND * HAND;
            let before = plain[hand..number].iter().filter(|name| **name == plain[number]).count();
            if before == 0 { plain[number].clone() } else { format!("{} ({})", plain[number], before + 1) }
        });
        Self { deal, names, cards }
    }

    /// A deal whose cards get the names of these cards or, failing that, of the built-in cards with the same sides. A card
    /// without a name is called by its sides.
    #[must_use]
    pub fn named_by(deal: Deal, named: &[HandCard]) -> Self {
        let book = Book::built_in(deal.setup().rules.edition());
        // Several cards can have the same sides and different names: each name is used once.
        let mut named: Vec<Option<&HandCard>> = named.iter().map(Some).collect();
        let cards = std::array::from_fn(|number| {
            let card = deal.setup().card(number);
            if let Some(known) = named.iter_mut().find(|known| known.is_some_and(|known| known.card == card)) {
                return known.take().map_or(HandCard { known: None, card }, HandCard::clone);
            }
            let known = book.cards().iter().find(|known| known.card == card);
            known.map_or(HandCard { known: None, card }, HandCard::of)
        });
        Self::new(deal, cards)
    }

    /// The cards dealt to a player, as numbers from 0 to 9.
    #[must_use]
    pub const fn dealt_to(player: Player) -> std::ops::Range<u8> {
        match player {
            Player::First => 0..HAND as u8,
            Player::Second => HAND as u8..2 * HAND as u8,
        }
    }

    /// The move of the first of these cards that is still in the player's hand. `called` is how the error names the card.
    ///
    /// # Errors
    /// Why the move is not legal.
    pub fn check_move(
        &self,
        position: &Position,
        player: Player,
        cards: &[u8],
        called: &str,
        cell: u32,
    ) -> Result<Move, TriadError> {
        let called = || called.to_owned();
        if position.free().is_empty() {
            return Err(TriadError::GameOver);
        }
        if self.deal.turn(position) != player {
            return Err(TriadError::OtherTurn { player, card: called() });
        }
        let to = Cell::new(cell as usize).ok_or(TriadError::UnknownCell { cell })?;
        if !cards.iter().any(|card| Self::dealt_to(player).contains(card)) {
            return Err(TriadError::NotInHand { player, card: called() });
        }
        let hand = self.deal.hand(position, player);
        let Some(card) = cards.iter().copied().find(|card| *card < 10 && hand >> card & 1 != 0) else {
            return Err(TriadError::PlayedAlready { player, card: called() });
        };
        if let Some(there) = position.card_at(to) {
            return Err(TriadError::Occupied { cell: to, card: self.names[usize::from(there)].clone() });
        }
        if self.deal.playable(position) >> card & 1 == 0 {
            return Err(TriadError::OtherCard { player, card: self.names[usize::from(card)].clone() });
        }
        Ok(Move::new(card, to))
    }

    /// Checks that the hand of a player keeps the limits of decks.
    ///
    /// # Errors
    /// Which limit is broken.
    pub fn check_deck(&self, player: Player) -> Result<(), TriadError> {
        let cards = Self::dealt_to(player);
        let cards = &self.cards[usize::from(cards.start)..usize::from(cards.end)];
        check_deck(self.deal.setup().rules.edition(), cards, Holder::Player).map_err(|error| error.in_hand(player))
    }
}
