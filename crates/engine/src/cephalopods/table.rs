//! The `table` engine: the sums of every canonical board for every number of moves, looked up; or of chosen ranks only,
//! as barriers that stop every question from below.
//!
//! ```text
//! body    values    32 bytes an entry: eight images, u32; a board's entries are 1, 2, .. longest moves to go
//!         starts    u32 a board: its first entry
//!         lengths   u8 a board: how many entries; more moves change nothing
//!         words     16 bytes for 64 boards in base 7: u64 which of them are here, u32 how many are before, u32 zero
//!         trailer   u64 ranks (bit r: rank r is here), u64 entries, u64 boards, u64 zero
//! ```
//!
//! All little-endian. Boards are numbered by their nine digits read in base 7, cell 8 first. Ranks are built from the
//! last to the first, with two of them in memory, and stream into the file.

use super::scratch::{Barrier, Scratch};
use crate::store::{self, Kind, StoreError};
use cephalopods::kernel::images::{self, Children};
use cephalopods::kernel::oriented;
use cephalopods::{Board, tables};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::simd::{Isa, dispatch};
use std::io::{self, Write};
use std::path::Path;

const KIND: Kind = Kind { name: *b"nf-cephs", version: 1 };
const BOARDS: usize = 40_353_607;
const WORDS: usize = BOARDS.div_ceil(64);
const TRAILER: usize = 32;

/// A set of ranks: bit `r` is rank `r`.
pub type Ranks = u64;

/// Every rank there is.
pub const ALL_RANKS: Ranks = (1 << 55) - 1;

/// Each row's part of a board's number in base 7.
static BASE_SEVEN: [[u32; 512]; 3] = {
    let mut table = [[0; 512]; 3];
    let mut row = 0;
    while row < 3 {
        let mut digits = 0;
        while digits < 512u32 {
            let number = (digits & 7) + 7 * (digits >> 3 & 7) + 49 * (digits >> 6);
            table[row][digits as usize] = number * 343u32.pow(row as u32);
            digits += 1;
        }
        row += 1;
    }
    table
};

#[inline(always)]
fn number(bits: u32) -> usize {
    let [a, b, c] = tables::rows(bits);
    (BASE_SEVEN[0][a] + BASE_SEVEN[1][b] + BASE_SEVEN[2][c]) as usize
}

/// Which boards there are, and the place of each among them.
#[derive(Debug)]
struct Places {
    words: Vec<(u64, u32)>,
}

impl Places {
    fn of(boards: impl Iterator<Item = u32>) -> Self {
        let mut words = vec![(0u64, 0u32); WORDS];
        for board in boards {
            let number = number(board);
            words[number / 64].0 |= 1 << (number % 64);
        }
        let mut before = 0;
        for word in &mut words {
            word.1 = before;
            before += word.0.count_ones();
        }
        Self { words }
    }

    #[inline(always)]
    fn place(&self, board: u32) -> usize {
        let number = number(board);
        let (bits, before) = self.words[number / 64];
        before as usize + (bits & ((1 << (number % 64)) - 1)).count_ones() as usize
    }
}

/// Every canonical board that is not full, by rank and dice.
fn boards<S: Simd>(simd: S) -> Vec<[Vec<u32>; 9]> {
    let mut found: Vec<[Vec<u32>; 9]> = Vec::new();
    found.resize_with(55, Default::default);
    let rows: Vec<u32> = (0..512).filter(|&row| Board::from_bits(row).is_some()).collect();
    for &low in &rows {
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
    found
}

/// The sums of one rank, handed out while the table is built.
#[derive(Debug)]
pub struct Slab<'a> {
    /// The rank.
    pub rank: u32,
    /// Its canonical boards that are not full.
    pub boards: Vec<u32>,
    /// For each, its first entry in `values` and how many it has.
    pub entries: Vec<(u32, u8)>,
    /// The entries.
    pub values: &'a [[u32; 8]],
}

/// How a table was built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Built {
    /// Canonical boards in the table.
    pub boards: u64,
    /// Entries in the table.
    pub entries: u64,
}

