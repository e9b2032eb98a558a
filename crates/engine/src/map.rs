//! Maps files into memory: the only `unsafe` code outside the kernels.

#![allow(unsafe_code)]

use crate::store::StoreError;
use memmap2::Mmap;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

/// Opens a file and maps it for reading.
///
/// # Errors
/// If the file is missing or cannot be mapped.
pub(crate) fn file(path: &Path) -> Result<(File, Mmap), StoreError> {
    let io = |error| StoreError::io(path, error);
    let file = File::open(path).map_err(io)?;
    if file.metadata().map_err(io)?.is_dir() {
        return Err(io(ErrorKind::IsADirectory.into()));
    }
    // SAFETY: this program replaces such a file only by a rename and never changes it in place. Another program may cut it
    // short: callers check the length before they read, and only a cut during a read ends the process (SIGBUS). No value
    // that is read is trusted as an index.
    let map = unsafe { Mmap::map(&file) }.map_err(io)?;
    Ok((file, map))
}
