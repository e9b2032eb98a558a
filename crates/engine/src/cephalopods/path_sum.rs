//! The path sum from scratch: finds and expands every board that can be reached once, then sums every board once. Nothing
//! but memory is kept between questions.
//!
//! Each board has eight sums for each number of moves to go, one per symmetry:
//!
//! ```text
//! sum(b, m)[g] = the values of all final boards of the image g of b with m moves to go, added up, mod 2^32
//! m = 1      the values of all children                                             (no child is made)
//! else       sum(child, m - 1) over all children, one permutation each
//! ```
//!
//! A board of seven dice goes on by double moves, over a board of eight dice that is never made. With two moves to go, the
//! ends of double moves are added up as with one; with more, a double move that fills the board adds its value.
//!
//! The graph is found forwards (`graph`) and summed backwards: reads are scattered, but writes are in order,
//! and nothing has to be cleared. If the depth limit is never reached, one sum per board is enough.
//!
//! Price: the 12 official tests take 11 ms warm on one thread (a plain layered search takes 99 ms), rank 3 at depth 40 takes
//! 29 ms (517 ms). At most 64 MB, which a test checks.

use super::graph::{self, Batch, Block, Edge, Graph, GraphSize, MovesToGo, RING_ROOM, Root, Scope};
use super::{MODULUS, by_dice, reserve, zeroed};
use crate::error::Error;
use cephalopods::kernel::columns::{BOARDS, Columns};
use cephalopods::kernel::{ORDER, Turn};
use cephalopods::pattern::{self, MOST_DICE, Pattern};
use cephalopods::tables::LONGEST_BY_DICE;
use cephalopods::{Board, Contest};
use grid::Game;
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::simd::{Isa, dispatch};
use search::Control;
use std::sync::{Mutex, PoisonError};

/// The engine: memory that one question after another uses.
///
/// ```
/// use ninefold_engine::{Control, cephalopods::{PathSum, Board}};
/// use grid::simd::Isa;
/// let board = Board::from_cells([0, 5, 1, 0, 0, 0, 4, 0, 1]).unwrap();
/// let sum = PathSum::new(Isa::detect()).sum(board, 20, &Control::new())?;
/// assert_eq!(sum, 738_691_369);
/// # Ok::<(), ninefold_engine::Error>(())
/// ```
#[derive(Debug)]
pub struct PathSum {
    isa: Isa,
    graph: Graph,
    sums: SumMemory,
}

/// Known sums of the boards of one rank, at which the walk stops.
pub(crate) trait Barrier: Sync {
    /// The eight sums of a canonical board that is not full.
    fn sums(&self, board: u32, moves: u32) -> [u32; 8];
}

/// No barrier.
struct NoBarrier;

impl Barrier for NoBarrier {
    fn sums(&self, _: u32, _: u32) -> [u32; 8] {
        [0; 8]
    }
}

impl PathSum {
    /// An engine for that instruction set, with no memory yet.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self { isa, graph: Graph::default(), sums: SumMemory::default() }
    }

    /// The sum of the values of all final boards after at most `depth` moves, modulo 2^30.
    ///
    /// A node of the control is a board. With two threads or more, a second one sums half of every large level.
    ///
    /// # Errors
    /// If the control stops the call or there is no memory.
    pub fn sum(&mut self, board: Board, depth: u32, control: &Control<'_>) -> Result<u32, Error> {
        self.sum_with_barrier(board, depth, usize::MAX, &NoBarrier, control)
    }

    pub(crate) fn sum_with_barrier(
        &mut self,
        board: Board,
        depth: u32,
        barrier_rank: usize,
        barrier: &impl Barrier,
        control: &Control<'_>,
    ) -> Result<u32, Error> {
        if depth == 0 || board.is_full() {
            return Ok(board.value() % MODULUS);
        }
        let longest = LONGEST_BY_DICE[board.rank() as usize][board.dice() as usize];
        let depth = Some(depth).filter(|depth| *depth < longest.into());
        let mut scope = Scope { level: graph::level(board), depth, barrier: barrier_rank };
        let roots: Vec<Root> = match Root::new(board, 0) {
            Some(root) => vec![root],
            None => {
                // Eight dice: the walk begins after the captures on the only empty cell.
                let children: Vec<Board> = Contest.moves(&board).map(|mv| Contest.play_unchecked(&board, mv)).collect();
                if depth == Some(1) || children.iter().all(|child| child.is_full()) {
                    return Ok(children.iter().fold(0, |sum: u32, child| sum.wrapping_add(child.value())) % MODULUS);
                }
                let extra = |child: &Board| (graph::level(*child) - scope.level - 1) as u32;
                children.iter().filter_map(|child| Root::new(*child, extra(child))).collect()
            }
        };
        let Self { graph, sums, .. } = self;
        dispatch!(self.isa.level(), simd => {
            if !graph.walk(simd, &scope, &roots, control)? {
                scope.depth = None;
            }
            Ok(sums.gather(simd, graph, &scope, &roots, barrier, control)? % MODULUS)
        })
    }

    /// The size of the graph of the last question.
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
struct EightSums([u32; 8]);

