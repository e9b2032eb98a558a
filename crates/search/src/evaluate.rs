//! The evaluator interface: how a search values a position that it does not search any further.
//!
//! Search and evaluation are chosen separately:
//!
//! | search | judges a leaf by | types |
//! |---|---|---|
//! | alpha-beta | an [`Evaluator`] | [`Unguided`], or what a game brings |
//! | tree search | a [`Leaf`] | [`Playouts`] of a policy, or [`Evaluated`] by an evaluator |
//!
//! An evaluator may keep a state per ply, such as the accumulator of a network. The search computes the state of the
//! root once and updates it with each move, which is cheaper than a full evaluation. An evaluator without a state uses
//! `()`, which compiles to nothing.

use crate::playout::Policy;
use grid::{Player, Rng, Versus};

/// Knowledge beyond the rules: how good a position looks, and which move to try first.
///
/// It is a type parameter of the search, so an evaluator without knowledge costs nothing.
pub trait Evaluator<G: Versus> {
    /// The state kept per ply of the current line.
    type State: Clone;

    /// A finished game scores `SCALE` times its result. This leaves room for estimates between results.
    const SCALE: i32;

    /// The state of a position, computed from scratch.
    fn state(&self, game: &G, position: &G::Position) -> Self::State;

    /// The state after a move, updated from the state before it.
    fn state_after(
        &self,
        game: &G,
        state: &Self::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Self::State;

    /// An estimate for the player to move in an unfinished game. The search clamps it strictly between a loss and a win
    /// by the largest margin, so that it never outweighs such a result.
    fn evaluate(&self, game: &G, position: &G::Position, state: &Self::State) -> i32;

    /// Move ordering: moves of higher urgency are searched first, equal ones in generation order.
    fn urgency(&self, game: &G, position: &G::Position, mv: G::Move) -> i32;

    /// Whether the order of moves is good enough to look less deeply at those that come late, and the estimates steady
    /// enough to search a narrow window first. Proofs stay proofs, but some are found later.
    const SELECTIVE: bool = false;

    /// The urgency of every move, in generation order, all at once: what a selective search asks for.
    #[inline(always)]
    fn urgencies(&self, game: &G, position: &G::Position, urgencies: &mut Vec<i32>) {
        urgencies.clear();
        urgencies.extend(game.moves(position).map(|mv| self.urgency(game, position, mv)));
    }

    /// A number of the move below [`HISTORY`], under which alpha-beta remembers how often it was good.
    #[inline(always)]
    fn history(&self, _mv: G::Move) -> usize {
        0
    }

    /// Whether [`priors`](Self::priors) returns anything.
    const HAS_PRIORS: bool = false;

    /// The prior probability of each move, in generation order. The priors of a position sum to 1.
    fn priors(&self, _game: &G, _position: &G::Position, _state: &Self::State, _priors: &mut Vec<f32>) {}
}

/// Moves that alpha-beta can tell apart by their history.
pub const HISTORY: usize = 256;

/// An evaluator without knowledge: every position is a draw and every move is equally urgent. For proofs, not for play.
#[derive(Clone, Copy, Default, Debug)]
pub struct Unguided;

impl<G: Versus> Evaluator<G> for Unguided {
    type State = ();
    const SCALE: i32 = 1;

    #[inline]
    fn state(&self, _: &G, _: &G::Position) {}

    #[inline]
    fn state_after(&self, _: &G, (): &(), _: &G::Position, _: G::Move, _: &G::Position) {}

    #[inline]
    fn evaluate(&self, _: &G, _: &G::Position, (): &()) -> i32 {
        0
    }

    #[inline]
    fn urgency(&self, _: &G, _: &G::Position, _: G::Move) -> i32 {
        0
    }
}

/// How a tree search values a leaf.
pub trait Leaf<G: Versus> {
    /// The state kept per ply from the root down to the leaf.
    type State: Clone;

    /// The stored form of a prior: `f32`, or `()` if there are none.
    type Prior: Prior;

    /// The state of the root.
    fn state(&self, game: &G, position: &G::Position) -> Self::State;

    /// The state after a move.
    fn state_after(
        &self,
        game: &G,
        state: &Self::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Self::State;

    /// The value of a leaf for the first player, from -1 to 1.
    fn value(&self, game: &G, position: &G::Position, state: &Self::State, rng: &mut Rng) -> f32;

    /// The priors of a position's moves, in generation order. Without priors the list stays empty.
    fn priors(&self, _game: &G, _position: &G::Position, _state: &Self::State, _priors: &mut Vec<f32>) {}
}

/// The prior as a tree node stores it.
pub trait Prior: Copy + std::fmt::Debug {
    /// Whether there are priors.
    const EXISTS: bool;

    /// Stores a prior.
    fn new(prior: f32) -> Self;

    /// Reads the prior; 1 if there are none.
    fn get(self) -> f32;
}

impl Prior for () {
    const EXISTS: bool = false;

    fn new(_: f32) {}

    fn get(self) -> f32 {
        1.0
    }
}

impl Prior for f32 {
    const EXISTS: bool = true;

    fn new(prior: f32) -> Self {
        prior
    }

    fn get(self) -> f32 {
        self
    }
}

/// Values a leaf by one playout of a policy.
#[derive(Clone, Copy, Default, Debug)]
pub struct Playouts<P>(pub P);

impl<G: Versus, P: Policy<G>> Leaf<G> for Playouts<P> {
    type State = ();
    type Prior = ();

    #[inline]
    fn state(&self, _: &G, _: &G::Position) {}

    #[inline]
    fn state_after(&self, _: &G, (): &(), _: &G::Position, _: G::Move, _: &G::Position) {}

    #[inline]
    fn value(&self, game: &G, position: &G::Position, (): &(), rng: &mut Rng) -> f32 {
        self.0.play_to_result(game, position, rng) as f32 / G::BEST as f32
    }
}

/// Values a leaf by an evaluator, and selects moves with its priors.
#[derive(Clone, Copy, Default, Debug)]
pub struct Evaluated<E>(pub E);

impl<G: Versus, E: Evaluator<G>> Leaf<G> for Evaluated<E> {
    type State = E::State;
    type Prior = f32;

    #[inline]
    fn state(&self, game: &G, position: &G::Position) -> E::State {
        self.0.state(game, position)
    }

    #[inline]
    fn state_after(
        &self,
        game: &G,
        state: &E::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> E::State {
        self.0.state_after(game, state, before, mv, after)
    }

    #[inline]
    fn value(&self, game: &G, position: &G::Position, state: &E::State, _: &mut Rng) -> f32 {
        if let Some(result) = game.result(position) {
            return result as f32 / G::BEST as f32;
        }
        let value = self.0.evaluate(game, position, state) as f32 / (E::SCALE * G::BEST) as f32;
        let sign = if game.mover(position) == Player::First { 1.0 } else { -1.0 };
        sign * value.clamp(-1.0, 1.0)
    }

    fn priors(&self, game: &G, position: &G::Position, state: &E::State, priors: &mut Vec<f32>) {
        if E::HAS_PRIORS {
            self.0.priors(game, position, state, priors);
        } else {
            let count = game.moves(position).len();
            priors.resize(count, 1.0 / count.max(1) as f32);
        }
    }
}
