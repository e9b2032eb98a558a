//! The graph of a path sum: every board that can be reached, each found and expanded once, many of one pattern at a time.
//!
//! The walk goes up by *level*: twice the pips less the dice. Every move raises the level: a placement and a capture of two
//! dice by one, a capture of three by two, of four by three. So the number of moves made follows from the level and from the
//! *extra* dice, those captured beyond two at a time:
//!
//! ```text
//! moves made = level - level of the root - extra
//! level 7:     4 pips on one die, 5 on three dice, 6 on five, 7 on seven
//! ```
//!
//! A board therefore needs one word of bits to remember its past: bit e says that it occurs with e extra dice (its *ways*).
//! At one level, all boards of one pattern have the same number of pips. They are a *batch*, and the kernels move 64 of them at
//! a time and compute the 16-bit index of each child ([`expansion`](super::expansion)). A table by index holds the numbers of
//! the boards found so far: no hash, no comparison.
//!
//! A move never rises by more than four levels, so a ring of six levels is enough.
//!
//! Price (official test 11, 258,590 edges): 180 instructions an edge for walk and sum together, of which entering a child
//! takes about 27 and making it about 17.

use super::expansion::Expansion;
use crate::error::Error;
use cephalopods::Board;
use cephalopods::kernel::columns::BOARDS;
use cephalopods::pattern::{self, MOST_LEVELS, PATTERNS, PatternPlace, SPACE};
use grid::Sym;
use grid::simd::fearless_simd::Simd;
use search::{Control, Stop};
use std::ops::Range;

/// A board that was found.
///
/// ```text
/// bits 63..32   the ways: bit e is set if the board occurs with e extra dice and at least one move to go
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

    /// The number of sums that the board needs: one for each count of extra dice from its least to its greatest.
    #[inline(always)]
    pub(crate) fn width(self) -> u32 {
        32 - self.ways().leading_zeros() - self.ways().trailing_zeros()
    }
}

/// A move between two boards.
///
/// ```text
/// bits 20..0    the slot of the child: where its pattern begins in the ring, plus its number
///      23..21   the symmetry that takes the child to its pattern
///      25..24   the extra dice of the move; 0 if the depth limit is never reached
///      31..26   the parent: the number of the board in its block
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edge(pub(super) u32);

impl Edge {
    #[inline(always)]
    pub(crate) fn child(self) -> usize {
        self.0 as usize % RING_ROOM
    }

    #[inline(always)]
    pub(crate) fn sym(self) -> usize {
        (self.0 >> 21 & 7) as usize
    }

    #[inline(always)]
    pub(crate) fn parent(self) -> usize {
        (self.0 >> 26) as usize
    }

    #[inline(always)]
    pub(crate) fn extra(self) -> u32 {
        self.0 >> 24 & 3
    }
}

/// Levels of the ring.
pub(super) const LEVELS: usize = 6;
/// Slots of the ring that are in use.
pub(crate) const RING_SLOTS: usize = LEVELS / 2 * (SPACE[0] + SPACE[1]);
/// The slots rounded up to a power of two, so that a masked slot needs no bounds check.
pub(crate) const RING_ROOM: usize = 1 << 21;

const _: () = assert!(LEVELS > MOST_LEVELS && LEVELS.is_multiple_of(2) && RING_SLOTS < RING_ROOM);

/// Where the boards of a pattern begin in the ring, at a level. Their numbers count from 1.
#[inline(always)]
pub(crate) fn slot(level: usize, pattern: usize) -> usize {
    let ring = level % LEVELS;
    ring / 2 * (SPACE[0] + SPACE[1]) + ring % 2 * SPACE[0] + pattern::ALL[pattern].first as usize
}

/// What the walk covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// The level of the root.
    pub(crate) level: usize,
    /// The depth limit; `None` if no sequence of moves reaches it.
    pub(crate) depth: Option<u32>,
    /// Boards with this number of pips are found but not expanded.
    pub(crate) barrier: usize,
}

