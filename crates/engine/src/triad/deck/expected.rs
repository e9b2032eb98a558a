//! Expected points: decks against an opponent when Roulette or Chaos decide.
//!
//! The model is called *both place best*. The rule that Roulette brings, the hand of the opponent, who starts, the exchange of
//! Swap and the cards that Chaos draws are equally likely. Hands are open, and both players place their cards best: for
//! the most points (a win 1, a draw 1/2), and of equal points for the most wins. Under Order only the owner of the deck is
//! bound.
//!
//! A *case* is what Roulette may bring; rules that only show cards, and Sudden Death, do not change it. A *trial* is one
//! game of a case: a hand, who starts, an exchange. The expected points are the mean over all trials, with the weight of the
//! cases, and an exact fraction. They are dear: a trial under Chaos takes about 3 s of processor time under the basic rule and
//! 16 s with Same and Plus, all others milliseconds, and an opponent has 20 trials a case, under Swap 500. So decks are
//! ranked by a sample first, always the same for all decks:
//!
//! | step | what it does |
//! |---|---|
//! | sample | some games; under Chaos the draws are fixed and known, so that a game is one of Order and takes 0.2 ms, with Same and Plus 0.4 ms |
//! | climb | random restarts by the points of the sample, as in `climb` |
//! | race | the best decks of the sample in exact trials, the same for all; the worse half leaves (`race`) |
//!
//! Known draws are another game, so the points of the sample are used to rank and are never shown. If the control stops the
//! race, the points are estimated from the trials so far and have an error. Memory: 64 MiB a thread.

use super::climb::{Climber, PATIENCE};
use super::judge::Judge;
use super::opponent::{Game, Opponent, Unranked};
use super::pool::{Picks, Pool};
use super::race::{Entry, race};
use super::{DeckProgress, Options};
use crate::error::Error;
use crate::triad::cards::{Hand, roulette_rules};
use crate::triad::error::TriadError;
use crate::triad::parallel::in_order;
use crate::triad::solve::{Lines, Solver};
use crate::value::Chances;
use ::search::{Control, Stop};
use grid::simd::Isa;
use grid::{Game as _, Player, Rng, mix};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use triad::{Card, Deal, HAND, Position, Rule, Rules};

/// Ways in which Chaos draws the nine cards.
pub(super) const WAYS: u32 = 14_400;

/// Games of a sample.
const SAMPLE: usize = 160;

/// Decks that race.
const RACERS: usize = 4;

/// Restarts of a search without a limit.
const RESTARTS: u64 = 4;

/// Restarts of any search. A limit comes long before.
const MOST_RESTARTS: u64 = 100_000;

/// What Roulette may bring.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) opponent: Opponent,
    /// How many of the rules that may come lead to it.
    pub(super) weight: u32,
}

/// An opponent when luck decides: every case, equally likely by weight.
#[derive(Clone, Debug)]
pub struct Lottery {
    rules: Rules,
    cases: Vec<Case>,
}

/// One game of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Trial {
    pub(super) case: usize,
    pub(super) game: Game,
}

/// Expected points of a deck, for each game 1 for a win and 1/2 for a draw.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    /// The chances of a game.
    pub chances: Chances,
    /// One standard error of the points of a game; none if they are exact.
    pub error: Option<f64>,
    /// The exact points of a game, numerator and denominator.
    pub fraction: Option<[u64; 2]>,
    /// Trials that were solved.
    pub solved: usize,
    /// All trials.
    pub trials: usize,
}

impl Expected {
    /// The expected points of a game.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.chances.win + self.chances.draw / 2.0
    }
}

/// The chances against one hand from one start.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExpectedGame {
    /// The number of the opponent's hand.
    pub hand: usize,
    /// [`Player::First`] is the owner of the deck.
    pub first: Player,
    /// Over the cases, the exchanges and the draws.
    pub chances: Chances,
}

