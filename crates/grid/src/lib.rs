//! **The vocabulary of games on a 3x3 grid.** Nine cells fit a register, so a set is nine bits, a symmetry is a
//! permutation and a rule is a few instructions.
//!
//! ```text
//!   0 1 2        up           cell 4 has the neighbours 1 5 7 3
//!   3 4 5    left  right      cell 0 has only 1 and 3
//!   6 7 8       down
//! ```
//!
//! ```
//! use ninefold_grid::{Cell, Sym, cells};
//!
//! let us = cells! {
//!     x . o
//!     . x .
//!     o . .
//! };
//! let them = cells! { o in x . o / . x . / o . . };
//! let free = !(us | them);
//!
//! // One move wins: the corner that completes the diagonal.
//! assert_eq!(us.completing() & free, cells! { . . . / . . . / . . x });
//! // The same board after a half turn.
//! assert_eq!(Sym::HALF_TURN.set(us), cells! { . . . / . x . / . . x });
//! // Sets support iteration, counting and set operations.
//! assert_eq!(free.into_iter().map(Cell::index).collect::<Vec<_>>(), [1, 3, 5, 7, 8]);
//! assert_eq!((free & cells! { x . x / . . . / x . x }).len(), 1);
//! ```
//!
//! **This room** holds the types that all games share: [`Cell`], [`CellSet`], the [`LINES`], the eight symmetries [`Sym`],
//! packed [`lanes`] and the [`spiral`] order, seeded keys, the instruction-set levels of [`simd`], and the traits of
//! [`Game`].
//! **It may not know** any game, search, thread, clock, file or heap. It is `no_std`, and `const` where possible.
//! **Go next** to a game (`cephalopods`, `triad`, `uttt`), to `search` for algorithms over [`Game`], to `oracle` for the
//! laws that every game must satisfy.

#![cfg_attr(not(feature = "std"), no_std)]

mod cell;
mod game;
pub mod lanes;
mod line;
mod set;
pub mod simd;
pub mod spiral;
mod sym;
mod text;
mod zobrist;

pub use cell::{BORDERED, BORDERED_SLOTS, Cell, Direction};
pub use game::{ExactKey, Facts, Game, Notation, Player, Symmetric, Versus};
pub use line::LINES;
pub use set::{CellSet, Cells};
pub use sym::Sym;
pub use text::{Pointed, TextError};
pub use zobrist::{Rng, mix, zobrist_keys};

/// Compiles and runs the example of the README with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
