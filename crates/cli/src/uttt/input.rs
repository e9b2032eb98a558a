//! Positions, times and sizes as people type them.

use super::Common;
use crate::failure::Failure;
use engine::uttt::{Accept, Position};
use std::io::BufRead;
use std::time::Duration;

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

/// Times such as 100ms, 1.5s, 2m; a bare number is seconds.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("a time is a number and ms, s, m or h".to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| "a time is a number and ms, s, m or h")?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| "a time is not negative and not endless".to_owned())
}

/// Sizes such as 512M, 4G; a bare number is MiB.
pub(super) fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "K" | "KIB" => 10,
        "" | "M" | "MIB" => 20,
        "G" | "GIB" => 30,
        _ => return Err("a size is a number and K, M or G".to_owned()),
    };
    let number: usize = digits.parse().map_err(|_| "a size is a number and K, M or G")?;
    number.checked_mul(1 << shift).filter(|&bytes| bytes > 0).ok_or_else(|| "a size is above zero and fits".to_owned())
}
