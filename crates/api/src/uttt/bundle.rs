//! The paste-ready bot for CodinGame's arena.

use crate::fault::Fault;
use engine::Error;
use engine::store::StoreError;
use engine::uttt::bundle;
use engine::uttt::network::compact::Compact;
use std::path::Path;

/// The source file of the bot.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BundleAnswer {
    /// The length in UTF-16 units.
    pub units: usize,
    /// The arena's limit.
    pub limit: usize,
    /// The source.
    pub source: String,
}

/// Generates the source file with the network of a file, or with the built-in one.
///
/// # Errors
/// If the file is missing, damaged, or of another kind or version.
pub fn bundle(network: Option<&Path>) -> Result<BundleAnswer, Fault> {
    let read = |path: &Path| {
        let bytes = std::fs::read(path).map_err(|error| StoreError::io(path, error))?;
        Compact::of_bytes(&bytes, path)
    };
    let network = network.map_or_else(|| Ok(Compact::built_in()), read).map_err(Error::from)?;
    let source = bundle::bundle(&network);
    Ok(BundleAnswer { units: source.encode_utf16().count(), limit: bundle::LIMIT, source })
}
