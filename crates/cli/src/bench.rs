//! `ninefold bench`: the headline figures as ratios, in one command.

use crate::failure::Failure;
use crate::options::{self, IsaOption};
use crate::output::Output;
use ninefold_bench::headline::{Contest, Role, Speed, contests};
use serde::Serialize;
use std::time::Duration;

/// Arguments of `bench`.
#[derive(clap::Args)]
#[command(
    after_help = "Every way of doing a thing is timed in turns in one run: the ratios hold, the rates are this machine's.

Examples:
  ninefold bench
  ninefold bench triad --time 5s
  ninefold bench --json --isa scalar"
)]
pub(crate) struct Arguments {
    /// Only the games whose name contains this text
    game: Option<String>,
    /// Time per figure, such as 500ms or 5s
    #[arg(long, default_value = "2s", value_parser = options::time, allow_hyphen_values = true)]
    time: Duration,
    #[command(flatten)]
    isa: IsaOption,
    /// One JSON object per figure
    #[arg(long)]
    json: bool,
}

/// A measured speed.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Figure<'a> {
    /// The game.
    game: &'a str,
    /// What is counted.
    items: &'a str,
    /// The method that was measured.
    name: &'a str,
    /// `naive`, `writeup` (a published method) or `ours`.
    role: &'a str,
    /// Items per second.
    per_second: f64,
    /// How many times as fast as the naive model.
    against_naive: f64,
    /// How many times as fast as the fastest published method.
    against_writeup: Option<f64>,
    /// The instruction set.
    isa: String,
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
    let mut output = Output::new();
    for contest in &mut chosen {
        let speeds = contest.run(arguments.time);
        if arguments.json {
            for speed in speeds {
                output.json(&figure(contest, &speed, isa.to_string()))?;
            }
            continue;
        }
        output.line(format_args!("{}: {} per second ({isa})", contest.game, contest.items))?;
        for Speed { name, rate, against_naive, against_writeup, .. } in speeds {
            let ratio = against_writeup.map_or(String::new(), |ratio| format!("{ratio:8.2}x"));
            output.line(format_args!("  {name:44} {:>9} {against_naive:9.1}x {ratio}", short(rate)))?;
        }
    }
    if !arguments.json {
        output.line("ratios: to the naive model, and to the fastest published method")?;
    }
    Ok(())
}

fn figure<'a>(contest: &'a Contest, speed: &Speed, isa: String) -> Figure<'a> {
    Figure {
        game: contest.game,
        items: contest.items,
        name: speed.name,
        role: match speed.role {
            Role::Naive => "naive",
            Role::WriteUp => "writeup",
            Role::Ours => "ours",
        },
        per_second: speed.rate,
        against_naive: speed.against_naive,
        against_writeup: speed.against_writeup,
        isa,
    }
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
