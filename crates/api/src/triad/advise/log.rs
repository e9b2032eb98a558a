//! Logs of advised games: the record against each opponent, and which model explains his moves.

use super::AdviseQuestion;
use crate::fault::Fault;
use engine::triad::advise;
use engine::triad::cards::{Book, NpcBook};
use engine::{Control, Outcome};
use serde::{Deserialize, Serialize};

/// A game that was advised and finished: a line of a log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LoggedGame {
    /// The version of the format.
    pub version: u32,
    /// The game with all its moves.
    pub question: AdviseQuestion,
    /// The result for you.
    pub result: Outcome,
    /// The card you won, if it was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drop: Option<String>,
}

impl LoggedGame {
    /// The version of the format.
    pub const VERSION: u32 = 1;
}

/// What a log says about one opponent.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LogAnswer {
    /// The name of the opponent; empty for opponents without a name.
    pub opponent: String,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// The cards that were won, in the order of the games.
    pub drops: Vec<String>,
    /// His moves, without those he had no choice about.
    pub moves: u32,
    /// The natural logarithm of the chance of his moves if he plays a random card on a random cell.
    pub random: f64,
    /// The same if he captures as many cards as he can, but for one random move in twenty.
    pub greedy: f64,
    /// The same if he plays as if both hands were open and keeps the best result, but for one random move in twenty.
    pub perfect: f64,
}

/// The record against each opponent of a log, and how well each model explains his moves.
///
/// # Errors
/// If a game of the log is wrong; the fault gives its number.
pub fn log(
    games: &[LoggedGame],
    book: Option<&Book>,
    npcs: Option<&NpcBook>,
    control: &Control<'_>,
) -> Result<Vec<LogAnswer>, Fault> {
    let mut answers: Vec<LogAnswer> = Vec::new();
    for (number, logged) in games.iter().enumerate() {
        let blame = |fault: Fault| {
            let message = format!("game {}: {}", number + 1, fault.message);
            Fault { message, field: format!("games[{number}]"), ..fault }
        };
        if logged.version != LoggedGame::VERSION {
            let (found, known) = (logged.version, LoggedGame::VERSION);
            return Err(blame(Fault::question("version", format_args!("version {found}; this program reads {known}"))));
        }
        let game = logged.question.read(book, npcs).map_err(blame)?;
        if game.result() != Some(logged.result) {
            return Err(blame(Fault::question("result", "its moves lead to another result")));
        }
        let (logs, moves) =
            advise::likelihoods(&game.deal, &game.start, &game.moves, control).map_err(|error| blame(error.into()))?;
        let name = game.opponent.npc.as_ref().map_or("", |npc| npc.name.as_str());
        let at = answers.iter().position(|answer| answer.opponent == name).unwrap_or_else(|| {
            answers.push(LogAnswer { opponent: name.to_owned(), ..LogAnswer::default() });
            answers.len() - 1
        });
        let answer = &mut answers[at];
        match logged.result {
            Outcome::Win => answer.won += 1,
            Outcome::Draw => answer.drawn += 1,
            Outcome::Loss => answer.lost += 1,
        }
        answer.drops.extend(logged.drop.clone());
        answer.moves += moves;
        let [random, greedy, perfect] = logs;
        (answer.random, answer.greedy, answer.perfect) =
            (answer.random + random, answer.greedy + greedy, answer.perfect + perfect);
        control.report(number as u64 + 1, games.len() as u64);
    }
    Ok(answers)
}
