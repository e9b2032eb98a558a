//! Monte-Carlo tree search that also proves (MCTS-solver with score bounds).
//!
//! ```text
//! select     from the root, the child with the best  estimate + c * sqrt(ln(visits of parent) / visits)
//! expand     a leaf seen before gets all its children at once; those where the game is over are proved at once
//! play out   from the leaf to the end by the policy
//! back up    the result into every mean, and proved bounds as far as they tighten
//! ```
//!
//! Every node keeps proved bounds `lower <= value <= upper`: the best of its children's bounds. When they meet, the
//! node is proved. The estimate is the mean, clamped to the bounds. Selection skips children that are proved or cannot
//! beat what is already proved, so every playout adds information, and a root that can be proved will be proved. With
//! `SOLVER = false` none of this is compiled, and the search is plain UCT.
//!
//! All nodes are in one pool. The children of a node are adjacent and always come after it. So [`Mcts::advance`], which
//! moves the root to a child, compacts the pool in place in one pass.

use crate::control::{Control, Meter, Report, Stop};
use crate::evaluate::{Leaf, Prior};
use crate::table::OutOfMemory;
use grid::simd::{Isa, Simd, dispatch};
use grid::{Player, Rng, Versus};

/// A node: statistics of the move that leads to it. All values are for the first player, so they do not depend on the
/// mover.
#[derive(Clone, Copy, Debug)]
struct Node<M, P> {
    /// The move that leads here; meaningless at the root.
    mv: Option<M>,
    /// Index of the first child; 0 if there is none (the root is never a child).
    first_child: u32,
    children: u16,
    /// Proved bounds of the value.
    lower: i16,
    upper: i16,
    visits: u32,
    /// Sum of the values of all visits in units of 2^-20, low half first. A running mean would lose precision after
    /// some million visits. Two halves keep the node at 24 bytes.
    sum: [u32; 2],
    prior: P,
}

/// The value 1 in these units.
const UNIT: f32 = (1 << 20) as f32;

impl<M, P> Node<M, P> {
    #[inline(always)]
    fn sum(&self) -> i64 {
        (u64::from(self.sum[0]) | u64::from(self.sum[1]) << 32) as i64
    }

    #[inline(always)]
    fn add(&mut self, value: f32) {
        let sum = self.sum().wrapping_add((value * UNIT) as i64) as u64;
        self.sum = [sum as u32, (sum >> 32) as u32];
        self.visits = self.visits.saturating_add(1);
    }
}

/// A root move with its statistics, for the player who makes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Number of visits.
    pub visits: u32,
    /// Mean result as a share of the largest margin, clamped to the proved bounds: `-1.0..=1.0`.
    pub estimate: f32,
    /// Proved lower bound.
    pub lower: i32,
    /// Proved upper bound.
    pub upper: i32,
}

/// The result of a search, for the player to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Found<M> {
    /// The best move; `None` when the game is over.
    pub best: Option<M>,
    /// Expected result as a share of the largest margin, `-1.0..=1.0`; exact when proved.
    pub estimate: f32,
    /// Proved lower bound.
    pub lower: i32,
    /// Proved upper bound.
    pub upper: i32,
    /// Every move, in generation order; empty if the root was never expanded.
    pub moves: Vec<RootMove<M>>,
    /// The principal variation.
    pub line: Vec<M>,
    /// The cost, and whether the value is proved. A node is a playout or a proved leaf.
    pub report: Report,
}

/// The search tree of one game.
///
/// ```
/// use grid::{Game, simd::Isa};
/// use ninefold_search::{Control, Mcts, Playouts, playout::Uniform};
/// use oracle::tictactoe::TicTacToe;
/// let mut tree = Mcts::<_, _, true>::new(&TicTacToe, Playouts(Uniform), TicTacToe.start(), 1 << 20, 7)?;
/// let answer = tree.search(&Control::new(), Isa::detect());
/// assert!(answer.report.proved && answer.lower == 0 && answer.upper == 0);
/// # Ok::<(), ninefold_search::table::OutOfMemory>(())
/// ```
pub struct Mcts<'a, G: Versus, L: Leaf<G>, const SOLVER: bool> {
    game: &'a G,
    leaf: L,
    root: G::Position,
    nodes: Vec<Node<G::Move, L::Prior>>,
    /// Buffer for the priors of the position being expanded.
    priors: Vec<f32>,
    most_nodes: usize,
    rng: Rng,
    /// The exploration constant; the square root of 2 suits results between -1 and 1.
    pub exploration: f32,
    /// Whether to search every root move until it is proved, even after the best one is: for those who want the value
    /// of each move.
    pub every_move: bool,
}

