//! The board three ways, all with the same answer, and many boards at once.
//!
//! | board | state | who uses it |
//! |---|---|---|
//! | [`scalar`] | nine cards with owners, four `if`s | explanations, and as the measure of the others |
//! | [`published`] | 21 slots, four neighbours in one vector | the write-up's branchless board, as the measure |
//! | [`fast`] | one bit a cell, tables of the deal | the rules, search under Ascension and Descension |
//! | [`resolved`] | every fight decided in advance | search |
//! | [`ending`] | the last three cards in all 24 ways | search |
//! | [`firing`] | which of them are more than the basic rule | search under Same and Plus |
//! | [`batch`] | 32 boards in vector lanes | playouts |

pub mod batch;

pub mod ending;
pub mod fast;
pub mod firing;
pub mod published;
pub mod resolved;
pub mod scalar;
