//! The control of a long call: limits, cancel flag, clock and progress callback in one value.
//!
//! ```text
//! Control   time, nodes, depth, memory, threads; cancel flag; clock; progress callback
//!    |  part(): a control for one step of a larger call; what it spends counts against the whole
//!    v
//! Meter     one per thread: takes nodes from the control 1024 at a time, so counting a node costs one subtraction
//! ```
//!
//! A control serves one question; its clock starts when it is made. The node limit is exact, so a search under a node
//! limit is reproducible. The cancel flag and the clock are read once per 1024 nodes, because reading the clock costs
//! as much as several nodes. This is the only file of the crate that reads a clock.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A monotonic clock: the time since a fixed moment.
///
/// The default is the system clock. Where there is none (wasm), supply one:
///
/// ```
/// use ninefold_search::Clock;
/// use std::time::Duration;
/// let stopped = Clock::new(|| Duration::from_secs(7));
/// assert_eq!(stopped.now(), Duration::from_secs(7));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Clock(fn() -> Duration);

impl Clock {
    /// A clock that reads the time from this function.
    #[must_use]
    pub const fn new(now: fn() -> Duration) -> Self {
        Self(now)
    }

    /// The present time.
    #[inline]
    #[must_use]
    pub fn now(self) -> Duration {
        (self.0)()
    }
}

impl Default for Clock {
    /// The system clock. Bare wasm has none: the time stays at zero until a clock is supplied.
    fn default() -> Self {
        #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
        {
            use std::sync::LazyLock;
            use std::time::Instant;
            static START: LazyLock<Instant> = LazyLock::new(Instant::now);
            Self(|| START.elapsed())
        }
        #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
        Self(|| Duration::ZERO)
    }
}

/// Why a call stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time limit was reached.
    Time,
    /// The node limit was reached.
    Nodes,
    /// The depth limit was reached.
    Depth,
    /// The node pool is full.
    Memory,
    /// The cancel flag was raised.
    Cancelled,
}

impl fmt::Display for Stop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Time => "the time limit was reached",
            Self::Nodes => "the node limit was reached",
            Self::Depth => "the depth limit was reached",
            Self::Memory => "the memory was full",
            Self::Cancelled => "the search was cancelled",
        })
    }
}

impl std::error::Error for Stop {}

/// The progress of a call.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// Nodes visited by the whole call.
    pub nodes: u64,
    /// Time since the call started.
    pub time: Duration,
    /// Completed steps, if the call counts steps.
    pub done: u64,
    /// Total number of steps; 0 if the call does not count steps.
    pub total: u64,
    partial: Option<&'a dyn Any>,
}

impl<'a> Progress<'a> {
    /// The partial answer, if the call has one of this type.
    #[must_use]
    pub fn partial<T: 'static>(&self) -> Option<&'a T> {
        self.partial?.downcast_ref()
    }
}

