//! `puzzles`: positions with exactly one best move, made, listed, and proved again.

use crate::failure::Failure;
use crate::input;
use crate::options::{self, IsaOption};
use crate::output::Output;
use crate::progress::watched;
use api::Limits;
use api::uttt::{PuzzlesQuestion, Rules, check_puzzles, puzzles, shipped_puzzles};
use std::path::PathBuf;
use std::time::Duration;

const AFTER_HELP: &str = "\
In each position exactly one move wins, or exactly one move draws and all others lose. A line is the position, the move,
what it achieves, and the grade: how many plies a simple search has to look ahead to find the move, from 1 to 9.

Examples:
  ninefold uttt puzzles --count 3 --seed 7
  ninefold uttt puzzles --shipped --json
  ninefold uttt puzzles --count 20 --rule codingame > mine.txt
  ninefold uttt puzzles --check mine.txt --rule codingame";

/// Arguments of `puzzles`.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Puzzles {
    /// Number of puzzles
    #[arg(long, default_value_t = 10)]
    count: u32,
    /// Seed of the games that the puzzles come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The rule: standard, codingame (no line: more boards win) or open (won boards stay playable)
    #[arg(long, default_value = "standard", value_parser = super::rule)]
    rule: Rules,
    /// Time limit, such as 30s or 10m
    #[arg(long, value_parser = options::time)]
    time: Option<Duration>,
    /// List the puzzles that come with the program instead
    #[arg(long, conflicts_with_all = ["count", "seed", "rule", "time", "check"])]
    shipped: bool,
    /// Prove the puzzles of a file again; - reads standard input, and without a file those that come with the program
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["count", "seed", "json"])]
    check: Option<Option<PathBuf>>,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    isa: IsaOption,
}

impl Puzzles {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if let Some(file) = &self.check {
            return self.check(file.as_ref());
        }
        let mut output = Output::new();
        let answer = if self.shipped {
            shipped_puzzles()
        } else {
            let mut question = PuzzlesQuestion::default();
            (question.count, question.seed, question.limits) = (self.count, self.seed, self.limits());
            question.options.rule = Some(self.rule.name().to_owned());
            watched(&question.limits, |control| puzzles(&question, self.isa.get(), control))?
        };
        for puzzle in &answer.puzzles {
            if self.json { output.json(puzzle)? } else { output.line(&puzzle.text)? }
        }
        crate::interrupt::check()?;
        if answer.complete {
            return Ok(());
        }
        Err(Failure::Run(format!(
            "only {} of {} puzzles within the limit; raise --time",
            answer.puzzles.len(),
            self.count
        )))
    }

    fn limits(&self) -> Limits {
        self.time.map_or_else(Limits::default, Limits::time)
    }

    fn check(&self, file: Option<&PathBuf>) -> Result<(), Failure> {
        let text = match file {
            None => shipped_puzzles().puzzles.iter().map(|puzzle| format!("{}\n", puzzle.text)).collect(),
            Some(file) => {
                let wrong = |_| Failure::Usage(format!("{}: not UTF-8", input::name_of(file)));
                String::from_utf8(input::read_bytes(file)?).map_err(wrong)?
            }
        };
        let checked = watched(&self.limits(), |control| check_puzzles(self.rule, &text, self.isa.get(), control));
        let count = checked.map_err(Failure::or_interrupted)?;
        Output::new().line(format_args!("{} proved", crate::count::count(count, "puzzle", "puzzles")))
    }
}
