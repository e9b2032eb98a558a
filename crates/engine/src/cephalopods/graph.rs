//! Every canonical board within reach of one board, each found and expanded once: what `scratch` and the exact counts walk
//! over.
//!
//! Boards come up in the order (pips ascending, dice descending), which no move goes against: a placement raises the
//! pips, a capture keeps them and lowers the dice. When a *bucket* (one number of pips, one of dice) comes up, all ways
//! into its boards are known, so each board is expanded once, however many depths it occurs at.
//!
//! ```text
//!            dice  8    7    6    5   ...          bucket (pips, dice)
//!  pips  r        [ ]->[ ]->[ ]->[ ]               a capture of 2, 3, 4 goes 1, 2, 3 to the right
//!                  /   /    /    /
//!  pips r+1   [ ]->[ ]->[ ]->[ ]                   a placement goes down and one to the left
//! ```
//!
//! All boards of a bucket have made the same number of placements, so the moves to go with which a board occurs differ only
//! by its captures, and one word of bits says after how many it occurs. Full boards are never stored: only a placement on
//! the ninth cell makes one.
//!
//! The hot loops run over the children of 32 boards and never over those of one: how many a board has cannot be guessed.

use super::found::{FIRST, Filling, Found, HASH};
use cephalopods::kernel::images::{self, Child};
use cephalopods::kernel::{pick, prefetch};
use cephalopods::{Board, MOST};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use std::iter::StepBy;
use std::ops::{Range, RangeFrom};

/// One canonical board.
///
/// ```text
/// bits 63..32   bit c: it occurs after c captures, with at least one move to go
///      29..3    the board
///      0        it has no edges
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct Node(pub(super) u64);

impl Node {
    /// The canonical board's bits.
    #[inline(always)]
    pub(crate) fn board(self) -> u32 {
        self.0 as u32 >> 3
    }

    /// Bit `c`: it occurs after `c` captures. No sequence of moves has more than 30.
    #[inline(always)]
    pub(crate) fn ways(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The numbers of captures from the least to the most after which it occurs.
    #[inline(always)]
    pub(crate) fn captures(self) -> Range<u32> {
        self.ways().trailing_zeros()..32 - self.ways().leading_zeros()
    }

    /// Whether no move goes on from here: each is the last, or fills the board.
    #[inline(always)]
    pub(crate) fn is_end(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A move between two boards.
///
/// ```text
/// bits 2..0     the symmetry that takes the child to its canonical form
///      7..3     whose it is: the board's place in its block
///     31..8     the child's number
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edge(u32);

impl Edge {
    #[inline(always)]
    pub(crate) fn sym(self) -> usize {
        (self.0 & 7) as usize
    }

    #[inline(always)]
    pub(crate) fn whose(self) -> usize {
        self.0 as usize >> 3 & (BLOCK - 1)
    }

    #[inline(always)]
    pub(crate) fn child(self) -> usize {
        (self.0 >> (3 + BLOCK.trailing_zeros())) as usize
    }
}

/// An expanded bucket.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    pub(crate) rank: usize,
    /// The number of its first board; the others follow.
    pub(crate) first: usize,
    /// The moves to go before any capture.
    pub(crate) moves: u32,
    /// How many values its boards have, one for each number of captures from the least to the most.
    pub(crate) slots: usize,
    nodes: Range<usize>,
    edges: Range<usize>,
    blocks: Range<usize>,
}

impl Bucket {
    /// The numbers of captures, as bits, after which a board's children still have a move to go.
    pub(crate) fn going_on(&self) -> u32 {
        going_on(self.moves)
    }
}

fn going_on(moves: u32) -> u32 {
    ((1u64 << moves.saturating_sub(1).min(32)) - 1) as u32
}

/// Where each kind of edge leads from a bucket, as rank and dice; kinds that cannot occur there lead nowhere.
fn places(rank: usize, dice: usize) -> [Option<(usize, usize)>; 4] {
    std::array::from_fn(|kind| match kind {
        0 => Some((rank + 1, dice + 1)).filter(|_| dice < 8),
        kind => dice.checked_sub(kind).filter(|&dice| dice > 0).map(|dice| (rank, dice)),
    })
}

/// Neighbours go to so many blocks.
const SPREAD: usize = 4;

/// Which board of a bucket of `count` is the one at a place of its list, both from 0 on.
///
/// ```text
/// place  0  1  2 ..  31 | 32 33 34 .. | 64 ..  | 96 ..  127 | 128 ..
/// board  0  4  8 .. 124 |  1  5  9 .. |  2 ..  |  3 ..  127 | 128 132 ..
/// ```
///
/// Boards found one after another have children in common. In one block they would look for the same new board at the same
/// time.
#[inline(always)]
pub(super) fn spread(place: usize, count: usize) -> usize {
    let (tile, within) = (place - place % (BLOCK * SPREAD), place % (BLOCK * SPREAD));
    if tile + BLOCK * SPREAD > count { place } else { tile + within % BLOCK * SPREAD + within / BLOCK }
}

/// The numbers of a block's boards, and more.
pub(crate) type Numbers = StepBy<RangeFrom<usize>>;

/// What is asked of the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    /// A canonical board that is not full.
    pub(crate) root: Board,
    /// The most moves: from 1 to [`LONGEST`](cephalopods::LONGEST).
    pub(crate) depth: u32,
    /// Boards of this number of pips are found but not expanded.
    pub(crate) barrier: usize,
}

/// A graph, and the memory of the walk that found it, used again by the next.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    found: Found,
    block: Box<Block>,
    /// The buckets that have boards, by pips ascending, dice descending.
    buckets: Vec<Bucket>,
    /// Their boards, in blocks.
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// How many edges each block has.
    blocks: Vec<u32>,
}

