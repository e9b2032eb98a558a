//! The two-player game on boards too large to solve, by search: estimates, unless the search proves its answer.
//!
//! Without a depth, Monte-Carlo tree search: it needs no judgement of positions and proves what it can on the way. With a
//! depth, alpha-beta to that depth with a simple judgement: it repeats to the digit and proves the ends of games sooner.

use super::analysis::{Analysis, Analyst, MoveValue};
use cephalopods::Aim;
use cephalopods::rectangle::{Area, Placement, Rectangle};
use grid::simd::Isa;
use grid::{Game, Notation, Player, Versus};
use search::alphabeta::Guide;
use search::playout::Uniform;
use search::{AlphaBeta, Budget, Hashed, Mcts, OutOfMemory, Table};

/// The memory of a search, in bytes; it is only touched as far as the search grows.
const MEMORY: usize = 256 << 20;

/// What is known about a board that is not full: whose dice stand, and which can no longer be taken.
#[derive(Clone, Copy, Debug)]
struct Dice;

impl Guide<Rectangle> for Dice {
    const SCALE: i32 = 1000;

    #[inline]
    fn evaluate(&self, game: &Rectangle, area: &Area) -> i32 {
        let ours = if area.mover() == Player::First { area.first() } else { area.occupied() & !area.first() };
        let lead = |cells: u32| 2 * (cells & ours).count_ones() as i32 - cells.count_ones() as i32;
        // A six stays for ever; a five falls only to a one beside it.
        let sixes = lead(area.showing(6));
        match game.aim() {
            Aim::Sixes => 60 * sixes + 5 * lead(area.showing(5)) + lead(area.occupied()),
            Aim::Majority => 20 * lead(area.occupied()) + 40 * sixes + 15 * lead(area.showing(5)),
            Aim::Misere => -(20 * lead(area.occupied()) + 40 * sixes + 15 * lead(area.showing(5))),
        }
    }

    #[inline]
    fn urgency(&self, _: &Rectangle, _: &Area, mv: Placement) -> i32 {
        mv.choice().count_ones() as i32
    }
}

/// Everything about a position that `budget` is enough for.
///
/// ```
/// use cephalopods::{Aim, rectangle::Rectangle};
/// use grid::{Notation, simd::Isa};
/// use ninefold_engine::cephalopods::rectangle::analyse;
/// let game = Rectangle::new(2, 2, Aim::Majority).unwrap();
/// let area = game.read_position("66/f.:A").unwrap();
/// let analysis = analyse(&game, &area, &search::Budget::nodes(1000), 7, Isa::detect()).unwrap();
/// assert!(analysis.exact && analysis.value == 1.0 && analysis.line == ["b2"]);
/// ```
///
/// # Errors
/// If there is no memory.
pub fn analyse(game: &Rectangle, area: &Area, budget: &Budget, seed: u64, isa: Isa) -> Result<Analysis, OutOfMemory> {
    let mut position = String::new();
    game.write_position(area, &mut position).expect("writing to a string never fails");
    let mut analysis = Analysis {
        position,
        rule: game.aim().name(),
        mover: if area.mover() == Player::First { 'A' } else { 'B' },
        value: 0.0,
        exact: true,
        best: None,
        moves: Vec::new(),
        line: Vec::new(),
        nodes: 0,
        seconds: 0.0,
    };
    if let Some(result) = game.result(area) {
        analysis.value = f64::from(result * area.mover().sign());
        return Ok(analysis);
    }
    let (line, report) = if budget.depth.is_some() {
        let table = Table::<Hashed, _>::with_bytes(MEMORY)?;
        let answer = AlphaBeta::new(game, Dice, &table).solve_every_move(area, budget, isa);
        let unit = |value: i32| f64::from(value) / f64::from(<Dice as Guide<Rectangle>>::SCALE);
        let value = |mv: &search::alphabeta::RootMove<Placement>| MoveValue {
            text: game.move_text(mv.mv),
            value: unit(mv.value),
            exact: mv.proved,
        };
        analysis.moves = answer.moves.iter().map(value).collect();
        // The moves are in order even when the budget ended within an iteration; each stands at the last it was part of.
        let best = &answer.moves[0];
        analysis.value = unit(best.value);
        // Whoever wins for certain need not know the rest.
        analysis.exact = answer.report.proved || best.proved && unit(best.value) == 1.0;
        let line = best.line.clone();
        (line, answer.report)
    } else {
        let mut tree = Mcts::<_, _, true>::new(game, Uniform, *area, MEMORY, seed)?;
        let answer = tree.search(budget, isa);
        analysis.value = f64::from(answer.estimate);
        analysis.exact = answer.report.proved;
        let mut moves = answer.moves;
        // As the search would choose: what is proved best, then what was looked at most.
        moves.sort_by_key(|mv| (Some(mv.mv) != answer.best, -mv.lower, -mv.upper, u32::MAX - mv.visits));
        let value = |mv: &search::mcts::RootMove<Placement>| MoveValue {
            text: game.move_text(mv.mv),
            value: f64::from(mv.estimate),
            exact: mv.lower == mv.upper,
        };
        analysis.moves = moves.iter().map(value).collect();
        let line = if answer.line.is_empty() { answer.best.into_iter().collect() } else { answer.line };
        (line, answer.report)
    };
    debug_assert!(line.first().is_none_or(|&mv| game.is_legal(area, mv)));
    analysis.line = line.into_iter().map(|mv| game.move_text(mv)).collect();
    analysis.best = analysis.line.first().cloned();
    analysis.nodes = report.nodes;
    analysis.seconds = report.time.as_secs_f64();
    Ok(analysis)
}

/// A rectangle with what a question about it may cost.
#[derive(Clone, Debug)]
pub struct Searcher {
    /// The rules.
    pub game: Rectangle,
    /// What a question may cost.
    pub budget: Budget,
    /// The seed of the Monte-Carlo search.
    pub seed: u64,
    /// The instruction set.
    pub isa: Isa,
}

impl Analyst for Searcher {
    type Rules = Rectangle;

    fn rules(&self) -> &Rectangle {
        &self.game
    }

    fn columns(&self) -> usize {
        self.game.columns()
    }

    fn analyse(&mut self, area: &Area) -> Result<Analysis, OutOfMemory> {
        analyse(&self.game, area, &self.budget, self.seed, self.isa)
    }
}
