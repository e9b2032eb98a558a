//! The `scratch` engine: explore the graph below the board once, then sum it from its end. Nothing is kept between
//! questions but the memory.
//!
//! For each canonical board and each number of moves still to go it holds eight sums, one per image of the board:
//!
//! ```text
//! sum(b, d)[g] = sum over all sequences of d moves from the image g of b of the value of the final board, mod 2^32
//!             = sum over children x of sum(canonical(x), d-1)[g seen through x's symmetry]        one permutation
//! sum(b, 0)   = the values of the eight images;    sum(b, 1) needs no child (kernel::images::sum_of_children)
//! ```
//!
//! A board needs the numbers of moves at which it occurs, a short range. Once the range reaches the length of the
//! longest game from that board, more moves change nothing: the last sum stands for all greater numbers (*settled*).
//! Sums of only two ranks are alive at a time; their memory is used again and again.

use super::graph::{Graph, GraphSize};
use cephalopods::kernel::{images, oriented};
use cephalopods::{Board, LONGEST};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::simd::{Isa, dispatch};

/// The sums of one board: `low..=high` moves to go, from `start` on in its rank's list.
///
/// ```text
/// bytes 0..4 start   4 low   5 high   6 whether the last stands for all greater numbers   7 unused
/// ```
#[derive(Clone, Copy, Debug, Default)]
struct Range {
    start: u32,
    low: u8,
    high: u8,
    settled: bool,
}

const _: () = assert!(size_of::<Range>() == 8);

/// The engine: memory that questions use one after another.
#[derive(Debug)]
pub struct Scratch {
    isa: Isa,
    graph: Graph,
    ranges: Vec<Range>,
    /// Where the ranges of each bucket begin.
    first_of: Box<[[usize; 9]; 56]>,
    /// The sums of the boards of even and of odd rank.
    sums: [Vec<[u32; 8]>; 2],
}

/// Where sums of a barrier's boards come from.
pub(crate) trait Barrier {
    /// The eight sums of a canonical board that is not full, with so many moves to go.
    fn sums(&self, board: u32, moves: u32) -> [u32; 8];
}

/// No barrier.
pub(crate) struct NoBarrier;

impl Barrier for NoBarrier {
    fn sums(&self, _: u32, _: u32) -> [u32; 8] {
        [0; 8]
    }
}

