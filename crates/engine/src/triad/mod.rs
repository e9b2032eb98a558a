//! Triple Triad, played exactly: the cards by name, requests and their answers, the solver of open deals.
//!
//! | file | holds |
//! |---|---|
//! | `cards` | cards, opponents, collections from versioned files; hands and decks; what chance deals |
//! | `request` | plain types for what is asked, checked into a [`Match`] |
//! | `answer` | plain types for what comes back |
//! | `trade` | which cards change hands after a game |
//! | `solve` | [`Solver`]: values, every move, the best line; many deals on all cores |
//! | `chance`, `sudden` | Chaos and Sudden Death |
//! | `search`, `captures` | the search below it |

pub mod answer;
mod captures;
pub mod cards;
pub mod request;
mod search;
mod solve;
pub mod trade;

mod chance;
mod sudden;

pub use chance::{ChanceSolution, chances, expected};
pub use request::{GameText, Match, RequestError};
pub use solve::{MoveValue, Solution, Solver, signature, solve_each};
pub use sudden::{Luck, Replays, default_replays};

/// The rules' own words that a caller meets in requests and answers.
pub mod rules {
    pub use triad::notation::read as read_line;
    pub use triad::{Deal, Edition, Element, HAND, Kind, Move, Position, Rule, Rules, Setup, rank_symbol};
}
