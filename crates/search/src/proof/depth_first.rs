//! Depth-first proof-number search (df-pn): the same order of attention as best-first, in the memory of one path and a
//! table.
//!
//! A visit gets two thresholds and stays below its position until one is reached. A child may use up to a quarter more than
//! the second-best needs (the `1 + epsilon` rule), so that near ties do not send the search to and fro. A table too small to
//! remember anything makes it slow, not wrong: an open node keeps its children's numbers itself, so thresholds only grow.

use super::{Answer, Entry, Hint, INFINITE, Judge, Numbers, Question};
use crate::budget::{Budget, Meter};
use crate::table::{Keying, Table};
use fearless_simd_macros::simd;
use grid::simd::{Isa, Simd, dispatch, fearless_simd};
use grid::{Player, Versus};

/// The search: a game, hints, and a table that other searches may share.
pub struct DepthFirst<'a, G, H, K> {
    /// The rules.
    pub game: &'a G,
    /// How hard a new position looks.
    pub hint: H,
    /// What was found out, for any question.
    pub table: &'a Table<K, Entry>,
}

impl<G: Versus, H: Hint<G>, K: Keying<G>> DepthFirst<'_, G, H, K> {
    /// Answers, or gives up when the budget is spent.
    pub fn ask(&self, position: &G::Position, question: Question, budget: &Budget, isa: Isa) -> Answer<G::Move> {
        self.table.next_search();
        let (at_least, answer_if_reached) = question.for_first();
        let judge = Judge { game: self.game, hint: &self.hint, table: self.table, at_least };
        let best = self.game.moves(position).next();
        let mut run = Run { judge, meter: Meter::new(budget), stack: Vec::new(), deepest: 0, best };
        let numbers = run.judge.at_once(position).unwrap_or_else(|| {
            let everything = Numbers { yes: INFINITE, no: INFINITE };
            dispatch!(isa.level(), simd => run.visit(simd, position, everything, 0))
        });
        run.judge.answer(position, numbers, answer_if_reached, run.best, run.meter.report(run.deepest, false))
    }
}

/// A move of an open node and what is known about the position after it.
struct Child<M> {
    mv: M,
    numbers: Numbers,
}

/// One search under way.
struct Run<'a, G: Versus, H, K> {
    judge: Judge<'a, G, H, K>,
    meter: Meter,
    /// The children of all open nodes, one above the other: no node allocates.
    stack: Vec<Child<G::Move>>,
    deepest: u32,
    /// The root's most promising move.
    best: Option<G::Move>,
}

impl<G: Versus, H: Hint<G>, K: Keying<G>> Run<'_, G, H, K> {
    /// Searches below a position that is not over until one of its numbers reaches its threshold.
    #[simd]
    fn visit<S: Simd>(&mut self, simd: S, position: &G::Position, until: Numbers, ply: u32) -> Numbers {
        const UNKNOWN: Numbers = Numbers { yes: 1, no: 1 };
        if !self.meter.pay() {
            return UNKNOWN;
        }
        self.deepest = self.deepest.max(ply);
        let game = self.judge.game;
        let mover = game.mover(position);
        let before = self.meter.nodes;
        let base = self.stack.len();
        for mv in game.moves(position) {
            let numbers = self.judge.look(&game.play_unchecked(position, mv));
            self.stack.push(Child { mv, numbers });
            if numbers.of_mover(mover).0 == 0 {
                break;
            }
        }
        let (his_limit, other_limit) = until.of_mover(mover);
        let numbers = loop {
            let numbers = Numbers::of_choice(mover, self.stack[base..].iter().map(|child| child.numbers));
            let (his, other) = numbers.of_mover(mover);
            let (best, second) = two_least(&self.stack[base..], mover);
            if ply == 0 {
                self.best = Some(self.stack[base + best].mv);
            }
            if his >= his_limit || other >= other_limit {
                break numbers;
            }
            let child = &self.stack[base + best];
            let next = game.play_unchecked(position, child.mv);
            let a_quarter_more = second.saturating_add(second / 4 + 1);
            // What the siblings already cost the other side is not the child's to spend.
            let share = (other_limit - other).saturating_add(child.numbers.of_mover(mover).1).min(INFINITE);
            let limits = Numbers::from_mover(mover, (his_limit.min(a_quarter_more), share));
            let found = self.visit(simd, &next, limits, ply + 1);
            if self.meter.stopped_by.is_some() {
                self.stack.truncate(base);
                return UNKNOWN;
            }
            self.stack[base + best].numbers = found;
        };
        self.stack.truncate(base);
        self.judge.keep(position, numbers, self.meter.nodes - before + 1);
        numbers
    }
}

/// Which child needs least for the mover to get his way, and how much the next best needs.
#[inline(always)]
fn two_least<M>(children: &[Child<M>], mover: Player) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, u32::MAX, INFINITE);
    for (place, child) in children.iter().enumerate() {
        let his = child.numbers.of_mover(mover).0;
        if his < least {
            second = least.min(INFINITE);
            (best, least) = (place, his);
        } else {
            second = second.min(his);
        }
    }
    (best, second)
}