impl EightSums {
    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, sums: u32x8<S>) {
        self.0 = (u32x8::simd_from(simd, self.0) + sums).into();
    }
}

/// The sums of the boards of five levels.
#[derive(Debug, Default)]
struct SumMemory {
    /// By slot of the ring: where the sums of a board begin, less its least extra dice.
    starts: Vec<u32>,
    /// Level after level, five in turn.
    values: Vec<EightSums>,
    works: [Box<Work>; 2],
}

/// Levels whose sums are in use: a move rises by at most four.
const LEVELS: usize = pattern::MOST_LEVELS + 1;
/// Padding around a level: vector reads may run this far past it; the values are ignored.
const MARGIN: usize = 32;
/// Levels with more sums than this use a second thread: below it, starting the thread costs more than it saves.
const LARGE: usize = 40_000;

impl SumMemory {
    fn bytes(&self) -> usize {
        self.starts.capacity() * 4 + self.values.capacity() * 32 + 2 * size_of::<Work>()
    }

    /// Sums all levels from the last to the first and returns the sum of the roots.
    #[inline(always)]
    fn gather<S: Simd>(
        &mut self,
        simd: S,
        graph: &Graph,
        scope: &Scope,
        roots: &[Root],
        barrier: &impl Barrier,
        control: &Control<'_>,
    ) -> Result<u32, Error> {
        let levels = graph.batches().chunk_by(|a, b| a.level == b.level);
        let widths = |level: &[Batch]| level.iter().map(|batch| batch.widths).sum::<usize>();
        let mut most = [0; LEVELS];
        for level in levels.clone() {
            let most = &mut most[level[0].level % LEVELS];
            *most = widths(level).max(*most);
        }
        let mut firsts = [MARGIN; LEVELS];
        for at in 1..LEVELS {
            firsts[at] = firsts[at - 1] + most[at - 1] + 2 * MARGIN;
        }
        let Self { starts, values, works } = self;
        if starts.is_empty() {
            // The system gives zeroed pages one by one as they are touched.
            *starts = zeroed(RING_ROOM)?;
        }
        let needed = firsts[LEVELS - 1] + most[LEVELS - 1] + MARGIN;
        if values.len() < needed {
            reserve(values, needed - values.len())?;
            values.resize(needed, EightSums::default());
        }
        let mut sum = 0u32;
        let Some(starts) = starts.first_chunk_mut::<RING_ROOM>() else { return Ok(0) };
        let [work, other] = works.each_mut();
        // A few levels take less than a millisecond: there is no need to look at the control for each small one.
        let mut unchecked = 0;
        for level in levels.rev() {
            unchecked += widths(level);
            if unchecked > UNCHECKED {
                control.check()?;
                unchecked = 0;
            }
            let number = level[0].level;
            let (moves_to_go, first) = (scope.moves_to_go(number), firsts[number % LEVELS]);
            let task = Task { simd, graph, moves_to_go, scope, barrier };
            if cfg!(feature = "threads") && control.thread_count() > 1 && widths(level) > LARGE {
                assign_starts(graph, level, starts, first);
                let (left, right) = halves(level);
                let (before, rest) = values.split_at_mut(first);
                let (own, after) = rest.split_at_mut(widths(level));
                let known = Known { before, after, end: first + own.len() };
                let (mine, others) = own.split_at_mut(widths(left));
                let middle = first + mine.len();
                let part = |own, first| Part { starts, known, own, first };
                let (mut mine, others) = (part(mine, first), part(others, middle));
                // Whoever comes first takes it: this thread does, if no other could be started.
                let rest = Mutex::new(Some((others, &mut *other)));
                let take = || rest.lock().unwrap_or_else(PoisonError::into_inner).take();
                let sum_rest = || {
                    if let Some((mut others, scratch)) = take() {
                        task.sum(right, middle, &mut others, scratch);
                    }
                };
                std::thread::scope(|scope| {
                    let _ = std::thread::Builder::new().spawn_scoped(scope, sum_rest);
                    task.sum(left, first, &mut mine, work);
                    sum_rest();
                });
            } else {
                task.sum(level, first, &mut Whole { starts, values }, work);
            }
            for root in roots.iter().filter(|root| root.level == number) {
                let extra = scope.depth.map_or(0, |_| root.extra);
                let start = starts[graph.slot(root) % RING_ROOM];
                let lane = ORDER.0[root.sym.index()][0] as usize;
                sum = sum.wrapping_add(values[start.wrapping_add(extra) as usize].0[lane]);
            }
        }
        Ok(sum)
    }
}

