//! The part of the command line's output that the included files use. Notes are not printed: there would be millions.

/// A line for standard error.
pub(crate) fn note(_: impl std::fmt::Display) {}