/// A progress callback. Any thread of the call may call it, but never two at once.
pub type Listener<'a> = &'a (dyn Fn(&Progress<'_>) + Sync);

/// Limits, cancel flag, clock and progress callback of a call. The default has no limit and one thread.
///
/// ```
/// use ninefold_search::{Control, Stop};
/// use std::time::Duration;
/// let control = Control::new().node_limit(10_000).time_limit(Duration::from_secs(1));
/// assert_eq!((control.nodes_left(), control.stop()), (Some(10_000), None));
/// let first_half = control.part().node_limit(5_000);
/// assert_eq!(first_half.meter().count_to(6_000), 5_000);
/// assert_eq!((first_half.stop(), control.nodes_left()), (Some(Stop::Nodes), Some(5_000)));
/// ```
pub struct Control<'a> {
    started: Duration,
    deadline: Option<Duration>,
    node_limit: u64,
    depth: Option<u32>,
    memory: Option<usize>,
    threads: usize,
    cancel: Option<Arc<AtomicBool>>,
    clock: Clock,
    listener: Option<Listener<'a>>,
    /// The control that this one is a part of.
    whole: Option<&'a Control<'a>>,
    /// Nodes handed out to meters.
    spent: AtomicU64,
    /// Time of the last callback without and with a partial answer, in milliseconds since the start, plus one. There
    /// are two, so that node counts do not suppress partial answers.
    last_call: [AtomicU64; 2],
    /// Set while the callback runs, so that it never runs twice at once.
    calling: AtomicBool,
}

/// Minimum interval between two callbacks. A call that reports at least every 50 ms is passed on at least every 100 ms.
const TICK: Duration = Duration::from_millis(50);

impl Default for Control<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Control<'a> {
    /// No limit, one thread.
    #[must_use]
    pub fn new() -> Self {
        let clock = Clock::default();
        Self {
            started: clock.now(),
            deadline: None,
            node_limit: u64::MAX,
            depth: None,
            memory: None,
            threads: 1,
            cancel: None,
            clock,
            listener: None,
            whole: None,
            spent: AtomicU64::new(0),
            last_call: [const { AtomicU64::new(0) }; 2],
            calling: AtomicBool::new(false),
        }
    }

    /// A control for one step of the call: the limits that are left, the same clock, cancel flag and progress callback.
    /// What the part spends counts against this control as well.
    #[must_use]
    pub fn part(&'a self) -> Self {
        Self {
            started: self.clock.now(),
            node_limit: self.nodes_left().unwrap_or(u64::MAX),
            cancel: None,
            whole: Some(self),
            spent: AtomicU64::new(0),
            last_call: [const { AtomicU64::new(0) }; 2],
            calling: AtomicBool::new(false),
            listener: None,
            ..*self
        }
    }

    /// Uses this clock. Set it before the time limit.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        (self.clock, self.started) = (clock, clock.now());
        self
    }

    /// Sets the time limit, counted from now. A part also stops when its parent stops.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        // A deadline beyond the clock's range means no deadline.
        let deadline = self.clock.now().checked_add(time);
        self.deadline = self.deadline.into_iter().chain(deadline).min();
        self
    }

    /// Sets the node limit.
    #[must_use]
    pub fn node_limit(mut self, nodes: u64) -> Self {
        self.node_limit = self.node_limit.min(nodes);
        self
    }

    /// Sets the depth limit in plies.
    #[must_use]
    pub fn depth_limit(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Sets the memory limit for tables and trees, in bytes.
    #[must_use]
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Sets the number of threads, at least one. With one thread an engine starts no other.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Stops the call soon after this flag is raised. A part may have a flag of its own; that of the whole call stops it too.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Sets the progress callback. It is called at least every 100 ms and at most every 50 ms.
    ///
    /// The callback of a [`part`](Self::part) replaces that of the whole call, which then gets only what the part
    /// [passes on](Self::pass_on).
    #[must_use]
    pub fn progress(mut self, listener: Listener<'a>) -> Self {
        self.listener = Some(listener);
        self
    }

    /// The depth limit.
    #[must_use]
    pub fn max_depth(&self) -> Option<u32> {
        self.depth
    }

    /// The memory limit in bytes.
    #[must_use]
    pub fn memory(&self) -> Option<usize> {
        self.memory
    }

    /// The number of threads.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        self.threads
    }

    /// Time since this control was made.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }

    /// The time left; `None` if there is no time limit.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_sub(self.clock.now()))
    }

    /// The nodes left; `None` if there is no node limit.
    #[must_use]
    pub fn nodes_left(&self) -> Option<u64> {
        (self.node_limit != u64::MAX).then(|| self.node_limit.saturating_sub(self.nodes()))
    }

    /// Nodes visited so far, including nodes that running meters have taken but not visited yet.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.spent.load(Relaxed)
    }

    /// Whether a limit ends the call even if it proves nothing.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.deadline.is_some() || self.node_limit != u64::MAX || self.flags().next().is_some()
    }

    /// Whether a cancel flag is raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.flags().any(|flag| flag.load(Relaxed))
    }

    /// The cancel flags of this control and of those that it is a part of.
    fn flags(&self) -> impl Iterator<Item = &AtomicBool> {
        std::iter::successors(Some(self), |part| part.whole).filter_map(|part| part.cancel.as_deref())
    }

    /// Why the call must stop now; `None` if it may continue.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        if self.is_cancelled() {
            Some(Stop::Cancelled)
        } else if self.nodes_left() == Some(0) {
            Some(Stop::Nodes)
        } else if self.time_left() == Some(Duration::ZERO) {
            Some(Stop::Time)
        } else {
            None
        }
    }

    /// The same as a `Result`, for use with `?`.
    ///
    /// # Errors
    /// If the call must stop.
    pub fn check(&self) -> Result<(), Stop> {
        self.stop().map_or(Ok(()), Err)
    }

    /// A meter that counts the nodes of one thread against this control.
    #[must_use]
    pub fn meter(&self) -> Meter<'_> {
        Meter { control: self, granted: 0, taken: 0, stopped_by: None }
    }

    /// Reports that `done` of `total` steps are complete.
    pub fn report(&self, done: u64, total: u64) {
        self.call(done, total, None::<fn() -> ()>);
    }

    /// Reports a partial answer. It is computed only when a report is due.
    pub fn report_partial<T: Any>(&self, partial: impl FnOnce() -> T) {
        self.call(0, 0, Some(partial));
    }

    /// Forwards a progress event of a part to the callback of this control, with another partial answer.
    pub fn pass_on<T: Any>(&self, progress: &Progress<'_>, partial: Option<&T>) {
        let partial = partial.map(|partial| partial as &dyn Any);
        if let Some(control) = self.listening() {
            control.notify(&Progress { partial, ..*progress });
        }
    }

    /// The nearest control with a callback: this one, or one that it is a part of.
    fn listening(&self) -> Option<&Control<'a>> {
        if self.listener.is_some() { Some(self) } else { self.whole.and_then(Control::listening) }
    }

    fn root(&self) -> &Control<'a> {
        self.whole.map_or(self, Control::root)
    }

    fn notify(&self, progress: &Progress<'_>) {
        if let Some(listener) = self.listener {
            listener(progress);
        }
    }

    /// The throttle: skips the callback if it ran a moment ago or is running.
    fn call<T: Any>(&self, done: u64, total: u64, partial: Option<impl FnOnce() -> T>) {
        let (Some(control), root) = (self.listening(), self.root()) else { return };
        let time = root.elapsed();
        let now = time.as_millis() as u64 + 1;
        let last = &root.last_call[usize::from(partial.is_some())];
        let before = last.load(Relaxed);
        if before != 0 && now < before + TICK.as_millis() as u64 || root.calling.swap(true, Relaxed) {
            return;
        }
        last.store(now, Relaxed);
        let partial = partial.map(|partial| partial());
        let partial = partial.as_ref().map(|partial| partial as &dyn Any);
        control.notify(&Progress { nodes: root.nodes(), time, done, total, partial });
        root.calling.store(false, Relaxed);
    }

    /// Hands out at most `wanted` nodes.
    fn grant(&self, wanted: u64) -> Result<u64, Stop> {
        if self.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let mut granted = 0;
        let take = |spent: u64| {
            granted = wanted.min(self.node_limit.saturating_sub(spent));
            Some(spent + granted)
        };
        // `take` never returns `None`, so the update always succeeds.
        let _ = self.spent.fetch_update(Relaxed, Relaxed, take);
        if granted == 0 {
            return Err(Stop::Nodes);
        }
        if let Some(whole) = self.whole {
            whole.spend(granted);
        }
        if self.time_left() == Some(Duration::ZERO) {
            self.refund(granted);
            return Err(Stop::Time);
        }
        if self.listening().is_some() {
            self.call(0, 0, None::<fn() -> ()>);
        }
        Ok(granted)
    }

    fn spend(&self, nodes: u64) {
        self.spent.fetch_add(nodes, Relaxed);
        if let Some(whole) = self.whole {
            whole.spend(nodes);
        }
    }

    fn refund(&self, nodes: u64) {
        self.spent.fetch_sub(nodes, Relaxed);
        if let Some(whole) = self.whole {
            whole.refund(nodes);
        }
    }
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (time, nodes) = (self.time_left(), self.nodes_left());
        out.debug_struct("Control").field("time_left", &time).field("nodes_left", &nodes).finish_non_exhaustive()
    }
}

