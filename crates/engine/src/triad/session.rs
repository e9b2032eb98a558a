//! A game in progress, with names for its cards: moves with their reasons, and a way back.

use super::cards::{Hand, HandCard};
use grid::{Cell, Game, Player};
use triad::explain::{Flip, explain};
use triad::{Card, Deal, Element, HAND, Move, Position, Rules, Setup, SetupFault};

/// The letter of a player.
#[must_use]
pub const fn letter(player: Player) -> char {
    match player {
        Player::First => 'A',
        Player::Second => 'B',
    }
}

/// Why a move cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum MoveFault {
    #[error("the game is over")]
    Over,
    #[error("it is {}'s turn", letter(*mover))]
    Turn { mover: Player },
    #[error("there is no card {card} in the hand of {}: cards are 0 to 4", letter(*player))]
    NoCard { player: Player, card: usize },
    #[error("{} has already played card {card}", letter(*player))]
    Played { player: Player, card: usize },
    #[error("under order {} must play card {next} now, not card {card}", letter(*player))]
    Order { player: Player, card: usize, next: usize },
    #[error("under chaos {} must play card {drawn} now, not card {card}", letter(*player))]
    Chaos { player: Player, card: usize, drawn: usize },
    #[error("there is no cell {cell}: cells are 0 to 8")]
    NoCell { cell: usize },
    #[error("cell {cell} is occupied")]
    Occupied { cell: usize },
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Session {
    deal: Deal,
    hands: [Hand; 2],
    positions: Vec<Position>,
}

/// A cell and the reason for which its card was taken.
pub type Reasons = Vec<Flip>;

impl Session {
    /// The start of a game.
    ///
    /// # Errors
    /// Why these cards and rules do not go together.
    pub fn new(
        rules: Rules,
        elements: [Option<Element>; 9],
        hands: [Hand; 2],
        first: Player,
    ) -> Result<Self, SetupFault> {
        let cards = |hand: &Hand| -> [Card; HAND] { std::array::from_fn(|at| hand[at].card) };
        let setup = Setup { rules, elements, hands: [cards(&hands[0]), cards(&hands[1])], first };
        let deal = Deal::new(&setup)?;
        let start = deal.start();
        Ok(Self { deal, hands, positions: vec![start] })
    }

    /// The rules and cards.
    #[must_use]
    pub const fn deal(&self) -> &Deal {
        &self.deal
    }

    /// Where it stands.
    #[must_use]
    pub fn position(&self) -> Position {
        self.positions.last().copied().unwrap_or(Position::START)
    }

    /// Whose turn it is; nobody's when the game is over.
    #[must_use]
    pub fn mover(&self) -> Option<Player> {
        let position = self.position();
        (!position.free().is_empty()).then(|| self.deal.turn(&position))
    }

    /// One of the ten cards.
    #[must_use]
    pub fn card(&self, card: u8) -> &HandCard {
        let card = usize::from(card);
        &self.hands[card / HAND % 2][card % HAND]
    }

    /// How many cards were laid.
    #[must_use]
    pub fn laid(&self) -> usize {
        9 - self.position().free().len()
    }

    /// The move of a player's card, 0 to 4 of his hand, to a cell, if it can be made now.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn find_move(&self, player: Player, card: usize, cell: usize) -> Result<Move, MoveFault> {
        let position = self.position();
        let mover = self.mover().ok_or(MoveFault::Over)?;
        if player != mover {
            return Err(MoveFault::Turn { mover });
        }
        if card >= HAND {
            return Err(MoveFault::NoCard { player, card });
        }
        let number = card as u8 + if player == Player::First { 0 } else { HAND as u8 };
        if self.deal.hand(&position, player) >> number & 1 == 0 {
            return Err(MoveFault::Played { player, card });
        }
        let playable = self.deal.playable(&position);
        if playable >> number & 1 == 0 {
            let other = playable.trailing_zeros() as usize % HAND;
            return Err(match position.drawn() {
                Some(_) => MoveFault::Chaos { player, card, drawn: other },
                None => MoveFault::Order { player, card, next: other },
            });
        }
        let to = Cell::new(cell).ok_or(MoveFault::NoCell { cell })?;
        if !position.free().contains(to) {
            return Err(MoveFault::Occupied { cell });
        }
        Ok(Move::new(number, to))
    }

    /// Plays a move that [`find_move`](Self::find_move) gave, or a search; any other changes nothing. Returns what it
    /// takes and why.
    pub fn play(&mut self, mv: Move) -> Reasons {
        let position = self.position();
        let Some(next) = self.deal.play(&position, mv) else { return Vec::new() };
        let flips = explain(&self.deal, &position, mv).iter().collect();
        self.positions.push(next);
        flips
    }

    /// Under Chaos, the card that was drawn for the mover; nothing happens under other rules.
    pub fn draw(&mut self, card: u8) {
        let position = self.position();
        if let Some(drawn) = self.deal.draw(&position, card)
            && let Some(last) = self.positions.last_mut()
        {
            *last = drawn;
        }
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let can = self.positions.len() > 1;
        if can {
            self.positions.pop();
        }
        can
    }

    /// The owner of each cell, row by row: `A`, `B` or `.` where no card lies.
    #[must_use]
    pub fn owners(&self) -> String {
        let position = self.position();
        let owner = |cell| position.card_at(cell).map_or('.', |card| letter(position.owner(card)));
        Cell::ALL.into_iter().map(owner).collect()
    }

    /// The hands of the next game of Sudden Death: the cards each owns, in the order of the deal; `None` unless the game
    /// ended in a draw.
    #[must_use]
    pub fn hands_after_draw(&self) -> Option<[Hand; 2]> {
        let own = self.position().own();
        let of = |player: u16| {
            let cards = (0..10).filter(|card| (own >> card & 1) ^ player != 0);
            Hand::try_from(cards.map(|card| self.card(card).clone()).collect::<Vec<_>>()).ok()
        };
        let hands = [of(0)?, of(1)?];
        self.mover().is_none().then_some(hands)
    }

    /// Who opens the next game of Sudden Death: the one who did not make the last move.
    #[must_use]
    pub fn first_after_draw(&self) -> Player {
        self.deal.setup().first.other()
    }
}