impl<'a, G: Versus, L: Leaf<G>, const SOLVER: bool> Mcts<'a, G, L, SOLVER> {
    const BEST: i16 = {
        assert!(G::BEST <= i16::MAX as i32);
        G::BEST as i16
    };

    /// A tree with only a root. The pool reserves at most `bytes`, all at once, and never grows.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(game: &'a G, leaf: L, root: G::Position, bytes: usize, seed: u64) -> Result<Self, OutOfMemory> {
        let most_nodes = (bytes / size_of::<Node<G::Move, L::Prior>>()).clamp(1, u32::MAX as usize);
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(most_nodes).map_err(|_| OutOfMemory { bytes })?;
        let (priors, rng) = (Vec::new(), Rng::new(seed));
        let mut tree = Self { game, leaf, root, nodes, priors, most_nodes, rng, exploration: 1.414, every_move: false };
        tree.set_root(root);
        Ok(tree)
    }

    /// The position at the root.
    pub fn root(&self) -> &G::Position {
        &self.root
    }

    /// Number of nodes in the tree.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree holds only its root.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Starts a new tree.
    pub fn set_root(&mut self, root: G::Position) {
        self.root = root;
        self.nodes.clear();
        self.nodes.push(Self::node(self.game, None, &root, 1.0));
    }

    /// Makes the position after `mv` the root and keeps its subtree. Returns false for an illegal move.
    pub fn advance(&mut self, mv: G::Move) -> bool {
        let Some(next) = self.game.play(&self.root, mv) else { return false };
        let top = self.nodes[0];
        match self.children(&top).find(|&child| self.nodes[child].mv == Some(mv)) {
            Some(child) => {
                self.root = next;
                self.keep_only(child);
            }
            None => self.set_root(next),
        }
        true
    }

    /// The principal variation that starts with this root move; empty if the tree does not contain the move.
    pub fn line(&self, mv: G::Move) -> Vec<G::Move> {
        let child = self.children(&self.nodes[0]).find(|&child| self.nodes[child].mv == Some(mv));
        child.map_or_else(Vec::new, |child| self.line_through(child, mv))
    }

    fn line_through(&self, child: usize, mv: G::Move) -> Vec<G::Move> {
        let mut line = vec![mv];
        let (mut at, mut position) = (child, self.game.play_unchecked(&self.root, mv));
        while let Some(child) = self.best_child(at, self.game.mover(&position)) {
            let node = &self.nodes[child];
            let Some(mv) = node.mv else { break };
            if node.visits == 0 && node.lower != node.upper {
                break;
            }
            line.push(mv);
            position = self.game.play_unchecked(&position, mv);
            at = child;
        }
        line
    }

    /// Searches until the root is proved or a limit is reached.
    ///
    /// When the pool is full, the tree stops growing but playouts continue at its leaves, unless there is no other
    /// limit. The depth limit applies to the longest line.
    pub fn search(&mut self, control: &Control<'_>, isa: Isa) -> Found<G::Move> {
        let mut control = control.part();
        let limited = control.is_limited();
        if !SOLVER && !limited {
            // Plain UCT proves nothing and would never stop by itself. It gets one playout per node of the pool.
            control = control.node_limit(self.most_nodes as u64);
        }
        let mut meter = control.meter();
        let longest = control.max_depth().unwrap_or(u32::MAX);
        let depth = dispatch!(isa.level(), simd => self.run(simd, limited || !SOLVER, longest, &mut meter));
        self.answer(meter.report(depth, self.nodes[0].lower == self.nodes[0].upper))
    }

    fn node(game: &G, mv: Option<G::Move>, position: &G::Position, prior: f32) -> Node<G::Move, L::Prior> {
        let (mut lower, mut upper) = (-Self::BEST, Self::BEST);
        if SOLVER && let Some(result) = game.result(position) {
            (lower, upper) = (result as i16, result as i16);
        }
        let prior = L::Prior::new(prior);
        Node { mv, first_child: 0, children: 0, lower, upper, visits: 0, sum: [0; 2], prior }
    }

    /// A result as a share of the largest margin.
    #[inline(always)]
    fn share(result: i32) -> f32 {
        result as f32 / G::BEST as f32
    }

    #[inline(always)]
    fn children(&self, node: &Node<G::Move, L::Prior>) -> std::ops::Range<usize> {
        node.first_child as usize..node.first_child as usize + usize::from(node.children)
    }

    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S, limited: bool, longest: u32, meter: &mut Meter<'_>) -> u32 {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut path = Vec::new();
                let state = self.leaf.state(self.game, &self.root);
                let mut deepest = 0;
                while !self.is_done() && meter.pay() {
                    let grew = self.simulate(&mut path, &state);
                    deepest = deepest.max(path.len() as u32);
                    if deepest >= longest {
                        meter.stop(Stop::Depth);
                        break;
                    }
                    if !grew && !limited {
                        meter.stop(Stop::Memory);
                        break;
                    }
                }
                deepest
            },
        )
    }

    /// Whether everything requested is proved.
    #[inline(always)]
    fn is_done(&self) -> bool {
        let top = &self.nodes[0];
        top.lower == top.upper
            && !(self.every_move && self.nodes[self.children(top)].iter().any(|child| child.lower != child.upper))
    }

    /// One iteration. Leaves the path to the leaf in `path`. Returns false if the pool is full.
    #[inline(always)]
    fn simulate(&mut self, path: &mut Vec<(u32, Player)>, root_state: &L::State) -> bool {
        path.clear();
        let (mut position, mut state) = (self.root, root_state.clone());
        let mut at = 0;
        let mut grew = true;
        // Bounds change only where a node is expanded. This counts the ancestors to update.
        let mut tightened = 0;
        let value = loop {
            let node = self.nodes[at];
            let mover = self.game.mover(&position);
            if node.children == 0 {
                // Expand on the second visit, so that memory is not spent on leaves seen once.
                if node.visits > 0 || at == 0 {
                    grew = self.expand(at, &position, &state);
                }
                if self.nodes[at].children == 0 {
                    break self.leaf.value(self.game, &position, &state, &mut self.rng);
                }
                if SOLVER && self.tighten(at, mover) {
                    tightened = path.len();
                    if self.nodes[at].lower == self.nodes[at].upper {
                        break Self::share(self.nodes[at].lower.into());
                    }
                }
            }
            path.push((at as u32, mover));
            at = self.select(at, mover);
            let mv = self.nodes[at].mv.expect("a child has a move");
            let next = self.game.play_unchecked(&position, mv);
            state = self.leaf.state_after(self.game, &state, &position, mv, &next);
            position = next;
        };
        self.nodes[at].add(value);
        for &(above, _) in path.iter() {
            self.nodes[above as usize].add(value);
        }
        for &(above, mover) in path[..tightened].iter().rev() {
            if !self.tighten(above as usize, mover) {
                break;
            }
        }
        grew
    }

    /// The child to visit next.
    #[inline(always)]
    fn select(&self, parent: usize, mover: Player) -> usize {
        let node = &self.nodes[parent];
        let sign = mover.sign();
        // The best lower bound of the children, from the mover's side.
        let sure = sign * i32::from(if sign > 0 { node.lower } else { node.upper });
        // PUCT with priors, UCT without. The compiler removes the unused branch.
        let root_visits = (node.visits.max(1) as f32).sqrt();
        let log_visits = (node.visits.max(1) as f32).ln();
        let mut best = (usize::MAX, f32::NEG_INFINITY);
        for child in self.children(node) {
            let it = &self.nodes[child];
            if SOLVER {
                let hope = sign * i32::from(if sign > 0 { it.upper } else { it.lower });
                if it.lower == it.upper || hope <= sure && !(self.every_move && parent == 0) {
                    continue;
                }
            }
            let score = if L::Prior::EXISTS {
                let unseen = it.prior.get() * root_visits / (1 + it.visits) as f32;
                sign as f32 * self.estimate(it) + self.exploration * unseen
            } else {
                if it.visits == 0 {
                    return child;
                }
                sign as f32 * self.estimate(it) + self.exploration * (log_visits / it.visits as f32).sqrt()
            };
            if score > best.1 {
                best = (child, score);
            }
        }
        debug_assert!(best.0 != usize::MAX, "a node that is not done has a child that can still change it");
        best.0
    }

    #[inline(always)]
    fn estimate(&self, node: &Node<G::Move, L::Prior>) -> f32 {
        let mean = node.sum() as f32 / (node.visits.max(1) as f32 * UNIT);
        if SOLVER { mean.clamp(Self::share(node.lower.into()), Self::share(node.upper.into())) } else { mean }
    }

    /// Expands a leaf. Returns false if the pool is full.
    #[inline(always)]
    fn expand(&mut self, at: usize, position: &G::Position, state: &L::State) -> bool {
        let moves = self.game.moves(position);
        if self.nodes.len() + moves.len() > self.most_nodes {
            return false;
        }
        let first = self.nodes.len();
        self.priors.clear();
        self.leaf.priors(self.game, position, state, &mut self.priors);
        debug_assert!(!L::Prior::EXISTS || self.priors.len() == moves.len(), "one prior per move");
        for (place, mv) in moves.enumerate() {
            let prior = self.priors.get(place).copied().unwrap_or(1.0);
            self.nodes.push(Self::node(self.game, Some(mv), &self.game.play_unchecked(position, mv), prior));
        }
        self.nodes[at].first_child = first as u32;
        self.nodes[at].children = (self.nodes.len() - first) as u16;
        true
    }

    /// Updates the bounds from the children. Returns whether they changed.
    #[inline(always)]
    fn tighten(&mut self, at: usize, mover: Player) -> bool {
        let node = self.nodes[at];
        let children = &self.nodes[self.children(&node)];
        let best = |bound: fn(&Node<G::Move, L::Prior>) -> i16| {
            let bounds = children.iter().map(bound);
            if mover == Player::First { bounds.max() } else { bounds.min() }
        };
        let (Some(lower), Some(upper)) = (best(|child| child.lower), best(|child| child.upper)) else { return false };
        self.nodes[at].lower = lower;
        self.nodes[at].upper = upper;
        (lower, upper) != (node.lower, node.upper)
    }

    /// Makes a child the root and compacts the pool. Children come after their parents, so one ascending pass moves
    /// every block without overwriting one that is still needed.
    fn keep_only(&mut self, child: usize) {
        const NOBODY: u32 = u32::MAX;
        let mut parents = vec![NOBODY; self.nodes.len()];
        let old_len = self.nodes.len();
        self.nodes[0] = Node { mv: None, ..self.nodes[child] };
        let mut kept = 1;
        if self.nodes[0].children > 0 {
            parents[self.nodes[0].first_child as usize] = 0;
        }
        let mut at = 1;
        while at < old_len {
            let parent = parents[at];
            if parent == NOBODY {
                at += 1;
                continue;
            }
            let count = usize::from(self.nodes[parent as usize].children);
            self.nodes.copy_within(at..at + count, kept);
            self.nodes[parent as usize].first_child = kept as u32;
            for moved in kept..kept + count {
                let node = self.nodes[moved];
                if node.children > 0 {
                    parents[node.first_child as usize] = moved as u32;
                }
            }
            kept += count;
            at += count;
        }
        self.nodes.truncate(kept);
    }

    /// The move to play: the best proved child, unless an unproved one has a better estimate.
    fn best_child(&self, at: usize, mover: Player) -> Option<usize> {
        let node = self.nodes[at];
        let sign = mover.sign();
        let sure = |child: usize| {
            let it = &self.nodes[child];
            sign * i32::from(if sign > 0 { it.lower } else { it.upper })
        };
        let hope = |child: usize| {
            let it = &self.nodes[child];
            sign * i32::from(if sign > 0 { it.upper } else { it.lower })
        };
        let visits = |child: usize| self.nodes[child].visits;
        // `max_by_key` returns the last maximum. The iterator is reversed, so ties go to the first generated move.
        let safest = self.children(&node).rev().max_by_key(|&child| (sure(child), visits(child)))?;
        let floor = sure(safest);
        let tried = self.children(&node).rev().filter(|&child| hope(child) > floor).max_by_key(|&child| visits(child));
        // Any unproved move is better than a proved loss.
        let worst = -G::BEST;
        match tried {
            Some(child)
                if floor == worst
                    || visits(child) > 0 && sign as f32 * self.estimate(&self.nodes[child]) > Self::share(floor) =>
            {
                Some(child)
            }
            _ => Some(safest),
        }
    }

    fn answer(&self, report: Report) -> Found<G::Move> {
        let top = self.nodes[0];
        let mover = self.game.mover(&self.root);
        let sign = mover.sign();
        let seen = |node: &Node<G::Move, L::Prior>| {
            let (low, high) = (sign * i32::from(node.lower), sign * i32::from(node.upper));
            (sign as f32 * self.estimate(node), low.min(high), low.max(high))
        };
        let moves = self.nodes[self.children(&top)].iter().filter_map(|node| {
            let (estimate, lower, upper) = seen(node);
            Some(RootMove { mv: node.mv?, visits: node.visits, estimate, lower, upper })
        });
        let moves: Vec<_> = moves.collect();
        let chosen = self.best_child(0, mover).and_then(|child| Some((child, self.nodes[child].mv?)));
        let line = chosen.map_or_else(Vec::new, |(child, mv)| self.line_through(child, mv));
        let best = chosen.map(|(_, mv)| mv).or_else(|| self.game.moves(&self.root).next());
        let (estimate, lower, upper) = seen(&top);
        Found { best, estimate, lower, upper, moves, line, report }
    }
}