/// What was found, for reports and for the signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct GraphSize {
    /// Canonical boards met with at least one move to go.
    pub boards: u64,
    /// Moves between them.
    pub edges: u64,
}

/// So many boards are expanded at a time: the first of their children are looked up when the places of the last have been
/// asked for.
pub(crate) const BLOCK: usize = 32;

impl Graph {
    pub(crate) fn size(&self) -> GraphSize {
        GraphSize { boards: self.nodes.len() as u64, edges: self.edges.len() as u64 }
    }

    /// The bytes held for reuse.
    pub(crate) fn bytes(&self) -> usize {
        let Found { groups, nodes, .. } = &self.found;
        groups.capacity() * 64
            + (nodes.capacity() + self.nodes.capacity()) * 8
            + (self.edges.capacity() + self.blocks.capacity()) * 4
            + size_of::<Block>()
    }

    /// The buckets that have boards, by pips ascending, dice descending.
    pub(crate) fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    /// The boards of a bucket with their numbers.
    pub(crate) fn numbered(&self, bucket: &Bucket) -> impl Iterator<Item = (usize, &Node)> {
        let nodes = &self.nodes[bucket.nodes.clone()];
        nodes.iter().enumerate().map(|(place, node)| (bucket.first + spread(place, nodes.len()), node))
    }

    /// Notes by number where the slots of a bucket's boards are, the first at `first`: counted so that the slot after `c`
    /// captures is at `starts + rank + c`, and a move always leads one further.
    #[inline(always)]
    pub(crate) fn lay_out(&self, bucket: &Bucket, starts: &mut [u32], first: usize) {
        let mut next = first as u32;
        for (number, node) in self.numbered(bucket) {
            let captures = node.captures();
            starts[number] = next.wrapping_sub(bucket.rank as u32 + captures.start);
            next += captures.end - captures.start;
        }
    }

    /// The boards of a bucket in blocks: their numbers, which are equally far apart, themselves, and the edges of all.
    pub(crate) fn blocks(&self, bucket: &Bucket) -> impl Iterator<Item = (Numbers, &[Node], &[Edge])> {
        let Range { start, end } = bucket.nodes;
        let mut edges = &self.edges[bucket.edges.clone()];
        let blocks = &self.blocks[bucket.blocks.clone()];
        self.nodes[start..end].chunks(BLOCK).zip(blocks).enumerate().map(move |(block, (nodes, &count))| {
            let (now, rest) = edges.split_at(count as usize);
            edges = rest;
            let first = spread(block * BLOCK, end - start);
            let step = spread(block * BLOCK + 1, end - start).saturating_sub(first).max(1);
            ((bucket.first + first..).step_by(step), nodes, now)
        })
    }

