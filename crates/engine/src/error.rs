//! Everything that can go wrong in this room, with the field of the question that is to blame.

use crate::store::StoreError;
use crate::triad::TriadError;
use search::{OutOfMemory, Stop};

/// Why an engine has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is not enough memory: the one error for it everywhere.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// A limit was reached, or the cancel flag was raised.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// The positions of a certificate do not fit into memory.
    #[error(
        "the certificate has more than {positions} positions, which do not fit into memory; raise the memory limit"
    )]
    CertificateTooLarge {
        /// How many would have fitted.
        positions: usize,
    },
    /// A file is missing, damaged or of the wrong kind.
    #[error(transparent)]
    File(#[from] StoreError),
    /// A question about Cephalopods is wrong.
    #[error(transparent)]
    Cephalopods(#[from] crate::cephalopods::QuestionError),
    /// A card, hand, deal, move or card file of Triple Triad is wrong.
    #[error(transparent)]
    Triad(#[from] TriadError),
}

impl Error {
    /// The field of the question that is to blame; empty if none is.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::OutOfMemory(_) | Self::CertificateTooLarge { .. } => "limits.memory_mib",
            Self::Stopped(_) | Self::File(_) => "",
            Self::Cephalopods(error) => error.field(),
            Self::Triad(error) => error.field(),
        }
    }
}
