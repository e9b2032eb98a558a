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
//! A bucket is handed out once everything its edges lead to has come up, and its memory is used again, so only the boards
//! of two ranks are held. All boards of a bucket have made the same number of placements, so the moves to go with which a board occurs
//! differ only by its captures, and one word of bits says after how many it occurs. Full boards are never stored: only a
//! placement on the ninth cell makes one.

use cephalopods::kernel::images::{self, Child};
use cephalopods::kernel::prefetch;
use cephalopods::tables::LONGEST_BY_DICE;
use cephalopods::{Board, LONGEST, MOST};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};

/// One canonical board.
///
/// ```text
/// key     bits 26..0   the board               bits 31..27  how many of its moves are edges
/// ways    bit c        it occurs after c captures, with at least one move to go
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    key: u32,
    pub(crate) ways: u32,
}

const _: () = assert!(size_of::<Node>() == 8);

impl Node {
    /// The canonical board's bits.
    #[inline(always)]
    pub(crate) fn board(self) -> u32 {
        self.key & BOARD
    }

    /// How many edges it has.
    #[inline(always)]
    pub(crate) fn edges(self) -> usize {
        (self.key >> 27) as usize
    }
}

const BOARD: u32 = (1 << 27) - 1;

/// A move between canonical boards.
///
/// ```text
/// bit  1..0     0 a placement, else the captured dice less one
///      4..2     the symmetry that takes the child to its canonical form
///     31..5     the child's number in its bucket
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge(u32);

impl Edge {
    #[inline(always)]
    pub(crate) fn sym(self) -> usize {
        (self.0 >> 2 & 7) as usize
    }

    /// 0 for a placement; for a capture, by how many dice it lowers.
    #[inline(always)]
    pub(crate) fn kind(self) -> usize {
        (self.0 & 3) as usize
    }

    #[inline(always)]
    pub(crate) fn child(self) -> usize {
        (self.0 >> 5) as usize
    }
}

/// An expanded bucket: its boards in the order they were found, and their edges one after another.
#[derive(Debug, Default)]
pub(crate) struct Bucket {
    pub(crate) rank: usize,
    pub(crate) dice: usize,
    /// The moves to go before any capture.
    pub(crate) moves: u32,
    /// Fewer captures than this count as so many: even then more moves are to go than the longest sequence has.
    pub(crate) least: u32,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// For each board, where its counts are in the bucket's list: those after `c` captures at `starts + c`. They lie close,
    /// from the first to the last of its ways.
    pub(crate) starts: Vec<u32>,
    /// How long that list is.
    pub(crate) slots: usize,
}

impl Bucket {
    /// Counts too few captures as the least.
    fn hold_captures(&mut self) {
        let few = (1u32 << self.least) - 1;
        for node in self.nodes.iter_mut().filter(|_| few != 0) {
            if node.ways & few != 0 {
                node.ways = node.ways & !few | (few + 1);
            }
        }
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * 8 + (self.edges.capacity() + self.starts.capacity()) * 4
    }
}

/// The bucket that each kind of edge leads to.
pub(crate) type Targets<'a> = [Option<&'a Bucket>; 4];

/// Where each kind of edge leads from a bucket, as rank and dice; kinds that cannot occur there lead nowhere.
fn places(rank: usize, dice: usize) -> [Option<(usize, usize)>; 4] {
    std::array::from_fn(|kind| match kind {
        0 => Some((rank + 1, dice + 1)).filter(|_| dice < 8),
        kind => dice.checked_sub(kind).filter(|&dice| dice > 0).map(|dice| (rank, dice)),
    })
}

/// Eight entries of a hash table, taken from the first on: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Group {
    /// Canonical boards; 0 is a free entry. The empty board can only be the root, which nobody looks for.
    boards: [u32; 8],
    numbers: [u32; 8],
}

const _: () = assert!(size_of::<Group>() == 64);

