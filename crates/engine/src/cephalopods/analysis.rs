//! What is said about a position of the two-player game, whichever engine says it.

use grid::{Notation, Versus};
use search::OutOfMemory;
use serde::Serialize;

/// An engine for one board: its rules, and what it says about their positions.
pub trait Analyst {
    /// The rules.
    type Rules: Notation + Versus;

    /// The rules.
    fn rules(&self) -> &Self::Rules;

    /// How many columns the board has.
    fn columns(&self) -> usize;

    /// Everything about a position.
    ///
    /// # Errors
    /// If there is no memory.
    fn analyse(&mut self, position: &<Self::Rules as grid::Game>::Position) -> Result<Analysis, OutOfMemory>;
}

/// The answer for a position. Values are for the player who moves, between -1 (lost) and 1 (won).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Analysis {
    /// The position, as read.
    pub position: String,
    /// The rule by which the full board is judged.
    pub rule: &'static str,
    /// Who moves: `A` or `B`.
    pub mover: char,
    /// With best play of both; an estimate unless `exact`.
    pub value: f64,
    /// Whether the value is proved.
    pub exact: bool,
    /// The move to make; none when the game is over.
    pub best: Option<String>,
    /// Every move, best first.
    pub moves: Vec<MoveValue>,
    /// Best play of both, as far as it is known.
    pub line: Vec<String>,
    /// What was looked at: boards of the table, or nodes of the search.
    pub nodes: u64,
    /// Time spent.
    pub seconds: f64,
}

/// A move and its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveValue {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// For the player who makes it.
    pub value: f64,
    /// Whether it is proved.
    pub exact: bool,
}
