//! Sudden Death: a draw is played again with the cards each player owns, and the other player opens.
//!
//! After a draw there are 252 ways to own five of ten cards, and the opener alternates, so the games of one round are 252
//! known deals. From the last round back, each is solved for what its own draws are worth in the round after it; then
//! the game at hand is. Rounds beyond the limit are draws: five in ff14, as many as one likes to wait for in ff8. Under Order
//! a hand keeps the order of the first deal: no source tells another.

use super::search::Outcome;
use super::solve::{Solver, solve_many};
use grid::simd::Isa;
use grid::{Game, Player};
use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use triad::{Card, Deal, HAND, Rule, Rules, Setup};

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

/// What every end of a game is worth when draws are played again.
pub struct Replays {
    pub(super) outcome: Outcome,
}

impl Replays {
    /// Solves the games that can follow a draw, `rounds` of them one after the other, on `threads` or all cores; nothing if
    /// `cancel` is raised meanwhile.
    ///
    /// # Errors
    /// If luck takes part: under Elemental and under Chaos.
    pub fn new(
        isa: Isa,
        threads: Option<NonZero<usize>>,
        deal: &Deal,
        rounds: u32,
        cancel: &AtomicBool,
    ) -> Result<Option<Self>, Luck> {
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
            let of = |solver: &mut Solver, own: &u16| replay(solver, setup, first, *own, &outcome);
            let worth = solve_many(isa, threads, &draws, cancel, of);
            if worth.len() < draws.len() {
                return Ok(None);
            }
            for (own, worth) in draws.iter().zip(worth) {
                outcome[usize::from(*own)] = worth;
            }
        }
        Ok(Some(Self { outcome }))
    }
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
    use triad::{Edition, Position, Rules};

    fn result(deal: &Deal, position: &Position, rounds: u32) -> u32 {
        let replays = Replays::new(Isa::detect(), None, deal, rounds, &AtomicBool::new(false)).unwrap().unwrap();
        Solver::new(Isa::detect()).result_with(deal, position, &replays)
    }

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
            let none = result(&deal, &start, 0);
            assert_eq!(none, u32::from(plain()[(1 << value) - 1]), "seed {seed}");
            let one = result(&deal, &start, 1);
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

    #[test]
    fn a_search_for_any_worth_of_draws_finds_the_naive_one() {
        // Worth of the position to A, every game to its end.
        fn naive(deal: &Deal, position: &Position, outcome: &Outcome) -> u8 {
            let worth = deal.moves(position).map(|mv| naive(deal, &deal.play_unchecked(position, mv), outcome));
            let best = if deal.turn(position) == Player::First { worth.max() } else { worth.min() };
            best.unwrap_or(outcome[usize::from(position.own())])
        }
        let mut different = 0;
        for seed in 0..600u64 {
            let mut rng = grid::Rng::new(grid::mix(seed));
            let (edition, rules) = [
                (Edition::Ff8, "-"),
                (Edition::Ff8, "same,plus"),
                (Edition::Ff8, "same,same-wall,plus"),
                (Edition::Ff14, "same,plus,reverse"),
                (Edition::Ff14, "ascension,plus"),
                (Edition::Ff14, "order-b,same"),
            ][seed as usize % 6];
            let book = crate::triad::cards::Book::built_in(edition);
            let mut hand = || std::array::from_fn(|_| book.cards()[rng.below(60) as usize].card);
            let deal = Deal::new(&Setup::new(Rules::read(rules, edition).unwrap(), hand(), hand())).unwrap();
            let mut outcome = plain();
            for worth in outcome.iter_mut().filter(|worth| **worth == 5) {
                *worth = [0, 5, 10][rng.below(3) as usize];
            }
            let mut position = deal.start();
            for _ in 0..9 - 2 - seed % 3 {
                position = deal.play_unchecked(&position, rng.pick(deal.moves(&position)).unwrap());
            }
            let wanted = u32::from(naive(&deal, &position, &outcome));
            different += u32::from(wanted != u32::from(naive(&deal, &position, &plain())));
            let replays = Replays { outcome };
            for isa in Isa::available() {
                let mut solver = Solver::new(isa);
                assert_eq!(solver.result_with(&deal, &position, &replays), wanted, "{isa}, seed {seed}, {rules}");
                let solution = solver.solve_with(&deal, &position, &replays);
                assert_eq!(solution.value, wanted, "{isa}, seed {seed}, {rules}");
                for mv in &solution.moves {
                    let next = deal.play_unchecked(&position, mv.mv);
                    assert_eq!(mv.value, u32::from(naive(&deal, &next, &outcome)), "{isa}, seed {seed}, {}", mv.mv);
                }
                let end = solution.line.iter().fold(position, |position, mv| deal.play(&position, *mv).unwrap());
                assert_eq!(u32::from(outcome[usize::from(end.own())]), wanted, "{isa}, seed {seed}, the line");
            }
        }
        assert!(different > 50, "only {different} positions where draws matter");
    }

    #[test]
    fn luck_is_refused_by_its_name() {
        let hand = [Card::new([1, 2, 3, 4]).unwrap(); HAND];
        for (edition, rules, luck) in
            [(Edition::Ff8, "elemental", Luck::Elements), (Edition::Ff14, "chaos-b", Luck::Draws)]
        {
            let deal = Deal::new(&Setup::new(Rules::read(rules, edition).unwrap(), hand, hand)).unwrap();
            assert_eq!(Replays::new(Isa::detect(), None, &deal, 1, &AtomicBool::new(false)).err(), Some(luck));
        }
    }
}
