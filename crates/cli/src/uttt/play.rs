//! `analyse`, `play`: the engine at work.

use super::Common;
use crate::draw::{Tense, Worth};
use crate::failure::Failure;
use crate::interrupt;
use crate::options;
use crate::output::Output;
use crate::play::{Options, Simple, Start};
use crate::progress;
use engine::desk::{Desk, Request, Uttt};
use engine::uttt::play::Method;
use engine::uttt::{Accept, ask};
use std::time::Duration;

/// How the engine searches.
#[derive(clap::Args)]
struct Search {
    /// Time for each answer, such as 100ms or 2s
    #[arg(long, default_value = "1s", value_parser = options::time, allow_hyphen_values = true)]
    time: Duration,
    /// Positions or playouts for each answer
    #[arg(long)]
    nodes: Option<u64>,
    /// The search: mcts, alphabeta, or uct (mcts without proofs, for comparison)
    #[arg(long, default_value = "mcts", value_parser = method)]
    search: Method,
    /// Memory for trees and tables, such as 512M
    #[arg(long, default_value = "256M", value_parser = options::bytes)]
    memory: usize,
    /// Seed of the random games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn method(name: &str) -> Result<Method, String> {
    let named = Method::NAMED.into_iter().find(|(known, _)| *known == name);
    named.map(|(_, method)| method).ok_or_else(|| "the searches are mcts, alphabeta and uct".to_owned())
}

impl Search {
    /// A desk that searches so.
    fn desk(&self, common: &Common) -> Result<Box<dyn Desk>, Failure> {
        let accept = if common.lenient { Accept::Playable } else { Accept::Reachable };
        let mut desk = Box::new(Uttt::new(common.isa()).accepting(accept));
        let search = Method::NAMED.iter().find(|(_, method)| *method == self.search);
        let mebibytes = (self.memory >> 20).max(1);
        for (name, value) in [
            ("rule", common.rule.name().to_owned()),
            ("search", search.map_or("mcts", |(name, _)| *name).to_owned()),
            ("memory", mebibytes.to_string()),
            ("seed", self.seed.to_string()),
        ] {
            desk.set(name, &value).map_err(|fault| Failure::Usage(fault.message))?;
        }
        Ok(desk)
    }

    fn request(&self) -> Request {
        Request { nodes: self.nodes, seed: self.seed, ..Request::time(self.time) }
    }
}

/// What `analyse` takes.
#[derive(clap::Args)]
pub(super) struct Analyse {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    search: Search,
    /// From 1 (a beginner) to 10 (full strength)
    #[arg(long, default_value_t = Request::STRONGEST, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: u32,
    /// Stop before the time is up at this depth: in all lines with alphabeta, in the longest
    /// line with mcts and uct
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
        let mut desk = self.search.desk(&self.common)?;
        let request = Request {
            lines: Some(self.lines),
            level: self.level,
            depth: self.depth,
            cancel: Some(interrupt::flag()),
            ..self.search.request()
        };
        self.common.each_position(&self.positions, |position| {
            let position = ask::text(position);
            let bar = progress::search(Some(self.search.time));
            let analysis = desk.analyse(&position, &request, &mut |so_far| bar.set_position(so_far.nodes));
            bar.finish_and_clear();
            let analysis = analysis.map_err(|fault| Failure::Run(fault.message))?;
            if analysis.best.is_none() {
                return Err(Failure::Usage(format!("the game is over: {position}")));
            }
            if self.common.json {
                output.json(&analysis)?;
                return interrupt::check();
            }
            for (number, line) in analysis.lines.iter().enumerate() {
                let worth = Worth::from(line).words(Tense::Move);
                output.line(format_args!("{}. {}  {worth}  {}", number + 1, line.mv, line.line.join(" ")))?;
            }
            output.line(format_args!("{} positions", analysis.nodes))?;
            interrupt::check()
        })
    }
}

/// What `play` takes.
#[derive(clap::Args)]
pub(super) struct Play {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    options: Options,
    /// The position to begin with; the start by default
    position: Option<String>,
}

impl Play {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let position = self.common.one_position(self.position.as_deref())?;
        let table = Simple {
            desk: self.search.desk(&self.common)?,
            title: format!("Ultimate Tic-Tac-Toe · {}", self.common.rule.name()),
            position: Some(ask::text(&position)),
            how_to_move: "a move is two letters, board and square from a to i (ee), or file and rank (e5)",
        };
        let humans = self.options.humans(["X", "O"])?;
        let engine = self.search.desk(&self.common)?;
        let request = self.search.request();
        Start { table: Box::new(table), engine, humans, request, json: self.common.json }.run(&self.options)
    }
}
