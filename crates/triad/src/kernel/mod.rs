//! Boards that play a card and find its captures: one for each use, all with the same answers.
//!
//! | board | state | used by |
//! |---|---|---|
//! | [`scalar`] | nine cards with owners, four `if`s | explanations; reference for the others |
//! | [`published`] | 21 slots, four neighbours in one vector | no engine: a published method, for comparison |
//! | [`fast`] | one bit per cell, tables of the deal | the rules; search under Ascension and Descension |
//! | [`resolved`] | every comparison precomputed | search |
//! | [`ending`] | the last three cards in all 24 ways | search |
//! | [`firing`] | in which of these ways Same or Plus fires | search under Same and Plus |
//! | [`batch`] | 32 boards in vector lanes | playouts |

pub mod batch;

pub mod ending;
pub mod fast;
pub mod firing;
pub mod published;
pub mod resolved;
pub mod scalar;
