//! A deal with a hidden hand: my five cards, and every hand that the opponent may hold.
//!
//! A *world* is one possible hand. The worlds are equally likely at the start. A card that is shown, because it was played
//! or seen, removes the worlds that do not hold it.
//!
//! Equal cards are interchangeable. If some world holds two equal cards, the card is listed twice among the opponent's
//! cards. The first of the two stands for "at least one", the second for "both", and the first is always played first.

use super::super::error::TriadError;
use super::firing::Firing;
use super::position::{HiddenMove, HiddenPosition, MINE, THEIRS};
use crate::value::Outcome;
use grid::{Cell, Player};
use triad::kernel::fast::{Board, Rank, Special};
use triad::{Card, Element, HAND, MOST_CARDS, Move, Rule, Rules, Setup, Tables};

/// The most worlds of a deal: a set of worlds is one word.
pub const MOST_WORLDS: usize = 64;

/// The most cards that the opponent may hold, over all worlds. Equal cards count as often as one hand holds them.
pub const MOST_OPPONENT_CARDS: usize = MOST_CARDS - HAND;

/// A deal with a hidden hand, unchecked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HiddenSetup {
    /// The rules. I am A, the opponent is B. What opens a hand (Open, Three Open) has no effect here: cards are told by
    /// [`HiddenDeal::see`].
    pub rules: Rules,
    /// The element of each cell, under the rule Elemental.
    pub elements: [Option<Element>; 9],
    /// My hand, in playing order.
    pub hand: [Card; HAND],
    /// Every hand that the opponent may hold.
    pub worlds: Vec<[Card; HAND]>,
    /// Who plays the first card.
    pub first: Side,
    /// Whether each world is in playing order, so that under Order the opponent must play it from first to last.
    /// Otherwise the order is not known, and he may play any card of his hand.
    pub known_order: bool,
}

/// The two players of a hidden deal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The player who asks.
    Me,
    /// The player whose hand is hidden.
    Opponent,
}

impl Side {
    pub(super) const fn player(self) -> Player {
        match self {
            Self::Me => Player::First,
            Self::Opponent => Player::Second,
        }
    }
}

/// A hidden deal that can be played, with the capture tables of all its cards.
#[derive(Clone, Debug)]
pub struct HiddenDeal {
    setup: HiddenSetup,
    /// Mine, then the opponent's.
    cards: Vec<Card>,
    tables: Tables,
    special: Special,
    /// Under Same or Plus, if ranks do not change.
    firing: Option<Firing>,
    /// By the opponent's card: the worlds that hold it.
    holders: [u64; MOST_OPPONENT_CARDS],
    /// By world and place in its hand: the number of the card.
    numbers: Vec<[u8; HAND]>,
    /// How often a draw is replayed.
    replays: u32,
}

impl HiddenDeal {
    /// Checks a setup and builds its tables.
    ///
    /// # Errors
    /// If the rules or a hand are invalid, or if there are no worlds or too many.
    pub fn new(setup: &HiddenSetup) -> Result<Self, TriadError> {
        if setup.worlds.is_empty() {
            return Err(TriadError::NoWorlds);
        }
        if setup.worlds.len() > MOST_WORLDS {
            return Err(TriadError::TooManyWorlds { found: setup.worlds.len(), most: MOST_WORLDS });
        }
        for (at, world) in setup.worlds.iter().enumerate() {
            let open = Setup {
                rules: setup.rules,
                elements: setup.elements,
                hands: [setup.hand, *world],
                first: setup.first.player(),
            };
            open.check().map_err(|fault| match TriadError::Setup(fault) {
                error if error.field() == "hand_b" => TriadError::World { number: at + 1, error: Box::new(error) },
                error => error,
            })?;
        }
        let mut cards = setup.hand.to_vec();
        for world in &setup.worlds {
            for card in world {
                let known = cards[HAND..].iter().filter(|known| *known == card).count();
                let held = world.iter().filter(|held| *held == card).count();
                cards.extend((known..held).map(|_| *card));
            }
        }
        let theirs = cards.len() - HAND;
        if theirs > MOST_OPPONENT_CARDS {
            return Err(TriadError::TooManyCards { found: theirs, most: MOST_OPPONENT_CARDS });
        }
        let mut holders = [0; MOST_OPPONENT_CARDS];
        let mut numbers = Vec::with_capacity(setup.worlds.len());
        for (at, world) in setup.worlds.iter().enumerate() {
            let mut held = 0u16;
            numbers.push(world.map(|card| {
                let number = (HAND..cards.len()).find(|&number| held >> number & 1 == 0 && cards[number] == card);
                let number = number.expect("the list has every card of every world");
                held |= 1 << number;
                holders[number - HAND] |= 1 << at;
                number as u8
            }));
        }
        let tables = Tables::new(setup.rules, &setup.elements, &cards);
        let special = Special::new(setup.rules);
        let count = cards.len() as u8;
        let changing = setup.rules.has(Rule::Ascension) || setup.rules.has(Rule::Descension);
        let fires = !setup.rules.is_basic() && !changing;
        let firing = fires.then(|| Firing::new(&Rank::of(&tables, 0), special, count));
        Ok(Self { setup: setup.clone(), cards, tables, special, firing, holders, numbers, replays: 0 })
    }

