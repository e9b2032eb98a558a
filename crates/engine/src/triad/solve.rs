//! Open deals solved exactly: the value, the moves, the principal variation.
//!
//! One analysis is one pass: the tables of the deal and the transposition table are made once, each move is searched with
//! what the moves before it have left in the table, and the principal variation is read from the same table by null-window
//! tests. Nodes from the empty board of one deal with Same and Plus:
//!
//! | question | nodes |
//! |---|---|
//! | value alone | 60,086 |
//! | one best move and its line | 77,327 |
//! | every best move | 542,042 |
//! | every move | 777,193 |

use super::captures::{Captures, Changing, Fixed};
use super::chance;
use super::search::{Node, Payoff, Search, TranspositionTable};
use super::sudden::Replays;
use crate::analysis::{Analysis, Line};
use crate::error::Error;
use crate::value::{Outcome, Value};
use ::search::{Control, Stop};
use grid::simd::{Isa, dispatch};
use grid::{Game, Player};
use triad::{Card, Deal, HAND, Move, Position, Rule, Setup};

/// Which moves an analysis lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lines {
    /// No move: the value of the position alone.
    None,
    /// One best move: the first in the order of the rules. The cheapest question about moves.
    Best,
    /// Every best move.
    Optimal,
    /// Every legal move with its value.
    All,
}

/// Above this number of empty cells the exact chances under Chaos take seconds, so [`Solver::analyse`] estimates.
pub const CHAOS_CELLS: usize = 7;

/// Everything that the captures of a deal depend on.
type Faces = (Setup, Option<[[Card; HAND]; 2]>);

/// An exact solver of open deals. It keeps the memory of its table between calls, but no result depends on earlier calls.
pub struct Solver {
    isa: Isa,
    table: TranspositionTable,
    /// The deal whose bounds are in the table; none if they are bounds of another payoff.
    held: Option<Faces>,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(Isa::detect())
    }
}

