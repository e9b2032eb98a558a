//! Every canonical board within reach of one board, each found once: the first half of the `scratch` engine.
//!
//! Boards are found in the order (pips ascending, dice descending), which no move goes against: a placement raises the
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
//! The depth at which a board occurs is its placements (the same for the whole bucket) plus its captures, so one word
//! of bits says at which depths it occurs. Full boards are never stored: only a placement on the ninth cell makes one.

use cephalopods::kernel::images::{self, Children};
use cephalopods::kernel::prefetch;
use cephalopods::{Board, LONGEST};
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
/// bit  2..0     the symmetry that takes the child to its canonical form
///      4..3     0 a placement, else the captured dice less one
///     31..5     the child's number in its bucket
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge(u32);

impl Edge {
    #[inline(always)]
    pub(crate) fn sym(self) -> usize {
        (self.0 & 7) as usize
    }

    /// 0 for a placement; for a capture, by how many dice it lowers.
    #[inline(always)]
    pub(crate) fn kind(self) -> usize {
        (self.0 >> 3 & 3) as usize
    }

    #[inline(always)]
    pub(crate) fn child(self) -> usize {
        (self.0 >> 5) as usize
    }
}

/// The boards of one number of pips and one of dice, in the order they were found, and their edges one after another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bucket {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
}

/// Open addressing from board to number: a slot is the board and, above it, the number plus one. Grows at two thirds.
#[derive(Debug, Default)]
struct Index {
    slots: Vec<u64>,
    /// `64 - log2` of the slots in use, for the multiplicative hash whose top bits are the good ones.
    shift: u32,
    used: usize,
}

impl Index {
    /// Empties it, with room for so many boards.
    fn reset(&mut self, room: usize) {
        let capacity = (room * 2).next_power_of_two().max(64);
        self.shift = 64 - capacity.trailing_zeros();
        self.slots.clear();
        self.slots.resize(capacity, 0);
        self.used = 0;
    }

    #[inline(always)]
    fn home(&self, board: u32) -> usize {
        (u64::from(board).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// The number of `board`, which joins `nodes` if it is new.
    #[inline(always)]
    fn number(&mut self, board: u32, nodes: &mut Vec<Node>) -> usize {
        let last = self.slots.len() - 1;
        let mut at = self.home(board);
        loop {
            let slot = self.slots[at & last];
            if slot == 0 {
                break;
            }
            if slot as u32 == board {
                return (slot >> 32) as usize - 1;
            }
            at += 1;
        }
        self.slots[at & last] = u64::from(board) | (nodes.len() as u64 + 1) << 32;
        nodes.push(Node { key: board, ways: 0 });
        self.used += 1;
        if self.used * 3 > self.slots.len() * 2 {
            self.grow(nodes);
        }
        nodes.len() - 1
    }

    #[cold]
    fn grow(&mut self, nodes: &[Node]) {
        let used = self.used;
        self.reset(self.slots.len());
        self.used = used;
        let last = self.slots.len() - 1;
        for (number, node) in nodes.iter().enumerate() {
            let mut at = self.home(node.board());
            while self.slots[at & last] != 0 {
                at += 1;
            }
            self.slots[at & last] = u64::from(node.board()) | (number as u64 + 1) << 32;
        }
    }
}

/// The graph below one board.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// By pips, then by dice.
    buckets: Vec<[Bucket; 9]>,
    /// The index of each number of dice, for the pips at hand and the next.
    index: [[Index; 9]; 2],
    pub(crate) first_rank: usize,
    pub(crate) last_rank: usize,
    pub(crate) depth: u32,
    /// Expanding stops here: the boards of this number of pips are leaves.
    pub(crate) barrier: usize,
}

/// What was found, for reports and for the signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct GraphSize {
    /// Canonical boards met with at least one move to go.
    pub boards: u64,
    /// Moves between them.
    pub edges: u64,
}

impl Graph {
    /// The bucket of so many pips and dice.
    #[inline(always)]
    pub(crate) fn bucket(&self, rank: usize, dice: usize) -> &Bucket {
        &self.buckets[rank][dice]
    }

    pub(crate) fn size(&self) -> GraphSize {
        let ranks = &self.buckets[self.first_rank..=self.last_rank];
        let mut size = GraphSize::default();
        for bucket in ranks.iter().flatten() {
            size.boards += bucket.nodes.len() as u64;
            size.edges += bucket.edges.len() as u64;
        }
        size
    }

    /// The bytes held for reuse.
    pub(crate) fn bytes(&self) -> usize {
        let lists: usize = self.buckets.iter().flatten().map(|b| b.nodes.capacity() * 8 + b.edges.capacity() * 4).sum();
        lists + self.index.iter().flatten().map(|index| index.slots.capacity() * 8).sum::<usize>()
    }

