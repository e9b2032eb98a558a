//! **The rules of Cephalopods**: the solitaire of a programming contest, in which final boards are summed, and Mark Steere's
//! game for two players. A board is nine dice in 27 bits.
//!
//! ```
//! use grid::{Game, Notation};
//! use ninefold_cephalopods::{Board, Contest};
//! let board = Contest.read_position("051000401").unwrap();
//! assert_eq!((board.rank(), board.dice()), (11, 4));
//! // A die on cell 5 must capture the 1 above and the 1 below: captures are compulsory.
//! let moves: Vec<String> = Contest.moves(&board).map(|mv| mv.to_string()).collect();
//! assert_eq!(moves, ["0", "3", "4", "5x28", "7x68"]);
//! # let _: Board = board;
//! ```
//!
//! **This room** has the legal moves and their results: [`Board`], [`Move`], the games [`Contest`] and [`Duel`], the
//! [`tables`] that are computed from slow definitions at compile time, boards by [`pattern`], and the [`kernel`]s.
//! **It may not know** a search, a thread, a clock, a file or another game.
//! **Go next** to `engine` for path sums and the solver of the two-player game, to `oracle` for the naive model that tests
//! compare with.

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
pub use duel::{Aim, Duel, DuelPosition};
pub use moves::{MOST, Move, Moves};
pub use position::Board;
pub use setup::{Setup, SetupError};

/// Upper bound on the length of any sequence of moves, from any board. A larger depth limit changes nothing.
pub const LONGEST: u32 = 61;