impl Solver {
    /// A solver for an instruction set. Results and node counts are the same on each.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self { isa, table: TranspositionTable::new(), held: None }
    }

    /// How many of the ten cards the side to move owns at the end. Chaos is ignored: players choose their cards.
    ///
    /// # Errors
    /// If the control stops the search.
    pub fn value(&mut self, deal: &Deal, position: &Position, control: &Control<'_>) -> Result<u32, Error> {
        Ok(self.value_for(deal, position, None, control)? as u32)
    }

    /// Whether the side to move can own at least this many cards at the end: one null-window test. Chaos is ignored, as by
    /// [`value`](Self::value). A second test of the same deal is cheaper, because it finds the bounds of the first in the
    /// table.
    ///
    /// # Errors
    /// If the control stops the search.
    pub fn can_own(
        &mut self,
        deal: &Deal,
        position: &Position,
        cards: u32,
        control: &Control<'_>,
    ) -> Result<bool, Error> {
        if self.held != Some(deal.faces()) {
            self.clear();
        }
        let can = self.run(deal, position, None, control, TestValue { target: cards.min(11) as i32 })?;
        self.held = Some(deal.faces());
        Ok(can)
    }

    fn clear(&mut self) {
        self.table.clear();
        self.held = None;
    }

    /// The values of the moves and the principal variation of the first.
    ///
    /// Under Chaos the values are exact chances if at most [`CHAOS_CELLS`] cells are empty. With more, the moves are valued
    /// as if players chose their later cards, and the values are estimates.
    ///
    /// If the control stops the search, the analysis has the moves finished so far. It has at least one move unless the
    /// game is over.
    pub fn analyse(&mut self, deal: &Deal, position: &Position, lines: Lines, control: &Control<'_>) -> Analysis<Move> {
        if !deal.setup().rules.has_chaos() {
            return self.analyse_for(deal, position, lines, None, control);
        }
        if position.free().len() <= CHAOS_CELLS {
            return self.solve(deal, position, lines, control);
        }
        let mut analysis = self.analyse_for(deal, position, lines, None, control);
        for line in &mut analysis.lines {
            line.value = line.value.margin.map_or(Value::UNKNOWN, |margin| chance::estimate(margin, analysis.nodes));
            line.line.truncate(1);
        }
        Analysis { nodes: analysis.nodes, ..Analysis::of_lines(analysis.lines, false) }
    }

    /// The same, but Chaos is solved exactly however long it takes. If the control stops it, the analysis has the moves
    /// finished so far.
    pub fn solve(&mut self, deal: &Deal, position: &Position, lines: Lines, control: &Control<'_>) -> Analysis<Move> {
        // The result of a finished game does not depend on luck.
        if deal.setup().rules.has_chaos() && !position.free().is_empty() {
            return chance::analyse(self.isa, deal, position, lines, control);
        }
        self.analyse_for(deal, position, lines, None, control)
    }

    /// The same when draws are replayed: the values are outcomes without a margin, and the principal variation is that of
    /// the present game.
    pub fn solve_with(
        &mut self,
        deal: &Deal,
        position: &Position,
        replays: &Replays,
        lines: Lines,
        control: &Control<'_>,
    ) -> Analysis<Move> {
        self.analyse_for(deal, position, lines, Some(&replays.payoff), control)
    }

    /// The outcome for the side to move when draws are replayed.
    ///
    /// # Errors
    /// If the control stops the search.
    pub fn outcome_with(
        &mut self,
        deal: &Deal,
        position: &Position,
        replays: &Replays,
        control: &Control<'_>,
    ) -> Result<Outcome, Error> {
        Ok(Outcome::of(self.value_for(deal, position, Some(&replays.payoff), control)? - 5))
    }

    /// The value for the side to move under a payoff.
    pub(super) fn value_for(
        &mut self,
        deal: &Deal,
        position: &Position,
        payoff: Option<&Payoff>,
        control: &Control<'_>,
    ) -> Result<i32, Error> {
        self.clear();
        Ok(self.run(deal, position, payoff, control, FindValue)?)
    }

    fn analyse_for(
        &mut self,
        deal: &Deal,
        position: &Position,
        lines: Lines,
        payoff: Option<&Payoff>,
        control: &Control<'_>,
    ) -> Analysis<Move> {
        if position.free().is_empty() {
            let of_a = payoff.map_or(position.score() as i32, |payoff| payoff[usize::from(position.own())].into());
            let cards = if deal.turn(position) == Player::First { of_a } else { 10 - of_a };
            return Analysis::over(exact_value(cards, payoff.is_some()));
        }
        self.clear();
        self.run(deal, position, payoff, control, FindLines { lines, control })
    }

    /// Chooses the board that the rules need and runs a task on it.
    fn run<T: Task>(
        &mut self,
        deal: &Deal,
        position: &Position,
        payoff: Option<&Payoff>,
        control: &Control<'_>,
        task: T,
    ) -> T::Output {
        let rules = deal.setup().rules;
        let (table, isa, meter) = (&mut self.table, self.isa, control.meter());
        let node = Node::new(deal, position);
        if rules.has(Rule::Ascension) || rules.has(Rule::Descension) {
            let search = Search::new(deal, position, Changing::new(deal, position), table, meter);
            task.run(Root { search: search.with_payoff(payoff), isa, deal, position, node })
        } else if rules.is_basic() {
            let search = Search::new(deal, position, Fixed::<false>::new(deal, position), table, meter);
            task.run(Root { search: search.with_payoff(payoff), isa, deal, position, node })
        } else {
            let search = Search::new(deal, position, Fixed::<true>::new(deal, position), table, meter);
            task.run(Root { search: search.with_payoff(payoff), isa, deal, position, node })
        }
    }
}

/// A number of cards, or a payoff of 0, 5 or 10, as a value.
fn exact_value(cards: i32, is_payoff: bool) -> Value {
    let margin = 2 * cards - 10;
    let value = Value::proved(Outcome::of(margin));
    Value { margin: (!is_payoff).then_some(margin.into()), ..value }
}

/// A position to search, with the search.
struct Root<'a, C> {
    search: Search<'a, C>,
    isa: Isa,
    deal: &'a Deal,
    position: &'a Position,
    node: Node,
}

impl<C: Captures> Root<'_, C> {
    fn value(&mut self) -> Option<i32> {
        dispatch!(self.isa.level(), simd => self.search.value(simd, self.node, 5))
    }

    fn at_least(&mut self, target: i32) -> Option<bool> {
        dispatch!(self.isa.level(), simd => self.search.at_least(simd, self.node, target))
    }

    fn value_of(&mut self, mv: Move, guess: i32) -> Option<i32> {
        let flips = self.deal.flips(self.position, mv);
        dispatch!(self.isa.level(), simd => self.search.value_of(simd, self.node, mv, flips, guess))
    }

    fn reaches(&mut self, mv: Move, target: i32) -> Option<bool> {
        let flips = self.deal.flips(self.position, mv);
        dispatch!(self.isa.level(), simd => self.search.reaches(simd, self.node, mv, flips, target))
    }

    fn line(&mut self, first: Move, value: i32) -> Vec<Move> {
        dispatch!(self.isa.level(), simd => self.search.line(simd, self.deal, self.position, first, value))
    }
}

/// A question to a root, whatever board it searches on.
trait Task {
    type Output;
    fn run<C: Captures>(self, root: Root<'_, C>) -> Self::Output;
}

struct FindValue;

impl Task for FindValue {
    type Output = Result<i32, Stop>;

