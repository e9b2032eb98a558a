//! Builds a table: ranks from the last to the first, with two of them in memory, each handed on when it is done.
//!
//! Price: all 3,821,146 boards and 52,270,419 entries take 3.4 s on two cores; writing the file of 1.70 GB takes as long again.

use super::{ALL_RANKS, Ranks, WORDS, number};
use crate::cephalopods::{HIGHEST_RANK, QuestionError, reserve, zeroed};
use crate::error::Error;
use cephalopods::kernel::Turn;
use cephalopods::kernel::images::{self, Child};
use cephalopods::{Board, MOST};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::simd::{Isa, dispatch};
use search::{Control, OutOfMemory, Stop};
use std::thread::ScopedJoinHandle;

/// Which boards there are, and the position of each among them.
#[derive(Debug)]
pub(super) struct Positions {
    /// For 64 boards: which of them are present, and how many are before.
    pub(super) words: Vec<(u64, u32)>,
}

impl Positions {
    pub(super) fn of(boards: impl Iterator<Item = u32>) -> Result<Self, OutOfMemory> {
        let mut words = Vec::new();
        reserve(&mut words, WORDS)?;
        words.resize(WORDS, (0u64, 0u32));
        for board in boards {
            let number = number(board);
            words[number / 64].0 |= 1 << (number % 64);
        }
        let mut before = 0;
        for word in &mut words {
            word.1 = before;
            before += word.0.count_ones();
        }
        Ok(Self { words })
    }

    #[inline(always)]
    pub(super) fn position(&self, board: u32) -> usize {
        let number = number(board);
        let (bits, before) = self.words[number / 64];
        before as usize + (bits & ((1 << (number % 64)) - 1)).count_ones() as usize
    }
}

/// Every canonical board that is not full, by rank and dice.
fn boards<S: Simd>(simd: S, control: &Control<'_>) -> Result<Vec<[Vec<u32>; 9]>, Error> {
    let mut found: Vec<[Vec<u32>; 9]> = Vec::new();
    found.resize_with(55, Default::default);
    let rows: Vec<u32> = (0..512).filter(|&row| Board::from_bits(row).is_some()).collect();
    for &low in &rows {
        control.check()?;
        for &middle in &rows {
            simd.vectorize(
                #[inline(always)]
                || {
                    for &high in &rows {
                        let bits = low | middle << 9 | high << 18;
                        if images::least(simd, images::images(simd, bits)) >> 3 == bits {
                            let board = Board::from_bits_unchecked(bits);
                            if let Some(list) = found[board.rank() as usize].get_mut(board.dice() as usize) {
                                list.push(bits);
                            }
                        }
                    }
                },
            );
        }
    }
    Ok(found)
}

/// The sums of one rank, handed on while the table is built.
#[derive(Debug)]
pub struct Slab<'a> {
    /// The rank.
    pub rank: u32,
    /// Its canonical boards that are not full.
    pub boards: Vec<u32>,
    /// For each board, its first entry in `values` and how many it has.
    pub entries: Vec<(u32, u8)>,
    /// The entries.
    pub values: &'a [[u32; 8]],
}

/// The size of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Built {
    /// Canonical boards in the table.
    pub boards: u64,
    /// Entries in the table.
    pub entries: u64,
}

/// Computes all ranks from the last down to the least of `ranks` and hands each of `ranks` to `sink`, on as many threads as
/// the control allows. A board is a node of the control; its listener hears how many boards are done.
///
/// # Errors
/// If `ranks` has no rank, the control stops the call, there is no memory, or `sink` fails.
pub fn build<E: From<Error>>(
    isa: Isa,
    ranks: Ranks,
    control: &Control<'_>,
    sink: &mut dyn FnMut(Slab<'_>) -> Result<(), E>,
) -> Result<Built, E> {
    let error = |error: OutOfMemory| E::from(error.into());
    if ranks & ALL_RANKS & ((2 << HIGHEST_RANK) - 1) == 0 {
        return Err(E::from(QuestionError::NoRanks.into()));
    }
    let found = dispatch!(isa.level(), simd => boards(simd, control))?;
    let positions = Positions::of(found.iter().flatten().flatten().copied()).map_err(error)?;
    let lowest = ranks.trailing_zeros() as usize;
    let total = found[lowest..].iter().flatten().map(|list| list.len() as u64).sum();
    let count: usize = found.iter().flatten().map(Vec::len).sum();
    let mut entries = Entries { starts: zeroed(count).map_err(error)?, lengths: zeroed(count).map_err(error)? };
    let (mut here, mut next): (Vec<[u32; 8]>, Vec<[u32; 8]>) = (Vec::new(), Vec::new());
    let (mut done, mut built) = (0, Built::default());
    for rank in (lowest..55).rev() {
        std::mem::swap(&mut here, &mut next);
        here.clear();
        for list in &found[rank] {
            let below = Below { positions: &positions, entries: &entries, here: &here, next: &next };
            for (part, boards) in below.fill_all(isa, list, control)? {
                let mut values = part.values.as_slice();
                // New memory costs time too: the flag is looked at between pieces.
                for (boards, lengths) in boards.chunks(LEAST_SHARE).zip(part.lengths.chunks(LEAST_SHARE)) {
                    control.check().map_err(Error::from)?;
                    let (first, mut start) = (here.len() as u32, here.len() as u32);
                    for (&board, &length) in boards.iter().zip(lengths) {
                        entries.set(positions.position(board), start, length);
                        start += u32::from(length);
                    }
                    let (now, rest) = values.split_at((start - first) as usize);
                    reserve(&mut here, now.len()).map_err(error)?;
                    here.extend_from_slice(now);
                    values = rest;
                }
            }
            done += list.len() as u64;
            control.report(done, total);
        }
        if ranks >> rank & 1 == 1 {
            let boards: Vec<u32> = found[rank].iter().flatten().copied().collect();
            let entries: Vec<_> = boards.iter().map(|&board| entries.get(positions.position(board))).collect();
            built.boards += boards.len() as u64;
            built.entries += here.len() as u64;
            sink(Slab { rank: rank as u32, boards, entries, values: &here })?;
        }
    }
    Ok(built)
}

/// By position of a board: its first entry in its rank, and how many it has.
struct Entries {
    starts: Vec<u32>,
    lengths: Vec<u8>,
}

impl Entries {
    #[inline(always)]
    fn get(&self, position: usize) -> (u32, u8) {
        (self.starts[position], self.lengths[position])
    }

    fn set(&mut self, position: usize, start: u32, length: u8) {
        (self.starts[position], self.lengths[position]) = (start, length);
    }
}

/// What is known when the boards of one rank and one number of dice are summed: everything that they lead to.
struct Below<'a> {
    positions: &'a Positions,
    entries: &'a Entries,
    here: &'a [[u32; 8]],
    next: &'a [[u32; 8]],
}

