//! What is hot: the layout for search, counting leaves, random games, endgame tests.
//!
//! Everything here but [`published`] is plain integer code, stamped once for each instruction-set level by [`grid::simd::dispatch`]: the
//! level decides how bits are counted and found and how a cache line is copied.

mod lanes;
mod perft;
mod playout;
pub mod published;
mod safety;

pub use lanes::Lanes;
pub use perft::{Layout, one_by_one, perft};
pub use playout::{End, Playout, Tally, playouts};
