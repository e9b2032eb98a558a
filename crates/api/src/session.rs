//! A session: one game with what its engine remembers between questions (tree, tables, solved positions).
//!
//! Whoever drives a game without caring which one it is (the engine protocol, a match, the board in the terminal, the page)
//! asks here, so that no two of them can disagree. A session has base options, and a question's own options apply on top of
//! them for that question alone.

use crate::analysis::Analysis;
use crate::fault::Fault;
use crate::options::{Options, Setting};
use crate::question::{
    AnalyseQuestion, ChooseAnswer, ChooseQuestion, ExplainQuestion, PerftAnswer, PerftQuestion, PlayAnswer,
    PositionQuestion, STRONGEST, SolveQuestion,
};
use crate::view::{Played, View};
use crate::{cephalopods, triad, uttt};
use engine::Control;
use grid::Rng;
use grid::simd::Isa;
use serde::{Deserialize, Serialize};

/// The games of two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GameName {
    /// Cephalopods for two players.
    Cephalopods,
    /// Triple Triad.
    Triad,
    /// Ultimate Tic-Tac-Toe.
    Uttt,
}

impl GameName {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Cephalopods, Self::Triad, Self::Uttt];

    /// The name, as the command line and the addresses of the page have it.
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

    /// A session of this game with the usual options.
    #[must_use]
    pub fn open(self, isa: Isa) -> Box<dyn Session> {
        match self {
            Self::Cephalopods => Box::new(cephalopods::Session::new(isa)),
            Self::Triad => Box::new(triad::Session::new(isa)),
            Self::Uttt => Box::new(uttt::Session::new(isa)),
        }
    }
}

/// A game that answers questions. Positions and moves are text.
///
/// The limits of a question are set on the control by whoever made it ([`Limits::apply`](crate::Limits::apply)): the
/// session reads only the control. A listener of the control hears partial answers of type [`Analysis`].
pub trait Session: Send {
    /// Which game.
    fn game(&self) -> GameName;

    /// The options of the game and their values.
    fn settings(&self) -> Vec<Setting>;

    /// The base options: those in force when a question does not say otherwise.
    fn base(&self) -> &Options;

    /// Changes the base options to exactly these.
    ///
    /// # Errors
    /// If the game has no such option or value; the old ones stay.
    fn set_base(&mut self, options: &Options) -> Result<(), Fault>;

    /// Does now what would make the first answer slow, with this much memory.
    fn prepare(&mut self, _control: &Control<'_>) {}

    /// Everything about a position that needs no search.
    ///
    /// # Errors
    /// If an option, the position or a move is wrong.
    fn look(&mut self, question: &PositionQuestion) -> Result<View, Fault> {
        Ok(self.play(question)?.view)
    }

    /// What each move of a game did, and the position after the last one.
    ///
    /// # Errors
    /// If an option, the position or a move is wrong.
    fn play(&mut self, question: &PositionQuestion) -> Result<PlayAnswer, Fault>;

    /// What one move does.
    ///
    /// # Errors
    /// If an option, the position or the move is wrong.
    fn explain(&mut self, question: &ExplainQuestion) -> Result<Played, Fault> {
        let moves = vec![question.mv.clone()];
        let question = PositionQuestion { position: question.position.clone(), moves, options: question.options.clone() };
        let answer = self.play(&question).map_err(|mut fault| {
            if fault.field == "moves[0]" {
                fault.field = "move".to_owned();
            }
            fault
        })?;
        answer.played.into_iter().next().ok_or_else(|| Fault::question("move", "no move was given"))
    }

    /// What each move is worth.
    ///
    /// # Errors
    /// If the question is wrong or there is not enough memory.
    fn analyse(&mut self, question: &AnalyseQuestion, control: &Control<'_>) -> Result<Analysis, Fault>;

    /// What the position is worth for certain.
    ///
    /// # Errors
    /// If the question is wrong or there is not enough memory.
    fn solve(&mut self, question: &SolveQuestion, control: &Control<'_>) -> Result<Analysis, Fault>;

    /// Counts sequences of moves.
    ///
    /// # Errors
    /// If the question is wrong, or a limit was reached.
    fn perft(&mut self, question: &PerftQuestion, control: &Control<'_>) -> Result<PerftAnswer, Fault>;

    /// The move that a player of some strength makes.
    ///
    /// An exact engine has no weaker search, so it errs on purpose: at level `n` it plays the best move `n` times out of ten
    /// and any legal move otherwise, by the seed and the position.
    ///
    /// # Errors
    /// As for [`analyse`](Self::analyse).
    fn choose(&mut self, question: &ChooseQuestion, control: &Control<'_>) -> Result<ChooseAnswer, Fault> {
        let level = checked_level(question)?;
        let analyse = AnalyseQuestion {
            position: question.position.clone(),
            moves: question.moves.clone(),
            options: question.options.clone(),
            limits: question.limits.clone(),
            lines: Some(1),
        };
        let analysis = self.analyse(&analyse, control)?;
        if level == STRONGEST || analysis.best.is_none() {
            return Ok(ChooseAnswer { mv: analysis.best });
        }
        let seed = analysis.position.bytes().fold(question.seed, |seed, byte| grid::mix(seed ^ u64::from(byte)));
        let mut rng = Rng::new(seed);
        if rng.below(STRONGEST) < level {
            return Ok(ChooseAnswer { mv: analysis.best });
        }
        let look = PositionQuestion { options: question.options.clone(), ..PositionQuestion::at(analysis.position) };
        let moves = self.look(&look)?.moves;
        Ok(ChooseAnswer { mv: rng.pick(moves.into_iter()).map(|mv| mv.mv) })
    }
}

/// The level of a question, if there is such a level.
pub(crate) fn checked_level(question: &ChooseQuestion) -> Result<u32, Fault> {
    let fault = || Fault::question("level", format_args!("a level is a number from 1 to {STRONGEST}"));
    Some(question.level).filter(|level| (1..=STRONGEST).contains(level)).ok_or_else(fault)
}

/// The fault of one move among several: its field says which move.
pub(crate) fn in_moves(number: usize) -> impl Fn(Fault) -> Fault {
    move |fault| Fault { field: format!("moves[{number}]"), ..fault }
}
