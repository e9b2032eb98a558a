//! The boards that a walk over the graph has found and not expanded yet, and how they are found.
//!
//! ```text
//! for each move of a pattern, for 64 of its boards:
//!     which of them have it                      one bit each
//!     the indices of the children                16 at a time; the numbers of those are asked for
//!     number = NUMBERS[index], or the next       the children of the move before, meanwhile
//!     the ways of the board |= those of the child's parent
//! ```
//!
//! The numbers of a pattern's boards follow each other as the boards are found. Entering a
//! child costs about 27 instructions, making it and asking for its number about 17 (`valgrind --tool=callgrind`, official
//! test 11), and most of the time is waiting for numbers.

use super::graph::{Batch, Block, Clock, Edge, LEVELS, Node, PLACES, Question, Root, place};
use cephalopods::kernel::columns::{BOARDS, Children, Columns};
use cephalopods::pattern::{self, Change, INDICES, MOST_DICE, PATTERNS, SPACE};
use grid::simd::fearless_simd::Simd;
use grid::simd::prefetch;
use std::hint::select_unpredictable;

/// Where the numbers of a pattern's boards are, by index, at a level. Here levels four apart share their place: five dice,
/// to which alone a move rises by four, are taken before seven dice of the same level are expanded.
#[inline(always)]
fn table(level: usize, pattern: usize) -> usize {
    let ring = level % 4;
    ring / 2 * (SPACE[0] + SPACE[1]) + ring % 2 * SPACE[0] + pattern::ALL[pattern].first as usize
}

const TABLES: usize = 2 * (SPACE[0] + SPACE[1]) + INDICES;

/// Boards that are found and not expanded yet, and edges.
#[derive(Debug)]
pub(super) struct Finder {
    /// By [`table`] and index: the number of the board, 0 if it has not been found.
    numbers: Vec<u16>,
    /// By place: the words of nodes; 0 if there is none yet.
    nodes: Vec<u64>,
    /// By level and pattern: how many have been found.
    found: [[u16; PATTERNS]; LEVELS],
    columns: Box<Columns>,
    /// Those that are entered, and those that are made meanwhile.
    children: Box<[Children; 2]>,
    /// Those of the block that is being expanded, and how many.
    block: Box<[Edge; ROOM]>,
    count: usize,
    pub(super) edges: Vec<Edge>,
    pub(super) blocks: Vec<Block>,
    /// Whether some sequence ends because there are no moves to go.
    pub(super) runs_out: bool,
}

/// No block has more edges: a board has at most 16 moves, and one of seven dice at most 11 captures on each of its two empty
/// cells, as they are or after a placement on the other.
const ROOM: usize = 32 * BOARDS;

/// Room for so many edges is made at first, as large questions need it. What is not used costs nothing.
const EDGES: usize = 1 << 20;

/// The ways of a block's boards.
#[derive(Clone, Copy)]
struct Going {
    /// Those with two moves to go or more, and those with three or more, as nodes have them.
    ways: [[u64; BOARDS]; 2],
    /// Which boards have any.
    boards: [u64; 2],
    /// Whether the moves may run out.
    limited: bool,
}

/// The children that a change makes of boards, not entered yet.
#[derive(Clone, Copy)]
struct Made<'a> {
    change: &'a Change,
    /// Which boards have them.
    from: u64,
    ways: &'a [u64; BOARDS],
    /// Which of [`Finder::children`] they are.
    side: usize,
}

impl Default for Finder {
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
            runs_out: false,
        }
    }
}

impl Finder {
    pub(super) fn bytes(&self) -> usize {
        let Self { numbers, nodes, edges, blocks, .. } = self;
        2 * numbers.capacity()
            + 8 * nodes.capacity()
            + 4 * edges.capacity()
            + size_of::<Block>() * blocks.capacity()
            + size_of::<(Columns, [Children; 2])>()
    }

    pub(super) fn start(&mut self, limited: bool, roots: &[Root]) {
        if self.numbers.is_empty() {
            // Given zeroed by the system, page by page as they are used. After a walk they are zero again.
            self.numbers = vec![0; TABLES];
            self.nodes = vec![0; PLACES + INDICES];
            self.edges.reserve(EDGES);
        }
        self.edges.clear();
        self.blocks.clear();
        self.runs_out = false;
        for root in roots {
            let known = &mut self.numbers[table(root.level, root.pattern) + usize::from(root.index)];
            if *known == 0 {
                let found = &mut self.found[root.level % LEVELS][root.pattern];
                *found += 1;
                *known = *found;
            }
            let way = 1 << if limited { 32 + root.extra } else { 32 };
            self.nodes[place(root.level, root.pattern) + usize::from(*known)] |= way | u64::from(root.index);
        }
    }

    /// Whether boards of a pattern have been found at a level.
    pub(super) fn has(&self, level: usize, number: usize) -> bool {
        self.found[level % LEVELS][number] > 0
    }

