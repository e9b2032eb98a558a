//! `ninefold cephalopods heatmap`: the plot of the article, as a table and as an SVG.

use super::EngineName;
use crate::failure::Failure;
use crate::options::IsaOption;
use crate::output::Output;
use clap::ValueEnum;
use engine::cephalopods::heat::{self, Plan, Times};
use std::path::PathBuf;

/// What `heatmap` takes.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The engines, side by side
    #[arg(long, value_enum, value_delimiter = ',', default_value = "scratch")]
    engine: Vec<EngineName>,
    /// The table's file, for the table engine
    #[arg(long)]
    file: Option<PathBuf>,
    /// Ranks from 0 to this
    #[arg(long, default_value_t = 18, value_parser = clap::value_parser!(u32).range(0..=48))]
    last_rank: u32,
    /// The first depth
    #[arg(long, default_value_t = 6)]
    from: u32,
    /// The last depth
    #[arg(long, default_value_t = 40)]
    to: u32,
    /// How many random boards for each rank
    #[arg(long, default_value_t = 3)]
    boards: u32,
    /// The seed of the boards
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the plot here
    #[arg(long)]
    svg: Option<PathBuf>,
    /// One JSON object per engine
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    isa: IsaOption,
}

#[derive(serde::Serialize)]
struct Measured<'a> {
    engine: &'a str,
    plan: &'a Plan,
    ms: &'a Times,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.from > arguments.to {
        return Err(Failure::Usage(format!("--from {} is beyond --to {}", arguments.from, arguments.to)));
    }
    let isa = arguments.isa.get();
    let plan = Plan {
        last_rank: arguments.last_rank,
        depths: (arguments.from..=arguments.to).collect(),
        boards: arguments.boards,
        seed: arguments.seed,
    };
    let names: Vec<String> =
        arguments.engine.iter().filter_map(|name| Some(name.to_possible_value()?.get_name().to_owned())).collect();
    let mut measured: Vec<(&str, Times)> = Vec::new();
    let mut output = Output::new();
    for (name, choice) in names.iter().zip(&arguments.engine) {
        let mut engine = super::open(*choice, arguments.file.as_ref(), isa, 1)?;
        let bar = crate::progress::bar(u64::from(plan.last_rank) + 1);
        let times = heat::measure(&mut engine, &plan, &mut |done| bar.set_position(u64::from(done)))
            .map_err(|error| Failure::Run(error.to_string()))?;
        bar.finish_and_clear();
        if arguments.json {
            output.json(&Measured { engine: name, plan: &plan, ms: &times })?;
        } else {
            output.line(format_args!("{name}: milliseconds by rank and depth"))?;
            for (rank, row) in times.iter().enumerate().rev() {
                let cells: String = row.iter().map(|ms| format!(" {ms:7.2}")).collect();
                output.line(format_args!("rank {rank:2}:{cells}"))?;
            }
            let depths: String = plan.depths.iter().map(|depth| format!(" {depth:7}")).collect();
            output.line(format_args!("depth:  {depths}"))?;
        }
        measured.push((name, times));
    }
    if let Some(path) = &arguments.svg {
        std::fs::write(path, heat::svg(&plan, &measured))
            .map_err(|error| Failure::Run(format!("{}: {error}", path.display())))?;
    }
    Ok(())
}