/// Sums between two looks at the control: about a millisecond.
const UNCHECKED: usize = 16_384;

/// Sets where the sums of a level's boards go, beginning at `first`.
fn assign_starts(graph: &Graph, level: &[Batch], starts: &mut [u32], first: usize) {
    let mut next = first as u32;
    for batch in level {
        for (number, node) in graph.in_order(batch, 0..batch.boards.len()) {
            starts[batch.slot() + 1 + number] = next.wrapping_sub(node.ways().trailing_zeros());
            next += node.width();
        }
    }
}

/// Two parts of a level with about equally many sums.
fn halves(level: &[Batch]) -> (&[Batch], &[Batch]) {
    let all = level.iter().map(|batch| batch.widths).sum::<usize>();
    let mut left = 0;
    let middle = level.iter().position(|batch| {
        left += batch.widths;
        2 * left > all
    });
    level.split_at(middle.unwrap_or(0) + 1)
}

/// Where one thread reads and writes sums.
trait Storage {
    /// By slot of the ring, as [`SumMemory::starts`].
    fn starts(&self) -> &[u32; RING_ROOM];
    /// The sums of the levels above.
    fn known(&self) -> Known<'_>;
    /// Sets where the sums of a board begin.
    fn set_start(&mut self, slot: usize, start: u32);
    /// The sums from `start` on, to be written.
    fn into(&mut self, start: usize) -> &mut [EightSums];
}

/// Sums that are read: what is before and what is after the part that is being written.
#[derive(Clone, Copy)]
struct Known<'a> {
    before: &'a [EightSums],
    after: &'a [EightSums],
    /// Where `after` begins.
    end: usize,
}

impl<'a> Known<'a> {
    /// The sums from `start` on.
    #[inline(always)]
    fn from(self, start: usize) -> &'a [EightSums] {
        if start < self.before.len() { &self.before[start..] } else { &self.after[start - self.end..] }
    }
}

/// All sums, for one thread alone.
struct Whole<'a> {
    starts: &'a mut [u32; RING_ROOM],
    values: &'a mut [EightSums],
}

