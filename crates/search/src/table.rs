//! The transposition table: results of positions, kept for when another move order reaches the same position.
//!
//! A bucket is one cache line, so a probe costs at most one miss. It holds four entries of two words:
//!
//! ```text
//! word     0        1        2        3        4        5        6        7
//!      +--------+--------+--------+--------+--------+--------+--------+--------+
//!      | check0 | check1 | check2 | check3 | data0  | data1  | data2  | data3  |   64 bytes, aligned to 64
//!      +--------+--------+--------+--------+--------+--------+--------+--------+
//!
//! check = key word ^ data
//! data  = record (bits 16..64) | priority (bits 8..16) | age (bits 0..8, never 0 in a live entry)
//! ```
//!
//! Threads share the table without locks: every word is a relaxed atomic. If two threads write one entry at the same
//! time, it may hold the check word of one and the data word of the other. The xor of such a torn pair does not match,
//! so it is a miss, not a wrong answer.

use crate::word::Word;
use grid::{ExactKey, Game, mix};
use std::fmt;
use std::hint::select_unpredictable;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use zerocopy::FromZeros;

/// A key without collisions: the word is a bijection of [`ExactKey::key`] and is stored in full, so a hit is certain as
/// long as only one thread writes at a time.
///
/// A torn pair passes as a hit only if the two mixed keys, which agree in the bucket, differ by exactly the difference
/// of the two data words. The probability is `buckets / 2^64` per torn pair: 2^-40 in a table of 1 GiB. For certainty
/// with several threads, give each its own table.
#[derive(Clone, Copy, Debug)]
pub enum Exact {}

/// A verified hash: all 64 bits of [`Game::hash`] are stored and compared.
///
/// Two positions are confused if all 64 bits agree. A probe that should miss hits with probability `entries / 2^64`:
/// 2^-38 for a full table of 1 GiB (2^26 entries). A search of 10^9 probes then errs with probability 0.4 %, one of
/// 10^6 with 4 in a million.
#[derive(Clone, Copy, Debug)]
pub enum Hashed {}

/// How to compute a key word of kind `Self`.
pub trait Keying<G: Game>: Sized {
    /// The key word.
    fn key(game: &G, position: &G::Position) -> Key<Self>;
}

/// The key word of a position, for a table of kind `K`.
pub struct Key<K>(u64, PhantomData<K>);

impl<K> Clone for Key<K> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Key<K> {}

impl<G: ExactKey> Keying<G> for Exact {
    #[inline]
    fn key(game: &G, position: &G::Position) -> Key<Self> {
        Key(mix(game.key(position)), PhantomData)
    }
}

impl<G: Game> Keying<G> for Hashed {
    #[inline]
    fn key(game: &G, position: &G::Position) -> Key<Self> {
        Key(game.hash(position), PhantomData)
    }
}

/// What a table stores about a position, in at most 48 bits.
pub trait Record: Copy {
    /// Packs the record into a word below `2^48`.
    fn pack(self) -> u64;
    /// The inverse: `unpack(pack(record)) == record`.
    fn unpack(word: u64) -> Self;
}

/// Largest width of a packed record, in bits.
pub const RECORD_BITS: u32 = 48;

const ENTRIES: usize = 4;
const WORDS: usize = 2 * ENTRIES;
/// Bytes of a bucket: one cache line.
pub const BUCKET_BYTES: usize = 8 * WORDS;
const _: () = assert!(size_of::<[AtomicU64; WORDS]>() == 64 && BUCKET_BYTES == 64);

/// There is not enough memory for the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// The requested size.
    pub bytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "no memory for {} bytes", self.bytes)
    }
}

impl std::error::Error for OutOfMemory {}