    /// Half of a bucket's blocks, and the others. The numbers of their boards are known to the whole alone.
    pub(crate) fn halves(&self, bucket: &Bucket) -> [Bucket; 2] {
        let (mut left, mut right) = (bucket.clone(), bucket.clone());
        let half = bucket.blocks.len() / 2;
        (left.blocks.end, right.blocks.start) = (bucket.blocks.start + half, bucket.blocks.start + half);
        (left.nodes.end, right.nodes.start) = (bucket.nodes.start + half * BLOCK, bucket.nodes.start + half * BLOCK);
        let edges = self.blocks[left.blocks.clone()].iter().sum::<u32>() as usize;
        (left.edges.end, right.edges.start) = (bucket.edges.start + edges, bucket.edges.start + edges);
        left.slots = self.nodes[left.nodes.clone()].iter().map(|node| node.captures().len()).sum();
        right.slots -= left.slots;
        [left, right]
    }

    /// Finds every board within reach.
    #[inline(always)]
    pub(crate) fn walk<S: Simd>(&mut self, simd: S, question: Question) {
        let Question { root, depth, barrier } = question;
        self.found.clear();
        self.buckets.clear();
        self.nodes.clear();
        self.edges.clear();
        self.blocks.clear();
        let first_rank = root.rank() as usize;
        let filling = &mut self.found.filling[first_rank & 1][root.dice() as usize];
        self.found.nodes[filling.next as usize] = 1 << 32 | u64::from(root.bits() << 3);
        filling.next += 1;
        for rank in first_rank.. {
            let before = self.nodes.len();
            let moves = depth.saturating_sub((rank - first_rank) as u32);
            for dice in (0..9).rev() {
                let (nodes, edges, blocks) = (self.nodes.len(), self.edges.len(), self.blocks.len());
                self.found.take(rank & 1, dice, &mut self.nodes);
                if self.nodes.len() == nodes {
                    continue;
                }
                let width = |node: &Node| node.captures().len();
                let slots = simd.vectorize(
                    #[inline(always)]
                    || self.nodes[nodes..].iter().map(width).sum(),
                );
                if rank < barrier {
                    simd.vectorize(
                        #[inline(always)]
                        || self.expand(simd, (rank, dice), moves, nodes),
                    );
                }
                self.buckets.push(Bucket {
                    rank,
                    first: FIRST[rank & 1][dice] as usize,
                    moves,
                    slots,
                    nodes: nodes..self.nodes.len(),
                    edges: edges..self.edges.len(),
                    blocks: blocks..self.blocks.len(),
                });
            }
            if self.nodes.len() == before {
                break;
            }
        }
    }

    /// Gives every board of a bucket its edges, and their boards the ways in.
    #[inline(always)]
    fn expand<S: Simd>(&mut self, simd: S, (rank, dice): (usize, usize), moves: u32, from: usize) {
        let Self { found, block, nodes, edges, blocks, .. } = self;
        let places = places(rank, dice);
        let going_on = going_on(moves);
        for nodes in nodes[from..].chunks_mut(BLOCK) {
            block.fill(simd, nodes, dice, going_on);
            for place in places.iter().flatten() {
                found.make_room(simd, *place, block.count);
            }
            block.aim(simd, &places, found);
            block.look_up(simd, &places, found, edges, blocks);
        }
    }
}

/// The children of some boards. What is made for each board and what for each child are loops of their own, so that none
/// ends after a number of rounds that the processor cannot guess.
#[derive(Debug)]
struct Block {
    /// By board: its images, and the ways that go on.
    images: [[u32; 8]; BLOCK],
    ways: [u64; BLOCK],
    /// By child: whose it is, the change that makes it, the group where the search for it begins, its number.
    whose: [u8; ROOM],
    changes: [u16; ROOM],
    children: [Child; ROOM],
    homes: [u32; ROOM],
    numbers: [u32; ROOM],
    /// The children that are not in their groups.
    missing: [u16; ROOM],
    count: usize,
}

/// The most children of a block, and room to write past the last.
const ROOM: usize = (BLOCK + 2) * MOST;

impl Default for Block {
    fn default() -> Self {
        Self {
            images: [[0; 8]; BLOCK],
            ways: [0; BLOCK],
            whose: [0; ROOM],
            changes: [0; ROOM],
            children: [Child::default(); ROOM],
            homes: [0; ROOM],
            numbers: [0; ROOM],
            missing: [0; ROOM],
            count: 0,
        }
    }
}