impl Storage for Whole<'_> {
    #[inline(always)]
    fn starts(&self) -> &[u32; RING_ROOM] {
        self.starts
    }

    #[inline(always)]
    fn known(&self) -> Known<'_> {
        Known { before: self.values, after: &[], end: self.values.len() }
    }

    #[inline(always)]
    fn set_start(&mut self, slot: usize, start: u32) {
        debug_assert!(slot < RING_ROOM);
        self.starts[slot % RING_ROOM] = start;
    }

    #[inline(always)]
    fn into(&mut self, start: usize) -> &mut [EightSums] {
        &mut self.values[start..]
    }
}

/// The part of a level that one of two threads sums. The starts were set before.
struct Part<'a> {
    starts: &'a [u32; RING_ROOM],
    known: Known<'a>,
    own: &'a mut [EightSums],
    /// Where `own` begins.
    first: usize,
}

impl Storage for Part<'_> {
    #[inline(always)]
    fn starts(&self) -> &[u32; RING_ROOM] {
        self.starts
    }

    #[inline(always)]
    fn known(&self) -> Known<'_> {
        self.known
    }

    #[inline(always)]
    fn set_start(&mut self, _: usize, _: u32) {}

    #[inline(always)]
    fn into(&mut self, start: usize) -> &mut [EightSums] {
        &mut self.own[start - self.first..]
    }
}

/// A level to be summed.
struct Task<'a, S, B> {
    simd: S,
    graph: &'a Graph,
    moves_to_go: MovesToGo,
    scope: &'a Scope,
    barrier: &'a B,
}

/// What one thread needs while it sums.
#[derive(Debug)]
#[repr(C, align(64))]
struct Work {
    columns: Columns,
    /// By board of a block: its least extra dice, its number of sums, and where they begin.
    least: [u32; BOARDS],
    widths: [u32; BOARDS],
    begins: [u32; BOARDS],
    /// By board of a block: its sum with two moves to go without double moves.
    singles: [EightSums; BOARDS],
    /// By board of a block, then by extra dice, as many as the widest board has.
    totals: [EightSums; BOARDS * MARGIN],
}

impl Default for Work {
    fn default() -> Self {
        Self {
            columns: Columns::default(),
            least: [0; BOARDS],
            widths: [0; BOARDS],
            begins: [0; BOARDS],
            singles: [EightSums::default(); BOARDS],
            totals: [EightSums::default(); BOARDS * MARGIN],
        }
    }
}

/// A function that adds the sums of all children of a block's boards.
type AddChildren<S, P> = fn(S, [&[Edge]; 2], &BlockFacts, &mut P, &mut Work);

/// What it needs to know about the block.
struct BlockFacts {
    /// The number of boards.
    count: usize,
    /// One bit per board of seven dice that has a way with two moves to go, and the extra dice of that way.
    twos: u64,
    two: u32,
}

