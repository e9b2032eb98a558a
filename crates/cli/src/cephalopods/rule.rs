//! Arguments that `solve` and `play` share: the rule, the size of the board, and the limits.

use crate::failure::Failure;
use crate::options::{self, IsaOption};
use api::cephalopods::Session;
use api::{Limits, Options};
use clap::ValueEnum;
use std::time::Duration;

/// How a full board is scored.
#[derive(Clone, Copy, ValueEnum)]
enum Rule {
    /// Most squares wins
    Majority,
    /// Most dice that show six wins
    Sixes,
    /// Most squares loses
    Misere,
}

/// The shared arguments.
#[derive(clap::Args, Clone)]
pub(crate) struct Choice {
    /// How a full board is scored
    #[arg(long, value_enum, default_value = "majority")]
    rule: Rule,
    /// Rows x columns; 3x3 is solved exactly, other sizes are searched
    #[arg(long, value_name = "RxC", default_value = "3x3")]
    size: String,
    /// Time limit of a search, such as 500ms or 10s; 2s if no other limit is given
    #[arg(long, value_parser = options::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Node limit of a search
    #[arg(long)]
    nodes: Option<u64>,
    /// Depth limit in plies; uses alpha-beta instead of Monte-Carlo tree search
    #[arg(long)]
    depth: Option<u32>,
    /// Seed of the Monte-Carlo tree search
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    isa: IsaOption,
}

impl Choice {
    /// The rule and the size, for people.
    pub(crate) fn title(&self) -> String {
        format!("Cephalopods {} · {}", self.size, self.rule())
    }

    /// Takes the rule and the size of a saved game.
    pub(crate) fn restore(&mut self, options: &Options) {
        if let Some(rule) = options.rule.as_ref().and_then(|name| Rule::from_str(name, true).ok()) {
            self.rule = rule;
        }
        if let Some(size) = &options.size {
            self.size.clone_from(size);
        }
    }

    fn rule(&self) -> &'static str {
        match self.rule {
            Rule::Majority => "majority",
            Rule::Sixes => "sixes",
            Rule::Misere => "misere",
        }
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// A session with this rule and size.
    pub(crate) fn session(&self) -> Result<Box<dyn api::Session>, Failure> {
        let mut session: Box<dyn api::Session> = Box::new(Session::new(self.isa.get()));
        let mut options = Options::default();
        (options.rule, options.size) = (Some(self.rule().to_owned()), Some(self.size.clone()));
        options.seed = Some(self.seed);
        session.set_base(&options)?;
        Ok(session)
    }

    /// The limits of a question. 3x3 is solved, so it has none.
    pub(crate) fn limits(&self) -> Result<Limits, Failure> {
        let limited = self.nodes.is_some() || self.depth.is_some();
        if self.size == "3x3" {
            if self.time.is_some() || limited {
                return Err(Failure::Usage("3x3 is solved: --time, --nodes and --depth are for other sizes".into()));
            }
            return Ok(Limits::default());
        }
        let time = self.time.or((!limited).then_some(Duration::from_secs(2)));
        let mut limits = time.map_or_else(Limits::default, Limits::time);
        (limits.nodes, limits.depth) = (self.nodes, self.depth);
        Ok(limits)
    }
}
