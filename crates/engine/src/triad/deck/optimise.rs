//! The optimiser: restarts, exchanges and boxes as jobs for all threads.
//!
//! | job | what it does |
//! |---|---|
//! | restart | a climb from a random deck (`climb`) |
//! | exchange | rates a deck that differs from the best one in one card; when all have failed, no single exchange is better |
//! | box | refutes a box of decks, or splits it (`boxes`); when none is open, the best deck is proved |
//!
//! A few restarts come first, then all exchanges of the best deck, then the boxes if they can end. A deck that wins every game
//! ends everything. With one thread the jobs and so the results are the same for the same seed.

use super::boxes::{Clusters, DeckBox};
use super::climb::Climber;
use super::judge::{Judge, Rated};
use super::opponent::{Opponent, total};
use super::pool::{Picks, Pool};
use super::state::{Open, State};
use super::{BestDeck, DeckStatus, GameResult, Options};
use crate::error::Error;
use crate::value::Outcome;
use ::search::Control;
use grid::simd::Isa;
use grid::{Rng, mix};
use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use triad::HAND;

/// Restarts before the exchanges of the best deck.
const FIRST_RESTARTS: u64 = 8;

/// A collection with at most this many decks is searched by boxes after one restart.
const FEW_DECKS: u64 = 5_000;

/// A box is tested only if the sides of its cards differ by at most this much in all, over the five cards. Larger boxes are
/// hardly ever refuted.
const TESTED_SPREAD: u32 = 20;

/// Without bounds, boxes are opened only if there are at most this many decks: one costs about a millisecond.
const MOST_DECKS: u64 = 1_000_000;

/// Restarts of a search that has no limit and cannot open boxes.
const MOST_RESTARTS: u64 = 64;

/// One restart per this many boxes, in a large collection.
const BOXES_PER_RESTART: u64 = 64;

enum Job {
    Restart(u64),
    Exchange(Picks, usize),
    Box(Open),
    Wait,
    Done,
}

/// The exchanges of a deck.
struct Scan {
    of: Picks,
    /// The number of the next exchange to hand out, and how many have failed.
    next: usize,
    failed: usize,
}

struct Shared {
    best: Rated,
    restarts: u64,
    scan: Option<Scan>,
    open: BinaryHeap<Open>,
    closed: Vec<(DeckBox, Vec<u8>)>,
    boxes: u64,
    /// Boxes that a thread is working on.
    active: usize,
    tests: u64,
    stopped: Option<Error>,
}

struct Optimiser<'a> {
    isa: Isa,
    opponent: &'a Opponent,
    free: Opponent,
    pool: &'a Pool,
    seed: u64,
    decks: u64,
    clusters: Clusters,
    shared: Mutex<Shared>,
    changed: Condvar,
}

/// Finds the best deck of a pool against an opponent, and what was shown about it.
///
/// If the control stops the search, the result is the best deck so far.
///
/// # Errors
/// If a card is not one of the game, the deck to start from is not a legal deck of the pool, or the state is of another
/// question.
pub fn optimise(
    isa: Isa,
    opponent: &Opponent,
    pool: &Pool,
    options: Options,
    control: &Control<'_>,
) -> Result<(BestDeck, State), Error> {
    let free = opponent.without_order();
    let clusters = Clusters::new(pool, opponent);
    let saved = options.deck.as_ref().map(|deck| pool.checked(deck)).transpose()?;
    let resumed = options.state.map(|state| state.check(opponent, pool, &clusters)).transpose()?;
    // There must be a deck, even if the control stops at once.
    let mut judge = Judge::new(isa, pool, opponent, &free);
    let patient = Control::new();
    let strongest = Climber::new(isa, pool, opponent).strongest();
    let first = saved.or(strongest).ok_or_else(|| pool.missing())?;
    let mut best = judge.rate_as_given(&first, &patient)?;
    if let Some(better) = judge.rate(&first, best.points() + 1, &patient)? {
        best = better;
    }
    let resumed = match resumed {
        Some(state) => {
            let before = judge.rate_as_given(&state.picks, &patient)?;
            if before.keys(pool) > best.keys(pool) {
                best = before;
            }
            state
        }
        None => {
            let bounds = vec![2; opponent.games().len()];
            let open = clusters.roots(pool).into_iter().map(|of| clusters.open(of, bounds.clone()));
            State { open: open.collect(), ..State::default() }
        }
    };
    let shared = Shared {
        best,
        restarts: resumed.restarts,
        scan: None,
        open: resumed.open.into(),
        closed: resumed.closed,
        boxes: 0,
        active: 0,
        tests: judge.tests(),
        stopped: None,
    };
    let decks = pool.deck_count();
    let (shared, changed) = (Mutex::new(shared), Condvar::new());
    let optimiser = Optimiser { isa, opponent, free, pool, seed: options.seed, decks, clusters, shared, changed };
    optimiser.run(control);
    optimiser.finish()
}

