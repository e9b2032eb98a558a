//! Networks by file.

use crate::{LearnError, model};
use engine::store::StoreError;
use engine::uttt::network::{Network, Weights};
use std::path::Path;
use std::sync::Arc;

/// The network that comes with the program.
#[must_use]
pub fn built_in() -> Arc<Network> {
    Network::built_in()
}

/// A network before its training: random weights.
#[must_use]
pub fn untrained(seed: u64) -> Weights {
    Weights::quantised(&model::untrained(seed))
}

/// Reads a network file.
///
/// # Errors
/// If it cannot be read, is damaged, or is no network of this version and shape.
pub fn read(path: &Path) -> Result<Arc<Network>, LearnError> {
    let bytes = std::fs::read(path).map_err(|error| StoreError::io(path, error))?;
    Ok(Arc::new(Network::of_bytes(&bytes, path)?))
}
