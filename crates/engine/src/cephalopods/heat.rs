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

/// The sides of a cell of the plot.
const WIDE: usize = 27;
const HIGH: usize = 18;
/// The room left of a panel, for the ranks, and above it, for its title.
const LEFT: usize = 60;
const TOP: usize = 44;

/// The colour of a time, and that of writing on it: white is a microsecond, dark red the slowest, by the logarithm.
fn colours(ms: f64, slowest: f64) -> (String, &'static str) {
    let share = ((ms.max(1e-3) * 1e3).ln() / (slowest * 1e3).ln().max(1e-9)).clamp(0.0, 1.0);
    let (red, other) = (255.0 - 115.0 * share, 245.0 * (1.0 - share));
    (format!("rgb({red:.0},{other:.0},{other:.0})"), if share > 0.55 { "white" } else { "black" })
}

/// Two digits that matter, as short as they can be written.
fn short(ms: f64) -> String {
    match ms {
        ms if ms >= 9.95 => format!("{ms:.0}"),
        ms if ms >= 0.995 => format!("{ms:.1}"),
        ms => format!("{ms:.2}").trim_start_matches('0').to_owned(),
    }
}

/// The plot as an SVG: one panel an engine, ranks upwards, depths to the right, each time as colour and as number, and
/// below what the colours mean.
#[must_use]
pub fn svg(plan: &Plan, engines: &[(&str, Times)]) -> String {
    let (columns, rows) = (plan.depths.len(), plan.last_rank as usize + 1);
    let (panel, bottom) = (LEFT + (columns * WIDE).max(300) + 20, TOP + rows * HIGH);
    let (width, height) = (panel * engines.len().max(1), bottom + 96);
    let slowest = engines.iter().flat_map(|(_, times)| times.iter().flatten()).fold(2e-3f64, |a, &b| a.max(b));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (number, (name, times)) in engines.iter().enumerate() {
        let left = number * panel + LEFT;
        let middle = TOP + rows * HIGH / 2;
        out += &format!(
            "<text x=\"{left}\" y=\"20\" font-size=\"15\" text-anchor=\"start\">{name}</text>\n\
             <text x=\"{left}\" y=\"36\" text-anchor=\"start\">milliseconds a question, boards of each rank: {}</text>\n\
             <text x=\"{}\" y=\"{middle}\" transform=\"rotate(-90 {} {middle})\">rank (pips on the board)</text>\n\
             <text x=\"{}\" y=\"{}\">depth (most moves)</text>\n",
            plan.boards.max(1),
            left - 36,
            left - 36,
            left + columns * WIDE / 2,
            bottom + 34,
        );
        for (rank, row) in times.iter().enumerate() {
            let y = bottom - (rank + 1) * HIGH;
            out += &format!("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{rank}</text>\n", left - 6, y + 13);
            for (column, &ms) in row.iter().enumerate() {
                let (x, (fill, ink)) = (left + column * WIDE, colours(ms, slowest));
                out += &format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDE}\" height=\"{HIGH}\" fill=\"{fill}\" stroke=\"white\">\
                     <title>rank {rank}, depth {}: {ms:.3} ms</title></rect>\
                     <text x=\"{}\" y=\"{}\" font-size=\"9\" fill=\"{ink}\">{}</text>\n",
                    plan.depths[column],
                    x + WIDE / 2,
                    y + 12,
                    short(ms),
                );
            }
        }
        for (column, depth) in plan.depths.iter().enumerate() {
            out += &format!("<text x=\"{}\" y=\"{}\">{depth}</text>\n", left + column * WIDE + WIDE / 2, bottom + 16);
        }
    }
    // One scale for all panels.
    let powers = (-3..=5).map(|power| 10f64.powi(power)).take_while(|&ms| ms <= slowest);
    for (place, ms) in powers.enumerate() {
        let (x, y) = (LEFT + 56 * place, bottom + 56);
        let (fill, ink) = colours(ms, slowest);
        out += &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"56\" height=\"{HIGH}\" fill=\"{fill}\" stroke=\"silver\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"10\" fill=\"{ink}\">{ms} ms</text>\n",
            x + 28,
            y + 13,
        );
    }
    out + "</svg>\n"
}
