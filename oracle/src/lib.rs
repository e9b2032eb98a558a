//! **The conscience of the house.** Naive models of the games on plain arrays, written from the rule text, and the law
//! book that holds every fast form to them.
//!
//! **This room** is slow on purpose: arrays, loops, the rule's own words. Its data folder holds every test vector.
//! **It may not know** a game crate, bit tricks, `unsafe`, vectors or speed; it meets the fast games only through the
//! traits of `grid` and their text.
//! **Go next** to [`laws`] for what every game must obey, and to the game crates' `tests/laws.rs` for how they call it.

pub mod cephalopods;
pub mod laws;
pub mod negamax;
pub mod perft;
pub mod rectangle;
pub mod tictactoe;
pub mod tree;
pub mod triad;
pub mod uttt;
pub mod uttt_endgame;
pub mod uttt_proof;
