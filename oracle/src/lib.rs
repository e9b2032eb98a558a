//! **The reference for every test.** Naive models of the games on plain arrays, written from the rule text, and the laws that
//! compare every fast form with them.
//!
//! **This room** is slow on purpose: arrays, loops, the words of the rules. Its data folder holds every test vector.
//! **It may not know** a game crate, bit tricks, `unsafe`, vectors or speed. It uses the fast games only through the traits of
//! `grid` and their text forms.
//! **Go next** to [`laws`] for the properties that every game must have, and to `tests/laws.rs` of a game crate for their use.

pub mod cancel;
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
