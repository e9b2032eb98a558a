//! `analyse` and `play`.

use super::Common;
use crate::draw::{Tense, ValueText};
use crate::failure::Failure;
use crate::input::each_text;
use crate::interrupt;
use crate::options;
use crate::output::Output;
use crate::play::{Options, Simple, Start};
use crate::progress::watched;
use api::uttt::SearchKind;
use api::{AnalyseQuestion, Limits, STRONGEST, Session};
use std::time::Duration;

/// Options of the search.
#[derive(clap::Args)]
struct Search {
    /// Time limit per answer, such as 100ms or 2s
    #[arg(long, default_value = "1s", value_parser = options::time, allow_hyphen_values = true)]
    time: Duration,
    /// Node limit per answer (positions or playouts)
    #[arg(long)]
    nodes: Option<u64>,
    /// The search: mcts, alphabeta, or uct (mcts without proofs, for comparison)
    #[arg(long, default_value = "mcts", value_parser = search_kind)]
    search: SearchKind,
    /// Memory for trees and tables, such as 512M
    #[arg(long, default_value = "256M", value_parser = options::bytes)]
    memory: usize,
    /// Seed of the playouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn search_kind(name: &str) -> Result<SearchKind, String> {
    SearchKind::named(name).ok_or_else(|| "the searches are mcts, alphabeta and uct".to_owned())
}

impl Search {
    /// A session with these options.
    fn session(&self, common: &Common) -> Result<Box<dyn Session>, Failure> {
        let mut session: Box<dyn Session> = Box::new(common.session());
        let mut options = common.options();
        (options.search, options.seed) = (Some(self.search.name().to_owned()), Some(self.seed));
        session.set_base(&options)?;
        Ok(session)
    }

    fn limits(&self) -> Limits {
        let mut limits = Limits::time(self.time);
        (limits.nodes, limits.memory_mib) = (self.nodes, Some(options::mebibytes(self.memory)));
        limits
    }
}

/// Arguments of `analyse`.
#[derive(clap::Args)]
pub(super) struct Analyse {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    search: Search,
    /// Strength from 1 (a beginner) to 10 (full strength)
    #[arg(long, default_value_t = STRONGEST, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: u32,
    /// Depth limit: of all lines with alphabeta, of the longest line with mcts and uct
    #[arg(long, value_name = "MOVES")]
    depth: Option<u32>,
    /// Number of best moves to show
    #[arg(long, default_value_t = 1)]
    lines: usize,
    /// Positions, or - for one per line from standard input; the start by default
    positions: Vec<String>,
}

impl Analyse {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut output = Output::new();
        let mut session = self.search.session(&self.common)?;
        let mut limits = self.search.limits();
        limits.depth = self.depth;
        if let Some(most) = api::uttt::level_nodes(self.level) {
            limits.nodes = Some(limits.nodes.map_or(most, |nodes| nodes.min(most)));
        }
        each_text(&self.positions, |position| {
            let mut question = AnalyseQuestion::default();
            question.position = position.map(str::to_owned);
            (question.limits, question.lines) = (limits.clone(), Some(self.lines));
            let analysis = watched(&limits, |control| session.analyse(&question, control))?;
            if self.common.json {
                output.json(&analysis)?;
                return interrupt::check();
            }
            if analysis.best.is_none() {
                let value = ValueText::from(&analysis).words(Tense::Side);
                output.line(format_args!("the game is over: {} {value}", analysis.mover))?;
            }
            for (number, line) in analysis.lines.iter().enumerate() {
                let value = ValueText::from(line).words(Tense::Move);
                output.line(format_args!("{}. {}  {value}  {}", number + 1, line.mv, line.line.join(" ")))?;
            }
            output.line(format_args!("{} positions", analysis.nodes))?;
            interrupt::check()
        })
    }
}

/// Arguments of `play`.
#[derive(clap::Args)]
pub(super) struct Play {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    options: Options,
    /// Position to start from; the start of the game by default
    position: Option<String>,
}

impl Play {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let table = Simple {
            session: self.search.session(&self.common)?,
            title: format!("Ultimate Tic-Tac-Toe · {}", self.common.rule.name()),
            position: self.position.clone(),
            how_to_move: "a move is two letters, board and square from a to i (ee), or file and rank (e5)",
        };
        let humans = self.options.humans(["X", "O"])?;
        let (engine, limits) = (self.search.session(&self.common)?, self.search.limits());
        let seed = self.search.seed;
        Start { table: Box::new(table), engine, humans, limits, seed, json: self.common.json }.run(&self.options)
    }
}
