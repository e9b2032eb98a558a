//! The table of proof numbers: one cache line per probe, shared by all threads without locks.
//!
//! ```text
//! line     four entries of two words: check, data      64 bytes
//! check    key ^ data: a pair torn by two threads matches no key and is a miss
//! data     bits  0..28  phi: what the mover still has to prove; all ones: the mover's goal is out of reach
//!               28..56  delta: the same for the other side
//!               56..64  1 + the logarithm of the nodes this took: how long the entry is kept
//! ```
//!
//! The table of `search` holds 48 bits under the hash of a game. Here both numbers take 56, the key says whose attack it is,
//! the memory is in huge pages, and entries can be written to a file and read back.
//!
//! # The chance of an error
//!
//! The key is a 64-bit hash. Line and check together compare all 64 bits, so a probe that should miss hits one of `entries`
//! stored keys with probability `entries / 2^64`. A visited node probes for each child that masks do not decide, about 8,
//! and once for itself. By the union bound at least one false hit among `nodes` visited nodes has a chance of at most
//!
//! ```text
//! error = 9 * nodes * entries / 2^64
//! ```
//!
//! `nodes` counts since the table was empty, because a result may rest on entries of earlier calls; `entries` is the room of
//! the lines in use. With 256 MiB (2^24 entries): 10^6 nodes 8e-6, 10^9 nodes 0.8 %. A false hit need not matter for the
//! value, so the bound is generous. A certificate that was checked needs no bound.

use super::memory::{LINE_BYTES, LINE_WORDS, Line, Memory};
use crate::value::Certainty;
use search::OutOfMemory;
use search::word::Word;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// More than any number of leaves.
pub(super) const INFINITE: u32 = (1 << 28) - 1;

const ENTRIES: usize = 4;
const PROBES_PER_NODE: f64 = 9.0;
const KEYS: f64 = 18_446_744_073_709_551_616.0;

/// What the mover and the other side still have to prove. One is 0 exactly when the other is infinite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub(super) phi: u32,
    pub(super) delta: u32,
}

impl Numbers {
    pub(super) const REACHED: Self = Self { phi: 0, delta: INFINITE };
    pub(super) const REFUTED: Self = Self { phi: INFINITE, delta: 0 };
}

/// The table. Short proofs use only its first lines: every probe may touch another huge page, and for a large table the
/// system needs longer to clear all pages than the solver needs for most endgames.
pub(super) struct ProofTable {
    memory: Memory,
    /// Lines in use.
    lines: usize,
    /// Nodes visited since the table was empty: an upper bound on stored positions.
    visited: u64,
}

/// Lines in use at first.
const FIRST_LINES: usize = (4 << 20) / LINE_BYTES;
/// How many times as many lines the next step uses.
const GROWTH: usize = 4;

impl ProofTable {
    /// A table of at most this number of bytes, at least one line.
    pub(super) fn new(bytes: usize) -> Result<Self, OutOfMemory> {
        let lines = (bytes / LINE_BYTES).max(1);
        Ok(Self { memory: Memory::new(lines)?, lines: FIRST_LINES.min(lines), visited: 0 })
    }

    /// Bytes of the table.
    pub(super) fn bytes(&mut self) -> usize {
        self.memory.lines().len() * LINE_BYTES
    }

    /// Empties the table by writing all of it.
    pub(super) fn clear(&mut self) {
        let lines = self.memory.lines();
        clear(lines);
        (self.lines, self.visited) = (lines.len(), 0);
    }

    /// Counts nodes that were visited.
    pub(super) fn count(&mut self, nodes: u64) {
        self.visited = self.visited.saturating_add(nodes);
    }

    /// Nodes visited since the table was empty.
    #[cfg(feature = "files")]
    pub(super) fn visited(&self) -> u64 {
        self.visited
    }

    /// How sure a result is that rests on the table.
    pub(super) fn certainty(&self) -> Certainty {
        let (nodes, entries) = (self.visited as f64, (self.lines * ENTRIES) as f64);
        Certainty::Hashed { error: (PROBES_PER_NODE * nodes * entries / KEYS).min(1.0) }
    }

    /// How many further nodes may be visited before the table should grow; `None` if it uses all its lines.
    pub(super) fn room(&mut self) -> Option<u64> {
        let most = self.memory.lines().len();
        (self.lines < most).then(|| self.half().saturating_sub(self.visited))
    }

    /// Half of the entries in use: a fuller table loses entries.
    fn half(&self) -> u64 {
        (self.lines * ENTRIES / 2) as u64
    }

    /// Makes room for this number of further positions, if the table does not use all its lines yet.
    ///
    /// The table grows by steps, because its entries spread over all lines in use and the system clears a page when it is
    /// first touched: 4 GiB at once took 14 s, whatever the time limit. By steps, a node costs at most 128 bytes.
    pub(super) fn make_room(&mut self, positions: u64) {
        let (most, before) = (self.memory.lines().len(), self.lines);
        while self.lines < most && self.visited.saturating_add(positions) > self.half() {
            self.lines = self.lines.saturating_mul(GROWTH).min(most);
        }
        if self.lines == before {
            return;
        }
        let small = Shared { lines: &self.memory.lines()[..before] };
        let entries: Vec<_> = small.entries().collect();
        clear(&mut self.memory.lines()[..before]);
        let table = self.share();
        entries.iter().for_each(|&(key, data)| table.put(key, data));
    }

