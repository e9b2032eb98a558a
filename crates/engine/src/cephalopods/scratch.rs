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

use super::graph::{Bucket, Edge, Graph, GraphSize, Question, Targets, Window};
use cephalopods::kernel::{Turn, images, prefetch};
use cephalopods::{Board, LONGEST};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::simd::{Isa, dispatch};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::Scope;

/// The engine: memory that questions use one after another.
#[derive(Debug)]
pub struct Scratch {
    isa: Isa,
    threads: usize,
    graph: Graph,
    window: Window,
    counts: Counts,
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

    /// The same; with two threads or more, the counts of a large question are added by a second one.
    #[must_use]
    pub fn with_threads(isa: Isa, threads: usize) -> Self {
        Self { isa, threads, graph: Graph::default(), window: Window::default(), counts: Counts::default() }
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
        let Self { graph, window, counts, .. } = self;
        window.clear();
        counts.start(root, sym.inverse().index());
        dispatch!(self.isa.level(), simd => {
            let mut adder = Adder { simd, window, counts, barrier, barrier_rank };
            if self.threads < 2 {
                graph.walk(simd, question, &mut |bucket| adder.add(bucket));
            } else {
                std::thread::scope(|scope| {
                    let mut both = Both::new(scope, adder);
                    graph.walk(simd, question, &mut |bucket| both.add(bucket));
                });
            }
        });
        counts.answer.0.iter().fold(0u32, |sum, part| sum.wrapping_add(*part)) & ((1 << 30) - 1)
    }

    /// How large the graph of the last question was.
    #[must_use]
    pub fn size(&self) -> GraphSize {
        self.graph.size()
    }

    /// The bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.graph.bytes() + self.window.bytes() + self.counts.bytes()
    }
}

/// What becomes of the buckets that the walk has found.
struct Adder<'a, S, B> {
    simd: S,
    window: &'a mut Window,
    counts: &'a mut Counts,
    barrier: &'a B,
    barrier_rank: usize,
}

impl<S: Simd, B: Barrier> Adder<'_, S, B> {
    /// Takes a bucket, passes on the counts of what is complete by it, and gives memory back.
    #[inline(always)]
    fn add(&mut self, bucket: Bucket) -> Bucket {
        let Self { simd, window, counts, barrier, barrier_rank } = self;
        window.add(bucket, &mut |bucket, targets| {
            simd.vectorize(
                #[inline(always)]
                || counts.add(*simd, bucket, targets, Some(*barrier).filter(|_| bucket.rank == *barrier_rank)),
            );
        })
    }
}

/// The walk finds boards on one thread while another adds the counts of those found before: about half of the work each.
/// A thread is started only once a question has shown to be large.
enum Both<'scope, 'env, S, B> {
    Here(&'scope Scope<'scope, 'env>, Adder<'env, S, B>, usize),
    There(SyncSender<Bucket>, Receiver<Bucket>),
    Nowhere,
}

/// With so many boards found, a question is large, about ten milliseconds: below that the second thread gains nothing.
const LARGE: usize = 100_000;
/// So many buckets may wait to be added.
const WAITING: usize = 4;

impl<'scope, 'env, S: Simd, B: Barrier> Both<'scope, 'env, S, B> {
    fn new(scope: &'scope Scope<'scope, 'env>, adder: Adder<'env, S, B>) -> Self {
        Self::Here(scope, adder, 0)
    }

    fn add(&mut self, bucket: Bucket) -> Bucket {
        if matches!(self, Self::Here(_, _, boards) if *boards > LARGE) {
            self.part();
        }
        match self {
            Self::Here(_, adder, boards) => {
                *boards += bucket.nodes.len();
                adder.add(bucket)
            }
            Self::There(to, back) => {
                // It only fails if the other thread has panicked; the scope says so.
                let _ = to.send(bucket);
                back.try_recv().unwrap_or_default()
            }
            Self::Nowhere => bucket,
        }
    }

    fn part(&mut self) {
        let (to, buckets) = sync_channel(WAITING);
        let (give_back, back) = channel();
        if let Self::Here(scope, mut adder, _) = std::mem::replace(self, Self::Nowhere) {
            scope.spawn(move || buckets.into_iter().for_each(|bucket| drop(give_back.send(adder.add(bucket)))));
            *self = Self::There(to, back);
        }
    }
}

/// Eight counts, one for each image, in half a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct Lanes([u32; 8]);

impl Lanes {
    #[inline(always)]
    fn load<S: Simd>(self, simd: S) -> u32x8<S> {
        self.0.simd_into(simd)
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, counts: u32x8<S>) {
        self.0 = (self.load(simd) + counts).into();
    }
}

/// A bucket that edges of one kind lead to.
struct Into<'a> {
    list: Vec<Lanes>,
    starts: &'a [u32],
    /// One for a capture.
    captures: u32,
    least: u32,
}

