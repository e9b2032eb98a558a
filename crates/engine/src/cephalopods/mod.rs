//! Cephalopods: path sums by three engines, exact counts, measured times, the contest's paste-ready file, and the two-player
//! game solved and searched.
//!
//! | engine | how | memory |
//! |---|---|---|
//! | [`PathSum`] | every reachable board once, in an order that every move follows | at most 64 MB, which a test checks |
//! | [`Cache`] | depth first with an evicting table, as in the contest's write-up | 0.7 MB, grows to 168 MB |
//! | [`Table`] | looked up; from a rank below those of the table, [`PathSum`] goes as far as the table | the file, mapped |

pub mod bundle;
pub mod cache;
pub mod duel;
mod duel_graph;
mod error;
pub mod exact;
mod expansion;
mod graph;
pub mod heat;
pub mod path_sum;
pub mod rectangle;
pub mod table;

pub use ::cephalopods::rectangle::{Area, LONGEST_SIDE, MOST_CELLS, Placement, Rectangle};
pub use ::cephalopods::{Aim, Board, Contest, Duel, DuelPosition, LONGEST, Move, Setup};
pub use cache::Cache;
pub use error::QuestionError;
pub use graph::GraphSize;
pub use path_sum::PathSum;
pub use table::Table;

use crate::error::Error;
use grid::simd::Isa;
use search::{Control, OutOfMemory};
use zerocopy::FromZeros;

/// Path sums are known modulo this.
const MODULUS: u32 = 1 << 30;

/// The highest rank (number of pips) of a board that is not full.
pub const HIGHEST_RANK: u32 = 48;

/// One of the three engines of path sums.
#[derive(Debug)]
pub enum SumEngine {
    /// From scratch.
    Scratch(PathSum),
    /// The method of the contest's write-up.
    Cache(Cache),
    /// A table, and an engine for the ranks below those of the table.
    Table(Table, PathSum),
}

impl SumEngine {
    /// The sum of the values of all final boards after at most `depth` moves, modulo 2^30.
    ///
    /// # Errors
    /// If the control stops the call, there is no memory, or a part of the table's file that is needed is damaged.
    pub fn sum(&mut self, board: Board, depth: u32, control: &Control<'_>) -> Result<u32, Error> {
        match self {
            Self::Scratch(path_sum) => path_sum.sum(board, depth, control),
            Self::Cache(cache) => cache.sum(board, depth, control),
            Self::Table(table, path_sum) => table.sum(path_sum, board, depth, control),
        }
    }

    /// The sums of many questions. A table answers them together faster than one by one.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
    pub fn sums(&mut self, questions: &[(Board, u32)], control: &Control<'_>) -> Result<Vec<u32>, Error> {
        let known = match self {
            Self::Table(table, _) => table.lookup_all(questions)?,
            _ => vec![None; questions.len()],
        };
        let sums = questions.iter().zip(known).enumerate().map(|(number, (&(board, depth), known))| match known {
            Some(sum) => Ok(sum),
            None => {
                control.report(number as u64, questions.len() as u64);
                self.sum(board, depth, control)
            }
        });
        sums.collect()
    }
}

/// The signature of this game: boards and edges of the graph below the hardest board at depth 20, the same on each level.
#[must_use]
pub fn signature(isa: Isa) -> u64 {
    let mut path_sum = PathSum::new(isa);
    let hardest = Board::from_cells([0, 0, 0, 0, 1, 0, 1, 1, 0]).unwrap_or_default();
    let sum = path_sum.sum(hardest, 20, &Control::new());
    debug_assert!(sum.is_ok(), "nothing limits the call");
    let GraphSize { boards, edges } = path_sum.size();
    boards << 32 | edges
}

/// Runs one expression with the number of dice of a pattern as a constant: `by_dice!(dice, DICE => expression)`.
macro_rules! by_dice {
    ($dice:expr, $constant:ident => $body:expr) => {
        by_dice!(@arms $dice, $constant, $body, 0 1 2 3 4 5 6 7)
    };
    (@arms $dice:expr, $constant:ident, $body:expr, $($number:literal)*) => {
        match $dice {
            $($number => {
                const $constant: usize = $number;
                $body
            })*
            _ => unreachable!("a pattern has at most seven dice"),
        }
    };
}
use by_dice;

/// A list of zeros. The system gives its pages when they are first touched.
fn zeroed<T: FromZeros>(count: usize) -> Result<Vec<T>, OutOfMemory> {
    T::new_vec_zeroed(count).map_err(|_| OutOfMemory { bytes: count.saturating_mul(size_of::<T>()) })
}

/// Makes room for that many more items, growing in steps as a list does by itself.
#[inline(always)]
fn reserve<T>(list: &mut Vec<T>, additional: usize) -> Result<(), OutOfMemory> {
    let bytes = list.len().saturating_add(additional).saturating_mul(size_of::<T>());
    list.try_reserve(additional).map_err(|_| OutOfMemory { bytes })
}
