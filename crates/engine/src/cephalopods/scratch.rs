//! The `scratch` engine: every board within reach is found and expanded once, then summed once. Nothing is kept between
//! questions but the memory.
//!
//! For each board and each number of moves to go there are eight sums, one for each image of the board:
//!
//! ```text
//! sum(b, m)[g] = the values of all final boards of the image g of b with m moves to go, added up, mod 2^32
//! m = 1      the values of all children                                             (no child is made)
//! else       sum(child, m - 1) over all children, one permutation each
//! ```
//!
//! A board of seven dice goes on by double moves, over a board of eight dice that is never made: with two moves to go their
//! ends are added up as with one, and with more, a double move that fills the board adds its value.
//!
//! The graph is found forwards, and summed backwards: what is read is scattered, but what is written lies in order, and
//! nothing need be cleared. If the moves never run out, all numbers of moves to go are one.

use super::graph::{self, Batch, Block, Clock, Edge, Graph, GraphSize, Question, ROOM_OF_PLACES, Root};
use cephalopods::kernel::columns::{BOARDS, Columns};
use cephalopods::kernel::{ORDER, Turn};
use cephalopods::pattern::{self, MOST_DICE, Pattern};
use cephalopods::tables::LONGEST_BY_DICE;
use cephalopods::{Board, Contest};
use grid::Game;
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::simd::{Isa, dispatch};

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

/// What is asked for is known modulo this.
const MODULUS: u32 = 1 << 30;