impl Optimiser<'_> {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, control: &Control<'_>) {
        #[cfg(feature = "threads")]
        if control.thread_count() > 1 {
            std::thread::scope(|scope| {
                for _ in 0..control.thread_count() {
                    scope.spawn(|| self.work(control));
                }
            });
            return;
        }
        self.work(control);
    }

    /// One thread.
    fn work(&self, control: &Control<'_>) {
        let mut judge = Judge::new(self.isa, self.pool, self.opponent, &self.free);
        let climber = Climber::new(self.isa, self.pool, self.opponent);
        loop {
            let mut shared = self.lock();
            if let Err(stop) = control.check() {
                shared.stopped.get_or_insert(stop.into());
            }
            let job = shared.next(self, control);
            if matches!(job, Job::Wait) {
                // The timeout is for the cancel flag and the clock.
                let waited = self.changed.wait_timeout(shared, std::time::Duration::from_millis(50));
                drop(waited);
                continue;
            }
            drop(shared);
            let before = judge.tests();
            let done = match job {
                Job::Restart(number) => self.restart(&climber, &mut judge, number, control),
                Job::Exchange(of, number) => self.exchange(&mut judge, of, number, control),
                Job::Box(open) => self.open(&mut judge, open, control),
                Job::Wait | Job::Done => break,
            };
            let mut shared = self.lock();
            shared.tests += judge.tests() - before;
            if let Err(error) = done {
                shared.stopped.get_or_insert(error);
            }
            control.report_partial(|| shared.progress(self));
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }

    fn restart(
        &self,
        climber: &Climber<'_>,
        judge: &mut Judge<'_>,
        number: u64,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        let rng = Rng::new(mix(self.seed ^ mix(number)));
        climber.restart(judge, rng, control, |found| self.lock().offer(found.clone(), self.pool))
    }

    fn exchange(&self, judge: &mut Judge<'_>, of: Picks, number: usize, control: &Control<'_>) -> Result<(), Error> {
        let mut picks = of;
        picks[number % HAND] = (number / HAND) as u16;
        let least = self.lock().best.points() + 1;
        let better = if picks != of && self.pool.is_legal(&picks) { judge.rate(&picks, least, control)? } else { None };
        let mut shared = self.lock();
        match better {
            Some(better) => shared.offer(better, self.pool),
            None => {
                if let Some(scan) = shared.scan.as_mut().filter(|scan| scan.of == of) {
                    scan.failed += 1;
                }
            }
        }
        Ok(())
    }

    fn open(&self, judge: &mut Judge<'_>, open: Open, control: &Control<'_>) -> Result<(), Error> {
        let Open { of, mut bounds, .. } = open;
        let least = self.lock().best.points() + 1;
        let result = self.bound(judge, &of, &mut bounds, least, control);
        let mut shared = self.lock();
        shared.active -= 1;
        shared.boxes += 1;
        match result {
            Ok(Verdict::Refuted) => shared.closed.push((of, bounds)),
            Ok(Verdict::Deck(found)) => {
                if let Some(found) = found {
                    shared.offer(found, self.pool);
                }
                shared.closed.push((of, bounds));
            }
            Ok(Verdict::Split) => {
                let parts = self.clusters.split(&of).into_iter();
                shared.open.extend(parts.map(|of| self.clusters.open(of, bounds.clone())));
            }
            Err(error) => {
                shared.open.push(self.clusters.open(of, bounds));
                return Err(error);
            }
        }
        Ok(())
    }

    fn bound(
        &self,
        judge: &mut Judge<'_>,
        of: &DeckBox,
        bounds: &mut [u8],
        least: u32,
        control: &Control<'_>,
    ) -> Result<Verdict, Error> {
        if self.clusters.spread(of) <= TESTED_SPREAD
            && let Some(faces) = self.clusters.faces(self.pool, of)
            && !judge.free.refine(&faces, bounds, least, control)?
        {
            return Ok(Verdict::Refuted);
        }
        match self.clusters.single(self.pool, of) {
            Some(picks) => Ok(Verdict::Deck(judge.order(&picks, bounds.to_vec(), least, control)?)),
            None => Ok(Verdict::Split),
        }
    }

    /// The result and the state to go on from.
    fn finish(self) -> Result<(BestDeck, State), Error> {
        let (opponent, pool) = (self.opponent, self.pool);
        let mut shared = self.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared.stopped.take() {
            None | Some(Error::Stopped(_)) => {}
            Some(error) => return Err(error),
        }
        let points = shared.best.points();
        let (refuted, open): (Vec<Open>, Vec<Open>) =
            shared.open.into_vec().into_iter().partition(|open| total(&open.bounds) <= points);
        shared.closed.extend(refuted.into_iter().map(|open| (open.of, open.bounds)));
        let bound = open.iter().map(|open| total(&open.bounds)).max().unwrap_or(0).max(points);
        let status = match () {
            () if points == opponent.most() => DeckStatus::Perfect,
            () if open.is_empty() => DeckStatus::Proved,
            () => DeckStatus::BestKnown,
        };
        let exchanges = pool.cards().len() * HAND;
        let is_scanned = |scan: &Scan| scan.of == shared.best.picks && scan.failed == exchanges;
        let mut judge = Judge::new(self.isa, pool, opponent, &self.free);
        let mut games = Vec::new();
        for (game, points) in opponent.games().iter().zip(&shared.best.results) {
            let margin = match game.swap {
                None => Some(judge.margin(&shared.best.picks, *game, &Control::new())?),
                Some(_) => None,
            };
            games.push(GameResult { game: *game, outcome: Outcome::of(i32::from(*points) - 1), margin });
        }
        let best = BestDeck {
            deck: pool.hand(&shared.best.picks),
            games,
            points,
            most: opponent.most(),
            bound: if status == DeckStatus::Perfect { points } else { bound },
            status,
            open_boxes: if status == DeckStatus::Perfect { 0 } else { open.len() },
            no_exchange_is_better: status != DeckStatus::BestKnown || shared.scan.as_ref().is_some_and(is_scanned),
            tests: shared.tests,
            restarts: shared.restarts,
        };
        let state = State { picks: shared.best.picks, restarts: shared.restarts, open, closed: shared.closed };
        Ok((best, state))
    }
}

