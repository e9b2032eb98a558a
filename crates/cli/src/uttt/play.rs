//! `analyse` and `play`.

use super::Common;
use crate::count::count;
use crate::draw::{Tense, ValueText, algebraic};
use crate::failure::Failure;
use crate::input::each_text;
use crate::interrupt;
use crate::options;
use crate::output::Output;
use crate::play::{Options, Simple, Start};
use crate::progress::watched;
use api::uttt::{Rules, SearchKind};
use api::{AnalyseQuestion, GameName, Limits, STRONGEST, Session};
use std::time::Duration;

/// Options of the search.
#[derive(clap::Args)]
struct Search {
    /// Time limit per answer, such as 100ms or 2s
    #[arg(long, default_value = "1s", value_parser = options::time, allow_hyphen_values = true)]
    time: Duration,
    /// Node limit per answer
    #[arg(long)]
    nodes: Option<u64>,
    /// The search: bestfirst (the network), alphabeta, mcts (random games), or uct (mcts without proofs, for comparison)
    #[arg(long, default_value = "bestfirst", value_parser = search_kind)]
    search: SearchKind,
    /// Memory for trees and tables, such as 512M
    #[arg(long, default_value = "256M", value_parser = options::bytes)]
    memory: usize,
    /// Seed of the playouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn search_kind(name: &str) -> Result<SearchKind, String> {
    SearchKind::named(name).ok_or_else(|| "the searches are bestfirst, alphabeta, mcts and uct".to_owned())
}

impl Search {
    /// A session with these options.
    fn session(&self, common: &Common, rule: Rules) -> Result<Box<dyn Session>, Failure> {
        let mut session: Box<dyn Session> = Box::new(common.session());
        let mut options = common.options();
        options.rule = Some(rule.name().to_owned());
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
    /// Depth limit: of all lines with alphabeta, of the longest line with the others
    #[arg(long, value_name = "MOVES")]
    depth: Option<u32>,
    /// Number of threads; 0 means one per core. Near the end one of several is the solver's
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = options::thread_count())]
    threads: u16,
    /// Number of best moves to show
    #[arg(long, default_value_t = 1)]
    lines: usize,
    /// Positions, or - for one per line from standard input; the start by default
    positions: Vec<String>,
}

impl Analyse {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut output = Output::new();
        let mut session = self.search.session(&self.common, self.common.rule)?;
        let mut limits = self.search.limits();
        limits.depth = self.depth;
        limits.threads = u32::try_from(options::threads(self.threads).get()).ok();
        if let Some(strength) = api::uttt::Level::of(self.level).strength {
            let most = strength.nodes;
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
                output.line(format_args!("{}. {}  {value}  {}", number + 1, line.label, algebraic(&line.line)))?;
            }
            output.line(count(analysis.nodes, "node", "nodes"))?;
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
    /// Search every move. Without this the engine at level 10 plays from the opening book where it can
    #[arg(long)]
    no_book: bool,
    /// Position to start from; the start of the game by default
    #[arg(conflicts_with = "load")]
    position: Option<String>,
}

impl Play {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let loaded = self.options.load(GameName::Uttt)?;
        let saved = loaded.as_ref().and_then(|loaded| Rules::named(loaded.record.options.rule.as_ref()?));
        let rule = saved.unwrap_or(self.common.rule);
        let table = Simple {
            session: self.search.session(&self.common, rule)?,
            title: format!("Ultimate Tic-Tac-Toe · {} rule", rule.name()),
            position: self.position.clone(),
            how_to_move: "a move is the file and rank of a square, as on the edges of the board (e5)",
        };
        let humans = self.options.humans(["X", "O"], loaded.as_ref())?;
        let (engine, limits) = (self.search.session(&self.common, rule)?, self.search.limits());
        let (seed, json, book) = (self.search.seed, self.common.json, !self.no_book);
        Start { table: Box::new(table), engine, humans, limits, book, seed, json, loaded }.run(&self.options)
    }
}
