//! The `scratch` engine: every board within reach is expanded once, carrying how many sequences lead to it. Nothing is kept
//! between questions but the memory.
//!
//! For each canonical board and each number of moves to go it holds eight counts, one for each image of the board:
//!
//! ```text
//! count(b, m)[g] = how many sequences lead to the image g of b with m moves to go, mod 2^32
//! an edge adds all counts of its board, one permutation each, to those of the child for one move less
//! m = 1, or the only move fills the board:   answer += count * the values of all children      (no child is made)
//! ```
//!
//! The boards of one bucket (pips and dice) share one short range of moves to go. Its end is held at the longest sequence
//! of moves from any board of the bucket: more moves to go change nothing, so all greater numbers are counted as one.

use super::graph::{Bucket, Graph, GraphSize, Question, Targets};
use cephalopods::kernel::{Turn, images};
use cephalopods::{Board, LONGEST};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::simd::{Isa, dispatch};

/// The engine: memory that questions use one after another.
#[derive(Debug)]
pub struct Scratch {
    isa: Isa,
    graph: Graph,
    counts: Counts,
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
        Self { isa, graph: Graph::default(), counts: Counts::default() }
    }

    /// The sum of the values of all final boards, modulo 2^30.
    pub fn sum(&mut self, board: Board, depth: u32) -> u32 {
        self.sum_with_barrier(board, depth, usize::MAX, &NoBarrier)
    }

    pub(crate) fn sum_with_barrier(
        &mut self,
        board: Board,
        depth: u32,
        barrier_rank: usize,
        barrier: &impl Barrier,
    ) -> u32 {
        if depth == 0 || board.is_full() {
            return board.value() & ((1 << 30) - 1);
        }
        let (root, sym) = board.canonical();
        let question = Question { root, depth: depth.min(LONGEST), barrier: barrier_rank, lengths: false };
        let Self { graph, counts, .. } = self;
        counts.start(root, sym.inverse().index());
        dispatch!(self.isa.level(), simd => {
            let mut visit = |bucket: &Bucket, targets: Targets<'_>| {
                simd.vectorize(
                    #[inline(always)]
                    || counts.add(simd, bucket, targets, Some(barrier).filter(|_| bucket.rank == barrier_rank)),
                );
            };
            graph.walk(simd, question, &mut visit);
        });
        counts.answer.iter().fold(0u32, |sum, part| sum.wrapping_add(*part)) & ((1 << 30) - 1)
    }

    /// How large the graph of the last question was.
    #[must_use]
    pub fn size(&self) -> GraphSize {
        self.graph.size()
    }

    /// The bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.graph.bytes() + self.counts.bytes()
    }
}

/// A bucket that edges of one kind lead to.
#[derive(Default)]
struct Into<'a> {
    list: Vec<[u32; 8]>,
    starts: &'a [u32],
    least: u32,
}

/// The counts of the buckets that are being filled, and the answer so far.
#[derive(Debug, Default)]
struct Counts {
    /// By parity of the pips, then by dice: the counts of each board, as many as its bucket's span is wide.
    lists: [[Vec<[u32; 8]>; 9]; 2],
    /// To be summed over the images.
    answer: [u32; 8],
}

impl Counts {
    fn bytes(&self) -> usize {
        self.lists.iter().flatten().map(|list| list.capacity() * 32).sum()
    }

    /// One way, to one image of the root.
    fn start(&mut self, root: Board, image: usize) {
        self.lists.iter_mut().flatten().for_each(Vec::clear);
        let mut one = [0; 8];
        one[image] = 1;
        self.lists[root.rank() as usize & 1][root.dice() as usize].push(one);
        self.answer = [0; 8];
    }

    /// Passes the counts of a bucket on along its edges.
    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, bucket: &Bucket, targets: Targets<'_>, barrier: Option<&impl Barrier>) {
        let list = std::mem::take(&mut self.lists[bucket.rank & 1][bucket.dice]);
        let mut into: [Into<'_>; 4] = targets.map(|target| {
            target.map_or_else(Into::default, |target| {
                let mut list = std::mem::take(&mut self.lists[target.rank & 1][target.dice]);
                list.resize(target.slots, [0; 8]);
                Into { list, starts: &target.starts, least: target.least }
            })
        });
        let mut answer: u32x8<S> = self.answer.simd_into(simd);
        let mut edges = &bucket.edges[..];
        let mut slots = &list[..];
        for node in &bucket.nodes {
            let skipped = node.ways.trailing_zeros();
            let after = 32 - node.ways.leading_zeros();
            let (own, rest) = slots.split_at((after - skipped) as usize);
            slots = rest;
            if let Some(barrier) = barrier {
                for (counts, captures) in own.iter().zip(skipped..) {
                    let sums = barrier.sums(node.board(), bucket.moves - captures);
                    answer += u32x8::simd_from(simd, *counts) * u32x8::simd_from(simd, sums);
                }
                continue;
            }
            if node.edges() == 0 {
                // Either one move is left, or the one move there is fills the board.
                let total = own.iter().fold(u32x8::splat(simd, 0), |sum, &counts| sum + u32x8::simd_from(simd, counts));
                answer += total * images::sum_of_children(simd, node.board());
                continue;
            }
            let mut own = own;
            if after == bucket.moves {
                // With one move to go no child was made: nothing comes from there, nor from the gap before it.
                answer += u32x8::simd_from(simd, own[own.len() - 1]) * images::sum_of_children(simd, node.board());
                let going_on = node.ways & !(1 << (after - 1));
                own = &own[..(32 - going_on.leading_zeros() - skipped) as usize];
            }
            let (now, rest) = edges.split_at(node.edges());
            edges = rest;
            if let [own] = own {
                for edge in now {
                    let Into { list, starts, least } = &mut into[edge.kind()];
                    let captures = (skipped + u32::from(edge.kind() != 0)).max(*least);
                    let into = &mut list[starts[edge.child()].wrapping_add(captures) as usize];
                    *into = (u32x8::simd_from(simd, *into) + Turn::to_canonical(simd, edge.sym()).of(simd, own)).into();
                }
                continue;
            }
            for edge in now {
                let Into { list, starts, least } = &mut into[edge.kind()];
                let start = starts[edge.child()];
                let mut captures = skipped + u32::from(edge.kind() != 0);
                let turn = Turn::to_canonical(simd, edge.sym());
                let mut own = own;
                if captures < *least {
                    // Too few captures count as the least.
                    let (few, rest) = own.split_at(own.len().min((*least - captures) as usize));
                    let total = few.iter().fold(u32x8::splat(simd, 0), |sum, &from| sum + u32x8::simd_from(simd, from));
                    let into = &mut list[start.wrapping_add(*least) as usize];
                    *into = (u32x8::simd_from(simd, *into) + turn.of(simd, &total.into())).into();
                    (own, captures) = (rest, *least);
                }
                let into = &mut list[start.wrapping_add(captures) as usize..][..own.len()];
                for (into, from) in into.iter_mut().zip(own) {
                    *into = (u32x8::simd_from(simd, *into) + turn.of(simd, from)).into();
                }
            }
        }
        self.answer = answer.into();
        for (into, target) in into.into_iter().zip(targets) {
            if let Some(target) = target {
                self.lists[target.rank & 1][target.dice] = into.list;
            }
        }
        let mut list = list;
        list.clear();
        self.lists[bucket.rank & 1][bucket.dice] = list;
    }
}