/// The best deck found under rules of luck.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpectedDeck {
    /// The cards; if a case has Order, in the order of play.
    pub deck: Hand,
    /// Its expected points.
    pub expected: Expected,
    /// By hand and start, if the points are exact.
    pub games: Vec<ExpectedGame>,
    /// Decks that the sample was tried on.
    pub decks: u64,
}

impl Lottery {
    /// An opponent with these possible hands, all equally likely.
    ///
    /// # Errors
    /// If no deck is chosen under the rules, there is no hand or too many, or a card is not one of the game.
    pub fn new(rules: Rules, hands: Vec<[Card; HAND]>) -> Result<Self, TriadError> {
        if let Some(reason) = Unranked::of(rules).filter(|reason| *reason != Unranked::Luck) {
            return Err(TriadError::Unranked(reason));
        }
        let mut possible: Vec<Rules> = match rules.has(Rule::Roulette) {
            true => roulette_rules(rules).into_iter().map(|(_, with)| with).collect(),
            false => Vec::new(),
        };
        if possible.is_empty() {
            possible.push(rules);
        }
        let mut cases: Vec<Case> = Vec::new();
        for rules in possible {
            let shown = [Rule::Open, Rule::ThreeOpen, Rule::SuddenDeath, Rule::Roulette];
            let rules = shown.into_iter().fold(rules, |rules, rule| rules.set(rule, false));
            let opponent = Opponent::of(rules, hands.clone())?;
            match cases.iter_mut().find(|case| case.opponent.rules() == opponent.rules()) {
                Some(case) => case.weight += 1,
                None => cases.push(Case { opponent, weight: 1 }),
            }
        }
        Ok(Self { rules, cases })
    }

    /// The rules before the game.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The number of possible hands.
    #[must_use]
    pub fn hand_count(&self) -> usize {
        self.cases.first().map_or(0, |case| case.opponent.hands().len())
    }

    /// The number of trials.
    #[must_use]
    pub fn trials(&self) -> usize {
        self.cases.iter().map(|case| case.opponent.games().len()).sum()
    }

    pub(super) fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// In how many of [`WAYS`] I win and draw.
    pub(super) fn tally(
        &self,
        solver: &mut Solver,
        deck: &[Card; HAND],
        Trial { case, game }: Trial,
        control: &Control<'_>,
    ) -> Result<[u32; 2], Error> {
        let opponent = &self.cases[case].opponent;
        let deal = opponent.deal(deck, game)?;
        if !opponent.rules().has_chaos() {
            let cards = solver.value(&deal, &Position::START, control)? as i32;
            let margin = (2 * cards - 10) * game.first.sign();
            return Ok([u32::from(margin > 0) * WAYS, u32::from(margin == 0) * WAYS]);
        }
        // The trials have the threads.
        let solved = solver.solve(&deal, &deal.start(), Lines::None, &control.part().threads(1));
        let value = if game.first == Player::First { solved.value } else { solved.value.reversed() };
        let chances = value.chances.filter(|_| solved.complete);
        let chances = chances.ok_or_else(|| Error::from(control.stop().unwrap_or(Stop::Cancelled)))?;
        Ok([chances.win, chances.draw].map(|chance| (chance * f64::from(WAYS)).round() as u32))
    }
}

/// A game of the sample.
struct Sampled {
    trial: Trial,
    /// The draws of Chaos: the places of my cards and of the opponent's.
    draws: [[usize; HAND]; 2],
}

/// The games of a sample: all cases by weight, all hands and both starts alike, exchanges and draws at random.
fn sample(lottery: &Lottery, seed: u64) -> Vec<Sampled> {
    let mut rng = Rng::new(mix(seed));
    let cases = lottery.cases.iter().enumerate();
    let wheel: Vec<usize> = cases.flat_map(|(at, case)| vec![at; case.weight as usize]).collect();
    let starts: Vec<(usize, Player)> =
        (0..lottery.hand_count()).flat_map(|hand| [(hand, Player::First), (hand, Player::Second)]).collect();
    let mut order = |count: usize| -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for at in 1..count {
            order.swap(at, rng.below(at as u32 + 1) as usize);
        }
        order
    };
    let (mut sample, mut next) = (Vec::new(), Vec::new());
    while sample.len() < SAMPLE {
        for &case in &wheel {
            if next.is_empty() {
                next = order(starts.len());
            }
            let (hand, first) = starts[next.pop().unwrap_or_default()];
            let [mine, theirs] = [order(HAND), order(HAND)];
            let swapped = lottery.cases[case].opponent.rules().has(Rule::Swap);
            let swap = swapped.then(|| [mine[0] as u8, theirs[0] as u8]);
            let draws = [order(HAND), order(HAND)].map(|order| std::array::from_fn(|place| order[place]));
            sample.push(Sampled { trial: Trial { case, game: Game { hand, first, swap } }, draws });
        }
    }
    sample
}