impl Scratch {
    /// An engine for that instruction set, with no memory yet.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self {
            isa,
            graph: Graph::default(),
            ranges: Vec::new(),
            first_of: Box::new([[0; 9]; 56]),
            sums: [Vec::new(), Vec::new()],
        }
    }

    /// The sum of the values of all final boards, modulo 2^30.
    pub fn sum(&mut self, board: Board, depth: u32) -> u32 {
        self.sums(board, depth)[0] & ((1 << 30) - 1)
    }

    /// The sums of the eight images of the board, modulo 2^32.
    pub fn sums(&mut self, board: Board, depth: u32) -> [u32; 8] {
        self.sums_with_barrier(board, depth, usize::MAX, &NoBarrier)
    }

    pub(crate) fn sums_with_barrier(
        &mut self,
        board: Board,
        depth: u32,
        rank: usize,
        barrier: &impl Barrier,
    ) -> [u32; 8] {
        if depth == 0 || board.is_full() {
            return cephalopods::tables::value_images(board.bits());
        }
        let (root, sym) = board.canonical();
        let depth = depth.min(LONGEST);
        dispatch!(self.isa.level(), simd => {
            self.graph.explore(simd, root, depth, rank);
            self.add_up(simd, barrier);
            let root = self.sums[root.rank() as usize & 1].last().copied().unwrap_or_default();
            oriented(simd, &root, sym.index()).into()
        })
    }

    /// How large the graph of the last question was.
    #[must_use]
    pub fn size(&self) -> GraphSize {
        self.graph.size()
    }

    /// The bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.graph.bytes()
            + self.ranges.capacity() * 8
            + self.sums.iter().map(|sums| sums.capacity() * 32).sum::<usize>()
    }

    /// From the last rank to the first, from few dice to many: every child before its parents.
    #[inline(always)]
    fn add_up<S: Simd>(&mut self, simd: S, barrier: &impl Barrier) {
        self.ranges.clear();
        for rank in (self.graph.first_rank..=self.graph.last_rank).rev() {
            self.sums[rank & 1].clear();
            for dice in 0..9 {
                simd.vectorize(
                    #[inline(always)]
                    || self.add_bucket(simd, rank, dice, barrier),
                );
            }
        }
    }

    #[inline(always)]
    fn add_bucket<S: Simd>(&mut self, simd: S, rank: usize, dice: usize, barrier: &impl Barrier) {
        let bucket = self.graph.bucket(rank, dice);
        let moves_left = self.graph.depth - (rank - self.graph.first_rank) as u32;
        self.first_of[rank][dice] = self.ranges.len();
        // By kind of edge: a placement, then captures of two, three and four.
        let first = |rank: usize, dice: usize| if dice < 9 { self.first_of[rank][dice] } else { 0 };
        let child_first: [usize; 4] = std::array::from_fn(|kind| {
            if kind == 0 { first(rank + 1, dice + 1) } else { first(rank, dice.wrapping_sub(kind)) }
        });
        let [even, odd] = &mut self.sums;
        let (sums, sums_next) = if rank & 1 == 0 { (even, &*odd) } else { (odd, &*even) };
        let ranges = &mut self.ranges;
        ranges.reserve(bucket.nodes.len());
        let mut edges = &bucket.edges[..];
        for node in &bucket.nodes {
            // Most captures, fewest moves to go.
            let low = moves_left - (31 - node.ways.leading_zeros());
            let needed = moves_left - node.ways.trailing_zeros();
            let start = sums.len();
            if rank == self.graph.barrier {
                sums.extend((low..=needed).map(|moves| barrier.sums(node.board(), moves)));
                ranges.push(Range { start: start as u32, low: low as u8, high: needed as u8, settled: false });
                continue;
            }
            if node.edges() == 0 {
                // Either one move is left, or the one move there is fills the board.
                sums.push(images::sum_of_children(simd, node.board()).into());
                ranges.push(Range { start: start as u32, low: 1, high: 1, settled: needed > 1 });
                continue;
            }
            let (own, rest) = edges.split_at(node.edges());
            edges = rest;
            let (mut settled, mut longest) = (true, 0);
            for edge in own {
                let range = ranges[child_first[edge.kind()] + edge.child()];
                settled &= range.settled;
                longest = longest.max(range.high);
            }
            let settled = settled && u32::from(longest) < needed;
            let high = if settled { u32::from(longest) + 1 } else { needed };
            let low = low.min(high);
            // With one move to go no child is asked, so its children know nothing between that and the next way: the gap is
            // filled with sums that nobody asks for.
            let asking = node.ways & ((1u64 << (moves_left - 1).min(32)) - 1) as u32;
            let from = (moves_left - (31 - asking.leading_zeros())).min(high).max(2);
            if low == 1 {
                sums.push(images::sum_of_children(simd, node.board()).into());
                sums.resize(start + from as usize - 1, [0; 8]);
            }
            let count = (high + 1 - from) as usize;
            if count == 1 {
                let mut total = u32x8::splat(simd, 0);
                for edge in own {
                    let range = ranges[child_first[edge.kind()] + edge.child()];
                    let list = if edge.kind() == 0 { sums_next } else { &sums[..] };
                    let at = (from - 1).min(u32::from(range.high)) - u32::from(range.low);
                    total += oriented(simd, &list[(range.start + at) as usize], edge.sym());
                }
                sums.push(total.into());
            } else {
                let first = sums.len();
                sums.resize(first + count, [0; 8]);
                let (before, totals) = sums.split_at_mut(first);
                for edge in own {
                    let range = ranges[child_first[edge.kind()] + edge.child()];
                    let list = if edge.kind() == 0 { sums_next } else { &before[..] };
                    // The child's sums for one move less; beyond its last sum, the last.
                    let (low, high) = (u32::from(range.low), u32::from(range.high));
                    let at = (range.start + (from - 1).min(high) - low) as usize;
                    let differing = ((high + 1).saturating_sub(from - 1) as usize).clamp(1, count);
                    let (near, far) = totals.split_at_mut(differing);
                    let list = &list[at..at + differing];
                    for (total, sum) in near.iter_mut().zip(list) {
                        *total = (u32x8::simd_from(simd, *total) + oriented(simd, sum, edge.sym())).into();
                    }
                    if !far.is_empty() {
                        let last = oriented(simd, &list[differing - 1], edge.sym());
                        for total in far {
                            *total = (u32x8::simd_from(simd, *total) + last).into();
                        }
                    }
                }
            }
            ranges.push(Range { start: start as u32, low: low as u8, high: high as u8, settled });
        }
    }
}
