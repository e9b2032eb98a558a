//! `solve` and `verify`: proved values, and certificates that other programs can check.

use super::Common;
use crate::count::count;
use crate::draw::algebraic;
use crate::failure::Failure;
use crate::input::{self, each_text};
use crate::interrupt;
use crate::options::{self, ThreadsOption};
use crate::output::Output;
use crate::progress::watched;
use api::uttt::{Session, verify_sealed};
use api::{Analysis, Limits, Outcome, PositionQuestion, Session as _, SolveQuestion};
use indicatif::HumanCount;
use std::path::PathBuf;
use std::time::Duration;

/// How often the state is saved during a search.
const AUTOSAVE: Duration = Duration::from_secs(300);

/// Arguments of `solve`.
#[derive(clap::Args)]
pub(super) struct Solve {
    #[command(flatten)]
    common: Common,
    /// Memory for the table, such as 512M or 4G; writing a --proof may take as much again, and beyond that 40 bytes of disk
    /// per position
    #[arg(long, default_value = "256M", value_parser = options::bytes)]
    memory: usize,
    #[command(flatten)]
    threads: ThreadsOption,
    /// Time limit per position, such as 30s or 10m
    #[arg(long, value_parser = options::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Node limit per position
    #[arg(long)]
    nodes: Option<u64>,
    /// Prove the value alone and no best moves, which takes less
    #[arg(long, conflicts_with_all = ["line", "all_moves"])]
    value: bool,
    /// Also show the principal variation
    #[arg(long)]
    line: bool,
    /// Also show the value of every move
    #[arg(long)]
    all_moves: bool,
    /// Write a certificate that `verify` can check; for one position
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// State file: resume from it if it exists; save to it every five minutes, on a signal (INT, TERM, HUP) and when a limit is
    /// reached
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Positions, or - for one per line from standard input
    #[arg(required = true)]
    positions: Vec<String>,
}

impl Solve {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if self.proof.is_some() && (self.positions.len() != 1 || self.positions[0] == "-") {
            return Err(Failure::Usage("--proof takes one position, given as an argument".to_owned()));
        }
        let mut session = self.common.session();
        session.set_base(&self.common.options())?;
        if let Some(path) = self.state.as_ref().filter(|path| path.exists()) {
            session.resume(path, &self.limits().apply(api::Control::new()))?;
        }
        if let Some(path) = &self.state {
            session.save_every(path, AUTOSAVE);
        }
        let mut output = Output::new();
        each_text(&self.positions, |position| {
            let outcome = self.solve_one(&mut session, position, &mut output);
            interrupt::check()?;
            outcome
        })
    }

    fn limits(&self) -> Limits {
        let mut limits = self.time.map_or_else(Limits::default, Limits::time);
        limits.nodes = self.nodes;
        limits.memory_mib = Some(options::mebibytes(self.memory));
        limits.threads = u32::try_from(self.threads.get().get()).ok();
        limits
    }

    fn solve_one(&self, session: &mut Session, position: Option<&str>, output: &mut Output) -> Result<(), Failure> {
        let mut question = SolveQuestion::default();
        question.position = position.map(str::to_owned);
        (question.limits, question.value_only) = (self.limits(), self.value);
        (question.line, question.all_moves) = (self.line, self.all_moves);
        let answer = watched(&question.limits, |control| session.solve(&question, control))?;
        // Printed before any file is written: a full disk must not lose the answer.
        if self.common.json {
            output.json(&answer)?
        } else {
            let over = session.look(&PositionQuestion::at(answer.position.as_str()))?.result.is_some();
            output.line(for_people(&answer, over, self.line))?
        }
        if !answer.complete
            && let Some(path) = &self.state
        {
            session.save(path)?;
            crate::output::note(format_args!(
                "state saved: run the same command again to resume from {}",
                path.display()
            ));
        }
        if let (Some(path), Some(_)) = (&self.proof, answer.outcome) {
            let written = watched(&question.limits, |control| session.certify_file(&question, path, control));
            written.map_err(|fault| match interrupt::check() {
                Err(interrupted) => {
                    crate::output::note(format_args!("the value is proved, but the certificate is not written"));
                    interrupted
                }
                Ok(()) => Failure::Run(format!("the value is proved; only the certificate failed: {fault}")),
            })?;
        }
        match (answer.complete, answer.outcome) {
            (true, _) => Ok(()),
            (false, None) => Err(Failure::Run("not solved within the limit; raise --time or --nodes".to_owned())),
            (false, Some(_)) => Err(Failure::Run(
                "the value is proved, but a limit was reached before all moves were; raise --time or --nodes"
                    .to_owned(),
            )),
        }
    }
}

fn for_people(answer: &Analysis, over: bool, with_line: bool) -> String {
    let Some(outcome) = answer.outcome else {
        return format!("not solved after {}", count(answer.nodes, "node", "nodes"));
    };
    let word = match outcome {
        Outcome::Win => "won",
        Outcome::Draw => "drawn",
        Outcome::Loss => "lost",
    };
    if over {
        return format!("the game is over: {} for {}", word, answer.mover);
    }
    let nodes = count(answer.nodes, "node", "nodes");
    let mut text = format!("{} to move: {word}, {}; {nodes}", answer.mover, certainty(answer));
    if !answer.optimal.is_empty() {
        let so_far = if answer.complete { "" } else { " so far" };
        text += &format!("\nbest moves{so_far}: {}", algebraic(&answer.optimal));
    }
    if let (true, Some(first)) = (with_line, answer.lines.first()) {
        text += &format!("\nline: {}", algebraic(&first.line));
    }
    text
}

/// The certainty of the value in words.
fn certainty(answer: &Analysis) -> String {
    match answer.certainty {
        api::Certainty::Hashed { error } => format!("proved up to a hash collision (chance below {error:.0e})"),
        _ => "proved".to_owned(),
    }
}

/// Arguments of `verify`.
#[derive(clap::Args)]
pub(super) struct Verify {
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// The certificate; - reads standard input
    file: PathBuf,
}

impl Verify {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let bytes = input::read_bytes(&self.file)?;
        let name = PathBuf::from(input::name_of(&self.file));
        let answer = watched(&Limits::default(), |control| verify_sealed(&name, &bytes, control));
        let answer = answer.map_err(Failure::or_interrupted)?;
        let mut output = Output::new();
        if self.json {
            return output.json(&answer);
        }
        let (position, value, rule, positions) =
            (&answer.position, answer.value, &answer.rule, HumanCount(answer.positions));
        output.line(format_args!("{position}\nvalue {value:?} under the {rule} rule: verified, {positions} positions"))
    }
}
