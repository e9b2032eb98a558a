//! Best-first tree search with the network, for the player: the tree that is kept between moves, its threads and its answer.

use super::network::{Network, NetworkJudge};
use super::player::MoveSearch;
use super::tree::moves_between;
use crate::analysis::{Analysis, Line};
use crate::value::{Certainty, Outcome, Value};
use grid::simd::Isa;
use search::best_first::{BestFirst, Grown, RootMove, Tuning};
use search::{Control, OutOfMemory};
use std::sync::Arc;
use uttt::{Move, Position, Rule, Uttt};

/// Found by matches (`bench/LOG.md`).
pub const TUNING: Tuning = Tuning { mix: 0.6, exploration: 0.41, freeing: 0.25, trust: 0.03, root_share: 1000 };

/// Visits between two reports of what is known so far, some 20 ms.
const SLICE: u64 = 1 << 14;

/// One standard error of a score after so many visits: 0.6 / visits^0.2, by whole doublings. It is the root mean square
/// difference to searches of 120,000 visits (`cargo run --release -p ninefold-bench --example errors`). A tree does not
/// average random games, so its error falls more slowly than theirs.
fn error_after(visits: u32) -> f64 {
    const PER_DOUBLING: f64 = 0.870_55;
    (0..visits.max(1).ilog2()).fold(0.6, |error, _| error * PER_DOUBLING)
}

/// A tree that is kept from move to move.
pub(super) struct NetworkTree<R: Rule>(BestFirst<'static, Uttt<R>, NetworkJudge>);

impl<R: Rule> NetworkTree<R> {
    pub(super) fn new(network: Arc<Network>, tuning: Tuning, memory: usize) -> Result<Self, OutOfMemory> {
        BestFirst::new(Uttt::<R>::GAME, NetworkJudge(network), Position::START, tuning, memory).map(Self)
    }

    /// Brings the tree to a position: by one or two moves if that is possible, which keeps what it knows; else anew.
    fn go_to(&mut self, position: &Position) {
        match moves_between::<R>(self.0.root(), position) {
            Some(moves) => moves.into_iter().for_each(|mv| {
                self.0.advance(mv);
            }),
            None => self.0.set_root(*position),
        }
    }

    /// Grows the tree on as many threads as the control allows, until a limit of the control, or until all is proved or the
    /// pool is full.
    fn grow(&self, control: &Control<'_>, isa: Isa) -> Grown {
        let longest = control.max_depth().unwrap_or(u32::MAX);
        let work = || self.0.grow(&mut control.meter(), longest, isa);
        let helpers = if cfg!(feature = "threads") { control.thread_count().saturating_sub(1) } else { 0 };
        std::thread::scope(|scope| {
            // A thread that cannot be started is done without.
            let others: Vec<_> =
                (0..helpers).filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
            let own = work();
            let join = |other: std::thread::ScopedJoinHandle<'_, Grown>| {
                other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            others.into_iter().map(join).fold(own, |all, one| if all == Grown::Stopped { one } else { all })
        })
    }

    fn analysis(&self, nodes: u64) -> Analysis<Move> {
        let value_of = |bounds: (i8, i8), share: f32, visits: u32| {
            if bounds.0 == bounds.1 {
                Value::proved(Outcome::of(bounds.0.into()))
            } else {
                let certainty = Certainty::Estimated { visits: visits.into(), error: error_after(visits) };
                Value::estimated(f64::from(2.0 * share - 1.0), certainty)
            }
        };
        let line = |it: &RootMove<Move>| Line {
            mv: it.mv,
            value: value_of(it.bounds, it.value, it.visits),
            line: self.0.line(it.mv),
        };
        let analysis = Analysis::of_lines(self.0.moves().iter().map(line).collect(), false);
        let (share, bounds, visits) = self.0.value();
        let value = if analysis.lines.is_empty() { Value::UNKNOWN } else { value_of(bounds, share, visits) };
        Analysis { value, depth: self.0.depth(), nodes, ..analysis }
    }
}

impl<R: Rule> MoveSearch for NetworkTree<R> {
    /// Grows the tree in slices: with one thread, the tree after several slices equals the tree after one that is as long as
    /// all of them.
    fn search(&mut self, position: &Position, lines: usize, control: &Control<'_>, isa: Isa) -> Analysis<Move> {
        self.go_to(position);
        self.0.every_move = lines > 1;
        let mut nodes = 0;
        loop {
            let slice = control.part().node_limit(SLICE);
            let grown = self.grow(&slice, isa);
            nodes += slice.nodes();
            match grown {
                Grown::Full => self.0.recycle(),
                Grown::Stopped if slice.nodes() >= SLICE && control.stop().is_none() => {}
                Grown::Proved | Grown::Stopped => return self.analysis(nodes),
            }
            control.report_partial(|| self.analysis(nodes));
        }
    }
}
