//! Cephalopods: the two-player game solved and searched, and the contest's paste-ready file.

pub mod analysis;
pub mod bundle;
pub mod duel;
mod reach;