/// Counts the nodes of one thread.
#[derive(Debug)]
pub struct Meter<'a> {
    control: &'a Control<'a>,
    /// Nodes that were taken and not visited yet.
    granted: u64,
    taken: u64,
    stopped_by: Option<Stop>,
}

impl Meter<'_> {
    /// Nodes between two reads of the clock and the cancel flag.
    pub const STRIDE: u64 = 1024;

    /// Counts one more node. If it returns false, the call must stop and the node must not be visited.
    #[inline(always)]
    pub fn pay(&mut self) -> bool {
        if self.granted == 0 && !self.refill() {
            return false;
        }
        self.granted -= 1;
        true
    }

    #[cold]
    fn refill(&mut self) -> bool {
        if self.stopped_by.is_some() {
            return false;
        }
        match self.control.grant(Self::STRIDE) {
            Ok(granted) => {
                (self.granted, self.taken) = (granted, self.taken + granted);
                true
            }
            Err(stop) => {
                self.stopped_by = Some(stop);
                false
            }
        }
    }

    /// Nodes counted so far.
    #[inline(always)]
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.taken - self.granted
    }

    /// Why the call must stop. It never changes once set.
    #[inline(always)]
    #[must_use]
    pub fn stopped_by(&self) -> Option<Stop> {
        self.stopped_by
    }

    /// Stops the call for a reason inside the search.
    pub fn stop(&mut self, reason: Stop) {
        self.stopped_by = Some(reason);
        self.give_back();
    }

    /// Counts up to this number of nodes at once and returns how many were allowed.
    pub fn count_to(&mut self, nodes: u64) -> u64 {
        let mut left = nodes;
        while left > 0 && (self.granted > 0 || self.refill()) {
            let paid = left.min(self.granted);
            (left, self.granted) = (left - paid, self.granted - paid);
        }
        nodes - left
    }

    fn give_back(&mut self) {
        if self.granted > 0 {
            self.control.refund(self.granted);
            (self.taken, self.granted) = (self.taken - self.granted, 0);
        }
    }

    /// The report of a search.
    #[must_use]
    pub fn report(&self, depth: u32, proved: bool) -> Report {
        let stopped_by = if proved { None } else { self.stopped_by };
        Report { nodes: self.nodes(), time: self.control.elapsed(), depth, proved, stopped_by }
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// The cost of a search and how it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// Positions visited.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// Alpha-beta: the deepest finished iteration. Tree search: the longest line.
    pub depth: u32,
    /// Whether the value is proved (up to hash collisions if the table stores a hash).
    pub proved: bool,
    /// What stopped the search; `None` if it finished.
    pub stopped_by: Option<Stop>,
}

#[cfg(test)]
mod tests;
