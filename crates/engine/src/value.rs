//! One vocabulary of value for all games: what a position or a move is worth to the side to move, and how sure that is.

use serde::{Deserialize, Serialize};

/// A result, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Outcome {
    /// The outcome of a result that is positive for a win and negative for a loss.
    #[must_use]
    pub const fn of(result: i32) -> Self {
        match result.signum() {
            1 => Self::Win,
            0 => Self::Draw,
            _ => Self::Loss,
        }
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    #[must_use]
    pub const fn sign(self) -> i32 {
        self as i32 - 1
    }

    /// The same as a score.
    #[must_use]
    pub fn score(self) -> f64 {
        f64::from(self.sign())
    }

    /// The outcome for the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self::of(-self.sign())
    }
}

/// How sure a value is.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Certainty {
    /// An exact search proved it, and nothing in the proof rests on a hash.
    Proved,
    /// A certificate of the proof was checked by a program that shares nothing with the solver.
    Certified,
    /// Proved, unless two positions had the same 64-bit hash.
    Hashed {
        /// An upper bound on the chance of that.
        error: f64,
    },
    /// An estimate.
    Estimated {
        /// How many playouts or evaluated positions it rests on.
        visits: u64,
        /// One standard error of the score; 1 if nothing is known about it.
        error: f64,
    },
}

impl Certainty {
    /// An estimate from the mean of so many results between -1 and 1.
    #[must_use]
    pub fn of_visits(visits: u64) -> Self {
        Self::Estimated { visits, error: 1.0 / (visits.max(1) as f64).sqrt() }
    }

    /// Whether the value is more than an estimate.
    #[must_use]
    pub const fn is_certain(self) -> bool {
        !matches!(self, Self::Estimated { .. })
    }

    /// The less certain of two: what a value is worth that rests on both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Estimated { visits, error }, Self::Estimated { visits: more, error: larger }) => {
                Self::Estimated { visits: visits.min(more), error: error.max(larger) }
            }
            (estimated @ Self::Estimated { .. }, _) | (_, estimated @ Self::Estimated { .. }) => estimated,
            (Self::Hashed { error }, Self::Hashed { error: other }) => Self::Hashed { error: (error + other).min(1.0) },
            (hashed @ Self::Hashed { .. }, _) | (_, hashed @ Self::Hashed { .. }) => hashed,
            (Self::Certified, Self::Certified) => Self::Certified,
            _ => Self::Proved,
        }
    }
}

/// The chances of the three outcomes, where luck or hidden cards decide. They sum to 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Chances {
    /// To win.
    pub win: f64,
    /// To draw.
    pub draw: f64,
    /// To lose.
    pub loss: f64,
}

/// What a position or a move is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    /// The result with best play of both sides, if it is certain and luck does not decide it.
    pub outcome: Option<Outcome>,
    /// From -1 (lost) to 1 (won).
    pub score: f64,
    /// By how many cards the side to move owns more than the other at the end, where games are won by a margin; a mean
    /// where luck decides.
    pub margin: Option<f64>,
    /// The chances of the outcomes, where luck or hidden cards decide.
    pub chances: Option<Chances>,
    /// How sure all of this is.
    pub certainty: Certainty,
}

impl Value {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        outcome: None,
        score: 0.0,
        margin: None,
        chances: None,
        certainty: Certainty::Estimated { visits: 0, error: 1.0 },
    };

    /// A result that is certain.
    #[must_use]
    pub fn certain(outcome: Outcome, certainty: Certainty) -> Self {
        Self { outcome: Some(outcome), score: outcome.score(), margin: None, chances: None, certainty }
    }

    /// An exact result.
    #[must_use]
    pub fn proved(outcome: Outcome) -> Self {
        Self::certain(outcome, Certainty::Proved)
    }

    /// A score that is not certain.
    #[must_use]
    pub fn estimated(score: f64, certainty: Certainty) -> Self {
        Self { score, certainty, ..Self::UNKNOWN }
    }

    /// The same value seen by the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            outcome: self.outcome.map(Outcome::reversed),
            score: -self.score,
            margin: self.margin.map(|margin| -margin),
            chances: self.chances.map(|Chances { win, draw, loss }| Chances { win: loss, draw, loss: win }),
            certainty: self.certainty,
        }
    }
}
