//! How a command ends when it does not succeed: one report, one exit code.

use crate::interrupt;
use api::{Fault, FaultKind};
use std::io;
use std::process::ExitCode;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request itself is wrong: exit code 2.
    Usage(String),
    /// The request was right but could not be carried out: exit code 1.
    Run(String),
    /// Ctrl-C came, and what was known then has been told: exit code 130.
    Interrupted,
    /// Whoever read our output has gone: nothing to say, exit code 0.
    Closed,
}

impl Failure {
    /// Says what went wrong on standard error and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Usage(message) => {
                eprintln!("error: {}", printable(message));
                ExitCode::from(2)
            }
            Self::Run(message) => {
                eprintln!("error: {}", printable(message));
                ExitCode::from(1)
            }
            Self::Interrupted => {
                eprintln!("interrupted");
                ExitCode::from(interrupt::EXIT_CODE)
            }
            Self::Closed => ExitCode::SUCCESS,
        }
    }
}

/// A message quotes what it was given. What a terminal would obey is made visible, and of a line that nobody would read
/// the beginning is kept.
fn printable(message: &str) -> String {
    const LONGEST: usize = 400;
    let mut text = String::new();
    for (number, line) in message.split('\n').enumerate() {
        if number > 0 {
            text.push('\n');
        }
        text.extend(line.chars().take(LONGEST).map(|symbol| if symbol.is_control() { '\u{fffd}' } else { symbol }));
        if line.chars().nth(LONGEST).is_some() {
            text.push('\u{2026}');
        }
    }
    text
}

/// Errors of our own output: a closed pipe ends quietly, anything else is a failure.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Run(error.to_string()) }
    }
}

impl Failure {
    /// The same, about a line of standard input.
    pub(crate) fn at_line(self, number: usize) -> Self {
        match self {
            Self::Usage(message) => Self::Usage(format!("line {number}: {message}")),
            other => other,
        }
    }

    /// A call that was stopped by Ctrl-C is an interrupt, whatever else it says.
    pub(crate) fn or_interrupted(fault: Fault) -> Self {
        match interrupt::check() {
            Err(interrupted) => interrupted,
            Ok(()) => fault.into(),
        }
    }
}

/// A question that got no answer: the question's own fault is a usage error.
impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        match fault.kind {
            FaultKind::Question => Self::Usage(fault.message),
            _ => Self::Run(fault.message),
        }
    }
}
