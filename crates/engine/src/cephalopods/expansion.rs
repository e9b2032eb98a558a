//! The expansion of boards: how the walk over the graph makes children and finds out which of them are new.
//!
//! ```text
//! for each move of a pattern, for 64 of its boards:
//!     which boards have the move                    one bit each
//!     the indices of the children                   16 at a time; prefetch their numbers
//!     number = NUMBERS[index], or the next one      for the children of the move before, meanwhile
//!     ways of the child |= ways of the parent
//! ```
//!
//! The boards of a pattern are numbered in the order in which they are found. Price (`valgrind --tool=callgrind`, official
//! test 11): entering a child costs about 27 instructions, making it and prefetching its number about 17. Most of the time
//! is waiting for numbers.

use super::graph::{Batch, Block, Edge, LEVELS, MovesToGo, Node, RING_SLOTS, Root, Scope, slot};
use super::{by_dice, reserve, zeroed};
use cephalopods::kernel::columns::{BOARDS, Children, Columns};
use cephalopods::pattern::{self, Change, INDICES, MOST_DICE, PATTERNS, SPACE};
use grid::simd::fearless_simd::Simd;
use grid::simd::prefetch;
use search::OutOfMemory;
use std::hint::select_unpredictable;

/// Where the numbers of a pattern's boards begin, at a level. Levels four apart share this memory: only boards of five dice
/// are reached by a rise of four levels, and they are taken before the boards of seven dice of the same level are expanded.
#[inline(always)]
fn table(level: usize, pattern: usize) -> usize {
    let ring = level % 4;
    ring / 2 * (SPACE[0] + SPACE[1]) + ring % 2 * SPACE[0] + pattern::ALL[pattern].first as usize
}

const TABLES: usize = 2 * (SPACE[0] + SPACE[1]) + INDICES;

/// The boards that are found and not expanded yet, and all edges.
#[derive(Debug)]
pub(super) struct Expansion {
    /// By [`table`] and index: the number of the board; 0 if it has not been found.
    numbers: Vec<u16>,
    /// By slot of the ring: the words of nodes; 0 if there is none yet.
    nodes: Vec<u64>,
    /// By level and pattern: how many boards have been found.
    found: [[u16; PATTERNS]; LEVELS],
    columns: Box<Columns>,
    /// The children that are being entered, and those that are made meanwhile.
    children: Box<[Children; 2]>,
    /// The edges of the block that is being expanded, and how many there are.
    block: Box<[Edge; ROOM]>,
    count: usize,
    pub(super) edges: Vec<Edge>,
    pub(super) blocks: Vec<Block>,
    /// Whether some sequence of moves reaches the depth limit.
    pub(super) reaches_limit: bool,
}

/// Upper bound on the edges of a block: a board has at most 16 moves, and one of seven dice at most 11 captures on each of
/// its two empty cells, before or after a placement on the other.
const ROOM: usize = 32 * BOARDS;

/// Edges reserved at the start: as many as a large question needs. Memory that is not touched costs nothing.
const EDGES: usize = 1 << 20;

/// The ways with which a block's boards go on.
#[derive(Clone, Copy)]
struct Going {
    /// Ways with two moves to go or more, and ways with three or more, as nodes have them.
    ways: [[u64; BOARDS]; 2],
    /// Which boards have any of them.
    boards: [u64; 2],
    /// Whether there is a depth limit.
    limited: bool,
}

/// A batch that is being expanded.
#[derive(Clone, Copy)]
struct Expanded<'a> {
    batch: &'a Batch,
    moves_to_go: MovesToGo,
    nodes: &'a [Node],
    order: Option<&'a [u16]>,
}

/// The children that a change makes of boards, not entered yet.
#[derive(Clone, Copy)]
struct Made<'a> {
    change: &'a Change,
    /// Which boards have them.
    from: u64,
    ways: &'a [u64; BOARDS],
    /// Which of [`Expansion::children`] they are.
    side: usize,
}

impl Default for Expansion {
    fn default() -> Self {
        Self {
            numbers: Vec::new(),
            nodes: Vec::new(),
            found: [[0; PATTERNS]; LEVELS],
            columns: Box::default(),
            children: Box::default(),
            block: Box::new([Edge::default(); ROOM]),
            count: 0,
            edges: Vec::new(),
            blocks: Vec::new(),
            reaches_limit: false,
        }
    }
}

