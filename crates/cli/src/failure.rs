//! A failed command: one report on standard error, one exit code.

use crate::interrupt;
use api::{Fault, FaultKind};
use std::io;
use std::process::ExitCode;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A usage error: exit code 2.
    Usage(String),
    /// An error while running: exit code 1.
    Run(String),
    /// A signal; the results so far are already printed: exit code 128 plus its number.
    Interrupted { signal: i32 },
    /// The reader of our output has closed the pipe: silent, exit code 0.
    Closed,
}

impl Failure {
    /// Prints the error to standard error and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let (message, code) = match self {
            Self::Usage(message) => (format!("error: {}", printable(message)), 2),
            Self::Run(message) => (format!("error: {}", printable(message)), 1),
            Self::Interrupted { signal } => {
                let word = match signal {
                    15 => "terminated",
                    1 => "hung up",
                    _ => "interrupted",
                };
                (word.to_owned(), interrupt::exit_code(*signal))
            }
            Self::Closed => return ExitCode::SUCCESS,
        };
        // If standard error cannot be written, the exit code alone reports the failure.
        crate::output::note(message);
        ExitCode::from(code)
    }
}

/// Messages quote input. Control characters are replaced so that the terminal does not obey them, and long lines are
/// cut.
pub(crate) fn printable(message: &str) -> String {
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

/// Errors of our own output: a closed pipe ends quietly, any other error is a failure.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Run(error.to_string()) }
    }
}

impl Failure {
    /// The same for a line of standard input.
    pub(crate) fn at_line(self, number: usize) -> Self {
        match self {
            Self::Usage(message) => Self::Usage(format!("line {number}: {message}")),
            other => other,
        }
    }

    /// A call that a signal stopped is an interrupt, whatever its error says.
    pub(crate) fn or_interrupted(fault: Fault) -> Self {
        match interrupt::check() {
            Err(interrupted) => interrupted,
            Ok(()) => fault.into(),
        }
    }
}

/// A fault of an answer: a wrong question is a usage error.
impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        match fault.kind {
            FaultKind::Question => Self::Usage(fault.message),
            _ => Self::Run(fault.message),
        }
    }
}
