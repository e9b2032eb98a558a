//! The release build of the program, and a server that runs it.

use crate::process::{Outcome, cargo, run as start, target_directory};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Builds the program in release mode and returns its path.
pub(crate) fn release() -> Outcome<PathBuf> {
    start(&mut cargo(&["build", "--release", "--package", "ninefold-cli"]))?;
    Ok(target_directory()?.join("release").join(format!("ninefold{}", std::env::consts::EXE_SUFFIX)))
}

/// A running `ninefold serve`. Dropping this value ends it.
pub(crate) struct Server {
    pub(crate) child: Child,
    /// `http://127.0.0.1:PORT/`
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(program: &Path) -> Outcome<Self> {
        let cannot = |fault: &dyn std::fmt::Display| format!("cannot serve the page: {fault}");
        let mut command = Command::new(program);
        command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).stdin(Stdio::null());
        let mut child = command.spawn().map_err(|error| cannot(&error))?;
        let mut line = String::new();
        let out = child.stdout.take().ok_or_else(|| cannot(&"the program has no output"))?;
        BufReader::new(out).read_line(&mut line).map_err(|error| cannot(&error))?;
        let address = line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned);
        // From here on, dropping `server` ends the child on every path.
        let server = Self { child, address: address.unwrap_or_default() };
        if server.address.is_empty() {
            Err(cannot(&format_args!("the program printed `{}`", line.trim())))
        } else {
            Ok(server)
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // An error means that the child has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
