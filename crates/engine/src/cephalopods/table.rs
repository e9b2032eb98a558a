//! The `table` engine: the sums of every canonical board for every number of moves, looked up; or of chosen ranks only,
//! as barriers that stop every question from below.
//!
//! ```text
//! body    values    32 bytes an entry: eight images, u32; a board's entries are 1, 2, .. longest moves to go
//!         starts    u32 a board: its first entry
//!         lengths   u8 a board: how many entries; more moves change nothing
//!         words     16 bytes for 64 boards in base 7: u64 which of them are here, u32 how many are before, u32 zero
//!         sums      u32 for each 4096 bytes of all that: its CRC-32
//!         trailer   u64 ranks (bit r: rank r is here), u64 entries, u64 boards, u32 CRC-32 of the three, u32 zero
//! ```
//!
//! All little-endian. Boards are numbered by their nine digits read in base 7, cell 8 first. Ranks are built from the
//! last to the first, with two of them in memory, and stream into the file.
//!
//! A block of 4096 bytes is held against its sum when it is first read, so an answer never comes from a damaged one, and
//! opening a file of 1.7 GB does not read it. It costs a bit to look at on each further read.

use super::scratch::{Barrier, Scratch};
use crate::store::{self, Kind, StoreError};
use cephalopods::kernel::Turn;
use cephalopods::kernel::images::{self, Child};
use cephalopods::{Board, MOST, tables};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::simd::{Isa, dispatch, prefetch};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use zerocopy::IntoBytes;

const KIND: Kind = Kind { name: *b"nf-cephs", words: "table of Cephalopods", version: 2 };
const BOARDS: usize = 40_353_607;
const WORDS: usize = BOARDS.div_ceil(64);
const TRAILER: usize = 32;
const BLOCK: usize = 4096;
/// So many questions are looked up together.
const TOGETHER: usize = 32;

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
        let mut children = [Child::default(); MOST];
        let mut count = images::children(simd, board, &mut children);
        // The only empty cell is filled.
        if Board::from_bits_unchecked(board).dice() == 8 && children[0].kind() == 0 {
            count = 0;
        }
        let mut lists: [(&[[u32; 8]], usize); MOST] = [(&[], 0); MOST];
        let mut longest = 1;
        for (child, known) in children[..count].iter().zip(&mut lists) {
            let (start, length) = self.entries[self.places.place(child.board())];
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
        built = write_body(out, isa, threads, ranks, progress)?;
        Ok(())
    })?;
    Ok(built)
}

/// Writes all but the header.
fn write_body(
    out: &mut dyn Write,
    isa: Isa,
    threads: usize,
    ranks: Ranks,
    progress: &mut dyn FnMut(u64, u64),
) -> io::Result<Built> {
    let mut out = Blocks { inner: out, sums: Vec::new(), open: crc32fast::Hasher::new(), filled: 0 };
    let mut known: Vec<(u32, u32, u8)> = Vec::new();
    let mut before = 0u32;
    let built = build(isa, threads, ranks, progress, &mut |slab| {
        out.write_words(slab.values.as_flattened())?;
        known.extend(slab.boards.iter().zip(&slab.entries).map(|(&b, &(start, len))| (b, before + start, len)));
        before += slab.values.len() as u32;
        io::Result::Ok(())
    })?;
    known.sort_unstable_by_key(|&(board, ..)| number(board));
    let starts: Vec<u32> = known.iter().map(|&(_, start, _)| start).collect();
    let lengths: Vec<u8> = known.iter().map(|&(.., length)| length).collect();
    let words = Places::of(known.iter().map(|&(board, ..)| board)).words;
    let words: Vec<u32> =
        words.iter().flat_map(|&(bits, before)| [bits as u32, (bits >> 32) as u32, before, 0]).collect();
    out.write_words(&starts)?;
    out.write_all(&lengths)?;
    out.write_words(&words)?;
    let sums = out.finish();
    out.write_words(&sums)?;
    let trailer = [ranks, u64::from(before), known.len() as u64].map(u64::to_le_bytes);
    out.write_all(trailer.as_flattened())?;
    out.write_words(&[crc32fast::hash(trailer.as_flattened()), 0])?;
    Ok(built)
}

/// Sums every block that passes through.
struct Blocks<'a> {
    inner: &'a mut dyn Write,
    sums: Vec<u32>,
    open: crc32fast::Hasher,
    filled: usize,
}

