//! Triple Triad, played exactly.

mod captures;
mod search;
mod solve;

pub use solve::{MoveValue, Solution, Solver};
