//! Ultimate Tic-Tac-Toe: the player answers `analyse` and `choose`, the solver answers `solve` and writes certificates.
//!
//! Both notations are read: file and rank (`f4`), or two letters for board and square (`ei`). Labels are written as file and
//! rank, all other moves as two letters.

mod book;
#[cfg(feature = "files")]
mod bundle;
mod proof;
mod puzzles;
mod view;

pub use book::{BookAnswer, BookMove, build_book, shipped_book};
#[cfg(feature = "files")]
pub use bundle::{BundleAnswer, bundle};
pub use engine::uttt::BookPlan;
pub use engine::uttt::network::Network;
pub use engine::uttt::{Accept, Certificate, Evaluation, LEVELS, Level, Move, Position, Rules, SearchKind};
pub use proof::{VerifyAnswer, verify, verify_sealed};
pub use puzzles::{MOST_PUZZLES, Puzzle, PuzzlesAnswer, PuzzlesQuestion, check_puzzles, puzzles, shipped_puzzles};

use crate::analysis::{Analysis, LegacyValue};
use crate::fault::Fault;
use crate::options::{Options, Setting, choice};
use crate::question::{
    AnalyseQuestion, ChooseAnswer, ChooseQuestion, MoveLeaves, PerftAnswer, PerftQuestion, PlayAnswer, PositionPart,
    PositionQuestion, STRONGEST, SolveQuestion,
};
use crate::session::{GameName, checked_level, in_moves};
use crate::view::Played;
use engine::uttt::{Book, Player, Settings, Solver};
use engine::{Control, Error, Progress};
use grid::simd::Isa;
use serde::{Deserialize, Serialize};
#[cfg(feature = "files")]
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The names of the players.
pub(crate) const PLAYERS: [&str; 2] = ["X", "O"];

const OPTIONS: [&str; 4] = ["rule", "search", "evaluation", "seed"];
const DEFAULT_SEED: u64 = 1;
const DEFAULT_MEMORY: usize = 256 << 20;
/// Time limit of an analysis without any limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Which moves are legal?
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct MovesQuestion {
    /// The position as text; the start of the game if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves to play from the position.
    pub moves: Vec<String>,
    /// The rules.
    pub options: Options,
    /// Whether moves are written as file and rank (`f4`) instead of two letters (`ei`).
    pub algebraic: bool,
}

/// The legal moves of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MovesAnswer {
    /// The position.
    pub position: String,
    /// The legal moves, in the order of the rules; empty when the game is over.
    pub moves: Vec<String>,
}

/// A session of Ultimate Tic-Tac-Toe.
///
/// ```
/// use ninefold_api::{Control, Session as _, SolveQuestion, uttt};
/// let mut session = uttt::Session::new(grid::simd::Isa::detect());
/// let text = "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....";
/// let solution = session.solve(&SolveQuestion::at(text), &Control::new())?;
/// assert_eq!((solution.proved, solution.best.as_deref()), (Some(true), Some("ig")));
/// # Ok::<(), ninefold_api::Fault>(())
/// ```
pub struct Session {
    isa: Isa,
    accept: Accept,
    base: Options,
    /// The parsed options in force.
    settings: Settings,
    /// The network of the player, if it is not the built-in one.
    network: Option<Arc<Network>>,
    /// Created on first use and kept with its memory limit. The player's tree is reused for the next move.
    player: Option<(usize, Player)>,
    solver: Option<(usize, Solver)>,
    #[cfg(feature = "files")]
    autosave: Option<(PathBuf, Duration)>,
}

