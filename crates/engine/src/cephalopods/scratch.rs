//! The `scratch` engine: every board within reach is found and expanded once, then summed once. Nothing is kept between
//! questions but the memory.
//!
//! For each canonical board and each number of moves to go there are eight sums, one for each image of the board:
//!
//! ```text
//! sum(b, m)[g] = the values of all final boards of the image g of b with m moves to go, added up, mod 2^32
//! m = 1, or the only move fills the board:   the values of all children                        (no child is made)
//! else                                       sum(child, m - 1) over all children, one permutation each
//! ```
//!
//! The graph is found forwards, and summed backwards: what is read is scattered, but what is written lies in
//! order, and nothing need be cleared. More moves than the longest sequence from the root has change nothing and are counted as so many.

use super::found::{NUMBERS, ODD};
use super::graph::{BLOCK, Bucket, Edge, Graph, GraphSize, Node, Numbers, Question};
use cephalopods::Board;
use cephalopods::kernel::{Turn, images, prefetch};
use cephalopods::tables::LONGEST_BY_DICE;
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::simd::{Isa, dispatch};
use std::hint::select_unpredictable;

/// The engine: memory that questions use one after another.
#[derive(Debug)]
pub struct Scratch {
    isa: Isa,
    threads: usize,
    graph: Graph,
    sums: Sums,
}

/// Where sums of a barrier's boards come from.
pub(crate) trait Barrier: Sync {
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
        Self::with_threads(isa, 1)
    }

    /// The same; with two threads or more, a second one sums half of every large bucket.
    #[must_use]
    pub fn with_threads(isa: Isa, threads: usize) -> Self {
        Self { isa, threads, graph: Graph::default(), sums: Sums::default() }
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
        let longest = LONGEST_BY_DICE[root.rank() as usize][root.dice() as usize];
        let question = Question { root, depth: depth.min(longest.into()), barrier: barrier_rank };
        let Self { graph, sums, .. } = self;
        dispatch!(self.isa.level(), simd => {
            graph.walk(simd, question);
            let root = sums.gather(simd, graph, self.threads, (barrier_rank, barrier));
            root.0[sym.inverse().index()] & ((1 << 30) - 1)
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
        self.graph.bytes() + self.sums.bytes()
    }
}

/// Eight sums, one for each image, in half a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct Lanes([u32; 8]);

impl Lanes {
    #[inline(always)]
    fn load<S: Simd>(self, simd: S) -> u32x8<S> {
        self.0.simd_into(simd)
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, sums: u32x8<S>) {
        self.0 = (self.load(simd) + sums).into();
    }
}

/// The sums of the boards of two ranks.
#[derive(Debug, Default)]
struct Sums {
    /// By a board's number: where its sums are, as [`Graph::lay_out`] notes it.
    starts: Vec<u32>,
    /// Those of even ranks, then those of odd ones: bucket after bucket, board after board.
    values: Vec<Lanes>,
    blocks: Box<[Block; 2]>,
}

/// Behind the sums of a board so many are read that mean nothing.
const BEHIND: usize = 32;
/// Summing a bucket with more sums than this takes much longer than starting a thread.
const LARGE: usize = 20_000;
/// So many sums stay in the nearer caches.
const NEAR: usize = 131_072;
/// So many edges ahead their sums are asked for.
const AHEAD: usize = 16;

impl Sums {
    fn bytes(&self) -> usize {
        self.starts.capacity() * 4 + self.values.capacity() * 32 + size_of_val(&*self.blocks)
    }

    /// Sums all buckets, from the last to the first; gives the sums of the root.
    #[inline(always)]
    fn gather<S: Simd>(&mut self, simd: S, graph: &Graph, threads: usize, barrier: (usize, &impl Barrier)) -> Lanes {
        let Self { starts, values, blocks } = self;
        let ranks = graph.buckets().chunk_by(|a, b| a.rank == b.rank);
        let mut most = [0, 0];
        for rank in ranks.clone() {
            let most = &mut most[rank[0].rank & 1];
            *most = rank.iter().map(|bucket| bucket.slots + BEHIND).sum::<usize>().max(*most);
        }
        let [odd, _] = most;
        let needed = most[0] + most[1];
        if starts.is_empty() {
            *starts = vec![0; NUMBERS];
        }
        values.resize(values.len().max(needed), Lanes::default());
        // Of the first board of a bucket; at last, of the root.
        let mut last = Lanes::default();
        for rank in ranks.rev() {
            let mut next = if rank[0].rank & 1 == 0 { 0 } else { odd };
            for bucket in rank.iter().rev() {
                let task = Task { simd, graph, bucket };
                let [block, other] = blocks.each_mut();
                if bucket.rank == barrier.0 {
                    task.lay_out(starts, next);
                    task.stop(barrier.1, &mut values[next..]);
                } else if threads > 1 && bucket.slots > LARGE {
                    task.lay_out(starts, next);
                    task.sum_by_two(starts, odd, next, values, [block, other]);
                } else if needed > NEAR {
                    task.sum::<true>(block, &mut Whole { starts, values, next });
                } else {
                    task.sum::<false>(block, &mut Whole { starts, values, next });
                }
                last = values[next];
                next += bucket.slots + BEHIND;
            }
        }
        last
    }
}

/// Where sums are read and written.
trait Place {
    /// Where the sums of a board are, as [`Sums::starts`] has it.
    fn start(&self, number: usize) -> u32;
    /// The sums at a place, of the board of that number, and all behind them.
    fn from(&self, number: usize, at: usize) -> &[Lanes];
    /// The sums of the board of that number go so far from [`Place::into`], less its least captures and its pips.
    fn note(&mut self, number: usize, offset: u32);
    /// Where the next go, all that is left.
    fn into(&mut self) -> &mut [Lanes];
    /// So many have been written that stay.
    fn go_on(&mut self, slots: usize);
}

/// All sums.
struct Whole<'a> {
    starts: &'a mut [u32],
    values: &'a mut [Lanes],
    next: usize,
}