impl<S: Simd, B: Barrier> Task<'_, S, B> {
    /// Sums the boards of batches; their sums go to `next` and on.
    fn sum<P: Storage>(&self, batches: &[Batch], mut next: usize, storage: &mut P, work: &mut Work) {
        for batch in batches {
            if batch.pips() == self.scope.barrier {
                self.copy_barrier(batch, next, storage);
            } else {
                self.simd.vectorize(
                    #[inline(always)]
                    || self.sum_batch(batch, next, storage, work),
                );
            }
            next += batch.widths;
        }
    }

    /// The sums of a barrier's boards are known.
    fn copy_barrier(&self, batch: &Batch, mut next: usize, storage: &mut impl Storage) {
        for (number, node) in self.graph.in_order(batch, 0..batch.boards.len()) {
            let board = pattern::ALL[batch.pattern].board(node.index(), batch.pips() as u32);
            debug_assert!(board.is_some(), "an index of the pattern");
            let board = board.unwrap_or_default();
            let (canonical, sym) = board.canonical();
            let least = node.ways().trailing_zeros();
            storage.set_start(batch.slot() + 1 + number, (next as u32).wrapping_sub(least));
            for (extra, into) in (least..).zip(&mut storage.into(next)[..node.width() as usize]) {
                let sums = self.barrier.sums(canonical.bits(), self.moves_to_go.moves(extra));
                into.0 = ORDER.0[sym.index()].map(|lane| sums[lane as usize]);
            }
            next += node.width() as usize;
        }
    }

    #[inline(always)]
    fn sum_batch<P: Storage>(&self, batch: &Batch, mut next: usize, storage: &mut P, work: &mut Work) {
        let pattern = &pattern::ALL[batch.pattern];
        let first = batch.slot() + 1;
        let two = if usize::from(pattern.dice) == MOST_DICE { self.moves_to_go.way(2) } else { 0 };
        let mut any_twos = false;
        for (block, from) in self.graph.blocks(batch).iter().zip((0..).step_by(BOARDS)) {
            let count = (batch.expanded - from).min(BOARDS);
            let (mut widest, mut twos) = (1, 0);
            for (at, (number, node)) in self.graph.in_order(batch, from..from + count).enumerate() {
                let (least, width) = (node.ways().trailing_zeros(), node.width());
                storage.set_start(first + number, (next as u32).wrapping_sub(least));
                let at = at % BOARDS;
                work.least[at] = least;
                work.widths[at] = width;
                work.begins[at] = next as u32;
                work.columns.indices[at] = node.index();
                next += width as usize;
                widest = widest.max(width);
                twos |= u64::from(node.ways() & two != 0) << at;
            }
            any_twos |= twos != 0;
            let facts = BlockFacts { count, twos, two: self.moves_to_go.extra(2).unwrap_or(0) };
            add_children(widest)(self.simd, self.graph.edges(block), &facts, storage, work);
            if block.fills != [0; 2] {
                self.fill(pattern, batch, block, storage, work);
            }
        }
        // Boards that are not expanded have one way, with one move to go.
        for (number, node) in self.graph.in_order(batch, batch.expanded..batch.boards.len()) {
            storage.set_start(first + number, (next as u32).wrapping_sub(node.ways().trailing_zeros()));
            next += 1;
        }
        if self.moves_to_go.way(1) != 0 {
            self.end(pattern, batch, storage, work, 1);
        }
        if any_twos {
            self.end(pattern, batch, storage, work, 2);
        }
    }

    /// Adds the values of the full boards that double moves lead to, where three moves or more are to go.
    #[inline(always)]
    fn fill(&self, pattern: &Pattern, batch: &Batch, block: &Block, storage: &mut impl Storage, work: &mut Work) {
        let [first, second] = block.fills;
        work.columns.read::<7>(batch.pips(), BOARDS);
        let least = self.moves_to_go.extra(3).unwrap_or(0);
        for at in bits(first | second) {
            let times = u32::from(first & second & 1 << at != 0) + 1;
            let value = work.columns.filled(self.simd, pattern, at) * u32x8::splat(self.simd, times);
            let skipped = least.saturating_sub(work.least[at]);
            let sums = &mut storage.into(work.begins[at] as usize)[skipped as usize..work.widths[at] as usize];
            sums.iter_mut().for_each(|sum| sum.add(self.simd, value));
        }
    }

    /// The sums with one move to go, or what double moves add with two moves to go.
    #[inline(always)]
    fn end(&self, pattern: &Pattern, batch: &Batch, storage: &mut impl Storage, work: &mut Work, moves: i32) {
        let (way, extra) = (self.moves_to_go.way(moves), self.moves_to_go.extra(moves).unwrap_or(0));
        let mut boards = self.graph.nodes(batch).iter().zip(batch.slot() + 1..);
        let mut count = 0;
        loop {
            let next = boards.next();
            if let Some((node, at)) = next {
                work.columns.indices[count % BOARDS] = node.index();
                work.begins[count % BOARDS] = storage.starts()[at % RING_ROOM].wrapping_add(extra);
                count += usize::from(node.ways() & way != 0);
            }
            if count == BOARDS || next.is_none() {
                self.add_up(pattern, batch.pips(), &mut work.columns, count, moves);
                for (at, &start) in work.begins[..count].iter().enumerate() {
                    let total = work.columns.total(self.simd, at);
                    let sums = &mut storage.into(start as usize)[0];
                    if moves == 1 { sums.0 = total.into() } else { sums.add(self.simd, total) }
                }
                count = 0;
            }
            if next.is_none() {
                return;
            }
        }
    }

    #[inline(always)]
    fn add_up(&self, pattern: &Pattern, pips: usize, columns: &mut Columns, count: usize, moves: i32) {
        if moves == 2 {
            columns.read::<7>(pips, count);
            return columns.add_up_doubles(self.simd, pattern, count);
        }
        by_dice!(pattern.dice, DICE => add_up::<S, DICE>(self.simd, pattern, pips, columns, count));
    }
}

