//! The desks that are kept warm, and the queue in which searches wait for one of few places.
//!
//! A desk holds memory: a tree, a table, a solved game. So there are as many for searches as may run at once, and those
//! used last stay. The small questions have desks of their own, which never hold a search.

use crate::asked::Options;
use crate::limits::Limits;
use crate::refusal::Refusal;
use axum::http::StatusCode;
use engine::desk::{Desk, GameName, Request};
use grid::simd::Isa;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A desk and what it is set to.
struct Kept {
    game: GameName,
    settings: Vec<(String, String)>,
    desk: Box<dyn Desk>,
}

/// Desks nobody uses at the moment; the one used last is at the back.
struct Desks {
    idle: Mutex<VecDeque<Kept>>,
    most: usize,
}

impl Desks {
    fn new(most: usize) -> Self {
        Self { idle: Mutex::new(VecDeque::new()), most }
    }

    /// A desk with those settings: one that is there, or a new one.
    fn take(&self, game: GameName, settings: Vec<(String, String)>) -> Result<Kept, Refusal> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle.iter().rposition(|kept| kept.game == game && kept.settings == settings);
        if let Some(kept) = found.and_then(|at| idle.remove(at)) {
            return Ok(kept);
        }
        drop(idle);
        let mut desk = game.desk(Isa::detect());
        for (name, value) in &settings {
            desk.set(name, value)?;
        }
        Ok(Kept { game, settings, desk })
    }

    fn give(&self, kept: Kept) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push_back(kept);
        let surplus = (idle.len() > self.most).then(|| idle.pop_front());
        // Its memory is given back without holding up the others.
        drop(idle);
        drop(surplus);
    }
}

/// A place among the searches that run.
pub(crate) struct Place {
    _permit: OwnedSemaphorePermit,
}

/// Counts a guest as waiting for as long as it is there.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Raises the flag of a search when whoever asked has gone.
pub(crate) struct Leaving(Arc<AtomicBool>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What all guests share.
pub(crate) struct House {
    limits: Limits,
    quick: Desks,
    deep: Desks,
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl House {
    pub(crate) fn new(limits: Limits) -> Self {
        let places = Arc::new(Semaphore::new(limits.searches));
        // Both sides of a match between engines, or two games side by side, find their desks again.
        let (quick, deep) = (Desks::new(16), Desks::new(limits.searches.max(4)));
        Self { limits, quick, deep, places, waiting: AtomicUsize::new(0) }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Options as a desk takes them. The edition comes before the rules, which belong to it.
    fn settings(&self, game: GameName, options: &Options) -> Result<Vec<(String, String)>, Refusal> {
        let mut settings: Vec<(String, String)> =
            options.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
        if options.contains_key("threads") {
            return Err(Refusal::field("options.threads", "a search has one thread here"));
        }
        if let Some(memory) = options.get("memory") {
            let most = self.limits.memory_mib;
            if memory.to_string().parse().is_ok_and(|memory: u64| memory > most) {
                return Err(Refusal::field("options.memory", format_args!("memory is at most {most} MiB here")));
            }
        } else if game == GameName::Uttt {
            settings.insert(0, ("memory".to_owned(), self.limits.memory_mib.to_string()));
        }
        Ok(settings)
    }

    /// A small question: answered at once.
    pub(crate) fn quick<T>(
        &self,
        game: GameName,
        options: &Options,
        ask: impl FnOnce(&dyn Desk) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let kept = self.quick.take(game, self.settings(game, options)?)?;
        let answer = ask(&*kept.desk);
        self.quick.give(kept);
        answer
    }

    /// Waits for a place, unless too many do.
    pub(crate) async fn enter(&self) -> Result<Place, Refusal> {
        let closed = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "", "the server is stopping");
        if let Ok(permit) = self.places.clone().try_acquire_owned() {
            return Ok(Place { _permit: permit });
        }
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.limits.waiting {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            let message = "too many searches are waiting; ask again in a moment";
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, "", message));
        }
        let _waiting = Waiting(&self.waiting);
        Ok(Place { _permit: self.places.clone().acquire_owned().await.map_err(closed)? })
    }

    /// A request within the limits, and the guard that cancels it.
    pub(crate) fn bounded(&self, asked: &Request) -> Result<(Request, Leaving), Refusal> {
        let refuse = |name: &str, most: u64| {
            Err(Refusal::field(format!("request.{name}"), format_args!("{name} is at most {most} here")))
        };
        if asked.time.is_some_and(|time| time > self.limits.time_ms) {
            return refuse("time_ms", self.limits.time_ms);
        }
        if asked.nodes.is_some_and(|nodes| nodes > self.limits.nodes) {
            return refuse("nodes", self.limits.nodes);
        }
        if !(1..=Request::STRONGEST).contains(&asked.level) {
            return Err(Refusal::field("request.level", "a level is a number from 1 to 10"));
        }
        let cancel = Arc::new(AtomicBool::new(false));
        // Whoever bounds the nodes or the depth still gets no more than the longest time.
        let unbounded = asked.nodes.is_none() && asked.depth.is_none();
        let time = asked.time.unwrap_or(if unbounded { 1000 } else { self.limits.time_ms });
        Ok((Request { time: Some(time), cancel: Some(cancel.clone()), ..asked.clone() }, Leaving(cancel)))
    }

    /// Does something long with a desk, on a thread where that hurts nobody.
    pub(crate) async fn deep<T: Send + 'static>(
        self: &Arc<Self>,
        place: Place,
        (game, options): (GameName, &Options),
        work: impl FnOnce(&mut dyn Desk) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let mut kept = self.deep.take(game, self.settings(game, options)?)?;
        let house = self.clone();
        off_thread(place, move || {
            let answer = work(&mut *kept.desk);
            house.deep.give(kept);
            answer
        })
        .await
    }
}

/// Runs long work on a thread for it. If it panics, its desk goes with it and the house stands.
pub(crate) async fn off_thread<T: Send + 'static>(
    place: Place,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(move || {
        let answer = work();
        drop(place);
        answer
    });
    let broken = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "", "the search broke down");
    done.await.map_err(broken)?
}