impl Place for Whole<'_> {
    #[inline(always)]
    fn start(&self, number: usize) -> u32 {
        self.starts[number]
    }

    #[inline(always)]
    fn from(&self, _: usize, at: usize) -> &[Lanes] {
        &self.values[at..]
    }

    #[inline(always)]
    fn note(&mut self, number: usize, offset: u32) {
        self.starts[number] = (self.next as u32).wrapping_add(offset);
    }

    #[inline(always)]
    fn into(&mut self) -> &mut [Lanes] {
        &mut self.values[self.next..]
    }

    #[inline(always)]
    fn go_on(&mut self, slots: usize) {
        self.next += slots;
    }
}

/// The sums that are known, by parity of the pips, with where each list begins; and those that one of two threads makes.
struct Part<'a> {
    starts: &'a [u32],
    known: [(&'a [Lanes], usize); 2],
    into: &'a mut [Lanes],
}

impl Place for Part<'_> {
    #[inline(always)]
    fn start(&self, number: usize) -> u32 {
        self.starts[number]
    }

    #[inline(always)]
    fn from(&self, number: usize, at: usize) -> &[Lanes] {
        let (list, first) = self.known[usize::from(number >= ODD)];
        &list[at - first..]
    }

    /// Noted before the threads part.
    #[inline(always)]
    fn note(&mut self, _: usize, _: u32) {}

    #[inline(always)]
    fn into(&mut self) -> &mut [Lanes] {
        self.into
    }

    #[inline(always)]
    fn go_on(&mut self, slots: usize) {
        self.into = &mut std::mem::take(&mut self.into)[slots..];
    }
}

/// A bucket to be summed.
#[derive(Clone, Copy)]
struct Task<'a, S> {
    simd: S,
    graph: &'a Graph,
    bucket: &'a Bucket,
}

