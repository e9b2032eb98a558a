//! Every limit in one place: per client, and for all clients together.

use std::path::PathBuf;
use std::time::Duration;

/// The limits of the server, and the folder of what it keeps.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Number of searches that run at once.
    pub searches: usize,
    /// Number of searches that may wait; one more gets status 429.
    pub waiting: usize,
    /// Longest time limit of a search, in milliseconds.
    pub time_ms: u64,
    /// Largest node limit of a search.
    pub nodes: u64,
    /// Largest memory limit of a search, in MiB; also the default.
    pub memory_mib: u32,
    /// Largest request body, in bytes.
    pub body: usize,
    /// Longest time to send a request head or body, or to keep an idle connection.
    pub patience: Duration,
    /// Maximum number of connections. Above it the oldest idle one is closed.
    pub connections: usize,
    /// Longest time for answers in progress when the server stops.
    pub farewell: Duration,
    /// Where exact advice before the first card is kept; nowhere if there is none.
    pub kept: Option<PathBuf>,
}

impl Default for Limits {
    fn default() -> Self {
        // One core stays free for small questions.
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
            kept: None,
        }
    }
}