/// Computes all ranks from the last down to the least of `ranks` and hands each of `ranks` to `sink`. `progress` hears
/// how many boards are done and how many there are.
///
/// # Errors
/// Whatever `sink` says; it also stops the work.
pub fn build<E>(
    isa: Isa,
    threads: usize,
    ranks: Ranks,
    progress: &mut dyn FnMut(u64, u64),
    sink: &mut dyn FnMut(Slab<'_>) -> Result<(), E>,
) -> Result<Built, E> {
    let found = dispatch!(isa.level(), simd => boards(simd));
    let places = Places::of(found.iter().flatten().flatten().copied());
    let lowest = ranks.trailing_zeros() as usize;
    let total = found[lowest.min(54)..].iter().flatten().map(|list| list.len() as u64).sum();
    let count: usize = found.iter().flatten().map(Vec::len).sum();
    let mut entries = vec![(0u32, 0u8); count];
    let (mut here, mut next): (Vec<[u32; 8]>, Vec<[u32; 8]>) = (Vec::new(), Vec::new());
    let (mut done, mut built) = (0, Built::default());
    for rank in (lowest..55).rev() {
        std::mem::swap(&mut here, &mut next);
        here.clear();
        for list in &found[rank] {
            let below = Below { places: &places, entries: &entries, here: &here, next: &next };
            let share = list.len().div_ceil(threads.max(1)).max(1024);
            let parts: Vec<Part> = std::thread::scope(|scope| {
                let works: Vec<_> = list
                    .chunks(share)
                    .map(|boards| {
                        let below = &below;
                        scope.spawn(move || dispatch!(isa.level(), simd => below.fill(simd, boards)))
                    })
                    .collect();
                works.into_iter().map(|work| work.join().unwrap_or_default()).collect()
            });
            for (part, boards) in parts.iter().zip(list.chunks(share)) {
                let mut start = here.len() as u32;
                for (&board, &length) in boards.iter().zip(&part.lengths) {
                    entries[places.place(board)] = (start, length);
                    start += u32::from(length);
                }
                here.extend_from_slice(&part.values);
            }
            done += list.len() as u64;
            progress(done, total);
        }
        if ranks >> rank & 1 == 1 {
            let boards: Vec<u32> = found[rank].iter().flatten().copied().collect();
            let entries: Vec<_> = boards.iter().map(|&board| entries[places.place(board)]).collect();
            built.boards += boards.len() as u64;
            built.entries += here.len() as u64;
            sink(Slab { rank: rank as u32, boards, entries, values: &here })?;
        }
    }
    Ok(built)
}

/// What is known when a bucket is filled: everything it leads to.
struct Below<'a> {
    places: &'a Places,
    entries: &'a [(u32, u8)],
    here: &'a [[u32; 8]],
    next: &'a [[u32; 8]],
}

#[derive(Default)]
struct Part {
    lengths: Vec<u8>,
    values: Vec<[u32; 8]>,
}

impl Below<'_> {
    #[inline(always)]
    fn fill<S: Simd>(&self, simd: S, boards: &[u32]) -> Part {
        let mut part = Part::default();
        for &board in boards {
            simd.vectorize(
                #[inline(always)]
                || self.fill_board(simd, board, &mut part),
            );
        }
        part
    }

    #[inline(always)]
    fn fill_board<S: Simd>(&self, simd: S, board: u32, part: &mut Part) {
        let first = part.values.len();
        part.values.push(images::sum_of_children(simd, board).into());
        let mut children = Children::NONE;
        images::children(simd, board, &mut children);
        let fills = Board::from_bits_unchecked(board).dice() == 8 && children.kind[0] == 0;
        let mut lists: [(&[[u32; 8]], usize); 16] = [(&[], 0); 16];
        let mut longest = 1;
        if !fills {
            for (edge, known) in lists[..children.count].iter_mut().enumerate() {
                let (start, length) = self.entries[self.places.place(children.child[edge] >> 3)];
                let list = if children.kind[edge] == 0 { self.next } else { self.here };
                *known = (&list[start as usize..][..usize::from(length)], children.child[edge] as usize & 7);
                longest = longest.max(usize::from(length) + 1);
            }
        }
        part.values.resize(first + longest, [0; 8]);
        let totals = &mut part.values[first + 1..];
        for &(list, sym) in &lists[..if fills { 0 } else { children.count }] {
            let (near, far) = totals.split_at_mut(list.len());
            for (total, sums) in near.iter_mut().zip(list) {
                *total = (u32x8::simd_from(simd, *total) + oriented(simd, sums, sym)).into();
            }
            let last = oriented(simd, &list[list.len() - 1], sym);
            for total in far {
                *total = (u32x8::simd_from(simd, *total) + last).into();
            }
        }
        part.lengths.push(longest as u8);
    }
}

