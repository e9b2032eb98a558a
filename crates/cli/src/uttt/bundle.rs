//! `ninefold uttt bundle`: writes the bot's source file to standard output or to a file. A failed run leaves no partial file.

use crate::count::count;
use crate::failure::Failure;
use crate::output::Output;
use indicatif::HumanCount;
use std::path::PathBuf;

/// Arguments of `bundle`.
#[derive(clap::Args)]
pub(crate) struct Bundle {
    /// Output file; standard output if not given
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Report what was written as one JSON object; requires --output
    #[arg(long, requires = "output")]
    json: bool,
    /// A network made by `uttt train --for bundle`; the built-in one if not given
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

/// What was written.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Written {
    /// The file.
    file: String,
    /// Its length in UTF-16 units.
    units: usize,
    /// The arena's limit.
    limit: usize,
    /// Its length in bytes.
    bytes: usize,
}

impl Bundle {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let made = api::uttt::bundle(self.network.as_deref())?;
        let mut output = Output::new();
        let Some(path) = &self.output else {
            return output.line(made.source.trim_end());
        };
        api::files::write(path, made.source.as_bytes())?;
        let (units, limit, bytes) = (made.units, made.limit, made.source.len());
        if self.json {
            return output.json(&Written { file: path.display().to_string(), units, limit, bytes });
        }
        let units = count(units as u64, "UTF-16 unit", "UTF-16 units");
        output.line(format_args!(
            "{}: {units} of {}, {}",
            path.display(),
            HumanCount(limit as u64),
            count(bytes as u64, "byte", "bytes"),
        ))
    }
}