    /// The table as threads share it.
    pub(super) fn share(&mut self) -> Shared<'_> {
        Shared { lines: &self.memory.lines()[..self.lines] }
    }
}

fn clear(lines: &mut [Line]) {
    lines.as_flattened_mut().iter_mut().for_each(|word| *word.get_mut() = 0);
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

    /// The numbers stored under a key.
    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Numbers> {
        let data = find(self.line(key), key)?;
        Some(Numbers { phi: data as u32 & INFINITE, delta: (data >> 28) as u32 & INFINITE })
    }

    /// Stores the numbers that took `work` nodes; the entry of the line that took least gives way.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, numbers: Numbers, work: u64) {
        debug_assert!(numbers.phi <= INFINITE && numbers.delta <= INFINITE, "28 bits each");
        let effort = u64::from(64 - work.max(1).leading_zeros());
        self.put(key, u64::from(numbers.phi) | u64::from(numbers.delta) << 28 | effort << 56);
    }

    /// Stores an entry of [`entries`](Self::entries). A smaller table keeps the entries that took most.
    #[inline(always)]
    pub(super) fn put(&self, key: u64, new: u64) {
        put(self.line(key), key, new);
    }

    /// Every entry: key and data.
    pub(super) fn entries(&self) -> impl Iterator<Item = (u64, u64)> {
        let words = |pair: &[AtomicU64; 2]| (pair[0].load(Relaxed), pair[1].load(Relaxed));
        let pairs = self.lines.as_flattened().as_chunks::<2>().0.iter().map(words);
        pairs.filter(|(_, data)| *data != 0).map(|(check, data)| (check ^ data, data))
    }
}

/// The data word under a key.
#[inline(always)]
fn find<W: Word>(line: &[W; LINE_WORDS], key: u64) -> Option<u64> {
    for entry in line.chunks_exact(2) {
        let data = entry[1].load(Relaxed);
        if entry[0].load(Relaxed) ^ data == key && data != 0 {
            return Some(data);
        }
    }
    None
}

/// Stores a data word. Without a free entry the one that took least gives way.
#[inline(always)]
fn put<W: Word>(line: &[W; LINE_WORDS], key: u64, new: u64) {
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

/// The entry under `loom`: every order of loads and stores of three threads, with at most this number of preemptions.
#[cfg(test)]
mod loom_model {
    use super::*;
    use grid::mix;
    use loom::sync::Arc;
    use loom::sync::atomic::AtomicU64 as ModelWord;
    use std::sync::atomic::Ordering;

    const PREEMPTIONS: usize = 3;

    struct Modelled(ModelWord);

    impl Word for Modelled {
        fn load(&self, order: Ordering) -> u64 {
            self.0.load(order)
        }

        fn store(&self, value: u64, order: Ordering) {
            self.0.store(value, order);
        }
    }

    type ModelLine = [Modelled; LINE_WORDS];
    /// A store and a probe: those of the table, or wrong ones that the model must find out.
    type Entry = (fn(&ModelLine, u64, u64), fn(&ModelLine, u64) -> Option<u64>);

    /// A data word that only the thread of this number stores: both numbers and one node.
    fn data(thread: u64) -> u64 {
        1 << 56 | 7 << 28 | (0xabc + thread)
    }

    /// Two threads store under their keys into a line that has `full` other entries, while the first thread probes for
    /// both keys. A hit must be a word that was stored under that key.
    fn probe_while_two_store((put, find): Entry, keys: [u64; 2], full: u64) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(PREEMPTIONS);
        model.check(move || {
            let line: Arc<ModelLine> = Arc::new(std::array::from_fn(|_| Modelled(ModelWord::new(0))));
            (0..full).for_each(|number| put(&line, mix(10 + number), data(10 + number)));
            let threads = [0, 1].map(|thread| {
                let line = Arc::clone(&line);
                loom::thread::spawn(move || put(&line, keys[thread], data(thread as u64)))
            });
            for key in keys {
                let found = find(&line, key);
                let mut stored = (0..2).filter(|&thread| keys[thread] == key).map(|thread| data(thread as u64));
                assert!(found.is_none_or(|found| stored.any(|data| data == found)), "{found:x?} under {key:x}");
            }
            threads.into_iter().for_each(|thread| thread.join().expect("a thread that only stores"));
        });
    }

    #[test]
    #[ignore = "slow; `cargo xtask test loom` runs it"]
    fn a_torn_entry_is_a_miss() {
        let entry: Entry = (put, find);
        probe_while_two_store(entry, [mix(1), mix(2)], 0);
        probe_while_two_store(entry, [mix(1), mix(2)], 4);
        probe_while_two_store(entry, [mix(1), mix(1)], 3);
    }

    /// Without the exclusive or, a torn entry is a wrong hit, and the model finds it.
    #[test]
    #[ignore = "slow; `cargo xtask test loom` runs it"]
    #[should_panic(expected = "under")]
    fn the_model_finds_a_torn_entry() {
        let plain_put = |line: &ModelLine, key: u64, new: u64| {
            line[1].store(new, Relaxed);
            line[0].store(key, Relaxed);
        };
        let plain_find = |line: &ModelLine, key: u64| {
            let data = line[1].load(Relaxed);
            (line[0].load(Relaxed) == key).then_some(data)
        };
        probe_while_two_store((plain_put, plain_find), [mix(1), mix(2)], 0);
    }
}
