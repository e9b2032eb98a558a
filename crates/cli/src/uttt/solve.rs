//! `solve` and `verify`: exact values, and proofs that others can check.

use super::Common;
use crate::failure::Failure;
use crate::interrupt;
use crate::options::{self, ThreadsOption};
use crate::output::Output;
use crate::progress;
use engine::uttt::certificate::Refused;
use engine::uttt::solve::{Limits, Progress, Solution, Solver};
use engine::uttt::{Move, Position, Value, ask, certificate};
use oracle::uttt_proof;
use std::path::PathBuf;
use std::time::Duration;

/// How often the state is saved while a search goes on.
const AUTOSAVE: Duration = Duration::from_secs(300);

/// What `solve` takes.
#[derive(clap::Args)]
pub(super) struct Solve {
    #[command(flatten)]
    common: Common,
    /// Memory for the table, such as 512M or 4G; writing a --proof may take as much again
    #[arg(long, default_value = "256M", value_parser = options::bytes)]
    memory: usize,
    #[command(flatten)]
    threads: ThreadsOption,
    /// Give up after this time for each position, such as 30s or 10m
    #[arg(long, value_parser = options::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Node limit per position
    #[arg(long)]
    nodes: Option<u64>,
    /// Also give the principal variation
    #[arg(long)]
    line: bool,
    /// Write a certificate that `verify` can check; for one position
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Go on from this file if it is there; save to it every five minutes, and when interrupted or out of time or nodes
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Positions, or - for one per line from standard input
    #[arg(required = true)]
    positions: Vec<String>,
}

/// The answer, as `--json` shows it.
#[derive(serde::Serialize)]
struct Answer {
    position: String,
    value: Option<Value>,
    optimal: Vec<String>,
    nodes: u64,
    proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
}

impl Solve {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if self.proof.is_some() && (self.positions.len() != 1 || self.positions[0] == "-") {
            return Err(Failure::Usage("--proof takes one position, given as an argument".to_owned()));
        }
        let limits = Limits {
            memory: self.memory,
            threads: self.threads.get().get(),
            time: self.time,
            nodes: self.nodes,
            cancel: Some(interrupt::flag()),
            isa: self.common.isa(),
        };
        let mut solver = Solver::new(self.common.rule, limits)
            .map_err(|error| Failure::Run(format!("no memory for a table of {} MiB: {error}", self.memory >> 20)))?;
        if let Some(path) = self.state.as_ref().filter(|path| path.exists()) {
            solver.resume(path).map_err(|error| Failure::Run(error.to_string()))?;
        }
        if let Some(path) = &self.state {
            solver.save_every(path, AUTOSAVE);
        }
        let mut output = Output::new();
        self.common.each_position(&self.positions, |position| {
            let outcome = self.solve_one(&mut solver, position, &mut output);
            interrupt::check()?;
            outcome
        })
    }

    fn solve_one(&self, solver: &mut Solver, position: &Position, output: &mut Output) -> Result<(), Failure> {
        if ask::result(self.common.rule, position).is_some() {
            return Err(Failure::Usage(format!("the game is over: {}", ask::text(position))));
        }
        let bar = progress::search(self.time);
        let mut tick = |at: Progress| bar.set_position(at.nodes);
        let solution = solver.solve(position, &mut tick);
        if !solution.proved
            && let Some(path) = &self.state
        {
            solver.save(path).map_err(|error| Failure::Run(error.to_string()))?;
            bar.suspend(|| eprintln!("state saved: run the same command again to resume from {}", path.display()));
        }
        let line = if self.line && solution.proved {
            let (line, _) = solver.line(position, &mut tick);
            line.ok().map(|line| line.iter().map(Move::to_string).collect::<Vec<_>>())
        } else {
            None
        };
        if let (Some(path), true) = (&self.proof, solution.proved) {
            let certificate = solver.certify(position, &mut tick);
            let certificate = certificate.map_err(|refused| match refused {
                Refused::Stopped => Failure::Run(refused.to_string()),
                Refused::TooLarge(_) => Failure::Run(format!("{refused}; give more --memory")),
            })?;
            certificate.write(path).map_err(|error| Failure::Run(error.to_string()))?;
        }
        bar.finish_and_clear();
        let Solution { value, optimal, nodes, proved } = solution;
        let answer = Answer { position: ask::text(position), value, optimal, nodes, proved, line };
        if self.common.json {
            output.json(&answer)?
        } else {
            output.line(answer.for_people())?
        }
        if proved { Ok(()) } else { Err(Failure::Run("not solved within the limit; raise --time or --nodes".to_owned())) }
    }
}

impl Answer {
    fn for_people(&self) -> String {
        let Some(value) = self.value else { return format!("not solved after {} positions", self.nodes) };
        let word = match value {
            Value::W => "won",
            Value::D => "drawn",
            Value::L => "lost",
        };
        let side = &self.position[..1];
        let mut text = format!("{side} to move: {word}, proved; {} positions", self.nodes);
        if self.proved {
            text += &format!("\nbest moves: {}", self.optimal.join(" "));
        }
        if let Some(line) = &self.line {
            text += &format!("\nline: {}", line.join(" "));
        }
        text
    }
}

/// What `verify` takes.
#[derive(clap::Args)]
pub(super) struct Verify {
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// The certificate
    file: PathBuf,
}

#[derive(serde::Serialize)]
struct Verdict {
    position: String,
    rule: String,
    value: Value,
    positions: u64,
    verified: bool,
}

impl Verify {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let bar = progress::search(None);
        let body = certificate::read(&self.file).map_err(|error| Failure::Run(error.to_string()))?;
        let verified = uttt_proof::verify(&body)
            .map_err(|refusal| Failure::Run(format!("{}: proves nothing: {refusal}", self.file.display())))?;
        bar.finish_and_clear();
        let verdict = Verdict {
            position: verified.position,
            rule: format!("{:?}", verified.rule).to_lowercase(),
            value: [Value::L, Value::D, Value::W][(verified.value + 1) as usize],
            positions: verified.positions,
            verified: true,
        };
        let mut output = Output::new();
        if self.json {
            return output.json(&verdict);
        }
        let Verdict { position, rule, value, positions, .. } = verdict;
        output.line(format_args!("{position}\nvalue {value:?} under the {rule} rule: verified, {positions} positions"))
    }
}
