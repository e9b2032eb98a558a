//! `analyse`, `play`: the engine at work.

use super::Common;
use crate::failure::Failure;
use crate::interrupt;
use crate::options;
use crate::output::Output;
use crate::play::{Options, Simple, Start};
use crate::progress;
use engine::desk::{self, Desk, Uttt};
use engine::uttt::play::{Analysis, Engine, Line, Method, Request};
use engine::uttt::{Accept, Rules, Value, ask};
use grid::simd::Isa;
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

/// How the engine thinks.
#[derive(clap::Args)]
struct Thinking {
    #[command(flatten)]
    search: Search,
    /// From 1 (a beginner) to 10 (all it has)
    #[arg(long, default_value_t = Request::STRONGEST, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: u32,
}

pub(super) fn method(name: &str) -> Result<Method, String> {
    let named = Method::NAMED.into_iter().find(|(known, _)| *known == name);
    named.map(|(_, method)| method).ok_or_else(|| "the searches are mcts, alphabeta and uct".to_owned())
}

impl Thinking {
    fn request(&self, lines: usize) -> Request {
        Request {
            method: self.search.search,
            time: Some(self.search.time),
            nodes: self.search.nodes,
            lines,
            level: self.level,
            cancel: None,
        }
    }

    fn engine(&self, rules: Rules, isa: Isa) -> Result<Engine, Failure> {
        Engine::new(rules, self.search.memory, isa, self.search.seed).map_err(|error| Failure::Run(error.to_string()))
    }
}

/// What `analyse` takes.
#[derive(clap::Args)]
pub(super) struct Analyse {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    thinking: Thinking,
    /// How many moves to tell, best first
    #[arg(long, default_value_t = 1)]
    lines: usize,
    /// Positions, or - for one a line from standard input; the start by default
    positions: Vec<String>,
}

#[derive(serde::Serialize)]
struct Analysed {
    position: String,
    #[serde(flatten)]
    analysis: Analysis,
}

impl Analyse {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut output = Output::new();
        let mut engine = self.thinking.engine(self.common.rule, self.common.isa())?;
        self.common.each_position(&self.positions, |position| {
            if ask::result(self.common.rule, position).is_some() {
                return Err(Failure::Usage(format!("the game is over: {}", ask::text(position))));
            }
            let request = Request { cancel: Some(interrupt::flag()), ..self.thinking.request(self.lines) };
            let bar = progress::search(request.time);
            let analysis = engine.analyse_with(position, &request, &mut |so_far| bar.set_position(so_far.nodes));
            bar.finish_and_clear();
            if self.common.json {
                output.json(&Analysed { position: ask::text(position), analysis })?;
                return interrupt::check();
            }
            for (number, line) in analysis.lines.iter().enumerate() {
                output.line(format_args!("{}. {}", number + 1, told(line)))?;
            }
            output.line(format_args!("{} positions", analysis.nodes))?;
            interrupt::check()
        })
    }
}

/// A line for people: exact where it is proved, an estimate where it is not.
fn told(line: &Line) -> String {
    let worth = match line.value {
        Some(Value::W) => "won (proved)".to_owned(),
        Some(Value::D) => "drawn (proved)".to_owned(),
        Some(Value::L) => "lost (proved)".to_owned(),
        None => format!("{:+.3} (estimated)", line.score),
    };
    format!("{}  {worth}  {}", line.mv, line.line.join(" "))
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
        let desk = || -> Result<Box<dyn Desk>, Failure> {
            let accept = if self.common.lenient { Accept::Playable } else { Accept::Reachable };
            let mut desk: Box<dyn Desk> = Box::new(Uttt::new(self.common.isa()).accepting(accept));
            let search = Method::NAMED.iter().find(|(_, method)| *method == self.search.search);
            let mebibytes = (self.search.memory >> 20).max(1);
            for (name, value) in [
                ("rule", self.common.rule.name().to_owned()),
                ("search", search.map_or("mcts", |(name, _)| *name).to_owned()),
                ("memory", mebibytes.to_string()),
                ("seed", self.search.seed.to_string()),
            ] {
                desk.set(name, &value).map_err(|fault| Failure::Usage(fault.message))?;
            }
            Ok(desk)
        };
        let table = Simple {
            desk: desk()?,
            title: format!("Ultimate Tic-Tac-Toe · {}", self.common.rule.name()),
            position: Some(ask::text(&position)),
            how_to_move: "a move is two letters, board and square from a to i (ee), or file and rank (e5)",
        };
        let request =
            desk::Request { nodes: self.search.nodes, seed: self.search.seed, ..desk::Request::time(self.search.time) };
        let humans = self.options.humans(["X", "O"])?;
        Start { table: Box::new(table), engine: desk()?, humans, request, json: self.common.json }.run(&self.options)
    }
}
