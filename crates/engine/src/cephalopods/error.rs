//! Questions about Cephalopods that have no answer, with the field that is to blame.

use super::bundle::{DEEPEST, LIMIT};
use super::heat::MOST_BOARDS;
use super::{HIGHEST_RANK, LONGEST};

/// What is wrong with a question.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum QuestionError {
    /// A bundle of a rank that has no board with an empty cell.
    #[error("rank {rank}: a board with an empty cell has at most {HIGHEST_RANK} pips")]
    BundleRank {
        /// The rank.
        rank: u32,
    },
    /// A bundle from a depth that the contest does not ask.
    #[error("depth {depth}: the contest asks for 1 to {DEEPEST} moves")]
    BundleDepth {
        /// The depth.
        depth: u32,
    },
    /// A bundle that is longer than the contest allows.
    #[error("{units} UTF-16 units, but the contest allows {LIMIT}; rank {rank} {}", fits(*.fitting))]
    BundleTooLarge {
        /// The length it would have.
        units: usize,
        /// The rank.
        rank: u32,
        /// The least depth from which the rank fits, if there is one.
        fitting: Option<u32>,
    },
    /// A measurement of a rank that has no board with an empty cell.
    #[error("rank {rank}: a board with an empty cell has at most {HIGHEST_RANK} pips")]
    HeatRank {
        /// The rank.
        rank: u32,
    },
    /// A measurement of a depth that no game has.
    #[error("depth {depth}: no game has more than {LONGEST} moves")]
    HeatDepth {
        /// The depth.
        depth: u32,
    },
    /// A measurement of no boards, or of too many.
    #[error("{boards} boards per rank: expected 1 to {MOST_BOARDS}")]
    HeatBoards {
        /// The number of boards.
        boards: u32,
    },
    /// A table of no rank.
    #[error("at least one rank from 0 to {HIGHEST_RANK} is needed")]
    NoRanks,
}

fn fits(depth: Option<u32>) -> String {
    depth.map_or("does not fit at any depth".into(), |depth| format!("fits from depth {depth} on"))
}

impl QuestionError {
    /// The field of the question that is to blame.
    #[must_use]
    pub const fn field(&self) -> &'static str {
        match self {
            Self::BundleRank { .. } | Self::BundleTooLarge { fitting: None, .. } => "rank",
            Self::BundleDepth { .. } | Self::BundleTooLarge { .. } => "min_depth",
            Self::HeatRank { .. } => "last_rank",
            Self::HeatDepth { .. } => "depths",
            Self::HeatBoards { .. } => "boards",
            Self::NoRanks => "ranks",
        }
    }
}
