//! Best-first tree search: every child is judged when its parent is first visited, and values are backed up by minimax.
//!
//! ```text
//! select   from the root, the child with the best
//!              mix * value + (1 - mix) * mean + c * sqrt(log2(visits of parent) / visits)
//!          where the last term is smaller for a move that leaves the opponent a free choice
//! expand   a leaf gets all its children at once, each with the judge's value, all from one call
//! back up  value = 1 - best value of the children, mean = mean of the values after each visit,
//!          proved bounds = best bounds of the children
//! ```
//!
//! There are no random games, so a visit costs one call of the judge for all children. A value in the tree is the share of
//! a win, from 0 (lost) to 1 (won), for the side that has just moved. Every node keeps proved bounds, and a node whose
//! bounds meet is never visited again. A draw is proved like a win.
//!
//! Several threads may grow one tree: all words of a node are relaxed atomics, and only the index of the first child is
//! published with release and read with acquire, after the children are complete. Two threads that update one node at the
//! same time may lose a visit, never a child. With one thread the search is reproducible.
//!
//! All nodes are in one pool that never grows. The children of a node are adjacent and come after it, so
//! [`BestFirst::advance`] and [`BestFirst::recycle`] compact the pool in place in one pass.

use crate::control::{Meter, Stop};
use crate::table::OutOfMemory;
use grid::simd::{Isa, Simd, dispatch};
use grid::{Sym, Symmetric, Versus};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use zerocopy::FromZeros;

/// A move as the judge sees it before it is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judged {
    /// The move, as [`Judge::pack`] packs it.
    pub mv: u8,
    /// From 0 (lost) to 1 (won), for the side that makes the move.
    pub value: f32,
    /// The sign of the result for the side that makes the move, if the move ends the game.
    pub result: Option<i8>,
    /// Whether the opponent may then choose freely among many moves. Such a move is explored less.
    pub frees: bool,
}

/// Judges all children of a position at once.
pub trait Judge<G: Versus>: Sync {
    /// A move in one byte.
    fn pack(&self, mv: G::Move) -> u8;

    /// The inverse of [`pack`](Self::pack).
    fn unpack(&self, mv: u8) -> G::Move;

    /// Fills `children` with every legal move, in the order of the rules; with none if the game is over.
    fn judge<S: Simd>(&self, simd: S, game: &G, position: &G::Position, children: &mut Vec<Judged>);
}

/// The parameters of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tuning {
    /// The share of the minimax value in the choice of a child; the rest is its mean.
    pub mix: f32,
    /// How much a rarely visited child is favoured.
    pub exploration: f32,
    /// The part of it that remains for a move after which the opponent may choose freely.
    pub freeing: f32,
    /// What a doubling of the visits is worth when the move is chosen.
    pub trust: f32,
    /// A root move gets at least one visit in this number.
    pub root_share: u32,
}

/// A node: the move that leads to it and what is known of it, for the side that makes this move. 20 bytes.
///
/// ```text
/// word 0  index of the first child; 0 if there is none, BUSY while a thread makes them
///      1  visits
///      2  value   bits of an f32
///      3  mean    bits of an f32
///      4  move (bits 0..8) | children (8..16) | lower + 1 (16..18) | upper + 1 (18..20) | frees the opponent (20)
/// ```
#[derive(Clone, Copy)]
struct Node<'a>(&'a Words);

type Words = [AtomicU32; 5];

const BUSY: u32 = u32::MAX;
const FREES: u32 = 1 << 20;

/// The proved bounds of a result, by its sign.
pub type Bounds = (i8, i8);

/// What [`BestFirst::each_known`] calls: a position, its value for the side to move, its proved bounds.
type Each<'a, P> = dyn FnMut(&P, f32, Bounds) + 'a;

const UNKNOWN: Bounds = (-1, 1);

