//! A session: one game, with what its engine keeps between questions (tree, tables, solved positions).
//!
//! Callers that work with any game (the engine protocol, a match, the board in the terminal, the page) all use this
//! trait, so they cannot disagree. A session has base options. The options of a question override them for that
//! question only.

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
    /// All games, in a fixed order.
    pub const ALL: [Self; 3] = [Self::Cephalopods, Self::Triad, Self::Uttt];

    /// The name, as on the command line and in the addresses of the page.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cephalopods => "cephalopods",
            Self::Triad => "triad",
            Self::Uttt => "uttt",
        }
    }

    /// The game with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.name() == name)
    }

    /// A session of this game with the default options.
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
/// The caller sets the limits of a question on the control ([`Limits::apply`](crate::Limits::apply)); the session reads
/// only the control. The progress callback of the control gets partial answers of type [`Analysis`].
pub trait Session: Send {
    /// The game.
    fn game(&self) -> GameName;

    /// The options of the game and their values.
    fn settings(&self) -> Vec<Setting>;

    /// The base options: in force where a question sets no option.
    fn base(&self) -> &Options;

    /// Replaces the base options.
    ///
    /// # Errors
    /// If the game has no such option or value; the old ones stay.
    fn set_base(&mut self, options: &Options) -> Result<(), Fault>;

    /// Does the work that would make the first answer slow, within the memory limit of the control.
    fn prepare(&mut self, _control: &Control<'_>) {}

    /// The view of a position. It needs no search.
    ///
    /// # Errors
    /// If an option, the position or a move is wrong.
    fn look(&mut self, question: &PositionQuestion) -> Result<View, Fault> {
        Ok(self.play(question)?.view)
    }

    /// The effect of each move, and the position after the last one.
    ///
    /// # Errors
    /// If an option, the position or a move is wrong.
    fn play(&mut self, question: &PositionQuestion) -> Result<PlayAnswer, Fault>;

    /// The effect of one move.
    ///
    /// # Errors
    /// If an option, the position or the move is wrong.
    fn explain(&mut self, question: &ExplainQuestion) -> Result<Played, Fault> {
        let moves = vec![question.mv.clone()];
        let question =
            PositionQuestion { position: question.position.clone(), moves, options: question.options.clone() };
        let answer = self.play(&question).map_err(|mut fault| {
            if fault.field == "moves[0]" {
                fault.field = "move".to_owned();
            }
            fault
        })?;
        answer.played.into_iter().next().ok_or_else(|| Fault::question("move", "no move was given"))
    }

    /// The value of each move.
    ///
    /// # Errors
    /// If the question is wrong or there is not enough memory.
    fn analyse(&mut self, question: &AnalyseQuestion, control: &Control<'_>) -> Result<Analysis, Fault>;

    /// The proved value of the position.
    ///
    /// # Errors
    /// If the question is wrong or there is not enough memory.
    fn solve(&mut self, question: &SolveQuestion, control: &Control<'_>) -> Result<Analysis, Fault>;

    /// Counts sequences of moves.
    ///
    /// # Errors
    /// If the question is wrong, or a limit was reached.
    fn perft(&mut self, question: &PerftQuestion, control: &Control<'_>) -> Result<PerftAnswer, Fault>;

    /// The move of the opening book; nothing if the game has no book, or the position is not in it.
    ///
    /// # Errors
    /// If an option, the position or a move is wrong.
    fn book_move(&mut self, _question: &PositionQuestion) -> Result<Option<String>, Fault> {
        Ok(None)
    }

    /// The move of a player of some strength.
    ///
    /// An exact engine has no weaker search, so it makes mistakes on purpose: at level `n` it plays the best move `n`
    /// times out of ten and a random legal move otherwise, chosen by the seed and the position.
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
            return Ok(ChooseAnswer { mv: analysis.best, book: false });
        }
        let seed = analysis.position.bytes().fold(question.seed, |seed, byte| grid::mix(seed ^ u64::from(byte)));
        let mut rng = Rng::new(seed);
        if rng.below(STRONGEST) < level {
            return Ok(ChooseAnswer { mv: analysis.best, book: false });
        }
        let look = PositionQuestion { options: question.options.clone(), ..PositionQuestion::at(analysis.position) };
        let moves = self.look(&look)?.moves;
        Ok(ChooseAnswer { mv: rng.pick(moves.into_iter()).map(|mv| mv.mv), book: false })
    }
}

/// The level of a question, if it is valid.
pub(crate) fn checked_level(question: &ChooseQuestion) -> Result<u32, Fault> {
    let fault = || Fault::question("level", format_args!("a level is a number from 1 to {STRONGEST}"));
    Some(question.level).filter(|level| (1..=STRONGEST).contains(level)).ok_or_else(fault)
}

/// Adds the index of the move to the field of a fault.
pub(crate) fn in_moves(number: usize) -> impl Fn(Fault) -> Fault {
    move |fault| Fault { field: format!("moves[{number}]"), ..fault }
}
