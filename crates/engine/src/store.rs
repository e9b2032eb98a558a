//! Files: how they are written, and the seal of those that are read back. A sealed file is read only if kind, version, length
//! and checksum are right.
//!
//! ```text
//! bytes  0..8   kind, eight ASCII letters      16..24  length of the body
//!        8..12  version                        24..28  CRC-32 of the body
//!       12..16  CRC-32 of bytes 0..12, 16..28  28..32  zero
//!       32..    the body
//! ```
//!
//! All numbers are little-endian. The body starts at byte 32, so it can be mapped as aligned words.
//!
//! Checking bytes needs no file system; writing is behind the feature `files`.

#[cfg(feature = "files")]
mod write;

#[cfg(feature = "files")]
use std::fs::File;
use std::io;
#[cfg(feature = "files")]
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
#[cfg(feature = "files")]
use write::Way;
#[cfg(feature = "files")]
pub use write::{leftovers, write_plain};
#[cfg(feature = "files")]
pub(crate) use write::{scratch, workshop};

/// The number of bytes before the body.
pub const HEADER_BYTES: usize = 32;

/// What a file contains, and the version of its layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Eight ASCII letters that name the kind.
    pub name: [u8; 8],
    /// Human-readable name, used in errors: "not a {name}".
    pub words: &'static str,
    /// Incremented whenever the layout of the body changes.
    pub version: u32,
}

/// Why a file is refused, or could not be written.
#[derive(thiserror::Error, Debug)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum StoreError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{}: not a {expected}", path.display())]
    Kind { path: PathBuf, expected: String },
    #[error("{}: format version {found}; this program reads version {expected}", path.display())]
    Version { path: PathBuf, found: u32, expected: u32 },
    #[error("{}: damaged: {found} bytes instead of {expected}", path.display())]
    Length { path: PathBuf, found: u64, expected: u64 },
    #[error("{}: damaged: the checksum of the {part} does not match", path.display())]
    Checksum { path: PathBuf, part: &'static str },
}

impl StoreError {
    /// An error of the system, at a path.
    pub fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}

/// Writes a sealed file by `body`, whole or not at all. On a pipe or a device it is written in place, after `body` is done:
/// the header comes first and holds the length and the checksum.
///
/// # Errors
/// Any error of `body` or of the system. An older regular file then stays unchanged.
#[cfg(feature = "files")]
pub fn write_whole(
    path: &Path,
    kind: Kind,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), StoreError> {
    write::write(path, |file, way| match way {
        Way::Replaced => write_sealed(file, kind, body),
        Way::InPlace => {
            let mut spool = write::scratch(&std::env::temp_dir())?;
            write_sealed(&spool, kind, body)?;
            spool.seek(SeekFrom::Start(0))?;
            io::copy(&mut spool, &mut &*file).map(drop)
        }
    })
}

#[cfg(feature = "files")]
fn write_sealed(file: &File, kind: Kind, body: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = Summing { inner: BufWriter::new(file), sum: crc32fast::Hasher::new(), length: 0 };
    out.inner.write_all(&[0; HEADER_BYTES])?;
    body(&mut out)?;
    out.flush()?;
    let mut file = file;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header(kind, out.length, out.sum.finalize()))
}

/// Counts the bytes that pass through and computes their checksum.
#[cfg(feature = "files")]
struct Summing<'a> {
    inner: BufWriter<&'a File>,
    sum: crc32fast::Hasher,
    length: u64,
}

#[cfg(feature = "files")]
impl Write for Summing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn header(kind: Kind, length: u64, sum: u32) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[0..8].copy_from_slice(&kind.name);
    bytes[8..12].copy_from_slice(&kind.version.to_le_bytes());
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    bytes[24..28].copy_from_slice(&sum.to_le_bytes());
    let mut own = crc32fast::Hasher::new();
    own.update(&bytes[0..12]);
    own.update(&bytes[16..28]);
    let own = own.finalize();
    bytes[12..16].copy_from_slice(&own.to_le_bytes());
    bytes
}

/// The checksum of the body as the header has it; `None` if the file has no whole header.
#[must_use]
pub fn body_sum(bytes: &[u8]) -> Option<u32> {
    bytes.get(24..HEADER_BYTES)?.first_chunk().map(|sum| u32::from_le_bytes(*sum))
}

/// Checks the header of a whole file (read or mapped) and returns its body. The body's own checksum is compared only if
/// `thorough`: that costs a pass over the file.
///
/// # Errors
/// If the file is damaged, cut, or of another kind or version.
pub fn open<'a>(path: &Path, kind: Kind, bytes: &'a [u8], thorough: bool) -> Result<&'a [u8], StoreError> {
    let path = || path.to_owned();
    let (Some(head), true) = (bytes.get(..HEADER_BYTES), bytes.starts_with(&kind.name)) else {
        return Err(StoreError::Kind { path: path(), expected: kind.words.to_owned() });
    };
    let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let length = u64::from(word(16)) | u64::from(word(20)) << 32;
    let found = Kind { version: word(8), ..kind };
    if header(found, length, word(24)) != head {
        return Err(StoreError::Checksum { path: path(), part: "header" });
    }
    if found.version != kind.version {
        return Err(StoreError::Version { path: path(), found: found.version, expected: kind.version });
    }
    let body = &bytes[HEADER_BYTES..];
    if body.len() as u64 != length {
        return Err(StoreError::Length { path: path(), found: body.len() as u64, expected: length });
    }
    if thorough && crc32fast::hash(body) != word(24) {
        return Err(StoreError::Checksum { path: path(), part: "body" });
    }
    Ok(body)
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;
    use std::fs;

    const KIND: Kind = Kind { name: *b"nf-test ", words: "file of the test", version: 3 };

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("ninefold-store-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = folder("round");
        let path = folder.join("file");
        write_whole(&path, KIND, |out| out.write_all(b"nine cells")).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert_eq!(open(&path, KIND, &bytes, true).unwrap(), b"nine cells");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no temporary file is left");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_refused() {
        let folder = folder("damage");
        let path = folder.join("file");
        write_whole(&path, KIND, |out| out.write_all(b"nine cells")).unwrap();
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            assert!(open(&path, KIND, &bytes, true).is_err(), "byte {at}");
            assert!(open(&path, KIND, &whole[..at], true).is_err(), "cut at {at}");
        }
        let next = Kind { version: 4, ..KIND };
        let refusal = open(&path, next, &whole, true).unwrap_err().to_string();
        assert!(refusal.contains("format version 3; this program reads version 4"), "{refusal}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = folder("failed");
        let path = folder.join("file");
        write_whole(&path, KIND, |out| out.write_all(b"old")).unwrap();
        let failed = write_whole(&path, KIND, |out| {
            out.write_all(b"half of the new")?;
            Err(io::Error::other("disk full"))
        });
        assert!(failed.unwrap_err().to_string().contains("disk full"));
        assert_eq!(open(&path, KIND, &fs::read(&path).unwrap(), true).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }
}
