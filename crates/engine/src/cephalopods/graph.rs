//! Every board within reach of a question, each found and expanded once, many of one pattern at a time.
//!
//! Boards come up by *level*, twice the pips less the dice, which every move raises: a placement and a capture of two dice by
//! one, a capture of three by two, of four by three. So a board at a level has come there in as many moves as there are
//! levels from the root, less the *extra* dice captured on the way, those beyond two at a time:
//!
//! ```text
//! moves made = level - level of the root - extra
//! level 7:     4 pips on one die, 5 on three dice, 6 on five, 7 on seven
//! ```
//!
//! All that a board needs to know of its past is therefore one word of bits: with how many extra dice it occurs. Within a
//! level, boards of one pattern have the same number of pips; they are a *batch* and are moved 64 at a time, which gives the
//! index of each child ([`finder`](super::finder)). A table by index knows the numbers of the boards found; there is no hash
//! and nothing to compare.
//!
//! Levels live in a ring of six: a move never rises by more than four.

use super::finder::Finder;
use cephalopods::Board;
use cephalopods::kernel::columns::BOARDS;
use cephalopods::pattern::{self, MOST_LEVELS, PATTERNS, Place, SPACE};
use grid::Sym;
use grid::simd::fearless_simd::Simd;
use std::ops::Range;

/// A board that was found.
///
/// ```text
/// bits 63..32   bit e: it occurs with e extra dice and at least one move to go
///      15..0    its index
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct Node(pub(super) u64);

impl Node {
    #[inline(always)]
    pub(crate) fn index(self) -> u16 {
        self.0 as u16
    }

    #[inline(always)]
    pub(crate) fn ways(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// How many numbers there are from the least to the greatest of its ways.
    #[inline(always)]
    pub(crate) fn width(self) -> u32 {
        32 - self.ways().leading_zeros() - self.ways().trailing_zeros()
    }
}

/// A move between two boards.
///
/// ```text
/// bits 20..0    the child's place: where its pattern begins in the ring, and its number
///      23..21   the symmetry that takes the child to its pattern
///      25..24   how many dice more than two are captured; 0 if the moves never run out
///      31..26   whose it is: the number of the board in its block
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edge(pub(super) u32);

impl Edge {
    #[inline(always)]
    pub(crate) fn child(self) -> usize {
        self.0 as usize % ROOM_OF_PLACES
    }

    #[inline(always)]
    pub(crate) fn sym(self) -> usize {
        (self.0 >> 21 & 7) as usize
    }

    #[inline(always)]
    pub(crate) fn whose(self) -> usize {
        (self.0 >> 26) as usize
    }

    #[inline(always)]
    pub(crate) fn extra(self) -> u32 {
        self.0 >> 24 & 3
    }
}

/// So many levels are in use at a time, at most.
pub(super) const LEVELS: usize = 6;
/// All places in the ring are below this.
pub(crate) const PLACES: usize = LEVELS / 2 * (SPACE[0] + SPACE[1]);
/// A list of so many needs no check.
pub(crate) const ROOM_OF_PLACES: usize = 1 << 21;

const _: () = assert!(LEVELS > MOST_LEVELS && LEVELS.is_multiple_of(2) && PLACES < ROOM_OF_PLACES);

/// Where the boards of a pattern begin in the ring, at a level. Their numbers are from 1 on.
#[inline(always)]
pub(crate) fn place(level: usize, pattern: usize) -> usize {
    let ring = level % LEVELS;
    ring / 2 * (SPACE[0] + SPACE[1]) + ring % 2 * SPACE[0] + pattern::ALL[pattern].first as usize
}

/// What is asked of the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    /// The level of the root.
    pub(crate) level: usize,
    /// The most moves; none if every game comes to its end.
    pub(crate) depth: Option<u32>,
    /// Boards of this number of pips are found but not expanded.
    pub(crate) barrier: usize,
}

impl Question {
    /// How the moves to go follow from the extra dice at a level.
    pub(crate) fn clock(&self, level: usize) -> Clock {
        Clock(self.depth.map(|depth| depth as i32 - (level - self.level) as i32))
    }
}

/// The moves to go at a level without extra dice, which may be less than none; nothing if they never run out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Option<i32>);

impl Clock {
    /// With how many extra dice there are so many moves to go.
    #[inline(always)]
    pub(crate) fn extra(self, moves: i32) -> Option<u32> {
        u32::try_from(moves - self.0?).ok()
    }

    /// The same as a bit of a board's ways. No board has more than 27 extra dice: a die of six pips is put together with at most
    /// three.
    #[inline(always)]
    pub(crate) fn way(self, moves: i32) -> u32 {
        self.extra(moves).and_then(|extra| 1u32.checked_shl(extra)).unwrap_or(0)
    }

    /// The moves to go with so many extra dice, [`cephalopods::LONGEST`] if they never run out.
    pub(crate) fn moves(self, extra: u32) -> u32 {
        self.0.map_or(cephalopods::LONGEST, |moves| (moves + extra as i32) as u32)
    }

    pub(super) fn is_limited(self) -> bool {
        self.0.is_some()
    }
}

/// Where a walk begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    pub(crate) level: usize,
    pub(crate) pattern: usize,
    pub(super) index: u16,
    /// The symmetry that takes the board to its pattern.
    pub(crate) sym: Sym,
    /// With how many extra dice.
    pub(crate) extra: u32,
}

/// Twice the pips less the dice.
pub(crate) fn level(board: Board) -> usize {
    (2 * board.rank() - board.dice()) as usize
}

