//! Sudden Death: a draw is replayed with the cards each player owns, and the other player opens.
//!
//! After a draw there are 252 ways to own five of ten cards, and the opener alternates. So the games of one round are 252
//! known deals. From the last round back, each deal is solved with the payoff that its own draws have in the round after
//! it; then the present game is. Draws beyond the last round count as draws: ff14 plays five rounds, ff8 has no limit.
//! Under Order a hand keeps the order of the first deal: no source says otherwise.

use super::error::TriadError;
use super::parallel::collect;
use super::search::Payoff;
use super::solve::Solver;
use crate::error::Error;
use ::search::Control;
use grid::simd::Isa;
use grid::{Game, Player};
use triad::{Card, Deal, HAND, Rule, Rules, Setup};

/// The payoff without replays: 10 for a win, 5 for a draw, 0 for a loss.
fn plain() -> Payoff {
    std::array::from_fn(|cards| match (cards as u16).count_ones() {
        0..=4 => 0,
        5 => 5,
        _ => 10,
    })
}

/// The ten cards in the order in which they are dealt for the replay: A's five, then B's.
fn dealt_anew(own: u16) -> [usize; 10] {
    let mut order = [0; 10];
    let mine = (0..10).filter(|card| own >> card & 1 != 0);
    let theirs = (0..10).filter(|card| own >> card & 1 == 0);
    for (place, card) in mine.chain(theirs).enumerate() {
        order[place] = card;
    }
    order
}

/// How many replays to look ahead if no number is given: five under Sudden Death, as many as ff14 plays.
#[must_use]
pub const fn default_replays(rules: Rules) -> Option<u32> {
    if rules.has(Rule::SuddenDeath) { Some(5) } else { None }
}

/// The payoff of every end of a game when draws are replayed.
pub struct Replays {
    pub(super) payoff: Payoff,
}

impl Replays {
    /// Solves the games that can follow a draw, `rounds` of them one after the other, on the threads of the control.
    ///
    /// # Errors
    /// If luck decides the replays (under Elemental and under Chaos), or if the control stops the call.
    pub fn new(isa: Isa, deal: &Deal, rounds: u32, control: &Control<'_>) -> Result<Self, Error> {
        let setup = deal.setup();
        if setup.rules.has(Rule::Elemental) && rounds > 0 {
            return Err(TriadError::ReplayElements.into());
        }
        if setup.rules.has_chaos() {
            return Err(TriadError::ReplayDraws.into());
        }
        let draws: Vec<u16> = (0..1024u16).filter(|own| own.count_ones() as usize == HAND).collect();
        let mut payoff = plain();
        for round in (1..=rounds).rev() {
            control.report(u64::from(rounds - round), rounds.into());
            let first = if round % 2 == 0 { setup.first } else { setup.first.other() };
            let of = |solver: &mut Solver, own: &u16| replay(solver, setup, first, *own, &payoff, control);
            let values = collect(isa, &draws, control, of)?;
            for (own, value) in draws.iter().zip(values) {
                payoff[usize::from(*own)] = value;
            }
        }
        Ok(Self { payoff })
    }

    /// The payoff for A of the replay after a draw of this deal in which he owns the cards `own`. Draws of the replay have the
    /// payoffs of these rounds, which follow it.
    pub(super) fn of_draw(
        &self,
        solver: &mut Solver,
        setup: &Setup,
        own: u16,
        control: &Control<'_>,
    ) -> Result<u8, Error> {
        replay(solver, setup, setup.first.other(), own, &self.payoff, control)
    }
}