/// A table of records `R` under keys of kind `K`.
///
/// ```
/// use ninefold_search::table::{Exact, Keying, Record, Table};
/// use grid::Game;
/// # use oracle::tictactoe::TicTacToe;
///
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// struct Seen(u8);
/// impl Record for Seen {
///     fn pack(self) -> u64 { self.0.into() }
///     fn unpack(word: u64) -> Self { Seen(word as u8) }
/// }
///
/// let table = Table::<Exact, Seen>::with_mib(1)?;
/// let key = Exact::key(&TicTacToe, &TicTacToe.start());
/// assert_eq!(table.probe(key), None);
/// table.store(key, 9, Seen(42));
/// assert_eq!(table.probe(key), Some((Seen(42), 9)));
/// # Ok::<(), ninefold_search::table::OutOfMemory>(())
/// ```
pub struct Table<K, R> {
    words: Box<[AtomicU64]>,
    /// Index of the first cache-aligned word.
    first: usize,
    buckets: usize,
    age: AtomicU8,
    kind: PhantomData<fn(K) -> R>,
}

impl<K, R: Record> Table<K, R> {
    /// A table of at most this number of bytes, with at least one bucket.
    ///
    /// The system provides zero pages on first write, so a large table costs nothing until it fills.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn with_bytes(bytes: usize) -> Result<Self, OutOfMemory> {
        let buckets = (bytes / BUCKET_BYTES).max(1);
        // One cache line more than needed, minus a word: the first aligned line starts within the first eight words.
        let words =
            <[AtomicU64]>::new_box_zeroed_with_elems(buckets * WORDS + WORDS - 1).map_err(|_| OutOfMemory { bytes })?;
        let first = words.as_ptr().align_offset(BUCKET_BYTES);
        assert!(first < WORDS, "a word can always be brought to a line's start");
        Ok(Self { words, first, buckets, age: AtomicU8::new(1), kind: PhantomData })
    }

    /// [`with_bytes`](Self::with_bytes) of this number of MiB.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn with_mib(mib: usize) -> Result<Self, OutOfMemory> {
        Self::with_bytes(mib.checked_mul(1 << 20).ok_or(OutOfMemory { bytes: usize::MAX })?)
    }

    /// Number of entries the table has room for.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.buckets * ENTRIES
    }

    /// Starts a new search: older entries stay readable but are replaced first.
    pub fn next_search(&self) {
        let age = self.age.load(Relaxed);
        self.age.store(if age == u8::MAX { 1 } else { age + 1 }, Relaxed);
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
    }

    #[inline]
    fn bucket(&self, key: Key<K>) -> &[AtomicU64; WORDS] {
        // The high half of the product maps a key to any number of buckets, not only powers of two, with one
        // multiplication.
        let index = ((u128::from(key.0) * self.buckets as u128) >> 64) as usize;
        let start = self.first + index * WORDS;
        self.words[start..start + WORDS].try_into().expect("a slice of that length")
    }

    /// Prefetches the bucket of a key that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, key: Key<K>) {
        grid::simd::prefetch(self.bucket(key), 0);
    }

    /// The record under this key, and its priority.
    ///
    /// Four comparisons and four selections without a branch: the matching slot is unpredictable, and a misprediction
    /// costs more than an early exit saves. In cache this is 1.9 times as fast as leaving at the first match, and 1.4
    /// to 1.8 times as fast as one vector comparison, whose words must come through atomic loads one by one (`cargo
    /// bench -p ninefold-search`).
    #[inline]
    #[must_use]
    pub fn probe(&self, key: Key<K>) -> Option<(R, u8)> {
        let found = find(self.bucket(key), key.0);
        (found != 0).then(|| (R::unpack(found >> 16), (found >> 8) as u8))
    }

    /// Stores a record. An entry with the same key is overwritten; otherwise the entry of lowest priority is replaced.
    /// One search of age costs [`AGE_WEIGHT`] of priority.
    #[inline]
    pub fn store(&self, key: Key<K>, priority: u8, record: R) {
        let bucket = self.bucket(key);
        let age = self.age.load(Relaxed);
        let packed = record.pack();
        debug_assert!(packed >> RECORD_BITS == 0, "a record has at most 48 bits");
        let new = packed << 16 | u64::from(priority) << 8 | u64::from(age);
        put(bucket, key.0, new);
    }
}

