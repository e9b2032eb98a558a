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
//! A bucket is handed out as soon as it is expanded and its memory is used again, so only the boards of two ranks are
//! held. All boards of a bucket have made the same number of placements, so the moves to go with which a board occurs
//! differ only by its captures, and one word of bits says after how many it occurs. Full boards are never stored: only a
//! placement on the ninth cell makes one.

use cephalopods::kernel::images::{self, Child};
use cephalopods::kernel::prefetch;
use cephalopods::tables::LONGEST_BY_DICE;
use cephalopods::{Board, LONGEST, MOST};
use grid::simd::Simd;

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

/// The bucket that each kind of edge leads to.
pub(crate) type Targets<'a> = [Option<&'a Bucket>; 4];

/// Where each kind of edge leads from a bucket, as rank and dice; kinds that cannot occur there lead nowhere.
fn places(rank: usize, dice: usize) -> [Option<(usize, usize)>; 4] {
    std::array::from_fn(|kind| match kind {
        0 => Some((rank + 1, dice + 1)).filter(|_| dice < 8),
        kind => dice.checked_sub(kind).filter(|&dice| dice > 0).map(|dice| (rank, dice)),
    })
}

/// The boards of a bucket that is being filled, and open addressing from board to number.
///
/// ```text
/// slot  bits 17..0  the number plus one; 0 is a free slot      31..18  the board's cells 0 to 3 and two bits of cell 4
/// ```
#[derive(Debug, Default)]
struct Filling {
    nodes: Vec<Node>,
    /// At most two thirds are taken.
    slots: Vec<u32>,
    /// `64 - log2` of the slots, for the multiplicative hash whose top bits are the good ones.
    shift: u32,
}

impl Filling {
    /// Empties it, with room for so many boards.
    fn reset(&mut self, room: usize) {
        self.nodes.clear();
        self.clear_slots((room * 3 / 2 + BLOCK * MOST * 3 / 2).next_power_of_two());
    }

    fn clear_slots(&mut self, capacity: usize) {
        self.shift = 64 - capacity.trailing_zeros();
        self.slots.clear();
        self.slots.resize(capacity, 0);
    }