impl Block {
    /// Makes the children of boards.
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, nodes: &mut [Node], dice: usize, going_on: u32) {
        let mut count = 0;
        for (number, node) in nodes.iter_mut().enumerate() {
            let ways = node.ways() & going_on;
            let Some(changes) = self.changes[count..].first_chunk_mut().filter(|_| ways != 0) else {
                node.0 |= 1;
                continue;
            };
            let mut found = images::changes(node.board(), changes);
            // The only empty cell was filled: the child is full, and no edge.
            if dice == 8 && images::is_placement(changes[0]) {
                node.0 |= 1;
                found = 0;
            }
            self.images[number % BLOCK] = images::images(simd, node.board()).into();
            self.ways[number % BLOCK] = u64::from(ways) << 32;
            self.whose[count..count + MOST].fill(number as u8);
            count += found;
        }
        self.count = count;
        let fours = count.next_multiple_of(4);
        let Self { images, whose, changes, children, .. } = self;
        images::children_of(simd, images, &whose[..fours], &changes[..fours], &mut children[..fours]);
    }

    /// Finds where the search for each child begins, and asks for these places.
    #[inline(always)]
    fn aim<S: Simd>(&mut self, simd: S, places: &[Option<(usize, usize)>; 4], found: &Found) {
        let (mut starts, mut shifts) = ([0; 8], [0; 8]);
        for (kind, (rank, dice)) in places.iter().enumerate().filter_map(|(kind, place)| Some((kind, (*place)?))) {
            let filling = &found.filling[rank & 1][dice];
            (starts[kind], shifts[kind]) = (filling.start, filling.shift);
        }
        let count = self.count.next_multiple_of(8);
        let eights = self.children[..count].as_chunks::<8>().0.iter().zip(self.homes[..count].as_chunks_mut::<8>().0);
        for (children, homes) in eights {
            let kinds = u32x8::simd_from(simd, children.map(|child| child.kind() as u32));
            let keys = u32x8::simd_from(simd, children.map(Child::key));
            let hashes = keys * u32x8::splat(simd, HASH);
            *homes = ((hashes >> pick(simd, shifts, kinds)) + pick(simd, starts, kinds)).into();
        }
        for &home in &self.homes[..self.count] {
            prefetch(&found.groups, home as usize);
        }
    }

    /// Looks all children up, and makes them edges.
    #[inline(always)]
    fn look_up<S: Simd>(
        &mut self,
        simd: S,
        places: &[Option<(usize, usize)>; 4],
        found: &mut Found,
        edges: &mut Vec<Edge>,
        blocks: &mut Vec<u32>,
    ) {
        let Self { ways, whose, children, homes, numbers, missing, count, .. } = self;
        let Found { filling, groups, nodes } = found;
        let (groups, nodes) = (&mut groups[..], &mut nodes[..]);
        let ways_of = |whose: u8, child: Child| ways[usize::from(whose) % BLOCK] << u32::from(child.kind() != 0);
        // Most are known. Looking for them without writing is cheaper: a read of eight entries just after a write to one of
        // them waits for it.
        let mut misses = 0;
        let each = children[..*count].iter().zip(&homes[..*count]).zip(&whose[..*count]).zip(&mut numbers[..*count]);
        for (at, (((child, home), whose), number)) in each.enumerate() {
            let known = groups[*home as usize].number(simd, child.key());
            // Nobody has the number 0.
            nodes[known as usize] |= ways_of(*whose, *child);
            *number = known;
            missing[misses] = at as u16;
            misses += usize::from(known == 0);
        }
        let mut fillings = places.map(|place| place.map_or_else(Filling::default, |(r, d)| filling[r & 1][d]));
        for &at in &missing[..misses] {
            let at = usize::from(at);
            let child = children[at];
            let number = fillings[child.kind()].add(simd, groups, child.key(), homes[at]);
            nodes[number as usize] |= ways_of(whose[at], child) | u64::from(child.key());
            numbers[at] = number;
        }
        for (place, after) in places.iter().zip(fillings) {
            if let Some((rank, dice)) = *place {
                filling[rank & 1][dice] = after;
            }
        }
        edges.extend(numbers[..*count].iter().zip(&*whose).zip(&*children).map(
            #[inline(always)]
            |((number, whose), child)| {
                Edge(number << (3 + BLOCK.trailing_zeros()) | u32::from(*whose) << 3 | child.sym() as u32)
            },
        ));
        blocks.push(*count as u32);
        *count = 0;
    }
}
