//! Best-first proof-number search: the whole open tree in a pool of bounded size.
//!
//! ```text
//! go down from the root, at each node to the child that makes its mover's number; expand the leaf;
//! come up again as long as numbers change; go on from there
//! ```
//!
//! What is solved gives its nodes back at once (blocks of equal size are reused) and is told to the table, so that another
//! path to the same position finds it solved. Against depth-first: no node is ever visited twice for its numbers, but the
//! pool bounds what can be proved.

use super::{Answer, Entry, Hint, Judge, Numbers, Question};
use crate::budget::{Budget, Meter, Stop};
use crate::table::{Keying, OutOfMemory, Table};
use grid::simd::{Isa, Simd, dispatch};
use grid::{Player, Versus};

/// The search: a game, hints, a table for what is solved, and the size of its pool.
pub struct BestFirst<'a, G, H, K> {
    /// The rules.
    pub game: &'a G,
    /// How hard a new position looks.
    pub hint: H,
    /// What was solved, for any question.
    pub table: &'a Table<K, Entry>,
    /// The pool's size in bytes.
    pub pool_bytes: usize,
}

impl<G: Versus, H: Hint<G>, K: Keying<G>> BestFirst<'_, G, H, K> {
    /// Answers, or gives up when the budget is spent or the pool is full.
    ///
    /// # Errors
    /// If there is no memory for the pool.
    pub fn ask(
        &self,
        position: &G::Position,
        question: Question,
        budget: &Budget,
        isa: Isa,
    ) -> Result<Answer<G::Move>, OutOfMemory> {
        self.table.next_search();
        let (at_least, answer_if_reached) = question.for_first();
        let judge = Judge { game: self.game, hint: &self.hint, table: self.table, at_least };
        let pool = Pool::new(self.pool_bytes)?;
        let mut run = Run { judge, meter: Meter::new(budget), pool, deepest: 0 };
        let mut best = self.game.moves(position).next();
        let numbers = run.judge.at_once(position).unwrap_or_else(|| {
            dispatch!(isa.level(), simd => run.prove(simd, position));
            let root = run.pool.nodes[0];
            let mover = self.game.mover(position);
            let winning = |child: &&Node<G::Move>| child.numbers.of_mover(mover).0 == 0;
            best = run.pool.nodes[run.pool.children(&root)].iter().find(winning).and_then(|child| child.mv);
            root.numbers
        });
        Ok(run.judge.answer(position, numbers, answer_if_reached, best, run.meter.report(run.deepest, false)))
    }
}

/// A position of the open tree.
#[derive(Clone, Copy)]
struct Node<M> {
    /// The move that leads here; `None` at the root.
    mv: Option<M>,
    numbers: Numbers,
    first_child: u32,
    /// None while the node is a leaf.
    children: u16,
}

/// Nodes by index, children side by side, with freed blocks kept by their size.
struct Pool<M> {
    nodes: Vec<Node<M>>,
    most: usize,
    free: Vec<Vec<u32>>,
}

impl<M: Copy> Pool<M> {
    fn new(bytes: usize) -> Result<Self, OutOfMemory> {
        let most = (bytes / size_of::<Node<M>>()).clamp(1, u32::MAX as usize);
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(most).map_err(|_| OutOfMemory { bytes })?;
        Ok(Self { nodes, most, free: Vec::new() })
    }

    #[inline(always)]
    fn children(&self, node: &Node<M>) -> std::ops::Range<usize> {
        node.first_child as usize..node.first_child as usize + usize::from(node.children)
    }

    /// Room for `count` nodes side by side.
    fn block(&mut self, count: usize, filler: Node<M>) -> Option<usize> {
        if let Some(first) = self.free.get_mut(count).and_then(Vec::pop) {
            return Some(first as usize);
        }
        let first = self.nodes.len();
        if first + count > self.most {
            return None;
        }
        self.nodes.resize(first + count, filler);
        Some(first)
    }

