//! Training data on disk: shards of records, sealed, written whole or not at all.
//!
//! A record has 24 bytes, little-endian:
//!
//! ```text
//! bytes  0..18  nine local boards as the side to move sees them
//!       18      the forced board, 9 for any
//!       19      the rule: 0 standard, 1 CodinGame
//!       20..22  the value of the search in 1/10,000 for the side to move
//!       22      the result of the game for the side to move: -1, 0, 1; 2 if the position was not on the game's path
//!       23      1 if the value is proved
//! ```

use crate::LearnError;
use engine::store::{self, Kind, StoreError};
use engine::uttt::network::local::{LOCAL_BOARDS, LocalBoard, Numbering};
use grid::{Cell, Sym};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// How the names of shards end.
pub const EXTENSION: &str = "shard";

const KIND: Kind = Kind { name: *b"NFUTTDAT", words: "shard of training data", version: 1 };
const BYTES: usize = 24;
/// The value of a won position.
const WON: f32 = 10_000.0;

/// A position, and what a search and the game said about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Record {
    /// The local boards as the side to move sees them.
    pub boards: [LocalBoard; 9],
    /// The forced board, 9 for any.
    pub next: u8,
    /// The rule: 0 standard, 1 CodinGame.
    pub rule: u8,
    /// The value of the search for the side to move, from -1 to 1.
    pub value: f32,
    /// The result of the game for the side to move; none if the position was not on the game's path.
    pub result: Option<i8>,
    /// Whether the value is proved.
    pub proved: bool,
}

impl Record {
    fn bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        for (to, board) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(self.boards) {
            *to = board.to_le_bytes();
        }
        (bytes[18], bytes[19]) = (self.next, self.rule);
        bytes[20..22].copy_from_slice(&((self.value * WON).round() as i16).to_le_bytes());
        (bytes[22], bytes[23]) = (self.result.unwrap_or(2) as u8, self.proved.into());
        bytes
    }

    fn read(bytes: &[u8; BYTES]) -> Option<Self> {
        let boards = std::array::from_fn(|at| u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]));
        let value = f32::from(i16::from_le_bytes([bytes[20], bytes[21]])) / WON;
        let result = match bytes[22] as i8 {
            2 => None,
            sign => Some(sign),
        };
        let is_sane = boards.iter().all(|&board| usize::from(board) < LOCAL_BOARDS)
            && bytes[18] <= 9
            && bytes[19] <= 1
            && bytes[23] <= 1
            && (-1.0..=1.0).contains(&value)
            && result.is_none_or(|sign| (-1..=1).contains(&sign));
        is_sane.then_some(Self { boards, next: bytes[18], rule: bytes[19], value, result, proved: bytes[23] == 1 })
    }

    /// The same position seen through a symmetry.
    #[must_use]
    pub fn image(&self, numbers: Numbering, sym: Sym) -> Self {
        let mut image = *self;
        for place in Cell::ALL {
            image.boards[sym.cell(place).index()] = numbers.image(self.boards[place.index()], sym);
        }
        if let Some(next) = Cell::new(self.next.into()) {
            image.next = sym.cell(next).index() as u8;
        }
        image
    }

    /// What the network shall answer, as a share of a win: the value, mixed with the result of the game unless it is proved.
    #[must_use]
    pub fn target(&self, trust_in_search: f32) -> f32 {
        let mixed = match self.result {
            Some(result) if !self.proved => trust_in_search * self.value + (1.0 - trust_in_search) * f32::from(result),
            _ => self.value,
        };
        f32::midpoint(mixed, 1.0)
    }
}

/// Writes a shard.
///
/// # Errors
/// Any error of the system.
pub fn write(path: &Path, records: &[Record]) -> Result<(), StoreError> {
    store::write_whole(path, KIND, |out| records.iter().try_for_each(|record| out.write_all(&record.bytes())))
}

