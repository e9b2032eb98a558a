//! **The rules of Cephalopods**: nine dice in 27 bits, the contest's game that is counted and Mark Steere's game that is
//! won.
//!
//! ```
//! use grid::{Game, Notation};
//! use ninefold_cephalopods::{Board, Contest};
//! let board = Contest.read_position("051000401").unwrap();
//! assert_eq!((board.rank(), board.dice()), (11, 4));
//! // Cell 5 takes the 1 above and the 1 below: a capture must be taken where there is one.
//! let moves: Vec<String> = Contest.moves(&board).map(|mv| mv.to_string()).collect();
//! assert_eq!(moves, ["0", "3", "4", "5x28", "7x68"]);
//! # let _: Board = board;
//! ```
//!
//! **This room** says what is legal and what it leads to, as fast as it can be said: [`Board`], [`Move`], the games
//! [`Contest`] and [`Duel`], the [`tables`] made from the slow definition at compile time, boards by [`pattern`], and the
//! [`kernel`]s.
//! **It may not know** a search, a thread, a clock, a file or another game.
//! **Go next** to `engine` for how sequences are summed and the two-player game is solved, to `oracle` for the naive
//! model that all of this is held to.

mod contest;
mod duel;
pub mod kernel;
mod moves;
mod notation;
pub mod pattern;
mod position;
pub mod rectangle;
mod setup;
pub mod tables;

pub use contest::Contest;
pub use duel::{Aim, Duel, Stand};
pub use moves::{MOST, Move, Moves};
pub use position::Board;
pub use setup::{Setup, SetupError};

/// No sequence of moves is longer than this, from any board: any greater depth asks the same question.
pub const LONGEST: u32 = 61;
