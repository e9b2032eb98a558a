//! Where answers go: one locked, buffered writer, for people or as one JSON object per line.

use crate::failure::Failure;
use std::io::{self, Write};

/// Standard output, held for the length of a command.
pub(crate) struct Output {
    out: io::BufWriter<io::StdoutLock<'static>>,
}

impl Output {
    /// Takes standard output.
    pub(crate) fn new() -> Self {
        Self { out: io::BufWriter::new(io::stdout().lock()) }
    }

    /// Writes one line of text for people and shows it at once.
    pub(crate) fn line(&mut self, text: impl std::fmt::Display) -> Result<(), Failure> {
        writeln!(self.out, "{text}")?;
        Ok(self.out.flush()?)
    }

    /// Writes one JSON object on a line of its own.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.out, value).map_err(io::Error::from)?;
        writeln!(self.out)?;
        Ok(self.out.flush()?)
    }
}