/// Passes `N` counts of a board on along its edges: they stay in registers.
#[inline(always)]
fn pass_on<S: Simd, const N: usize>(simd: S, own: &[Lanes], edges: &[Edge], skipped: u32, into: &mut [Into<'_>; 4]) {
    let Some(own) = own.first_chunk::<N>() else { return };
    let own = *own;
    for edge in edges {
        let Into { list, starts, captures, .. } = &mut into[edge.kind()];
        let start = starts[edge.child()].wrapping_add(skipped + *captures) as usize;
        let turn = Turn::to_canonical(simd, edge.sym());
        for (into, from) in list[start..start + N].iter_mut().zip(&own) {
            into.add(simd, turn.of(simd, &from.0));
        }
    }
}

/// Lists of so many counts in all stay in the second-level cache.
const NEAR: usize = 16_384;
/// So many edges ahead their counts are asked for.
const AHEAD: usize = 16;

/// The counts of the buckets that are being filled, and the answer so far.
#[derive(Debug, Default)]
struct Counts {
    /// By parity of the pips, then by dice: the counts of each board, as many as its bucket's span is wide.
    lists: [[Vec<Lanes>; 9]; 2],
    /// To be summed over the images.
    answer: Lanes,
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
        self.lists[root.rank() as usize & 1][root.dice() as usize].push(Lanes(one));
        self.answer = Lanes::default();
    }

    /// Passes the counts of a bucket on along its edges.
    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, bucket: &Bucket, targets: Targets<'_>, barrier: Option<&impl Barrier>) {
        let mut list = std::mem::take(&mut self.lists[bucket.rank & 1][bucket.dice]);
        let mut kind = 0;
        let mut into: [Into<'_>; 4] = targets.map(|target| {
            let captures = u32::from(kind > 0);
            kind += 1;
            // A kind that does not occur here has no edges.
            let Some(target) = target else { return Into { list: Vec::new(), starts: &[], captures, least: 0 } };
            let mut list = std::mem::take(&mut self.lists[target.rank & 1][target.dice]);
            list.resize(target.slots, Lanes::default());
            Into { list, starts: &target.starts, captures, least: target.least }
        });
        // After at least so many captures, no target holds them at its least.
        let reached = into.iter().filter(|into| !into.list.is_empty());
        let free = reached.map(|into| into.least.saturating_sub(into.captures)).fold(0, u32::max);
        let is_far = into.iter().map(|into| into.list.len()).sum::<usize>() > NEAR;
        let mut answer = self.answer.load(simd);
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
                    answer += counts.load(simd) * u32x8::simd_from(simd, sums);
                }
                continue;
            }
            if node.edges() == 0 {
                // Either one move is left, or the one move there is fills the board.
                let total = own.iter().fold(u32x8::splat(simd, 0), |sum, counts| sum + counts.load(simd));
                answer += total * images::sum_of_children(simd, node.board());
                continue;
            }
            let mut own = own;
            if after == bucket.moves {
                // With one move to go no child was made: nothing comes from there, nor from the gap before it.
                answer += own[own.len() - 1].load(simd) * images::sum_of_children(simd, node.board());
                let going_on = node.ways & !(1 << (after - 1));
                own = &own[..(32 - going_on.leading_zeros() - skipped) as usize];
            }
            let (now, rest) = edges.split_at(node.edges());
            edges = rest;
            if is_far {
                for edge in edges.iter().skip(AHEAD).take(now.len()) {
                    let Into { list, starts, .. } = &into[edge.kind()];
                    let start = starts[edge.child()].wrapping_add(skipped) as usize;
                    prefetch(list, start);
                    prefetch(list, start + 2);
                }
            }
            if skipped < free {
                for edge in now {
                    let Into { list, starts, captures, least } = &mut into[edge.kind()];
                    let turn = Turn::to_canonical(simd, edge.sym());
                    let start = starts[edge.child()];
                    for (from, captures) in own.iter().zip(skipped + *captures..) {
                        // Too few captures count as the least.
                        let into = &mut list[start.wrapping_add(captures.max(*least)) as usize];
                        into.add(simd, turn.of(simd, &from.0));
                    }
                }
            } else {
                match own.len() {
                    1 => pass_on::<S, 1>(simd, own, now, skipped, &mut into),
                    2 => pass_on::<S, 2>(simd, own, now, skipped, &mut into),
                    3 => pass_on::<S, 3>(simd, own, now, skipped, &mut into),
                    4 => pass_on::<S, 4>(simd, own, now, skipped, &mut into),
                    5 => pass_on::<S, 5>(simd, own, now, skipped, &mut into),
                    6 => pass_on::<S, 6>(simd, own, now, skipped, &mut into),
                    _ => {
                        for edge in now {
                            let Into { list, starts, captures, .. } = &mut into[edge.kind()];
                            let start = starts[edge.child()].wrapping_add(skipped + *captures) as usize;
                            let turn = Turn::to_canonical(simd, edge.sym());
                            for (into, from) in list[start..start + own.len()].iter_mut().zip(own) {
                                into.add(simd, turn.of(simd, &from.0));
                            }
                        }
                    }
                }
            }
        }
        self.answer.0 = answer.into();
        for (into, target) in into.into_iter().zip(targets) {
            if let Some(target) = target {
                self.lists[target.rank & 1][target.dice] = into.list;
            }
        }
        list.clear();
        self.lists[bucket.rank & 1][bucket.dice] = list;
    }
}
