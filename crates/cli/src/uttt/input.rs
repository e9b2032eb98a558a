//! Positions as people type them.

use super::Common;
use crate::failure::Failure;
use engine::uttt::{Accept, Position};
use std::io::BufRead;

/// Where a position came from, for messages.
struct Source {
    line: Option<usize>,
}

impl Common {
    /// Hands each position to `each`, in order: those given as arguments, and for `-` one a line of standard input. None
    /// given is the start.
    pub(super) fn each_position(
        &self,
        texts: &[String],
        mut each: impl FnMut(&Position) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if texts.is_empty() {
            return each(&self.position(START, &Source { line: None })?);
        }
        for text in texts {
            if text != "-" {
                each(&self.position(text, &Source { line: None })?)?;
                continue;
            }
            for (number, line) in std::io::stdin().lock().lines().enumerate() {
                let line = line.map_err(|error| Failure::Run(format!("standard input: {error}")))?;
                let text = line.trim();
                if !text.is_empty() && !text.starts_with('#') {
                    each(&self.position(text, &Source { line: Some(number + 1) })?)?;
                }
            }
        }
        Ok(())
    }

    /// One position given as an argument.
    pub(super) fn one_position(&self, text: Option<&str>) -> Result<Position, Failure> {
        self.position(text.unwrap_or(START), &Source { line: None })
    }

    fn position(&self, text: &str, source: &Source) -> Result<Position, Failure> {
        let accept = if self.lenient { Accept::Playable } else { Accept::Reachable };
        self.rule.read(text, accept).map_err(|fault| {
            let place = source.line.map_or_else(String::new, |line| format!("line {line}: "));
            Failure::Usage(format!("{place}{}", fault.pointing_into(text)))
        })
    }
}

/// The start in FEN.
const START: &str = "9/9/9/9/9/9/9/9/9 X 0 -";
