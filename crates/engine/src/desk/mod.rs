//! One desk for all games of two: positions and moves as text, answers as plain values.
//!
//! Whoever drives a game without caring which one it is (the engine protocol, a match, the board in the terminal, the
//! page) asks here, so that no two of them can disagree.
//!
//! | question | asked by |
//! |---|---|
//! | what does the board look like, who moves, what may be played? | [`Desk::look`] |
//! | what does this move do? | [`Desk::play`] |
//! | what is each move worth? | [`Desk::analyse`] |
//! | what would a player of this strength do? | [`Desk::choose`] |

mod cephalopods;
mod triad;
mod uttt;
mod view;

pub use cephalopods::Cephalopods;
pub use triad::Triad;
pub use uttt::Uttt;
pub use view::{BoardView, CardView, Die, Flip, MoveView, Played, View};

use grid::simd::Isa;
use grid::{Player, Rng, TextError};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The games of two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameName {
    /// Cephalopods for two.
    Cephalopods,
    /// Triple Triad.
    Triad,
    /// Ultimate Tic-Tac-Toe.
    Uttt,
}

impl GameName {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Cephalopods, Self::Triad, Self::Uttt];

    /// As the command line and the addresses of the page have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cephalopods => "cephalopods",
            Self::Triad => "triad",
            Self::Uttt => "uttt",
        }
    }

    /// The game of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.name() == name)
    }

    /// A desk for this game with every option at its default.
    #[must_use]
    pub fn desk(self, isa: Isa) -> Box<dyn Desk> {
        match self {
            Self::Cephalopods => Box::new(Cephalopods::new(isa)),
            Self::Triad => Box::new(Triad::new(isa)),
            Self::Uttt => Box::new(Uttt::new(isa)),
        }
    }
}

/// A question that cannot be answered, and which part of it is to blame.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// `position`, `move`, or the name of an option; empty if it is not the question's fault.
    pub field: &'static str,
    /// What is wrong.
    pub message: String,
}

impl Fault {
    /// A part of the question is wrong.
    #[must_use]
    pub fn new(field: &'static str, message: impl std::fmt::Display) -> Self {
        Self { field, message: message.to_string() }
    }

    /// The question was right, but something failed.
    #[must_use]
    pub fn run(message: impl std::fmt::Display) -> Self {
        Self::new("", message)
    }

    /// A text that cannot be read.
    #[must_use]
    pub fn text(field: &'static str, fault: &TextError, text: &str) -> Self {
        Self::new(field, fault.pointing_into(text))
    }
}

/// Something about a desk that can be set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Setting {
    /// Its name, one word.
    pub name: &'static str,
    /// What it is at.
    pub value: String,
    /// What it can be.
    pub kind: SettingKind,
}

/// What a setting can be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SettingKind {
    /// One of these words.
    Choice(Vec<&'static str>),
    /// A number within bounds.
    Number {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// Any text.
    Text,
}

impl Setting {
    fn choice(name: &'static str, value: &str, choices: &[&'static str]) -> Self {
        Self { name, value: value.to_owned(), kind: SettingKind::Choice(choices.to_vec()) }
    }

    fn number(name: &'static str, value: u64, least: u64, most: u64) -> Self {
        Self { name, value: value.to_string(), kind: SettingKind::Number { least, most } }
    }
}

/// Reads the number of a setting.
fn number(name: &'static str, value: &str, least: u64, most: u64) -> Result<u64, Fault> {
    let number = value.trim().parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| Fault::new(name, format_args!("{name} is a number from {least} to {most}, not `{value}`")))
}

/// Finds the choice of a setting.
fn choice<T>(name: &'static str, value: &str, choices: &[(&'static str, T)]) -> Result<T, Fault>
where
    T: Copy,
{
    let found = choices.iter().find(|(known, _)| known.eq_ignore_ascii_case(value.trim()));
    found.map(|(_, choice)| *choice).ok_or_else(|| {
        let known: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        Fault::new(name, format_args!("{name} is one of {}, not `{value}`", known.join(", ")))
    })
}

/// How hard to look at a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// Wall clock, in milliseconds.
    #[serde(rename = "time_ms")]
    pub time: Option<u64>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Moves ahead.
    pub depth: Option<u32>,
    /// How many moves to tell, best first; every legal one if left out.
    pub lines: Option<usize>,
    /// For [`Desk::choose`]: from 1 (a beginner) to 10 (all it has).
    pub level: u32,
    /// For [`Desk::choose`] below the highest level: the seed of what is left to chance.
    pub seed: u64,
    /// Prove the value instead of judging it; the answer may then have no value at all when the time is up.
    pub prove: bool,
    /// Raised from outside to stop.
    #[serde(skip)]
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Request {
    /// The strongest level.
    pub const STRONGEST: u32 = 10;

    /// So much time for every legal move.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self { time: Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)), ..Self::default() }
    }

    /// The limits for a search: a second if there is none at all.
    fn budget(&self) -> search::Budget {
        let unlimited = self.time.is_none() && self.nodes.is_none() && self.depth.is_none() && self.cancel.is_none();
        let time = self.time.or(unlimited.then_some(1000)).map(Duration::from_millis);
        search::Budget { time, nodes: self.nodes, depth: self.depth, cancel: self.cancel.clone() }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(std::sync::atomic::Ordering::Relaxed))
    }
}

impl Default for Request {
    fn default() -> Self {
        Self {
            time: None,
            nodes: None,
            depth: None,
            lines: None,
            level: Self::STRONGEST,
            seed: 1,
            prove: false,
            cancel: None,
        }
    }
}

