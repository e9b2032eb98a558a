//! The two-player game on boards that are too large to solve, by search: estimates, unless the search proves its value.
//!
//! | limit | search | why |
//! |---|---|---|
//! | no depth | Monte-Carlo tree search | needs no evaluation, and proves what it can on the way |
//! | a depth, or a proof is wanted | alpha-beta with a simple evaluation | repeats to the digit, and proves endings sooner |

use crate::analysis::{Analysis, Line};
use crate::error::Error;
use crate::value::{Certainty, Outcome, Value};
use cephalopods::Aim;
use cephalopods::rectangle::{Area, Placement, Rectangle};
use grid::simd::Isa;
use grid::{Player, Versus};
use search::alphabeta::{self, AlphaBeta};
use search::playout::Uniform;
use search::{Control, Evaluator, Hashed, Mcts, Playouts, Progress, Table, mcts};
use std::time::Duration;

/// The memory of a search in bytes, unless the control says otherwise. The system gives it as the search touches it.
const MEMORY: usize = 256 << 20;

/// The time of a search that nothing else would end.
const UNLIMITED: Duration = Duration::from_secs(1);

/// The tree search runs in slices of this length and reports between them.
const SLICE: Duration = Duration::from_millis(50);

/// A simple evaluation of a board that is not full: who owns the dice, and which dice can no longer be captured.
#[derive(Clone, Copy, Debug)]
struct Dice;

impl Evaluator<Rectangle> for Dice {
    type State = ();
    const SCALE: i32 = 1000;

    #[inline]
    fn state(&self, _: &Rectangle, _: &Area) {}

    #[inline]
    fn state_after(&self, _: &Rectangle, (): &(), _: &Area, _: Placement, _: &Area) {}

