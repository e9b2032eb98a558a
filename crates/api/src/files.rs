//! Files that translators write: whole or not at all, links followed, devices and pipes in place.

use crate::fault::Fault;
use engine::{Error, store};
use std::path::{Path, PathBuf};

/// Writes a file.
///
/// # Errors
/// Those of the system. An older file then stays unchanged.
pub fn write(path: &Path, content: &[u8]) -> Result<(), Fault> {
    Ok(store::write_plain(path, |out| out.write_all(content)).map_err(Error::from)?)
}

/// The temporary files that dead processes have left in a folder.
#[must_use]
pub fn leftovers(folder: &Path) -> Vec<PathBuf> {
    store::leftovers(folder)
}