    /// Gives back everything below a node.
    fn prune(&mut self, at: usize) {
        let mut doomed = vec![at];
        while let Some(at) = doomed.pop() {
            let node = self.nodes[at];
            let count = usize::from(node.children);
            if count == 0 {
                continue;
            }
            doomed.extend(self.children(&node));
            self.nodes[at].children = 0;
            if self.free.len() <= count {
                self.free.resize(count + 1, Vec::new());
            }
            self.free[count].push(node.first_child);
        }
    }
}

/// One search under way.
struct Run<'a, G: Versus, H, K> {
    judge: Judge<'a, G, H, K>,
    meter: Meter,
    pool: Pool<G::Move>,
    deepest: u32,
}

impl<G: Versus, H: Hint<G>, K: Keying<G>> Run<'_, G, H, K> {
    #[inline(always)]
    fn prove<S: Simd>(&mut self, simd: S, root: &G::Position) {
        simd.vectorize(
            #[inline(always)]
            || {
                let game = self.judge.game;
                let numbers = self.judge.look(root);
                // The table may know the root as solved, but not by which move: the root is always opened.
                self.pool.nodes.push(Node { mv: None, numbers, first_child: 0, children: 0 });
                let mut path = vec![(0, *root, game.mover(root))];
                loop {
                    self.descend(&mut path);
                    if !self.meter.pay() {
                        return;
                    }
                    self.deepest = self.deepest.max(path.len() as u32);
                    let &(at, position, _) = path.last().expect("the root is always on the path");
                    if !self.expand(at, &position) {
                        self.meter.stopped_by = Some(Stop::Memory);
                        return;
                    }
                    if self.ascend(&mut path) {
                        return;
                    }
                }
            },
        );
    }

    /// From the end of the path to the leaf that its number hangs on.
    #[inline(always)]
    fn descend(&mut self, path: &mut Vec<(usize, G::Position, Player)>) {
        let game = self.judge.game;
        loop {
            let &(at, position, mover) = path.last().expect("the root is always on the path");
            let node = self.pool.nodes[at];
            let (least, _) = node.numbers.of_mover(mover);
            let deciding =
                self.pool.children(&node).find(|&child| self.pool.nodes[child].numbers.of_mover(mover).0 == least);
            let Some(child) = deciding else { return };
            let mv = self.pool.nodes[child].mv.expect("a child has a move");
            let next = game.play_unchecked(&position, mv);
            path.push((child, next, game.mover(&next)));
        }
    }

    /// Gives a leaf its children; false when the pool is full.
    #[inline(always)]
    fn expand(&mut self, at: usize, position: &G::Position) -> bool {
        let game = self.judge.game;
        let moves = game.moves(position);
        let count = moves.len();
        let Some(first) = self.pool.block(count, self.pool.nodes[at]) else { return false };
        for (place, mv) in (first..).zip(moves) {
            let numbers = self.judge.look(&game.play_unchecked(position, mv));
            self.pool.nodes[place] = Node { mv: Some(mv), numbers, first_child: 0, children: 0 };
        }
        self.pool.nodes[at].first_child = first as u32;
        self.pool.nodes[at].children = count as u16;
        true
    }

    /// Carries changes towards the root and leaves the path where they ended. Whether the root is solved.
    #[inline(always)]
    fn ascend(&mut self, path: &mut Vec<(usize, G::Position, Player)>) -> bool {
        loop {
            let &(at, position, mover) = path.last().expect("the root is always on the path");
            let node = self.pool.nodes[at];
            let children = &self.pool.nodes[self.pool.children(&node)];
            let numbers = Numbers::of_choice(mover, children.iter().map(|child| child.numbers));
            self.pool.nodes[at].numbers = numbers;
            if numbers.solved().is_some() {
                self.judge.keep(&position, numbers, u64::MAX);
                if path.len() == 1 {
                    return true;
                }
                self.pool.prune(at);
            } else if numbers == node.numbers || path.len() == 1 {
                return false;
            }
            path.pop();
        }
    }
}
