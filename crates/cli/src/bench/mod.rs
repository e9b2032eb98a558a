//! `ninefold bench`: the headline figures as ratios, in one command, with their spread.

mod baseline;

use crate::failure::Failure;
use crate::options::{self, IsaOption};
use crate::output::Output;
use baseline::{Baseline, Comparison};
use ninefold_bench::headline::{Contest, Role, Speed, contests};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `bench`.
#[derive(clap::Args)]
#[command(after_help = "\
All methods of a game are timed in turns in one run, so the ratios between them hold on a busy machine. The speeds are those
of this machine. The spread is that of the rounds, relative to the median.

To compare two builds, save the figures of the first with --json and give them to the second with --baseline. A difference
within the spread of both runs is called no difference. The naive model is the control: if its speed differs, the machine
was busy.

Examples:
  ninefold bench
  ninefold bench triad --time 5s
  ninefold bench --json --isa scalar
  ninefold bench --json > before.json
  ninefold bench --baseline before.json")]
pub(crate) struct Arguments {
    /// Only the games whose name contains this text
    game: Option<String>,
    /// Time per figure, such as 500ms or 5s; at least five rounds
    #[arg(long, default_value = "2s", value_parser = options::time, allow_hyphen_values = true)]
    time: Duration,
    /// Compare with the figures of an earlier run, written by `ninefold bench --json > FILE`
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    isa: IsaOption,
    /// One JSON object per figure
    #[arg(long)]
    json: bool,
}

/// The version of the format of a figure, so that a baseline of another version is refused.
const FORMAT: u32 = 1;

/// A measured speed.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Figure {
    /// The version of this format.
    format: u32,
    /// The processor and its number of cores.
    machine: String,
    /// The version of the program and the commit it was built from.
    build: String,
    /// The instruction set.
    isa: String,
    /// The game.
    game: String,
    /// What is counted.
    items: String,
    /// The method that was measured.
    name: String,
    /// `naive`, `writeup` (a published method) or `ours`.
    role: String,
    /// Number of rounds.
    rounds: usize,
    /// Items per second in the fastest round.
    per_second: f64,
    /// Items per second in the median round.
    median_per_second: f64,
    /// The robust standard deviation of the time of a round (1.4826 times the median absolute deviation), relative to the
    /// median.
    spread: f64,
    /// How many times as fast as the naive model, by the fastest rounds.
    against_naive: f64,
    /// How many times as fast as the fastest published method, by the fastest rounds.
    against_writeup: Option<f64>,
    /// The comparison with the baseline, if there is one and it has this figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    baseline: Option<Comparison>,
}

/// The processor and its number of cores.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let described = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        described.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name));
    let model = model.map_or(std::env::consts::ARCH, str::trim);
    format!("{model}, {}, {cores} cores", std::env::consts::OS)
}

/// Measures and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let isa = arguments.isa.get();
    let wanted = |contest: &Contest| {
        let name = contest.game.to_lowercase();
        let filter = arguments.game.as_deref().unwrap_or_default().to_lowercase();
        // `uttt` is not part of the full name.
        name.contains(&filter) || filter == "uttt" && name.starts_with("ultimate")
    };
    let mut chosen: Vec<Contest> = contests(isa).into_iter().filter(wanted).collect();
    if chosen.is_empty() {
        return Err(Failure::Usage("the games are triad, uttt and cephalopods".to_owned()));
    }
    let isa = isa.to_string();
    let baseline = arguments.baseline.as_deref().map(|path| Baseline::read(path, &isa)).transpose()?;
    let machine = machine();
    let mut output = Output::new();
    if !arguments.json {
        let last = if baseline.is_some() { "   to the baseline" } else { "" };
        output.line(format_args!(
            "{:46} {:>9} {:>9} {:>8} {:>10} {:>12}{last}",
            "", "fastest", "median", "spread", "to naive", "to published"
        ))?;
    }
    for contest in &mut chosen {
        let speeds = contest.run(arguments.time);
        if !arguments.json {
            output.line(format_args!("{}: {} per second ({isa})", contest.game, contest.items))?;
        }
        for speed in speeds {
            let mut figure = figure(contest, &speed, &machine, &isa);
            figure.baseline = baseline.as_ref().and_then(|baseline| baseline.compare(&figure));
            if arguments.json { output.json(&figure)? } else { output.line(row(&figure, baseline.is_some()))? }
        }
    }
    Ok(())
}

fn figure(contest: &Contest, speed: &Speed, machine: &str, isa: &str) -> Figure {
    Figure {
        format: FORMAT,
        machine: machine.to_owned(),
        build: format!("{} {}", env!("CARGO_PKG_VERSION"), env!("NINEFOLD_COMMIT")),
        isa: isa.to_owned(),
        game: contest.game.to_owned(),
        items: contest.items.to_owned(),
        name: speed.name.to_owned(),
        role: match speed.role {
            Role::Naive => "naive",
            Role::WriteUp => "writeup",
            Role::Ours => "ours",
        }
        .to_owned(),
        rounds: speed.sample.rounds,
        per_second: speed.rate,
        median_per_second: speed.median_rate,
        spread: speed.sample.spread,
        against_naive: speed.against_naive,
        against_writeup: speed.against_writeup,
        baseline: None,
    }
}

fn row(figure: &Figure, compares: bool) -> String {
    let Figure { name, per_second, median_per_second, spread, against_naive, against_writeup, .. } = figure;
    let writeup = against_writeup.map_or(String::new(), |ratio| format!("{ratio:.2}x"));
    let baseline = match &figure.baseline {
        Some(comparison) => format!("   {comparison}"),
        None if compares => "   not in the baseline".to_owned(),
        None => String::new(),
    };
    let row = format!(
        "  {name:44} {:>9} {:>9} {:>6.1} % {against_naive:>9.1}x {writeup:>12}{baseline}",
        short(*per_second),
        short(*median_per_second),
        100.0 * spread
    );
    row.trim_end().to_owned()
}

/// Formats a rate with three digits and a unit letter.
fn short(rate: f64) -> String {
    let (scaled, unit) = match rate {
        1e9.. => (rate / 1e9, " G"),
        1e6.. => (rate / 1e6, " M"),
        1e3.. => (rate / 1e3, " k"),
        _ => (rate, "  "),
    };
    format!("{scaled:.3}")[..5].trim_end_matches('.').to_owned() + unit
}
