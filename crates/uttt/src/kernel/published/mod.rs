//! The methods of the article "Efficient representation of Ultimate Tic Tac Toe" (the `ultimattt` engine).
//!
//! Kept to teach and to compare. No engine uses this module. What the article describes and everybody uses is elsewhere:
//! its 40-byte position is [`Position`](crate::Position), its win test of eight masks in one vector is
//! [`grid::simd::has_line`], and its table keyed by a whole local board is `tables::BOARDS`.

pub mod endgame_vectors;