/// Reads a shard.
///
/// # Errors
/// If the file is damaged, of another kind or version, or holds what is no position.
pub fn read(path: &Path) -> Result<Vec<Record>, LearnError> {
    let bytes = std::fs::read(path).map_err(|error| StoreError::io(path, error))?;
    let body = store::open(path, KIND, &bytes, true)?;
    let (records, rest) = body.as_chunks::<BYTES>();
    if !rest.is_empty() {
        let expected = (records.len() * BYTES) as u64;
        return Err(StoreError::Length { path: path.to_owned(), found: body.len() as u64, expected }.into());
    }
    let wrong = |record: usize| LearnError::Record { path: path.to_owned(), record };
    records.iter().enumerate().map(|(at, record)| Record::read(record).ok_or_else(|| wrong(at))).collect()
}

/// All shards of a folder, by name.
///
/// # Errors
/// If the folder cannot be read or has no shard.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, LearnError> {
    let entries = std::fs::read_dir(folder).map_err(|error| StoreError::io(folder, error))?;
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(EXTENSION.as_ref()))
        .collect();
    if paths.is_empty() {
        return Err(LearnError::NoData { path: folder.to_owned() });
    }
    paths.sort();
    Ok(paths)
}

/// Merges records of one position, symmetric images included. The first one stays, with the mean of all values, or with a
/// proved value if there is one. Returns how many records were merged into others.
pub fn merge(records: &mut Vec<Record>) -> usize {
    let numbers = Numbering::get();
    let before = records.len();
    // By position: its place in the new list, and how many records it stands for.
    let mut known: HashMap<([LocalBoard; 9], u8, u8), (usize, f32)> = HashMap::with_capacity(before);
    let mut kept: Vec<Record> = Vec::with_capacity(before);
    for record in records.iter() {
        let least = Sym::ALL.map(|sym| record.image(numbers, sym)).into_iter().min_by_key(|it| (it.boards, it.next));
        let least = least.unwrap_or(*record);
        let entry = known.entry((least.boards, least.next, least.rule)).or_insert((kept.len(), 0.0));
        entry.1 += 1.0;
        let (place, count) = *entry;
        match kept.get_mut(place) {
            None => kept.push(*record),
            Some(old) if old.proved => {}
            Some(old) if record.proved => (old.value, old.proved) = (record.value, true),
            Some(old) => old.value += (record.value - old.value) / count,
        }
    }
    *records = kept;
    before - records.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(value: f32, result: Option<i8>, proved: bool) -> Record {
        Record { boards: [3, 4, 5, 0, 1, 2, 11_095, 3, 3], next: 7, rule: 1, value, result, proved }
    }

    #[test]
    fn records_are_read_back() {
        for record in [sample(0.25, Some(-1), false), sample(-1.0, None, true), sample(0.0, Some(1), true)] {
            assert_eq!(Record::read(&record.bytes()), Some(record));
        }
        let good = sample(0.5, Some(1), false).bytes();
        for (at, byte) in [(1, 0xff), (18, 10), (19, 2), (21, 0x7f), (22, 3), (23, 2)] {
            let mut bytes = good;
            bytes[at] = byte;
            assert_eq!(Record::read(&bytes), None, "byte {at}");
        }
    }

    #[test]
    fn images_of_one_position_are_merged() {
        let numbers = Numbering::get();
        let record = sample(0.25, Some(1), false);
        let mut list = vec![record, Record { value: 0.75, ..record.image(numbers, Sym::ALL[5]) }];
        list.push(Record { rule: 0, ..record });
        assert_eq!(merge(&mut list), 1);
        assert!(list.len() == 2 && (list[0].value - 0.5).abs() < 1e-6, "{list:?}");
        list.push(Record { value: 1.0, proved: true, ..record });
        assert_eq!(merge(&mut list), 1);
        assert!(list[0].proved && list[0].target(0.7) > 0.999);
    }

    #[test]
    fn the_target_mixes_search_and_result() {
        assert!((sample(0.5, Some(-1), false).target(0.75) - (0.75 * 0.5 - 0.25 + 1.0) / 2.0).abs() < 1e-6);
        assert!((sample(0.5, None, false).target(0.75) - 0.75).abs() < 1e-6);
        assert!(sample(-1.0, Some(1), true).target(0.5).abs() < 1e-6);
    }
}
