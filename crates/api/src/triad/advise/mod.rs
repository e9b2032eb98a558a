//! Which move now, when the opponent's hand is hidden?
//!
//! | file | contents |
//! |---|---|
//! | `mod` | the question and the answer |
//! | `game` | the game that a question describes |
//! | `log` | the games of a log |

mod game;
mod log;

pub use game::{HiddenCell, HiddenGame};
pub use log::{LogAnswer, LoggedGame, log};

use super::deal::CardRef;
use super::opponent::OpponentQuestion;
use crate::fault::Fault;
use crate::limits::Limits;
use engine::triad::advise::{self, Bounds, Measures, Query};
use engine::triad::cards::{Book, NpcBook};
use engine::{Control, Outcome, Progress};
use game::side_name;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A game against an opponent whose hand is hidden, and what was seen of it so far.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct AdviseQuestion {
    /// `ff8` or `ff14`; `ff14` if left out.
    #[serde(alias = "edition", skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Names of rules. Those of a named opponent are added.
    pub rules: Vec<String>,
    /// The rules that Roulette brought, if it is in force.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roulette: Vec<String>,
    /// The element of each cell, as a number like that of a card; no elements if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell_elements: Option<Vec<u32>>,
    /// Your five cards at the start of the game, before Swap; under Order in playing order.
    pub hand: Vec<CardRef>,
    /// The opponent.
    pub opponent: OpponentQuestion,
    /// What Swap exchanged, if it is in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swap: Option<SwapText>,
    /// Who plays the first card, `me` or `opponent`; if left out, the player of the first move, or `me`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The moves so far, as in `me:Titan@4` and `opponent:Ifrit@0`; cells 0 to 8, row by row.
    pub moves: Vec<String>,
    /// Cards that you saw in the hand of the opponent, played or not.
    pub seen: Vec<CardRef>,
    /// Under Chaos, the card that was drawn for your turn now. If left out, the moves of each card that may be drawn are
    /// answered, grouped by card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<CardRef>,
    /// How often a draw is replayed with the cards that each player owns. The open solver's result of the replay then counts
    /// in place of the draw, in every measure. 0 if left out: a draw is a draw.
    pub replays: u32,
    /// What to play for against random and greedy play: `points` (a win 1, a draw 1/2) or `win`; `points` if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aim: Option<Aim>,
    /// Whether to compute the chances against greedy play too.
    pub greedy: bool,
    /// What the advice may spend.
    pub limits: Limits,
}

/// What Swap exchanged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SwapText {
    /// Your card that went to the opponent.
    pub gave: CardRef,
    /// His card that came to you.
    pub got: CardRef,
}

/// What to play for against random and greedy play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Aim {
    /// A win counts 1, a draw 1/2.
    #[default]
    Points,
    /// Wins, and of equal chances to win, draws.
    Win,
}

/// What is known of every move, best first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct AdviseAnswer {
    /// The number of hands that the opponent may still hold.
    pub worlds: usize,
    /// Who is to move, `me` or `opponent`.
    pub turn: String,
    /// The result for you, if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Outcome>,
    /// The best move; none on the turn of the opponent, after the game, and while the card that Chaos draws is not told.
    pub best: Option<String>,
    /// Your moves, best first: by `certain`, then `guaranteed`, then `careful` under Chaos, then `random`. Grouped by card
    /// while the card that Chaos draws is not told.
    pub moves: Vec<MoveMeasures>,
    /// The measures of the position itself.
    pub position: PositionMeasures,
    /// Whether every number is exact. If not, some are bounds or estimates, and say so.
    pub complete: bool,
    /// Nodes visited; 0 if the answer was kept from before.
    pub nodes: u64,
    /// Seconds used.
    pub seconds: f64,
}

/// The measures of a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MoveMeasures {
    /// The move, with the card as the question named it: `Titan@4`.
    #[serde(rename = "move")]
    pub mv: String,
    /// The measures after the move.
    #[serde(flatten)]
    pub measures: PositionMeasures,
}