impl Expansion {
    pub(super) fn bytes(&self) -> usize {
        let Self { numbers, nodes, edges, blocks, .. } = self;
        2 * numbers.capacity()
            + 8 * nodes.capacity()
            + 4 * edges.capacity()
            + size_of::<Block>() * blocks.capacity()
            + size_of::<(Columns, [Children; 2])>()
    }

    pub(super) fn start(&mut self, limited: bool, roots: &[Root]) -> Result<(), OutOfMemory> {
        if self.numbers.is_empty() {
            // The system gives zeroed pages one by one as they are touched. A finished walk leaves both lists zero again.
            let (numbers, nodes) = (zeroed(TABLES)?, zeroed(RING_SLOTS + INDICES)?);
            reserve(&mut self.edges, EDGES)?;
            (self.numbers, self.nodes) = (numbers, nodes);
        }
        self.edges.clear();
        self.blocks.clear();
        self.reaches_limit = false;
        for root in roots {
            let known = &mut self.numbers[table(root.level, root.pattern) + usize::from(root.index)];
            if *known == 0 {
                let found = &mut self.found[root.level % LEVELS][root.pattern];
                *found += 1;
                *known = *found;
            }
            let way = 1 << if limited { 32 + root.extra } else { 32 };
            self.nodes[slot(root.level, root.pattern) + usize::from(*known)] |= way | u64::from(root.index);
        }
        Ok(())
    }

    /// How many boards of a pattern have been found at a level.
    pub(super) fn found(&self, level: usize, pattern: usize) -> usize {
        self.found[level % LEVELS][pattern].into()
    }

    /// Makes room for the boards of a batch.
    pub(super) fn reserve(
        &mut self,
        count: usize,
        nodes: &mut Vec<Node>,
        order: &mut Vec<u16>,
    ) -> Result<(), OutOfMemory> {
        reserve(nodes, count)?;
        reserve(order, count)?;
        reserve(&mut self.blocks, count.div_ceil(BOARDS))
    }

