//! **The rules of Ultimate Tic-Tac-Toe.**
//!
//! Each square of a global board holds a local board. A move marks a square of a local board. The position of that square
//! selects the local board in which the opponent must play next. Three in a row wins a local board; three won boards in a row
//! win the game.
//!
//! ```
//! use grid::{Game, Notation, Versus};
//! use ninefold_uttt::{Standard, Uttt};
//!
//! let game = Uttt::<Standard>::default();
//! let centre = game.read_move(&game.start(), "ee")?;
//! let position = game.play(&game.start(), centre).unwrap();
//! assert_eq!(game.moves(&position).len(), 8); // the centre board without the marked square
//! assert_eq!(game.result(&position), None);
//! # Ok::<(), grid::TextError>(())
//! ```
//!
//! **This room** has the legal moves and their results: a [`Position`] of 40 bytes for general use, and in [`kernel`] a
//! second layout of one cache line for search.
//! **It may not know** a search, a thread, a clock, a file or another game.
//! **Go next** to `engine` for solvers and players, to `oracle` for the naive model that tests compare with.

#![cfg_attr(not(test), no_std)]

mod game;
pub mod kernel;
mod moves;
mod notation;
mod position;
mod rule;
mod setup;
mod tables;

pub use game::Uttt;
pub use moves::{Move, MoveSet};
pub use position::{Local, Next, Position};
pub use rule::{CodinGame, Open, Rule, Standard};
pub use setup::{Accept, Setup, SetupError, SetupPart};
