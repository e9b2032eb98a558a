//! `ninefold cephalopods bundle`: writes the contest's source file to standard output or to a file. A failed run leaves
//! no partial file.

use crate::count::count;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::watched;
use api::Limits;
use api::cephalopods::{BundleQuestion, Contest};
use indicatif::HumanCount;
use std::path::PathBuf;

/// Arguments of `bundle`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Output file; standard output if not given
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Report what was written as one JSON object; requires --output
    #[arg(long, requires = "output")]
    json: bool,
    /// Number of pips of the boards whose results are hard-coded
    #[arg(long, default_value_t = BundleQuestion::default().rank)]
    rank: u32,
    /// Smallest number of moves to go for which they are hard-coded
    #[arg(long, default_value_t = BundleQuestion::default().min_depth)]
    min_depth: u32,
}

/// What was written.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Written {
    /// The file.
    file: String,
    /// Its length in UTF-16 units.
    units: usize,
    /// The contest's limit.
    limit: usize,
    /// Number of boards whose results are in the file.
    boards: usize,
    /// Number of pips of these boards.
    rank: u32,
    /// Number of stored values.
    values: usize,
}

/// Generates the file.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut question = BundleQuestion::default();
    (question.rank, question.min_depth) = (arguments.rank, arguments.min_depth);
    let contest = Contest::new(grid::simd::Isa::detect());
    let made = watched(&Limits::default(), |control| contest.bundle(&question, control));
    let made = made.map_err(Failure::or_interrupted)?;
    let mut output = Output::new();
    let Some(path) = &arguments.output else {
        return output.line(made.source.trim_end());
    };
    api::files::write(path, made.source.as_bytes())?;
    if arguments.json {
        return output.json(&Written {
            file: path.display().to_string(),
            units: made.units,
            limit: made.limit,
            boards: made.boards,
            rank: arguments.rank,
            values: made.values,
        });
    }
    output.line(format_args!(
        "{}: {} of {}, {} of rank {}, {}",
        path.display(),
        count(made.units as u64, "UTF-16 unit", "UTF-16 units"),
        HumanCount(made.limit as u64),
        count(made.boards as u64, "board", "boards"),
        arguments.rank,
        count(made.values as u64, "value", "values"),
    ))
}
