//! Draft: which of the offered cards to take.
//!
//! The rule says only that cards are chosen from those offered. The model is stated, because nobody knows what is offered
//! later: the rest of my hand is filled by [`Dealer::drafted`], of each three random cards the one with the highest sum; the
//! opponent's hand is one of those given, or drafted the same way; either player starts; then hands are open and both play
//! perfectly. Every offered card plays the same games, so that luck does not tell them apart.

use super::cards::{Book, Dealer, Hand, HandCard, Holder, check_deck};
use super::error::TriadError;
use super::solve::Solver;
use crate::error::Error;
use ::search::Control;
use grid::{Game, Player, Rng};
use triad::{Deal, HAND, Rule, Rules, Setup};

/// A pick of a draft.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// The cards of the game.
    pub book: &'a Book,
    /// The rules.
    pub rules: Rules,
    /// The cards that I took before.
    pub taken: &'a [HandCard],
    /// The cards to choose from.
    pub offered: &'a [HandCard],
    /// The hands that the opponent may hold; if empty, he drafts too.
    pub hands: &'a [Hand],
    /// How many games each card plays, unless all of them can be played.
    pub games: u32,
    /// Seed of the games.
    pub seed: u64,
}

/// What an offered card is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Pick {
    /// The place among the offered cards.
    pub offered: usize,
    /// Games won, drawn and lost.
    pub results: [u32; 3],
}

impl Pick {
    /// Points of a game on average: a win counts 1, a draw 1/2.
    #[must_use]
    pub fn points(&self) -> f64 {
        let [won, drawn, lost] = self.results.map(f64::from);
        (won + drawn / 2.0) / (won + drawn + lost).max(1.0)
    }

    /// One standard error of the points.
    #[must_use]
    pub fn error(&self) -> f64 {
        let [won, drawn, lost] = self.results.map(f64::from);
        let games = (won + drawn + lost).max(1.0);
        let square = (won + drawn / 4.0) / games - self.points().powi(2);
        (square.max(0.0) / games).sqrt()
    }
}

/// The offered cards, best first.
#[derive(Clone, PartialEq, Debug)]
pub struct Picks {
    /// By points, then in the order of the offer.
    pub picks: Vec<Pick>,
    /// Whether every game that can come was played: at the last pick, against hands that are given.
    pub exact: bool,
    /// Whether as many games were played as were asked for.
    pub complete: bool,
}

impl Draft<'_> {
    /// Ranks the offered cards. When a limit of the control is reached, the games so far count.
    ///
    /// # Errors
    /// If a card cannot join the hand, a rule brings more luck, or no game was finished.
    pub fn advise(&self, control: &Control<'_>) -> Result<Picks, Error> {
        self.check()?;
        let exact = self.taken.len() + 1 == HAND && !self.hands.is_empty();
        let games = if exact { 2 * self.hands.len() as u32 } else { self.games.max(1) };
        let mut picks: Vec<Pick> = (0..self.offered.len()).map(|offered| Pick { offered, results: [0; 3] }).collect();
        let mut solver = Solver::default();
        let mut played = 0;
        while played < games {
            let round = self.offered.iter().map(|card| self.game(card, played, exact, &mut solver, control));
            match round.collect::<Result<Vec<usize>, Error>>() {
                Ok(results) => {
                    picks.iter_mut().zip(results).for_each(|(pick, result)| pick.results[result] += 1);
                }
                Err(Error::Stopped(_)) if played > 0 => break,
                Err(error) => return Err(error),
            }
            played += 1;
        }
        picks.sort_by(|one, other| other.points().total_cmp(&one.points()));
        Ok(Picks { picks, exact: exact && played == games, complete: played == games })
    }

    fn check(&self) -> Result<(), TriadError> {
        if self.offered.is_empty() {
            return Err(TriadError::MissingCard);
        }
        if self.taken.len() >= HAND {
            return Err(TriadError::DraftOver { taken: self.taken.len() });
        }
        let luck = [Rule::Random, Rule::Swap, Rule::Roulette, Rule::Elemental];
        let rule = luck.into_iter().find(|rule| self.rules.has(*rule));
        if let Some(rule) = rule.map(Rule::name).or(self.rules.has_chaos().then_some("chaos")) {
            return Err(TriadError::DraftWith { rule });
        }
        for card in self.offered {
            let with = [self.taken, std::slice::from_ref(card)].concat();
            check_deck(self.book.edition(), &with, Holder::Player)?;
        }
        Ok(())
    }

    /// The result of one game if I take this card: 0 won, 1 drawn, 2 lost.
    fn game(
        &self,
        card: &HandCard,
        number: u32,
        exact: bool,
        solver: &mut Solver,
        control: &Control<'_>,
    ) -> Result<usize, Error> {
        let seed = grid::mix(self.seed).wrapping_add(number.into());
        let mut dealer = Dealer::new(seed);
        let first = if number.is_multiple_of(2) { Player::First } else { Player::Second };
        let theirs = if exact {
            self.hands[number as usize / 2].clone()
        } else if self.hands.is_empty() {
            dealer.drafted(self.book, 1..=5, &[])?
        } else {
            self.hands[Rng::new(seed).below(self.hands.len() as u32) as usize].clone()
        };
        let taken = [self.taken, std::slice::from_ref(card)].concat();
        let mine = dealer.drafted(self.book, 1..=5, &taken)?;
        let hands = [&mine, &theirs].map(|hand| hand.each_ref().map(|card| card.card));
        let setup = Setup { first, ..Setup::new(self.rules, hands[0], hands[1]) };
        let deal = Deal::new(&setup).map_err(TriadError::Setup)?;
        let owned = solver.value(&deal, &deal.start(), control)?;
        let mine = if first == Player::First { owned } else { 10 - owned };
        Ok(match mine.cmp(&5) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 2,
        })
    }
}
