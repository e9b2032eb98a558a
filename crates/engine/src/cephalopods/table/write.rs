//! Writes a table into a file: the values stream out rank by rank, the index follows.

use super::build::{Built, Positions, Slab, build};
use super::{BETWEEN_CHECKS, BLOCK, KIND, Ranks};
use crate::cephalopods::{reserve, zeroed};
use crate::error::Error;
use crate::store;
use grid::simd::Isa;
use search::{Control, OutOfMemory, Stop};
use std::io::{self, Write};
use std::path::Path;
use zerocopy::IntoBytes;

/// Writes the table of those ranks.
///
/// # Errors
/// If the file cannot be written, the control stops the call, or there is no memory. There is then no file, or the one that
/// was there before.
pub fn write(path: &Path, isa: Isa, ranks: Ranks, control: &Control<'_>) -> Result<Built, Error> {
    let (mut built, mut stopped) = (Built::default(), None);
    let written = store::write_whole(path, KIND, |out| match write_body(out, isa, ranks, control) {
        Ok(size) => {
            built = size;
            Ok(())
        }
        Err(WriteError::Io(error)) => Err(error),
        Err(WriteError::Engine(error)) => {
            stopped = Some(error);
            Err(io::ErrorKind::Interrupted.into())
        }
    });
    match (written, stopped) {
        (_, Some(error)) => Err(error),
        (Err(error), None) => Err(error.into()),
        (Ok(()), None) => Ok(built),
    }
}

/// Why the body was not written.
#[derive(Debug)]
enum WriteError {
    /// The system's reason.
    Io(io::Error),
    /// The build's reason.
    Engine(Error),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Error> for WriteError {
    fn from(error: Error) -> Self {
        Self::Engine(error)
    }
}

impl From<Stop> for WriteError {
    fn from(stop: Stop) -> Self {
        Self::Engine(stop.into())
    }
}

impl From<OutOfMemory> for WriteError {
    fn from(error: OutOfMemory) -> Self {
        Self::Engine(error.into())
    }
}

/// Writes everything but the header.
fn write_body(out: &mut dyn Write, isa: Isa, ranks: Ranks, control: &Control<'_>) -> Result<Built, WriteError> {
    let mut out = Blocks { inner: out, sums: Vec::new(), open: crc32fast::Hasher::new(), filled: 0, control };
    // A board, its first entry, and how many it has.
    let mut known: Vec<(u32, u32, u8)> = Vec::new();
    let mut before = 0u32;
    let built = build(isa, ranks, control, &mut |slab: Slab<'_>| {
        out.write_words(slab.values.as_flattened())?;
        reserve(&mut known, slab.boards.len())?;
        known.extend(slab.boards.iter().zip(&slab.entries).map(|(&b, &(start, len))| (b, before + start, len)));
        before += slab.values.len() as u32;
        Ok::<(), WriteError>(())
    })?;
    let positions = Positions::of(known.iter().map(|&(board, ..)| board))?;
    let (mut starts, mut lengths) = (zeroed::<u32>(known.len())?, zeroed::<u8>(known.len())?);
    for &(board, start, length) in &known {
        let position = positions.position(board);
        (starts[position], lengths[position]) = (start, length);
    }
    control.check()?;
    let words: Vec<u32> =
        positions.words.iter().flat_map(|&(bits, before)| [bits as u32, (bits >> 32) as u32, before, 0]).collect();
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

/// Computes the sum of every block that passes through.
struct Blocks<'a> {
    inner: &'a mut dyn Write,
    sums: Vec<u32>,
    open: crc32fast::Hasher,
    filled: usize,
    control: &'a Control<'a>,
}

impl Blocks<'_> {
    fn write_words(&mut self, words: &[u32]) -> Result<(), WriteError> {
        for words in words.chunks(BETWEEN_CHECKS / size_of::<u32>()) {
            self.control.check()?;
            if cfg!(target_endian = "little") {
                self.write_all(words.as_bytes())?;
            } else {
                words.iter().try_for_each(|word| self.write_all(&word.to_le_bytes()))?;
            }
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk that is full after this number of bytes.
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
                match write_body(&mut Full(room), Isa::detect(), 1 << 48, &Control::new()) {
                    Err(WriteError::Io(error)) => return Err(error),
                    other => drop(other.unwrap()),
                }
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
