//! Triple Triad, played exactly: the cards by name, requests and their answers, the solver of open deals.
//!
//! | file | holds |
//! |---|---|
//! | `catalogue` | cards, opponents, collections from versioned files |
//! | `request` | plain types for what is asked, checked into a [`Match`] |
//! | `answer` | plain types for what comes back |
//! | `solve` | [`Solver`]: values, every move, the best line; many deals on all cores |
//! | `chance`, `sudden` | Chaos and Sudden Death |
//! | `deals` | hands by chance |
//! | `search`, `captures` | the search below it |

pub mod answer;
mod captures;
pub mod catalogue;
pub mod request;
mod search;
mod solve;

mod chance;
mod deals;
mod sudden;

pub use chance::expected;
pub use deals::deal_random;
pub use request::{GameText, Match, RequestError};
pub use solve::{MoveValue, Solution, Solver, signature, solve_many};
pub use sudden::sudden_death;

/// The rules' own words that a caller meets in requests and answers.
pub mod rules {
    pub use triad::notation::read as read_line;
    pub use triad::{Deal, Edition, Move, Position, rank_symbol};
}
