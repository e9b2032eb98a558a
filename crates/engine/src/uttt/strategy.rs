//! How the player spends its budget: the solver on positions near the end, the search, and one answer from both.
//!
//! With one thread the solver comes first and gets a part of the budget. With more it has a thread of its own beside the
//! search, and whoever knows everything stops the other.

use super::Solver;
use super::player::MoveSearch;
use crate::analysis::{Analysis, Line};
use crate::value::{Outcome, Value};
use grid::simd::Isa;
use grid::{Game, Versus};
use search::{Control, Progress};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use uttt::{Move, Position, Rule, Uttt};

/// Positions with more empty squares are not given to the solver.
const SOLVER_EMPTIES: u32 = 45;
/// The solver gets one part in this number of the time and of the nodes.
const SOLVER_SHARE: u32 = 4;
/// The solver's nodes when neither time nor nodes are limited, some seconds: the search must get its turn before somebody
/// cancels the call.
const SOLVER_NODES: u64 = 1 << 22;

/// The best `lines` moves of a position.
pub(super) fn analyse<R: Rule>(
    search: &mut dyn MoveSearch,
    solver: Option<&mut Solver>,
    position: &Position,
    lines: usize,
    control: &Control<'_>,
    isa: Isa,
) -> Analysis<Move> {
    if let Some(result) = Uttt::<R>::GAME.result(position) {
        return Analysis::over(Value::proved(Outcome::of(result * position.mover().sign())));
    }
    let (call, lines) = (control.part(), lines.max(1));
    let solver = solver.filter(|_| is_for_solver::<R>(position, &call));
    let solved = match solver {
        Some(solver) if cfg!(feature = "threads") && call.thread_count() > 1 => {
            return side_by_side::<R>(search, solver, position, lines, &call, isa);
        }
        Some(solver) => solve::<R>(solver, position, lines, &first_share(&call)),
        None => None,
    };
    let answer = |found: Analysis<Move>| merge::<R>(position, found, solved.as_ref(), lines, call.nodes());
    // A won game needs no search, only a move that wins; with more lines the other moves are still to be judged.
    if lines == 1 && solved.as_ref().is_some_and(|solved| solved.value.outcome == Some(Outcome::Win)) {
        return answer(Analysis::of_lines(Vec::new(), false));
    }
    let translate = |progress: &Progress<'_>| {
        let partial = progress.partial::<Analysis<Move>>().map(|found| answer(found.clone()));
        call.pass_on(progress, partial.as_ref());
    };
    let found = search.search(position, lines, &call.part().progress(&translate), isa);
    answer(found)
}

/// Whether the solver may know this position. It knows no depth: a question limited by depth alone goes to the search.
fn is_for_solver<R: Rule>(position: &Position, control: &Control<'_>) -> bool {
    let is_open = control.time_left().is_none() && control.nodes_left().is_none();
    position.empties::<R>() <= SOLVER_EMPTIES && !(is_open && control.max_depth().is_some())
}

/// The solver on a thread of its own, the search on the others.
fn side_by_side<R: Rule>(
    search: &mut dyn MoveSearch,
    solver: &mut Solver,
    position: &Position,
    lines: usize,
    call: &Control<'_>,
    isa: Isa,
) -> Analysis<Move> {
    let [solver_stops, search_stops] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    let mut solving = call.part().threads(1).cancel(Arc::clone(&solver_stops));
    let mut searching = call.part().threads(call.thread_count() - 1).cancel(Arc::clone(&search_stops));
    // Parts that run at the same time must not spend the same nodes.
    if let Some(nodes) = call.nodes_left() {
        let share = nodes / u64::from(SOLVER_SHARE);
        (solving, searching) = (solving.node_limit(share), searching.node_limit(nodes - share));
    }
    let translate = |progress: &Progress<'_>| {
        let found = progress.partial::<Analysis<Move>>().cloned();
        let partial = found.map(|found| merge::<R>(position, found, None, lines, call.nodes()));
        call.pass_on(progress, partial.as_ref());
    };
    let searching = searching.progress(&translate);
    let (solved, found) = std::thread::scope(|scope| {
        let beside = std::thread::Builder::new().spawn_scoped(scope, || {
            let solved = solve::<R>(solver, position, lines, &solving);
            if solved.as_ref().is_some_and(|solved| lines == 1 || solved.complete) {
                search_stops.store(true, Ordering::Relaxed);
            }
            solved
        });
        let found = search.search(position, lines, &searching, isa);
        solver_stops.store(true, Ordering::Relaxed);
        // A thread that cannot be started is done without.
        let join = |beside: std::thread::ScopedJoinHandle<'_, _>| {
            beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        (beside.ok().and_then(join), found)
    });
    merge::<R>(position, found, solved.as_ref(), lines, call.nodes())
}