    /// The same deal if a draw is replayed with the cards that each player owns, at most this many times.
    ///
    /// # Errors
    /// If luck decides the replays: under Elemental and under Chaos.
    pub fn replaying(self, replays: u32) -> Result<Self, TriadError> {
        if replays > 0 && self.setup.rules.has(Rule::Elemental) {
            return Err(TriadError::ReplayElements);
        }
        if replays > 0 && self.setup.rules.has_chaos() {
            return Err(TriadError::ReplayDraws);
        }
        Ok(Self { replays, ..self })
    }

    /// How often a draw is replayed; the result of the game after that counts.
    #[must_use]
    pub const fn replays(&self) -> u32 {
        self.replays
    }

    /// The setup of this deal.
    #[must_use]
    pub const fn setup(&self) -> &HiddenSetup {
        &self.setup
    }

    /// The cards that the opponent may hold. A card that one world holds twice is listed twice.
    #[must_use]
    pub fn opponent_cards(&self) -> &[Card] {
        &self.cards[HAND..]
    }

    /// The empty board with all worlds.
    #[must_use]
    pub fn start(&self) -> HiddenPosition {
        HiddenPosition::start(u64::MAX >> (MOST_WORLDS - self.setup.worlds.len()))
    }

    /// The side to move. In a finished game, the side that would move next.
    #[must_use]
    pub fn turn(&self, position: &HiddenPosition) -> Side {
        match (position.free().len() % 2 == 1, self.setup.first) {
            (true, first) => first,
            (false, Side::Me) => Side::Opponent,
            (false, Side::Opponent) => Side::Me,
        }
    }

    /// The worlds that the cards shown so far allow, as indices into the worlds of the setup.
    pub fn worlds_left(&self, position: &HiddenPosition) -> impl Iterator<Item = usize> + use<> {
        let worlds = position.worlds();
        (0..MOST_WORLDS).filter(move |world| worlds >> world & 1 != 0)
    }

    /// The result for me, if the game is over.
    #[must_use]
    pub fn result(&self, position: &HiddenPosition) -> Option<Outcome> {
        position.free().is_empty().then(|| Outcome::of(position.score() as i32 - 5))
    }

    /// The position after one of the opponent's cards was seen: the hand dealt to him holds it, whether or not it was
    /// played since. `card` is a place in [`opponent_cards`](Self::opponent_cards); to see the second of two equal cards
    /// means to see both. Seeing a card again changes nothing.
    ///
    /// # Errors
    /// If no world left holds the card. The error names the cards that exclude it.
    pub fn see(&self, position: &HiddenPosition, card: u8) -> Result<HiddenPosition, TriadError> {
        let number = self.opponent_card(card)?;
        let worlds = position.worlds() & self.holders(number);
        if worlds == 0 {
            return Err(self.no_world(position, number));
        }
        let equal = (HAND as u8..=number).filter(|other| self.card(*other) == self.card(number));
        Ok(position.seeing(equal.fold(0, |cards, card| cards | 1 << card), worlds))
    }

