//! Alpha-beta for the player, with the network or the hand-made evaluation.
//!
//! Several threads search the same position and share one table, so that none searches what another has found. The answer is
//! that of the first thread.

use super::evaluation::HandMade;
use super::network::{Network, NetworkEstimate};
use super::player::MoveSearch;
use crate::analysis::{Analysis, Line};
use crate::value::{Certainty, Outcome, Value};
use grid::simd::Isa;
use search::alphabeta::{Entry, Found};
use search::{AlphaBeta, Control, Evaluator, Hashed, OutOfMemory, Progress, Table};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use uttt::{Move, Position, Rule, Uttt};

/// The transposition table, kept between searches.
pub(super) struct TableSearch<R: Rule> {
    table: Table<Hashed, Entry>,
    /// None: the hand-made evaluation.
    network: Option<Arc<Network>>,
    /// Nodes visited since the table was empty.
    visited: u64,
    rule: PhantomData<R>,
}

impl<R: Rule> TableSearch<R> {
    pub(super) fn new(network: Option<Arc<Network>>, memory: usize) -> Result<Self, OutOfMemory> {
        Ok(Self { table: Table::with_bytes(memory)?, network, visited: 0, rule: PhantomData })
    }

    fn analysis(&self, found: &Found<Move>) -> Analysis<Move> {
        let scale = <HandMade as Evaluator<Uttt<R>>>::SCALE;
        let nodes = found.report.nodes;
        // A node probes once; a probe errs with probability entries / 2^64 (see `search::Hashed`).
        let probes = (self.visited + nodes) as f64;
        let error = (probes * self.table.entries() as f64 / 2.0_f64.powi(64)).min(1.0);
        let line = |mv: Move, value: i32, proved: bool, line: &[Move]| {
            let value = if proved {
                Value::certain(Outcome::of(value), Certainty::Hashed { error })
            } else {
                let certainty = Certainty::Estimated { visits: nodes, error: 1.0 };
                Value::estimated(f64::from(value) / f64::from(scale), certainty)
            };
            Line { mv, value, line: if line.is_empty() { vec![mv] } else { line.to_vec() } }
        };
        let mut lines: Vec<_> = found.moves.iter().map(|it| line(it.mv, it.value, it.proved, &it.line)).collect();
        if lines.is_empty() {
            let best = found.line.first();
            lines.extend(best.map(|&mv| line(mv, found.value, found.report.proved, &found.line)));
        }
        Analysis { nodes, depth: found.report.depth, ..Analysis::of_lines(lines, false) }
    }
}

impl<R: Rule> TableSearch<R> {
    fn on_all_threads(&self, position: &Position, lines: usize, control: &Control<'_>, isa: Isa) -> Found<Move> {
        let is_over = Arc::new(AtomicBool::new(false));
        let helpers = if cfg!(feature = "threads") { control.thread_count().saturating_sub(1) } else { 0 };
        std::thread::scope(|scope| {
            for number in 0..helpers {
                let part = control.part().cancel(Arc::clone(&is_over));
                // Every second helper is a ply ahead. A thread that cannot be started is done without.
                let work = move || drop(self.on_one(position, 1, 1 + number as u32 % 2, &part, isa));
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            let found = self.on_one(position, lines, 1, control, isa);
            is_over.store(true, Ordering::Relaxed);
            found
        })
    }

    fn on_one(
        &self,
        position: &Position,
        lines: usize,
        first_depth: u32,
        control: &Control<'_>,
        isa: Isa,
    ) -> Found<Move> {
        let game = Uttt::<R>::GAME;
        match &self.network {
            Some(network) => {
                let search = AlphaBeta::new(game, NetworkEstimate::new(Arc::clone(network)), &self.table);
                AlphaBeta { first_depth, ..search }.solve_lines(position, lines, control, isa)
            }
            None => AlphaBeta { first_depth, ..AlphaBeta::new(game, HandMade, &self.table) }
                .solve_lines(position, lines, control, isa),
        }
    }
}

impl<R: Rule> MoveSearch for TableSearch<R> {
    fn search(&mut self, position: &Position, lines: usize, control: &Control<'_>, isa: Isa) -> Analysis<Move> {
        let translate = |progress: &Progress<'_>| {
            control.pass_on(progress, progress.partial::<Found<Move>>().map(|found| self.analysis(found)).as_ref());
        };
        let part = control.part().progress(&translate);
        let found = self.on_all_threads(position, lines, &part, isa);
        let analysis = self.analysis(&found);
        self.visited += found.report.nodes;
        analysis
    }
}