/// The solver's part of the budget when it comes before the search.
fn first_share<'a>(control: &'a Control<'_>) -> Control<'a> {
    let (time, nodes) = (control.time_left(), control.nodes_left());
    let is_open = time.is_none() && nodes.is_none();
    let mut share = control.part();
    if let Some(time) = time {
        share = share.time_limit(time / SOLVER_SHARE);
    }
    if let Some(nodes) = nodes {
        share = share.node_limit(nodes / u64::from(SOLVER_SHARE));
    }
    if is_open {
        share = share.node_limit(SOLVER_NODES);
    }
    share
}

/// The value and the best moves, the value of the others if they will be listed, and the principal variations. Nothing unless
/// the value and all best moves are known.
fn solve<R: Rule>(
    solver: &mut Solver,
    position: &Position,
    lines: usize,
    control: &Control<'_>,
) -> Option<Analysis<Move>> {
    let mut solved = solver.solve(position, control);
    if !solved.complete {
        return None;
    }
    if lines > 1 {
        let every_move = solver.analyse_moves(position, control);
        // A small table may have lost the best moves again.
        if every_move.optimal().eq(solved.optimal()) {
            solved = every_move;
        }
    }
    for line in solved.lines.iter_mut().take(lines).filter(|line| line.value.outcome.is_some()) {
        let next = Uttt::<R>::GAME.play_unchecked(position, line.mv);
        let Ok(rest) = solver.line(&next, control) else { break };
        line.line.extend(rest);
    }
    Some(solved)
}

/// One answer from what the search found and what the solver proved.
fn merge<R: Rule>(
    position: &Position,
    mut found: Analysis<Move>,
    solved: Option<&Analysis<Move>>,
    lines: usize,
    nodes: u64,
) -> Analysis<Move> {
    let legal = position.moves::<R>();
    let unknown = |mv| Line::new(mv, Value::UNKNOWN);
    if let Some(solved) = solved {
        for mv in legal {
            if !found.lines.iter().any(|line| line.mv == mv) {
                found.lines.push(unknown(mv));
            }
        }
        for line in &mut found.lines {
            if let Some(known) = solved.lines.iter().find(|known| known.mv == line.mv && known.value.outcome.is_some())
            {
                line.value = known.value;
                if known.line.len() > 1 {
                    line.line.clone_from(&known.line);
                }
            }
        }
        // The best moves first, lost ones last; in between those of which less is known, in the order of the search.
        let outcome = |line: &Line<Move>| line.value.outcome;
        found.lines.sort_by_key(|line| (outcome(line) != solved.value.outcome, outcome(line) == Some(Outcome::Loss)));
        found.value = solved.value;
    } else if found.lines.is_empty() {
        // Stopped before the first look: any move is better than none.
        found.lines.extend(position.moves::<R>().next().map(unknown));
    }
    found.lines.truncate(lines);
    let listed = found.lines.len() == lines.min(position.moves::<R>().len());
    let certain = found.lines.iter().all(|line| line.value.certainty.is_certain());
    found.complete = listed && certain && found.value.certainty.is_certain();
    found.nodes = nodes;
    found
}
