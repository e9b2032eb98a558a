//! **The brains of the house**: for each game what `search` needs to play it well, the exact solvers, the tables on
//! disk. Everything is typed: positions and moves go in, values and moves come out.
//!
//! **This room** is the lowest that may know threads, clocks and files.
//! **It may not** print, read flags, speak HTTP or JSON, nor share state between callers without being asked to: calls are
//! deterministic for a seed. Every long call takes a [`Control`]: limits, cancel flag, progress.
//! **Go next** to `api`, the front door; to the game crates for the rules.

pub mod analysis;
pub mod cephalopods;
pub mod error;
#[cfg(feature = "files")]
mod map;
mod source_file;
pub mod store;
pub mod triad;
pub mod uttt;
pub mod value;

pub use analysis::{Analysis, Line};
pub use error::Error;
pub use search::{Clock, Control, OutOfMemory, Progress, Stop};
pub use value::{Certainty, Chances, Outcome, Value};