/// A result, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Outcome {
    /// Of a number that is positive for a win.
    #[must_use]
    pub fn of(value: i32) -> Self {
        [Self::Loss, Self::Draw, Self::Win][(value.signum() + 1) as usize]
    }

    /// 1, 0 or -1.
    #[must_use]
    pub fn score(self) -> f64 {
        self as i32 as f64 - 1.0
    }
}

/// One move and what is known of it, for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The move, as [`Desk::play`] takes it; one word.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move for people.
    pub label: String,
    /// The proved result.
    pub outcome: Option<Outcome>,
    /// Whether the score is certain: a proved result, or an exact mean where luck decides.
    pub exact: bool,
    /// From -1 (lost) to 1 (won).
    pub score: f64,
    /// By how many cards more than the other's the game is won, where it is won by a margin.
    pub margin: Option<f64>,
    /// How play may go on, this move included.
    pub line: Vec<String>,
}

/// What is known of a position, for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Analysis {
    /// The position, in its one-line form.
    pub position: String,
    /// The proved result.
    pub outcome: Option<Outcome>,
    /// Whether the score is certain.
    pub exact: bool,
    /// From -1 (lost) to 1 (won).
    pub score: f64,
    /// By how many cards more than the other's the game is won, where it is won by a margin.
    pub margin: Option<f64>,
    /// The move to make; none when the game is over.
    pub best: Option<String>,
    /// The moves, best first.
    pub lines: Vec<Line>,
    /// Moves looked ahead.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Time spent.
    pub seconds: f64,
}

impl Analysis {
    /// Of a position in which the best line says it all.
    fn of_lines(position: String, mut lines: Vec<Line>, wanted: Option<usize>) -> Self {
        // Stable: moves of equal worth stay in the order of the search. What is proved better than a judgement says
        // comes first only if it is better; a proved loss is never before a judged move.
        lines.sort_by(|a, b| b.score.total_cmp(&a.score));
        if let Some(wanted) = wanted {
            lines.truncate(wanted.max(1));
        }
        Self::in_order(position, lines)
    }

    /// Of lines that are in order already.
    fn in_order(position: String, lines: Vec<Line>) -> Self {
        let first = lines.first();
        Self {
            position,
            outcome: first.and_then(|line| line.outcome),
            exact: first.is_some_and(|line| line.exact),
            score: first.map_or(0.0, |line| line.score),
            margin: first.and_then(|line| line.margin),
            best: first.map(|line| line.mv.clone()),
            depth: first.map_or(0, |line| line.line.len() as u32),
            lines,
            nodes: 0,
            seconds: 0.0,
        }
    }

    /// Of a finished game.
    fn over(position: String, result: i32, mover: Player, margin: Option<f64>) -> Self {
        let outcome = Outcome::of(result * mover.sign());
        Self {
            outcome: Some(outcome),
            exact: true,
            score: outcome.score(),
            margin,
            ..Self::in_order(position, Vec::new())
        }
    }
}

/// A game one can be asked about. Positions and moves are text; the text of a position is all there is to know of it,
/// but for the rules that are set as options.
pub trait Desk: Send {
    /// Which game.
    fn game(&self) -> GameName;

    /// What can be set, and what it is at.
    fn settings(&self) -> Vec<Setting>;

    /// Sets one of them.
    ///
    /// # Errors
    /// If there is no such setting or value.
    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault>;

    /// Does now what would make the first answer slow.
    fn prepare(&mut self) {}

    /// The position before the first move.
    ///
    /// # Errors
    /// If the settings allow none.
    fn start(&self) -> Result<String, Fault>;

    /// Everything about a position that needs no search.
    ///
    /// # Errors
    /// If the text is no position.
    fn look(&self, position: &str) -> Result<View, Fault>;

    /// Plays a move.
    ///
    /// # Errors
    /// If the text is no position, or the move is not legal in it.
    fn play(&self, position: &str, mv: &str) -> Result<Played, Fault>;

    /// Values the moves of a position; `progress` hears of what is known so far.
    ///
    /// # Errors
    /// If the text is no position, or memory is short.
    fn analyse(
        &mut self,
        position: &str,
        request: &Request,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, Fault>;

    /// Counts the sequences of `depth` moves.
    ///
    /// # Errors
    /// If the text is no position.
    fn perft(&self, position: &str, depth: u32) -> Result<u64, Fault>;

    /// The move that a player of `request.level` makes; none when the game is over.
    ///
    /// An exact engine has no weaker search, so it errs on purpose: at level `n` it plays the best move `n` times out
    /// of ten and any legal move otherwise, by the seed and the position.
    ///
    /// # Errors
    /// As for [`analyse`](Self::analyse).
    fn choose(&mut self, position: &str, request: &Request) -> Result<Option<String>, Fault> {
        let level = request.level.clamp(1, Request::STRONGEST);
        let analysis = self.analyse(position, &Request { lines: Some(1), ..request.clone() }, &mut |_| {})?;
        if level == Request::STRONGEST || analysis.best.is_none() {
            return Ok(analysis.best);
        }
        let seed = position.bytes().fold(request.seed, |seed, byte| grid::mix(seed ^ u64::from(byte)));
        let mut rng = Rng::new(seed);
        if rng.below(Request::STRONGEST) < level {
            return Ok(analysis.best);
        }
        let moves = self.look(position)?.moves;
        Ok(rng.pick(moves.into_iter()).map(|mv| mv.mv))
    }
}

/// Counts sequences of moves of any game.
fn count<G: grid::Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.moves(position).len() as u64,
        _ => game.moves(position).map(|mv| count(game, &game.play_unchecked(position, mv), depth - 1)).sum(),
    }
}
