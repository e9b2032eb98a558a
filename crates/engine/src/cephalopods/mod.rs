//! Cephalopods: the two-player game solved and searched, and the contest's paste-ready file.

pub mod analysis;
pub mod bundle;
pub mod duel;
mod reach;
pub mod rectangle;

pub use cephalopods::Aim;
pub use cephalopods::rectangle::{LONGEST_SIDE, MOST_CELLS, Rectangle};
pub use search::Budget;