/// The boards of a bucket that is being filled, and a hash table from board to number.
///
/// A look-up compares eight boards at once and takes the first free entry if none is equal, without asking which it was:
/// the answer is as good as random, and a wrong guess of the processor costs as much as the look-up.
#[derive(Debug, Default)]
struct Filling {
    /// Those found, and zeros: room for more.
    nodes: Vec<Node>,
    found: u32,
    /// A power of two of them.
    groups: Vec<Group>,
    /// `64 - log2` of the groups, for the multiplicative hash whose top bits are the good ones.
    shift: u32,
}

/// The least size of a table.
const FEWEST_GROUPS: usize = 16;

impl Filling {
    /// Empties it, with room for so many boards.
    fn reset(&mut self, room: usize) {
        self.nodes.clear();
        self.found = 0;
        self.clear_groups(room);
    }

    fn clear_groups(&mut self, room: usize) {
        let groups = room.div_ceil(FULL).next_power_of_two().max(FEWEST_GROUPS);
        self.shift = 64 - groups.trailing_zeros();
        self.groups.clear();
        self.groups.resize(groups, Group::default());
    }

    /// The group where the search for a board begins.
    #[inline(always)]
    fn home(&self, board: u32) -> usize {
        (u64::from(board).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (self.shift & 63)) as usize
    }

    /// The number of `board`, which joins if it is new, with the ways added. There must be room.
    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, board: u32, ways: u32) -> u32 {
        let mut at = self.home(board);
        loop {
            let group = &mut self.groups[at];
            let boards: u32x8<S> = group.boards.simd_into(simd);
            let equal = boards.simd_eq(u32x8::splat(simd, board)).to_bitmask();
            let free = boards.simd_eq(u32x8::splat(simd, 0)).to_bitmask();
            if equal | free != 0 {
                let lane = (equal | free << 8).trailing_zeros() as usize % 8;
                let is_new = u32::from(equal == 0);
                // A free entry has the number 0.
                let number = group.numbers[lane] | self.found & is_new.wrapping_neg();
                self.found += is_new;
                group.boards[lane] = board;
                group.numbers[lane] = number;
                let node = &mut self.nodes[number as usize];
                node.key = board;
                node.ways |= ways;
                return number;
            }
            at = (at + 1) % self.groups.len();
        }
    }

    /// Makes room for so many more boards.
    #[inline(always)]
    fn make_room<S: Simd>(&mut self, simd: S, more: usize) {
        let needed = self.found as usize + more;
        self.nodes.resize(needed, Node { key: 0, ways: 0 });
        if needed > FULL * self.groups.len() && !self.groups.is_empty() {
            self.grow(simd, 2 * needed);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow<S: Simd>(&mut self, simd: S, room: usize) {
        simd.vectorize(
            #[inline(always)]
            || {
                self.clear_groups(room);
                let found = std::mem::take(&mut self.found);
                for number in 0..found as usize {
                    let board = self.nodes[number].key;
                    self.add(simd, board, 0);
                }
            },
        );
    }
}

/// A table grows when there are more boards than this for each of its groups of eight.
const FULL: usize = 6;

/// What is asked of the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    /// A canonical board that is not full.
    pub(crate) root: Board,
    /// The most moves: from 1 to [`LONGEST`].
    pub(crate) depth: u32,
    /// Boards of this number of pips are found but not expanded.
    pub(crate) barrier: usize,
    /// Whether lengths of sequences are to be told apart. If not, more moves to go than the longest sequence from any board
    /// of a bucket are counted as so many.
    pub(crate) lengths: bool,
}

/// The memory of a walk over a graph, used again by the next: the buckets that are being filled.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// By parity of the pips, then by dice.
    filling: [[Filling; 9]; 2],
    /// Not in use.
    spare: Bucket,
    blocks: Box<[Block; 2]>,
    size: GraphSize,
}

/// What was found, for reports and for the signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct GraphSize {
    /// Canonical boards met with at least one move to go.
    pub boards: u64,
    /// Moves between them.
    pub edges: u64,
}

/// So many boards are expanded at a time: while their places come in from memory, the next ones are made.
const BLOCK: usize = 32;

impl Graph {
    pub(crate) fn size(&self) -> GraphSize {
        self.size
    }

    /// The bytes held for reuse.
    pub(crate) fn bytes(&self) -> usize {
        let filling = self.filling.iter().flatten().map(|f| f.nodes.capacity() * 8 + f.groups.capacity() * 64);
        filling.sum::<usize>() + self.spare.bytes() + size_of_val(&*self.blocks)
    }