impl Scratch {
    /// An engine for that instruction set, with no memory yet.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self::with_threads(isa, 1)
    }

    /// The same; with two threads or more, a second one sums half of every large level.
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
            return board.value() % MODULUS;
        }
        let longest = LONGEST_BY_DICE[board.rank() as usize][board.dice() as usize];
        let depth = Some(depth).filter(|depth| *depth < longest.into());
        let mut question = Question { level: graph::level(board), depth, barrier: barrier_rank };
        let roots: Vec<Root> = match Root::new(board, 0) {
            Some(root) => vec![root],
            None => {
                // Eight dice: the walk begins with the captures on the one empty cell.
                let children: Vec<Board> = Contest.moves(&board).map(|mv| Contest.play_unchecked(&board, mv)).collect();
                if depth == Some(1) || children.iter().all(|child| child.is_full()) {
                    return children.iter().fold(0, |sum: u32, child| sum.wrapping_add(child.value())) % MODULUS;
                }
                let extra = |child: &Board| (graph::level(*child) - question.level - 1) as u32;
                children.iter().filter_map(|child| Root::new(*child, extra(child))).collect()
            }
        };
        let Self { graph, sums, .. } = self;
        dispatch!(self.isa.level(), simd => {
            if !graph.walk(simd, &question, &roots) {
                question.depth = None;
            }
            sums.gather(simd, graph, &question, &roots, self.threads, barrier) % MODULUS
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
    fn add<S: Simd>(&mut self, simd: S, sums: u32x8<S>) {
        self.0 = (u32x8::simd_from(simd, self.0) + sums).into();
    }
}

/// The sums of the boards of five levels.
#[derive(Debug, Default)]
struct Sums {
    /// By place in the ring: where the sums of a board are, less its least extra dice.
    starts: Vec<u32>,
    /// Level after level, five in turn.
    values: Vec<Lanes>,
    works: [Box<Work>; 2],
}

/// The sums of so many levels are in use: a move rises by four at most.
const LEVELS: usize = pattern::MOST_LEVELS + 1;
/// Before and behind the sums of a level so many are read that mean nothing.
const MARGIN: usize = 32;
/// Summing a level with more sums than this takes much longer than starting a thread.
const LARGE: usize = 40_000;

impl Sums {
    fn bytes(&self) -> usize {
        self.starts.capacity() * 4 + self.values.capacity() * 32 + 2 * size_of::<Work>()
    }

    /// Sums all levels, from the last to the first; gives the sum of the roots.
    #[inline(always)]
    fn gather<S: Simd>(
        &mut self,
        simd: S,
        graph: &Graph,
        question: &Question,
        roots: &[Root],
        threads: usize,
        barrier: &impl Barrier,
    ) -> u32 {
        let levels = graph.batches().chunk_by(|a, b| a.level == b.level);
        let slots = |level: &[Batch]| level.iter().map(|batch| batch.slots).sum::<usize>();
        let mut most = [0; LEVELS];
        for level in levels.clone() {
            let most = &mut most[level[0].level % LEVELS];
            *most = slots(level).max(*most);
        }
        let mut firsts = [MARGIN; LEVELS];
        for at in 1..LEVELS {
            firsts[at] = firsts[at - 1] + most[at - 1] + 2 * MARGIN;
        }
        let Self { starts, values, works } = self;
        if starts.is_empty() {
            // Given zeroed by the system, page by page as they are used.
            *starts = vec![0; ROOM_OF_PLACES];
        }
        let needed = firsts[LEVELS - 1] + most[LEVELS - 1] + MARGIN;
        values.resize(values.len().max(needed), Lanes::default());
        let mut sum = 0u32;
        let Some(starts) = starts.first_chunk_mut::<ROOM_OF_PLACES>() else { return 0 };
        let [work, other] = works.each_mut();
        for level in levels.rev() {
            let number = level[0].level;
            let (clock, first) = (question.clock(number), firsts[number % LEVELS]);
            let task = Task { simd, graph, clock, question, barrier };
            if threads > 1 && slots(level) > LARGE {
                lay_out(graph, level, starts, first);
                let (left, right) = halves(level);
                let (before, rest) = values.split_at_mut(first);
                let (own, after) = rest.split_at_mut(slots(level));
                let known = Known { before, after, end: first + own.len() };
                let (mine, others) = own.split_at_mut(slots(left));
                let middle = first + mine.len();
                let part = |own, first| Part { starts, known, own, first };
                let (mut mine, mut others) = (part(mine, first), part(others, middle));
                std::thread::scope(|scope| {
                    scope.spawn(|| task.sum(right, middle, &mut others, other));
                    task.sum(left, first, &mut mine, work);
                });
            } else {
                task.sum(level, first, &mut Whole { starts, values }, work);
            }
            for root in roots.iter().filter(|root| root.level == number) {
                let extra = question.depth.map_or(0, |_| root.extra);
                let start = starts[graph.place(root) % ROOM_OF_PLACES];
                let lane = ORDER.0[root.sym.index()][0] as usize;
                sum = sum.wrapping_add(values[start.wrapping_add(extra) as usize].0[lane]);
            }
        }
        sum
    }
}

/// Notes where the sums of a level's boards go, the first at `first`.
fn lay_out(graph: &Graph, level: &[Batch], starts: &mut [u32], first: usize) {
    let mut next = first as u32;
    for batch in level {
        for (number, node) in graph.in_order(batch, 0..batch.boards.len()) {
            starts[batch.place() + 1 + number] = next.wrapping_sub(node.ways().trailing_zeros());
            next += node.width();
        }
    }
}

/// Two parts of a level with about as many sums each.
fn halves(level: &[Batch]) -> (&[Batch], &[Batch]) {
    let all = level.iter().map(|batch| batch.slots).sum::<usize>();
    let mut left = 0;
    let middle = level.iter().position(|batch| {
        left += batch.slots;
        2 * left > all
    });
    level.split_at(middle.unwrap_or(0) + 1)
}

/// Where sums are read and written.
trait Place {
    /// Where the sums of boards are, as [`Sums::starts`] has it.
    fn starts(&self) -> &[u32; ROOM_OF_PLACES];
    /// The sums of the levels above.
    fn known(&self) -> Known<'_>;
    /// The sums of a board go there.
    fn note(&mut self, place: usize, start: u32);
    /// The sums from there on, to be written.
    fn into(&mut self, start: usize) -> &mut [Lanes];
}

/// Sums that are read, in two parts.
#[derive(Clone, Copy)]
struct Known<'a> {
    before: &'a [Lanes],
    after: &'a [Lanes],
    /// Where `after` begins.
    end: usize,
}