impl Root {
    /// A board of at most seven dice.
    pub(crate) fn new(board: Board, extra: u32) -> Option<Self> {
        let Place { pattern, index, sym } = Place::of(board)?;
        Some(Self { level: level(board), pattern, index, sym, extra })
    }
}

/// The boards of one pattern at one level.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub(crate) pattern: usize,
    pub(crate) level: usize,
    /// How many values its boards have, one for each number of extra dice from the least to the most.
    pub(crate) slots: usize,
    /// Its boards, in the order of their numbers.
    pub(crate) boards: Range<usize>,
    /// The first so many in [`Graph::order`] have edges.
    pub(crate) expanded: usize,
    /// Its first block.
    pub(super) blocks: usize,
}

impl Batch {
    pub(crate) fn pips(&self) -> usize {
        (self.level + usize::from(pattern::ALL[self.pattern].dice)) / 2
    }

    /// Where its boards are in the ring; their numbers are from 1 on.
    pub(crate) fn place(&self) -> usize {
        place(self.level, self.pattern)
    }
}

/// Up to 64 boards of a batch, and their edges.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    pub(super) edges: u32,
    pub(super) doubles: u32,
    pub(super) end: u32,
    /// For boards of seven dice: on which a placement on the first empty cell, and on which one on the second, leads to a
    /// board that the next move fills, with three moves to go or more.
    pub(crate) fills: [u64; 2],
}

/// What was found, for reports and for the signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct GraphSize {
    /// Canonical boards of at most seven dice met with at least one move to go.
    pub boards: u64,
    /// Moves between them, two at once over a board of eight dice.
    pub edges: u64,
}

/// A graph, and the memory of the walk that found it, used again by the next.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    finder: Finder,
    /// By level, then by pattern.
    batches: Vec<Batch>,
    /// The boards of all batches.
    nodes: Vec<Node>,
    /// The boards of each batch, by number from 0: those with edges by how many ways they have, then the others. Empty if
    /// the moves never run out: then the order is that of the numbers.
    order: Vec<u16>,
}

impl Graph {
    pub(crate) fn size(&self) -> GraphSize {
        GraphSize { boards: self.nodes.len() as u64, edges: self.finder.edges.len() as u64 }
    }

    /// The bytes held for reuse.
    pub(crate) fn bytes(&self) -> usize {
        self.finder.bytes() + 8 * self.nodes.capacity() + 2 * self.order.capacity()
    }

    /// The batches, by level.
    pub(crate) fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The boards of a batch.
    pub(crate) fn nodes(&self, batch: &Batch) -> &[Node] {
        &self.nodes[batch.boards.clone()]
    }

    /// Some boards of a batch in the order in which they are expanded, by number from 0.
    #[inline(always)]
    pub(crate) fn in_order(&self, batch: &Batch, some: Range<usize>) -> impl Iterator<Item = (usize, Node)> {
        let nodes = self.nodes(batch);
        let order = self.order.get(batch.boards.clone());
        some.map(move |at| {
            let number = order.map_or(at, |order| usize::from(order[at]));
            (number, nodes[number])
        })
    }

    pub(crate) fn blocks(&self, batch: &Batch) -> &[Block] {
        &self.finder.blocks[batch.blocks..][..batch.expanded.div_ceil(BOARDS)]
    }

    /// The edges of a block, and those of them that are double.
    pub(crate) fn edges(&self, block: &Block) -> [&[Edge]; 2] {
        let edges = &self.finder.edges;
        [&edges[block.edges as usize..block.doubles as usize], &edges[block.doubles as usize..block.end as usize]]
    }

    /// The place of a root in the ring.
    pub(crate) fn place(&self, root: &Root) -> usize {
        let same = |batch: &&Batch| batch.level == root.level && batch.pattern == root.pattern;
        let number = |batch: &Batch| self.nodes(batch).iter().position(|node| node.index() == root.index);
        place(root.level, root.pattern) + 1 + self.batches.iter().find(same).and_then(number).unwrap_or(0)
    }

    /// Finds every board within reach. Says whether the moves run out anywhere; if they do not, every board is given one
    /// way only.
    #[inline(always)]
    pub(crate) fn walk<S: Simd>(&mut self, simd: S, question: &Question, roots: &[Root]) -> bool {
        let Self { finder, batches, nodes, order } = self;
        batches.clear();
        nodes.clear();
        order.clear();
        finder.start(question.depth.is_some(), roots);
        let mut idle = 0;
        for level in question.level.. {
            let clock = question.clock(level);
            let first = batches.len();
            for number in 0..PATTERNS {
                if !finder.has(level, number) {
                    continue;
                }
                let batch = simd.vectorize(
                    #[inline(always)]
                    || finder.take(level, number, question, nodes, order),
                );
                finder.expand(simd, &batch, clock, &nodes[batch.boards.clone()], order.get(batch.boards.clone()));
                batches.push(batch);
            }
            idle = if batches.len() == first { idle + 1 } else { 0 };
            if idle == MOST_LEVELS {
                break;
            }
        }
        if !finder.runs_out && question.depth.is_some() {
            nodes.iter_mut().for_each(|node| *node = Node(1 << 32 | u64::from(node.index())));
            batches.iter_mut().for_each(|batch| batch.slots = batch.boards.len());
            finder.edges.iter_mut().for_each(|edge| edge.0 &= !(3 << 24));
        }
        finder.runs_out
    }
}
