//! Cephalopods: the two-player game ([`Session`]; 3x3 is solved completely, other sizes are searched), and the contest,
//! which counts and sums ([`Contest`]).

mod contest;

pub use ::cephalopods::Board;
pub use contest::{
    BundleAnswer, BundleQuestion, Contest, CountAnswer, CountQuestion, EngineName, HeatAnswer, HeatPlan, HeatQuestion,
    MOST_FINALS, MovesAnswer, MovesQuestion, Step, SumAnswer, SumQuestion, TableInfo,
};
pub use engine::cephalopods::HIGHEST_RANK;

use crate::analysis::{Analysis, LegacyValue};
use crate::fault::Fault;
use crate::options::{self, Options, Setting};
use crate::question::{
    AnalyseQuestion, MoveLeaves, PerftAnswer, PerftQuestion, PlayAnswer, PositionPart, PositionQuestion, SolveQuestion,
};
use crate::session::{GameName, in_moves};
use crate::view::{BoardView, Die, Flip, MoveView, Played, View};
use cephalopods::rectangle::{Area, LONGEST_SIDE, MOST_CELLS, Placement, Rectangle};
use cephalopods::{Aim, Duel, DuelPosition, Move};
use engine::cephalopods::duel::Solver;
use engine::cephalopods::rectangle;
use engine::{Control, Error, Progress, Stop};
use grid::simd::Isa;
use grid::{Cell, Game, Notation, Player, Versus};
use search::Meter;

/// The parsed options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Settings {
    aim: Aim,
    rows: usize,
    columns: usize,
    seed: u64,
}

impl Settings {
    fn read(options: &Options) -> Result<Self, Fault> {
        options.only("Cephalopods", &["rule", "size", "seed"])?;
        let aim = options::choice("rule", options.rule.as_deref(), &Aim::ALL.map(|aim| (aim.name(), aim)))?;
        let (rows, columns) = options.size.as_deref().map_or(Ok((3, 3)), read_size)?;
        Ok(Self { aim, rows, columns, seed: options.seed.unwrap_or(1) })
    }

    fn is_solved(&self) -> bool {
        (self.rows, self.columns) == (3, 3)
    }

    fn rectangle(&self) -> Rectangle {
        Rectangle::new(self.rows, self.columns, self.aim).expect("the size was checked when it was read")
    }
}

/// Reads a size such as `3x5`.
fn read_size(text: &str) -> Result<(usize, usize), Fault> {
    let sides =
        text.trim().split_once('x').and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    let checked = sides.filter(|&(rows, columns)| Rectangle::new(rows, columns, Aim::default()).is_some());
    checked.ok_or_else(|| {
        let message = format_args!(
            "size is rows x columns such as 3x5, at most {LONGEST_SIDE} a side and {MOST_CELLS} cells, not `{text}`"
        );
        Fault::question("options.size", message)
    })
}

/// A session of the two-player game. It keeps the solved positions of 3x3.
pub struct Session {
    isa: Isa,
    base: Options,
    settings: Settings,
    /// The solution of 3x3 under the current rule, as far as it was computed.
    solver: Solver,
}

impl Session {
    /// A session of the 3x3 board with the rule `majority`.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        let settings = Settings { aim: Aim::default(), rows: 3, columns: 3, seed: 1 };
        Self { isa, base: Options::default(), settings, solver: Solver::new(settings.aim, isa) }
    }

    /// Applies options. A new rule clears the solver; a new size or seed does not.
    fn configure(&mut self, options: &Options) -> Result<(), Fault> {
        let settings = Settings::read(options)?;
        if settings.aim != self.settings.aim {
            self.solver = Solver::new(settings.aim, self.isa);
        }
        self.settings = settings;
        Ok(())
    }
}

/// Evaluates an expression with the rules in force: `with_rules!(session, rules => expression)`.
macro_rules! with_rules {
    ($session:expr, $rules:ident => $body:expr) => {
        if $session.settings.is_solved() {
            let $rules = $session.solver.duel();
            $body
        } else {
            let $rules = &$session.settings.rectangle();
            $body
        }
    };
}