    /// Moves the boards of a pattern at a level to the list of all, as a batch.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        level: usize,
        number: usize,
        question: &Question,
        nodes: &mut Vec<Node>,
        order: &mut Vec<u16>,
    ) -> Batch {
        let count = usize::from(std::mem::take(&mut self.found[level % LEVELS][number]));
        let (from, blocks) = (nodes.len(), self.blocks.len());
        let found = &mut self.nodes[place(level, number) + 1..][..count];
        nodes.extend(found.iter().map(|word| Node(*word)));
        found.fill(0);
        if let Some(numbers) = self.numbers[table(level, number)..].first_chunk_mut::<INDICES>() {
            nodes[from..].iter().for_each(|node| numbers[usize::from(node.index())] = 0);
        }
        let mut batch =
            Batch { pattern: number, level, slots: count, boards: from..from + count, expanded: count, blocks };
        let clock = question.clock(level);
        if clock.is_limited() {
            let ways = sort(&nodes[from..], clock.way(1), order, &mut batch);
            let last =
                clock.way(1) | if usize::from(pattern::ALL[number].dice) == MOST_DICE { clock.way(2) } else { 0 };
            self.runs_out |= ways & last != 0 || batch.pips() == question.barrier;
        }
        if batch.pips() == question.barrier {
            batch.expanded = 0;
        }
        batch
    }

    /// Gives the boards of a batch their edges, and the boards at the end of these their ways.
    pub(super) fn expand<S: Simd>(
        &mut self,
        simd: S,
        batch: &Batch,
        clock: Clock,
        nodes: &[Node],
        order: Option<&[u16]>,
    ) {
        let dice = pattern::ALL[batch.pattern].dice;
        simd.vectorize(
            #[inline(always)]
            || match dice {
                0 => self.expand_dice::<S, 0>(simd, batch, clock, nodes, order),
                1 => self.expand_dice::<S, 1>(simd, batch, clock, nodes, order),
                2 => self.expand_dice::<S, 2>(simd, batch, clock, nodes, order),
                3 => self.expand_dice::<S, 3>(simd, batch, clock, nodes, order),
                4 => self.expand_dice::<S, 4>(simd, batch, clock, nodes, order),
                5 => self.expand_dice::<S, 5>(simd, batch, clock, nodes, order),
                6 => self.expand_dice::<S, 6>(simd, batch, clock, nodes, order),
                _ => self.expand_dice::<S, 7>(simd, batch, clock, nodes, order),
            },
        );
    }

    #[inline(always)]
    fn expand_dice<S: Simd, const DICE: usize>(
        &mut self,
        simd: S,
        batch: &Batch,
        clock: Clock,
        nodes: &[Node],
        order: Option<&[u16]>,
    ) {
        let mut going = Going { ways: [[1 << 32; BOARDS]; 2], boards: [0; 2], limited: order.is_some() };
        let not = |ways: u32| u64::from(!ways) << 32;
        let (not_one, not_two) = (not(clock.way(1)), not(clock.way(1) | clock.way(2)));
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
            self.expand_block::<S, DICE>(simd, batch, count, &going);
        }
    }

    #[inline(always)]
    fn expand_block<S: Simd, const DICE: usize>(&mut self, simd: S, batch: &Batch, count: usize, going: &Going) {
        self.count = 0;
        let pattern = &pattern::ALL[batch.pattern];
        let mut block = Block { edges: self.edges.len() as u32, ..Block::default() };
        // On which boards nothing can be captured, by cell.
        let mut calm = [0; 9];
        let mut captured = 0;
        let mut made = None;
        for change in pattern.moves() {
            let from = if change.taken().is_empty() {
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
        self.edges.extend_from_slice(&self.block[..self.count.min(ROOM)]);
        self.blocks.push(block);
    }

    /// Makes the children of the boards `from` and asks for their numbers; meanwhile those made before are entered.
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
            let index = children.indices[rest.trailing_zeros() as usize % BOARDS];
            prefetch(&self.numbers, first + usize::from(index));
            rest &= rest - 1;
        }
        let ways = &going.ways[usize::from(change.is_double())];
        let before = made.replace(Made { change, from, ways, side });
        self.enter(batch, before);
    }

    /// Makes edges of children, and gives these their ways.
    ///
    /// Whether a child is new is not asked: the answer is as good as random, and a wrong guess of the processor costs as
    /// much as all the rest.
    #[inline(always)]
    fn enter(&mut self, batch: &Batch, made: Option<Made<'_>>) {
        let Some(Made { change, mut from, ways, side }) = made else { return };
        let (level, pattern) = (batch.level + usize::from(change.levels), usize::from(change.to));
        let found = &mut self.found[level % LEVELS][pattern];
        let (Some(numbers), Some(nodes)) = (
            self.numbers[table(level, pattern)..].first_chunk_mut::<INDICES>(),
            self.nodes[place(level, pattern)..].first_chunk_mut::<INDICES>(),
        ) else {
            return;
        };
        let children = &self.children[side % 2];
        let mut next = *found + 1;
        // Without a limit, the one way stays the one way.
        let extra = children.tags[0] >> 24 & 3;
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

/// What the edges of a change have in common.
#[inline(always)]
fn tag(batch: &Batch, change: &Change, limited: bool) -> u32 {
    let first = place(batch.level + usize::from(change.levels), usize::from(change.to)) as u32;
    first + (u32::from(change.extra) << 24) * u32::from(limited)
}

/// Appends the order in which the boards of a batch are expanded: by width, so that those of a block have as many values
/// each; those with no way but the `last` come at the end. Notes how many are expanded and how many values there are; gives
/// all ways.
///
/// Four counts of each width take turns, so that none waits for itself.
#[inline(always)]
fn sort(nodes: &[Node], last: u32, order: &mut Vec<u16>, batch: &mut Batch) -> u32 {
    // By width; those at the end have 33.
    let mut places = [[0u16; 34]; 4];
    let key = |node: Node| if node.ways() & !last == 0 { 33 } else { node.width() as usize };
    let (mut slots, mut all) = (0, 0);
    for nodes in nodes.chunks(4) {
        for (node, counts) in nodes.iter().zip(&mut places) {
            all |= node.0;
            slots += node.width();
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
    batch.slots = slots as usize;
    Node(all).ways()
}
