//! The positions that a strategy has met: a set of 128-bit fingerprints, in memory and then on disk.
//!
//! ```text
//! in memory   at most 64 bytes per position: 16 for the fingerprint, the rest for a hash table that doubles
//! on disk     at most 40 bytes per position, in a nameless file: buckets of 4 KiB, found by the high bits of the fingerprint
//! ```
//!
//! The checker compares whole positions. Two of n positions share a fingerprint with a chance of n^2 / 2^129, 1e-19 for ten
//! thousand million of them. The certificate then lacks a move, and the checker refuses it: a wrong proof is impossible.

use crate::error::Error;
use search::OutOfMemory;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::PathBuf;

/// Memory per position. The table doubles at 7/8 of its room and is copied, so 17 bytes a slot become 58 at worst.
pub(super) const BYTES_PER_POSITION: usize = 64;

/// A fingerprint. Never 0, which marks an empty place on disk.
pub(super) fn fingerprint(summary: &[u32; 11]) -> u128 {
    let half = |seed: u64| summary.iter().fold(seed, |hash, &word| grid::mix(hash ^ u64::from(word)));
    (u128::from(half(0x7374_7261)) << 64 | u128::from(half(0x7465_6779))).max(1)
}

/// A fingerprint is random enough to be its own hash.
#[derive(Default)]
pub(super) struct Low(u64);

impl Hasher for Low {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0 << 8 | u64::from(byte));
    }

    fn write_u128(&mut self, fingerprint: u128) {
        self.0 = fingerprint as u64;
    }
}

type Fingerprints = HashSet<u128, BuildHasherDefault<Low>>;

/// The set.
pub(super) struct Visited {
    memory: Fingerprints,
    /// How many fit into memory.
    most: usize,
    /// Where the others go; without a folder there is no room for more.
    #[cfg_attr(not(feature = "files"), allow(dead_code, reason = "there is no disk"))]
    folder: Option<PathBuf>,
    #[cfg(feature = "files")]
    disk: Option<disk::Buckets>,
}

impl Visited {
    /// An empty set that takes at most this number of bytes in memory.
    pub(super) fn new(bytes: usize, folder: Option<PathBuf>) -> Self {
        Self {
            memory: Fingerprints::default(),
            most: bytes / BYTES_PER_POSITION,
            folder,
            #[cfg(feature = "files")]
            disk: None,
        }
    }

    /// Adds a fingerprint; false if it was there.
    pub(super) fn insert(&mut self, fingerprint: u128) -> Result<bool, Error> {
        #[cfg(feature = "files")]
        if let Some(disk) = &mut self.disk {
            return disk.insert(fingerprint);
        }
        if self.memory.contains(&fingerprint) {
            return Ok(false);
        }
        if self.memory.len() >= self.most {
            return self.insert_on_disk(fingerprint);
        }
        let bytes = (self.memory.len() + 1).saturating_mul(BYTES_PER_POSITION);
        self.memory.try_reserve(1).map_err(|_| OutOfMemory { bytes })?;
        Ok(self.memory.insert(fingerprint))
    }

    /// Moves the set to disk and adds the first fingerprint that did not fit.
    #[cfg(feature = "files")]
    fn insert_on_disk(&mut self, fingerprint: u128) -> Result<bool, Error> {
        let Some(folder) = &self.folder else { return Err(Error::CertificateTooLarge { positions: self.most }) };
        let known: Vec<u128> = std::mem::take(&mut self.memory).into_iter().collect();
        self.disk.insert(disk::Buckets::new(folder, known)?).insert(fingerprint)
    }

    #[cfg(not(feature = "files"))]
    fn insert_on_disk(&mut self, _: u128) -> Result<bool, Error> {
        Err(Error::CertificateTooLarge { positions: self.most })
    }
}

#[cfg(feature = "files")]
mod disk {
    use crate::error::Error;
    use crate::store::{self, StoreError};
    use std::fs::File;
    use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
    use std::path::{Path, PathBuf};

    const ENTRY: usize = size_of::<u128>();
    /// Entries of a bucket: one page of the system.
    const ENTRIES: usize = 4096 / ENTRY;
    type Bucket = [[u8; ENTRY]; ENTRIES];
    const EMPTY: Bucket = [[0; ENTRY]; ENTRIES];

    /// A hash table in a file. A bucket that is full makes the table double, which splits every bucket in two.
    pub(super) struct Buckets {
        folder: PathBuf,
        file: File,
        count: u64,
    }