impl Session {
    /// A session with the standard rule.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        let settings = Settings { seed: DEFAULT_SEED, ..Settings::default() };
        let (accept, base) = (Accept::Reachable, Options::default());
        Self {
            isa,
            accept,
            base,
            settings,
            network: None,
            player: None,
            solver: None,
            #[cfg(feature = "files")]
            autosave: None,
        }
    }

    /// Sets which positions are accepted; by default only those that a game can reach.
    #[must_use]
    pub fn accepting(self, accept: Accept) -> Self {
        Self { accept, ..self }
    }

    /// Plays with this network instead of the built-in one. The searches `bestfirst` and `alphabeta` use it.
    #[must_use]
    pub fn with_network(self, network: Arc<Network>) -> Self {
        Self { network: Some(network), player: None, ..self }
    }

    /// The legal moves.
    ///
    /// # Errors
    /// If an option, the position or a move is wrong.
    pub fn moves(&mut self, question: &MovesQuestion) -> Result<MovesAnswer, Fault> {
        let MovesQuestion { position, moves, options, algebraic } = question;
        let position = self.position(PositionPart { position: position.as_deref(), moves, options })?;
        let write = |mv: Move| if *algebraic { mv.algebraic().to_string() } else { mv.to_string() };
        let moves = self.settings.rules.moves(&position).into_iter().map(write).collect();
        Ok(MovesAnswer { position: text(&position), moves })
    }

    /// What the opening book that comes with the program says about a position; nothing if it is not in the book.
    ///
    /// # Errors
    /// If an option, the position or a move is wrong.
    pub fn book(&mut self, question: &PositionQuestion) -> Result<Option<BookAnswer>, Fault> {
        let position = self.position(question.place())?;
        let found = Book::built_in(self.settings.rules).find(&position);
        Ok(found.map(|entry| BookAnswer::new(&position, &entry)))
    }

    /// Solves a position and returns the proof as a certificate.
    ///
    /// # Errors
    /// If the question is wrong, a limit is reached, or the proof does not fit into memory.
    pub fn certify(&mut self, question: &SolveQuestion, control: &Control<'_>) -> Result<Certificate, Fault> {
        let position = self.position(question.place())?;
        Ok(self.solver(control)?.certify(&position, control)?)
    }

    #[cfg(feature = "files")]
    /// Solves a position and writes the proof to a certificate file, whole or not at all.
    ///
    /// # Errors
    /// If the question is wrong, a limit is reached, or the file cannot be written.
    pub fn certify_file(&mut self, question: &SolveQuestion, path: &Path, control: &Control<'_>) -> Result<(), Fault> {
        let position = self.position(question.place())?;
        self.solver(control)?.certify_file(&position, path, control)?;
        Ok(())
    }

    #[cfg(feature = "files")]
    /// Resumes from a saved state of the same rule. It is used for questions with the same memory limit.
    ///
    /// # Errors
    /// If the file is missing, damaged or of another rule, or there is not enough memory.
    pub fn resume(&mut self, path: &Path, control: &Control<'_>) -> Result<(), Fault> {
        self.configure(&self.base.clone())?;
        Ok(self.solver(control)?.resume(path)?)
    }

    #[cfg(feature = "files")]
    /// Saves the solver's state, so that a later run can resume.
    ///
    /// # Errors
    /// If nothing was solved yet, or the file cannot be written.
    pub fn save(&mut self, path: &Path) -> Result<(), Fault> {
        let nothing = || Fault::question("", "there is nothing to save: solve a position first");
        let (_, solver) = self.solver.as_mut().ok_or_else(nothing)?;
        Ok(solver.save(path)?)
    }

    #[cfg(feature = "files")]
    /// Saves the solver's state to this file at regular intervals during a search.
    pub fn save_every(&mut self, path: &Path, interval: Duration) {
        if let Some((_, solver)) = &mut self.solver {
            solver.save_every(path, interval);
        }
        self.autosave = Some((path.to_owned(), interval));
    }

    /// Applies options. The engines keep their memory unless they depend on an option that changed.
    fn configure(&mut self, options: &Options) -> Result<(), Fault> {
        options.only("uttt", &OPTIONS)?;
        let settings = Settings {
            rules: choice("rule", options.rule.as_deref(), &Rules::ALL.map(|rules| (rules.name(), rules)))?,
            search: choice("search", options.search.as_deref(), &SearchKind::NAMED)?,
            evaluation: choice("evaluation", options.evaluation.as_deref(), &Evaluation::NAMED)?,
            seed: options.seed.unwrap_or(DEFAULT_SEED),
        };
        if settings != self.settings {
            self.player = None;
        }
        if settings.rules != self.settings.rules {
            self.solver = None;
        }
        self.settings = settings;
        Ok(())
    }

    /// The start of a question, and each move with the position after it.
    fn read(&mut self, place: PositionPart<'_>) -> Result<(Position, Vec<(Move, Position)>), Fault> {
        self.configure(&place.options.over(&self.base))?;
        let rules = self.settings.rules;
        let start = match place.position.map(str::trim) {
            None => Position::START,
            Some(text) => rules.read(text, self.accept).map_err(|error| Fault::text("position", &error, text))?,
        };
        let (mut position, mut played) = (start, Vec::with_capacity(place.moves.len()));
        for (number, mv) in place.moves.iter().map(|mv| mv.trim()).enumerate() {
            let fault = |error| in_moves(number)(Fault::text("", &error, mv));
            let mv = rules.read_move(&position, mv).map_err(fault)?;
            position = rules.play_unchecked(&position, mv);
            played.push((mv, position));
        }
        Ok((start, played))
    }

    /// The position of a question, after its moves.
    fn position(&mut self, place: PositionPart<'_>) -> Result<Position, Fault> {
        let (start, played) = self.read(place)?;
        Ok(played.last().map_or(start, |&(_, position)| position))
    }

    fn player(&mut self, control: &Control<'_>) -> Result<&mut Player, Error> {
        let memory = memory(control);
        let player = match self.player.take().filter(|(of, _)| *of == memory) {
            Some((_, player)) => player,
            None => Player::with_network(self.settings, self.network.clone(), memory)?.with_isa(self.isa),
        };
        Ok(&mut self.player.insert((memory, player)).1)
    }

    fn solver(&mut self, control: &Control<'_>) -> Result<&mut Solver, Error> {
        let memory = memory(control);
        let solver = match self.solver.take().filter(|(of, _)| *of == memory) {
            Some((_, solver)) => solver,
            None => {
                #[cfg_attr(not(feature = "files"), allow(unused_mut, reason = "only files change it"))]
                let mut solver = Solver::new(self.settings.rules, memory)?.with_isa(self.isa);
                #[cfg(feature = "files")]
                if let Some((path, interval)) = &self.autosave {
                    solver.save_every(path, *interval);
                }
                solver
            }
        };
        Ok(&mut self.solver.insert((memory, solver)).1)
    }
}

