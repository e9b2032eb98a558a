//! The questions that all games of two players share, and their smaller answers.
//!
//! | verb | question | answer |
//! |---|---|---|
//! | look, play | [`PositionQuestion`] | [`View`], [`PlayAnswer`] |
//! | explain | [`ExplainQuestion`] | [`Played`] |
//! | analyse | [`AnalyseQuestion`] | [`Analysis`](crate::Analysis) |
//! | solve | [`SolveQuestion`] | [`Analysis`](crate::Analysis) |
//! | choose | [`ChooseQuestion`] | [`ChooseAnswer`] |
//! | perft | [`PerftQuestion`] | [`PerftAnswer`] |
//!
//! Start from `Default::default()` and set the fields you need; every field is optional. Without a position a question
//! is about the start of the game, without options it uses the default rules, and without limits it is unlimited.

use crate::limits::Limits;
use crate::options::Options;
use crate::view::{Played, View};
use serde::{Deserialize, Serialize};

/// The strongest level of play.
pub const STRONGEST: u32 = 10;

/// A position, with moves played from there.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct PositionQuestion {
    /// The position as text; the start of the game if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves to play from the position.
    pub moves: Vec<String>,
    /// The rules.
    pub options: Options,
}

/// A move to be explained.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ExplainQuestion {
    /// The position as text; the start of the game if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The rules.
    #[serde(default)]
    pub options: Options,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
}

/// What is each move worth?
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct AnalyseQuestion {
    /// The position as text; the start of the game if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves to play from the position.
    pub moves: Vec<String>,
    /// The rules.
    pub options: Options,
    /// What the analysis may spend.
    pub limits: Limits,
    /// Number of best moves to show; every legal move if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
}

/// What is the position worth for certain? Without a proof within the limits there is no value.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct SolveQuestion {
    /// The position as text; the start of the game if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves to play from the position.
    pub moves: Vec<String>,
    /// The rules.
    pub options: Options,
    /// What the proof may spend.
    pub limits: Limits,
    /// UTTT: whether only the value is proved, and no move gets one. It excludes `all_moves` and `line`.
    pub value_only: bool,
    /// Whether every move gets its value, and not only the best moves.
    pub all_moves: bool,
    /// Whether the best move gets its principal variation.
    pub line: bool,
    /// Triple Triad: how many replays of a draw to look ahead; five under Sudden Death if left out, otherwise none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replays: Option<u32>,
}

/// Which move does a player of some strength make?
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ChooseQuestion {
    /// The position as text; the start of the game if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves to play from the position.
    pub moves: Vec<String>,
    /// The rules.
    pub options: Options,
    /// What the choice may cost.
    pub limits: Limits,
    /// The strength, from 1 (a beginner) to 10 (full strength).
    pub level: u32,
    /// The seed of the mistakes of a weaker player.
    pub seed: u64,
    /// UTTT: whether the opening book answers where it can; only at full strength.
    pub book: bool,
}

impl Default for ChooseQuestion {
    fn default() -> Self {
        Self {
            position: None,
            moves: Vec::new(),
            options: Options::default(),
            limits: Limits::default(),
            level: STRONGEST,
            seed: 1,
            book: true,
        }
    }
}

/// How many sequences of moves are there?
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PerftQuestion {
    /// The position as text; the start of the game if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves to play from the position.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The rules.
    #[serde(default)]
    pub options: Options,
    /// What the count may cost.
    #[serde(default)]
    pub limits: Limits,
    /// The length of the sequences.
    pub depth: u32,
}

/// Moves that were played, and where they lead.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PlayAnswer {
    /// The position before the first move.
    pub start: String,
    /// What each move did.
    pub played: Vec<Played>,
    /// The position after the last move.
    pub view: View,
}

/// The move of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ChooseAnswer {
    /// The move; none when the game is over.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// UTTT: whether the move is from the opening book.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
}

/// How many sequences of moves there are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PerftAnswer {
    /// The position.
    pub position: String,
    /// The length of the sequences.
    pub depth: u32,
    /// Their number.
    pub leaves: u64,
    /// The number below each move, in the order of the rules.
    pub moves: Vec<MoveLeaves>,
}

/// How many sequences begin with a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MoveLeaves {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The number of sequences.
    pub leaves: u64,
}

/// Access to the fields that every question about a position has.
#[derive(Clone, Copy)]
pub(crate) struct PositionPart<'a> {
    pub(crate) position: Option<&'a str>,
    pub(crate) moves: &'a [String],
    pub(crate) options: &'a Options,
}

macro_rules! has_place {
    ($($question:ty),*) => {$(
        impl $question {
            pub(crate) fn place(&self) -> PositionPart<'_> {
                PositionPart { position: self.position.as_deref(), moves: &self.moves, options: &self.options }
            }

            /// A question about this position.
            #[must_use]
            pub fn at(position: impl Into<String>) -> Self {
                Self { position: Some(position.into()), ..Self::default() }
            }
        }
    )*};
}
has_place!(PositionQuestion, AnalyseQuestion, SolveQuestion, ChooseQuestion, PerftQuestion);