    /// Finds every board within reach. Each bucket goes to `sink` when it is expanded, also the empty ones: by pips
    /// ascending, dice descending, with one rank more than has boards. `sink` gives another back whose memory is used next.
    #[inline(always)]
    pub(crate) fn walk<S: Simd>(&mut self, simd: S, question: Question, sink: &mut impl FnMut(Bucket) -> Bucket) {
        let Question { root, depth, barrier, lengths } = question;
        self.size = GraphSize::default();
        self.filling.iter_mut().flatten().for_each(|filling| filling.reset(1));
        let mut rank = root.rank() as usize;
        // More moves than the longest sequence change nothing.
        let longest = |rank: usize, dice: usize| if lengths { LONGEST } else { LONGEST_BY_DICE[rank][dice].into() };
        let depth = depth.min(longest(rank, root.dice() as usize));
        let first = &mut self.filling[rank & 1][root.dice() as usize];
        first.nodes.push(Node { key: root.bits(), ways: 1 });
        first.found = 1;
        let (first_rank, mut found) = (rank, 1);
        let mut bucket = std::mem::take(&mut self.spare);
        while found > 0 {
            found = 0;
            let moves = depth.saturating_sub((rank - first_rank) as u32);
            for dice in (0..9).rev() {
                // Captures are counted up to 31; to hold them at a smaller number is always right.
                let least = moves.saturating_sub(longest(rank, dice)).min(31);
                (bucket.rank, bucket.dice, bucket.moves, bucket.least) = (rank, dice, moves, least);
                let filling = &mut self.filling[rank & 1][dice];
                std::mem::swap(&mut bucket.nodes, &mut filling.nodes);
                bucket.nodes.truncate(filling.found as usize);
                bucket.edges.clear();
                found += bucket.nodes.len();
                bucket.hold_captures();
                if !bucket.nodes.is_empty() && rank < barrier {
                    simd.vectorize(
                        #[inline(always)]
                        || self.expand(simd, &mut bucket),
                    );
                }
                // The rank after the next is about as large.
                self.filling[rank & 1][dice].reset(bucket.nodes.len());
                self.size.edges += bucket.edges.len() as u64;
                bucket = sink(bucket);
            }
            self.size.boards += found as u64;
            rank += 1;
        }
        self.spare = bucket;
    }

    /// Gives every board of a bucket its edges, and their boards the ways in.
    #[inline(always)]
    fn expand<S: Simd>(&mut self, simd: S, bucket: &mut Bucket) {
        let Bucket { rank, dice, moves, nodes, edges, .. } = bucket;
        let places = places(*rank, *dice);
        let mut fillings = places
            .map(|place| place.map_or_else(Filling::default, |(r, d)| std::mem::take(&mut self.filling[r & 1][d])));
        // With more captures behind it than this, a board's children have no move to go.
        let far_enough = ((1u64 << moves.saturating_sub(1).min(32)) - 1) as u32;
        // While the places of one block come in from memory, the other is made.
        let [mut waiting, mut made] = self.blocks.each_mut();
        for block in nodes.chunks_mut(BLOCK) {
            made.fill(simd, block, *dice, far_enough);
            for child in made.children() {
                let filling = &fillings[child.kind()];
                prefetch(&filling.groups, filling.home(child.board()));
            }
            waiting.look_up(simd, &mut fillings, edges);
            std::mem::swap(&mut waiting, &mut made);
        }
        waiting.look_up(simd, &mut fillings, edges);
        for (place, filling) in places.into_iter().zip(fillings) {
            if let Some((rank, dice)) = place {
                self.filling[rank & 1][dice] = filling;
            }
        }
    }
}

/// The children of some boards. What is made for each board and what for each child are loops of their own, so that none
/// ends after a number of rounds that the processor cannot guess.
#[derive(Debug)]
struct Block {
    /// By board: its images, and its ways that go on.
    images: [[u32; 8]; BLOCK],
    ways: [u32; BLOCK],
    /// By child: whose it is, and the change that makes it.
    whose: [u8; ROOM],
    changes: [u16; ROOM],
    children: [Child; ROOM],
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
            count: 0,
        }
    }
}