impl<'a> Known<'a> {
    /// The sums from there on.
    #[inline(always)]
    fn from(self, start: usize) -> &'a [Lanes] {
        if start < self.before.len() { &self.before[start..] } else { &self.after[start - self.end..] }
    }
}

/// All sums.
struct Whole<'a> {
    starts: &'a mut [u32; ROOM_OF_PLACES],
    values: &'a mut [Lanes],
}

impl Place for Whole<'_> {
    #[inline(always)]
    fn starts(&self) -> &[u32; ROOM_OF_PLACES] {
        self.starts
    }

    #[inline(always)]
    fn known(&self) -> Known<'_> {
        Known { before: self.values, after: &[], end: self.values.len() }
    }

    #[inline(always)]
    fn note(&mut self, place: usize, start: u32) {
        self.starts[place % ROOM_OF_PLACES] = start;
    }

    #[inline(always)]
    fn into(&mut self, start: usize) -> &mut [Lanes] {
        &mut self.values[start..]
    }
}

/// The part of a level that one of two threads sums. Where its sums go was noted before.
struct Part<'a> {
    starts: &'a [u32; ROOM_OF_PLACES],
    known: Known<'a>,
    own: &'a mut [Lanes],
    /// Where `own` begins.
    first: usize,
}

impl Place for Part<'_> {
    #[inline(always)]
    fn starts(&self) -> &[u32; ROOM_OF_PLACES] {
        self.starts
    }

    #[inline(always)]
    fn known(&self) -> Known<'_> {
        self.known
    }

    #[inline(always)]
    fn note(&mut self, _: usize, _: u32) {}

    #[inline(always)]
    fn into(&mut self, start: usize) -> &mut [Lanes] {
        &mut self.own[start - self.first..]
    }
}

/// A level to be summed.
struct Task<'a, S, B> {
    simd: S,
    graph: &'a Graph,
    clock: Clock,
    question: &'a Question,
    barrier: &'a B,
}

/// What one thread needs while it sums.
#[derive(Debug)]
#[repr(C, align(64))]
struct Work {
    columns: Columns,
    /// By board of a block: its least extra dice, how many sums it has, and where they go.
    least: [u32; BOARDS],
    widths: [u32; BOARDS],
    places: [u32; BOARDS],
    /// By board of a block: its sum with two moves to go without double moves.
    singles: [Lanes; BOARDS],
    /// By board of a block, then by extra dice, as many as the widest has.
    totals: [Lanes; BOARDS * MARGIN],
}

impl Default for Work {
    fn default() -> Self {
        Self {
            columns: Columns::default(),
            least: [0; BOARDS],
            widths: [0; BOARDS],
            places: [0; BOARDS],
            singles: [Lanes::default(); BOARDS],
            totals: [Lanes::default(); BOARDS * MARGIN],
        }
    }
}

/// A function that adds the sums of all children of a block's boards.
type Flow<S, P> = fn(S, [&[Edge]; 2], &Flowing, &mut P, &mut Work);

/// What it needs to know.
struct Flowing {
    /// How many boards.
    count: usize,
    /// Those of seven dice that have two moves to go in one way, and with how many extra dice.
    twos: u64,
    two: u32,
}

