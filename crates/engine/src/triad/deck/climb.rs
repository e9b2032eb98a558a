//! Random restarts: a random deck is improved by exchanges of one card.
//!
//! Points alone lead nowhere from most decks: against a strong opponent almost every deck draws most games and wins none, so
//! no exchange looks better (for Flichoirel 145 of 150 random decks have no win). So a restart first plays against a
//! weakened opponent, one less on all 20 sides of his hand, and climbs to a deck that wins every game. Then fewer sides are
//! weakened, down to none. Null-window tests until the first deck that wins all 20 games against Flichoirel, all 464 cards:
//! 1,600 to 3,100 with the weakened opponents for three of four seeds, 4,700 for one of four without.

use super::judge::{Judge, Rated};
use super::opponent::{Opponent, Tester};
use super::pool::{CLASSES, Picks, Pool};
use crate::error::Error;
use ::search::Control;
use grid::Rng;
use grid::simd::Isa;
use triad::HAND;

/// How many sides of the opponent's hand are weakened, in the order of a restart.
const WEAKENED: [usize; 6] = [4 * HAND, 2 * HAND, HAND, 3, 1, 0];

/// How many exchanges may fail in a row.
pub(super) const PATIENCE: u32 = 60;

/// Draws cards for decks: strong ones more often.
pub(super) struct Climber<'a> {
    pool: &'a Pool,
    opponent: &'a Opponent,
    /// By class: the free cards, weakest first.
    classes: [Vec<u16>; CLASSES],
    patterns: Vec<[u8; CLASSES]>,
    isa: Isa,
}

impl<'a> Climber<'a> {
    pub(super) fn new(isa: Isa, pool: &'a Pool, opponent: &'a Opponent) -> Self {
        let strength = |card: &u16| {
            let sum: i32 = pool.cards()[usize::from(*card)].card.sides.map(i32::from).iter().sum();
            if opponent.is_better(1, 2) { -sum } else { sum }
        };
        let classes = std::array::from_fn(|class| {
            let is_free = |card: &u16| pool.free(*card) > 0 && pool.class(*card) == class;
            let mut cards: Vec<u16> = (0..pool.cards().len() as u16).filter(is_free).collect();
            cards.sort_by_key(strength);
            cards
        });
        Self { pool, opponent, classes, patterns: pool.patterns(), isa }
    }

    /// The legal deck with the highest sum of sides among those with most stars.
    pub(super) fn strongest(&self) -> Option<Picks> {
        let mut picks = self.pool.locked().to_vec();
        for (class, count) in self.patterns.first()?.iter().enumerate() {
            let copies = self.classes[class].iter().rev();
            let copies = copies.flat_map(|card| vec![*card; usize::from(self.pool.free(*card))]);
            picks.extend(copies.take(usize::from(*count)));
        }
        picks.try_into().ok()
    }

    /// A card of a class: the strongest of three random ones.
    fn card(&self, class: usize, rng: &mut Rng) -> Option<u16> {
        let cards = &self.classes[class];
        let at = (0..3).map(|_| rng.below(cards.len() as u32) as usize).max()?;
        cards.get(at).copied()
    }

    /// A random legal deck. Most have as many stars as the limits allow.
    pub(super) fn deck(&self, rng: &mut Rng) -> Option<Picks> {
        let pattern = self.patterns[(0..2).map(|_| rng.below(self.patterns.len() as u32)).min()? as usize];
        let mut picks = self.pool.locked().to_vec();
        for (class, count) in pattern.into_iter().enumerate() {
            for _ in 0..count {
                picks.push(self.card(class, rng)?);
            }
        }
        Picks::try_from(picks).ok().filter(|picks| self.pool.is_legal(picks))
    }

    /// The deck with one free card exchanged, if that is legal. One exchange in eight may change the class of stars.
    pub(super) fn neighbour(&self, picks: &Picks, rng: &mut Rng) -> Option<Picks> {
        let at = rng.below(HAND as u32) as usize;
        let class = match rng.below(8) {
            0 => rng.below(CLASSES as u32) as usize,
            _ => self.pool.class(picks[at]),
        };
        let mut picks = *picks;
        picks[at] = self.card(class, rng).filter(|card| *card != picks[at])?;
        self.pool.is_legal(&picks).then_some(picks)
    }

    /// One restart. Every deck that is rated better than the one before goes to `found`, so that a stop loses nothing.
    pub(super) fn restart(
        &self,
        judge: &mut Judge<'_>,
        mut rng: Rng,
        control: &Control<'_>,
        mut found: impl FnMut(&Rated),
    ) -> Result<(), Error> {
        let Some(mut picks) = (0..PATIENCE).find_map(|_| self.deck(&mut rng)) else { return Ok(()) };
        let mut sides = [0, 1, 2, 3];
        for at in 0..4 {
            sides.swap(at, at + rng.below(4 - at as u32) as usize);
        }
        let sides: Vec<(usize, usize)> = sides.iter().flat_map(|side| (0..HAND).map(|card| (card, *side))).collect();
        for count in WEAKENED {
            if !self.win_all(&sides[..count], &mut picks, &mut rng, judge, control)? {
                break;
            }
        }
        let Some(mut best) = judge.rate(&picks, 0, control)? else { return Ok(()) };
        found(&best);
        let mut failed = 0;
        while failed < PATIENCE && best.points() < self.opponent.most() {
            failed += 1;
            let Some(picks) = self.neighbour(&best.picks, &mut rng) else { continue };
            if let Some(better) = judge.rate(&picks, best.points() + 1, control)? {
                found(&better);
                (best, failed) = (better, 0);
            }
        }
        Ok(())
    }

    /// Improves a deck until it wins every game against the weakened opponent; false if the patience is over before.
    fn win_all(
        &self,
        sides: &[(usize, usize)],
        picks: &mut Picks,
        rng: &mut Rng,
        judge: &mut Judge<'_>,
        control: &Control<'_>,
    ) -> Result<bool, Error> {
        let weak = self.opponent.weakened(sides);
        let mut tester = Tester::new(self.isa, &weak);
        let all = weak.games().len();
        let mut wins = tester.wins(&self.pool.printed(picks), 0, control)?.unwrap_or(0);
        let mut failed = 0;
        while wins < all && failed < PATIENCE {
            failed += 1;
            let Some(next) = self.neighbour(picks, rng) else { continue };
            if let Some(more) = tester.wins(&self.pool.printed(&next), wins + 1, control)? {
                (wins, *picks, failed) = (more, next, 0);
            }
        }
        judge.free.tests += tester.tests;
        Ok(wins == all)
    }
}
