//! Cephalopods: path sums three ways, exact counts, and the two-player game solved.

mod graph;
mod scratch;

pub use graph::GraphSize;
pub use scratch::Scratch;
