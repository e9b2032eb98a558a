//! The games that say how good a deck is, and the exact test of one game.
//!
//! A deck plays every possible hand of the opponent from both starts, hands open, against perfect play. A game is worth two
//! half-points for a win and one for a draw. Under Swap every pair of exchanged cards is a game of its own, so the mean over
//! the games is the mean over the exchanges. The opponent's order is not known under Order, so he may play any card.

use crate::error::Error;
use crate::triad::error::TriadError;
use crate::triad::solve::Solver;
use ::search::Control;
use grid::simd::Isa;
use grid::{Game as _, Player};
use triad::{Card, Deal, HAND, Position, Rule, Rules, Setup};

/// Why decks have no points against an opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unranked {
    /// The points are an average over luck: see [`Lottery`](super::Lottery).
    #[error("under chaos and roulette luck decides games, so a deck has no points, but expected points")]
    Luck,
    /// The deck is not used.
    #[error("under random the hand is drawn from all cards, so no deck is chosen")]
    Random,
    /// The deck is not used.
    #[error("under draft the hand is picked from offered cards, so no deck is chosen")]
    Draft,
    /// The elements of the cells come by chance.
    #[error("under elemental the elements of the cells are drawn at random")]
    Elemental,
}

impl Unranked {
    /// The first reason.
    #[must_use]
    pub fn of(rules: Rules) -> Option<Self> {
        let has = |rule| rules.has(rule);
        let found = [
            (has(Rule::Random), Self::Random),
            (has(Rule::Draft), Self::Draft),
            (has(Rule::Elemental), Self::Elemental),
            (rules.has_chaos() || has(Rule::Roulette), Self::Luck),
        ];
        found.into_iter().find(|(is_there, _)| *is_there).map(|(_, reason)| reason)
    }
}

/// One game: a hand of the opponent, who starts, and the places of the cards that Swap exchanges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Game {
    /// The number of the opponent's hand.
    pub hand: usize,
    /// [`Player::First`] is the owner of the deck.
    pub first: Player,
    /// The place in the deck and the place in the opponent's hand.
    pub swap: Option<[u8; 2]>,
}

/// The possible hands of an opponent and the rules.
#[derive(Clone, Debug)]
pub struct Opponent {
    rules: Rules,
    hands: Vec<[Card; HAND]>,
    games: Vec<Game>,
}

/// More hands than any opponent of the games has: five of ten cards.
const MOST_HANDS: usize = 252;

impl Opponent {
    /// An opponent with these possible hands, all equally likely.
    ///
    /// # Errors
    /// If decks are not ranked under the rules, there is no hand or too many, or a card is not one of the game.
    pub fn new(rules: Rules, hands: Vec<[Card; HAND]>) -> Result<Self, TriadError> {
        if let Some(reason) = Unranked::of(rules) {
            return Err(TriadError::Unranked(reason));
        }
        Self::of(rules, hands)
    }

    /// The same under any rules.
    pub(super) fn of(rules: Rules, hands: Vec<[Card; HAND]>) -> Result<Self, TriadError> {
        if !(1..=MOST_HANDS).contains(&hands.len()) {
            return Err(TriadError::HandCount { found: hands.len(), most: MOST_HANDS });
        }
        for hand in &hands {
            Setup::new(rules, *hand, *hand).check().map_err(TriadError::Setup)?;
        }
        let swaps: Vec<Option<[u8; 2]>> =
            if rules.has(Rule::Swap) { (0..25).map(|pair| Some([pair / 5, pair % 5])).collect() } else { vec![None] };
        let mut games = Vec::new();
        for hand in 0..hands.len() {
            for first in [Player::First, Player::Second] {
                games.extend(swaps.iter().map(|swap| Game { hand, first, swap: *swap }));
            }
        }
        Ok(Self { rules: rules.set(Rule::OrderB, false), hands, games })
    }

    /// The same opponent when the owner of the deck may play his cards in any order.
    pub(super) fn without_order(&self) -> Self {
        Self { rules: self.rules.set(Rule::OrderA, false), ..self.clone() }
    }

    /// The same opponent with one less on these sides of these cards of each hand.
    pub(super) fn weakened(&self, sides: &[(usize, usize)]) -> Self {
        let mut weak = self.without_order();
        let is_reverse = self.is_better(1, 2);
        for hand in &mut weak.hands {
            for (card, side) in sides {
                let side = &mut hand[*card].sides[*side];
                *side = if is_reverse { *side + 1 } else { side.saturating_sub(1) }.clamp(1, 10);
            }
        }
        weak
    }

    /// The rules. Order binds the owner of the deck alone.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The possible hands.
    #[must_use]
    pub fn hands(&self) -> &[[Card; HAND]] {
        &self.hands
    }

    /// The games.
    #[must_use]
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// Half-points of a deck that wins every game.
    #[must_use]
    pub fn most(&self) -> u32 {
        2 * self.games.len() as u32
    }