impl Scope {
    /// How the moves to go follow from the extra dice at a level.
    pub(crate) fn moves_to_go(&self, level: usize) -> MovesToGo {
        MovesToGo(self.depth.map(|depth| depth as i32 - (level - self.level) as i32))
    }
}

/// The moves to go of a board of some level without extra dice. May be negative; `None` means no depth limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovesToGo(Option<i32>);

impl MovesToGo {
    /// The number of extra dice with which this number of moves is to go.
    #[inline(always)]
    pub(crate) fn extra(self, moves: i32) -> Option<u32> {
        u32::try_from(moves - self.0?).ok()
    }

    /// The same as a bit of a board's ways; 0 if there is none. No board has more than 27 extra dice, because a die of six
    /// pips is made with at most three.
    #[inline(always)]
    pub(crate) fn way(self, moves: i32) -> u32 {
        self.extra(moves).and_then(|extra| 1u32.checked_shl(extra)).unwrap_or(0)
    }

    /// The moves to go with this number of extra dice; [`cephalopods::LONGEST`] without a depth limit.
    pub(crate) fn moves(self, extra: u32) -> u32 {
        self.0.map_or(cephalopods::LONGEST, |moves| (moves + extra as i32) as u32)
    }

    pub(super) fn is_limited(self) -> bool {
        self.0.is_some()
    }
}

/// A board at which the walk begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    pub(crate) level: usize,
    pub(crate) pattern: usize,
    pub(super) index: u16,
    /// The symmetry that takes the board to its pattern.
    pub(crate) sym: Sym,
    /// Extra dice captured before.
    pub(crate) extra: u32,
}

/// Twice the pips less the dice.
pub(crate) fn level(board: Board) -> usize {
    (2 * board.rank() - board.dice()) as usize
}

impl Root {
    /// A board of at most seven dice; `None` for any other.
    pub(crate) fn new(board: Board, extra: u32) -> Option<Self> {
        let PatternPlace { pattern, index, sym } = PatternPlace::of(board)?;
        Some(Self { level: level(board), pattern, index, sym, extra })
    }
}

/// The boards of one pattern at one level.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub(crate) pattern: usize,
    pub(crate) level: usize,
    /// The number of sums of all its boards together.
    pub(crate) widths: usize,
    /// Its boards among all nodes, in the order of their numbers.
    pub(crate) boards: Range<usize>,
    /// How many of its boards, from the first in [`Graph::order`], have edges.
    pub(crate) expanded: usize,
    /// Its first block.
    pub(super) blocks: usize,
}

impl Batch {
    pub(crate) fn pips(&self) -> usize {
        (self.level + usize::from(pattern::ALL[self.pattern].dice)) / 2
    }

    /// Where its boards begin in the ring. Their numbers count from 1.
    pub(crate) fn slot(&self) -> usize {
        slot(self.level, self.pattern)
    }
}

/// Up to 64 boards of a batch, and their edges.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    pub(super) edges: u32,
    pub(super) doubles: u32,
    pub(super) end: u32,
    /// For boards of seven dice, one bit per board: a placement on the first (or second) empty cell leads to a board that the
    /// next move fills, with three moves to go or more.
    pub(crate) fills: [u64; 2],
}

/// The size of a graph, for reports and for the signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GraphSize {
    /// Canonical boards of at most seven dice found with at least one move to go.
    pub boards: u64,
    /// Moves between them. Two moves over a board of eight dice count as one.
    pub edges: u64,
}

/// A graph, and the memory of the walk that found it. The next walk uses the memory again.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    expansion: Expansion,
    /// By level, then by pattern.
    batches: Vec<Batch>,
    /// The boards of all batches.
    nodes: Vec<Node>,
    /// The order of expansion within each batch, as numbers from 0: boards with edges by width, then the others. Empty if
    /// there is no depth limit: then the order is that of the numbers.
    order: Vec<u16>,
}

