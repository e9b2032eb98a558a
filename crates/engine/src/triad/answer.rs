//! Answers as plain types: what a solver or a replay says, ready to be shown or sent.

use super::chance::ChanceSolution;
use super::request::{GameText, Match, RequestError, player_letter};
use super::solve::{MoveValue, Solver};
use super::sudden::Replays;
use grid::{Cell, Game, Player};
use serde::Serialize;
use std::collections::BTreeMap;
use triad::{HAND, Move, Position, Rule, explain};

/// The value of one move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveAnswer {
    /// As in `a:Squall@5`.
    #[serde(rename = "move")]
    pub mv: String,
    /// How many cards A owns at the end if it is played.
    pub value: u32,
    /// `win`, `draw` or `loss`, for A.
    pub result: &'static str,
    /// The same when draws are played again, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sudden_death: Option<&'static str>,
}

/// The mean of one move under Chaos.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChanceMoveAnswer {
    /// As in `a:Squall@5`.
    #[serde(rename = "move")]
    pub mv: String,
    /// How many cards A owns at the end on average if it is played.
    pub expected: f64,
}

/// A position under Chaos, solved exactly: a mean in place of a value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChanceAnswer {
    /// The position, in one line.
    pub position: String,
    /// Whose turn it is.
    pub mover: char,
    /// How many of the ten cards A owns at the end on average when both play as well as can be; nothing if time was up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
    /// The best moves; if the mover's card is still to be drawn, those of each card. Of the moves that were finished.
    pub best: Vec<String>,
    /// How many moves were finished.
    pub finished: usize,
    /// Of how many.
    pub legal: usize,
    /// Positions looked at.
    pub nodes: u64,
    /// The mean of every move, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<ChanceMoveAnswer>>,
}

/// A position solved exactly.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolveAnswer {
    /// The position, in one line.
    pub position: String,
    /// Whose turn it is.
    pub mover: char,
    /// How many of the ten cards A owns at the end when both play as well as can be.
    pub value: u32,
    /// `win`, `draw` or `loss`, for A.
    pub result: &'static str,
    /// The moves that keep the value; where draws are played again, those that keep the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Vec<String>>,
    /// A line of best play to the end of the game at hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
    /// By card of the mover's hand and cell, the value of the move; nothing where it cannot be played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_moves: Option<Vec<[Option<u32>; 9]>>,
    /// The value of every move again, one after the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveAnswer>>,
    /// `win`, `draw` or `loss` for A when draws are played again, under Sudden Death or if replays were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sudden_death: Option<&'static str>,
    /// Positions looked at.
    pub nodes: u64,
}

/// What a number of cards owned by A means.
#[must_use]
pub const fn result_word(value: u32) -> &'static str {
    match value {
        0..=4 => "loss",
        5 => "draw",
        _ => "win",
    }
}

/// How much is asked of a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The best moves and a line of best play.
    pub best: bool,
    /// The value of every move.
    pub all_moves: bool,
}

/// Solves a position. With `replays` the best moves and the line are those for the result in which draws are played again;
/// the values stay those of the game at hand.
#[must_use]
pub fn solve(
    solver: &mut Solver,
    game: &Match,
    position: &Position,
    wanted: Wanted,
    replays: Option<&Replays>,
) -> SolveAnswer {
    let deal = &game.deal;
    let mover = deal.turn(position);
    let before = solver.nodes();
    let text = |mv: Move| game.move_text(mv);
    let is_each_move_told = wanted.best || wanted.all_moves;
    let again = replays.filter(|_| is_each_move_told).map(|replays| solver.solve_with(deal, position, replays));
    let result = match &again {
        Some(again) => Some(again.value),
        None => replays.map(|replays| solver.result_with(deal, position, replays)),
    };
    let (value, best, line, moves) = if wanted.best {
        let solution = solver.solve(deal, position);
        let told = again.as_ref().unwrap_or(&solution);
        let best = told.best().map(text).collect();
        let line = told.line.iter().copied().map(text).collect();
        (solution.value, Some(best), Some(line), solution.moves)
    } else if wanted.all_moves {
        let moves = solver.moves(deal, position);
        let values = moves.iter().map(|mv| mv.value);
        let value = if mover == Player::First { values.max() } else { values.min() };
        (value.unwrap_or(position.score()), None, None, moves)
    } else {
        (solver.value(deal, position), None, None, Vec::new())
    };
    let base = if mover == Player::First { 0 } else { HAND };
    let first_moves = wanted.all_moves.then(|| {
        let mut table = vec![[None; 9]; HAND];
        for mv in &moves {
            table[usize::from(mv.mv.card()) - base][mv.mv.cell().index()] = Some(mv.value);
        }
        table
    });
    let moves = wanted.all_moves.then(|| {
        let told = |(number, mv): (usize, &MoveValue)| MoveAnswer {
            mv: text(mv.mv),
            value: mv.value,
            result: result_word(mv.value),
            sudden_death: again.as_ref().map(|again| result_word(again.moves[number].value)),
        };
        moves.iter().enumerate().map(told).collect()
    });
    SolveAnswer {
        position: game.position_text(position),
        mover: player_letter(mover),
        value,
        result: result_word(value),
        best,
        line,
        first_moves,
        moves,
        sudden_death: result.map(result_word),
        nodes: solver.nodes() - before,
    }
}