/// The names of the players.
const PLAYERS: [&str; 2] = ["A", "B"];

/// The rules on a board, with what a view needs.
trait Rules: Notation<Position: Sync, Move: Sync + 'static> + Versus + Sync {
    /// Rows and columns.
    fn size(&self) -> (usize, usize);

    /// The die on a cell.
    fn die(&self, position: &Self::Position, cell: usize) -> Option<Die>;

    /// The cell of the new die.
    fn cell(mv: Self::Move) -> usize;

    /// The cells whose dice a move captures.
    fn captures(&self, position: &Self::Position, mv: Self::Move) -> Vec<usize>;

    /// Reads a position; the start of the game if there is none.
    fn read(&self, text: Option<&str>) -> Result<Self::Position, Fault> {
        let Some(text) = text.map(str::trim) else { return Ok(self.start()) };
        self.read_position(text).map_err(|fault| Fault::text("position", &fault, text))
    }

    fn position_text(&self, position: &Self::Position) -> String {
        let mut text = String::new();
        self.write_position(position, &mut text).expect("writing to a string never fails");
        text
    }

    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String {
        let mut text = String::new();
        self.write_move(position, mv, &mut text).expect("writing to a string never fails");
        text
    }

    /// The position after the moves of a question.
    fn position_of(&self, place: PositionPart<'_>) -> Result<Self::Position, Fault> {
        let mut position = self.read(place.position)?;
        for (number, text) in place.moves.iter().enumerate() {
            position = self.play_unchecked(&position, self.legal(&position, text).map_err(in_moves(number))?);
        }
        Ok(position)
    }

    /// Reads a legal move.
    fn legal(&self, position: &Self::Position, text: &str) -> Result<Self::Move, Fault> {
        let text = text.trim();
        self.read_move(position, text).map_err(|fault| Fault::text("move", &fault, text))
    }
}

fn die(pips: u8, first: bool) -> Option<Die> {
    let owner = View::number(if first { Player::First } else { Player::Second });
    (pips > 0).then_some(Die { owner, pips })
}

impl Rules for Duel {
    fn size(&self) -> (usize, usize) {
        (3, 3)
    }

    fn die(&self, position: &DuelPosition, cell: usize) -> Option<Die> {
        let cell = Cell::ALL[cell];
        die(position.board().pips(cell), position.first().contains(cell))
    }

    fn cell(mv: Move) -> usize {
        mv.cell().index()
    }

    fn captures(&self, _: &DuelPosition, mv: Move) -> Vec<usize> {
        mv.captured().into_iter().map(Cell::index).collect()
    }
}

impl Rules for Rectangle {
    fn size(&self) -> (usize, usize) {
        (self.rows(), self.columns())
    }

    fn die(&self, position: &Area, cell: usize) -> Option<Die> {
        die(position.pips(cell), position.first() >> cell & 1 == 1)
    }

    fn cell(mv: Placement) -> usize {
        mv.cell()
    }

    fn captures(&self, position: &Area, mv: Placement) -> Vec<usize> {
        let captured = position.occupied() & !self.play_unchecked(position, mv).occupied();
        (0..MOST_CELLS).filter(|cell| captured >> cell & 1 == 1).collect()
    }
}

