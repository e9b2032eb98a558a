//! The failures of the command line that its readers return.

/// Why a text was refused. The readers name the line in the message.
#[derive(Debug)]
#[allow(dead_code, reason = "the targets do not print the messages")]
pub(crate) enum Failure {
    Usage(String),
    Run(String),
}