/// The data word under a key word; 0 if there is none.
#[inline(always)]
fn find<W: Word>(bucket: &[W; WORDS], key: u64) -> u64 {
    let mut found = 0;
    // Backwards, so that the first match wins: key word 0 also matches the empty entries, which come last.
    for place in (0..ENTRIES).rev() {
        let data = bucket[ENTRIES + place].load(Relaxed);
        let same = bucket[place].load(Relaxed) ^ data == key;
        found = select_unpredictable(same, data, found);
    }
    found
}

/// Stores a data word of the current age.
#[inline(always)]
fn put<W: Word>(bucket: &[W; WORDS], key: u64, new: u64) {
    let [age, ..] = new.to_le_bytes();
    let mut victim = (0, i32::MAX);
    for place in 0..ENTRIES {
        let data = bucket[ENTRIES + place].load(Relaxed);
        if data == 0 || bucket[place].load(Relaxed) ^ data == key {
            victim.0 = place;
            break;
        }
        let [entry_age, entry_priority, ..] = data.to_le_bytes();
        let searches_ago = (i32::from(age) - i32::from(entry_age)).rem_euclid(255);
        let kept_for = i32::from(entry_priority) - AGE_WEIGHT * searches_ago;
        if kept_for < victim.1 {
            victim = (place, kept_for);
        }
    }
    bucket[ENTRIES + victim.0].store(new, Relaxed);
    bucket[victim.0].store(key ^ new, Relaxed);
}

/// Priority that an entry loses with each new search.
pub const AGE_WEIGHT: i32 = 16;

impl<K, R> fmt::Debug for Table<K, R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Table").field("buckets", &self.buckets).finish_non_exhaustive()
    }
}

/// The entry under `loom`: every order of loads and stores of three threads, with at most this number of preemptions.
#[cfg(test)]
mod loom_model {
    use super::*;
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

    type Bucket = [Modelled; WORDS];
    /// A store and a probe: those of the table, or wrong ones that the model must find out.
    type Entry = (fn(&Bucket, u64, u64), fn(&Bucket, u64) -> u64);

    /// A data word that only the thread of this number stores: record, priority 1, age 1.
    fn data(thread: u64) -> u64 {
        (0xabc + thread) << 16 | 0x0101
    }

    /// Two threads store under their keys into a bucket that has `full` other entries, while the first thread probes for
    /// both keys. A hit must be a word that was stored under that key.
    fn probe_while_two_store((put, find): Entry, keys: [u64; 2], full: u64) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(PREEMPTIONS);
        model.check(move || {
            let bucket: Arc<Bucket> = Arc::new(std::array::from_fn(|_| Modelled(ModelWord::new(0))));
            (0..full).for_each(|number| put(&bucket, mix(10 + number), data(10 + number)));
            let threads = [0, 1].map(|thread| {
                let bucket = Arc::clone(&bucket);
                loom::thread::spawn(move || put(&bucket, keys[thread], data(thread as u64)))
            });
            for key in keys {
                let found = find(&bucket, key);
                let mut stored = (0..2).filter(|&thread| keys[thread] == key).map(|thread| data(thread as u64));
                assert!(found == 0 || stored.any(|data| data == found), "{found:x} under {key:x}");
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
        let plain_put = |bucket: &Bucket, key: u64, new: u64| {
            bucket[ENTRIES].store(new, Relaxed);
            bucket[0].store(key, Relaxed);
        };
        let plain_find = |bucket: &Bucket, key: u64| {
            let data = bucket[ENTRIES].load(Relaxed);
            if bucket[0].load(Relaxed) == key { data } else { 0 }
        };
        probe_while_two_store((plain_put, plain_find), [mix(1), mix(2)], 0);
    }
}
