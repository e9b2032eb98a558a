//! Standard output: one locked, buffered writer, for text or one JSON object per line.

use crate::failure::Failure;
use std::io::{self, Write};

/// Standard output, locked while the command runs.
pub(crate) struct Output {
    out: io::BufWriter<io::StdoutLock<'static>>,
}

impl Output {
    /// Locks standard output.
    pub(crate) fn new() -> Self {
        Self { out: io::BufWriter::new(io::stdout().lock()) }
    }

    /// Writes a line of text and flushes it.
    pub(crate) fn line(&mut self, text: impl std::fmt::Display) -> Result<(), Failure> {
        writeln!(self.out, "{text}")?;
        Ok(self.out.flush()?)
    }

    /// Writes a text without a line end and flushes it.
    pub(crate) fn prompt(&mut self, text: &str) -> Result<(), Failure> {
        write!(self.out, "{text}")?;
        Ok(self.out.flush()?)
    }

    /// Writes a JSON object as one line.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.out, value).map_err(io::Error::from)?;
        writeln!(self.out)?;
        Ok(self.out.flush()?)
    }
}

/// Writes a line to standard error. If that is closed or full, the line is lost: it must not end the program.
pub(crate) fn note(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
