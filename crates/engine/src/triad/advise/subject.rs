//! What the adviser works on: my moves or the position, with what is known of them so far.

use super::answer::{Bounds, Measures};
use super::estimate::Estimate;
use super::greedy::Weighted;
use super::position::HiddenMove;
use crate::value::Outcome;
use std::cmp::Reverse;
use triad::Move;

/// A number of worlds to find: those won, or those not lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    Win,
    NotLose,
}

impl Goal {
    pub(super) const BOTH: [Self; 2] = [Self::Win, Self::NotLose];

    /// The cards to own at the end.
    pub(super) const fn target(self) -> u32 {
        match self {
            Self::Win => 6,
            Self::NotLose => 5,
        }
    }

    pub(super) const fn outcome(self) -> Outcome {
        match self {
            Self::Win => Outcome::Win,
            Self::NotLose => Outcome::Draw,
        }
    }

    pub(super) const fn of(self, measures: &Measures) -> &Bounds<u32> {
        match self {
            Self::Win => &measures.win,
            Self::NotLose => &measures.not_lose,
        }
    }

    pub(super) const fn of_mut(self, measures: &mut Measures) -> &mut Bounds<u32> {
        match self {
            Self::Win => &mut measures.win,
            Self::NotLose => &mut measures.not_lose,
        }
    }
}

/// One of my moves, or the position itself: if the opponent is to move, or if my card is still to be drawn. Then it comes
/// after the moves, because what one plan guarantees whatever is drawn does not follow from the moves.
#[derive(Clone)]
pub(super) struct Subject {
    pub(super) mv: Option<HiddenMove>,
    /// By goal: the worlds in which the open game reaches it.
    pub(super) open: [u64; 2],
    pub(super) measures: Measures,
    pub(super) random: Estimate,
    pub(super) careful: Estimate,
    pub(super) greedy: Estimate,
}

/// One reply of the opponent to a subject, for an estimate.
pub(super) struct Sample {
    pub(super) subject: usize,
    /// Its number among the replies to this subject, and how many there are.
    pub(super) round: usize,
    pub(super) replies: usize,
    pub(super) probability: f64,
    pub(super) mv: Move,
    /// The worlds that can have made it, if that depends on the model.
    pub(super) worlds: Vec<Weighted>,
}

/// The subjects, the most promising first.
pub(super) fn order(subjects: &[Subject]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..subjects.len()).collect();
    order.sort_by_key(|at| {
        let Measures { certain, win, not_lose, .. } = subjects[*at].measures;
        Reverse((certain.high, win.high, not_lose.high, certain.low, win.low, not_lose.low))
    });
    order
}

/// The subjects whose chances are computed, the most promising first. Those of the position follow from those of my moves.
pub(super) fn valued(subjects: &[Subject]) -> Vec<usize> {
    let mut valued = order(subjects);
    valued.retain(|at| subjects.len() == 1 || subjects[*at].mv.is_some());
    valued
}

/// Both goals of every subject, all wins first.
pub(super) fn tasks(subjects: &[Subject]) -> Vec<(usize, Goal)> {
    let order = order(subjects);
    Goal::BOTH.into_iter().flat_map(|goal| order.iter().map(move |at| (*at, goal))).collect()
}
