//! The optimiser: restarts, exchanges and boxes as jobs for all threads.
//!
//! | job | what it does |
//! |---|---|
//! | restart | a climb from a random deck (`climb`) |
//! | exchange | rates a deck that differs from the best one in one card; when all have failed, no single exchange is better |
//! | box | refutes a box of decks, or splits it (`boxes`); when none is open, the best deck is proved |
//!
//! A few restarts come first, then all exchanges of the best deck, then the boxes if they can end. A deck that wins every game
//! ends that. Exchanges also find decks of equal points, the *peers* of the best; after the search some more are tried. Then
//! the peers are compared for a hidden hand (`hidden`). With one thread the jobs and so the results are the same for the same
//! seed.

use super::boxes::{Clusters, DeckBox};
use super::climb::Climber;
use super::hidden;
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

/// Exchanges of a perfect deck that are tried for peers.
const PEER_EXCHANGES: usize = 400;

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
    /// Decks with the points of the best, itself included, and how many of them are wanted.
    peers: Vec<Rated>,
    most_peers: usize,
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
    /// The cards in the order in which exchanges try them.
    order: Vec<u16>,
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
    // Under Order this tries all orders, which can take minutes.
    match judge.rate(&first, best.points() + 1, control) {
        Ok(Some(better)) => best = better,
        Ok(None) | Err(Error::Stopped(_)) => {}
        Err(error) => return Err(error),
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
        peers: vec![best.clone()],
        most_peers: options.finalists,
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
    let seed = options.seed;
    let mut order: Vec<u16> = (0..pool.cards().len() as u16).collect();
    let mut rng = Rng::new(mix(seed));
    for at in 1..order.len() {
        order.swap(at, rng.below(at as u32 + 1) as usize);
    }
    let optimiser = Optimiser { isa, opponent, free, pool, seed, decks, order, clusters, shared, changed };
    // The comparison of the peers needs some of the time.
    match control.time_left() {
        Some(left) if options.finalists > 0 => optimiser.run(&control.part().time_limit(left * 4 / 5)),
        _ => optimiser.run(control),
    }
    optimiser.finish(control)
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
        picks[number % HAND] = self.order[number / HAND];
        let shared = self.lock();
        let least = shared.best.points() + u32::from(shared.peers.len() >= shared.most_peers);
        drop(shared);
        let found = if picks != of && self.pool.is_legal(&picks) { judge.rate(&picks, least, control)? } else { None };
        let mut shared = self.lock();
        match found {
            Some(found) if found.points() > shared.best.points() => shared.offer(found, self.pool),
            found => {
                // A peer does not become the best deck now: its exchanges would all have to be tried again.
                found.into_iter().for_each(|peer| shared.add_peer(peer));
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
    fn finish(self, control: &Control<'_>) -> Result<(BestDeck, State), Error> {
        let (opponent, pool) = (self.opponent, self.pool);
        let mut shared = self.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared.stopped.take() {
            None | Some(Error::Stopped(_)) => {}
            Some(error) => return Err(error),
        }
        let exchanges = pool.cards().len() * HAND;
        let mut scanned = shared.scan.as_ref().filter(|scan| scan.failed == exchanges).map(|scan| scan.of);
        let mut hidden = None;
        if shared.most_peers > 0 {
            let mut peers = std::mem::take(&mut shared.peers);
            peers.retain(|peer| !same_cards(&peer.picks, &shared.best.picks));
            peers.insert(0, shared.best.clone());
            if let Some((at, measures)) = hidden::choose(opponent, pool, &peers, control) {
                // What was shown about exchanges was shown about another deck.
                scanned = scanned.filter(|_| at == 0);
                shared.best = peers.swap_remove(at);
                hidden = Some(measures);
            }
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
            no_exchange_is_better: status != DeckStatus::BestKnown || scanned == Some(shared.best.picks),
            hidden,
            tests: shared.tests,
            restarts: shared.restarts,
        };
        let state = State { picks: shared.best.picks, restarts: shared.restarts, open, closed: shared.closed };
        Ok((best, state))
    }
}

/// Whether two decks have the same cards, in any order.
fn same_cards(one: &Picks, other: &Picks) -> bool {
    let sorted = |picks: &Picks| {
        let mut picks = *picks;
        picks.sort_unstable();
        picks
    };
    sorted(one) == sorted(other)
}

enum Verdict {
    Refuted,
    /// A single deck, with its results if it is better than the best.
    Deck(Option<Rated>),
    Split,
}

impl Shared {
    /// Keeps a deck if it is better, or as good.
    fn offer(&mut self, found: Rated, pool: &Pool) {
        if found.points() > self.best.points() {
            self.peers.clear();
        }
        if found.points() >= self.best.points() {
            self.add_peer(found.clone());
        }
        if found.keys(pool) > self.best.keys(pool) {
            self.best = found;
        }
    }

    /// Keeps a deck that has the points of the best, unless there are enough.
    fn add_peer(&mut self, peer: Rated) {
        let is_known = self.peers.iter().any(|other| same_cards(&other.picks, &peer.picks));
        if !is_known && self.peers.len() < self.most_peers {
            self.peers.push(peer);
        }
    }

    fn next(&mut self, of: &Optimiser<'_>, control: &Control<'_>) -> Job {
        if self.stopped.is_some() {
            return Job::Done;
        }
        let exchanges = of.pool.cards().len() * HAND;
        let job = if self.best.points() < of.opponent.most() { self.search(of, control) } else { Job::Done };
        match job {
            Job::Done if self.peers.len() < self.most_peers => {
                self.exchange(exchanges.min(PEER_EXCHANGES)).unwrap_or(Job::Done)
            }
            job => job,
        }
    }

    /// The next job of the search for better decks.
    fn search(&mut self, of: &Optimiser<'_>, control: &Control<'_>) -> Job {
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