    /// Where the search for a board begins.
    #[inline(always)]
    fn home(&self, board: u32) -> u32 {
        (u64::from(board).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as u32
    }

    /// The number of `board`, which joins if it is new, with the ways added. There must be room.
    #[inline(always)]
    fn add(&mut self, board: u32, home: u32, ways: u32) -> u32 {
        let last = self.slots.len().wrapping_sub(1);
        let tag = board << 18;
        let mut at = home as usize;
        loop {
            let slot = &mut self.slots[at & last];
            let number = (*slot ^ tag).wrapping_sub(1);
            if let Some(node) = self.nodes.get_mut(number as usize)
                && node.key == board
            {
                node.ways |= ways;
                return number;
            }
            if *slot == 0 {
                let number = self.nodes.len() as u32;
                *slot = tag | (number + 1);
                self.nodes.push(Node { key: board, ways });
                return number;
            }
            at += 1;
        }
    }

    /// Makes room for a block's children.
    #[inline(always)]
    fn make_room(&mut self) {
        if (self.nodes.len() + BLOCK * MOST) * 3 > self.slots.len() * 2 && !self.slots.is_empty() {
            self.grow();
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.clear_slots(self.slots.len() * 2);
        let last = self.slots.len() - 1;
        for (number, node) in (1..).zip(&self.nodes) {
            let mut at = self.home(node.key) as usize;
            while self.slots[at & last] != 0 {
                at += 1;
            }
            self.slots[at & last] = node.key << 18 | number;
        }
    }
}

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

/// The memory of a walk over a graph, used again by the next.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// By parity of the pips, then by dice.
    filling: [[Filling; 9]; 2],
    /// The same, expanded, from when it comes up until all its edges' children have come up.
    buckets: [[Bucket; 9]; 2],
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

/// So many boards are expanded at a time: while their slots come in from memory, the next ones are made.
const BLOCK: usize = 8;

impl Graph {
    pub(crate) fn size(&self) -> GraphSize {
        self.size
    }

    /// The bytes held for reuse.
    pub(crate) fn bytes(&self) -> usize {
        let filling = self.filling.iter().flatten().map(|f| f.nodes.capacity() * 8 + f.slots.capacity() * 4);
        let expanded = self.buckets.iter().flatten();
        filling.sum::<usize>()
            + expanded.map(|b| b.nodes.capacity() * 8 + (b.edges.capacity() + b.starts.capacity()) * 4).sum::<usize>()
    }

    /// Finds every board within reach and hands out the buckets in order: each to `visit`, by its parity and dice, once
    /// everything its edges lead to has come up too.
    #[inline(always)]
    pub(crate) fn walk<S: Simd>(&mut self, simd: S, question: Question, visit: &mut impl FnMut(&Bucket, Targets<'_>)) {
        let Question { root, depth, barrier, lengths } = question;
        self.size = GraphSize::default();
        self.filling.iter_mut().flatten().for_each(|filling| filling.reset(1));
        self.buckets.iter_mut().flatten().for_each(|bucket| bucket.nodes.clear());
        let mut rank = root.rank() as usize;
        // More moves than the longest sequence change nothing.
        let longest = |rank: usize, dice: usize| if lengths { LONGEST } else { LONGEST_BY_DICE[rank][dice].into() };
        let depth = depth.min(longest(rank, root.dice() as usize));
        let first = &mut self.filling[rank & 1][root.dice() as usize];
        first.add(root.bits(), 0, 1);
        let (first_rank, mut found) = (rank, 1);
        // One rank more than has boards, so that the last is handed out too.
        while found > 0 {
            found = 0;
            let moves = depth.saturating_sub((rank - first_rank) as u32);
            for dice in (0..10).rev() {
                if dice < 9 {
                    // Captures are counted up to 31; to hold them at a smaller number is always right.
                    let least = moves.saturating_sub(longest(rank, dice)).min(31);
                    let room = self.start(rank, dice, moves, least);
                    if room > 0 && rank < barrier {
                        simd.vectorize(
                            #[inline(always)]
                            || self.expand(simd, rank & 1, dice),
                        );
                    }
                    self.filling[rank & 1][dice].reset(room);
                    found += room;
                    self.size.edges += self.buckets[rank & 1][dice].edges.len() as u64;
                }
                if let Some(dice) = dice.checked_sub(1) {
                    self.hand_out(rank.wrapping_sub(1) & 1, dice, visit);
                }
            }
            self.size.boards += found as u64;
            rank += 1;
        }
    }

    /// Makes a bucket of what was filled; gives how many boards it has.
    fn start(&mut self, rank: usize, dice: usize, moves: u32, least: u32) -> usize {
        let bucket = &mut self.buckets[rank & 1][dice];
        std::mem::swap(&mut bucket.nodes, &mut self.filling[rank & 1][dice].nodes);
        (bucket.rank, bucket.dice, bucket.moves, bucket.least) = (rank, dice, moves, least);
        bucket.edges.clear();
        bucket.starts.clear();
        let first = 1u32 << least;
        let mut slots = 0u32;
        bucket.starts.extend(bucket.nodes.iter_mut().map(|node| {
            if node.ways & (first - 1) != 0 {
                node.ways = node.ways & !(first - 1) | first;
            }
            let start = slots.wrapping_sub(node.ways.trailing_zeros());
            slots = start.wrapping_add(32 - node.ways.leading_zeros());
            start
        }));
        bucket.slots = slots as usize;
        bucket.nodes.len()
    }

    fn hand_out(&mut self, parity: usize, dice: usize, visit: &mut impl FnMut(&Bucket, Targets<'_>)) {
        let bucket = &self.buckets[parity][dice];
        if !bucket.nodes.is_empty() {
            visit(bucket, places(bucket.rank, dice).map(|place| place.map(|(r, d)| &self.buckets[r & 1][d])));
        }
        self.buckets[parity][dice].nodes.clear();
    }

    /// Gives every board of a bucket its edges, and their boards the ways in.
    #[inline(always)]
    fn expand<S: Simd>(&mut self, simd: S, parity: usize, dice: usize) {
        let Bucket { rank, moves, nodes, edges, .. } = &mut self.buckets[parity][dice];
        let places = places(*rank, dice);
        let mut fillings = places
            .map(|place| place.map_or_else(Filling::default, |(r, d)| std::mem::take(&mut self.filling[r & 1][d])));
        // With more captures behind it than this, a board's children have no move to go.
        let far_enough = ((1u64 << moves.saturating_sub(1).min(32)) - 1) as u32;
        let mut children = [Child::default(); (BLOCK + 1) * MOST];
        // For each child, where its search begins and the ways of its parent.
        let mut searches = [(0, 0); (BLOCK + 1) * MOST];
        for block in nodes.chunks_mut(BLOCK) {
            fillings.iter_mut().for_each(Filling::make_room);
            let mut count = 0;
            for node in block {
                let going_on = node.ways & far_enough;
                let Some(own) = children[count..].first_chunk_mut().filter(|_| going_on != 0) else { continue };
                let mut found = images::children(simd, node.key, own);
                // The only empty cell was filled: the child is full, and no edge.
                if dice == 8 && own[0].kind() == 0 {
                    found = 0;
                }
                node.key |= (found as u32) << 27;
                for (child, search) in own[..found].iter().zip(&mut searches[count..]) {
                    let filling = &fillings[child.kind()];
                    let home = filling.home(child.board());
                    prefetch(&filling.slots, home as usize);
                    *search = (home, going_on);
                }
                count += found;
            }
            let first = edges.len();
            edges.resize(first + count, Edge(0));
            for ((child, search), edge) in children[..count].iter().zip(&searches).zip(&mut edges[first..]) {
                let ways = search.1 << u32::from(child.kind() != 0);
                let number = fillings[child.kind()].add(child.board(), search.0, ways);
                *edge = Edge(number << 5 | child.manner());
            }
        }
        for (place, filling) in places.into_iter().zip(fillings) {
            if let Some((rank, dice)) = place {
                self.filling[rank & 1][dice] = filling;
            }
        }
    }
}
