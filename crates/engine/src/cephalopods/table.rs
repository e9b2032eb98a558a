//! The `table` engine: the sums of every canonical board for every number of moves, looked up; or of some ranks only, as
//! barriers that stop every question from below.
//!
//! ```text
//! body    values    32 bytes an entry: eight images, u32; a board's entries are 1, 2, .. longest moves to go
//!         starts    u32 a board: its first entry
//!         lengths   u8 a board: how many entries; more moves change nothing
//!         words     16 bytes for 64 boards in base 7: u64 which of them are present, u32 how many are before, u32 zero
//!         sums      u32 for each 4096 bytes of all that: its CRC-32
//!         trailer   u64 ranks (bit r: rank r is present), u64 entries, u64 boards, u32 CRC-32 of the three, u32 zero
//! ```
//!
//! All numbers are little-endian. Boards are numbered by their nine digits read in base 7, cell 8 first.
//!
//! A block of 4096 bytes is checked against its sum when it is first read, so an answer never comes from a damaged block, and
//! opening a file of 1.7 GB does not read it. Each further read tests one bit.
//!
//! The file is mapped. If another program cuts a mapped file short, reading the lost part ends the process (SIGBUS). So `sum`
//! and `lookup_all` check the length of the file at each call, `verify` does not read through the map, and only a cut during a
//! call is fatal. `bench/LOG.md` has the prices of reading without a map.
//!
//! Price: 42 to 56 ns a question if many are asked together, 194 to 218 ns one by one.

mod build;
#[cfg(feature = "files")]
mod write;

pub use build::{Built, Slab, build};
#[cfg(feature = "files")]
pub use write::write;

use super::MODULUS;
use super::path_sum::{Barrier, PathSum};
use crate::error::Error;
use crate::store::{self, Kind, StoreError};
use cephalopods::{Board, tables};
use grid::simd::prefetch;
use search::Control;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const KIND: Kind = Kind { name: *b"nf-cephs", words: "table of Cephalopods", version: 2 };
const BOARDS: usize = 40_353_607;
const WORDS: usize = BOARDS.div_ceil(64);
const TRAILER: usize = 32;
const BLOCK: usize = 4096;
/// Questions that are looked up together.
const TOGETHER: usize = 32;
/// Bytes that [`Table::verify`] reads between two looks at the control.
const BETWEEN_CHECKS: usize = 1 << 20;

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

/// A table, in memory or mapped.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    bytes: Bytes,
    ranks: Ranks,
    entries: usize,
    boards: usize,
    /// A bit for each block: whether it was checked against its sum.
    checked: Vec<AtomicU64>,
    /// Whether one did not match.
    damaged: AtomicBool,
}

#[derive(Debug)]
enum Bytes {
    #[cfg(feature = "files")]
    Mapped(std::fs::File, memmap2::Mmap),
    Owned(Vec<u8>),
}