/// Writes the table of those ranks.
///
/// # Errors
/// If the file cannot be written; it is then not there, or as it was.
pub fn write(
    path: &Path,
    isa: Isa,
    threads: usize,
    ranks: Ranks,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Built, StoreError> {
    let mut built = Built::default();
    store::write_whole(path, KIND, |out| {
        let mut known: Vec<(u32, u32, u8)> = Vec::new();
        let mut before = 0u32;
        built = build(isa, threads, ranks, progress, &mut |slab| {
            for values in slab.values.chunks(4096) {
                let bytes: Vec<u8> = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
                out.write_all(&bytes)?;
            }
            known.extend(slab.boards.iter().zip(&slab.entries).map(|(&b, &(start, len))| (b, before + start, len)));
            before += slab.values.len() as u32;
            io::Result::Ok(())
        })?;
        known.sort_unstable_by_key(|&(board, ..)| number(board));
        write_index(out, &known, ranks, u64::from(before))
    })?;
    Ok(built)
}

fn write_index(out: &mut dyn Write, known: &[(u32, u32, u8)], ranks: Ranks, entries: u64) -> io::Result<()> {
    for &(_, start, _) in known {
        out.write_all(&start.to_le_bytes())?;
    }
    for &(.., length) in known {
        out.write_all(&[length])?;
    }
    for (bits, before) in Places::of(known.iter().map(|&(board, ..)| board)).words {
        out.write_all(&bits.to_le_bytes())?;
        out.write_all(&u64::from(before).to_le_bytes())?;
    }
    for word in [ranks, entries, known.len() as u64, 0] {
        out.write_all(&word.to_le_bytes())?;
    }
    Ok(())
}

/// A table, in memory or mapped.
#[derive(Debug)]
pub struct Table {
    bytes: Bytes,
    ranks: Ranks,
    entries: usize,
    boards: usize,
}

#[derive(Debug)]
enum Bytes {
    Mapped(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl Table {
    /// Maps the table at `path`. The checksum of the body is looked at only if `thorough`: it costs a pass over the file.
    ///
    /// # Errors
    /// If the file is not there, damaged, cut, or of another kind or version.
    pub fn open(path: &Path, thorough: bool) -> Result<Self, StoreError> {
        let map = crate::map::file(path)?;
        Self::over(path, Bytes::Mapped(map), thorough)
    }

    /// Takes a whole file that is in memory.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, StoreError> {
        Self::over(path, Bytes::Owned(bytes), true)
    }

    fn over(path: &Path, bytes: Bytes, thorough: bool) -> Result<Self, StoreError> {
        let mut table = Self { bytes, ranks: 0, entries: 0, boards: 0 };
        let body = store::open(path, KIND, table.whole(), thorough)?;
        let damaged = |expected: usize| StoreError::Length {
            path: path.to_owned(),
            found: body.len() as u64,
            expected: expected as u64,
        };
        let at = body.len().checked_sub(TRAILER).ok_or_else(|| damaged(TRAILER))?;
        let word = |place: usize| number_at(body, at + 8 * place) as usize;
        let (entries, boards) = (word(1), word(2));
        let expected = entries
            .checked_mul(32)
            .and_then(|bytes| bytes.checked_add(boards.checked_mul(5)?))
            .and_then(|bytes| bytes.checked_add(16 * WORDS + TRAILER))
            .ok_or_else(|| damaged(usize::MAX))?;
        if expected != body.len() {
            return Err(damaged(expected));
        }
        (table.ranks, table.entries, table.boards) = (word(0) as u64, entries, boards);
        Ok(table)
    }

    fn whole(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }

    #[inline(always)]
    fn body(&self) -> &[u8] {
        &self.whole()[store::HEADER_BYTES..]
    }

    /// The ranks that are here.
    #[must_use]
    pub fn ranks(&self) -> Ranks {
        self.ranks
    }

    /// How many boards and entries.
    #[must_use]
    pub fn size(&self) -> Built {
        Built { boards: self.boards as u64, entries: self.entries as u64 }
    }

    /// The eight sums of a canonical board that is not full, if it is here, with so many moves to go, at least one.
    #[inline]
    fn entry(&self, canonical: u32, moves: u32) -> Option<[u32; 8]> {
        let body = self.body();
        let number = number(canonical);
        let starts = 32 * self.entries;
        let lengths = starts + 4 * self.boards;
        let word = lengths + self.boards + 16 * (number / 64);
        let bits = number_at(body, word);
        if bits >> (number % 64) & 1 == 0 {
            return None;
        }
        let before = number_at(body, word + 8) as usize;
        let place = before + (bits & ((1 << (number % 64)) - 1)).count_ones() as usize;
        let start = u32::from_le_bytes(body.get(starts + 4 * place..)?.first_chunk().copied()?) as usize;
        let length = u32::from(*body.get(lengths + place)?);
        let at = 32 * (start + moves.clamp(1, length.max(1)) as usize - 1);
        let entry = body.get(at..at + 32)?.as_chunks::<4>().0;
        Some(std::array::from_fn(|image| u32::from_le_bytes(entry[image])))
    }

    /// The sum of the values of all final boards, modulo 2^30, if the board's rank is here.
    #[inline]
    #[must_use]
    pub fn lookup(&self, board: Board, depth: u32) -> Option<u32> {
        if depth == 0 || board.is_full() {
            return Some(board.value() & ((1 << 30) - 1));
        }
        let (canonical, sym) = board.canonical();
        Some(self.entry(canonical.bits(), depth)?[sym.inverse().index()] & ((1 << 30) - 1))
    }

    /// The same for any board: from below a rank that is here, `scratch` goes as far as that rank.
    pub fn sum(&self, scratch: &mut Scratch, board: Board, depth: u32) -> u32 {
        if let Some(sum) = self.lookup(board, depth) {
            return sum;
        }
        let above = self.ranks >> board.rank() << board.rank();
        let barrier = if above == 0 { usize::MAX } else { above.trailing_zeros() as usize };
        scratch.sums_with_barrier(board, depth, barrier, self)[0] & ((1 << 30) - 1)
    }
}

impl Barrier for Table {
    fn sums(&self, board: u32, moves: u32) -> [u32; 8] {
        self.entry(board, moves).unwrap_or_default()
    }
}

#[inline(always)]
fn number_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