/// The entries of some boards.
#[derive(Default)]
struct Part {
    lengths: Vec<u8>,
    values: Vec<[u32; 8]>,
}

/// A thread is not started for fewer boards than this, and so many are moved at once.
const LEAST_SHARE: usize = 1024;

impl Below<'_> {
    /// Sums boards in as many parts as there are threads; each part comes with its boards.
    fn fill_all<'b>(&self, isa: Isa, list: &'b [u32], control: &Control<'_>) -> Result<Vec<(Part, &'b [u32])>, Error> {
        let fill = |boards: &'b [u32]| {
            let part = dispatch!(isa.level(), simd => self.fill(simd, boards, control))?;
            Ok((part, boards))
        };
        let threads = if cfg!(feature = "threads") { control.thread_count() } else { 1 };
        let share = list.len().div_ceil(threads).max(LEAST_SHARE);
        if list.len() <= share {
            return Ok(vec![fill(list)?]);
        }
        std::thread::scope(|scope| {
            let start = |boards| std::thread::Builder::new().spawn_scoped(scope, move || fill(boards));
            let works: Vec<_> = list.chunks(share).map(|boards| (boards, start(boards))).collect();
            let finish = |(boards, work): (_, std::io::Result<ScopedJoinHandle<'_, _>>)| match work {
                Ok(work) => work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                // No thread could be started.
                Err(_) => fill(boards),
            };
            works.into_iter().map(finish).collect()
        })
    }

    #[inline(always)]
    fn fill<S: Simd>(&self, simd: S, boards: &[u32], control: &Control<'_>) -> Result<Part, Error> {
        let (mut meter, mut part) = (control.meter(), Part::default());
        reserve(&mut part.lengths, boards.len())?;
        for &board in boards {
            if !meter.pay() {
                return Err(meter.stopped_by().unwrap_or(Stop::Nodes).into());
            }
            reserve(&mut part.values, cephalopods::LONGEST as usize)?;
            simd.vectorize(
                #[inline(always)]
                || self.fill_board(simd, board, &mut part),
            );
        }
        Ok(part)
    }

    #[inline(always)]
    fn fill_board<S: Simd>(&self, simd: S, board: u32, part: &mut Part) {
        let first = part.values.len();
        part.values.push(images::sum_of_children(simd, board).into());
        let mut children = [Child::default(); MOST];
        let mut count = images::children(simd, board, &mut children);
        // Such a move fills the only empty cell.
        if Board::from_bits_unchecked(board).dice() == 8 && children[0].kind() == 0 {
            count = 0;
        }
        let mut lists: [(&[[u32; 8]], usize); MOST] = [(&[], 0); MOST];
        let mut longest = 1;
        for (child, known) in children[..count].iter().zip(&mut lists) {
            let (start, length) = self.entries.get(self.positions.position(child.board()));
            let list = if child.kind() == 0 { self.next } else { self.here };
            *known = (&list[start as usize..][..usize::from(length)], child.sym());
            longest = longest.max(usize::from(length) + 1);
        }
        part.values.resize(first + longest, [0; 8]);
        let totals = &mut part.values[first + 1..];
        for &(list, sym) in &lists[..count] {
            let (near, far) = totals.split_at_mut(list.len());
            let turn = Turn::from_canonical(simd, sym);
            for (total, sums) in near.iter_mut().zip(list) {
                *total = (u32x8::simd_from(simd, *total) + turn.of(simd, sums)).into();
            }
            let last = turn.of(simd, &list[list.len() - 1]);
            for total in far {
                *total = (u32x8::simd_from(simd, *total) + last).into();
            }
        }
        part.lengths.push(longest as u8);
    }
}