    /// The position after Chaos drew one of my cards for this turn, by its place in my hand.
    ///
    /// # Errors
    /// If no card is drawn for me now, or the card is not in my hand.
    pub fn draw(&self, position: &HiddenPosition, card: u8) -> Result<HiddenPosition, TriadError> {
        if !self.is_drawn(Side::Me) || self.turn(position) != Side::Me || position.free().is_empty() {
            return Err(TriadError::NothingDrawn);
        }
        self.check_mine(&position.drawing(card), card)?;
        Ok(position.drawing(card))
    }

    /// Every legal move: mine, or every one that some world left allows the opponent. By card, then by cell.
    #[must_use]
    pub fn moves(&self, position: &HiddenPosition) -> Vec<HiddenMove> {
        let side = self.turn(position);
        let first = if side == Side::Me { 0 } else { HAND as u8 };
        let playable = match side {
            Side::Me => self.playable(position),
            Side::Opponent => (HAND as u8..self.cards.len() as u8)
                .filter(|card| self.first_copy(position.lying(), *card) == *card)
                .filter(|card| self.worlds_playing(position, *card) != 0)
                .fold(0, |cards, card| cards | 1 << card),
        };
        let cards = (first..self.cards.len() as u8).filter(|card| playable >> card & 1 != 0);
        cards
            .flat_map(|card| position.free().into_iter().map(move |cell| HiddenMove { card: card - first, cell }))
            .collect()
    }

    /// The position after a move of the side to move. Of the opponent's equal cards any may be named.
    ///
    /// # Errors
    /// If the game is over, the cell is taken, I do not hold the card, Order asks for another, or no world left plays it.
    pub fn play(&self, position: &HiddenPosition, mv: HiddenMove) -> Result<HiddenPosition, TriadError> {
        if position.free().is_empty() {
            return Err(TriadError::GameOver);
        }
        if let Some(card) = position.card_at(mv.cell) {
            return Err(TriadError::Occupied { cell: mv.cell, card: self.card(card).to_string() });
        }
        match self.turn(position) {
            Side::Me => self.check_mine(position, mv.card)?,
            Side::Opponent => {
                let number = self.opponent_card(mv.card)?;
                let copy = self.first_copy(position.lying(), number);
                if self.worlds_playing(position, copy) == 0 {
                    return Err(if position.lying() >> copy & 1 != 0 {
                        TriadError::PlayedAlready { player: Player::Second, card: self.card(copy).to_string() }
                    } else if position.worlds() & self.holders(copy) == 0 {
                        self.no_world(position, copy)
                    } else {
                        TriadError::OtherCard { player: Player::Second, card: self.card(copy).to_string() }
                    });
                }
            }
        }
        Ok(self.play_unchecked(position, mv))
    }

    /// The position after a legal move.
    pub(super) fn play_unchecked(&self, position: &HiddenPosition, mv: HiddenMove) -> HiddenPosition {
        let is_mine = self.turn(position) == Side::Me;
        let card = if is_mine { mv.card } else { self.first_copy(position.lying(), mv.card + HAND as u8) };
        let board = Board::of(|cell| position.card_at(cell));
        let own = position.own();
        let enemy = if is_mine { !own & (MINE | THEIRS) } else { own };
        let rank = Rank::of(&self.tables, self.level(position));
        let flips = rank.flips(self.special, &board, Move::new(card, mv.cell), board.neighbours(mv.cell), enemy);
        let worlds = if is_mine { position.worlds() } else { self.worlds_playing(position, card) };
        position.with(card, mv.cell, own ^ flips, worlds)
    }

    fn check_mine(&self, position: &HiddenPosition, card: u8) -> Result<(), TriadError> {
        let player = Player::First;
        if usize::from(card) >= HAND {
            return Err(TriadError::UnknownPlace { place: card.into() });
        }
        if position.lying() >> card & 1 != 0 {
            return Err(TriadError::PlayedAlready { player, card: self.card(card).to_string() });
        }
        if self.playable(position) >> card & 1 == 0 {
            return Err(TriadError::OtherCard { player, card: self.card(card).to_string() });
        }
        Ok(())
    }

