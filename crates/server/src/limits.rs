//! Every limit in one place: what one client may ask for, and what all of them together may hold.

use std::time::Duration;

/// What the server gives at most.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Searches at once.
    pub searches: usize,
    /// Searches that wait for their turn; one more is answered with 429.
    pub waiting: usize,
    /// The longest search, in milliseconds.
    pub time_ms: u64,
    /// The most positions of a search.
    pub nodes: u64,
    /// The largest memory of a search, in MiB; also the default.
    pub memory_mib: u32,
    /// Bytes of a body.
    pub body: usize,
    /// How long a client may take to send a head or a body, or to stay connected without a question.
    pub patience: Duration,
    /// Connections at once: above this the one that has been idle for longest is closed.
    pub connections: usize,
    /// How long answers that are on their way may take when the server stops.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        // A core is left for the small questions.
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            searches: (cores - cores / 4).clamp(2, 16),
            waiting: 64,
            time_ms: 60_000,
            nodes: 100_000_000_000,
            memory_mib: 64,
            body: 64 * 1024,
            patience: Duration::from_secs(15),
            connections: 512,
            farewell: Duration::from_secs(2),
        }
    }
}
