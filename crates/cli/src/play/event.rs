//! The events of `play --json`, one per line.

use api::{Analysis, MoveView, Played, View};
use serde::Serialize;

/// An event of the game, or a request for input.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "lowercase")]
pub(crate) enum Event<'a> {
    /// A game starts.
    Game {
        /// The game and its rules.
        title: &'a str,
        /// Which sides people play.
        who: &'a str,
    },
    /// A message.
    Note {
        /// The text.
        text: &'a str,
    },
    /// A person has to move.
    Ask {
        /// The name of the player.
        player: &'a str,
    },
    /// The current position.
    Position {
        /// What there is to see.
        view: &'a View,
    },
    /// A move was played.
    Move {
        /// `you` or `engine`.
        by: &'a str,
        /// The move and its effect.
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
    /// An input line was refused.
    Refused {
        /// Why.
        text: &'a str,
    },
}
