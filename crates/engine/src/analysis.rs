//! What an engine says about a position: the value, and the moves, best first. One form for all games.

use crate::value::{Outcome, Value};

/// A move and what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<M> {
    /// The move.
    pub mv: M,
    /// Its value for the side that makes it.
    pub value: Value,
    /// The principal variation, this move included.
    pub line: Vec<M>,
}

impl<M: Copy> Line<M> {
    /// A move of which only the value is known.
    #[must_use]
    pub fn new(mv: M, value: Value) -> Self {
        Self { mv, value, line: vec![mv] }
    }
}

/// What is known of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis<M> {
    /// The value for the side to move.
    pub value: Value,
    /// The moves, best first. Empty when the game is over.
    pub lines: Vec<Line<M>>,
    /// Whether every move that was asked for has its final value.
    pub complete: bool,
    /// Plies searched.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
}

impl<M: Copy + PartialEq> Analysis<M> {
    /// A finished game, by its result for the side that would move.
    #[must_use]
    pub fn over(value: Value) -> Self {
        Self { value, lines: Vec::new(), complete: true, depth: 0, nodes: 0 }
    }

    /// A position whose value is that of the first line.
    #[must_use]
    pub fn of_lines(lines: Vec<Line<M>>, complete: bool) -> Self {
        let first = lines.first();
        let value = first.map_or(Value::UNKNOWN, |line| line.value);
        let depth = first.map_or(0, |line| line.line.len() as u32);
        Self { value, lines, complete, depth, nodes: 0 }
    }

    /// The best move.
    #[must_use]
    pub fn best(&self) -> Option<M> {
        self.lines.first().map(|line| line.mv)
    }

    /// Every listed move that is certain to be as good as the best one; none while the best move is an estimate.
    pub fn optimal(&self) -> impl Iterator<Item = M> {
        let wanted = (self.value.outcome, self.value.margin);
        let certain = self.value.certainty.is_certain() && wanted != (None, None);
        let lines = self.lines.iter().filter(move |line| certain && (line.value.outcome, line.value.margin) == wanted);
        lines.map(|line| line.mv)
    }

    /// The outcome that the values of the moves prove: a win if one move wins, otherwise only if all are known.
    #[must_use]
    pub fn proved_outcome(lines: &[Line<M>], legal: usize) -> Option<Outcome> {
        let best = lines.iter().filter_map(|line| line.value.outcome).max()?;
        let known = lines.iter().filter(|line| line.value.outcome.is_some()).count();
        (best == Outcome::Win || known == legal).then_some(best)
    }
}