impl Blocks<'_> {
    fn write_words(&mut self, words: &[u32]) -> io::Result<()> {
        if cfg!(target_endian = "little") {
            return self.write_all(words.as_bytes());
        }
        words.iter().try_for_each(|word| self.write_all(&word.to_le_bytes()))
    }

    fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.inner.write_all(bytes)?;
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(BLOCK - self.filled));
            self.open.update(now);
            self.filled += now.len();
            if self.filled == BLOCK {
                self.close();
            }
            bytes = rest;
        }
        Ok(())
    }

    fn close(&mut self) {
        self.sums.push(std::mem::take(&mut self.open).finalize());
        self.filled = 0;
    }

    fn finish(&mut self) -> Vec<u32> {
        if self.filled > 0 {
            self.close();
        }
        std::mem::take(&mut self.sums)
    }
}

/// A table, in memory or mapped.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    bytes: Bytes,
    ranks: Ranks,
    entries: usize,
    boards: usize,
    /// A bit for each block: whether it was held against its sum.
    checked: Vec<AtomicU64>,
    /// Whether one was wrong.
    damaged: AtomicBool,
}

#[derive(Debug)]
enum Bytes {
    Mapped(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl Table {
    /// Maps the table at `path`. The whole body is looked at only if `thorough`: it costs a pass over the file. If not, each
    /// block is looked at when it is first needed.
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
    pub fn from_bytes(path: &Path, bytes: Vec<u8>, thorough: bool) -> Result<Self, StoreError> {
        Self::over(path, Bytes::Owned(bytes), thorough)
    }

    fn over(path: &Path, bytes: Bytes, thorough: bool) -> Result<Self, StoreError> {
        let mut table = Self {
            path: path.to_owned(),
            bytes,
            ranks: 0,
            entries: 0,
            boards: 0,
            checked: Vec::new(),
            damaged: AtomicBool::new(false),
        };
        let body = store::open(path, KIND, table.whole(), thorough)?;
        let damaged = |expected: usize| StoreError::Length {
            path: path.to_owned(),
            found: body.len() as u64,
            expected: expected as u64,
        };
        let at = body.len().checked_sub(TRAILER).ok_or_else(|| damaged(TRAILER))?;
        if word_at(body, at + 24) != crc32fast::hash(&body[at..at + 24]) {
            return Err(StoreError::Checksum { path: path.to_owned(), part: "trailer" });
        }
        let word = |place: usize| number_at(body, at + 8 * place) as usize;
        let (entries, boards) = (word(1), word(2));
        let summed = entries
            .checked_mul(32)
            .and_then(|bytes| bytes.checked_add(boards.checked_mul(5)?))
            .and_then(|bytes| bytes.checked_add(16 * WORDS))
            .ok_or_else(|| damaged(usize::MAX))?;
        let blocks = summed.div_ceil(BLOCK);
        let expected = summed.checked_add(4 * blocks + TRAILER).ok_or_else(|| damaged(usize::MAX))?;
        if expected != body.len() {
            return Err(damaged(expected));
        }
        (table.ranks, table.entries, table.boards) = (word(0) as u64, entries, boards);
        table.checked.resize_with(blocks.div_ceil(64), || AtomicU64::new(0));
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

    /// The bytes that carry sums.
    fn summed(&self) -> usize {
        self.words() + 16 * WORDS
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

    /// Those bytes, if their blocks are as they were written.
    #[inline(always)]
    fn bytes(&self, at: usize, count: usize) -> Option<&[u8]> {
        for block in at / BLOCK..=(at + count - 1) / BLOCK {
            let known = self.checked.get(block / 64)?.load(Ordering::Relaxed) >> (block % 64) & 1;
            if known == 0 && !self.check(block) {
                return None;
            }
        }
        self.body().get(at..at + count)
    }

    /// Holds a block against its sum.
    #[cold]
    #[inline(never)]
    fn check(&self, block: usize) -> bool {
        let (body, summed) = (self.body(), self.summed());
        let bytes = &body[(block * BLOCK).min(summed)..((block + 1) * BLOCK).min(summed)];
        let right = crc32fast::hash(bytes) == word_at(body, summed + 4 * block);
        if right {
            self.checked[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
        } else {
            self.damaged.store(true, Ordering::Relaxed);
        }
        right
    }

    /// Where the words of the index begin, and what they say about the board of that number: its place among those here.
    fn words(&self) -> usize {
        32 * self.entries + 5 * self.boards
    }

    #[inline(always)]
    fn place(&self, number: usize) -> Option<usize> {
        let word = self.bytes(self.words() + 16 * (number / 64), 16)?;
        let bits = number_at(word, 0);
        let before = (bits & ((1 << (number % 64)) - 1)).count_ones() as usize;
        (bits >> (number % 64) & 1 == 1).then(|| word_at(word, 8) as usize + before)
    }

    /// Where the eight sums with so many moves to go, at least one, are in the body.
    #[inline(always)]
    fn entry_at(&self, place: usize, moves: u32) -> Option<usize> {
        let starts = 32 * self.entries;
        let start = word_at(self.bytes(starts + 4 * place, 4)?, 0) as usize;
        let length = u32::from(self.bytes(starts + 4 * self.boards + place, 1)?[0]);
        Some(32 * (start + moves.clamp(1, length.max(1)) as usize - 1))
    }

    /// The eight sums of a canonical board that is not full, if it is here, with so many moves to go, at least one.
    #[inline]
    fn entry(&self, canonical: u32, moves: u32) -> Option<[u32; 8]> {
        let at = self.entry_at(self.place(number(canonical))?, moves)?;
        let entry = self.bytes(at, 32)?.as_chunks::<4>().0;
        Some(std::array::from_fn(|image| u32::from_le_bytes(entry[image])))
    }

    /// The sum of the values of all final boards, modulo 2^30, if the board's rank is here.
    ///
    /// # Errors
    /// If the part of the file that has it is damaged.
    #[inline]
    pub fn lookup(&self, board: Board, depth: u32) -> Result<Option<u32>, StoreError> {
        let [answer] = self.lookups([(board, depth)]);
        if answer.is_none() {
            self.whole_so_far()?;
        }
        Ok(answer)
    }

    /// Many of them, which is faster than one by one: what the next ones need comes in while the others are looked at.
    ///
    /// # Errors
    /// If a part of the file that has one is damaged.
    pub fn lookup_all(&self, questions: &[(Board, u32)]) -> Result<Vec<Option<u32>>, StoreError> {
        let (together, rest) = questions.as_chunks::<TOGETHER>();
        let mut answers = Vec::with_capacity(questions.len());
        together.iter().for_each(|questions| answers.extend(self.lookups(*questions)));
        rest.iter().for_each(|&question| answers.extend(self.lookups([question])));
        if answers.contains(&None) {
            self.whole_so_far()?;
        }
        Ok(answers)
    }

    /// The three reads of a look-up each wait for the one before, so each is made for all questions in turn. None where the
    /// rank is not here or the file is damaged.
    #[inline(always)]
    fn lookups<const N: usize>(&self, questions: [(Board, u32); N]) -> [Option<u32>; N] {
        let ahead = |at: usize| {
            if N > 1 {
                prefetch(self.body(), at);
            }
        };
        let starts = 32 * self.entries;
        let asked = questions.map(|(board, _)| {
            let (canonical, sym) = board.canonical();
            let number = number(canonical.bits());
            ahead(self.words() + 16 * (number / 64));
            (number, 4 * sym.inverse().index())
        });
        let places = asked.map(|(number, _)| {
            let place = self.place(number);
            ahead(starts + 4 * place.unwrap_or(0));
            ahead(starts + 4 * self.boards + place.unwrap_or(0));
            place
        });
        let entries: [_; N] = std::array::from_fn(|question| {
            let at = places[question].and_then(|place| self.entry_at(place, questions[question].1));
            ahead(at.unwrap_or(0) + asked[question].1);
            at
        });
        std::array::from_fn(|question| {
            let (board, depth) = questions[question];
            if depth == 0 || board.is_full() {
                return Some(board.value() & ((1 << 30) - 1));
            }
            Some(word_at(self.bytes(entries[question]? + asked[question].1, 4)?, 0) & ((1 << 30) - 1))
        })
    }

    fn whole_so_far(&self) -> Result<(), StoreError> {
        if self.damaged.load(Ordering::Relaxed) {
            return Err(StoreError::Checksum { path: self.path.clone(), part: "block that was read" });
        }
        Ok(())
    }

    /// The same for any board: from below a rank that is here, `scratch` goes as far as that rank.
    ///
    /// # Errors
    /// As [`lookup`](Self::lookup).
    pub fn sum(&self, scratch: &mut Scratch, board: Board, depth: u32) -> Result<u32, StoreError> {
        if let Some(sum) = self.lookup(board, depth)? {
            return Ok(sum);
        }
        let above = self.ranks >> board.rank() << board.rank();
        let barrier = if above == 0 { usize::MAX } else { above.trailing_zeros() as usize };
        let sum = scratch.sum_with_barrier(board, depth, barrier, self);
        self.whole_so_far().map(|()| sum)
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

#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk that is full after so many bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_an_error_wherever_it_happens_and_no_file_is_left() {
        let folder = std::env::temp_dir().join(format!("ninefold-full-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("table");
        let write = |room: usize| {
            store::write_whole(&path, KIND, |out| {
                write_body(&mut Full(room), Isa::detect(), 1, 1 << 48, &mut |_, _| {})?;
                out.write_all(b"not reached with too little room")
            })
        };
        // The values of rank 48, the starts, the lengths, the words, the sums, the trailer.
        for room in [0, 31, 100, 5_000_000, 10_090_000, 10_098_000, 10_098_400] {
            let error = write(room).unwrap_err().to_string();
            assert!(error.contains("table: no storage space"), "{room}: {error}");
            assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{room}");
        }
        write(11_000_000).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
    }
}
