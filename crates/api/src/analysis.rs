//! The answer to `analyse` and `solve` of every game: the values of a position and its moves, as text and numbers.

use engine::{Certainty, Chances, Outcome, Value};
use serde::{Deserialize, Serialize};

/// A move and what is known of it. All values are for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Line {
    /// The move, as `play` takes it; one word.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move for people.
    pub label: String,
    /// The result with best play, if it is certain and luck does not decide it.
    pub outcome: Option<Outcome>,
    /// From -1 (lost) to 1 (won).
    pub score: f64,
    /// Triple Triad: how many cards more than the other the side to move owns at the end; a mean where luck decides.
    pub margin: Option<f64>,
    /// The chances of the outcomes, where luck or hidden cards decide.
    pub chances: Option<Chances>,
    /// How sure this is.
    pub certainty: Certainty,
    /// The principal variation, this move included.
    pub line: Vec<String>,
}

/// What is known of a position. All values are for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Analysis {
    /// The position, in its one-line form.
    pub position: String,
    /// The name of the side to move.
    pub mover: String,
    /// The result with best play, if it is certain and luck does not decide it.
    pub outcome: Option<Outcome>,
    /// From -1 (lost) to 1 (won).
    pub score: f64,
    /// Triple Triad: how many cards more than the other the side to move owns at the end; a mean where luck decides.
    pub margin: Option<f64>,
    /// The chances of the outcomes, where luck or hidden cards decide.
    pub chances: Option<Chances>,
    /// How sure this is.
    pub certainty: Certainty,
    /// The best move; none when the game is over or nothing is known.
    pub best: Option<String>,
    /// Every move that is certain to be as good as the best one, as far as that is known.
    pub optimal: Vec<String>,
    /// The moves, best first.
    pub lines: Vec<Line>,
    /// Whether every move that was asked for has its final value.
    pub complete: bool,
    /// Plies searched.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// Time spent.
    pub seconds: f64,
    /// `solve`, as in edition 0.1; null if nothing is known. UTTT: `W`, `D` or `L` for the side to move. Triple Triad: how many of the ten
    /// cards A owns at the end. Cephalopods: from -1 to 1 for the side to move.
    #[serde(default)]
    pub value: Option<LegacyValue>,
    /// UTTT `solve`: whether the value is proved. `complete` tells whether the moves are, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<bool>,
    /// Triple Triad `solve`, as in edition 0.1: `win`, `draw` or `loss` for A.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Outcome>,
    /// Triple Triad `solve` of all moves, as in edition 0.1: by card of the mover's hand and cell, how many cards A owns at
    /// the end; null where the card cannot be played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_moves: Option<Vec<[Option<u32>; 9]>>,
    /// Triple Triad: the outcome for the side to move when draws are played again, if replays were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sudden_death: Option<Outcome>,
}

/// The `value` of edition 0.1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum LegacyValue {
    /// UTTT.
    Letter(Letter),
    /// Triple Triad.
    Cards(u32),
    /// Cephalopods.
    Score(f64),
}

/// Won, drawn or lost for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "the type says it")]
pub enum Letter {
    W,
    D,
    L,
}

impl From<Outcome> for Letter {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self::W,
            Outcome::Draw => Self::D,
            Outcome::Loss => Self::L,
        }
    }
}

impl Line {
    /// The value of the move.
    #[must_use]
    pub fn value(&self) -> Value {
        let Self { outcome, score, margin, chances, certainty, .. } = *self;
        Value { outcome, score, margin, chances, certainty }
    }
}

impl Analysis {
    /// The value of the position.
    #[must_use]
    pub fn value(&self) -> Value {
        let Self { outcome, score, margin, chances, certainty, .. } = *self;
        Value { outcome, score, margin, chances, certainty }
    }

    /// Converts the moves of an engine's analysis into text. `text` writes the one-word form, `label` the form for
    /// people.
    pub(crate) fn write<M: Copy + PartialEq>(
        position: String,
        mover: &str,
        found: &engine::Analysis<M>,
        seconds: f64,
        text: impl Fn(M) -> String,
        label: impl Fn(M) -> String,
    ) -> Self {
        let line = |line: &engine::Line<M>| {
            let Value { outcome, score, margin, chances, certainty } = line.value;
            Line {
                mv: text(line.mv),
                label: label(line.mv),
                outcome,
                score,
                margin,
                chances,
                certainty,
                line: line.line.iter().map(|mv| text(*mv)).collect(),
            }
        };
        let Value { outcome, score, margin, chances, certainty } = found.value;
        Self {
            position,
            mover: mover.to_owned(),
            outcome,
            score,
            margin,
            chances,
            certainty,
            best: found.best().map(&text),
            optimal: found.optimal().map(&text).collect(),
            lines: found.lines.iter().map(line).collect(),
            complete: found.complete,
            depth: found.depth,
            nodes: found.nodes,
            seconds,
            value: None,
            proved: None,
            result: None,
            first_moves: None,
            sudden_death: None,
        }
    }
}
