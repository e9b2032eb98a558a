//! Cephalopods: path sums three ways, exact counts, where the time goes, the contest's paste-ready file, and the
//! two-player game solved and searched.
//!
//! | engine | how | memory |
//! |---|---|---|
//! | [`Scratch`] | every board within reach once, in an order no move goes against | at most 64 MB, which a test holds it to |
//! | [`Cache`] | depth first with an evicting table, as in the contest's write-up | 0.7 MB, grows to 168 MB |
//! | [`Table`] | looked up; from below a rank that is here, `Scratch` as far as that rank | the file, mapped |

pub mod analysis;
pub mod bundle;
pub mod cache;
pub mod duel;
pub mod exact;
mod finder;
mod graph;
pub mod heat;
mod reach;
pub mod rectangle;
pub mod scratch;
pub mod table;

pub use ::cephalopods::rectangle::{LONGEST_SIDE, MOST_CELLS, Rectangle};
pub use ::cephalopods::{Aim, Board, Contest, LONGEST, Setup};
pub use cache::Cache;
pub use graph::GraphSize;
pub use scratch::Scratch;
pub use search::Budget;
pub use table::Table;

use crate::store::StoreError;
use grid::simd::Isa;
use grid::{Game, Notation};
use serde::Serialize;

/// One question's answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sum {
    /// The board asked about.
    pub board: String,
    /// The most moves.
    pub depth: u32,
    /// The values of all final boards, summed modulo 2^30.
    pub sum: u32,
}

/// One legal move and what it leads to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    /// The cell, then `x` and the captured cells if there are any.
    #[serde(rename = "move")]
    pub mv: String,
    /// The board afterwards.
    pub after: String,
}

/// Every legal move of a board.
#[must_use]
pub fn moves(board: Board) -> Vec<Step> {
    let step =
        |mv| Step { mv: ::cephalopods::Move::to_string(&mv), after: Contest.play_unchecked(&board, mv).to_string() };
    Contest.moves(&board).map(step).collect()
}

/// Reads nine digits.
///
/// # Errors
/// If they are not nine digits from 0 to 6; the error points at the fault.
pub fn read_board(text: &str) -> Result<Board, grid::TextError> {
    Contest.read_position(text)
}

/// One of the three engines, ready to be asked.
#[derive(Debug)]
pub enum Engine {
    /// From scratch.
    Scratch(Scratch),
    /// The write-up's.
    Cache(Cache),
    /// A table, and an engine for what lies below its ranks.
    Table(Table, Scratch),
}

impl Engine {
    /// The engine that needs nothing.
    #[must_use]
    pub fn scratch(isa: Isa) -> Self {
        Self::Scratch(Scratch::new(isa))
    }

    /// The answers of many questions; a table gives them faster than one by one.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
    pub fn sums(&mut self, questions: &[(Board, u32)]) -> Result<Vec<Sum>, StoreError> {
        let known = match self {
            Self::Table(table, _) => table.lookup_all(questions)?,
            _ => vec![None; questions.len()],
        };
        let sums = questions.iter().zip(known).map(|(&(board, depth), known)| match known {
            Some(sum) => Ok(Sum { board: board.to_string(), depth, sum }),
            None => self.sum(board, depth),
        });
        sums.collect()
    }

    /// The sum of the values of all final boards, modulo 2^30.
    ///
    /// # Errors
    /// If a part of the table's file that is needed is damaged.
    pub fn sum(&mut self, board: Board, depth: u32) -> Result<Sum, StoreError> {
        let sum = match self {
            Self::Scratch(scratch) => scratch.sum(board, depth),
            Self::Cache(cache) => cache.sum(board, depth),
            Self::Table(table, scratch) => table.sum(scratch, board, depth)?,
        };
        Ok(Sum { board: board.to_string(), depth, sum })
    }
}

/// The signature of this game: boards and edges of the graph below the hardest board at depth 20, the same on each level.
#[must_use]
pub fn signature(isa: Isa) -> u64 {
    let mut scratch = Scratch::new(isa);
    let hardest = Board::from_cells([0, 0, 0, 0, 1, 0, 1, 1, 0]).unwrap_or_default();
    scratch.sum(hardest, 20);
    let GraphSize { boards, edges } = scratch.size();
    boards << 32 | edges
}
