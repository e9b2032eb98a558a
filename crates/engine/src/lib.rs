//! **The brains of the house**: for each game what `search` needs to play it well, the exact solvers, the tables on
//! disk, and the plain request and result types that everything above this room translates to and from.
//!
//! **This room** is the lowest that may know threads, clocks and files.
//! **It may not** print, read flags or speak HTTP, nor hold state that two callers would share unasked: calls are
//! deterministic for a seed, can be cancelled, and report progress through a callback.
//! **Go next** to `cli` and `server`, which ask; to the game crates for the rules.

pub mod cephalopods;
pub mod desk;
mod map;
pub mod store;
pub mod triad;
pub mod uttt;
