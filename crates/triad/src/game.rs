//! The deal as a game of `grid`. The rules are a value, because they hold the tables of the ten cards.

use crate::card::Card;
use crate::kernel::fast::{Board, Rank, Special, enemy};
use crate::moves::{Move, Moves};
use crate::position::{ALL_CARDS, CARDS_OF_A, Position};
use crate::setup::{HAND, Setup, SetupFault};
use crate::tables::Tables;
use core::fmt;
use grid::{Cell, ExactKey, Facts, Game, Notation, Player, TextError, mix};

/// Ten cards, rules and elements: a game that can be played. It is not `Versus`, because Chaos draws cards by luck.
#[derive(Clone, Debug)]
pub struct Deal {
    setup: Setup,
    tables: Tables,
    /// The weak faces of A's cards and the strong faces of B's, if the cards have two faces.
    other_faces: Option<[[Card; HAND]; 2]>,
}

impl Deal {
    /// Checks a setup and builds its tables.
    ///
    /// # Errors
    /// If the setup is invalid.
    pub fn new(setup: &Setup) -> Result<Self, SetupFault> {
        setup.check()?;
        Ok(Self {
            setup: *setup,
            tables: Tables::new(setup.rules, &setup.elements, setup.hands.as_flattened()),
            other_faces: None,
        })
    }

    /// The setup of this deal.
    #[inline]
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Everything that the captures depend on: equal faces are equal deals. The hands of the setup have the strong faces of
    /// A's cards and the weak faces of B's; the other faces are there if the cards [have two](Self::two_faced).
    #[must_use]
    pub const fn faces(&self) -> (Setup, Option<[[Card; HAND]; 2]>) {
        (self.setup, self.other_faces)
    }

    pub(crate) fn with_other_faces(self, faces: [[Card; HAND]; 2]) -> Self {
        Self { other_faces: Some(faces), ..self }
    }

    pub(crate) const fn tables_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }

    #[inline]
    pub(crate) const fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The side to move. In a finished game, the side that would move next.
    #[inline]
    #[must_use]
    pub const fn turn(&self, position: &Position) -> Player {
        if position.free().len() % 2 == 1 { self.setup.first } else { self.setup.first.other() }
    }

    /// The cards in a player's hand, as bits.
    #[inline]
    #[must_use]
    pub fn hand(&self, position: &Position, player: Player) -> u16 {
        let dealt = match player {
            Player::First => CARDS_OF_A,
            Player::Second => ALL_CARDS ^ CARDS_OF_A,
        };
        dealt & !position.lying()
    }

    /// The cards that the mover may play, as bits: the drawn card, the next card in order, or the whole hand.
    #[inline]
    #[must_use]
    pub fn playable(&self, position: &Position) -> u16 {
        let mover = self.turn(position);
        let hand = self.hand(position, mover);
        match position.drawn() {
            Some(card) => 1 << card,
            None if self.setup.rules.is_ordered(mover) => hand & hand.wrapping_neg(),
            None => hand,
        }
    }

    /// The position after Chaos drew `card` for the mover. `None` if no card is drawn for the mover, or the card is not in
    /// his hand.
    #[must_use]
    pub fn draw(&self, position: &Position, card: u8) -> Option<Position> {
        let mover = self.turn(position);
        let can = self.setup.rules.is_chaotic(mover) && card < 10 && self.hand(position, mover) >> card & 1 != 0;
        (can && !position.free().is_empty()).then(|| position.drawing(card))
    }

    /// The index of the tables for the current counters of Ascension and Descension.
    #[must_use]
    pub fn level(&self, position: &Position) -> u8 {
        Cell::ALL.into_iter().filter_map(|cell| position.card_at(cell)).map(|card| self.step(card)).sum()
    }

    /// By how much playing a card raises [`level`](Self::level).
    #[inline(always)]
    #[must_use]
    pub fn step(&self, card: u8) -> u8 {
        debug_assert!(card < 10);
        self.tables.step(card) as u8
    }

    /// The cards that a move captures, as bits.
    #[must_use]
    pub fn flips(&self, position: &Position, mv: Move) -> u16 {
        let board = Board::new(position);
        let rank = Rank::new(self, self.level(position));
        let enemy = enemy(position.own(), self.turn(position));
        rank.flips(Special::of(self), &board, mv, board.neighbours(mv.cell()), enemy)
    }
}

impl Game for Deal {
    type Position = Position;
    type Move = Move;
    type Moves = Moves;

    const FACTS: Facts = Facts { name: "Triple Triad", longest_game: 9, most_moves: 45 };

    fn start(&self) -> Position {
        Position::START
    }

    fn moves(&self, position: &Position) -> Moves {
        Moves::new(self.playable(position), position.free())
    }

    fn play_unchecked(&self, position: &Position, mv: Move) -> Position {
        position.with(mv.card(), mv.cell(), position.own() ^ self.flips(position, mv))
    }

    fn hash(&self, position: &Position) -> u64 {
        mix(position.bits())
    }
}

impl ExactKey for Deal {
    const KEY_BITS: u32 = 50;

    fn key(&self, position: &Position) -> u64 {
        position.bits()
    }
}

impl Notation for Deal {
    fn write_position(&self, position: &Position, out: &mut dyn fmt::Write) -> fmt::Result {
        crate::notation::write(self, position, out)
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        let (setup, position) = crate::notation::read(text)?;
        if setup == self.setup { Ok(position) } else { Err(TextError::new(0, "the rules and cards of this deal")) }
    }

    fn write_move(&self, _: &Position, mv: Move, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{mv}")
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        crate::notation::read_move(self, position, text)
    }
}