enum Verdict {
    Refuted,
    /// A single deck, with its results if it is better than the best.
    Deck(Option<Rated>),
    Split,
}

impl Shared {
    /// Keeps a deck if it is better.
    fn offer(&mut self, found: Rated, pool: &Pool) {
        if found.keys(pool) > self.best.keys(pool) {
            self.best = found;
        }
    }

    fn next(&mut self, of: &Optimiser<'_>, control: &Control<'_>) -> Job {
        if self.stopped.is_some() || self.best.points() == of.opponent.most() {
            return Job::Done;
        }
        let opens_boxes = of.clusters.has_bounds() || of.decks <= MOST_DECKS;
        if self.restarts == 0 {
            return self.restart();
        }
        if of.decks > FEW_DECKS {
            if self.restarts < FIRST_RESTARTS {
                return self.restart();
            }
            if let Some(job) = self.exchange(of.pool.cards().len() * HAND) {
                return job;
            }
            if opens_boxes && self.boxes % BOXES_PER_RESTART == BOXES_PER_RESTART - 1 {
                // The number of boxes must move on, or restarts would follow each other.
                self.boxes += 1;
                return self.restart();
            }
        }
        if opens_boxes {
            return self.open_box();
        }
        if control.is_limited() || self.restarts < MOST_RESTARTS { self.restart() } else { Job::Done }
    }

    fn restart(&mut self) -> Job {
        self.restarts += 1;
        Job::Restart(self.restarts - 1)
    }

    /// The next exchange of the best deck; none if all were handed out.
    fn exchange(&mut self, count: usize) -> Option<Job> {
        let of = self.best.picks;
        if self.scan.as_ref().is_none_or(|scan| scan.of != of) {
            self.scan = Some(Scan { of, next: 0, failed: 0 });
        }
        let scan = self.scan.as_mut()?;
        scan.next += 1;
        (scan.next <= count).then(|| Job::Exchange(of, scan.next - 1))
    }

    /// The open box with the highest bound, and of those the smallest.
    fn open_box(&mut self) -> Job {
        while let Some(open) = self.open.pop() {
            if total(&open.bounds) > self.best.points() {
                self.active += 1;
                return Job::Box(open);
            }
            self.closed.push((open.of, open.bounds));
        }
        if self.active > 0 { Job::Wait } else { Job::Done }
    }

    fn progress(&self, of: &Optimiser<'_>) -> super::DeckProgress {
        let bound = self.open.peek().map_or(0, |open| total(&open.bounds)).max(self.best.points());
        super::DeckProgress {
            points: self.best.points(),
            most: of.opponent.most(),
            bound,
            open_boxes: self.open.len(),
            tests: self.tests,
        }
    }
}