impl Block {
    fn children(&self) -> &[Child] {
        &self.children[..self.count]
    }

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, nodes: &mut [Node], dice: usize, far_enough: u32) {
        let mut count = 0;
        for (number, node) in nodes.iter_mut().enumerate() {
            let going_on = node.ways & far_enough;
            let Some(changes) = self.changes[count..].first_chunk_mut().filter(|_| going_on != 0) else { continue };
            let mut found = images::changes(node.key, changes);
            // The only empty cell was filled: the child is full, and no edge.
            if dice == 8 && images::is_placement(changes[0]) {
                found = 0;
            }
            self.images[number] = images::images(simd, node.key).into();
            self.ways[number] = going_on;
            self.whose[count..count + MOST].fill(number as u8);
            node.key |= (found as u32) << 27;
            count += found;
        }
        self.count = count;
        let fours = count.next_multiple_of(4);
        let Self { images, whose, changes, children, .. } = self;
        images::children_of(simd, images, &whose[..fours], &changes[..fours], &mut children[..fours]);
    }

    #[inline(always)]
    fn look_up<S: Simd>(&mut self, simd: S, fillings: &mut [Filling; 4], edges: &mut Vec<Edge>) {
        let count = std::mem::take(&mut self.count);
        fillings.iter_mut().for_each(|filling| filling.make_room(simd, count));
        let first = edges.len();
        edges.resize(first + count, Edge(0));
        for ((child, whose), edge) in self.children[..count].iter().zip(&self.whose).zip(&mut edges[first..]) {
            let ways = self.ways[usize::from(*whose) % BLOCK] << u32::from(child.kind() != 0);
            let number = fillings[child.kind()].add(simd, child.board(), ways);
            *edge = Edge(number << 5 | child.manner());
        }
    }
}

/// The expanded buckets of two ranks. What the walk gives is kept here until everything its edges lead to is here too.
#[derive(Debug, Default)]
pub(crate) struct Window {
    /// By parity of the pips, then by dice.
    buckets: [[Bucket; 9]; 2],
}

impl Window {
    /// The bytes held for reuse.
    pub(crate) fn bytes(&self) -> usize {
        self.buckets.iter().flatten().map(Bucket::bytes).sum()
    }

    /// Forgets all buckets, before a walk.
    pub(crate) fn clear(&mut self) {
        self.buckets.iter_mut().flatten().for_each(|bucket| bucket.nodes.clear());
    }

    /// Takes the next bucket of a walk, and calls `visit` with those that are complete by it and with what their edges lead
    /// to. Gives back the memory of one that is no longer needed.
    pub(crate) fn add(&mut self, mut bucket: Bucket, visit: &mut impl FnMut(&Bucket, Targets<'_>)) -> Bucket {
        let Bucket { rank, dice, .. } = bucket;
        if dice == 8 {
            // Nothing is placed on a board of eight dice that is not full afterwards.
            self.hand_out(rank.wrapping_sub(1) & 1, 8, visit);
        }
        let mut slots = 0u32;
        bucket.starts.clear();
        bucket.starts.extend(bucket.nodes.iter().map(|node| {
            let start = slots.wrapping_sub(node.ways.trailing_zeros());
            slots = start.wrapping_add(32 - node.ways.leading_zeros());
            start
        }));
        bucket.slots = slots as usize;
        let old = std::mem::replace(&mut self.buckets[rank & 1][dice], bucket);
        if let Some(dice) = dice.checked_sub(1) {
            self.hand_out(rank.wrapping_sub(1) & 1, dice, visit);
        }
        old
    }

    fn hand_out(&mut self, parity: usize, dice: usize, visit: &mut impl FnMut(&Bucket, Targets<'_>)) {
        let bucket = &self.buckets[parity][dice];
        if !bucket.nodes.is_empty() {
            visit(bucket, places(bucket.rank, dice).map(|place| place.map(|(r, d)| &self.buckets[r & 1][d])));
        }
        self.buckets[parity][dice].nodes.clear();
    }
}
