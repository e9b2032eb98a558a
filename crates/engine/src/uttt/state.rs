//! The solver's state on disk: every entry of the table, so that a later run resumes the search.
//!
//! ```text
//! bytes  0..16  name of the rule, padded with spaces     16..24  nodes visited so far
//!       24..    entries of 16 bytes: key, data           all numbers little-endian
//! ```

use super::Solver;
use super::proof::Autosave;
use super::table::ProofTable;
use crate::Error;
use crate::store::{self, Kind, StoreError};
use std::path::Path;
use std::time::Duration;

/// Version 2 added the number of visited nodes, which bounds the chance of an error. In version 3 the keys are those of
/// classes of positions.
const STATE: Kind = Kind { name: *b"utttproo", words: "state of a search for proofs", version: 3 };
const HEAD: usize = 24;

/// The shortest interval between two saves.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(100);

impl Solver {
    /// Saves to this file in regular intervals during a search, so that little is lost if the program is killed. A save
    /// that fails is tried again after the next interval; call [`save`](Self::save) at the end to hear of errors.
    pub fn save_every(&mut self, path: &Path, interval: Duration) {
        self.autosave = Some(Autosave { path: path.to_owned(), interval: interval.max(SHORTEST_INTERVAL) });
    }

    /// Saves what is known, so that a later run can resume.
    ///
    /// # Errors
    /// If the file cannot be written; an older file then stays as it was.
    pub fn save(&mut self, path: &Path) -> Result<(), Error> {
        Ok(write(path, self.rules.name(), &mut self.table)?)
    }

    /// Takes over what an earlier run saved.
    ///
    /// # Errors
    /// If the file is missing, damaged, or of another rule.
    pub fn resume(&mut self, path: &Path) -> Result<(), Error> {
        let bytes = std::fs::read(path).map_err(|source| StoreError::io(path, source))?;
        let body = store::open(path, STATE, &bytes, true)?;
        let wrong = |expected: &str| StoreError::Kind { path: path.to_owned(), expected: expected.to_owned() };
        let (head, entries) = body.split_at_checked(HEAD).ok_or_else(|| wrong(STATE.words))?;
        let (words, rest) = entries.as_chunks::<8>();
        let (entries, odd) = words.as_chunks::<2>();
        if head[..16].trim_ascii_end() != self.rules.name().as_bytes() || !rest.is_empty() || !odd.is_empty() {
            return Err(wrong(&format!("{} under the {} rule", STATE.words, self.rules.name())).into());
        }
        // An entry without data is never saved. It would free the place of another entry.
        if entries.iter().any(|&[_, data]| data == [0; 8]) {
            return Err(wrong(STATE.words).into());
        }
        let visited = head[16..].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        self.table.make_room(visited);
        self.table.count(visited);
        let table = self.table.share();
        entries.iter().for_each(|&[key, data]| table.put(u64::from_le_bytes(key), u64::from_le_bytes(data)));
        Ok(())
    }
}

/// Writes the state. No thread may search meanwhile: an entry could be half written.
pub(super) fn write(path: &Path, rule: &str, table: &mut ProofTable) -> Result<(), StoreError> {
    store::write_whole(path, STATE, |out| {
        write!(out, "{rule:16}")?;
        out.write_all(&table.visited().to_le_bytes())?;
        for (key, data) in table.share().entries() {
            out.write_all(&key.to_le_bytes())?;
            out.write_all(&data.to_le_bytes())?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uttt::Rules;

    #[test]
    fn an_entry_without_data_is_refused() {
        let path = std::env::temp_dir().join(format!("ninefold-state-{}", std::process::id()));
        let resume = |data: u64| {
            let body = [b"standard        ".as_slice(), &[0; 8], &7_u64.to_le_bytes(), &data.to_le_bytes()].concat();
            store::write_whole(&path, STATE, |out| out.write_all(&body)).unwrap();
            Solver::new(Rules::Standard, 1 << 10).unwrap().resume(&path).is_ok()
        };
        assert_eq!([1 << 56, 0].map(resume), [true, false]);
        std::fs::remove_file(path).unwrap();
    }
}
