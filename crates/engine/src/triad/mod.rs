//! Triple Triad, played exactly.

mod captures;
pub mod cards;
mod search;
mod solve;

pub use solve::{MoveValue, Solution, Solver};
