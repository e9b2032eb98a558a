//! `ninefold cephalopods solve`: the value of a position, of every move, and best play.

use super::rule::{Choice, Verb};
use crate::draw::{self, Marks};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;
use crate::progress;
use engine::cephalopods::analysis::{Analysis, Analyst};
use grid::Notation;
use std::io::BufRead;
use std::time::Duration;

/// What `solve` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The position: A's dice 1 to 6, B's a to f, empty cells as points, row by row, then :A or :B, who moves; rows of other
    /// sizes than 3x3 are separated by slashes. - reads one per line from standard input; the empty board if not given
    position: Option<String>,
    #[command(flatten)]
    choice: Choice,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// Solves what was asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.choice.give_to(arguments)
}

impl Verb for &Arguments {
    fn with<E: Analyst>(self, mut engine: E) -> Result<(), Failure> {
        let mut output = Output::new();
        match self.position.as_deref() {
            Some("-") => {
                for (number, line) in std::io::stdin().lock().lines().enumerate() {
                    let line = line.map_err(|error| Failure::Usage(format!("line {}: {error}", number + 1)))?;
                    if !line.trim().is_empty() {
                        let place = format!("line {}: ", number + 1);
                        self.answer(&mut engine, Some(line.trim()), &place, &mut output)?;
                    }
                }
                Ok(())
            }
            text => self.answer(&mut engine, text, "", &mut output),
        }
    }
}

impl Arguments {
    fn answer<E: Analyst>(
        &self,
        engine: &mut E,
        text: Option<&str>,
        place: &str,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let position = match text {
            None => grid::Game::start(engine.rules()),
            Some(text) => {
                let read = engine.rules().read_position(text);
                read.map_err(|fault| Failure::Usage(format!("{place}{}", fault.pointing_into(text))))?
            }
        };
        let bar = progress::search(self.choice.request()?.time.map(Duration::from_millis));
        let analysis = engine.analyse(&position).map_err(|error| Failure::Run(error.to_string()))?;
        bar.finish_and_clear();
        if self.json {
            output.json(&analysis)?;
            return interrupt::check();
        }
        let view = self.choice.desk()?.look(&analysis.position).map_err(|fault| Failure::Run(fault.message))?;
        output.line(draw::text(&draw::picture(&view, &Marks::default())))?;
        output.line(Shown(&analysis))?;
        interrupt::check()
    }
}

/// A value in words.
pub(super) fn value_text(value: f64, exact: bool) -> String {
    match (exact, value) {
        (true, value) if value > 0.0 => "wins".into(),
        (true, value) if value < 0.0 => "loses".into(),
        (true, _) => "draws".into(),
        (false, value) => format!("{value:+.3} estimated"),
    }
}

/// An analysis for people.
struct Shown<'a>(&'a Analysis);

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Analysis { position, rule, mover, value, exact, best, moves, line, nodes, seconds } = self.0;
        writeln!(out, "{position}  ({rule})")?;
        writeln!(out, "{mover} to move {}", value_text(*value, *exact))?;
        if let Some(best) = best {
            writeln!(out, "best   {best}")?;
        }
        for mv in moves {
            writeln!(out, "  {:10} {}", mv.text, value_text(mv.value, mv.exact))?;
        }
        if !line.is_empty() {
            writeln!(out, "line   {}", line.join(" "))?;
        }
        write!(out, "{nodes} {}, {seconds:.3} s", if *exact { "boards or nodes, proved" } else { "nodes" })
    }
}