/// Memory limit of a player or a solver, in bytes.
fn memory(control: &Control<'_>) -> usize {
    control.memory().unwrap_or(DEFAULT_MEMORY)
}

fn text(position: &Position) -> String {
    format!("{position:?}")
}

/// Converts an engine's analysis into the answer.
fn write(position: &Position, found: &engine::Analysis<Move>, time: Duration) -> Analysis {
    let (word, label) = (|mv: Move| mv.to_string(), |mv: Move| mv.algebraic().to_string());
    Analysis::write(text(position), PLAYERS[position.mover() as usize], found, time.as_secs_f64(), word, label)
}

/// The control, with a time limit of one second if it has no limit.
fn bounded<'a>(control: &'a Control<'a>) -> Control<'a> {
    let part = control.part();
    if control.is_limited() || control.max_depth().is_some() { part } else { part.time_limit(DEFAULT_TIME) }
}

impl crate::Session for Session {
    fn game(&self) -> GameName {
        GameName::Uttt
    }

    fn settings(&self) -> Vec<Setting> {
        let Settings { rules, search, evaluation, seed } = self.settings;
        let evaluation = Evaluation::NAMED.into_iter().find(|(_, kind)| *kind == evaluation);
        vec![
            Setting::choice("rule", rules.name(), &Rules::ALL.map(Rules::name)),
            Setting::choice("search", search.name(), &SearchKind::NAMED.map(|(name, _)| name)),
            Setting::choice(
                "evaluation",
                evaluation.map_or("", |(name, _)| name),
                &Evaluation::NAMED.map(|(name, _)| name),
            ),
            Setting::seed(seed),
        ]
    }

    fn base(&self) -> &Options {
        &self.base
    }

    fn set_base(&mut self, options: &Options) -> Result<(), Fault> {
        self.configure(options)?;
        self.base = options.clone();
        Ok(())
    }

    fn prepare(&mut self, control: &Control<'_>) {
        let is_new = self.player.as_ref().is_none_or(|(of, _)| *of != memory(control));
        // An error is ignored here; the first question reports it.
        if let Ok(player) = self.player(control)
            && is_new
        {
            player.prepare();
        }
    }

