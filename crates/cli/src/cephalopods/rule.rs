//! What `solve` and `play` share: the rule, the size of the board, the budget, and who answers.

use crate::failure::Failure;
use crate::interrupt;
use crate::options::{self, IsaOption};
use clap::ValueEnum;
use engine::cephalopods::analysis::Analyst;
use engine::cephalopods::duel::Solver;
use engine::cephalopods::rectangle::Searcher;
use engine::cephalopods::{Aim, Budget, LONGEST_SIDE, MOST_CELLS, Rectangle};
use engine::desk::{Cephalopods, Desk, Request};
use std::str::FromStr;
use std::time::Duration;

/// How the full board is judged.
#[derive(Clone, Copy, ValueEnum)]
enum Rule {
    /// Most squares wins
    Majority,
    /// Most dice that show six wins
    Sixes,
    /// Most squares loses
    Misere,
}

const SIZES: &str = "rows x columns such as 3x5: at most 8 a side and 32 cells";
const _: () = assert!(LONGEST_SIDE == 8 && MOST_CELLS == 32);

/// Rows and columns.
#[derive(Clone, Copy)]
struct Size(usize, usize);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once('x').and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
        let (rows, columns) = sides.ok_or(SIZES)?;
        Rectangle::new(rows, columns, Aim::Majority).map(|_| Self(rows, columns)).ok_or_else(|| SIZES.to_owned())
    }
}

/// The arguments both verbs take.
#[derive(clap::Args)]
pub(crate) struct Choice {
    /// How the full board is judged
    #[arg(long, value_enum, default_value = "majority")]
    rule: Rule,
    /// Rows x columns; 3x3 is solved exactly, other sizes are searched
    #[arg(long, value_name = "RxC", default_value = "3x3")]
    size: Size,
    /// Time to search, such as 500ms or 10s; 2s if no other limit is given
    #[arg(long, value_parser = options::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Positions to search
    #[arg(long)]
    nodes: Option<u64>,
    /// Moves to look ahead, by alpha-beta instead of Monte-Carlo tree search
    #[arg(long)]
    depth: Option<u32>,
    /// The seed of the Monte-Carlo search
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    isa: IsaOption,
}

/// What a verb does with whichever engine answers.
pub(crate) trait Verb {
    /// Does it.
    fn with<E: Analyst>(self, engine: E) -> Result<(), Failure>;
}

impl Choice {
    /// The rule and the size, for people.
    pub(crate) fn title(&self) -> String {
        format!("Cephalopods {}x{} · {}", self.size.0, self.size.1, self.aim().name())
    }

    /// A desk with this rule and size.
    pub(crate) fn desk(&self) -> Result<Box<dyn Desk>, Failure> {
        let mut desk: Box<dyn Desk> = Box::new(Cephalopods::new(self.isa.get()));
        for (name, value) in [
            ("rule", self.aim().name().to_owned()),
            ("size", format!("{}x{}", self.size.0, self.size.1)),
            ("seed", self.seed.to_string()),
        ] {
            desk.set(name, &value).map_err(|fault| Failure::Usage(fault.message))?;
        }
        Ok(desk)
    }

    /// How long to look at a position.
    pub(crate) fn request(&self) -> Result<Request, Failure> {
        let time = self.budget()?.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        Ok(Request { time, nodes: self.nodes, depth: self.depth, seed: self.seed, ..Request::default() })
    }

    fn aim(&self) -> Aim {
        match self.rule {
            Rule::Majority => Aim::Majority,
            Rule::Sixes => Aim::Sixes,
            Rule::Misere => Aim::Misere,
        }
    }

    /// The limits of a search; none at all on 3x3, which is solved.
    fn budget(&self) -> Result<Budget, Failure> {
        let limited = self.nodes.is_some() || self.depth.is_some();
        let Size(3, 3) = self.size else {
            let time = self.time.or((!limited).then_some(Duration::from_secs(2)));
            return Ok(Budget { time, nodes: self.nodes, depth: self.depth, cancel: Some(interrupt::flag()) });
        };
        if self.time.is_some() || limited {
            return Err(Failure::Usage("3x3 is solved: --time, --nodes and --depth are for other sizes".into()));
        }
        Ok(Budget { time: None, nodes: None, depth: None, cancel: None })
    }

    /// Gives the verb the engine of this choice.
    pub(crate) fn give_to(&self, verb: impl Verb) -> Result<(), Failure> {
        let aim = self.aim();
        let budget = self.budget()?;
        if let Size(3, 3) = self.size {
            return verb.with(Solver::new(aim, self.isa.get()));
        }
        let game = Rectangle::new(self.size.0, self.size.1, aim).ok_or(Failure::Usage(SIZES.into()))?;
        verb.with(Searcher { game, budget, seed: self.seed, isa: self.isa.get() })
    }
}
