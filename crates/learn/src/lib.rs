//! **How the network of Ultimate Tic-Tac-Toe learns.**
//!
//! ```text
//! selfplay   games of an engine against itself   ->  shards: positions with value and result
//! train      shards                              ->  a network file, checkpoints, a loss curve
//! ```
//!
//! | wanted | module |
//! |---|---|
//! | positions with what a search and the game said about them, on disk | [`shard`] |
//! | games of the engine against itself | [`selfplay`] |
//! | a network to play with | [`network`] |
//! | the network with real numbers, and its gradient | [`model`] |
//! | the trainer: batches, steps, checkpoints | [`train`] |
//!
//! **This room** makes networks; `engine` uses them. **It may not know** flags, text for people, HTTP.
//! **Go next** to `engine::uttt::network` for the network as it plays.

pub mod model;
pub mod network;
pub mod selfplay;
pub mod shard;
pub mod train;

use engine::store::StoreError;
use search::{OutOfMemory, Stop};
use std::path::PathBuf;

/// Why learning stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// A file is missing, damaged or of the wrong kind.
    #[error(transparent)]
    File(#[from] StoreError),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] engine::Error),
    /// There is not enough memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// A limit was reached, or the cancel flag was raised.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// A folder holds nothing to learn from.
    #[error("{}: no training data here: the files end in .{}", path.display(), shard::EXTENSION)]
    NoData {
        /// The folder.
        path: PathBuf,
    },
    /// A shard holds a position that cannot be.
    #[error("{}: damaged: record {record} is no position", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The number of the record, from 0.
        record: usize,
    },
    /// A checkpoint belongs to other data or another plan.
    #[error("{}: made by another plan or from other data; remove it to start anew", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
    },
}
