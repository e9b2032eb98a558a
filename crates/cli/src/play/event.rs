//! What `play --json` prints: one event per line.

use api::{Analysis, MoveView, Played, View};
use serde::Serialize;

/// Something that happened, or a question to the player.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "lowercase")]
pub(crate) enum Event<'a> {
    /// A game begins.
    Game {
        /// The game and its rules.
        title: &'a str,
        /// Which sides people play.
        who: &'a str,
    },
    /// Something to know.
    Note {
        /// What it is.
        text: &'a str,
    },
    /// A person is to move.
    Ask {
        /// The name of the player.
        player: &'a str,
    },
    /// The position now.
    Position {
        /// What there is to see.
        view: &'a View,
    },
    /// A move was made.
    Move {
        /// `you` or `engine`.
        by: &'a str,
        /// The move and what it did.
        played: &'a Played,
    },
    /// The legal moves, after `moves`.
    Moves {
        /// All of them.
        moves: &'a [MoveView],
    },
    /// What the engine knows, after `hint` and `eval`.
    Analysis {
        /// The moves and their values.
        analysis: &'a Analysis,
    },
    /// A line that was not accepted.
    Refused {
        /// Why.
        text: &'a str,
    },
}