fn look<R: Rules>(rules: &R, position: &R::Position) -> View {
    let mover = rules.mover(position);
    let move_view = |mv| {
        let text = rules.move_text(position, mv);
        MoveView {
            label: text.clone(),
            mv: text,
            cell: R::cell(mv),
            card: None,
            captures: rules.captures(position, mv),
        }
    };
    let result = rules.result(position).map(i32::signum);
    let status = match result {
        None => format!("{} to move", PLAYERS[mover as usize]),
        Some(0) => "drawn".to_owned(),
        Some(result) => format!("{} has won", PLAYERS[usize::from(result < 0)]),
    };
    let (rows, columns) = rules.size();
    let dice: Vec<Option<Die>> = (0..rows * columns).map(|cell| rules.die(position, cell)).collect();
    View {
        position: rules.position_text(position),
        fen: None,
        mover: View::number(mover),
        players: PLAYERS.map(str::to_owned),
        // Captures remove dice, so a position does not tell how many moves were made. The number of dice is the best
        // substitute.
        ply: dice.iter().flatten().count() as u32,
        moves: rules.moves(position).map(move_view).collect(),
        result,
        status,
        board: BoardView::Cephalopods { rows, columns, dice },
    }
}

fn play<R: Rules>(rules: &R, place: PositionPart<'_>) -> Result<PlayAnswer, Fault> {
    let mut position = rules.read(place.position)?;
    let start = rules.position_text(&position);
    let mut played = Vec::with_capacity(place.moves.len());
    for (number, text) in place.moves.iter().enumerate() {
        let mv = rules.legal(&position, text).map_err(in_moves(number))?;
        let captures = rules.captures(&position, mv);
        let pips = |cell: &usize| rules.die(&position, *cell).map_or(0, |die| die.pips);
        let sum: u8 = captures.iter().map(pips).sum();
        let addends: Vec<String> = captures.iter().map(|cell| pips(cell).to_string()).collect();
        let cause = format!("captured: {} = {sum}", addends.join(" + "));
        let text = rules.move_text(&position, mv);
        position = rules.play_unchecked(&position, mv);
        played.push(Played {
            label: text.clone(),
            mv: text,
            flips: captures.into_iter().map(|cell| Flip { cell, cause: cause.clone() }).collect(),
            position: rules.position_text(&position),
        });
    }
    Ok(PlayAnswer { start, played, view: look(rules, &position) })
}

/// Runs an analysis and converts it into the answer, and each partial analysis as well.
fn analyse<R: Rules>(
    rules: &R,
    position: &R::Position,
    control: &Control<'_>,
    shorten: impl Fn(&mut Analysis) + Sync,
    run: impl FnOnce(&Control<'_>) -> Result<engine::Analysis<R::Move>, Error>,
) -> Result<Analysis, Fault> {
    let started = control.elapsed();
    let mover = PLAYERS[rules.mover(position) as usize];
    let write = |found: &engine::Analysis<R::Move>| {
        let seconds = (control.elapsed() - started).as_secs_f64();
        // In this game the text of a move does not depend on the position.
        let text = |mv| rules.move_text(position, mv);
        let mut answer = Analysis::write(rules.position_text(position), mover, found, seconds, text, text);
        shorten(&mut answer);
        answer
    };
    let translate = |progress: &Progress<'_>| {
        let partial = progress.partial::<engine::Analysis<R::Move>>().map(write);
        control.pass_on(progress, partial.as_ref());
    };
    let inner = control.part().progress(&translate);
    Ok(write(&run(&inner)?))
}

/// Counts sequences of moves. A node is a position whose moves are played.
fn count<G: Game>(game: &G, position: &G::Position, depth: u32, meter: &mut Meter<'_>) -> Result<u64, Stop> {
    if depth == 0 {
        return Ok(1);
    }
    if !meter.pay() {
        return Err(meter.stopped_by().unwrap_or(Stop::Nodes));
    }
    let moves = game.moves(position);
    if depth == 1 {
        return Ok(moves.len() as u64);
    }
    let mut leaves = 0u64;
    for mv in moves {
        leaves = leaves.saturating_add(count(game, &game.play_unchecked(position, mv), depth - 1, meter)?);
    }
    Ok(leaves)
}

