//! Cards outside a collection that would help most: each one in the place of each card of the best deck.

use super::judge::Judge;
use super::opponent::Opponent;
use super::pool::Pool;
use crate::error::Error;
use crate::triad::cards::{Book, Hand, HandCard};
use ::search::Control;
use grid::simd::Isa;
use triad::HAND;

/// A card that makes a deck better.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Addition {
    /// The card that is not owned.
    pub card: HandCard,
    /// The card whose place it takes.
    pub replaces: HandCard,
    /// The half-points of the deck with it.
    pub points: u32,
}

/// The cards of a list that make the deck better, best first. A card counts by its best place in this deck. If the control
/// stops the call, the cards tried so far.
///
/// # Errors
/// If a card is not one of the game, or the deck is not one of the pool.
pub fn additions(
    isa: Isa,
    opponent: &Opponent,
    pool: &Pool,
    deck: &Hand,
    book: &Book,
    control: &Control<'_>,
) -> Result<Vec<Addition>, Error> {
    let (pool, first) = pool.with_missing(book);
    let (picks, free) = (pool.checked(deck)?, opponent.without_order());
    let mut judge = Judge::new(isa, &pool, opponent, &free);
    let before = judge.rate_as_given(&picks, &Control::new())?.points();
    let mut found: Vec<Addition> = Vec::new();
    let count = pool.cards().len();
    for card in first..count {
        control.report((card - first) as u64, (count - first) as u64);
        let mut points = before;
        for place in 0..HAND {
            let mut picks = picks;
            picks[place] = card as u16;
            if !pool.is_legal(&picks) {
                continue;
            }
            match judge.rate(&picks, points + 1, control) {
                Ok(Some(better)) => {
                    points = better.points();
                    let (card, replaces) = (pool.cards()[card].clone(), deck[place].clone());
                    found.retain(|addition| addition.card != card);
                    found.push(Addition { card, replaces, points });
                }
                Ok(None) => {}
                Err(Error::Stopped(_)) => return Ok(sorted(found)),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(sorted(found))
}

fn sorted(mut found: Vec<Addition>) -> Vec<Addition> {
    // A stable sort: equal cards stay in the order of the list.
    found.sort_by_key(|addition| std::cmp::Reverse(addition.points));
    found
}