impl Graph {
    pub(crate) fn size(&self) -> GraphSize {
        GraphSize { boards: self.nodes.len() as u64, edges: self.expansion.edges.len() as u64 }
    }

    /// The bytes held for reuse.
    pub(crate) fn bytes(&self) -> usize {
        self.expansion.bytes() + 8 * self.nodes.capacity() + 2 * self.order.capacity()
    }

    /// The batches, by level.
    pub(crate) fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The boards of a batch.
    pub(crate) fn nodes(&self, batch: &Batch) -> &[Node] {
        &self.nodes[batch.boards.clone()]
    }

    /// Some boards of a batch in the order of expansion, with their numbers from 0.
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
        &self.expansion.blocks[batch.blocks..][..batch.expanded.div_ceil(BOARDS)]
    }

    /// The edges of a block: single moves, and double moves.
    pub(crate) fn edges(&self, block: &Block) -> [&[Edge]; 2] {
        let edges = &self.expansion.edges;
        [&edges[block.edges as usize..block.doubles as usize], &edges[block.doubles as usize..block.end as usize]]
    }

    /// The slot of a root in the ring.
    pub(crate) fn slot(&self, root: &Root) -> usize {
        let same = |batch: &&Batch| batch.level == root.level && batch.pattern == root.pattern;
        let number = |batch: &Batch| self.nodes(batch).iter().position(|node| node.index() == root.index);
        let number = self.batches.iter().find(same).and_then(number);
        debug_assert!(number.is_some(), "the walk began at the root");
        slot(root.level, root.pattern) + 1 + number.unwrap_or(0)
    }

    /// Finds every board that can be reached. True if some sequence of moves reaches the depth limit; if not, every board has
    /// one way only. A board is a node of the control.
    ///
    /// # Errors
    /// If the control stops the walk or there is no memory. The graph is then empty.
    #[inline(always)]
    pub(crate) fn walk<S: Simd>(
        &mut self,
        simd: S,
        scope: &Scope,
        roots: &[Root],
        control: &Control<'_>,
    ) -> Result<bool, Error> {
        let walked = self.walk_levels(simd, scope, roots, control);
        if walked.is_err() {
            // The tables of the expansion must be zero before the next walk, and now they are not.
            *self = Self::default();
        }
        walked
    }

    #[inline(always)]
    fn walk_levels<S: Simd>(
        &mut self,
        simd: S,
        scope: &Scope,
        roots: &[Root],
        control: &Control<'_>,
    ) -> Result<bool, Error> {
        let Self { expansion, batches, nodes, order } = self;
        batches.clear();
        nodes.clear();
        order.clear();
        expansion.start(scope.depth.is_some(), roots)?;
        let mut meter = control.meter();
        let mut idle = 0;
        for level in scope.level.. {
            let moves_to_go = scope.moves_to_go(level);
            let first = batches.len();
            for number in 0..PATTERNS {
                let count = expansion.found(level, number);
                if count == 0 {
                    continue;
                }
                if meter.count_to(count as u64) < count as u64 {
                    return Err(meter.stopped_by().unwrap_or(Stop::Nodes).into());
                }
                expansion.reserve(count, nodes, order)?;
                let batch = simd.vectorize(
                    #[inline(always)]
                    || expansion.take(level, number, scope, nodes, order),
                );
                let (boards, order) = (&nodes[batch.boards.clone()], order.get(batch.boards.clone()));
                expansion.expand(simd, &batch, moves_to_go, boards, order)?;
                batches.push(batch);
            }
            idle = if batches.len() == first { idle + 1 } else { 0 };
            if idle == MOST_LEVELS {
                break;
            }
        }
        if !expansion.reaches_limit && scope.depth.is_some() {
            nodes.iter_mut().for_each(|node| *node = Node(1 << 32 | u64::from(node.index())));
            batches.iter_mut().for_each(|batch| batch.widths = batch.boards.len());
            expansion.edges.iter_mut().for_each(|edge| edge.0 &= !(3 << 24));
        }
        Ok(expansion.reaches_limit)
    }
}
