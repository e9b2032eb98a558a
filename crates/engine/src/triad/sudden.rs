//! Sudden Death: a draw is played again with the cards each player owns, and the other player opens.
//!
//! After a draw there are 252 ways to own five of ten cards, and the opener alternates, so the games of one round are 252
//! known deals. From the last round back, each is solved for what its own draws are worth in the round after it; then
//! the game at hand is. Rounds beyond the limit are draws: five in ff14, as many as one likes to wait for in ff8.

use super::search::Outcome;
use super::solve::{Solver, solve_many};
use grid::simd::Isa;
use grid::{Game, Player};
use std::num::NonZero;
use triad::{Card, Deal, HAND, Position, Rule, Setup};

/// What the end of a game without replays is worth: 10 a win, 5 a draw, 0 a loss.
fn plain() -> Outcome {
    std::array::from_fn(|cards| match (cards as u16).count_ones() {
        0..=4 => 0,
        5 => 5,
        _ => 10,
    })
}

/// The ten cards in the order in which they are dealt anew: A's five, then B's.
fn dealt_anew(own: u16) -> [usize; 10] {
    let mut order = [0; 10];
    let mine = (0..10).filter(|card| own >> card & 1 != 0);
    let theirs = (0..10).filter(|card| own >> card & 1 == 0);
    for (place, card) in mine.chain(theirs).enumerate() {
        order[place] = card;
    }
    order
}

/// The result for A with at most `rounds` replays: 10 a win, 5 a draw, 0 a loss. `None` under Elemental, where each
/// replay has new elements by chance, and under Chaos.
#[must_use]
pub fn sudden_death(
    isa: Isa,
    threads: Option<NonZero<usize>>,
    deal: &Deal,
    position: &Position,
    rounds: u32,
) -> Option<u32> {
    let setup = deal.setup();
    let luck = [Rule::Elemental, Rule::ChaosA, Rule::ChaosB];
    if luck.iter().any(|rule| setup.rules.has(*rule)) {
        return None;
    }
    let draws: Vec<u16> = (0..1024u16).filter(|own| own.count_ones() as usize == HAND).collect();
    let mut outcome = plain();
    for round in (1..=rounds).rev() {
        let first = if round % 2 == 0 { setup.first } else { setup.first.other() };
        let worth = solve_many(isa, threads, &draws, |solver, own| replay(solver, setup, first, *own, &outcome));
        for (own, worth) in draws.iter().zip(worth) {
            outcome[usize::from(*own)] = worth;
        }
    }
    Some(Solver::new(isa).worth(deal, position, &outcome))
}

/// What the game that follows a draw is worth to A, who then owned the cards `own` of the first deal.
fn replay(solver: &mut Solver, setup: &Setup, first: Player, own: u16, outcome: &Outcome) -> u8 {
    let order = dealt_anew(own);
    let cards: [Card; 10] = order.map(|card| setup.card(card));
    let hand = |from: usize| std::array::from_fn(|place| cards[from + place]);
    let again = Setup { hands: [hand(0), hand(HAND)], first, ..*setup };
    // The cards have other numbers in the new deal.
    let renumbered: Outcome = std::array::from_fn(|cards| {
        let known = (0..10).filter(|place| cards >> place & 1 != 0).fold(0, |own, place| own | 1 << order[place]);
        outcome[known]
    });
    let deal = Deal::new(&again).expect("the same cards and rules in other hands");
    solver.worth(&deal, &deal.start(), &renumbered) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use triad::{Edition, Rules};

    #[test]
    fn no_replays_is_the_plain_result_and_replays_only_decide_draws() {
        let book = crate::triad::cards::Book::built_in(Edition::Ff8);
        let (mut decided, mut draws) = (0, 0);
        for seed in 0..3 {
            let mut rng = grid::Rng::new(seed);
            let mut hand = || std::array::from_fn(|_| book.cards()[rng.below(33) as usize].card);
            let setup = Setup::new(Rules::preset(Edition::Ff8), hand(), hand());
            let deal = Deal::new(&setup).unwrap();
            let start = deal.start();
            let isa = Isa::detect();
            let value = Solver::new(isa).value(&deal, &start);
            let none = sudden_death(isa, None, &deal, &start, 0).unwrap();
            assert_eq!(none, u32::from(plain()[(1 << value) - 1]), "seed {seed}");
            let one = sudden_death(isa, None, &deal, &start, 1).unwrap();
            // A player who could draw can still draw at worst if the replay is at worst a draw for him; a win stays one.
            if none != 5 {
                assert_eq!(one, none, "seed {seed}");
            } else {
                draws += 1;
                decided += u32::from(one != 5);
            }
        }
        assert!(decided <= draws);
    }
}
