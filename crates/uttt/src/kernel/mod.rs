//! The hot code: the layout for search, perft, random playouts, safe moves; and the published endgame tests.
//!
//! Except for [`published`] this is plain integer code, compiled once per instruction-set level by [`grid::simd::dispatch`].
//! The level decides how bits are counted and found and how a cache line is copied.

mod classes;
mod lanes;
mod perft;
mod playout;
pub mod published;
mod safety;

pub use classes::board_number;
pub use lanes::Lanes;
pub use perft::{Layout, one_by_one, perft};
pub use playout::{End, Playout, Tally, playouts};