/// The search by the sample.
struct Sampler<'a> {
    lottery: &'a Lottery,
    pool: &'a Pool,
    sample: Vec<Sampled>,
    shared: Mutex<Ranking>,
}

#[derive(Default)]
struct Ranking {
    /// Decks with the points of the sample, best first.
    best: Vec<(u32, Picks)>,
    /// Decks that the sample was tried on.
    tried: HashSet<Picks>,
}

impl Sampler<'_> {
    /// The half-points of a deck in the sample, if they are at least `least` and the deck is a new one.
    fn points(
        &self,
        solver: &mut Solver,
        picks: &Picks,
        least: u32,
        control: &Control<'_>,
    ) -> Result<Option<u32>, Error> {
        if !self.shared.lock().unwrap_or_else(PoisonError::into_inner).tried.insert(*picks) {
            return Ok(None);
        }
        let deck = self.pool.printed(picks);
        let mut points = 2 * self.sample.len() as u32;
        for Sampled { trial: Trial { case, game }, draws } in &self.sample {
            let mut setup = self.lottery.cases[*case].opponent.setup(&deck, *game);
            for (player, [chaos, order]) in
                [[Rule::ChaosA, Rule::OrderA], [Rule::ChaosB, Rule::OrderB]].iter().enumerate()
            {
                if setup.rules.has(*chaos) {
                    setup.rules = setup.rules.set(*chaos, false).set(*order, true);
                    setup.hands[player] = draws[player].map(|place| setup.hands[player][place]);
                }
            }
            let deal = Deal::new(&setup).map_err(TriadError::Setup)?;
            let mut mover_owns = |cards| solver.can_own(&deal, &deal.start(), cards, control);
            points -= match game.first {
                Player::First if mover_owns(6)? => 0,
                Player::First => 1 + u32::from(!mover_owns(5)?),
                Player::Second if !mover_owns(5)? => 0,
                Player::Second => 1 + u32::from(mover_owns(6)?),
            };
            if points < least {
                return Ok(None);
            }
        }
        Ok(Some(points))
    }

    fn climb(
        &self,
        climber: &Climber<'_>,
        solver: &mut Solver,
        first: Option<Picks>,
        mut rng: Rng,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        let Some(mut picks) = first.or_else(|| (0..PATIENCE).find_map(|_| climber.deck(&mut rng))) else {
            return Ok(());
        };
        let Some(mut best) = self.points(solver, &picks, 0, control)? else { return Ok(()) };
        self.offer(best, picks);
        let mut failed = 0;
        while failed < PATIENCE {
            failed += 1;
            let Some(next) = climber.neighbour(&picks, &mut rng) else { continue };
            if let Some(points) = self.points(solver, &next, best + 1, control)? {
                self.offer(points, next);
                (best, picks, failed) = (points, next, 0);
            }
        }
        Ok(())
    }

    fn offer(&self, points: u32, picks: Picks) {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let at = shared.best.partition_point(|(other, _)| *other >= points);
        shared.best.insert(at, (points, picks));
        shared.best.truncate(RACERS);
    }

    fn progress(&self, most: u32) -> DeckProgress {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let points = shared.best.first().map_or(0, |(points, _)| *points);
        DeckProgress { points, most, bound: most, open_boxes: 0, tests: shared.tried.len() as u64 }
    }
}