    /// Moves the boards of a pattern at a level to the list of all nodes, as a batch.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        level: usize,
        number: usize,
        scope: &Scope,
        nodes: &mut Vec<Node>,
        order: &mut Vec<u16>,
    ) -> Batch {
        let count = usize::from(std::mem::take(&mut self.found[level % LEVELS][number]));
        let (from, blocks) = (nodes.len(), self.blocks.len());
        let found = &mut self.nodes[slot(level, number) + 1..][..count];
        nodes.extend(found.iter().map(|word| Node(*word)));
        found.fill(0);
        if let Some(numbers) = self.numbers[table(level, number)..].first_chunk_mut::<INDICES>() {
            nodes[from..].iter().for_each(|node| numbers[usize::from(node.index())] = 0);
        }
        let mut batch =
            Batch { pattern: number, level, widths: count, boards: from..from + count, expanded: count, blocks };
        let moves_to_go = scope.moves_to_go(level);
        if moves_to_go.is_limited() {
            let one = moves_to_go.way(1);
            let ways = sort(&nodes[from..], one, order, &mut batch);
            let two = if usize::from(pattern::ALL[number].dice) == MOST_DICE { moves_to_go.way(2) } else { 0 };
            self.reaches_limit |= ways & (one | two) != 0 || batch.pips() == scope.barrier;
        }
        if batch.pips() == scope.barrier {
            batch.expanded = 0;
        }
        batch
    }

    /// Gives the boards of a batch their edges, and the children their ways.
    pub(super) fn expand<S: Simd>(
        &mut self,
        simd: S,
        batch: &Batch,
        moves_to_go: MovesToGo,
        nodes: &[Node],
        order: Option<&[u16]>,
    ) -> Result<(), OutOfMemory> {
        let batch = Expanded { batch, moves_to_go, nodes, order };
        let dice = pattern::ALL[batch.batch.pattern].dice;
        simd.vectorize(
            #[inline(always)]
            || by_dice!(dice, DICE => self.expand_dice::<S, DICE>(simd, batch)),
        )
    }

    #[inline(always)]
    fn expand_dice<S: Simd, const DICE: usize>(&mut self, simd: S, expanded: Expanded<'_>) -> Result<(), OutOfMemory> {
        let Expanded { batch, moves_to_go, nodes, order } = expanded;
        let mut going = Going { ways: [[1 << 32; BOARDS]; 2], boards: [0; 2], limited: order.is_some() };
        let not = |ways: u32| u64::from(!ways) << 32;
        let (not_one, not_two) = (not(moves_to_go.way(1)), not(moves_to_go.way(1) | moves_to_go.way(2)));
        for from in (0..batch.expanded).step_by(BOARDS) {
            let count = (batch.expanded - from).min(BOARDS);
            going.boards = [!0 >> (BOARDS - count); 2];
            if let Some(order) = order {
                going.boards[1] = 0;
                for (at, &number) in order[from..from + count].iter().enumerate() {
                    let node = nodes[usize::from(number)];
                    self.columns.indices[at] = node.index();
                    going.ways[0][at] = node.0 & not_one;
                    going.ways[1][at] = node.0 & not_two;
                    going.boards[1] |= u64::from(going.ways[1][at] != 0) << at;
                }
            } else {
                let indices = self.columns.indices.iter_mut().zip(&nodes[from..from + count]);
                indices.for_each(|(index, node)| *index = node.index());
            }
            self.columns.read::<DICE>(batch.pips(), count);
            self.expand_block::<S, DICE>(simd, batch, count, &going)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn expand_block<S: Simd, const DICE: usize>(
        &mut self,
        simd: S,
        batch: &Batch,
        count: usize,
        going: &Going,
    ) -> Result<(), OutOfMemory> {
        self.count = 0;
        let pattern = &pattern::ALL[batch.pattern];
        let mut block = Block { edges: self.edges.len() as u32, ..Block::default() };
        // By cell, one bit per board: nothing can be captured there.
        let mut calm = [0; 9];
        let mut captured = 0;
        let mut made = None;
        for change in pattern.moves() {
            let from = if change.taken().is_empty() {
                debug_assert!(change.cell < 9);
                calm[usize::from(change.cell) % 9] = going.boards[0] & !captured;
                captured = 0;
                if DICE == MOST_DICE { 0 } else { calm[usize::from(change.cell) % 9] }
            } else {
                let from = going.boards[0] & self.columns.at_most(simd, change.taken(), change.limit, count);
                captured |= from;
                from
            };
            self.make::<S, DICE>(simd, batch, count, going, (change, from), &mut made);
        }
        self.enter(batch, made.take());
        block.doubles = block.edges + self.count as u32;
        if DICE == MOST_DICE {
            block.fills = [calm[0] & going.boards[1], calm[1] & going.boards[1]];
            for change in pattern.doubles() {
                debug_assert!(change.cell < 2, "a board of seven dice has two empty cells");
                let first = 1 - usize::from(change.cell) % 2;
                let can = self.columns.at_most(simd, change.taken(), change.limit, count);
                let from = calm[first] & going.boards[1] & can;
                block.fills[first] &= !from;
                self.make::<S, DICE>(simd, batch, count, going, (change, from), &mut made);
            }
            self.enter(batch, made);
        }
        debug_assert!(self.count <= ROOM, "{:?}", pattern.occupied());
        block.end = block.edges + self.count as u32;
        reserve(&mut self.edges, self.count)?;
        self.edges.extend_from_slice(&self.block[..self.count.min(ROOM)]);
        self.blocks.push(block);
        Ok(())
    }

    /// Makes the children of the boards `from` and prefetches their numbers. Meanwhile, enters the children made before.
    #[inline(always)]
    fn make<'a, S: Simd, const DICE: usize>(
        &mut self,
        simd: S,
        batch: &Batch,
        count: usize,
        going: &'a Going,
        (change, from): (&'a Change, u64),
        made: &mut Option<Made<'a>>,
    ) {
        if from == 0 {
            return;
        }
        let side = made.map_or(0, |made| 1 - made.side);
        let children = &mut self.children[side % 2];
        self.columns.children::<S, DICE>(simd, change.images(), count, tag(batch, change, going.limited), children);
        let first = table(batch.level + usize::from(change.levels), usize::from(change.to));
        let mut rest = from;
        while rest != 0 {
            // A bit of a 64-bit word is below `BOARDS`.
            let index = children.indices[rest.trailing_zeros() as usize % BOARDS];
            prefetch(&self.numbers, first + usize::from(index));
            rest &= rest - 1;
        }
        let ways = &going.ways[usize::from(change.is_double())];
        let before = made.replace(Made { change, from, ways, side });
        self.enter(batch, before);
    }

    /// Makes edges of children, and gives the children their ways.
    ///
    /// Branch-free: "is it new?" is unpredictable, and a misprediction costs as much as the loop body.
    #[inline(always)]
    fn enter(&mut self, batch: &Batch, made: Option<Made<'_>>) {
        let Some(Made { change, mut from, ways, side }) = made else { return };
        let (level, pattern) = (batch.level + usize::from(change.levels), usize::from(change.to));
        let found = &mut self.found[level % LEVELS][pattern];
        let (Some(numbers), Some(nodes)) = (
            self.numbers[table(level, pattern)..].first_chunk_mut::<INDICES>(),
            self.nodes[slot(level, pattern)..].first_chunk_mut::<INDICES>(),
        ) else {
            debug_assert!(false, "both lists have room for a whole pattern behind any start");
            return;
        };
        let children = &self.children[side % 2];
        let mut next = *found + 1;
        // Without a depth limit there are no extra dice, and the only way stays the only way.
        let extra = children.tags[0] >> 24 & 3;
        debug_assert!(self.count < ROOM);
        let edges = &mut self.block[self.count % ROOM..];
        self.count += from.count_ones() as usize;
        for edge in edges.iter_mut().take(from.count_ones() as usize) {
            let board = from.trailing_zeros() as usize % BOARDS;
            from &= from - 1;
            let index = children.indices[board];
            let known = numbers[usize::from(index)];
            let number = select_unpredictable(known == 0, next, known);
            next += u16::from(known == 0);
            numbers[usize::from(index)] = number;
            nodes[usize::from(number)] |= ways[board] << extra | u64::from(index);
            *edge = Edge(children.tags[board] + u32::from(number));
        }
        *found = next - 1;
    }
}

/// The part of an edge that all edges of a change share.
#[inline(always)]
fn tag(batch: &Batch, change: &Change, limited: bool) -> u32 {
    let first = slot(batch.level + usize::from(change.levels), usize::from(change.to)) as u32;
    first + (u32::from(change.extra) << 24) * u32::from(limited)
}

/// Appends the order in which the boards of a batch are expanded: by width, so that the boards of a block need equally many
/// sums; boards that have no way but `last` come at the end. Sets the number of expanded boards and of sums, and returns the
/// union of all ways.
///
/// Four counters of each width take turns, so that an increment does not wait for the one before.
#[inline(always)]
fn sort(nodes: &[Node], last: u32, order: &mut Vec<u16>, batch: &mut Batch) -> u32 {
    // By width; boards at the end have key 33.
    let mut places = [[0u16; 34]; 4];
    let key = |node: Node| if node.ways() & !last == 0 { 33 } else { node.width() as usize };
    let (mut widths, mut all) = (0, 0);
    for nodes in nodes.chunks(4) {
        for (node, counts) in nodes.iter().zip(&mut places) {
            all |= node.0;
            widths += node.width();
            counts[key(*node)] += 1;
        }
    }
    let mut next = 0;
    for key in (1..=Node(all).width() as usize).chain([33]) {
        batch.expanded = if key == 33 { usize::from(next) } else { 0 };
        for places in &mut places {
            next += std::mem::replace(&mut places[key], next);
        }
    }
    let from = order.len();
    order.resize(from + nodes.len(), 0);
    let order = &mut order[from..];
    for (four, nodes) in nodes.chunks(4).enumerate() {
        for (at, (node, places)) in nodes.iter().zip(&mut places).enumerate() {
            let place = &mut places[key(*node)];
            order[usize::from(*place)] = (4 * four + at) as u16;
            *place += 1;
        }
    }
    batch.widths = widths as usize;
    Node(all).ways()
}
