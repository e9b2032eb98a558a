//! Triple Triad: the exact solver of open deals, and the cards by name.
//!
//! | file | contents |
//! |---|---|
//! | `cards` | lists of cards, opponents and collections; hands and decks; random deals |
//! | `named_deal` | [`NamedDeal`]: a deal with the names of its cards |
//! | `advise` | advice when the opponent's hand is hidden |
//! | `deck` | the deck optimiser |
//! | `draft` | which of the offered cards to take |
//! | `solve` | [`Solver`]: value, moves, principal variation |
//! | `chance`, `sudden` | Chaos and Sudden Death |
//! | `search`, `captures` | the search of the solver and its boards |
//! | `parallel` | [`solve_each`]: many deals on several threads |
//! | `perft` | the number of sequences of moves |
//! | `trade` | which cards change hands after a game |
//! | `error` | [`TriadError`]: everything that can be wrong |

pub mod advise;
mod captures;
pub mod cards;
mod chance;
pub mod deck;
pub mod draft;
mod error;
mod named_deal;
mod parallel;
mod perft;
mod search;
mod signature;
mod solve;
mod sudden;
pub mod trade;

pub use chance::best_of_each_card;
pub use error::TriadError;
pub use named_deal::NamedDeal;
pub use parallel::solve_each;
pub use perft::perft;
pub use signature::signature;
pub use solve::{CHAOS_CELLS, Lines, Solver};
pub use sudden::{Replays, default_replays};

/// The types of the rules that a caller needs.
pub mod rules {
    pub use triad::notation::read as read_line;
    pub use triad::{Deal, Edition, Element, HAND, Kind, Move, Position, Rule, Rules, Setup, rank_symbol};
}
