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
use triad::{Card, Deal, HAND, Position, Rule, Rules, Setup};

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

/// Why the replays of a draw cannot be looked at: they have luck in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Luck {
    /// Each replay has new elements.
    #[error("sudden-death under elemental: every replay has new elements by chance, so its value is not known")]
    Elements,
    /// Each turn's card is drawn.
    #[error("sudden-death under chaos: cards are drawn by chance, so there is no result to look ahead to")]
    Draws,
}

/// How many replays are looked at where the rule is in force and no number is chosen: as many as ff14 plays. ff8 has no
/// limit; five rounds are taken there too.
pub const fn default_replays(rules: Rules) -> Option<u32> {
    if rules.has(Rule::SuddenDeath) { Some(5) } else { None }
}

/// The result for A with at most `rounds` replays: 10 a win, 5 a draw, 0 a loss.
///
/// # Errors
/// If luck takes part: under Elemental and under Chaos.
pub fn sudden_death(
    isa: Isa,
    threads: Option<NonZero<usize>>,
    deal: &Deal,
    position: &Position,
    rounds: u32,
) -> Result<u32, Luck> {
    let setup = deal.setup();
    if setup.rules.has(Rule::Elemental) && rounds > 0 {
        return Err(Luck::Elements);
    }
    if setup.rules.has(Rule::ChaosA) || setup.rules.has(Rule::ChaosB) {
        return Err(Luck::Draws);
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
    Ok(Solver::new(isa).worth(deal, position, &outcome))
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

    /// The result for A by the rule's own words: every game to its end, a draw again with the cards owned.
    fn by_hand(deal: &Deal, position: &Position, rounds: u32) -> u32 {
        if position.free().is_empty() {
            return match position.score() {
                5 if rounds > 0 => {
                    let setup = deal.setup();
                    let of = |player| {
                        let cards: Vec<Card> = (0..10)
                            .filter(|card| position.owner(*card) == player)
                            .map(|card| setup.card(card.into()))
                            .collect();
                        <[Card; HAND]>::try_from(cards).unwrap()
                    };
                    let hands = [of(Player::First), of(Player::Second)];
                    let again = Deal::new(&Setup { hands, first: setup.first.other(), ..*setup }).unwrap();
                    by_hand(&again, &again.start(), rounds - 1)
                }
                5 => 5,
                score => {
                    if score > 5 {
                        10
                    } else {
                        0
                    }
                }
            };
        }
        let best = if deal.turn(position) == Player::First { 10 } else { 0 };
        let mut value = 10 - best;
        for mv in deal.moves(position) {
            let worth = by_hand(deal, &deal.play_unchecked(position, mv), rounds);
            value = if best == 10 { value.max(worth) } else { value.min(worth) };
            if value == best {
                break;
            }
        }
        value
    }

    #[test]
    fn replays_are_the_games_that_the_rule_tells() {
        // In order, so that every game can be played to its end; late, so that few draws are reached.
        let rules = Rules::read("order,same,plus,sudden-death", Edition::Ff14).unwrap();
        let book = crate::triad::cards::Book::built_in(Edition::Ff14);
        let mut replayed = 0;
        for seed in 0..6 {
            let mut rng = grid::Rng::new(seed);
            let mut hand = || std::array::from_fn(|_| book.cards()[rng.below(80) as usize].card);
            let deal = Deal::new(&Setup::new(rules, hand(), hand())).unwrap();
            let mut position = deal.start();
            for _ in 0..6 {
                position = deal.play_unchecked(&position, rng.pick(deal.moves(&position)).unwrap());
            }
            let isa = Isa::detect();
            let one = sudden_death(isa, None, &deal, &position, 1).unwrap();
            assert_eq!(one, by_hand(&deal, &position, 1), "seed {seed}");
            replayed += u32::from(one != sudden_death(isa, None, &deal, &position, 0).unwrap());
        }
        assert!(replayed > 0, "no replay changed a result");
    }

    #[test]
    fn luck_is_refused_by_its_name() {
        let hand = [Card::new([1, 2, 3, 4]).unwrap(); HAND];
        for (edition, rules, luck) in
            [(Edition::Ff8, "elemental", Luck::Elements), (Edition::Ff14, "chaos-b", Luck::Draws)]
        {
            let deal = Deal::new(&Setup::new(Rules::read(rules, edition).unwrap(), hand, hand)).unwrap();
            assert_eq!(sudden_death(Isa::detect(), None, &deal, &deal.start(), 1), Err(luck));
        }
    }
}
