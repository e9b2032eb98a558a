//! Ultimate Tic-Tac-Toe: the exact solver with its certificates, and the playing engine.
//!
//! | question | asked by | answered by |
//! |---|---|---|
//! | what do the rules say? | [`ask`] | the rules |
//! | what is this position worth, and which moves keep it? | [`solve::Solver`] | two proofs by df-pn |
//! | can another program check that? | [`certificate`] | a strategy, one byte a position |
//! | what should I play? | [`play::Engine`] | Monte-Carlo tree search or alpha-beta, and the solver near the end |
//! | which of two ways to think is better? | [`mod@matches`] | games from random openings |

pub mod ask;
pub mod certificate;
pub mod evaluation;
pub mod matches;
pub mod play;
mod prover;
mod questions;
pub mod solve;
mod table;

use grid::TextError;
use serde::{Deserialize, Serialize};
use uttt::Rule;
pub use uttt::{Accept, Move, Position};

/// The rules by name, for those who choose at run time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// [`uttt::Standard`].
    #[default]
    Standard,
    /// [`uttt::CodinGame`].
    CodinGame,
    /// [`uttt::Open`].
    Open,
}

impl Rules {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Standard, Self::CodinGame, Self::Open];

    /// The name, as `--rule` takes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => uttt::Standard::NAME,
            Self::CodinGame => uttt::CodinGame::NAME,
            Self::Open => uttt::Open::NAME,
        }
    }

    /// The rule of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.name() == name)
    }

    /// Reads a position in either notation.
    ///
    /// # Errors
    /// With the character that is wrong.
    pub fn read(self, text: &str, accept: Accept) -> Result<Position, TextError> {
        with_rule!(self, R => Position::read::<R>(text, accept))
    }
}

/// Chooses the rule's type once: `with_rule!(rules, R => expression over R)`.
#[macro_export]
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
pub use with_rule;

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Value {
    /// Won.
    W,
    /// Drawn.
    D,
    /// Lost.
    L,
}

impl Value {
    /// The same seen from the other side.
    #[must_use]
    pub const fn for_the_other(self) -> Self {
        match self {
            Self::W => Self::L,
            Self::D => Self::D,
            Self::L => Self::W,
        }
    }
}