/// Finds the deck with the most expected points, as far as the control allows. Half of its time is for the race.
///
/// # Errors
/// If a card is not one of the game, the deck to start from is not a legal deck of the pool, or the control stops before
/// every case has one trial.
pub fn optimise_expected(
    isa: Isa,
    lottery: &Lottery,
    pool: &Pool,
    options: &Options,
    control: &Control<'_>,
) -> Result<ExpectedDeck, Error> {
    let saved = options.deck.as_ref().map(|deck| pool.checked(deck)).transpose()?;
    let like = &lottery.cases.first().ok_or(TriadError::HandCount { found: 0, most: 1 })?.opponent;
    let climber = Climber::new(isa, pool, like);
    let first = saved.or_else(|| climber.strongest()).ok_or_else(|| pool.missing())?;
    let sampler = Sampler { lottery, pool, sample: sample(lottery, options.seed), shared: Mutex::default() };
    let mut part = control.part();
    if let Some(left) = control.time_left() {
        part = part.time_limit(left / 2);
    }
    if let Some(left) = control.nodes_left() {
        part = part.node_limit(left / 2);
    }
    let restarts: Vec<u64> = (0..if control.is_limited() { MOST_RESTARTS } else { RESTARTS }).collect();
    let most = 2 * sampler.sample.len() as u32;
    let climbed = in_order(
        &restarts,
        &part,
        || Solver::new(isa),
        |solver, number| {
            let rng = Rng::new(mix(options.seed ^ mix(*number)));
            sampler.climb(&climber, solver, (*number == 0).then_some(first), rng, &part)
        },
        |()| {
            control.report_partial(|| sampler.progress(most));
            true
        },
    );
    match climbed {
        Ok(()) | Err(Error::Stopped(_)) => {}
        Err(error) => return Err(error),
    }
    let ranking = sampler.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The deck that was given races in any case, so that the result is not worse.
    let mut picks: Vec<Picks> = saved.into_iter().chain(ranking.best.into_iter().map(|(_, picks)| picks)).collect();
    if picks.is_empty() {
        picks.push(first);
    }
    let mut entries: Vec<Entry> = Vec::new();
    for picks in picks {
        let picks = if Some(picks) == saved { picks } else { ordered(isa, lottery, pool, &picks, control)? };
        if !entries.iter().any(|entry| entry.picks == picks) {
            entries.push(Entry::new(lottery, picks));
        }
    }
    let winner = race(isa, lottery, pool, entries, options.seed, control)?;
    let expected = winner.expected(lottery).ok_or_else(|| Error::from(control.stop().unwrap_or(Stop::Time)))?;
    let games = winner.games(lottery);
    Ok(ExpectedDeck { deck: pool.hand(&winner.picks), expected, games, decks: ranking.tried.len() as u64 })
}

/// The cards in the best order for the first case that has Order.
fn ordered(isa: Isa, lottery: &Lottery, pool: &Pool, picks: &Picks, control: &Control<'_>) -> Result<Picks, Error> {
    let Some(case) = lottery.cases.iter().find(|case| case.opponent.is_ordered()) else { return Ok(*picks) };
    let free = case.opponent.without_order();
    match Judge::new(isa, pool, &case.opponent, &free).rate(picks, 0, control) {
        Ok(found) => Ok(found.map_or(*picks, |found| found.picks)),
        Err(Error::Stopped(_)) => Ok(*picks),
        Err(error) => Err(error),
    }
}

/// The expected points of a deck in the order given: exact, or estimated from the trials before the control stops.
///
/// # Errors
/// If a card is not one of the game, or the control stops before every case has one trial.
pub fn rate_expected(
    isa: Isa,
    lottery: &Lottery,
    pool: &Pool,
    deck: &Hand,
    control: &Control<'_>,
) -> Result<Expected, Error> {
    let entry = Entry::new(lottery, pool.checked(deck)?);
    let entry = race(isa, lottery, pool, vec![entry], 0, control)?;
    entry.expected(lottery).ok_or_else(|| Error::from(control.stop().unwrap_or(Stop::Time)))
}
