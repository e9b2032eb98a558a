//! The exact points of a deck, and which of two decks is better.

use super::opponent::{Game, Opponent, Tester, total};
use super::pool::{Picks, Pool};
use crate::error::Error;
use ::search::Control;
use grid::simd::Isa;
use triad::HAND;

/// A deck with its exact results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Rated {
    pub(super) picks: Picks,
    /// By game: 0 a loss, 1 a draw, 2 a win.
    pub(super) results: Vec<u8>,
}

impl Rated {
    /// The half-points.
    pub(super) fn points(&self) -> u32 {
        total(&self.results)
    }

    /// What decides between two decks, the most important first; larger is better.
    pub(super) fn keys(&self, pool: &Pool) -> [i64; 2] {
        [i64::from(self.points()), -pool.rarity(&self.picks)]
    }
}

/// Rates decks, one thread's worth.
pub(super) struct Judge<'a> {
    pub(super) pool: &'a Pool,
    /// Tests games in which the cards may be played in any order: an upper bound under Order.
    pub(super) free: Tester<'a>,
    ordered: Option<Tester<'a>>,
}

impl<'a> Judge<'a> {
    /// `free` is the opponent [without order](Opponent::without_order).
    pub(super) fn new(isa: Isa, pool: &'a Pool, opponent: &'a Opponent, free: &'a Opponent) -> Self {
        let ordered = opponent.is_ordered().then(|| Tester::new(isa, opponent));
        Self { pool, free: Tester::new(isa, free), ordered }
    }

    /// Null-window tests so far.
    pub(super) fn tests(&self) -> u64 {
        self.free.tests + self.ordered.as_ref().map_or(0, |tester| tester.tests)
    }

    /// The exact results of a deck if it has at least these half-points. Under Order the cards of the result are in the best
    /// order.
    pub(super) fn rate(&mut self, picks: &Picks, least: u32, control: &Control<'_>) -> Result<Option<Rated>, Error> {
        let mut results = vec![2; self.free.opponent.games().len()];
        if !self.free.refine(&[self.pool.printed(picks); 2], &mut results, least, control)? {
            return Ok(None);
        }
        self.order(picks, results, least, control)
    }

    /// The same from exact results for cards in any order.
    pub(super) fn order(
        &mut self,
        picks: &Picks,
        free: Vec<u8>,
        least: u32,
        control: &Control<'_>,
    ) -> Result<Option<Rated>, Error> {
        let Some(tester) = &mut self.ordered else { return Ok(Some(Rated { picks: *picks, results: free })) };
        let (mut best, mut least) = (None, least);
        for order in orders(picks) {
            let mut results = free.clone();
            if tester.refine(&[self.pool.printed(&order); 2], &mut results, least, control)? {
                let found = Rated { picks: order, results };
                least = found.points() + 1;
                best = Some(found);
            }
            if least > total(&free) {
                break;
            }
        }
        Ok(best)
    }

    /// The exact results of a deck in the order given.
    pub(super) fn rate_as_given(&mut self, picks: &Picks, control: &Control<'_>) -> Result<Rated, Error> {
        let tester = self.ordered.as_mut().unwrap_or(&mut self.free);
        let mut results = vec![2; tester.opponent.games().len()];
        tester.refine(&[self.pool.printed(picks); 2], &mut results, 0, control)?;
        Ok(Rated { picks: *picks, results })
    }

    /// How many cards more than the opponent the owner of the deck has at the end of a game.
    pub(super) fn margin(&mut self, picks: &Picks, game: Game, control: &Control<'_>) -> Result<i32, Error> {
        let cards = self.pool.printed(picks);
        self.ordered.as_mut().unwrap_or(&mut self.free).margin(&cards, game, control)
    }
}

/// The 120 orders of five cards.
pub(super) fn orders(picks: &Picks) -> Vec<Picks> {
    let mut orders = vec![Vec::new()];
    for _ in 0..HAND {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            (0..HAND).filter(|at| !order.contains(at)).map(|at| [&order[..], &[at]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders.into_iter().map(|order| std::array::from_fn(|place| picks[order[place]])).collect()
}
