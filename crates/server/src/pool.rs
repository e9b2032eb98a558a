//! The pool: warm sessions, and the queue in which searches wait for a free slot.
//!
//! A session holds memory: a tree, a table, a solved game. So the pool keeps only a few sessions for searches, the most
//! recently used. Small questions have sessions of their own, which never hold a search.

use crate::error::Error;
use crate::limits::Limits;
use ::api::{Control, GameName, Options, Progress, Session};
use axum::http::StatusCode;
use grid::simd::Isa;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A session and the options of the question it answered last.
struct Kept {
    game: GameName,
    options: Options,
    session: Box<dyn Session>,
}

/// Unused sessions, least recently used first.
struct Idle {
    sessions: Mutex<VecDeque<Kept>>,
    most: usize,
}

impl Idle {
    fn new(most: usize) -> Self {
        Self { sessions: Mutex::new(VecDeque::new()), most }
    }

    /// The session that last had these options, or a new one.
    fn take(&self, game: GameName, options: &Options) -> Kept {
        let mut idle = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle.iter().rposition(|kept| kept.game == game && kept.options == *options);
        if let Some(kept) = found.and_then(|at| idle.remove(at)) {
            return kept;
        }
        drop(idle);
        Kept { game, options: options.clone(), session: game.open(Isa::detect()) }
    }

    fn give_back(&self, kept: Kept) {
        let mut idle = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push_back(kept);
        let surplus = (idle.len() > self.most).then(|| idle.pop_front());
        // Free its memory without holding the lock.
        drop(idle);
        drop(surplus);
    }
}

/// The right to run one search.
pub(crate) struct Slot {
    _permit: OwnedSemaphorePermit,
}

/// Counts a client as waiting until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Drop guard: cancels the search when the client disconnects.
pub(crate) struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The cancel flag of a search, and its drop guard.
pub(crate) fn cancel() -> (Arc<AtomicBool>, CancelOnDrop) {
    let flag = Arc::new(AtomicBool::new(false));
    (Arc::clone(&flag), CancelOnDrop(flag))
}

/// The state that all clients share.
pub(crate) struct Pool {
    limits: Limits,
    quick: Idle,
    deep: Idle,
    slots: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Pool {
    pub(crate) fn new(limits: Limits) -> Self {
        let slots = Arc::new(Semaphore::new(limits.searches));
        // At least four, so that both sides of an engine match, or two games at once, find their sessions again.
        let (quick, deep) = (Idle::new(16), Idle::new(limits.searches.max(4)));
        Self { limits, quick, deep, slots, waiting: AtomicUsize::new(0) }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Answers a small question at once.
    pub(crate) fn quick<T>(&self, game: GameName, options: &Options, ask: impl FnOnce(&mut dyn Session) -> T) -> T {
        let mut kept = self.quick.take(game, options);
        let answer = ask(kept.session.as_mut());
        self.quick.give_back(kept);
        answer
    }

    /// Waits for a slot. Fails if too many clients wait already.
    pub(crate) async fn enter(&self) -> Result<Slot, Error> {
        let closed = |_| Error::new(StatusCode::SERVICE_UNAVAILABLE, "", "the server is stopping");
        if let Ok(permit) = self.slots.clone().try_acquire_owned() {
            return Ok(Slot { _permit: permit });
        }
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.limits.waiting {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            let message = "too many searches are waiting; ask again in a moment";
            return Err(Error::new(StatusCode::TOO_MANY_REQUESTS, "", message));
        }
        let _waiting = Waiting(&self.waiting);
        Ok(Slot { _permit: self.slots.clone().acquire_owned().await.map_err(closed)? })
    }

    /// The limits of a question, capped by those of the server.
    pub(crate) fn bounded(&self, asked: &::api::Limits) -> Result<::api::Limits, Error> {
        let check = |name: &str, value: Option<u64>, most: u64| match value {
            Some(value) if value > most => {
                Err(Error::field(format!("limits.{name}"), format_args!("{name} is at most {most} here")))
            }
            _ => Ok(()),
        };
        check("time_ms", asked.time_ms, self.limits.time_ms)?;
        check("nodes", asked.nodes, self.limits.nodes)?;
        check("memory_mib", asked.memory_mib.map(u64::from), self.limits.memory_mib.into())?;
        check("threads", asked.threads.map(u64::from), 1)?;
        let mut limits = asked.clone();
        // A question that limits only nodes or depth still gets the longest time limit.
        limits.time_ms = asked.time_ms.or(Some(if asked.are_open() { 1000 } else { self.limits.time_ms }));
        limits.memory_mib = asked.memory_mib.or(Some(self.limits.memory_mib));
        Ok(limits)
    }

    /// Runs a long call with a session, off the async threads.
    pub(crate) async fn deep<T: Send + 'static>(
        self: &Arc<Self>,
        slot: Slot,
        (game, options): (GameName, &Options),
        work: impl FnOnce(&mut dyn Session) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let mut kept = self.deep.take(game, options);
        let pool = self.clone();
        off_thread(slot, move || {
            let answer = work(kept.session.as_mut());
            pool.deep.give_back(kept);
            answer
        })
        .await
    }
}

/// A control with these limits, a cancel flag and perhaps a progress callback.
pub(crate) fn control<'a>(
    limits: &::api::Limits,
    flag: Arc<AtomicBool>,
    listener: Option<&'a (dyn Fn(&Progress<'_>) + Sync)>,
) -> Control<'a> {
    let control = Control::new().cancel(flag);
    limits.apply(match listener {
        Some(listener) => control.progress(listener),
        None => control,
    })
}

/// Runs a long call on its own thread. If it panics, its session is lost and the server continues.
pub(crate) async fn off_thread<T: Send + 'static>(
    slot: Slot,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(move || {
        let answer = work();
        drop(slot);
        answer
    });
    let broken = |_| Error::new(StatusCode::INTERNAL_SERVER_ERROR, "", "the search failed");
    done.await.map_err(broken)?
}