impl Node<'_> {
    #[inline(always)]
    fn word(self, index: usize) -> u32 {
        self.0[index].load(Relaxed)
    }

    #[inline(always)]
    fn set(self, index: usize, word: u32) {
        self.0[index].store(word, Relaxed);
    }

    #[inline(always)]
    fn visits(self) -> u32 {
        self.word(1)
    }

    #[inline(always)]
    fn value(self) -> f32 {
        f32::from_bits(self.word(2))
    }

    #[inline(always)]
    fn mean(self) -> f32 {
        f32::from_bits(self.word(3))
    }

    #[inline(always)]
    fn mv(self) -> u8 {
        self.word(4) as u8
    }

    #[inline(always)]
    fn bounds(self) -> Bounds {
        bounds_of(self.word(4))
    }

    #[inline(always)]
    fn is_proved(self) -> bool {
        let (lower, upper) = self.bounds();
        lower == upper
    }

    fn fill(self, child: &Judged) {
        let bounds = child.result.map_or(UNKNOWN, |result| (result, result));
        self.set(0, 0);
        self.set(1, 0);
        self.set(2, child.value.to_bits());
        self.set(3, child.value.to_bits());
        self.set(4, u32::from(child.mv) | packed(bounds) | if child.frees { FREES } else { 0 });
    }

    /// Adds a visit to the mean.
    #[inline(always)]
    fn average(self, value: f32) {
        let mean = self.mean();
        self.set(3, (mean + (value - mean) / (self.visits() + 1) as f32).to_bits());
    }

    fn copy_from(self, other: Node<'_>) {
        for (to, from) in self.0.iter().zip(other.0) {
            to.store(from.load(Relaxed), Relaxed);
        }
    }
}

#[inline(always)]
const fn bounds_of(facts: u32) -> Bounds {
    ((facts >> 16 & 3) as i8 - 1, (facts >> 18 & 3) as i8 - 1)
}

#[inline(always)]
const fn packed((lower, upper): Bounds) -> u32 {
    ((lower + 1) as u32) << 16 | ((upper + 1) as u32) << 18
}

/// A result as a share of a win.
#[inline(always)]
fn share(sign: i8) -> f32 {
    f32::from(sign + 1) / 2.0
}

/// An approximation of the logarithm that is the same on every machine: exact for powers of two, at most 0.01 off.
#[inline(always)]
fn log2(number: u32) -> f32 {
    let bits = (number as f32).to_bits();
    let fraction = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    let exponent = (bits >> 23) as i32 - 127;
    exponent as f32 + (-0.344_84 * fraction + 2.024_66) * fraction - 1.679_82
}

/// A root move with its statistics, for the player who makes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Number of visits.
    pub visits: u32,
    /// The minimax value, from 0 (lost) to 1 (won); exact when proved.
    pub value: f32,
    /// The proved bounds of the result's sign.
    pub bounds: Bounds,
}

/// Why [`BestFirst::grow`] came back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grown {
    /// Everything asked for is proved.
    Proved,
    /// The pool is full: [`BestFirst::recycle`] makes room.
    Full,
    /// The meter allows no further visit.
    Stopped,
}

/// The search tree of one game.
pub struct BestFirst<'a, G: Versus, J> {
    game: &'a G,
    judge: J,
    root: G::Position,
    nodes: Box<[Words]>,
    used: AtomicUsize,
    deepest: AtomicU32,
    /// For each root move its image that is searched in its place: the first of those that a symmetry of the root makes equal.
    twins: Vec<u8>,
    tuning: Tuning,
    /// Whether to search every root move until it is proved, even after the best one is.
    pub every_move: bool,
}

/// A visit in progress: buffers that a thread uses again and again.
struct Visit {
    path: Vec<u32>,
    children: Vec<Judged>,
}