    /// Whether the order of the deck matters.
    #[must_use]
    pub const fn is_ordered(&self) -> bool {
        self.rules.has(Rule::OrderA)
    }

    /// Whether two-faced cards bound real ones.
    #[must_use]
    pub fn has_bounds(&self) -> bool {
        Deal::has_two_faces(self.rules)
    }

    /// Whether the first side captures more than the second.
    pub(super) const fn is_better(&self, one: u8, other: u8) -> bool {
        if self.rules.has(Rule::Reverse) { one < other } else { one > other }
    }

    /// The deal of a game.
    ///
    /// # Errors
    /// If a card of the deck is not one of the game.
    pub fn deal(&self, deck: &[Card; HAND], game: Game) -> Result<Deal, TriadError> {
        Deal::new(&self.setup(deck, game)).map_err(TriadError::Setup)
    }

    /// The deal of a game with two-faced cards: strong faces, then weak faces.
    pub(super) fn two_faced(&self, [strong, weak]: &[[Card; HAND]; 2], game: Game) -> Result<Deal, TriadError> {
        if strong == weak {
            return self.deal(strong, game);
        }
        Deal::two_faced(&self.setup(strong, game), &self.setup(weak, game)).map_err(TriadError::Setup)
    }

    pub(super) fn setup(&self, deck: &[Card; HAND], game: Game) -> Setup {
        let (mut mine, mut theirs) = (*deck, self.hands[game.hand]);
        if let Some([of_deck, of_hand]) = game.swap {
            std::mem::swap(&mut mine[usize::from(of_deck)], &mut theirs[usize::from(of_hand)]);
        }
        Setup { first: game.first, ..Setup::new(self.rules, mine, theirs) }
    }
}

/// Tests decks against an opponent, one thread's worth.
pub(super) struct Tester<'a> {
    pub(super) opponent: &'a Opponent,
    solver: Solver,
    /// The games in the order in which they are tested: one that refuted a deck comes first.
    queue: Vec<u16>,
    /// Null-window tests so far.
    pub(super) tests: u64,
}

impl<'a> Tester<'a> {
    pub(super) fn new(isa: Isa, opponent: &'a Opponent) -> Self {
        let queue = (0..opponent.games.len() as u16).collect();
        Self { opponent, solver: Solver::new(isa), queue, tests: 0 }
    }

    /// Whether a deck of two-faced cards gets at least these half-points, 1 or 2, in a game.
    pub(super) fn reaches(
        &mut self,
        deck: &[[Card; HAND]; 2],
        game: Game,
        wanted: u8,
        control: &Control<'_>,
    ) -> Result<bool, Error> {
        self.tests += 1;
        let deal = self.opponent.two_faced(deck, game)?;
        let (start, wanted) = (deal.start(), u32::from(wanted));
        match game.first {
            Player::First => self.solver.can_own(&deal, &start, 4 + wanted, control),
            Player::Second => Ok(!self.solver.can_own(&deal, &start, 7 - wanted, control)?),
        }
    }

    /// Lowers upper bounds of the games to what the deck gets. It ends with false as soon as their sum is below `least`,
    /// otherwise every bound is exact.
    pub(super) fn refine(
        &mut self,
        deck: &[[Card; HAND]; 2],
        bounds: &mut [u8],
        least: u32,
        control: &Control<'_>,
    ) -> Result<bool, Error> {
        let mut sum = total(bounds);
        for place in 0..self.queue.len() {
            let at = usize::from(self.queue[place]);
            while bounds[at] > 0 && sum >= least {
                if self.reaches(deck, self.opponent.games[at], bounds[at], control)? {
                    break;
                }
                bounds[at] -= 1;
                sum -= 1;
                if sum < least {
                    self.queue[..=place].rotate_right(1);
                }
            }
            if sum < least {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The number of games that the deck wins, if it is at least `least`.
    pub(super) fn wins(
        &mut self,
        deck: &[Card; HAND],
        least: usize,
        control: &Control<'_>,
    ) -> Result<Option<usize>, Error> {
        let mut wins = self.queue.len();
        for place in 0..self.queue.len() {
            let game = self.opponent.games[usize::from(self.queue[place])];
            if !self.reaches(&[*deck; 2], game, 2, control)? {
                wins -= 1;
                if wins < least {
                    self.queue[..=place].rotate_right(1);
                    return Ok(None);
                }
            }
        }
        Ok(Some(wins))
    }

    /// How many cards the deck's owner has more than the opponent at the end of a game.
    pub(super) fn margin(&mut self, deck: &[Card; HAND], game: Game, control: &Control<'_>) -> Result<i32, Error> {
        let deal = self.opponent.deal(deck, game)?;
        let cards = self.solver.value(&deal, &Position::START, control)? as i32;
        Ok((2 * cards - 10) * game.first.sign())
    }
}

/// The sum of half-points.
pub(super) fn total(points: &[u8]) -> u32 {
    points.iter().map(|points| u32::from(*points)).sum()
}