impl Table {
    /// Maps the table at `path`. Only the header and the trailer are checked now, and each block when it is first read.
    ///
    /// # Errors
    /// If the file is missing, damaged, cut, or of another kind or version.
    #[cfg(feature = "files")]
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let (file, map) = crate::map::file(path)?;
        Self::over(path, Bytes::Mapped(file, map))
    }

    /// A whole file that is in memory. The path is only for messages.
    ///
    /// # Errors
    /// As `open`.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, StoreError> {
        Self::over(path, Bytes::Owned(bytes))
    }

    fn over(path: &Path, bytes: Bytes) -> Result<Self, StoreError> {
        let mut table = Self {
            path: path.to_owned(),
            bytes,
            ranks: 0,
            entries: 0,
            boards: 0,
            checked: Vec::new(),
            damaged: AtomicBool::new(false),
        };
        let body = store::open(path, KIND, table.whole(), false)?;
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
            #[cfg(feature = "files")]
            Bytes::Mapped(_, map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }

    /// An error if the file has become shorter since it was mapped.
    fn check_length(&self) -> Result<(), StoreError> {
        #[cfg(feature = "files")]
        if let Bytes::Mapped(file, map) = &self.bytes {
            let found = file.metadata().map_err(|error| StoreError::io(&self.path, error))?.len();
            if found < map.len() as u64 {
                return Err(StoreError::Length { path: self.path.clone(), found, expected: map.len() as u64 });
            }
        }
        Ok(())
    }

    /// Copies a part of the file, not through the map where the system can do without.
    fn read(&self, at: usize, bytes: &mut [u8]) -> Result<(), StoreError> {
        #[cfg(all(feature = "files", unix))]
        if let Bytes::Mapped(file, _) = &self.bytes {
            let read = std::os::unix::fs::FileExt::read_exact_at(file, bytes, at as u64);
            return read.map_err(|error| StoreError::io(&self.path, error));
        }
        bytes.copy_from_slice(&self.whole()[at..at + bytes.len()]);
        Ok(())
    }

    #[inline(always)]
    fn body(&self) -> &[u8] {
        &self.whole()[store::HEADER_BYTES..]
    }

    /// The number of bytes that have block sums.
    fn summed(&self) -> usize {
        self.words() + 16 * WORDS
    }

    /// Reads the whole file and compares its checksum. The control's listener hears how many bytes are done.
    ///
    /// # Errors
    /// If the checksum does not match, the file has become shorter, or the control stops the call.
    pub fn verify(&self, control: &Control<'_>) -> Result<(), Error> {
        let length = self.whole().len();
        let mut head = [0; store::HEADER_BYTES];
        self.read(0, &mut head)?;
        let (mut sum, mut part) = (crc32fast::Hasher::new(), vec![0; BETWEEN_CHECKS]);
        for at in (store::HEADER_BYTES..length).step_by(BETWEEN_CHECKS) {
            control.check()?;
            control.report((at - store::HEADER_BYTES) as u64, (length - store::HEADER_BYTES) as u64);
            self.check_length()?;
            let part = &mut part[..BETWEEN_CHECKS.min(length - at)];
            self.read(at, part)?;
            sum.update(part);
        }
        if store::body_sum(&head) == Some(sum.finalize()) {
            Ok(())
        } else {
            Err(StoreError::Checksum { path: self.path.clone(), part: "body" }.into())
        }
    }

    /// The ranks that are present.
    #[must_use]
    pub fn ranks(&self) -> Ranks {
        self.ranks
    }

    /// The number of boards and of entries.
    #[must_use]
    pub fn size(&self) -> Built {
        Built { boards: self.boards as u64, entries: self.entries as u64 }
    }

    /// The size of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.whole().len() as u64
    }

    /// Those bytes of the body, if their blocks are undamaged.
    #[inline(always)]
    fn checked_bytes(&self, at: usize, count: usize) -> Option<&[u8]> {
        for block in at / BLOCK..=(at + count - 1) / BLOCK {
            let known = self.checked.get(block / 64).map_or(0, |word| word.load(Ordering::Relaxed) >> (block % 64) & 1);
            if known == 0 && !self.check(block) {
                return None;
            }
        }
        self.body().get(at..at + count)
    }

    /// Checks a block against its sum.
    #[cold]
    #[inline(never)]
    fn check(&self, block: usize) -> bool {
        let (body, summed) = (self.body(), self.summed());
        let bytes = &body[(block * BLOCK).min(summed)..((block + 1) * BLOCK).min(summed)];
        // An index that points behind the end is damaged, even if its own block has the right sum.
        let right = block * BLOCK < summed && crc32fast::hash(bytes) == word_at(body, summed + 4 * block);
        if right {
            self.checked[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
        } else {
            self.damaged.store(true, Ordering::Relaxed);
        }
        right
    }

    /// Where the words of the index begin.
    fn words(&self) -> usize {
        32 * self.entries + 5 * self.boards
    }

    /// The position of the board of that number among those that are present.
    #[inline(always)]
    fn position(&self, number: usize) -> Option<usize> {
        let word = self.checked_bytes(self.words() + 16 * (number / 64), 16)?;
        let bits = number_at(word, 0);
        let before = (bits & ((1 << (number % 64)) - 1)).count_ones() as usize;
        (bits >> (number % 64) & 1 == 1).then(|| word_at(word, 8) as usize + before)
    }

    /// Where the eight sums with this number of moves to go, at least one, are in the body.
    #[inline(always)]
    fn entry_at(&self, position: usize, moves: u32) -> Option<usize> {
        let starts = 32 * self.entries;
        let start = word_at(self.checked_bytes(starts + 4 * position, 4)?, 0) as usize;
        let length = u32::from(self.checked_bytes(starts + 4 * self.boards + position, 1)?[0]);
        Some(32 * (start + moves.clamp(1, length.max(1)) as usize - 1))
    }

    /// The eight sums of a canonical board that is not full, with at least one move to go, if it is present.
    #[inline]
    fn entry(&self, canonical: u32, moves: u32) -> Option<[u32; 8]> {
        let at = self.entry_at(self.position(number(canonical))?, moves)?;
        let entry = self.checked_bytes(at, 32)?.as_chunks::<4>().0;
        Some(std::array::from_fn(|image| u32::from_le_bytes(entry[image])))
    }

    /// The sum of the values of all final boards, modulo 2^30, if the board's rank is present. Unlike the other questions it
    /// does not check the length of the file first, which would take longer than the look-up.
    ///
    /// # Errors
    /// If the part of the file that has it is damaged.
    #[inline]
    pub fn lookup(&self, board: Board, depth: u32) -> Result<Option<u32>, StoreError> {
        let [answer] = self.lookups([(board, depth)]);
        if answer.is_none() {
            self.undamaged_so_far()?;
        }
        Ok(answer)
    }

    /// The sums of many questions, faster than one by one: each read is prefetched for the next questions.
    ///
    /// # Errors
    /// If a part of the file that has one of them is damaged, or the file has become shorter.
    pub fn lookup_all(&self, questions: &[(Board, u32)]) -> Result<Vec<Option<u32>>, StoreError> {
        self.check_length()?;
        let (together, rest) = questions.as_chunks::<TOGETHER>();
        let mut answers = Vec::with_capacity(questions.len());
        together.iter().for_each(|questions| answers.extend(self.lookups(*questions)));
        rest.iter().for_each(|&question| answers.extend(self.lookups([question])));
        if answers.contains(&None) {
            self.undamaged_so_far()?;
        }
        Ok(answers)
    }

    /// The three reads of a look-up depend on each other, so each is made for all questions in turn. `None` where the rank is
    /// not present or the file is damaged.
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
        let positions = asked.map(|(number, _)| {
            let position = self.position(number);
            ahead(starts + 4 * position.unwrap_or(0));
            ahead(starts + 4 * self.boards + position.unwrap_or(0));
            position
        });
        let entries: [_; N] = std::array::from_fn(|question| {
            let at = positions[question].and_then(|position| self.entry_at(position, questions[question].1));
            ahead(at.unwrap_or(0) + asked[question].1);
            at
        });
        std::array::from_fn(|question| {
            let (board, depth) = questions[question];
            if depth == 0 || board.is_full() {
                return Some(board.value() % MODULUS);
            }
            Some(word_at(self.checked_bytes(entries[question]? + asked[question].1, 4)?, 0) % MODULUS)
        })
    }

    fn undamaged_so_far(&self) -> Result<(), StoreError> {
        if self.damaged.load(Ordering::Relaxed) {
            return Err(StoreError::Checksum { path: self.path.clone(), part: "block that was read" });
        }
        Ok(())
    }

    /// The same for any board: from a rank below those of the table, `path_sum` goes as far as the table.
    ///
    /// # Errors
    /// If the control stops the call, there is no memory, the part of the file that is needed is damaged, or the file has become
    /// shorter.
    pub fn sum(&self, path_sum: &mut PathSum, board: Board, depth: u32, control: &Control<'_>) -> Result<u32, Error> {
        self.check_length()?;
        if let Some(sum) = self.lookup(board, depth)? {
            return Ok(sum);
        }
        let above = self.ranks >> board.rank() << board.rank();
        let barrier = if above == 0 { usize::MAX } else { above.trailing_zeros() as usize };
        let sum = path_sum.sum_with_barrier(board, depth, barrier, self, control)?;
        // A damaged block counts as zeros in the sum.
        self.undamaged_so_far()?;
        Ok(sum)
    }
}

impl Barrier for Table {
    fn sums(&self, board: u32, moves: u32) -> [u32; 8] {
        self.entry(board, moves).unwrap_or_default()
    }
}

#[inline(always)]
fn number_at(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes.get(at..).and_then(|bytes| bytes.first_chunk());
    debug_assert!(bytes.is_some(), "the caller checked the length");
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u32 {
    let bytes = bytes.get(at..).and_then(|bytes| bytes.first_chunk());
    debug_assert!(bytes.is_some(), "the caller checked the length");
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