impl<'a, G: Symmetric + Versus, J: Judge<G>> BestFirst<'a, G, J> {
    /// A tree with only a root. The pool takes at most about `bytes` and never grows.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(game: &'a G, judge: J, root: G::Position, tuning: Tuning, bytes: usize) -> Result<Self, OutOfMemory> {
        let count = (bytes / size_of::<Words>()).clamp(LEAST_NODES, BUSY as usize - 1);
        let nodes = <[Words]>::new_box_zeroed_with_elems(count).map_err(|_| OutOfMemory { bytes })?;
        let (used, deepest) = (AtomicUsize::new(1), AtomicU32::new(0));
        let mut tree = Self { game, judge, root, nodes, used, deepest, twins: Vec::new(), tuning, every_move: false };
        tree.set_root(root);
        Ok(tree)
    }

    /// The position at the root.
    pub fn root(&self) -> &G::Position {
        &self.root
    }

    /// Number of nodes in the tree.
    pub fn len(&self) -> usize {
        self.used.load(Relaxed).min(self.nodes.len())
    }

    /// Whether the tree holds only its root.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// The longest line since the root was set.
    pub fn depth(&self) -> u32 {
        self.deepest.load(Relaxed)
    }

    /// Starts a new tree.
    pub fn set_root(&mut self, root: G::Position) {
        self.root = root;
        let result = self.game.result(&root).map(|result| {
            let sign = -result.signum() * self.game.mover(&root).sign();
            sign as i8
        });
        self.node(0).fill(&Judged { mv: 0, value: result.map_or(0.5, share), result, frees: false });
        *self.used.get_mut() = 1;
        self.after_root();
    }

    /// Makes the position after `mv` the root and keeps its subtree. Returns false for an illegal move.
    pub fn advance(&mut self, mv: G::Move) -> bool {
        let Some(next) = self.game.play(&self.root, mv) else { return false };
        let packed = self.judge.pack(mv);
        match self.children(0).find(|&child| self.node(child).mv() == packed) {
            // A move that was not searched because of its twin has no subtree: the tree starts anew.
            Some(child) if self.node(child).word(0) != 0 => {
                self.root = next;
                self.compact(child, 0);
                self.after_root();
            }
            _ => self.set_root(next),
        }
        true
    }

    fn after_root(&mut self) {
        *self.deepest.get_mut() = 0;
        self.twins.clear();
        let fixing: Vec<Sym> =
            Sym::ALL.into_iter().filter(|&sym| self.game.map(&self.root, sym) == self.root).collect();
        let moves: Vec<G::Move> = self.game.moves(&self.root).collect();
        let place = |mv: G::Move| moves.iter().position(|&other| other == mv).unwrap_or(usize::MAX);
        let first =
            |&mv: &G::Move| fixing.iter().map(|&sym| place(self.game.map_move(mv, sym))).min().unwrap_or(0) as u8;
        let twins = moves.iter().map(first).collect();
        self.twins = twins;
    }

    /// The root's child that is searched in the place of this one.
    fn twin(&self, child: usize) -> usize {
        let first = self.node(0).word(0) as usize;
        self.twins.get(child - first).map_or(child, |&twin| first + usize::from(twin))
    }

    #[inline(always)]
    fn node(&self, at: usize) -> Node<'_> {
        Node(&self.nodes[at])
    }

    #[inline(always)]
    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let node = self.node(at);
        match node.0[0].load(Acquire) {
            0 | BUSY => 0..0,
            first => first as usize..first as usize + (node.word(4) >> 8 & 0xff) as usize,
        }
    }

    /// Visits the tree until everything asked for is proved, the pool is full, or the meter allows no further visit.
    /// Several threads may call this at the same time, each with a meter of its own.
    pub fn grow(&self, meter: &mut Meter<'_>, longest: u32, isa: Isa) -> Grown
    where
        Self: Sync,
    {
        dispatch!(isa.level(), simd => self.run(simd, longest, meter))
    }

    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, longest: u32, meter: &mut Meter<'_>) -> Grown {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut visit = Visit { path: Vec::new(), children: Vec::new() };
                loop {
                    if self.is_done() {
                        return Grown::Proved;
                    }
                    if !meter.pay() {
                        return Grown::Stopped;
                    }
                    let room = self.visit(simd, &mut visit);
                    let depth = visit.path.len() as u32;
                    if depth > self.deepest.load(Relaxed) {
                        self.deepest.store(depth, Relaxed);
                    }
                    if depth >= longest {
                        meter.stop(Stop::Depth);
                        return Grown::Stopped;
                    }
                    if !room {
                        return Grown::Full;
                    }
                }
            },
        )
    }

    /// Whether everything asked for is proved.
    #[inline(always)]
    fn is_done(&self) -> bool {
        let is_proved = self.node(0).is_proved();
        is_proved && !(self.every_move && self.children(0).any(|child| !self.node(self.twin(child)).is_proved()))
    }

    /// One visit, from the root to a leaf and back. Returns false if the pool is full.
    #[inline(always)]
    fn visit<S: Simd>(&self, simd: S, visit: &mut Visit) -> bool {
        visit.path.clear();
        let (mut at, mut position) = (0, self.root);
        let room = loop {
            let node = self.node(at);
            visit.path.push(at as u32);
            // Counted on the way down, so that another thread looks elsewhere.
            node.set(1, node.visits().saturating_add(1));
            match node.0[0].load(Acquire) {
                0 => break self.expand(simd, at, &position, &mut visit.children),
                // Another thread makes the children. This visit ends here and counts as a look at the old value.
                BUSY => break true,
                first => {
                    let count = (node.word(4) >> 8 & 0xff) as usize;
                    let range = first as usize..first as usize + count;
                    let Some(child) = self.select(at, range) else { break true };
                    at = child;
                    position = self.game.play_unchecked(&position, self.judge.unpack(self.node(at).mv()));
                }
            }
        };
        for &at in visit.path.iter().rev() {
            self.back_up(at as usize);
        }
        room
    }

    /// Makes the children of a leaf. Returns false if the pool is full.
    #[inline(always)]
    fn expand<S: Simd>(&self, simd: S, at: usize, position: &G::Position, children: &mut Vec<Judged>) -> bool {
        let node = self.node(at);
        if node.0[0].compare_exchange(0, BUSY, Relaxed, Relaxed).is_err() {
            return true;
        }
        self.judge.judge(simd, self.game, position, children);
        let first = self.used.fetch_add(children.len(), Relaxed);
        let Some(block) = self.nodes.get(first..first + children.len()) else {
            self.used.fetch_sub(children.len(), Relaxed);
            node.set(0, 0);
            return false;
        };
        for (place, child) in block.iter().map(Node).zip(children.iter()) {
            place.fill(child);
        }
        node.set(4, node.word(4) & !0xff00 | (children.len() as u32) << 8);
        node.0[0].store(first as u32, Release);
        true
    }

    /// The child to visit next; none if nothing can change.
    #[inline(always)]
    fn select(&self, parent: usize, children: std::ops::Range<usize>) -> Option<usize> {
        let node = self.node(parent);
        let (is_root, visits) = (parent == 0, node.visits());
        let sure = -node.bounds().1;
        let spread = self.tuning.exploration * self.tuning.exploration * log2(visits.max(1));
        let every = is_root && self.every_move;
        let mut best = (None, f32::NEG_INFINITY);
        let first = children.start;
        for (place, it) in self.nodes[children].iter().map(Node).enumerate() {
            let facts = it.word(4);
            let (lower, upper) = bounds_of(facts);
            if lower == upper || upper <= sure && !every {
                continue;
            }
            let seen = it.visits();
            if is_root {
                if self.twins.get(place).is_some_and(|&twin| usize::from(twin) != place) {
                    continue;
                }
                if u64::from(seen + 1) * u64::from(self.tuning.root_share) < u64::from(visits) {
                    return Some(first + place);
                }
            }
            let mut unseen = (spread / (seen + 1) as f32).sqrt();
            if facts & FREES != 0 {
                unseen *= self.tuning.freeing;
            }
            let score = self.tuning.mix * it.value() + (1.0 - self.tuning.mix) * it.mean() + unseen;
            if score > best.1 {
                best = (Some(first + place), score);
            }
        }
        best.0
    }

    /// Value and bounds of a node from its children, and one more value in its mean.
    #[inline(always)]
    fn back_up(&self, at: usize) {
        let node = self.node(at);
        let children = self.children(at);
        if !children.is_empty() {
            let (mut best, mut lower, mut upper) = (0.0_f32, -1, -1);
            for child in self.nodes[children].iter().map(Node) {
                let (low, high) = child.bounds();
                best = best.max(child.value());
                (lower, upper) = (lower.max(low), upper.max(high));
            }
            let bounds = (-upper, -lower);
            node.set(2, (1.0 - best).clamp(share(bounds.0), share(bounds.1)).to_bits());
            if bounds != node.bounds() {
                node.set(4, node.word(4) & !(0xf << 16) | packed(bounds));
            }
        }
        node.average(node.value());
    }

    /// Makes room: forgets the children of the nodes that were visited least, until at most half of the pool is used. What
    /// their parents know stays.
    pub fn recycle(&mut self) {
        let mut least = 2;
        while self.len() > self.nodes.len() / 2 {
            self.compact(0, least);
            least *= 2;
        }
    }

    /// Makes a node the root, forgets the children of nodes with fewer visits than `least`, and closes the gaps. Children come
    /// after their parents, so one ascending pass moves every block without overwriting one that is still needed.
    fn compact(&mut self, root: usize, least: u32) {
        let end = self.len();
        let mut parents = vec![BUSY; end];
        let keeps = |node: Node<'_>, is_root: bool| {
            let kept = is_root || node.visits() >= least;
            if !kept {
                node.set(0, 0);
            }
            kept && node.word(0) != 0
        };
        self.node(0).copy_from(self.node(root));
        let mut kept = 1;
        if keeps(self.node(0), true) {
            parents[self.node(0).word(0) as usize] = 0;
        }
        let mut at = 1;
        while at < end {
            let parent = parents[at];
            if parent == BUSY {
                at += 1;
                continue;
            }
            let count = (self.node(parent as usize).word(4) >> 8 & 0xff) as usize;
            self.node(parent as usize).set(0, kept as u32);
            for child in at..at + count {
                let moved = self.node(kept);
                moved.copy_from(self.node(child));
                if keeps(moved, false) {
                    parents[moved.word(0) as usize] = kept as u32;
                }
                kept += 1;
            }
            at += count;
        }
        *self.used.get_mut() = kept;
    }

    /// Every root move with what is known of it, best first; none if the root was never visited. Moves that a symmetry of the
    /// position makes equal have equal values.
    #[must_use]
    pub fn moves(&self) -> Vec<RootMove<G::Move>> {
        let mut ranked: Vec<(f32, RootMove<G::Move>)> = self
            .children(0)
            .map(|child| {
                let known = self.node(self.twin(child));
                let mv = self.judge.unpack(self.node(child).mv());
                let it = RootMove { mv, visits: known.visits(), value: known.value(), bounds: known.bounds() };
                (self.rank(known), it)
            })
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.into_iter().map(|(_, it)| it).collect()
    }

    /// How good a child is when the move is chosen: its value and how well it is known. Proved moves come before or after all
    /// others; a proved draw ranks as a draw that is known as well as can be.
    fn rank(&self, node: Node<'_>) -> f32 {
        match node.bounds() {
            (1, _) => f32::INFINITY,
            (_, -1) => f32::NEG_INFINITY,
            (0, 0) => 0.5 + self.tuning.trust * log2(self.node(0).visits() + 1),
            _ => node.value() + self.tuning.trust * log2(node.visits() + 1),
        }
    }

    /// The principal variation that starts with this root move. That of a move which is not searched because of its twin is
    /// the image of the twin's.
    #[must_use]
    pub fn line(&self, mv: G::Move) -> Vec<G::Move> {
        let packed = self.judge.pack(mv);
        let Some(child) = self.children(0).find(|&child| self.node(child).mv() == packed) else { return vec![mv] };
        let twin = self.twin(child);
        let line = self.line_below(twin);
        let fits = |sym: &Sym| {
            self.game.map(&self.root, *sym) == self.root
                && line.first().is_some_and(|&it| self.game.map_move(it, *sym) == mv)
        };
        let sym = Sym::ALL.into_iter().find(fits);
        sym.map_or_else(|| vec![mv], |sym| line.iter().map(|&it| self.game.map_move(it, sym)).collect())
    }

    /// The moves from a node on, its own included.
    fn line_below(&self, mut at: usize) -> Vec<G::Move> {
        let mut line = vec![self.judge.unpack(self.node(at).mv())];
        loop {
            let rank = |&child: &usize| self.rank(self.node(child));
            // The last of several equal maxima is taken, so the order is reversed: ties go to the first move.
            let Some(child) = self.children(at).rev().max_by(|a, b| rank(a).total_cmp(&rank(b))) else { return line };
            if self.node(child).visits() == 0 && !self.node(child).is_proved() {
                return line;
            }
            line.push(self.judge.unpack(self.node(child).mv()));
            at = child;
        }
    }

    /// Calls `each` for every position of the tree with at least so many visits: with its value for the side to move, from 0
    /// to 1, and its proved bounds.
    pub fn each_known(&self, least: u32, each: &mut Each<'_, G::Position>) {
        self.each_known_below(0, &self.root, least, each);
    }

    fn each_known_below(&self, at: usize, position: &G::Position, least: u32, each: &mut Each<'_, G::Position>) {
        let (lower, upper) = self.node(at).bounds();
        each(position, 1.0 - self.node(at).value(), (-upper, -lower));
        for child in self.children(at).filter(|&child| self.node(child).visits() >= least) {
            let next = self.game.play_unchecked(position, self.judge.unpack(self.node(child).mv()));
            self.each_known_below(child, &next, least, each);
        }
    }

    /// The value for the side to move, its proved bounds, and the visits of the root.
    #[must_use]
    pub fn value(&self) -> (f32, Bounds, u32) {
        let root = self.node(0);
        let (lower, upper) = root.bounds();
        (1.0 - root.value(), (-upper, -lower), root.visits())
    }
}

/// Room for the root and the children of some nodes, whatever was asked for.
const LEAST_NODES: usize = 4096;