    fn play(&mut self, question: &PositionQuestion) -> Result<PlayAnswer, Fault> {
        let (start, played) = self.read(question.place())?;
        let position = played.last().map_or(start, |&(_, position)| position);
        let step = |(mv, position): &(Move, Position)| {
            let (mv, label) = (mv.to_string(), mv.algebraic().to_string());
            Played { mv, label, flips: Vec::new(), position: text(position) }
        };
        let played = played.iter().map(step).collect();
        Ok(PlayAnswer { start: text(&start), played, view: view::view(self.settings.rules, &position) })
    }

    fn analyse(&mut self, question: &AnalyseQuestion, control: &Control<'_>) -> Result<Analysis, Fault> {
        let position = self.position(question.place())?;
        let translate = |progress: &Progress<'_>| {
            let partial = progress.partial::<engine::Analysis<Move>>();
            control.pass_on(progress, partial.map(|found| write(&position, found, control.elapsed())).as_ref());
        };
        let limited = bounded(control);
        let inner = limited.part().progress(&translate);
        let found = self.player(control)?.analyse(&position, question.lines.unwrap_or(usize::MAX), &inner);
        Ok(write(&position, &found, control.elapsed()))
    }

    fn solve(&mut self, question: &SolveQuestion, control: &Control<'_>) -> Result<Analysis, Fault> {
        let position = self.position(question.place())?;
        if question.value_only && (question.all_moves || question.line) {
            return Err(Fault::question("value_only", "`value_only` excludes `all_moves` and `line`"));
        }
        let rules = self.settings.rules;
        let call = control.part();
        let solver = self.solver(control)?;
        let mut found = match question.value_only {
            true => solver.solve_value(&position, &call),
            false => solver.solve(&position, &call),
        };
        let all_best_known = found.complete;
        if question.all_moves && all_best_known {
            let every_move = solver.analyse_moves(&position, &call);
            // This pass can know less if a limit was reached and the table has lost entries.
            if every_move.value.outcome.is_some() {
                found = every_move;
            }
        }
        if question.line
            && all_best_known
            && let Some(first) = found.lines.first_mut()
            && let Ok(rest) = solver.line(&rules.play_unchecked(&position, first.mv), &call)
        {
            first.line.extend(rest);
        }
        let nodes = call.nodes();
        let found = engine::Analysis { nodes, ..found };
        let mut answer = write(&position, &found, control.elapsed());
        // For `solve`, the best move must be proved optimal.
        answer.best = answer.optimal.first().cloned();
        answer.value = answer.outcome.map(|outcome| LegacyValue::Letter(outcome.into()));
        answer.proved = Some(answer.outcome.is_some());
        Ok(answer)
    }

    fn perft(&mut self, question: &PerftQuestion, control: &Control<'_>) -> Result<PerftAnswer, Fault> {
        let position = self.position(question.place())?;
        let depth = question.depth;
        let counts = self.settings.rules.divide(self.isa, &position, depth, control).map_err(Error::from)?;
        let leaves = if depth == 0 { 1 } else { counts.iter().map(|(_, leaves)| leaves).sum() };
        let moves = counts.into_iter().map(|(mv, leaves)| MoveLeaves { mv: mv.to_string(), leaves }).collect();
        Ok(PerftAnswer { position: text(&position), depth, leaves, moves })
    }

    fn book_move(&mut self, question: &PositionQuestion) -> Result<Option<String>, Fault> {
        Ok(self.book(question)?.and_then(|found| Some(found.moves.first()?.mv.clone())))
    }

    /// This engine has its own levels: a weaker player searches fewer nodes and misjudges moves. The strongest one knows the
    /// opening book.
    fn choose(&mut self, question: &ChooseQuestion, control: &Control<'_>) -> Result<ChooseAnswer, Fault> {
        let level = checked_level(question)?;
        let position = self.position(question.place())?;
        if level == STRONGEST
            && question.book
            && let Some(entry) = Book::built_in(self.settings.rules).find(&position)
        {
            return Ok(ChooseAnswer { mv: entry.moves.first().map(|known| known.mv.to_string()), book: true });
        }
        let limited = bounded(control);
        let mv = self.player(control)?.choose(&position, level, question.seed, &limited)?;
        Ok(ChooseAnswer { mv: mv.map(|mv| mv.to_string()), book: false })
    }
}
