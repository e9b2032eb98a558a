//! The race: decks in exact trials, the same for all, until the better one is clear.
//!
//! A round takes one more trial of each case, in a random order. After the first, third and seventh round the worse half of
//! the decks leaves. The last deck goes on until it has had all trials, or the control stops it.

use super::expected::{Expected, ExpectedGame, Lottery, Trial, WAYS};
use super::pool::{Picks, Pool};
use crate::error::Error;
use crate::triad::parallel::in_order;
use crate::triad::solve::Solver;
use crate::value::Chances;
use ::search::Control;
use grid::simd::Isa;
use grid::{Player, Rng, mix};

/// Rounds after which the worse half leaves.
const CUTS: [usize; 3] = [1, 3, 7];

/// A deck and the trials it has had.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) picks: Picks,
    /// By case: the game with the wins and draws of [`WAYS`].
    tallies: Vec<Vec<(super::Game, [u32; 2])>>,
}

impl Entry {
    pub(super) fn new(lottery: &Lottery, picks: Picks) -> Self {
        Self { picks, tallies: vec![Vec::new(); lottery.cases().len()] }
    }

    /// The expected points; none as long as a case has had no trial.
    pub(super) fn expected(&self, lottery: &Lottery) -> Option<Expected> {
        let all: u32 = lottery.cases().iter().map(|case| case.weight).sum();
        let (mut win, mut draw, mut variance, mut solved) = (0.0, 0.0, 0.0, 0);
        for (case, tallies) in lottery.cases().iter().zip(&self.tallies) {
            if tallies.is_empty() {
                return None;
            }
            let (count, games) = (tallies.len() as f64, case.opponent.games().len() as f64);
            let share = f64::from(case.weight) / f64::from(all);
            let sum = |at: usize| tallies.iter().map(|(_, tally)| f64::from(tally[at])).sum::<f64>() / f64::from(WAYS);
            win += share * sum(0) / count;
            draw += share * sum(1) / count;
            let points = |[wins, draws]: [u32; 2]| (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(WAYS);
            let mean = tallies.iter().map(|(_, tally)| points(*tally)).sum::<f64>() / count;
            let squares = tallies.iter().map(|(_, tally)| (points(*tally) - mean).powi(2)).sum::<f64>();
            // The variance of one trial says nothing: at most 1/4.
            let of_one = if tallies.len() > 1 { squares / (count - 1.0) } else { 0.25 };
            variance += share * share * of_one / count * (1.0 - count / games);
            solved += tallies.len();
        }
        let fraction = self.fraction(lottery);
        Some(Expected {
            chances: Chances { win, draw, loss: (1.0 - win - draw).max(0.0) },
            error: fraction.is_none().then(|| variance.sqrt()),
            fraction,
            solved,
            trials: lottery.trials(),
        })
    }

    /// The exact points of a game, if all trials are solved.
    fn fraction(&self, lottery: &Lottery) -> Option<[u64; 2]> {
        let games = |case: usize| lottery.cases()[case].opponent.games().len() as u64;
        let most = (0..self.tallies.len()).map(games).max()?;
        let (mut points, mut of) = (0, 0);
        for (at, (case, tallies)) in lottery.cases().iter().zip(&self.tallies).enumerate() {
            if tallies.len() as u64 != games(at) {
                return None;
            }
            // A case with an exchange has 25 times as many trials as one without.
            let each = u64::from(case.weight) * (most / games(at));
            let half_points = tallies.iter().map(|(_, [wins, draws])| u64::from(2 * wins + draws)).sum::<u64>();
            points += each * half_points;
            of += each * games(at) * u64::from(2 * WAYS);
        }
        let divisor = greatest_common_divisor(points, of);
        Some([points / divisor, of / divisor])
    }

    /// The chances by hand and start; empty if a trial is missing.
    pub(super) fn games(&self, lottery: &Lottery) -> Vec<ExpectedGame> {
        if self.fraction(lottery).is_none() {
            return Vec::new();
        }
        let all: u32 = lottery.cases().iter().map(|case| case.weight).sum();
        let of = |hand: usize, first: Player| {
            let [mut win, mut draw] = [0.0; 2];
            for (case, tallies) in lottery.cases().iter().zip(&self.tallies) {
                let is_it = |game: &super::Game| game.hand == hand && game.first == first;
                let trials = tallies.iter().filter(|(game, _)| is_it(game)).map(|(_, tally)| tally);
                let count = f64::from(WAYS) * trials.clone().count() as f64;
                let share = f64::from(case.weight) / f64::from(all) / count;
                win += share * trials.clone().map(|tally| f64::from(tally[0])).sum::<f64>();
                draw += share * trials.map(|tally| f64::from(tally[1])).sum::<f64>();
            }
            ExpectedGame { hand, first, chances: Chances { win, draw, loss: (1.0 - win - draw).max(0.0) } }
        };
        (0..lottery.hand_count())
            .flat_map(|hand| [Player::First, Player::Second].map(|first| of(hand, first)))
            .collect()
    }
}

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one.max(1) } else { greatest_common_divisor(other, one % other) }
}

/// Lets the decks race and returns the winner with its trials. If the control stops, the best so far. Of equal decks the
/// first wins.
pub(super) fn race(
    isa: Isa,
    lottery: &Lottery,
    pool: &Pool,
    mut entries: Vec<Entry>,
    seed: u64,
    control: &Control<'_>,
) -> Result<Entry, Error> {
    let mut rng = Rng::new(mix(seed ^ 1));
    let mut games: Vec<Vec<super::Game>> = lottery.cases().iter().map(|case| case.opponent.games().to_vec()).collect();
    for games in &mut games {
        for at in 1..games.len() {
            games.swap(at, rng.below(at as u32 + 1) as usize);
        }
    }
    let rounds = games.iter().map(Vec::len).max().unwrap_or(0);
    for round in 0..rounds {
        let mut tasks: Vec<(usize, Trial)> = Vec::new();
        for (case, games) in games.iter().enumerate() {
            let game = games.get(round).copied();
            tasks.extend(game.iter().flat_map(|game| (0..entries.len()).map(|at| (at, Trial { case, game: *game }))));
        }
        let decks: Vec<_> = entries.iter().map(|entry| pool.printed(&entry.picks)).collect();
        let mut done = tasks.iter();
        let result = in_order(
            &tasks,
            control,
            || Solver::new(isa),
            |solver, (at, trial)| lottery.tally(solver, &decks[*at], *trial, control),
            |tally| {
                if let Some((at, trial)) = done.next() {
                    entries[*at].tallies[trial.case].push((trial.game, tally));
                }
                control.report(round as u64, rounds as u64);
                true
            },
        );
        let is_last = round + 1 == rounds;
        match result {
            Ok(()) if !is_last && !CUTS.contains(&(round + 1)) => {}
            Ok(()) => {
                let kept = if is_last { 1 } else { entries.len().div_ceil(2) };
                leave(lottery, &mut entries, kept);
            }
            Err(Error::Stopped(_)) => {
                leave(lottery, &mut entries, 1);
                break;
            }
            Err(error) => return Err(error),
        }
    }
    entries.into_iter().next().ok_or_else(|| pool.missing().into())
}

/// Keeps so many of the decks, best first.
fn leave(lottery: &Lottery, entries: &mut Vec<Entry>, kept: usize) {
    let points = |entry: &Entry| entry.expected(lottery).map_or(0.0, |expected| expected.points());
    // A stable sort: of equal decks the first stays.
    entries.sort_by(|one, other| points(other).total_cmp(&points(one)));
    entries.truncate(kept);
}
