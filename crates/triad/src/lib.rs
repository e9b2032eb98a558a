//! **The rules of Triple Triad**, as Final Fantasy VIII and Final Fantasy XIV play it.
//!
//! ```
//! use grid::{Cell, Game, Player};
//! use ninefold_triad::{Card, Deal, Edition, Move, Rules, Setup};
//!
//! let hand = |cards: [&str; 5]| cards.map(|card| Card::read(card, Edition::Ff8).unwrap());
//! let rules = Rules::read("same", Edition::Ff8).unwrap();
//! let deal = Deal::new(&Setup::new(
//!     rules,
//!     hand(["4444", "1414", "2222", "3333", "5555"]),
//!     hand(["6642", "6666", "7777", "8888", "9999"]),
//! ))
//! .unwrap();
//!
//! let position = deal.start();
//! let position = deal.play(&position, Move::new(0, Cell::at(0, 1))).unwrap(); // a: 4444 above the centre
//! let position = deal.play(&position, Move::new(5, Cell::at(1, 0))).unwrap(); // b: 6642 left of the centre
//! // a: 1414 on the centre has 1 against the 4 above and 4 against the 6 on its left: no captures.
//! let next = deal.play(&position, Move::new(1, Cell::CENTRE)).unwrap();
//! assert_eq!(next.owner(5), Player::Second);
//! ```
//!
//! **This room** has the legal moves and their results: [`Card`], [`Rules`], [`Setup`], the [`Deal`] with the tables of its
//! ten cards, the [`Position`] in one word, the fast boards in [`kernel`], and [`explain`] for the cause of each capture.
//! **It may not know** a search, a thread, a clock, a file, card names or another game.
//! **Go next** to `engine` for solvers and players, to `oracle` for the naive model that tests compare with.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod card;
pub mod explain;
mod game;
pub mod kernel;
mod moves;
pub mod notation;
mod position;
mod rules;
mod setup;
mod tables;
mod two_faced;

pub use card::{Card, Edition, Element, Kind, rank_symbol};
pub use game::Deal;
pub use moves::{Move, Moves};
pub use position::Position;
pub use rules::{Rule, RuleFault, Rules};
pub use setup::{HAND, Setup, SetupFault};
pub use tables::{MOST_CARDS, Tables};