/// Measures that are never mixed, because each has a model of its own. Under Chaos `certain` and `guaranteed` hold whatever is
/// drawn, for both players.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PositionMeasures {
    /// The result against perfect play, whatever hand the opponent holds. A lower bound if `at_most` is there.
    pub certain: Outcome,
    /// In how many hands one strategy wins, and does not lose, against the best defence. Lower bounds if `at_most` is
    /// there.
    pub guaranteed: Guaranteed,
    /// Upper bounds, if `certain` or `guaranteed` is not exact yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<AtMost>,
    /// The chances against an opponent who plays a random card on a random cell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random: Option<ModelChances>,
    /// Under Chaos: the chances if the opponent's card is drawn and he places it where it costs you most, knowing no more
    /// than you do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub careful: Option<ModelChances>,
    /// The chances against an opponent who captures as many cards as he can at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub greedy: Option<ModelChances>,
}

/// In how many of the remaining hands one fixed strategy reaches a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Guaranteed {
    /// It wins.
    pub win: u32,
    /// It does not lose; this may be another strategy.
    pub not_lose: u32,
}

/// Upper bounds of `certain` and `guaranteed`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AtMost {
    /// Of `certain`.
    pub certain: Outcome,
    /// Of `guaranteed`.
    pub guaranteed: Guaranteed,
}

/// Chances under a model of the opponent.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ModelChances {
    /// To win.
    pub win: f64,
    /// To draw.
    pub draw: f64,
    /// To lose.
    pub loss: f64,
    /// Whether they are exact; if not, `error` says how far off they may be.
    pub exact: bool,
    /// One standard error, the largest of the three.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

impl HiddenGame {
    fn answer(&self, found: &advise::Advice, seconds: f64) -> AdviseAnswer {
        let moves: Vec<MoveMeasures> = found
            .moves
            .iter()
            .map(|advice| MoveMeasures { mv: self.move_text(advice.mv), measures: write(&advice.measures) })
            .collect();
        AdviseAnswer {
            worlds: found.worlds,
            turn: side_name(self.deal.turn(&self.position)).to_owned(),
            result: self.deal.result(&self.position),
            best: moves.first().filter(|_| !self.is_drawn_later()).map(|best| best.mv.clone()),
            moves,
            position: write(&found.position),
            complete: found.complete,
            nodes: found.nodes,
            seconds,
        }
    }
}

pub(super) fn write(measures: &Measures) -> PositionMeasures {
    let Measures { certain, win, not_lose, random, careful, greedy } = *measures;
    let chances = |found: advise::Chances| ModelChances {
        win: found.win,
        draw: found.draw,
        loss: found.loss,
        exact: found.error.is_none(),
        error: found.error,
    };
    let is_exact = certain.is_exact() && win.is_exact() && not_lose.is_exact();
    let of = |end: fn(&Bounds<u32>) -> u32| Guaranteed { win: end(&win), not_lose: end(&not_lose) };
    PositionMeasures {
        certain: certain.low,
        guaranteed: of(|bounds| bounds.low),
        at_most: (!is_exact).then(|| AtMost { certain: certain.high, guaranteed: of(|bounds| bounds.high) }),
        random: random.map(chances),
        careful: careful.map(chances),
        greedy: greedy.map(chances),
    }
}

/// The measures of the position and of every move. Partial answers go to the progress callback. With a folder, exact answers
/// before the first card are kept there, and found there.
///
/// # Errors
/// If the question is wrong; the fault names the field.
pub fn advise(
    question: &AdviseQuestion,
    book: Option<&Book>,
    npcs: Option<&NpcBook>,
    kept: Option<&Path>,
    control: &Control<'_>,
) -> Result<AdviseAnswer, Fault> {
    let game = question.read(book, npcs)?;
    let begun = control.elapsed();
    let translate = |progress: &Progress<'_>| {
        let found = progress.partial::<advise::Advice>();
        let partial = found.map(|found| game.answer(found, progress.time.as_secs_f64()));
        control.pass_on(progress, partial.as_ref());
    };
    let aim = match question.aim.unwrap_or_default() {
        Aim::Points => advise::Aim::Points,
        Aim::Win => advise::Aim::Win,
    };
    let query = Query { aim, greedy: question.greedy, ..Query::default() };
    let part = control.part().progress(&translate);
    let found = match kept {
        #[cfg(feature = "files")]
        Some(folder) => advise::advise_kept(folder, &game.deal, &game.position, &query, &part),
        _ => advise::advise(&game.deal, &game.position, &query, &part),
    };
    Ok(game.answer(&found, control.elapsed().saturating_sub(begun).as_secs_f64()))
}
