//! What `solve` and `play` share: the rule, the size of the board, the budget, and who answers.

use crate::failure::Failure;
use crate::options;
use clap::ValueEnum;
use engine::cephalopods::analysis::Analyst;
use engine::cephalopods::duel::Solver;
use engine::cephalopods::rectangle::Searcher;
use engine::cephalopods::{Aim, Budget, LONGEST_SIDE, MOST_CELLS, Rectangle};
use grid::simd::Isa;
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
}

/// What a verb does with whichever engine answers.
pub(crate) trait Verb {
    /// Does it.
    fn with<E: Analyst>(self, engine: E) -> Result<(), Failure>;
}

impl Choice {
    /// Gives the verb the engine of this choice.
    pub(crate) fn give_to(&self, verb: impl Verb) -> Result<(), Failure> {
        let aim = match self.rule {
            Rule::Majority => Aim::Majority,
            Rule::Sixes => Aim::Sixes,
            Rule::Misere => Aim::Misere,
        };
        if let Size(3, 3) = self.size {
            if self.time.is_some() || self.nodes.is_some() || self.depth.is_some() {
                return Err(Failure::Usage("3x3 is solved: --time, --nodes and --depth are for other sizes".into()));
            }
            return verb.with(Solver::new(aim, Isa::detect()));
        }
        let game = Rectangle::new(self.size.0, self.size.1, aim).ok_or(Failure::Usage(SIZES.into()))?;
        let limited = self.nodes.is_some() || self.depth.is_some();
        let time = self.time.or((!limited).then_some(Duration::from_secs(2)));
        let budget = Budget { time, nodes: self.nodes, depth: self.depth, cancel: None };
        verb.with(Searcher { game, budget, seed: self.seed, isa: Isa::detect() })
    }
}