/// A solution under Chaos, told.
#[must_use]
pub fn tell_chances(game: &Match, position: &Position, solution: &ChanceSolution, all_moves: bool) -> ChanceAnswer {
    let told = |(mv, expected): &(Move, f64)| ChanceMoveAnswer { mv: game.move_text(*mv), expected: *expected };
    ChanceAnswer {
        position: game.position_text(position),
        mover: player_letter(game.deal.turn(position)),
        expected: solution.expected,
        best: solution.best.iter().map(|mv| game.move_text(*mv)).collect(),
        finished: solution.moves.len(),
        legal: game.deal.moves(position).len(),
        nodes: solution.nodes,
        moves: all_moves.then(|| solution.moves.iter().map(told).collect()),
    }
}

/// One flip, told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FlipAnswer {
    /// Where the card lies that was taken.
    pub cell: usize,
    /// Its name.
    pub card: String,
    /// As in `Same 7=7 up, left`.
    pub cause: String,
}

/// One move of a replay, told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveTold {
    /// As in `a:Squall@5`.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it took, in the order of the game.
    pub flips: Vec<FlipAnswer>,
    /// Under Ascension and Descension what each type had gained or lost when it was laid.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<&'static str, i32>,
}

/// What Ascension or Descension adds to the cards of each type by now: nothing if no card of a type lies.
#[must_use]
pub fn counters(game: &Match, position: &Position) -> BTreeMap<&'static str, i32> {
    let setup = game.deal.setup();
    let unit = i32::from(setup.rules.has(Rule::Ascension)) - i32::from(setup.rules.has(Rule::Descension));
    let mut counters = BTreeMap::new();
    for card in Cell::ALL.into_iter().filter(|_| unit != 0).filter_map(|cell| position.card_at(cell)) {
        if let Some(kind) = setup.card(card.into()).kind {
            *counters.entry(kind.name()).or_default() += unit;
        }
    }
    counters
}

/// The counters in words, `ascension: primal +2`; nothing if the rules have none.
#[must_use]
pub fn counters_text(game: &Match, position: &Position) -> Option<String> {
    let rules = game.deal.setup().rules;
    let rule = [Rule::Ascension, Rule::Descension].into_iter().find(|rule| rules.has(*rule))?;
    let counted = counters(game, position);
    let counted: Vec<String> = counted.iter().map(|(kind, change)| format!("{kind} {change:+}")).collect();
    Some(format!("{}: {}", rule.name(), if counted.is_empty() { "nothing yet".to_owned() } else { counted.join(", ") }))
}

/// A game replayed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReplayAnswer {
    /// After each move the owner of each cell: `A`, `B`, or `.` where nothing lies.
    pub owners_after_each_move: Vec<String>,
    /// How many of the ten cards A owns after the last move.
    pub score_a: u32,
    /// Every flip with its cause, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveTold>>,
    /// The position after the last move, in one line.
    pub position: String,
}

/// What a move takes and why.
#[must_use]
pub fn tell(game: &Match, position: &Position, mv: Move) -> MoveTold {
    let flips = explain::explain(&game.deal, position, mv);
    let told = flips.iter().map(|flip| FlipAnswer {
        cell: flip.cell.index(),
        card: position.card_at(flip.cell).map_or_else(String::new, |card| game.names[usize::from(card)].clone()),
        cause: flip.cause.to_string(),
    });
    MoveTold { mv: game.move_text(mv), flips: told.collect(), counters: counters(game, position) }
}

/// Replays the moves of a game.
///
/// # Errors
/// At the first move that is forbidden.
pub fn replay(text: &GameText, game: &Match, explained: bool) -> Result<ReplayAnswer, RequestError> {
    let mut position = game.deal.start();
    let (mut owners, mut told) = (Vec::new(), Vec::new());
    for (number, mv) in text.moves.iter().enumerate() {
        let mv =
            game.read_move(&position, mv).map_err(|fault| RequestError(format!("move {}: {fault}", number + 1)))?;
        if explained {
            told.push(tell(game, &position, mv));
        }
        position = game.deal.play_unchecked(&position, mv);
        owners.push(
            Cell::ALL
                .map(|cell| match position.card_at(cell).map(|card| position.owner(card)) {
                    Some(Player::First) => 'A',
                    Some(Player::Second) => 'B',
                    None => '.',
                })
                .iter()
                .collect(),
        );
    }
    Ok(ReplayAnswer {
        owners_after_each_move: owners,
        score_a: position.score(),
        moves: explained.then_some(told),
        position: game.position_text(&position),
    })
}
