//! How long a path sum takes, by rank and by depth, as the contest's write-up plots it.

use super::{Board, HIGHEST_RANK, LONGEST, QuestionError, SumEngine};
use crate::error::Error;
use grid::Rng;
use search::Control;

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Ranks from 0 to this.
    pub last_rank: u32,
    /// The depths.
    pub depths: Vec<u32>,
    /// The number of random boards per rank; the same boards for each depth and engine.
    pub boards: u32,
    /// The seed of the boards.
    pub seed: u64,
}

/// The mean time in milliseconds by rank, then by depth.
pub type Times = Vec<Vec<f64>>;

/// Upper bound on the boards per rank.
pub const MOST_BOARDS: u32 = 10_000;

impl Plan {
    /// Checks that there are such boards and depths.
    ///
    /// # Errors
    /// If there are not.
    pub fn check(&self) -> Result<(), QuestionError> {
        if self.last_rank > HIGHEST_RANK {
            return Err(QuestionError::HeatRank { rank: self.last_rank });
        }
        if let Some(&depth) = self.depths.iter().find(|depth| **depth > LONGEST) {
            return Err(QuestionError::HeatDepth { depth });
        }
        if (1..=MOST_BOARDS).contains(&self.boards) {
            Ok(())
        } else {
            Err(QuestionError::HeatBoards { boards: self.boards })
        }
    }
}

/// A random board of that rank with at least one empty cell: pips fall one by one on cells that have room.
fn board_of(rank: u32, rng: &mut Rng) -> Board {
    debug_assert!(rank <= HIGHEST_RANK, "more pips find no room");
    let mut cells = [0u8; 9];
    let empty = rng.below(9) as usize;
    let mut left = rank.min(HIGHEST_RANK);
    while left > 0 {
        let cell = rng.below(9) as usize;
        if cell != empty && cells[cell] < 6 {
            cells[cell] += 1;
            left -= 1;
        }
    }
    Board::from_cells(cells).unwrap_or_default()
}

/// Measures an engine by the control's clock. The control's listener hears how many ranks are done.
///
/// # Errors
/// If the plan is wrong, the control stops the call, there is no memory, or the table's file is damaged.
pub fn measure(engine: &mut SumEngine, plan: &Plan, control: &Control<'_>) -> Result<Times, Error> {
    plan.check()?;
    let mut times = Vec::new();
    for rank in 0..=plan.last_rank {
        let mut rng = Rng::new(plan.seed ^ u64::from(rank) << 32);
        let boards: Vec<Board> = (0..plan.boards).map(|_| board_of(rank, &mut rng)).collect();
        let mut row = Vec::with_capacity(plan.depths.len());
        for &depth in &plan.depths {
            let started = control.elapsed();
            for &board in &boards {
                control.check()?;
                std::hint::black_box(engine.sum(std::hint::black_box(board), depth, control)?);
            }
            row.push((control.elapsed() - started).as_secs_f64() * 1e3 / f64::from(plan.boards));
        }
        times.push(row);
        control.report(u64::from(rank) + 1, u64::from(plan.last_rank) + 1);
    }
    Ok(times)
}
