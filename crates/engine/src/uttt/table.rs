//! The table of proof numbers: one cache line a probe, in huge pages, shared by all threads without locks.
//!
//! ```text
//! line     four entries of two words: check, data      64 bytes
//! check    key ^ data: a pair torn by two threads matches no key and is a miss
//! data     bits  0..28  what the mover still needs to get his way (phi); all ones: he cannot
//!               28..56  what the other still needs (delta); all ones: he cannot
//!               56..64  1 + the logarithm of the positions this took: how long it is kept
//! ```
//!
//! The table of `search` holds 48 bits under the hash of a game; here both numbers take 56 and the key says whose attack
//! it is, the memory is asked for in huge pages, since every probe of a large table misses, and entries can be written to a
//! file and read back.

use memmap2::MmapMut;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use zerocopy::FromBytes;

/// More than any number of leaves.
pub(super) const INFINITE: u32 = (1 << 28) - 1;

const LINE_BYTES: usize = 64;
const ENTRIES: usize = 4;
type Line = [AtomicU64; 2 * ENTRIES];

/// What the mover needs, what the other needs. One is 0 exactly when the other is infinite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub(super) phi: u32,
    pub(super) delta: u32,
}

impl Numbers {
    pub(super) const REACHED: Self = Self { phi: 0, delta: INFINITE };
    pub(super) const REFUTED: Self = Self { phi: INFINITE, delta: 0 };
}

/// The memory. Short proofs use only the first lines of it: every probe may touch another huge page, and to clear all pages of
/// a large table takes the system longer than most endgames take the solver.
pub(super) struct ProofTable {
    map: MmapMut,
    /// Lines in use.
    lines: usize,
    /// Positions kept so far, or more.
    kept: u64,
}

/// Lines in use at first.
const FIRST_LINES: usize = (4 << 20) / LINE_BYTES;

impl ProofTable {
    /// A table of at most so many bytes, at least one line. The system gives the memory as it is written.
    pub(super) fn new(bytes: usize) -> io::Result<Self> {
        let map = MmapMut::map_anon((bytes / LINE_BYTES).max(1) * LINE_BYTES)?;
        // Only a hint: without huge pages the table is slower, not wrong.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        let lines = FIRST_LINES.min(map.len() / LINE_BYTES);
        Ok(Self { map, lines, kept: 0 })
    }

    /// Empties the table by writing all of it.
    pub(super) fn clear(&mut self) {
        self.map.fill(0);
        self.lines = self.map.len() / LINE_BYTES;
    }

    /// Counts positions that were searched.
    pub(super) fn count(&mut self, positions: u64) {
        self.kept = self.kept.saturating_add(positions);
    }

    /// Makes room for so many positions more, if the table has not yet all its lines.
    pub(super) fn make_room(&mut self, positions: u64) {
        let most = self.map.len() / LINE_BYTES;
        if self.lines == most || self.kept.saturating_add(positions) <= (self.lines * ENTRIES / 2) as u64 {
            return;
        }
        let mut entries = Vec::new();
        // Writing to memory does not fail.
        let _ = self.share().write(&mut entries);
        self.map[..self.lines * LINE_BYTES].fill(0);
        self.lines = most;
        self.share().read(&entries);
    }

    /// The table as threads share it.
    pub(super) fn share(&mut self) -> Shared<'_> {
        // Anonymous maps begin on a page and were cut to whole lines.
        let used = &mut self.map[..self.lines * LINE_BYTES];
        let lines = <[Line]>::mut_from_bytes(used).expect("whole, aligned lines");
        Shared { lines }
    }
}

/// A table under search.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    lines: &'a [Line],
}

impl Shared<'_> {
    #[inline(always)]
    fn line(&self, key: u64) -> &Line {
        // The high half of the product: any number of lines for one multiplication.
        &self.lines[((u128::from(key) * self.lines.len() as u128) >> 64) as usize]
    }

    /// Asks for the line of a key ahead of its probe.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        grid::simd::prefetch(std::slice::from_ref(self.line(key)), 0);
    }

    /// The numbers kept under a key.
    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Numbers> {
        let line = self.line(key);
        for entry in line.chunks_exact(2) {
            let data = entry[1].load(Relaxed);
            if entry[0].load(Relaxed) ^ data == key && data != 0 {
                return Some(Numbers { phi: data as u32 & INFINITE, delta: (data >> 28) as u32 & INFINITE });
            }
        }
        None
    }

    /// Keeps the numbers that took `work` positions; the entry of the line that took least gives way.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, numbers: Numbers, work: u64) {
        let worth = u64::from(64 - work.max(1).leading_zeros());
        self.put(key, u64::from(numbers.phi) | u64::from(numbers.delta) << 28 | worth << 56);
    }

    #[inline(always)]
    fn put(&self, key: u64, new: u64) {
        let line = self.line(key);
        let mut victim = (0, u64::MAX);
        for place in 0..ENTRIES {
            let data = line[2 * place + 1].load(Relaxed);
            if data == 0 || line[2 * place].load(Relaxed) ^ data == key {
                victim.0 = place;
                break;
            }
            if data >> 56 < victim.1 {
                victim = (place, data >> 56);
            }
        }
        line[2 * victim.0 + 1].store(new, Relaxed);
        line[2 * victim.0].store(key ^ new, Relaxed);
    }

    /// Writes every entry as key and data.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for entry in self.lines.iter().flat_map(|line| line.chunks_exact(2)) {
            let data = entry[1].load(Relaxed);
            if data != 0 {
                out.write_all(&(entry[0].load(Relaxed) ^ data).to_le_bytes())?;
                out.write_all(&data.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Takes entries written by [`write`](Self::write); a smaller table keeps those that took most.
    pub(super) fn read(&self, bytes: &[u8]) {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        for entry in bytes.chunks_exact(16) {
            self.put(word(&entry[..8]), word(&entry[8..]));
        }
    }
}