    /// Finds every board within `depth` moves of `root`, a canonical board that is not full; `depth` is at least 1.
    /// Boards of `barrier` pips are found but not expanded.
    #[inline(always)]
    pub(crate) fn explore<S: Simd>(&mut self, simd: S, root: Board, depth: u32, barrier: usize) {
        debug_assert!(!root.is_full() && depth >= 1);
        self.buckets.resize_with(56, Default::default);
        for bucket in self.buckets.iter_mut().flatten() {
            bucket.nodes.clear();
            bucket.edges.clear();
        }
        self.depth = depth.min(LONGEST);
        self.barrier = barrier;
        self.first_rank = root.rank() as usize;
        let (mut rank, root_dice) = (self.first_rank, root.dice() as usize);
        self.index[rank & 1].iter_mut().for_each(|index| index.reset(1));
        self.index[rank & 1][root_dice].number(root.bits(), &mut self.buckets[rank][root_dice].nodes);
        self.buckets[rank][root_dice].nodes[0].ways = 1;
        loop {
            self.last_rank = rank;
            for dice in 0..9 {
                // A placement leads to one die more; ranks grow by less than half again.
                let room = self.buckets[rank][dice].nodes.len();
                self.index[(rank + 1) & 1][dice].reset(room + room / 2);
            }
            if rank < barrier {
                for dice in (0..9).rev() {
                    if self.buckets[rank][dice].nodes.is_empty() {
                        continue;
                    }
                    simd.vectorize(
                        #[inline(always)]
                        || self.expand(simd, rank, dice),
                    );
                }
            }
            if self.buckets[rank + 1].iter().all(|bucket| bucket.nodes.is_empty()) {
                break;
            }
            rank += 1;
        }
    }

    /// Gives every board of a bucket its edges, and their boards the ways in.
    #[inline(always)]
    fn expand<S: Simd>(&mut self, simd: S, rank: usize, dice: usize) {
        let mut nodes = std::mem::take(&mut self.buckets[rank][dice].nodes);
        let mut edges = std::mem::take(&mut self.buckets[rank][dice].edges);
        // Where each kind of edge leads; kinds that cannot occur lead to an empty place that is never asked.
        let place = |kind: usize| if kind == 0 { (rank + 1, dice + 1) } else { (rank, dice.wrapping_sub(kind)) };
        let mut targets: [Target; 4] = std::array::from_fn(|kind| {
            let (rank, dice) = place(kind);
            if dice > 8 {
                return Target::default();
            }
            let nodes = std::mem::take(&mut self.buckets[rank][dice].nodes);
            Target { index: std::mem::take(&mut self.index[rank & 1][dice]), nodes }
        });
        // With more captures behind it than this, a board's children have no move to go.
        let moves_left = self.depth - (rank - self.first_rank) as u32;
        let far_enough = ((1u64 << moves_left.saturating_sub(1).min(32)) - 1) as u32;
        // One board ahead: while its slots come in from memory, the board before it is looked up.
        let mut children = [Children::NONE, Children::NONE];
        let mut pending = 0;
        for at in 0..=nodes.len() {
            let [even, odd] = &mut children;
            let (coming, done) = if at & 1 == 0 { (even, odd) } else { (odd, even) };
            let mut going_on = 0;
            coming.count = 0;
            if let Some(node) = nodes.get_mut(at) {
                going_on = node.ways & far_enough;
                if going_on != 0 {
                    images::children(simd, node.key, coming);
                    for edge in 0..coming.count {
                        let index = &targets[usize::from(coming.kind[edge & 15] & 3)].index;
                        prefetch(&index.slots, index.home(coming.child[edge & 15] >> 3));
                    }
                    // The only empty cell was filled: the child is full, and no edge.
                    if dice == 8 && coming.kind[0] == 0 {
                        coming.count = 0;
                    }
                    node.key |= (coming.count as u32) << 27;
                }
            }
            edges.reserve(done.count);
            for edge in 0..done.count {
                let (child, kind) = (done.child[edge & 15], done.kind[edge & 15]);
                let target = &mut targets[usize::from(kind & 3)];
                let number = target.index.number(child >> 3, &mut target.nodes);
                target.nodes[number].ways |= pending << u32::from(kind != 0);
                edges.push(Edge((number as u32) << 5 | u32::from(kind) << 3 | child & 7));
            }
            pending = going_on;
        }
        for (kind, target) in targets.into_iter().enumerate() {
            let (rank, dice) = place(kind);
            if dice <= 8 {
                self.buckets[rank][dice].nodes = target.nodes;
                self.index[rank & 1][dice] = target.index;
            }
        }
        self.buckets[rank][dice].nodes = nodes;
        self.buckets[rank][dice].edges = edges;
    }
}

/// A bucket that is being filled.
#[derive(Default)]
struct Target {
    index: Index,
    nodes: Vec<Node>,
}
