//! Monte-Carlo tree search for the player: the playouts, the tree that is kept between moves, and its answer.

use super::player::{EXPLORATION, MoveSearch};
use crate::analysis::{Analysis, Line};
use crate::value::{Certainty, Outcome, Value};
use grid::simd::Isa;
use grid::{Game, Rng};
use search::playout::Policy;
use search::{Control, Leaf, Mcts, OutOfMemory, mcts};
use std::cmp::Reverse;
use uttt::kernel::Lanes;
use uttt::{Move, Position, Rule, Uttt};

/// Random games on the layout for search; with `TAKE_WINS` a move that wins the game is taken where there is one.
/// A playout costs about 95 instructions per move (`uttt/playout` in `bench/counts.txt`).
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct QuickGames<const TAKE_WINS: bool>;

impl<R: Rule, const TAKE_WINS: bool> Policy<Uttt<R>> for QuickGames<TAKE_WINS> {
    #[inline]
    fn choose(&self, game: &Uttt<R>, position: &Position, rng: &mut Rng) -> Option<Move> {
        let win = if TAKE_WINS { Lanes::new::<R>(position).winning_move::<R>() } else { None };
        win.map(|(board, square)| Move::new(board, square)).or_else(|| rng.pick(game.moves(position)))
    }

    #[inline]
    fn play_to_result(&self, _: &Uttt<R>, position: &Position, rng: &mut Rng) -> i32 {
        Lanes::bare::<R>(position).play_out::<R, TAKE_WINS>(rng).result::<R>()
    }
}

/// The moves from one position to another: none, one or two, as between two questions of a game. `None` if that is not enough.
pub(super) fn moves_between<R: Rule>(from: &Position, to: &Position) -> Option<Vec<Move>> {
    let game = Uttt::<R>::GAME;
    if from == to {
        return Some(Vec::new());
    }
    game.moves(from).find_map(|first| {
        let one = game.play_unchecked(from, first);
        if one == *to {
            return Some(vec![first]);
        }
        let second = game.moves(&one).find(|&second| game.play_unchecked(&one, second) == *to)?;
        Some(vec![first, second])
    })
}

/// Nodes between two reports of what is known so far, some 20 ms.
const SLICE: u64 = 1 << 14;

/// A tree. With `SOLVER` it proves what it can and is kept from move to move; without, it is plain UCT and starts anew.
pub(super) struct Tree<R: Rule, L: Leaf<Uttt<R>>, const SOLVER: bool>(Mcts<'static, Uttt<R>, L, SOLVER>);

impl<R: Rule, L: Leaf<Uttt<R>>, const SOLVER: bool> Tree<R, L, SOLVER> {
    pub(super) fn new(leaf: L, memory: usize, seed: u64) -> Result<Self, OutOfMemory> {
        let mut tree = Mcts::new(Uttt::<R>::GAME, leaf, Position::START, memory, seed)?;
        if SOLVER {
            tree.exploration = EXPLORATION;
        }
        Ok(Self(tree))
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

    fn analysis(&self, found: &mcts::Found<Move>, depth: u32, nodes: u64) -> Analysis<Move> {
        let value_of = |lower: i32, upper: i32, estimate: f32, visits: u32| {
            if lower == upper {
                Value::proved(Outcome::of(lower))
            } else {
                Value::estimated(estimate.into(), Certainty::of_visits(visits.into()))
            }
        };
        let mut moves = found.moves.clone();
        // The tree's choice, then by what is proved, then by visits.
        moves.sort_by_key(|it| (Some(it.mv) != found.best, -it.lower, Reverse(it.visits)));
        let line = |it: &mcts::RootMove<Move>| Line {
            mv: it.mv,
            value: value_of(it.lower, it.upper, it.estimate, it.visits),
            line: self.0.line(it.mv),
        };
        let analysis = Analysis::of_lines(moves.iter().map(line).collect(), false);
        let root = (found.lower == found.upper).then(|| Value::proved(Outcome::of(found.lower)));
        Analysis { value: root.unwrap_or(analysis.value), depth, nodes, ..analysis }
    }
}

impl<R: Rule, L: Leaf<Uttt<R>> + Send, const SOLVER: bool> MoveSearch for Tree<R, L, SOLVER>
where
    L::Prior: Send,
{
    /// Grows the tree in slices: the tree after several slices equals the tree after one that is as long as all.
    fn search(&mut self, position: &Position, lines: usize, control: &Control<'_>, isa: Isa) -> Analysis<Move> {
        if SOLVER {
            self.go_to(position);
            self.0.every_move = lines > 1;
        } else {
            self.0.set_root(*position);
        }
        let (mut nodes, mut depth) = (0, 0);
        loop {
            let mut slice = control.part();
            // Without any limit a full pool ends the search. A slice would be a limit.
            if control.is_limited() {
                slice = slice.node_limit(SLICE);
            }
            let found = self.0.search(&slice, isa);
            nodes += found.report.nodes;
            depth = depth.max(found.report.depth);
            if found.report.nodes < SLICE || !control.is_limited() || control.stop().is_some() {
                return self.analysis(&found, depth, nodes);
            }
            control.report_partial(|| self.analysis(&found, depth, nodes));
        }
    }
}
