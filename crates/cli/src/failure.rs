//! How a command ends when it does not succeed: one report, one exit code.

use std::io;
use std::process::ExitCode;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request itself is wrong: exit code 2.
    Usage(String),
    /// The request was right but could not be carried out: exit code 1.
    Run(String),
    /// Whoever read our output has gone: nothing to say, exit code 0.
    Closed,
    /// The user stopped it with Ctrl-C: nothing to say, exit code 130.
    Interrupted,
}

impl Failure {
    /// Says what went wrong on standard error and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Usage(message) => {
                eprintln!("error: {message}");
                ExitCode::from(2)
            }
            Self::Run(message) => {
                eprintln!("error: {message}");
                ExitCode::from(1)
            }
            Self::Closed => ExitCode::SUCCESS,
            Self::Interrupted => ExitCode::from(130),
        }
    }
}

/// Errors of our own output: a closed pipe ends quietly, anything else is a failure.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Run(error.to_string()) }
    }
}
