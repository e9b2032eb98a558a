//! A position as a program needs it to draw the board, without any search.

use grid::Player;
use serde::{Deserialize, Serialize};

/// A position without any search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct View {
    /// The one-line form.
    pub position: String,
    /// UTTT: the position as FEN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Who moves next, 1 or 2; in a finished game, who would move.
    pub mover: u32,
    /// What the two players are called.
    pub players: [String; 2],
    /// Moves made so far.
    pub ply: u32,
    /// The legal moves; empty when the game is over.
    pub moves: Vec<MoveView>,
    /// The result for the first player: 1 won, 0 drawn, -1 lost; null until the game is over.
    pub result: Option<i32>,
    /// How the game stands, or how it ended, in words.
    pub status: String,
    /// The board.
    pub board: BoardView,
}

impl View {
    pub(crate) const fn number(player: Player) -> u32 {
        match player {
            Player::First => 1,
            Player::Second => 2,
        }
    }
}

/// A legal move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MoveView {
    /// The move, as `play` takes it; one word.
    #[serde(rename = "move")]
    pub mv: String,
    /// For people.
    pub label: String,
    /// The cell it is made on: 0 to 80 for Ultimate Tic-Tac-Toe (row by row of the whole board), else row by row.
    pub cell: usize,
    /// Triple Triad: the card, 0 to 9.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<u8>,
    /// Cephalopods: the cells whose dice are captured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub captures: Vec<usize>,
}

/// The board of each game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "game", rename_all = "lowercase", deny_unknown_fields)]
#[allow(clippy::large_enum_variant, reason = "there is one board at a time")]
pub enum BoardView {
    /// Cephalopods.
    Cephalopods {
        /// How many rows.
        rows: usize,
        /// How many columns.
        columns: usize,
        /// Row by row; null where there is no die.
        dice: Vec<Option<Die>>,
    },
    /// Triple Triad.
    Triad {
        /// `ff8` or `ff14`.
        edition: String,
        /// The names of the rules in force.
        rules: Vec<String>,
        /// The elements of the nine cells.
        elements: [Option<String>; 9],
        /// The cards on the nine cells, as numbers from 0 to 9.
        cells: [Option<u8>; 9],
        /// The ten cards: five of the first player's hand, five of the second's.
        cards: Vec<CardView>,
        /// How many cards the first player owns.
        score: u32,
    },
    /// Ultimate Tic-Tac-Toe.
    Uttt {
        /// 81 squares, row by row of the whole board: X, O or a point.
        squares: String,
        /// The nine boards: X, O, # for drawn, or a point.
        boards: String,
        /// The boards in which the mover may play.
        open: Vec<usize>,
    },
}

/// A die on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Die {
    /// 1 or 2.
    pub owner: u32,
    /// 1 to 6.
    pub pips: u8,
}

/// A card of a deal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CardView {
    /// Its name, or its sides if it has none.
    pub name: String,
    /// Top, right, bottom, left: 1 to 10.
    pub sides: [u8; 4],
    /// What Ascension, Descension or the element of its cell adds to each side.
    pub change: i8,
    /// Its element or type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its level or stars, if it is a known card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<u8>,
    /// Who owns it now: 1 or 2.
    pub owner: u32,
    /// Whether it is on the board.
    pub laid: bool,
    /// Whether the mover may play it now.
    pub playable: bool,
}

/// A card or die that a move captured.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Flip {
    /// The cell of the card or die.
    pub cell: usize,
    /// Why, in words.
    pub cause: String,
}

/// A move that was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Played {
    /// The move, in its one-word form.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move for people.
    pub label: String,
    /// The captures, in the order of the rules.
    pub flips: Vec<Flip>,
    /// The position after it.
    pub position: String,
}
