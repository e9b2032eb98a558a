//! `book`: the opening book, shown or built.

use crate::count::count;
use crate::failure::Failure;
use crate::options::{self, IsaOption};
use crate::output::{Output, note};
use crate::progress::watched;
use crate::{input, interrupt};
use api::uttt::{BookPlan, Rules, Session, build_book, shipped_book};
use api::{FaultKind, Limits, Options, PositionQuestion};
use std::path::{Path, PathBuf};
use std::time::Duration;

const AFTER_HELP: &str = "\
A line is a position, the visits of its search, and the moves that are nearly as good as the best one with their values for the
side to move: from -1 (lost) to 1 (won), or win, draw or loss if proved. Symmetric positions share a line.

Examples:
  ninefold uttt book
  ninefold uttt book '9/9/9/9/4X4/9/9/9/9 O 1 e5' --json
  ninefold uttt book --rule codingame
  ninefold uttt book --build book.txt --positions 3 --visits 1000";

/// Arguments of `book`.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Book {
    /// The position to look up; every line of the book if left out
    position: Option<String>,
    /// The rule: standard or codingame
    #[arg(long, default_value = "standard", value_parser = super::rule)]
    rule: Rules,
    /// Build a book in this file, or go on with the one that is there. It is saved after every position
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "json"])]
    build: Option<PathBuf>,
    /// Number of positions of the book, up to symmetry
    #[arg(long, default_value_t = 300, requires = "build")]
    positions: usize,
    /// Visits of the search of each position
    #[arg(long, default_value_t = 1_000_000, requires = "build", value_parser = clap::value_parser!(u64).range(1..))]
    visits: u64,
    /// The opponent plays every move whose value, from -1 to 1, is at most so much below that of his best one
    #[arg(long, default_value_t = 0.1, requires = "build", value_parser = margin)]
    margin: f64,
    /// Time limit, such as 10m; the same command goes on
    #[arg(long, value_parser = options::time, requires = "build")]
    time: Option<Duration>,
    /// Memory for the tree, such as 512M
    #[arg(long, default_value = "512M", value_parser = options::bytes, requires = "build")]
    memory: usize,
    /// Number of threads; 0 means one per core. With one thread the same command makes the same book
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = options::thread_count(), requires = "build")]
    threads: u16,
    /// One JSON object per position
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    isa: IsaOption,
}

fn margin(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=2.0).contains(number));
    number.ok_or_else(|| "a margin is a number from 0 to 2".to_owned())
}

impl Book {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if let Some(path) = &self.build {
            return self.build(path);
        }
        let lines = match &self.position {
            None => shipped_book(self.rule),
            Some(position) => {
                let mut options = Options::default();
                options.rule = Some(self.rule.name().to_owned());
                let mut question = PositionQuestion::at(position);
                question.options = options;
                let found = Session::new(self.isa.get()).book(&question)?;
                vec![found.ok_or_else(|| Failure::Run("the position is not in the book".to_owned()))?]
            }
        };
        let mut output = Output::new();
        lines.iter().try_for_each(|line| if self.json { output.json(line) } else { output.line(&line.text) })
    }

    fn build(&self, path: &Path) -> Result<(), Failure> {
        let text = if path.exists() { input::read_text(path)? } else { String::new() };
        let mut limits = self.time.map_or_else(Limits::default, Limits::time);
        limits.threads = u32::try_from(options::threads(self.threads).get()).ok();
        let plan = BookPlan { visits: self.visits, margin: self.margin, memory: self.memory };
        let mut save = |text: &str| api::files::write(path, text.as_bytes());
        let built = watched(&limits, |control| {
            build_book(self.rule, &text, self.positions, plan, self.isa.get(), control, &mut save)
        });
        if built.as_ref().is_err_and(|fault| fault.kind == FaultKind::Stopped) && path.exists() {
            note(format_args!("saved: run the same command again to go on with {}", path.display()));
        }
        interrupt::check()?;
        let positions = count(built? as u64, "position", "positions");
        Output::new().line(format_args!("{positions} in {}", path.display()))
    }
}
