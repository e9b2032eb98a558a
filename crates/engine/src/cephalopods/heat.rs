//! The write-up's plot: how long a question takes, by rank and by depth.

use super::{Board, Engine};
use crate::store::StoreError;
use grid::Rng;
use serde::Serialize;
use std::time::Instant;

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plan {
    /// Ranks from 0 to this.
    pub last_rank: u32,
    /// The depths.
    pub depths: Vec<u32>,
    /// How many random boards for each rank; the same for each depth and engine.
    pub boards: u32,
    /// The seed of the boards.
    pub seed: u64,
}

/// The mean time in milliseconds by rank, then by depth.
pub type Times = Vec<Vec<f64>>;

/// A random board of that rank that is not full: pips fall one by one on cells that have room.
fn board_of(rank: u32, rng: &mut Rng) -> Board {
    let mut cells = [0u8; 9];
    // One cell stays empty, so at most 48 pips find room.
    let empty = rng.below(9) as usize;
    let mut left = rank.min(48);
    while left > 0 {
        let cell = rng.below(9) as usize;
        if cell != empty && cells[cell] < 6 {
            cells[cell] += 1;
            left -= 1;
        }
    }
    Board::from_cells(cells).unwrap_or_default()
}

/// Measures an engine. `progress` hears how many ranks are done.
///
/// # Errors
/// If the table's file is damaged.
pub fn measure(engine: &mut Engine, plan: &Plan, progress: &mut dyn FnMut(u32)) -> Result<Times, StoreError> {
    let mut times = Vec::new();
    for rank in 0..=plan.last_rank {
        let mut rng = Rng::new(plan.seed ^ u64::from(rank) << 32);
        let boards: Vec<Board> = (0..plan.boards.max(1)).map(|_| board_of(rank, &mut rng)).collect();
        let mean = |depth: u32, engine: &mut Engine| {
            let started = Instant::now();
            for &board in &boards {
                std::hint::black_box(engine.sum(std::hint::black_box(board), depth)?);
            }
            Ok(started.elapsed().as_secs_f64() * 1e3 / boards.len() as f64)
        };
        times.push(plan.depths.iter().map(|&depth| mean(depth, engine)).collect::<Result<_, StoreError>>()?);
        progress(rank + 1);
    }
    Ok(times)
}

/// The plot as an SVG: one panel an engine, ranks upwards, depths to the right, colour by the logarithm of the time.
#[must_use]
pub fn svg(plan: &Plan, engines: &[(&str, Times)]) -> String {
    const CELL: usize = 18;
    let (columns, rows) = (plan.depths.len(), plan.last_rank as usize + 1);
    let (panel, height) = ((columns + 3) * CELL, (rows + 4) * CELL);
    let most = engines.iter().flat_map(|(_, times)| times.iter().flatten()).fold(1e-3f64, |a, &b| a.max(b));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        panel * engines.len().max(1)
    );
    for (number, (name, times)) in engines.iter().enumerate() {
        let left = number * panel + 2 * CELL;
        out += &format!("<text x=\"{left}\" y=\"{CELL}\" font-size=\"14\">{name}, ms by rank and depth</text>\n");
        for (rank, row) in times.iter().enumerate() {
            let y = (rows - rank + 1) * CELL;
            out += &format!("<text x=\"{}\" y=\"{}\">{rank}</text>\n", left - CELL, y + 12);
            for (column, ms) in row.iter().enumerate() {
                // From a microsecond (white) to the slowest cell (dark red), in the logarithm.
                let share = ((ms.max(1e-3) * 1e3).ln() / (most * 1e3).ln().max(1e-9)).clamp(0.0, 1.0);
                let (red, other) = (255.0 - 115.0 * share, 245.0 * (1.0 - share));
                out += &format!(
                    "<rect x=\"{}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"rgb({red:.0},{other:.0},{other:.0})\">\
                     <title>rank {rank}, depth {}: {ms:.3} ms</title></rect>\n",
                    left + column * CELL,
                    plan.depths[column],
                );
            }
        }
        for (column, depth) in plan.depths.iter().enumerate() {
            let (x, y) = (left + column * CELL, (rows + 3) * CELL);
            out += &format!("<text x=\"{x}\" y=\"{y}\">{depth}</text>\n");
        }
    }
    out + "</svg>\n"
}