impl<S: Simd, B: Barrier> Task<'_, S, B> {
    /// Sums the boards of batches; their sums go to `next` and on.
    fn sum<P: Place>(&self, batches: &[Batch], mut next: usize, place: &mut P, work: &mut Work) {
        for batch in batches {
            if batch.pips() == self.question.barrier {
                self.stop(batch, next, place);
            } else {
                self.simd.vectorize(
                    #[inline(always)]
                    || self.sum_batch(batch, next, place, work),
                );
            }
            next += batch.slots;
        }
    }

    /// The sums of a barrier's boards.
    fn stop(&self, batch: &Batch, mut next: usize, place: &mut impl Place) {
        for (number, node) in self.graph.in_order(batch, 0..batch.boards.len()) {
            let board = pattern::ALL[batch.pattern].board(node.index(), batch.pips() as u32).unwrap_or_default();
            let (canonical, sym) = board.canonical();
            let least = node.ways().trailing_zeros();
            place.note(batch.place() + 1 + number, (next as u32).wrapping_sub(least));
            for (extra, into) in (least..).zip(&mut place.into(next)[..node.width() as usize]) {
                let sums = self.barrier.sums(canonical.bits(), self.clock.moves(extra));
                into.0 = ORDER.0[sym.index()].map(|lane| sums[lane as usize]);
            }
            next += node.width() as usize;
        }
    }

    #[inline(always)]
    fn sum_batch<P: Place>(&self, batch: &Batch, mut next: usize, place: &mut P, work: &mut Work) {
        let pattern = &pattern::ALL[batch.pattern];
        let first = batch.place() + 1;
        let two = if usize::from(pattern.dice) == MOST_DICE { self.clock.way(2) } else { 0 };
        let mut any_twos = false;
        for (block, from) in self.graph.blocks(batch).iter().zip((0..).step_by(BOARDS)) {
            let count = (batch.expanded - from).min(BOARDS);
            let (mut widest, mut twos) = (1, 0);
            for (at, (number, node)) in self.graph.in_order(batch, from..from + count).enumerate() {
                let (least, width) = (node.ways().trailing_zeros(), node.width());
                place.note(first + number, (next as u32).wrapping_sub(least));
                let at = at % BOARDS;
                work.least[at] = least;
                work.widths[at] = width;
                work.places[at] = next as u32;
                work.columns.indices[at] = node.index();
                next += width as usize;
                widest = widest.max(width);
                twos |= u64::from(node.ways() & two != 0) << at;
            }
            any_twos |= twos != 0;
            let flowing = Flowing { count, twos, two: self.clock.extra(2).unwrap_or(0) };
            flow(widest)(self.simd, self.graph.edges(block), &flowing, place, work);
            if block.fills != [0; 2] {
                self.fill(pattern, batch, block, place, work);
            }
        }
        // Those that are not expanded have one way, with one move to go.
        for (number, node) in self.graph.in_order(batch, batch.expanded..batch.boards.len()) {
            place.note(first + number, (next as u32).wrapping_sub(node.ways().trailing_zeros()));
            next += 1;
        }
        if self.clock.way(1) != 0 {
            self.end(pattern, batch, place, work, 1);
        }
        if any_twos {
            self.end(pattern, batch, place, work, 2);
        }
    }

    /// Adds the values of full boards that a double move leads to, where three moves are to go or more.
    #[inline(always)]
    fn fill(&self, pattern: &Pattern, batch: &Batch, block: &Block, place: &mut impl Place, work: &mut Work) {
        let [first, second] = block.fills;
        work.columns.read::<7>(batch.pips(), BOARDS);
        let least = self.clock.extra(3).unwrap_or(0);
        for at in bits(first | second) {
            let times = u32::from(first & second & 1 << at != 0) + 1;
            let value = work.columns.filled(self.simd, pattern, at) * u32x8::splat(self.simd, times);
            let skipped = least.saturating_sub(work.least[at]);
            let sums = &mut place.into(work.places[at] as usize)[skipped as usize..work.widths[at] as usize];
            sums.iter_mut().for_each(|sum| sum.add(self.simd, value));
        }
    }

    /// The sums with one move to go; and what double moves add with two.
    #[inline(always)]
    fn end(&self, pattern: &Pattern, batch: &Batch, place: &mut impl Place, work: &mut Work, moves: i32) {
        let (way, extra) = (self.clock.way(moves), self.clock.extra(moves).unwrap_or(0));
        let mut boards = self.graph.nodes(batch).iter().zip(batch.place() + 1..);
        let mut count = 0;
        loop {
            let next = boards.next();
            if let Some((node, at)) = next {
                work.columns.indices[count % BOARDS] = node.index();
                work.places[count % BOARDS] = place.starts()[at % ROOM_OF_PLACES].wrapping_add(extra);
                count += usize::from(node.ways() & way != 0);
            }
            if count == BOARDS || next.is_none() {
                self.add_up(pattern, batch.pips(), &mut work.columns, count, moves);
                for (at, &start) in work.places[..count].iter().enumerate() {
                    let total = work.columns.total(self.simd, at);
                    let sums = &mut place.into(start as usize)[0];
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
        match pattern.dice {
            0 => add_up::<S, 0>(self.simd, pattern, pips, columns, count),
            1 => add_up::<S, 1>(self.simd, pattern, pips, columns, count),
            2 => add_up::<S, 2>(self.simd, pattern, pips, columns, count),
            3 => add_up::<S, 3>(self.simd, pattern, pips, columns, count),
            4 => add_up::<S, 4>(self.simd, pattern, pips, columns, count),
            5 => add_up::<S, 5>(self.simd, pattern, pips, columns, count),
            6 => add_up::<S, 6>(self.simd, pattern, pips, columns, count),
            _ => add_up::<S, 7>(self.simd, pattern, pips, columns, count),
        }
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

fn flow<S: Simd, P: Place>(widest: u32) -> Flow<S, P> {
    match widest {
        ..2 => flow_wide::<S, P, 1>,
        2 => flow_wide::<S, P, 2>,
        3 => flow_wide::<S, P, 3>,
        4 => flow_wide::<S, P, 4>,
        5 => flow_wide::<S, P, 5>,
        6 => flow_wide::<S, P, 6>,
        7 => flow_wide::<S, P, 7>,
        8 => flow_wide::<S, P, 8>,
        9 => flow_wide::<S, P, 9>,
        10 => flow_wide::<S, P, 10>,
        11..13 => flow_wide::<S, P, 12>,
        _ => flow_wide::<S, P, MARGIN>,
    }
}

/// Adds the sums of all children of a block's boards, `W` for each: at least as many as any of them has.
fn flow_wide<S: Simd, P: Place, const W: usize>(
    simd: S,
    [singles, doubles]: [&[Edge]; 2],
    flowing: &Flowing,
    place: &mut P,
    work: &mut Work,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let Flowing { count, twos, two } = *flowing;
            let Work { least, places, singles: kept, totals, .. } = work;
            let Some(totals) = totals.as_chunks_mut::<W>().0.first_chunk_mut::<BOARDS>() else { return };
            totals[..count].fill([Lanes::default(); W]);
            let (starts, known) = (place.starts(), place.known());
            for (edges, are_double) in [(singles, false), (doubles, true)] {
                if are_double {
                    // What double moves add with two moves to go means nothing.
                    bits(twos).for_each(|at| kept[at] = totals[at][(two - least[at]) as usize % W]);
                }
                for &edge in edges {
                    let whose = edge.whose() % BOARDS;
                    let start = starts[edge.child()].wrapping_add(least[whose] + edge.extra());
                    let turn = Turn::from_canonical(simd, edge.sym());
                    for (total, from) in totals[whose].iter_mut().zip(&known.from(start as usize)[..W]) {
                        total.add(simd, turn.of(simd, &from.0));
                    }
                }
            }
            bits(twos).for_each(|at| totals[at][(two - least[at]) as usize % W] = kept[at]);
            for (totals, &start) in totals[..count].iter().zip(&*places) {
                // What is written past a board's own is overwritten by the next.
                let rest = place.into(start as usize);
                match rest.first_chunk_mut::<W>() {
                    Some(now) => *now = *totals,
                    None => rest.copy_from_slice(&totals[..rest.len()]),
                }
            }
        },
    );
}
