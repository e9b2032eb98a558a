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
//! // a: 1414 on the centre shows 1 to the 4 above and 4 to the 6 at its left: nothing is taken.
//! let next = deal.play(&position, Move::new(1, Cell::CENTRE)).unwrap();
//! assert_eq!(next.owner(5), Player::Second);
//! ```
//!
//! **This room** says what is legal and what it leads to, as fast as it can be said: [`Card`], [`Rules`], [`Setup`], the
//! [`Deal`] that holds the tables of ten cards, the [`Position`] in one word, the boards in [`kernel`], and
//! [`explain`] for why a card was taken.
//! **It may not know** a search, a thread, a clock, a file, card names or another game.
//! **Go next** to `engine` for how it is played well, to `oracle` for the naive model it is held to.

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

pub use card::{Card, Edition, Element, Kind, rank_symbol};
pub use game::Deal;
pub use moves::{Move, Moves};
pub use position::Position;
pub use rules::{Rule, RuleFault, Rules};
pub use setup::{HAND, Setup, SetupFault};
