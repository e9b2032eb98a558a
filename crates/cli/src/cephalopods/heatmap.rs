//! `ninefold cephalopods heatmap`: the plot of the contest's write-up, as a table and as an SVG.

use super::EngineValue;
use super::heat_svg::{Plot, svg};
use crate::failure::Failure;
use crate::options::IsaOption;
use crate::output::Output;
use crate::progress::watched;
use api::Limits;
use api::cephalopods::{Contest, EngineName, HIGHEST_RANK, HeatAnswer, HeatQuestion};
use std::path::PathBuf;

/// Arguments of `heatmap`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The engines to compare
    #[arg(long, value_enum, value_delimiter = ',', default_value = "scratch")]
    engine: Vec<EngineValue>,
    /// The table file, for the table engine
    #[arg(long)]
    file: Option<PathBuf>,
    /// The highest rank; ranks start at 0
    #[arg(long, default_value_t = 18, value_parser = clap::value_parser!(u32).range(0..=i64::from(HIGHEST_RANK)))]
    last_rank: u32,
    /// The first depth
    #[arg(long, default_value_t = 6)]
    from: u32,
    /// The last depth
    #[arg(long, default_value_t = 40)]
    to: u32,
    /// Number of random boards per rank
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    boards: u32,
    /// Seed of the boards
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the plot to this file
    #[arg(long)]
    svg: Option<PathBuf>,
    /// One JSON object per engine
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    isa: IsaOption,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.from > arguments.to {
        return Err(Failure::Usage(format!("--from {} is beyond --to {}", arguments.from, arguments.to)));
    }
    let mut contest = Contest::new(arguments.isa.get());
    let mut measured: Vec<HeatAnswer> = Vec::new();
    let mut output = Output::new();
    for EngineValue(engine) in &arguments.engine {
        if *engine == EngineName::Table {
            super::open_table(&mut contest, arguments.file.as_ref())?;
        }
        let mut question = HeatQuestion::default();
        (question.last_rank, question.boards, question.seed) = (arguments.last_rank, arguments.boards, arguments.seed);
        (question.depths, question.engine) = ((arguments.from..=arguments.to).collect(), *engine);
        let answer = watched(&Limits::default(), |control| contest.heat(&question, control));
        let answer = answer.map_err(Failure::or_interrupted)?;
        if arguments.json {
            output.json(&answer)?;
        } else {
            output.line(format_args!("{}: milliseconds by rank and depth", answer.engine))?;
            for (rank, row) in answer.ms.iter().enumerate().rev() {
                let cells: String = row.iter().map(|ms| format!(" {ms:7.2}")).collect();
                output.line(format_args!("rank {rank:2}:{cells}"))?;
            }
            let depths: String = answer.plan.depths.iter().map(|depth| format!(" {depth:7}")).collect();
            output.line(format_args!("depth:  {depths}"))?;
        }
        measured.push(answer);
    }
    if let (Some(path), Some(first)) = (&arguments.svg, measured.first()) {
        let engines: Vec<_> = measured.iter().map(|answer| (answer.engine.as_str(), answer.ms.as_slice())).collect();
        let plot = Plot { depths: &first.plan.depths, boards: first.plan.boards, engines: &engines };
        api::files::write(path, svg(&plot).as_bytes())?;
    }
    Ok(())
}
