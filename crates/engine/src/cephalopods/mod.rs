//! Cephalopods: path sums three ways, exact counts, and the two-player game solved.

pub mod cache;
pub mod exact;
mod graph;
pub mod scratch;
pub mod solve;
pub mod table;

pub use cache::Cache;
pub use graph::GraphSize;
pub use scratch::Scratch;
pub use table::Table;
