//! Ultimate Tic-Tac-Toe: the exact solver with its certificates, and the playing engine.
//!
//! | question | type | method |
//! |---|---|---|
//! | what do the rules say? | [`Rules`] | the rules, chosen at run time |
//! | what is the value of this position, and which moves keep it? | [`Solver`] | proof-number search (df-pn) |
//! | can another program check that? | [`Certificate`] | a strategy, one byte per position |
//! | which positions have one best move? | [`Puzzles`] | games, the solver, and a shallow search for the grade |
//! | what did long searches find near the start? | [`Book`] | the opening book |
//! | which move is best, within a limit? | [`Player`] | tree search or alpha-beta, and the solver near the end |
//! | how does that become one source file for an arena? | [`bundle`] | a template, and a network packed into its text |

/// Chooses the rule's type once: `with_rule!(rules, R => expression over R)`.
macro_rules! with_rule {
    ($rules:expr, $rule:ident => $body:expr) => {
        match $rules {
            $crate::uttt::Rules::Standard => {
                type $rule = ::uttt::Standard;
                $body
            }
            $crate::uttt::Rules::CodinGame => {
                type $rule = ::uttt::CodinGame;
                $body
            }
            $crate::uttt::Rules::Open => {
                type $rule = ::uttt::Open;
                $body
            }
        }
    };
}

mod alphabeta;
mod best_first;
pub mod book;
pub mod bundle;
pub mod certificate;
mod evaluation;
mod levels;
mod memory;
pub mod network;
mod player;
mod proof;
mod prover;
pub mod puzzles;
mod rules;
mod solver;
#[cfg(feature = "files")]
mod state;
mod strategy;
mod table;
mod tree;
mod visited;
mod work_queue;

pub use best_first::TUNING;
pub use book::{Book, BookBuilder, BookEntry, BookMove, BookPlan};
pub use certificate::Certificate;
pub use evaluation::HandMade;
pub use levels::{LEVELS, Level, STRONGEST, Strength};
pub use player::{EXPLORATION, Evaluation, Player, SearchKind, Settings, player_signature};
pub use puzzles::{Puzzle, Puzzles};
pub use rules::Rules;
pub use solver::{Solver, signature};
pub use uttt::{Accept, Move, Position};