/// The payoff for A of the game that follows a draw in which he owned the cards `own` of the first deal.
fn replay(
    solver: &mut Solver,
    setup: &Setup,
    first: Player,
    own: u16,
    payoff: &Payoff,
    control: &Control<'_>,
) -> Result<u8, Error> {
    let order = dealt_anew(own);
    let cards: [Card; 10] = order.map(|card| setup.card(card));
    let hand = |from: usize| std::array::from_fn(|place| cards[from + place]);
    let again = Setup { hands: [hand(0), hand(HAND)], first, ..*setup };
    // The cards have other numbers in the new deal.
    let renumbered: Payoff = std::array::from_fn(|cards| {
        let known = (0..10).filter(|place| cards >> place & 1 != 0).fold(0, |own, place| own | 1 << order[place]);
        payoff[known]
    });
    let deal = Deal::new(&again).map_err(TriadError::Setup)?;
    let for_opener = solver.value_for(&deal, &deal.start(), Some(&renumbered), control)?;
    Ok(if first == Player::First { for_opener } else { 10 - for_opener } as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triad::Lines;
    use crate::value::Outcome;
    use triad::{Edition, Position, Rules};

    /// 0, 5 or 10 for the side to move.
    fn result(deal: &Deal, position: &Position, rounds: u32) -> u8 {
        let control = Control::new().threads(2);
        let replays = Replays::new(Isa::detect(), deal, rounds, &control).unwrap();
        let outcome = Solver::default().outcome_with(deal, position, &replays, &control).unwrap();
        (5 + 5 * outcome.sign()) as u8
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
            let value = Solver::default().value(&deal, &start, &Control::new()).unwrap();
            let none = result(&deal, &start, 0);
            assert_eq!(none, plain()[(1 << value) - 1], "seed {seed}");
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
    fn a_search_for_any_payoff_of_draws_finds_the_naive_value() {
        // The payoff for A, every game played to its end.
        fn naive(deal: &Deal, position: &Position, payoff: &Payoff) -> u8 {
            let values = deal.moves(position).map(|mv| naive(deal, &deal.play_unchecked(position, mv), payoff));
            let best = if deal.turn(position) == Player::First { values.max() } else { values.min() };
            best.unwrap_or(payoff[usize::from(position.own())])
        }
        let outcome_for_a = |value: u8| Outcome::of(i32::from(value) - 5);
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
            let mut payoff = plain();
            for value in payoff.iter_mut().filter(|value| **value == 5) {
                *value = [0, 5, 10][rng.below(3) as usize];
            }
            let mut position = deal.start();
            for _ in 0..9 - 2 - seed % 3 {
                position = deal.play_unchecked(&position, rng.pick(deal.moves(&position)).unwrap());
            }
            let for_a = naive(&deal, &position, &payoff);
            different += u32::from(for_a != naive(&deal, &position, &plain()));
            let seen_by = |outcome: Outcome, player| if player == Player::First { outcome } else { outcome.reversed() };
            let mover = deal.turn(&position);
            let wanted = seen_by(outcome_for_a(for_a), mover);
            let (replays, control) = (Replays { payoff }, Control::new());
            for isa in Isa::available() {
                let mut solver = Solver::new(isa);
                let outcome = solver.outcome_with(&deal, &position, &replays, &control).unwrap();
                assert_eq!(outcome, wanted, "{isa}, seed {seed}, {rules}");
                let analysis = solver.solve_with(&deal, &position, &replays, Lines::All, &control);
                assert_eq!(analysis.value.outcome, Some(wanted), "{isa}, seed {seed}, {rules}");
                for line in &analysis.lines {
                    let next = deal.play_unchecked(&position, line.mv);
                    let naive = seen_by(outcome_for_a(naive(&deal, &next, &payoff)), mover);
                    assert_eq!(line.value.outcome, Some(naive), "{isa}, seed {seed}, {}", line.mv);
                }
                let line = &analysis.lines[0].line;
                let end = line.iter().fold(position, |position, mv| deal.play(&position, *mv).unwrap());
                let at_end = outcome_for_a(payoff[usize::from(end.own())]);
                assert_eq!((end.free().len(), seen_by(at_end, mover)), (0, wanted), "{isa}, seed {seed}, the line");
                // The moves that reach the value are those that have it.
                let optimal = solver.solve_with(&deal, &position, &replays, Lines::Optimal, &control);
                assert!(optimal.optimal().eq(analysis.optimal()), "{isa}, seed {seed}");
            }
        }
        assert!(different > 50, "only {different} positions where draws matter");
    }

    #[test]
    fn luck_is_refused_by_its_name() {
        let hand = [Card::new([1, 2, 3, 4]).unwrap(); HAND];
        for (edition, rules, part) in [(Edition::Ff8, "elemental", "new elements"), (Edition::Ff14, "chaos-b", "drawn")]
        {
            let deal = Deal::new(&Setup::new(Rules::read(rules, edition).unwrap(), hand, hand)).unwrap();
            let error = Replays::new(Isa::detect(), &deal, 1, &Control::new()).err().unwrap();
            assert!(error.to_string().contains(part) && error.field() == "replays", "{error}");
        }
    }
}
