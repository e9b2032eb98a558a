//! One value that goes with every long call: what the call may spend, how it is stopped, and who hears of its progress.
//!
//! ```text
//! Control   time, nodes, depth, memory, threads; cancel flag; clock; progress callback
//!    |  part(): a share of the same budget for one step of a larger call; what it spends counts for the whole
//!    v
//! Meter     one per thread: takes nodes from the control 1024 at a time, so that a node costs one subtraction
//! ```
//!
//! A control is made for one question and starts its clock at once. The node limit is exact, so a search under a node limit
//! repeats to the digit. The cancel flag and the clock are read once in 1024 nodes: a look at the clock costs as much as
//! several nodes. This file has the only clock of this room.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A source of time: the time since some fixed moment, never going back.
///
/// The default is the clock of the system. Where there is none (wasm), supply one:
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
    /// A clock that asks this function.
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
    /// The system's clock. On bare wasm, which has none, time stands still until a clock is supplied.
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

/// Why a call stopped before it was finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time was up.
    Time,
    /// The nodes were spent.
    Nodes,
    /// The depth was reached.
    Depth,
    /// The node pool was full.
    Memory,
    /// Somebody raised the cancel flag.
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

/// How far a call has come.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// Nodes visited by the whole call.
    pub nodes: u64,
    /// Time since the call began.
    pub time: Duration,
    /// Steps done, if the call counts steps.
    pub done: u64,
    /// Of how many steps; 0 if the call does not count steps.
    pub total: u64,
    partial: Option<&'a dyn Any>,
}

impl<'a> Progress<'a> {
    /// What the call has found so far, if it can say so in a value of this type.
    #[must_use]
    pub fn partial<T: 'static>(&self) -> Option<&'a T> {
        self.partial?.downcast_ref()
    }
}