    impl Buckets {
        /// A table of these fingerprints.
        pub(super) fn new(folder: &Path, mut known: Vec<u128>) -> Result<Self, Error> {
            let count = (4 * known.len() / ENTRIES).next_power_of_two() as u64;
            known.sort_unstable();
            let fill = |file: &File| {
                let mut out = BufWriter::new(file);
                let mut rest = known.as_slice();
                for number in 0..count {
                    let (now, later) = rest.split_at(rest.partition_point(|&it| bucket_of(it, count) <= number));
                    rest = later;
                    let mut bucket = EMPTY;
                    // A quarter full on average: more than four times that happens to no random number.
                    bucket.iter_mut().zip(now).for_each(|(entry, it)| *entry = it.to_le_bytes());
                    out.write_all(bucket.as_flattened())?;
                }
                out.flush()
            };
            let file = store::scratch(folder).and_then(|file| fill(&file).map(|()| file));
            let file = file.map_err(|error| StoreError::io(folder, error))?;
            Ok(Self { folder: folder.to_owned(), file, count })
        }

        /// Adds a fingerprint; false if it was there.
        pub(super) fn insert(&mut self, fingerprint: u128) -> Result<bool, Error> {
            loop {
                let added = self.try_insert(fingerprint).map_err(|error| StoreError::io(&self.folder, error))?;
                match added {
                    Some(is_new) => return Ok(is_new),
                    None => self.double().map_err(|error| StoreError::io(&self.folder, error))?,
                }
            }
        }

        /// `None` if the bucket is full.
        fn try_insert(&mut self, fingerprint: u128) -> io::Result<Option<bool>> {
            let start = bucket_of(fingerprint, self.count) * size_of::<Bucket>() as u64;
            self.file.seek(SeekFrom::Start(start))?;
            let mut bucket = EMPTY;
            self.file.read_exact(bucket.as_flattened_mut())?;
            for (place, entry) in bucket.iter().enumerate() {
                match u128::from_le_bytes(*entry) {
                    0 => {
                        self.file.seek(SeekFrom::Start(start + (place * ENTRY) as u64))?;
                        self.file.write_all(&fingerprint.to_le_bytes())?;
                        return Ok(Some(true));
                    }
                    known if known == fingerprint => return Ok(Some(false)),
                    _ => {}
                }
            }
            Ok(None)
        }

        fn double(&mut self) -> io::Result<()> {
            let larger = store::scratch(&self.folder)?;
            self.file.seek(SeekFrom::Start(0))?;
            let (mut input, mut out) = (BufReader::new(&self.file), BufWriter::new(&larger));
            for number in 0..self.count {
                let mut bucket = EMPTY;
                input.read_exact(bucket.as_flattened_mut())?;
                let mut halves = [EMPTY; 2];
                let mut lengths = [0; 2];
                for entry in bucket.iter().filter(|entry| **entry != [0; ENTRY]) {
                    let half = (bucket_of(u128::from_le_bytes(*entry), 2 * self.count) - 2 * number) as usize;
                    halves[half][lengths[half]] = *entry;
                    lengths[half] += 1;
                }
                out.write_all(halves.as_flattened().as_flattened())?;
            }
            out.flush()?;
            drop((input, out));
            (self.file, self.count) = (larger, 2 * self.count);
            Ok(())
        }
    }

    /// The number of a bucket. Doubling the count doubles it or doubles it and adds one.
    fn bucket_of(fingerprint: u128, count: u64) -> u64 {
        ((u128::from((fingerprint >> 64) as u64) * u128::from(count)) >> 64) as u64
    }
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;

    /// The set on disk equals the one in memory, through several doublings and with repeated fingerprints.
    #[test]
    fn the_disk_holds_what_the_memory_does() {
        let mut expected = HashSet::new();
        let mut small = Visited::new(100 * BYTES_PER_POSITION, Some(std::env::temp_dir()));
        let mut rng = grid::Rng::new(7);
        for _ in 0..20_000 {
            let word = rng.pick(0..12_000_u32).unwrap();
            let print = fingerprint(&[word, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
            assert_eq!(small.insert(print).unwrap(), expected.insert(print));
        }
        assert!(small.disk.is_some() && small.memory.is_empty());
        assert!(expected.len() > 9_000, "{}: fingerprints differ", expected.len());
    }

    #[test]
    fn without_a_folder_the_memory_is_the_limit() {
        let mut small = Visited::new(4 * BYTES_PER_POSITION, None);
        for number in 1..=4 {
            assert!(small.insert(number).unwrap());
        }
        assert!(!small.insert(3).unwrap());
        assert!(matches!(small.insert(5), Err(Error::CertificateTooLarge { positions: 4 })));
    }
}