    /// The number of one of the opponent's cards.
    fn opponent_card(&self, card: u8) -> Result<u8, TriadError> {
        let count = self.opponent_cards().len();
        if usize::from(card) < count {
            Ok(card + HAND as u8)
        } else {
            Err(TriadError::UnknownOpponentCard { place: card, count })
        }
    }

    /// Why no world left holds a card: another card that excludes it, or all that were shown.
    fn no_world(&self, position: &HiddenPosition, number: u8) -> TriadError {
        let shown = (position.lying() | position.seen()) & THEIRS;
        let shown: Vec<u8> = (HAND as u8..MOST_CARDS as u8).filter(|card| shown >> card & 1 != 0).collect();
        let alone = shown.iter().find(|other| self.holders(**other) & self.holders(number) == 0);
        let named = alone.map_or(shown.clone(), |other| vec![*other]);
        TriadError::NoWorldHolds {
            card: self.card(number),
            shown: named.into_iter().map(|card| self.card(card)).collect(),
        }
    }

    /// My cards that may be played now, as bits.
    fn playable(&self, position: &HiddenPosition) -> u16 {
        let hand = MINE & !position.lying();
        match position.drawn() {
            Some(card) => hand & 1 << card,
            None if self.setup.rules.is_ordered(Player::First) => hand & hand.wrapping_neg(),
            None => hand,
        }
    }

    /// The worlds left in which the opponent may play a card now.
    fn worlds_playing(&self, position: &HiddenPosition, card: u8) -> u64 {
        if position.lying() >> card & 1 != 0 {
            return 0;
        }
        let laid = (position.lying() & THEIRS).count_ones() as usize;
        self.narrowed(position.worlds(), laid, card)
    }

    /// Those of the worlds in which the opponent plays `card` as the next one after `laid` others.
    pub(super) fn narrowed(&self, worlds: u64, laid: usize, card: u8) -> u64 {
        if !self.is_ordered(Side::Opponent) {
            return worlds & self.holders(card);
        }
        let plays =
            |world: &usize| self.numbers[*world].get(laid).is_some_and(|next| self.card(*next) == self.card(card));
        let playing = (0..self.numbers.len()).filter(plays).fold(0, |set, world| set | 1 << world);
        worlds & playing
    }

    /// The first of the cards equal to this one that is not on the board; the card itself if all are.
    pub(super) fn first_copy(&self, lying: u16, card: u8) -> u8 {
        let equal = |other: &u8| self.card(*other) == self.card(card) && lying >> other & 1 == 0;
        (HAND as u8..self.cards.len() as u8).find(equal).unwrap_or(card)
    }

    /// Whether a side must play its cards in an order that is known.
    pub(super) fn is_ordered(&self, side: Side) -> bool {
        self.setup.rules.is_ordered(side.player()) && (side == Side::Me || self.setup.known_order)
    }

    /// Whether Chaos draws the cards of a side.
    #[must_use]
    pub const fn is_drawn(&self, side: Side) -> bool {
        self.setup.rules.is_chaotic(side.player())
    }

    /// The worlds that hold one of the opponent's cards.
    pub(super) fn holders(&self, card: u8) -> u64 {
        self.holders[usize::from(card) - HAND]
    }

    /// The cards of a world, by number.
    pub(super) fn world(&self, world: usize) -> &[u8; HAND] {
        &self.numbers[world]
    }

    pub(super) fn card(&self, card: u8) -> Card {
        self.cards[usize::from(card)]
    }

    /// How many cards there are, mine and the opponent's.
    pub(super) fn card_count(&self) -> u8 {
        self.cards.len() as u8
    }

    pub(super) const fn tables(&self) -> &Tables {
        &self.tables
    }

    pub(super) const fn firing(&self) -> Option<&Firing> {
        self.firing.as_ref()
    }

    /// Whether ranks change during the game.
    pub(super) fn is_changing(&self) -> bool {
        self.setup.rules.has(Rule::Ascension) || self.setup.rules.has(Rule::Descension)
    }

    pub(super) const fn special(&self) -> Special {
        self.special
    }

    /// The index of the tables for the current counters of Ascension and Descension.
    pub(super) fn level(&self, position: &HiddenPosition) -> u16 {
        Cell::ALL.into_iter().filter_map(|cell| position.card_at(cell)).map(|card| self.tables.step(card)).sum()
    }
}