/// A progress callback. It may be called from any thread of the call, one at a time.
pub type Listener<'a> = &'a (dyn Fn(&Progress<'_>) + Sync);

/// What a call may spend, how it is stopped, and who hears of its progress. The default has no limit and one thread.
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
    /// The control this is a part of.
    whole: Option<&'a Control<'a>>,
    /// Nodes given out to meters.
    spent: AtomicU64,
    /// When the listener was last called without and with a partial answer, in milliseconds since the start, plus one.
    /// Two times, so that counts of nodes do not keep partial answers from being heard.
    last_call: [AtomicU64; 2],
    /// Set while the listener runs, so that it never runs twice at a time.
    calling: AtomicBool,
}

/// The listener is called at most this often. A call that reports in steps of less than 50 ms is heard every 100 ms.
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

    /// A share of this control for one step of the call: the same limits as far as they are not spent, the same clock,
    /// flag and listener. What the part spends counts here as well.
    #[must_use]
    pub fn part(&'a self) -> Self {
        Self {
            started: self.clock.now(),
            node_limit: self.nodes_left().unwrap_or(u64::MAX),
            cancel: self.cancel.clone(),
            whole: Some(self),
            spent: AtomicU64::new(0),
            last_call: [const { AtomicU64::new(0) }; 2],
            calling: AtomicBool::new(false),
            listener: None,
            ..*self
        }
    }

    /// Reads time from this clock. Set it before a time limit.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        (self.clock, self.started) = (clock, clock.now());
        self
    }

    /// Stops the call this long after now, or when the control it is a part of stops, if that is sooner.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        // A deadline beyond the clock's range is no deadline.
        let deadline = self.clock.now().checked_add(time);
        self.deadline = self.deadline.into_iter().chain(deadline).min();
        self
    }

    /// Stops the call after this number of nodes.
    #[must_use]
    pub fn node_limit(mut self, nodes: u64) -> Self {
        self.node_limit = self.node_limit.min(nodes);
        self
    }

    /// Looks at most this number of plies ahead.
    #[must_use]
    pub fn depth_limit(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Bytes for tables and trees.
    #[must_use]
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// How many threads may work; at least one. An engine with one thread starts none.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Stops the call soon after this flag is raised.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Reports progress to this function, at least every 100 ms and at most every 50.
    ///
    /// On a [`part`](Self::part) it stands between the call and the listener of the whole, which hears only what it
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

    /// How many threads may work.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        self.threads
    }

    /// Time since this control was made.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }

    /// What is left of the time; `None` if it is not limited.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_sub(self.clock.now()))
    }

    /// What is left of the nodes; `None` if they are not limited.
    #[must_use]
    pub fn nodes_left(&self) -> Option<u64> {
        (self.node_limit != u64::MAX).then(|| self.node_limit.saturating_sub(self.nodes()))
    }

    /// Nodes visited so far, rounded up to what the meters of running threads have taken.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.spent.load(Relaxed)
    }

    /// Whether the call ends by itself at some time although it proves nothing.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.deadline.is_some() || self.node_limit != u64::MAX || self.cancel.is_some()
    }

    /// Whether somebody raised the cancel flag.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Relaxed))
    }

    /// Why the call has to stop now, if it has to.
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

    /// The same as an error, for calls that end with `?`.
    ///
    /// # Errors
    /// If the call has to stop.
    pub fn check(&self) -> Result<(), Stop> {
        self.stop().map_or(Ok(()), Err)
    }

    /// Counts the nodes of one thread against this control.
    #[must_use]
    pub fn meter(&self) -> Meter<'_> {
        Meter { control: self, granted: 0, taken: 0, stopped_by: None }
    }

    /// Reports that `done` of `total` steps are done.
    pub fn report(&self, done: u64, total: u64) {
        self.call(done, total, None::<fn() -> ()>);
    }

    /// Reports what is known so far. The value is made only if it is time to report.
    pub fn report_partial<T: Any>(&self, partial: impl FnOnce() -> T) {
        self.call(0, 0, Some(partial));
    }

    /// Hands an event that the listener of a part has heard to the listener of this control, with another partial
    /// answer.
    pub fn pass_on<T: Any>(&self, progress: &Progress<'_>, partial: Option<&T>) {
        let partial = partial.map(|partial| partial as &dyn Any);
        if let Some(control) = self.heard() {
            control.hear(&Progress { partial, ..*progress });
        }
    }

    /// The nearest control with a listener: this one, or one it is a part of.
    fn heard(&self) -> Option<&Control<'a>> {
        if self.listener.is_some() { Some(self) } else { self.whole.and_then(Control::heard) }
    }

    fn root(&self) -> &Control<'a> {
        self.whole.map_or(self, Control::root)
    }

    fn hear(&self, progress: &Progress<'_>) {
        if let Some(listener) = self.listener {
            listener(progress);
        }
    }

    /// The throttle: calls the listener unless it was called a moment ago or is being called.
    fn call<T: Any>(&self, done: u64, total: u64, partial: Option<impl FnOnce() -> T>) {
        let (Some(control), root) = (self.heard(), self.root()) else { return };
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
        control.hear(&Progress { nodes: root.nodes(), time, done, total, partial });
        root.calling.store(false, Relaxed);
    }

    /// Gives a meter up to so many nodes.
    fn grant(&self, wanted: u64) -> Result<u64, Stop> {
        if self.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let mut granted = 0;
        let take = |spent: u64| {
            granted = wanted.min(self.node_limit.saturating_sub(spent));
            Some(spent + granted)
        };
        // The update always succeeds; what it found before does not matter.
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
        if self.heard().is_some() {
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
    /// Nodes between two looks at the clock and the cancel flag.
    pub const STRIDE: u64 = 1024;

    /// Pays for one more node. False when the call has to stop: the node must not be visited.
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

    /// Nodes paid for so far.
    #[inline(always)]
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.taken - self.granted
    }

    /// Why the call has to stop; once set, it stays.
    #[inline(always)]
    #[must_use]
    pub fn stopped_by(&self) -> Option<Stop> {
        self.stopped_by
    }

    /// Stops for a reason of the search's own.
    pub fn stop(&mut self, reason: Stop) {
        self.stopped_by = Some(reason);
        self.give_back();
    }

    /// Pays for up to this number of nodes at once and returns how many could be paid.
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

    /// What the search did.
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

/// What a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// Positions visited.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// Alpha-beta: the deepest finished iteration. Tree search: the longest line.
    pub depth: u32,
    /// Whether the value is proved (under a verified hash: up to its collisions).
    pub proved: bool,
    /// What ended the search, if it was not its own result.
    pub stopped_by: Option<Stop>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn a_node_limit_is_exact() {
        for limit in [0, 1, 5, 1023, 1024, 1025, 5000] {
            let control = Control::new().node_limit(limit);
            let mut meter = control.meter();
            assert_eq!(meter.count_to(10_000), limit);
            assert_eq!((meter.nodes(), meter.stopped_by()), (limit, Some(Stop::Nodes)));
            drop(meter);
            assert_eq!((control.nodes(), control.nodes_left()), (limit, Some(0)));
        }
    }

    #[test]
    fn threads_together_spend_exactly_the_limit() {
        let control = Control::new().node_limit(100_001).threads(4);
        let paid = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| paid.fetch_add(control.meter().count_to(1_000_000), Relaxed));
            }
        });
        assert_eq!(paid.into_inner(), 100_001);
    }

    #[test]
    fn a_raised_flag_and_a_past_deadline_stop_at_the_next_look() {
        let flag = Arc::new(AtomicBool::new(false));
        let control = Control::new().cancel(flag.clone());
        let mut meter = control.meter();
        assert!(meter.pay());
        flag.store(true, Relaxed);
        assert!(meter.count_to(10_000) < Meter::STRIDE);
        assert_eq!((meter.stopped_by(), control.check()), (Some(Stop::Cancelled), Err(Stop::Cancelled)));

        let control = Control::new().time_limit(Duration::ZERO);
        let mut meter = control.meter();
        assert!(!meter.pay());
        assert_eq!((meter.stopped_by(), control.nodes()), (Some(Stop::Time), 0));
        assert!(Control::new().time_limit(Duration::MAX).meter().pay());
    }

    #[test]
    fn a_part_spends_from_the_whole_and_never_more() {
        let control = Control::new().node_limit(1000);
        let part = control.part().node_limit(300);
        assert_eq!(part.meter().count_to(9999), 300);
        assert_eq!(control.nodes_left(), Some(700));
        let rest = control.part();
        assert_eq!(rest.meter().count_to(9999), 700);
        assert_eq!(control.stop(), Some(Stop::Nodes));
        let control = Control::new().time_limit(Duration::ZERO);
        assert_eq!(control.part().time_limit(Duration::from_secs(9)).stop(), Some(Stop::Time));
    }

    #[test]
    fn a_clock_can_be_supplied() {
        static NOW: AtomicU64 = AtomicU64::new(0);
        let clock = Clock::new(|| Duration::from_millis(NOW.load(Relaxed)));
        let control = Control::new().clock(clock).time_limit(Duration::from_millis(10));
        assert_eq!(control.stop(), None);
        NOW.store(10, Relaxed);
        assert_eq!((control.stop(), control.elapsed()), (Some(Stop::Time), Duration::from_millis(10)));
    }

    #[test]
    fn progress_is_throttled_and_carries_what_is_known() {
        static NOW: AtomicU64 = AtomicU64::new(0);
        let clock = Clock::new(|| Duration::from_millis(NOW.load(Relaxed)));
        let heard = Mutex::new(Vec::new());
        let listener = |progress: &Progress<'_>| {
            heard.lock().unwrap().push((progress.nodes, progress.done, progress.partial::<u32>().copied()));
        };
        let control = Control::new().clock(clock).progress(&listener);
        control.report(1, 9);
        control.report(2, 9);
        NOW.store(60, Relaxed);
        // A part that translates partial answers of another type.
        let translate = |progress: &Progress<'_>| {
            control.pass_on(progress, progress.partial::<String>().map(|text| text.len() as u32).as_ref());
        };
        let part = control.part().progress(&translate);
        part.report_partial(|| "seven__".to_owned());
        part.report_partial(|| -> String { panic!("not yet") });
        NOW.store(120, Relaxed);
        assert_eq!(part.meter().count_to(10), 10);
        assert_eq!(*heard.lock().unwrap(), [(0, 1, None), (0, 0, Some(7)), (1024, 0, None)]);
    }
}
