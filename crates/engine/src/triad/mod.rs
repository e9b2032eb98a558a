//! Triple Triad, played exactly.

mod captures;
pub mod cards;
pub mod replay;
mod search;
pub mod session;
mod solve;
pub mod trade;

pub use solve::{MoveValue, Solution, Solver};
