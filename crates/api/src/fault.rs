//! A fault: why a question has no answer, and which field is wrong.

use engine::Error;
use grid::TextError;
use serde::{Deserialize, Serialize};

/// What kind of fault it is: a translator chooses its exit code or status by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FaultKind {
    /// The question is wrong; the same question never gets an answer.
    Question,
    /// A limit was reached before there was an answer, or the cancel flag was raised.
    Stopped,
    /// There is not enough memory.
    Memory,
    /// A file is missing, damaged or of the wrong kind.
    File,
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[error("{message}")]
pub struct Fault {
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// The path of the field that is to blame, such as `position`, `moves[3]` or `options.rule`; empty if no field is.
    pub field: String,
    /// What is wrong. Where it is about a text, a second and third line show the text and point at the character.
    pub message: String,
}

impl Fault {
    /// A field of the question is wrong.
    #[must_use]
    pub fn question(field: impl Into<String>, message: impl std::fmt::Display) -> Self {
        Self { kind: FaultKind::Question, field: field.into(), message: message.to_string() }
    }

    /// A text that cannot be read.
    #[must_use]
    pub fn text(field: impl Into<String>, fault: &TextError, text: &str) -> Self {
        Self::question(field, fault.pointing_into(text))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let kind = match &error {
            Error::OutOfMemory(_) | Error::CertificateTooLarge { .. } => FaultKind::Memory,
            Error::Stopped(_) => FaultKind::Stopped,
            Error::File(_) => FaultKind::File,
            _ => FaultKind::Question,
        };
        Self { kind, field: error.field().to_owned(), message: error.to_string() }
    }
}