fn perft<R: Rules>(rules: &R, question: &PerftQuestion, control: &Control<'_>) -> Result<PerftAnswer, Fault> {
    let position = rules.position_of(question.place())?;
    let depth = question.depth;
    let mut meter = control.meter();
    let mut moves = Vec::new();
    if depth > 0 {
        for mv in rules.moves(&position) {
            let next = rules.play_unchecked(&position, mv);
            let leaves = count(rules, &next, depth - 1, &mut meter).map_err(Error::from)?;
            moves.push(MoveLeaves { mv: rules.move_text(&position, mv), leaves });
        }
    }
    let below = moves.iter().fold(0u64, |sum, mv| sum.saturating_add(mv.leaves));
    let leaves = if depth == 0 { 1 } else { below };
    Ok(PerftAnswer { position: rules.position_text(&position), depth, leaves, moves })
}

impl crate::Session for Session {
    fn game(&self) -> GameName {
        GameName::Cephalopods
    }

    fn settings(&self) -> Vec<Setting> {
        let Settings { aim, rows, columns, seed } = self.settings;
        vec![
            Setting::choice("rule", aim.name(), &Aim::ALL.map(Aim::name)),
            Setting::text("size", format!("{rows}x{columns}")),
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
        if self.settings.is_solved() {
            let start = self.solver.duel().start();
            // An error is ignored here; the first question reports it.
            let _ = self.solver.prepare(start.board(), control);
        }
    }

    fn play(&mut self, question: &PositionQuestion) -> Result<PlayAnswer, Fault> {
        self.configure(&question.place().options.over(&self.base))?;
        with_rules!(self, rules => play(rules, question.place()))
    }

    fn analyse(&mut self, question: &AnalyseQuestion, control: &Control<'_>) -> Result<Analysis, Fault> {
        self.configure(&question.place().options.over(&self.base))?;
        let shorten = |answer: &mut Analysis| {
            answer.lines.truncate(question.lines.map_or(usize::MAX, |lines| lines.max(1)));
            // Moves that were not requested need no final value.
            answer.complete |= !answer.lines.is_empty()
                && answer.certainty.is_certain()
                && answer.lines.iter().all(|line| line.certainty.is_certain());
        };
        if self.settings.is_solved() {
            let rules = *self.solver.duel();
            let position = rules.position_of(question.place())?;
            analyse(&rules, &position, control, shorten, |control| self.solver.analyse(&position, control))
        } else {
            let (rules, seed, isa) = (self.settings.rectangle(), self.settings.seed, self.isa);
            let position = rules.position_of(question.place())?;
            let run = |control: &Control<'_>| rectangle::analyse(&rules, &position, control, seed, isa);
            analyse(&rules, &position, control, shorten, run)
        }
    }

    fn solve(&mut self, question: &SolveQuestion, control: &Control<'_>) -> Result<Analysis, Fault> {
        self.configure(&question.place().options.over(&self.base))?;
        if question.replays.is_some() {
            return Err(Fault::question("replays", "Cephalopods has no replays of a draw"));
        }
        let shorten = |answer: &mut Analysis| {
            answer.value = Some(LegacyValue::Score(answer.score));
            if !question.all_moves {
                let best = answer.lines.first().map(crate::Line::value);
                let kept = answer.optimal.clone();
                answer.lines.retain(|line| kept.contains(&line.mv) || kept.is_empty() && Some(line.value()) == best);
            }
            if !question.line {
                answer.lines.iter_mut().for_each(|line| line.line.truncate(1));
            }
        };
        if self.settings.is_solved() {
            let rules = *self.solver.duel();
            let position = rules.position_of(question.place())?;
            analyse(&rules, &position, control, shorten, |control| self.solver.analyse(&position, control))
        } else {
            let (rules, isa) = (self.settings.rectangle(), self.isa);
            let position = rules.position_of(question.place())?;
            analyse(&rules, &position, control, shorten, |control| rectangle::solve(&rules, &position, control, isa))
        }
    }

    fn perft(&mut self, question: &PerftQuestion, control: &Control<'_>) -> Result<PerftAnswer, Fault> {
        self.configure(&question.place().options.over(&self.base))?;
        with_rules!(self, rules => perft(rules, question, control))
    }
}
