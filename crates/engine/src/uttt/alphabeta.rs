//! Alpha-beta for the player, with the hand-made evaluation.

use super::evaluation::HandMade;
use super::player::MoveSearch;
use crate::analysis::{Analysis, Line};
use crate::value::{Certainty, Outcome, Value};
use grid::simd::Isa;
use search::alphabeta::{Entry, Found};
use search::{AlphaBeta, Control, Evaluator, Hashed, OutOfMemory, Progress, Table};
use std::marker::PhantomData;
use uttt::{Move, Position, Rule, Uttt};

/// The transposition table, kept between searches.
pub(super) struct TableSearch<R: Rule> {
    table: Table<Hashed, Entry>,
    /// Nodes visited since the table was empty.
    visited: u64,
    rule: PhantomData<R>,
}

impl<R: Rule> TableSearch<R> {
    pub(super) fn new(memory: usize) -> Result<Self, OutOfMemory> {
        Ok(Self { table: Table::with_bytes(memory)?, visited: 0, rule: PhantomData })
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

impl<R: Rule> MoveSearch for TableSearch<R> {
    fn search(&mut self, position: &Position, lines: usize, control: &Control<'_>, isa: Isa) -> Analysis<Move> {
        let translate = |progress: &Progress<'_>| {
            control.pass_on(progress, progress.partial::<Found<Move>>().map(|found| self.analysis(found)).as_ref());
        };
        let part = control.part().progress(&translate);
        let search = AlphaBeta::new(Uttt::<R>::GAME, HandMade, &self.table);
        let found = search.solve_lines(position, lines, &part, isa);
        let analysis = self.analysis(&found);
        self.visited += found.report.nodes;
        analysis
    }
}
