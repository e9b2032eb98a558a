//! What a search may spend and what it spent. The only clock of this room is here.
//!
//! A look at the clock costs as much as several nodes, so it is taken once in 1024 nodes; the node limit is exact all
//! the same, and so a search under a node limit repeats to the digit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may spend. The default is everything.
///
/// ```
/// use ninefold_search::Budget;
/// use std::time::Duration;
/// let budget = Budget { nodes: Some(10_000), ..Budget::default() };
/// assert_eq!(budget, Budget::nodes(10_000));
/// assert_eq!(Budget::time(Duration::from_millis(5)).time, Some(Duration::from_millis(5)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Wall clock.
    pub time: Option<Duration>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Moves looked ahead: by the last iteration of alpha-beta, by the longest line of a tree search.
    pub depth: Option<u32>,
    /// Raised from outside to stop the search.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// So many positions and no other limit.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// So much time and no other limit.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// So many moves ahead and no other limit.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Whether the search ends although it proves nothing.
    pub(crate) fn ends(&self) -> bool {
        self.time.is_some() || self.nodes.is_some() || self.cancel.is_some()
    }
}

impl PartialEq for Budget {
    /// The limits; the cancel flag only by whether there is one.
    fn eq(&self, other: &Self) -> bool {
        (self.time, self.nodes, self.depth, self.cancel.is_some())
            == (other.time, other.nodes, other.depth, other.cancel.is_some())
    }
}

/// Why a search stopped before it had proved its answer.
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

/// What a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// Positions visited.
    pub nodes: u64,
    /// Wall clock spent.
    pub time: Duration,
    /// Alpha-beta: the deepest finished iteration. Tree searches: the longest line looked at.
    pub depth: u32,
    /// Whether the answer is certain (under a verified hash: up to its collisions).
    pub proved: bool,
    /// What ended the search, if it was not its own answer.
    pub stopped_by: Option<Stop>,
}

/// Counts nodes against a budget.
#[derive(Debug)]
pub(crate) struct Meter {
    start: Instant,
    deadline: Option<Instant>,
    limit: u64,
    cancel: Option<Arc<AtomicBool>>,
    /// Positions visited so far.
    pub(crate) nodes: u64,
    next_look: u64,
    /// Set once the budget is spent.
    pub(crate) stopped_by: Option<Stop>,
}

impl Meter {
    /// Nodes between two looks at the clock and the cancel flag.
    const STRIDE: u64 = 1024;

    pub(crate) fn new(budget: &Budget) -> Self {
        let start = Instant::now();
        Self {
            start,
            // A deadline beyond the clock's range is none.
            deadline: budget.time.and_then(|time| start.checked_add(time)),
            limit: budget.nodes.unwrap_or(u64::MAX),
            cancel: budget.cancel.clone(),
            nodes: 0,
            next_look: 0,
            stopped_by: None,
        }
    }

    /// Pays for one more node. False when there is nothing left to pay with: the node was not visited.
    #[inline]
    pub(crate) fn pay(&mut self) -> bool {
        if self.nodes >= self.next_look && !self.look() {
            return false;
        }
        self.nodes += 1;
        true
    }

    #[cold]
    fn look(&mut self) -> bool {
        if self.stopped_by.is_none() {
            self.stopped_by = if self.nodes >= self.limit {
                Some(Stop::Nodes)
            } else if self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                Some(Stop::Cancelled)
            } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                Some(Stop::Time)
            } else {
                None
            };
        }
        // Once stopped, every later call must come here and be refused.
        self.next_look = if self.stopped_by.is_some() { 0 } else { self.limit.min(self.nodes + Self::STRIDE) };
        self.stopped_by.is_none()
    }

    pub(crate) fn report(&self, depth: u32, proved: bool) -> Report {
        Report {
            nodes: self.nodes,
            time: self.start.elapsed(),
            depth,
            proved,
            stopped_by: if proved { None } else { self.stopped_by },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_is_exact() {
        for limit in [0, 1, 5, 1023, 1024, 1025, 5000] {
            let mut meter = Meter::new(&Budget::nodes(limit));
            let paid = (0..10_000).filter(|_| meter.pay()).count() as u64;
            assert_eq!((paid, meter.nodes, meter.stopped_by), (limit, limit, Some(Stop::Nodes)));
        }
    }

    #[test]
    fn a_raised_flag_and_a_past_deadline_stop_at_the_next_look() {
        let cancel = Arc::new(AtomicBool::new(false));
        let mut meter = Meter::new(&Budget { cancel: Some(cancel.clone()), ..Budget::default() });
        assert!(meter.pay());
        cancel.store(true, Ordering::Relaxed);
        let more = (0..10_000).filter(|_| meter.pay()).count() as u64;
        assert!(more < Meter::STRIDE);
        assert_eq!(meter.stopped_by, Some(Stop::Cancelled));

        let mut meter = Meter::new(&Budget::time(Duration::ZERO));
        assert!(!meter.pay());
        assert_eq!(meter.stopped_by, Some(Stop::Time));
        assert!(Meter::new(&Budget::time(Duration::MAX)).pay());
    }
}