impl<S: Simd> Task<'_, S> {
    /// Notes where the sums of the bucket's boards go.
    fn lay_out(&self, starts: &mut [u32], next: usize) {
        self.simd.vectorize(
            #[inline(always)]
            || self.graph.lay_out(self.bucket, starts, next),
        );
    }

    /// The sums of a barrier's boards.
    fn stop(&self, barrier: &impl Barrier, into: &mut [Lanes]) {
        let nodes = self.graph.numbered(self.bucket).map(|(_, node)| node);
        let boards = nodes.flat_map(|node| node.captures().map(move |captures| (node.board(), captures)));
        for ((board, captures), into) in boards.zip(into) {
            *into = Lanes(barrier.sums(board, self.bucket.moves - captures));
        }
    }

    /// The sums of a bucket's boards, half of them by another thread.
    fn sum_by_two(
        &self,
        starts: &[u32],
        odd: usize,
        next: usize,
        values: &mut [Lanes],
        [block, other]: [&mut Block; 2],
    ) {
        let [left, right] = self.graph.halves(self.bucket);
        let (even, odds) = values.split_at_mut(odd);
        let (here, there, first) = if next < odd { (even, &*odds, 0) } else { (odds, &*even, odd) };
        let (done, into) = here.split_at_mut(next - first);
        let (into, rest) = into.split_at_mut(left.slots);
        let known = if next < odd { [(&*done, 0), (there, odd)] } else { [(there, 0), (&*done, odd)] };
        let (left, right) = (Task { bucket: &left, ..*self }, Task { bucket: &right, ..*self });
        std::thread::scope(|scope| {
            scope.spawn(|| right.sum::<true>(other, &mut Part { starts, known, into: rest }));
            left.sum::<true>(block, &mut Part { starts, known, into });
        });
    }

    /// The sums of a bucket's boards.
    fn sum<const FAR: bool>(&self, block: &mut Block, place: &mut impl Place) {
        self.simd.vectorize(
            #[inline(always)]
            || {
                for (numbers, nodes, edges) in self.graph.blocks(self.bucket) {
                    let (widest, slots, ends) = block.lay_out(nodes, self.bucket, numbers, place);
                    match widest {
                        ..2 => self.flow::<1, FAR, _>(edges, block, place),
                        2 => self.flow::<2, FAR, _>(edges, block, place),
                        3 => self.flow::<3, FAR, _>(edges, block, place),
                        4 => self.flow::<4, FAR, _>(edges, block, place),
                        5 => self.flow::<5, FAR, _>(edges, block, place),
                        6 => self.flow::<6, FAR, _>(edges, block, place),
                        7..9 => self.flow::<8, FAR, _>(edges, block, place),
                        9..13 => self.flow::<12, FAR, _>(edges, block, place),
                        _ => self.flow::<BEHIND, FAR, _>(edges, block, place),
                    }
                    let into = place.into();
                    for end in &block.ends[..ends] {
                        let sum = Lanes(images::sum_of_children(self.simd, end.board).into());
                        into[end.from as usize..end.to as usize].fill(sum);
                    }
                    place.go_on(slots);
                }
            },
        );
    }

    /// Adds the sums of all children of a block, `W` for each: at least as many as any of its boards has.
    #[inline(always)]
    fn flow<const W: usize, const FAR: bool, P: Place>(&self, edges: &[Edge], block: &mut Block, place: &mut P) {
        let Block { moves, widths, totals, count, .. } = block;
        let Some(totals) = totals.as_chunks_mut::<W>().0.first_chunk_mut::<BLOCK>() else { return };
        totals[..*count].fill([Lanes::default(); W]);
        let start = |place: &P, edge: Edge| place.start(edge.child()).wrapping_add(moves[edge.whose()]) as usize;
        let mut ahead = edges.iter().skip(AHEAD);
        for &edge in edges {
            if FAR && let Some(&edge) = ahead.next() {
                let from = place.from(edge.child(), start(place, edge));
                (0..W).step_by(2).for_each(|at| prefetch(from, at));
            }
            let turn = Turn::from_canonical(self.simd, edge.sym());
            let from = &place.from(edge.child(), start(place, edge))[..W];
            for (total, from) in totals[edge.whose()].iter_mut().zip(from) {
                total.add(self.simd, turn.of(self.simd, &from.0));
            }
        }
        let (mut at, into) = (0, place.into());
        for (totals, width) in totals[..*count].iter().zip(widths) {
            // What is written past a board's own is overwritten by the next.
            let rest = &mut into[at..];
            match rest.first_chunk_mut::<W>() {
                Some(now) => *now = *totals,
                None => rest.copy_from_slice(&totals[..rest.len()]),
            }
            at += *width as usize;
        }
    }
}

/// The boards of a block.
#[derive(Debug)]
struct Block {
    count: usize,
    /// How many moves a board's children have behind them at least, placements counted by pips.
    moves: [u32; BLOCK],
    /// How many sums it has.
    widths: [u32; BLOCK],
    /// Those with one move to go, or with no move that goes on.
    ends: [End; BLOCK],
    /// By board, then by captures, as many as the widest has.
    totals: [Lanes; BLOCK * BEHIND],
}

/// Sums that are those of a board's children, and where they go.
#[derive(Clone, Copy, Default, Debug)]
struct End {
    board: u32,
    from: u32,
    to: u32,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            count: 0,
            moves: [0; BLOCK],
            widths: [0; BLOCK],
            ends: [End::default(); BLOCK],
            totals: [Lanes::default(); BLOCK * BEHIND],
        }
    }
}

impl Block {
    /// Notes some boards. Gives the most sums one has, how many all have, and how many ends there are.
    #[inline(always)]
    fn lay_out(
        &mut self,
        nodes: &[Node],
        bucket: &Bucket,
        numbers: Numbers,
        place: &mut impl Place,
    ) -> (u32, usize, usize) {
        let (mut widest, mut slots, mut ends) = (0, 0u32, 0);
        self.count = nodes.len().min(BLOCK);
        for (((node, moves), width), number) in nodes.iter().zip(&mut self.moves).zip(&mut self.widths).zip(numbers) {
            let captures = node.captures();
            place.note(number, slots.wrapping_sub(bucket.rank as u32 + captures.start));
            *moves = bucket.rank as u32 + captures.start + 1;
            *width = captures.end - captures.start;
            widest = widest.max(*width);
            let to = slots + *width;
            let from = select_unpredictable(node.is_end(), slots, to - 1);
            self.ends[ends % BLOCK] = End { board: node.board(), from, to };
            ends += usize::from(node.is_end() | (captures.end == bucket.moves));
            slots = to;
        }
        (widest, slots as usize, ends.min(BLOCK))
    }
}