    #[inline]
    fn evaluate(&self, game: &Rectangle, area: &Area, (): &()) -> i32 {
        let ours = if area.mover() == Player::First { area.first() } else { area.occupied() & !area.first() };
        let lead = |cells: u32| 2 * (cells & ours).count_ones() as i32 - cells.count_ones() as i32;
        // Nothing captures a six; only a one beside it helps to capture a five.
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

/// What each move of a position is worth: by alpha-beta if the control has a depth limit, otherwise by tree search. Without
/// any limit it takes one second. The control's listener hears a partial [`Analysis`].
///
/// ```
/// use cephalopods::{Aim, rectangle::Rectangle};
/// use grid::{Notation, simd::Isa};
/// use ninefold_engine::{Control, Outcome, cephalopods::rectangle::analyse};
/// let game = Rectangle::new(2, 2, Aim::Majority).unwrap();
/// let position = game.read_position("66/f.:A").unwrap();
/// let analysis = analyse(&game, &position, &Control::new().node_limit(1000), 7, Isa::detect())?;
/// assert_eq!(analysis.value.outcome, Some(Outcome::Win));
/// assert_eq!(analysis.best().map(|mv| game.move_text(mv)).as_deref(), Some("b2"));
/// # Ok::<(), ninefold_engine::Error>(())
/// ```
///
/// # Errors
/// If there is no memory.
pub fn analyse(
    game: &Rectangle,
    position: &Area,
    control: &Control<'_>,
    seed: u64,
    isa: Isa,
) -> Result<Analysis<Placement>, Error> {
    if control.max_depth().is_some() {
        return solve(game, position, control, isa);
    }
    if let Some(over) = over(game, position) {
        return Ok(over);
    }
    let control = &bounded(control);
    let bytes = control.memory().unwrap_or(MEMORY);
    let mut tree = Mcts::<_, _, true>::new(game, Playouts(Uniform), *position, bytes, seed)?;
    let (mut nodes, mut depth) = (0, 0);
    loop {
        let found = tree.search(&control.part().time_limit(SLICE), isa);
        nodes += found.report.nodes;
        depth = depth.max(found.report.depth);
        let analysis = || Analysis { nodes, depth, ..of_tree(&tree, &found) };
        if found.report.proved || control.stop().is_some() {
            return Ok(analysis());
        }
        control.report_partial(analysis);
    }
}

/// The same by alpha-beta: to the depth limit of the control, or until every move is proved.
///
/// # Errors
/// If there is no memory.
pub fn solve(game: &Rectangle, position: &Area, control: &Control<'_>, isa: Isa) -> Result<Analysis<Placement>, Error> {
    if let Some(over) = over(game, position) {
        return Ok(over);
    }
    let table = Table::<Hashed, _>::with_bytes(control.memory().unwrap_or(MEMORY))?;
    let convert = |found: &alphabeta::Found<Placement>| of_alphabeta(found, table.entries());
    let limited = bounded(control);
    let translate = |progress: &Progress<'_>| {
        let partial = progress.partial::<alphabeta::Found<Placement>>().map(convert);
        limited.pass_on(progress, partial.as_ref());
    };
    let inner = limited.part().progress(&translate);
    let found = AlphaBeta::new(game, Dice, &table).solve_every_move(position, &inner, isa);
    Ok(convert(&found))
}

fn over(game: &Rectangle, position: &Area) -> Option<Analysis<Placement>> {
    let result = game.result(position)?;
    Some(Analysis::over(Value::proved(Outcome::of(result * position.mover().sign()))))
}

/// The control, or a part of it that ends after a second if nothing else would end it.
fn bounded<'a>(control: &'a Control<'a>) -> Control<'a> {
    let part = control.part();
    if control.is_limited() || control.max_depth().is_some() { part } else { part.time_limit(UNLIMITED) }
}

fn of_tree<L: search::Leaf<Rectangle>>(
    tree: &Mcts<'_, Rectangle, L, true>,
    found: &mcts::Found<Placement>,
) -> Analysis<Placement> {
    let value = |lower: i32, upper: i32, estimate: f32, visits: u64| {
        if lower == upper {
            Value::proved(Outcome::of(lower))
        } else {
            Value::estimated(estimate.into(), Certainty::of_visits(visits))
        }
    };
    let mut moves: Vec<_> = found.moves.iter().collect();
    // In the order in which the search would choose: what is proved best, then what was visited most.
    moves.sort_by_key(|mv| (Some(mv.mv) != found.best, -mv.lower, -mv.upper, u32::MAX - mv.visits));
    let line = |mv: &&mcts::RootMove<Placement>| Line {
        mv: mv.mv,
        value: value(mv.lower, mv.upper, mv.estimate, mv.visits.into()),
        line: tree.line(mv.mv),
    };
    let mut lines: Vec<_> = moves.iter().map(line).collect();
    if lines.is_empty() {
        // Stopped before the root was expanded: any move is better than none.
        lines.extend(found.best.map(|mv| Line::new(mv, Value::UNKNOWN)));
    }
    let visits = found.moves.iter().map(|mv| u64::from(mv.visits)).sum();
    let complete = !found.moves.is_empty() && lines.iter().all(|line| line.value.certainty.is_certain());
    let value = value(found.lower, found.upper, found.estimate, visits);
    Analysis { value, ..Analysis::of_lines(lines, complete) }
}

fn of_alphabeta(found: &alphabeta::Found<Placement>, entries: usize) -> Analysis<Placement> {
    let nodes = found.report.nodes;
    // Each node probes the table once, and a probe hits a wrong entry with a chance of `entries / 2^64`.
    let error = (nodes as f64 * entries as f64 / 2f64.powi(64)).min(1.0);
    let value = |value: i32, proved: bool| {
        let score = f64::from(value) / f64::from(<Dice as Evaluator<Rectangle>>::SCALE);
        if proved {
            Value::certain(Outcome::of(value), Certainty::Hashed { error })
        } else {
            Value::estimated(score, Certainty::Estimated { visits: nodes, error: 1.0 })
        }
    };
    // The moves are in order even if the control ended an iteration; each has its value of the last finished one.
    let line = |mv: &alphabeta::RootMove<Placement>| Line {
        mv: mv.mv,
        value: value(mv.value, mv.proved),
        line: mv.line.clone(),
    };
    let lines: Vec<_> = found.moves.iter().map(line).collect();
    let best = lines.first().map_or(Value::UNKNOWN, |line| line.value);
    // A proved win needs no proof of the other moves. Any other value does.
    let value = match found.moves.first() {
        Some(mv) if found.report.proved => value(mv.value, true),
        Some(mv) if best.outcome != Some(Outcome::Win) => value(mv.value, false),
        _ => best,
    };
    let complete = lines.iter().all(|line| line.value.certainty.is_certain());
    Analysis { value, nodes, depth: found.report.depth, ..Analysis::of_lines(lines, complete) }
}