#[inline(always)]
fn add_up<S: Simd, const DICE: usize>(simd: S, pattern: &Pattern, pips: usize, columns: &mut Columns, count: usize) {
    columns.read::<DICE>(pips, count);
    columns.add_up_children::<S, DICE>(simd, pattern, count);
}

/// The numbers of the bits that are set.
#[inline(always)]
fn bits(set: u64) -> impl Iterator<Item = usize> {
    let rest = std::iter::successors(Some(set), |set| Some(set & set.wrapping_sub(1)));
    rest.take_while(|set| *set != 0).map(|set| set.trailing_zeros() as usize % BOARDS)
}

fn add_children<S: Simd, P: Storage>(widest: u32) -> AddChildren<S, P> {
    match widest {
        ..2 => add_children_wide::<S, P, 1>,
        2 => add_children_wide::<S, P, 2>,
        3 => add_children_wide::<S, P, 3>,
        4 => add_children_wide::<S, P, 4>,
        5 => add_children_wide::<S, P, 5>,
        6 => add_children_wide::<S, P, 6>,
        7 => add_children_wide::<S, P, 7>,
        8 => add_children_wide::<S, P, 8>,
        9 => add_children_wide::<S, P, 9>,
        10 => add_children_wide::<S, P, 10>,
        11..13 => add_children_wide::<S, P, 12>,
        _ => add_children_wide::<S, P, MARGIN>,
    }
}

/// Adds the sums of all children of a block's boards, `W` for each board: no board of the block has more.
fn add_children_wide<S: Simd, P: Storage, const W: usize>(
    simd: S,
    [singles, doubles]: [&[Edge]; 2],
    facts: &BlockFacts,
    storage: &mut P,
    work: &mut Work,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let BlockFacts { count, twos, two } = *facts;
            let Work { least, begins, singles: kept, totals, .. } = work;
            let Some(totals) = totals.as_chunks_mut::<W>().0.first_chunk_mut::<BOARDS>() else {
                debug_assert!(false, "no width is above `MARGIN`");
                return;
            };
            totals[..count].fill([EightSums::default(); W]);
            let (starts, known) = (storage.starts(), storage.known());
            let with_two = |least: u32| {
                debug_assert!(two >= least && ((two - least) as usize) < W);
                (two - least) as usize % W
            };
            for (edges, are_double) in [(singles, false), (doubles, true)] {
                if are_double {
                    // With two moves to go, double moves end: `Task::end` adds them, so the sum is kept from here.
                    bits(twos).for_each(|at| kept[at] = totals[at][with_two(least[at])]);
                }
                for &edge in edges {
                    let parent = edge.parent() % BOARDS;
                    let start = starts[edge.child()].wrapping_add(least[parent] + edge.extra());
                    let turn = Turn::from_canonical(simd, edge.sym());
                    for (total, from) in totals[parent].iter_mut().zip(&known.from(start as usize)[..W]) {
                        total.add(simd, turn.of(simd, &from.0));
                    }
                }
            }
            bits(twos).for_each(|at| totals[at][with_two(least[at])] = kept[at]);
            for (totals, &start) in totals[..count].iter().zip(&*begins) {
                // What is written past a board's own sums is overwritten by the next board.
                let rest = storage.into(start as usize);
                match rest.first_chunk_mut::<W>() {
                    Some(now) => *now = *totals,
                    None => rest.copy_from_slice(&totals[..rest.len()]),
                }
            }
        },
    );
}