    fn run<C: Captures>(self, mut root: Root<'_, C>) -> Self::Output {
        root.value().ok_or_else(|| root.search.stopped_by())
    }
}

struct TestValue {
    target: i32,
}

impl Task for TestValue {
    type Output = Result<bool, Stop>;

    fn run<C: Captures>(self, mut root: Root<'_, C>) -> Self::Output {
        root.at_least(self.target).ok_or_else(|| root.search.stopped_by())
    }
}

struct FindLines<'a> {
    lines: Lines,
    control: &'a Control<'a>,
}

/// Moves with their values for the side to move.
struct Found {
    /// The value of the position, if it is known.
    value: Option<i32>,
    moves: Vec<(Move, i32)>,
    /// Whether no move is missing.
    complete: bool,
}

impl Task for FindLines<'_> {
    type Output = Analysis<Move>;

    fn run<C: Captures>(self, mut root: Root<'_, C>) -> Analysis<Move> {
        // The search from the root considers the whole hand, so a drawn card needs the moves one by one.
        let mut found = match self.lines {
            Lines::All => self.all(&mut root),
            _ if root.position.drawn().is_some() => self.all(&mut root),
            Lines::None => {
                let value = root.value();
                Found { value, moves: Vec::new(), complete: value.is_some() }
            }
            Lines::Best | Lines::Optimal => self.best(&mut root),
        };
        let best = found.value.filter(|_| found.complete);
        match self.lines {
            Lines::All => {}
            Lines::None => found.moves.clear(),
            Lines::Optimal => found.moves.retain(|(_, value)| best.is_none_or(|best| *value == best)),
            Lines::Best => {
                let first = found.moves.iter().position(|(_, value)| best.is_none_or(|best| *value == best));
                found.moves = first.map(|at| found.moves[at]).into_iter().collect();
            }
        }
        let mut analysis = analysis_of(&found, &root);
        if let (Some(best), Some(first)) = (best, analysis.lines.first_mut()) {
            first.line = root.line(first.mv, best);
        }
        if best.is_some() {
            analysis.depth = root.position.free().len() as u32;
        }
        if analysis.lines.is_empty() && self.lines != Lines::None {
            // There must be a move, even if nothing is known of it.
            let legal = root.deal.moves(root.position);
            let likely = root.search.stored_move(&root.node);
            let mv = legal.clone().find(|mv| Some(mv.bits()) == likely).or(legal.clone().next());
            analysis.lines.extend(mv.map(|mv| Line::new(mv, Value::UNKNOWN)));
        }
        Analysis { nodes: root.search.nodes(), ..analysis }
    }
}

impl FindLines<'_> {
    /// The value of every move.
    fn all<C: Captures>(&self, root: &mut Root<'_, C>) -> Found {
        let mut found = Found { value: None, moves: Vec::new(), complete: false };
        let mut guess = 5;
        for mv in root.deal.moves(root.position) {
            let Some(value) = root.value_of(mv, guess) else { return found };
            guess = value;
            found.moves.push((mv, value));
            self.control.report_partial(|| analysis_of(&found, root));
        }
        Found { value: found.moves.iter().map(|(_, value)| *value).max(), complete: true, ..found }
    }

    /// The value of the position, then the moves that reach it, one null-window test each.
    fn best<C: Captures>(&self, root: &mut Root<'_, C>) -> Found {
        let mut found = Found { value: root.value(), moves: Vec::new(), complete: false };
        let Some(value) = found.value else { return found };
        for mv in root.deal.moves(root.position) {
            match root.reaches(mv, value) {
                Some(true) => found.moves.push((mv, value)),
                Some(false) => continue,
                None => return found,
            }
            if self.lines == Lines::Best {
                break;
            }
            self.control.report_partial(|| analysis_of(&found, root));
        }
        Found { complete: true, ..found }
    }
}

/// The moves found so far as an analysis, without the principal variation.
fn analysis_of<C: Captures>(found: &Found, root: &Root<'_, C>) -> Analysis<Move> {
    let is_payoff = root.search.has_payoff();
    let mut moves = found.moves.clone();
    // A stable sort: equal moves stay in the order of the rules.
    moves.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
    let lines: Vec<_> = moves.iter().map(|(mv, value)| Line::new(*mv, exact_value(*value, is_payoff))).collect();
    let legal = root.deal.moves(root.position).len();
    let proved = Analysis::proved_outcome(&lines, legal).map_or(Value::UNKNOWN, Value::proved);
    let value = found.value.map_or(proved, |value| exact_value(value, is_payoff));
    Analysis { value, nodes: root.search.nodes(), ..Analysis::of_lines(lines, found.complete) }
}
