//! Replays a recorded game move by move.

use super::deal::{DealQuestion, move_label, position_text};
use super::view::counters;
use crate::fault::Fault;
use engine::triad::NamedDeal;
use engine::triad::cards::Book;
use grid::{Cell, Game, Player};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use triad::{Move, Position, explain};

/// A game to replay.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ReplayQuestion {
    /// The deal and its moves.
    pub deal: DealQuestion,
    /// Whether to explain every capture.
    #[serde(default)]
    pub explain: bool,
}

/// A game that was replayed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ReplayAnswer {
    /// After each move the owner of each cell: `A`, `B`, or `.` for an empty cell.
    pub owners_after_each_move: Vec<String>,
    /// How many of the ten cards A owns after the last move.
    pub score_a: u32,
    /// Every move with its captures, if they are to be explained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<ReplayMove>>,
    /// The position after the last move, in its one-line form.
    pub position: String,
}

/// A move of a replay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ReplayMove {
    /// As in `a:Squall@5`.
    #[serde(rename = "move")]
    pub mv: String,
    /// The captures, in the order of the rules.
    pub flips: Vec<ReplayFlip>,
    /// Under Ascension and Descension, what each type had gained or lost before the move.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, i32>,
}

/// A card that was captured.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ReplayFlip {
    /// The cell of the captured card.
    pub cell: usize,
    /// Its name.
    pub card: String,
    /// Why, as in `Same 7=7 up, left`.
    pub cause: String,
}

/// Replays a game.
///
/// # Errors
/// If the deal is wrong, or at the first illegal move.
pub fn replay(question: &ReplayQuestion, book: Option<&Book>) -> Result<ReplayAnswer, Fault> {
    let deal = &question.deal;
    let inside = |fault: Fault| Fault { field: format!("deal.{}", fault.field), ..fault };
    let game = deal.deal(book).map_err(inside)?;
    let mut position = game.deal.start();
    let (mut owners, mut moves) = (Vec::new(), Vec::new());
    for number in 0..deal.moves.len() {
        let mv = deal.move_at(number, &game, &position).map_err(inside)?;
        if question.explain {
            moves.push(explained(&game, &position, mv));
        }
        position = game.deal.play_unchecked(&position, mv);
        owners.push(Cell::ALL.map(|cell| owner(&position, cell)).iter().collect());
    }
    Ok(ReplayAnswer {
        owners_after_each_move: owners,
        score_a: position.score(),
        moves: question.explain.then_some(moves),
        position: position_text(&game, &position),
    })
}

fn owner(position: &Position, cell: Cell) -> char {
    match position.card_at(cell).map(|card| position.owner(card)) {
        Some(Player::First) => 'A',
        Some(Player::Second) => 'B',
        None => '.',
    }
}

/// The captures of a move, with their reasons.
pub(super) fn explained(game: &NamedDeal, position: &Position, mv: Move) -> ReplayMove {
    let flips = explain::explain(&game.deal, position, mv);
    let flip = |flip: explain::Flip| ReplayFlip {
        cell: flip.cell.index(),
        card: position.card_at(flip.cell).map_or_else(String::new, |card| game.names[usize::from(card)].clone()),
        cause: flip.cause.to_string(),
    };
    ReplayMove { mv: move_label(game, mv), flips: flips.iter().map(flip).collect(), counters: counters(game, position) }
}
