//! The network as the evaluator of alpha-beta.

use super::Network;
use grid::Game;
use search::Evaluator;
use search::best_first::Judged;
use std::cell::RefCell;
use std::sync::Arc;
use uttt::{Move, Position, Rule, Uttt};

/// Estimates a position by its best child, and orders moves by what they lead to: either way all children are judged from one
/// sum. For one thread: it has a buffer of its own.
pub(in crate::uttt) struct NetworkEstimate {
    network: Arc<Network>,
    children: RefCell<Vec<Judged>>,
}

impl NetworkEstimate {
    pub(in crate::uttt) fn new(network: Arc<Network>) -> Self {
        Self { network, children: RefCell::default() }
    }
}

/// The urgency of a move that wins for sure.
const SURE: f32 = 4096.0;

impl<R: Rule> Evaluator<Uttt<R>> for NetworkEstimate {
    type State = ();
    const SCALE: i32 = 10_000;
    const SELECTIVE: bool = true;

    #[inline(always)]
    fn state(&self, _: &Uttt<R>, _: &Position) {}

    #[inline(always)]
    fn state_after(&self, _: &Uttt<R>, (): &(), _: &Position, _: Move, _: &Position) {}

    #[inline(always)]
    fn evaluate(&self, _: &Uttt<R>, position: &Position, (): &()) -> i32 {
        let mut children = self.children.borrow_mut();
        self.network.judge_children::<R>(position, &mut children);
        let best = children.iter().map(|child| child.value).fold(0.0, f32::max);
        ((2.0 * best - 1.0) * <Self as Evaluator<Uttt<R>>>::SCALE as f32) as i32
    }

    #[inline(always)]
    fn urgency(&self, game: &Uttt<R>, position: &Position, mv: Move) -> i32 {
        let next = game.play_unchecked(position, mv);
        ((1.0 - self.network.value::<R>(&next)) * SURE) as i32
    }

    #[inline(always)]
    fn urgencies(&self, _: &Uttt<R>, position: &Position, urgencies: &mut Vec<i32>) {
        let mut children = self.children.borrow_mut();
        self.network.judge_children::<R>(position, &mut children);
        urgencies.clear();
        urgencies.extend(children.iter().map(|child| (child.value * SURE) as i32));
    }

    #[inline(always)]
    fn history(&self, mv: Move) -> usize {
        mv.board().index() << 4 | mv.square().index()
    }
}
