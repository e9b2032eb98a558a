//! `perft`, `moves`, `show`: what the rules say.

use super::Common;
use crate::draw::{self, Marks};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;
use crate::progress;
use engine::desk::Uttt;
use engine::uttt::{Position, Rules, ask};
use std::time::Instant;

/// What `perft` takes.
#[derive(clap::Args)]
pub(super) struct Perft {
    #[command(flatten)]
    common: Common,
    /// How many moves
    #[arg(long)]
    depth: u32,
    /// Positions, or - for one per line from standard input; the start by default
    positions: Vec<String>,
}

#[derive(serde::Serialize)]
struct Leaves {
    position: String,
    depth: u32,
    leaves: u64,
}

impl Perft {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut output = Output::new();
        self.common.each_position(&self.positions, |position| {
            let start = Instant::now();
            let leaves = self.count(position)?;
            let seconds = start.elapsed().as_secs_f64();
            if self.common.json {
                return output.json(&Leaves { position: ask::text(position), depth: self.depth, leaves });
            }
            let speed = leaves as f64 / seconds.max(1e-9) / 1e6;
            output.line(format_args!("{leaves} leaves at depth {} ({seconds:.3} s, {speed:.0} M/s)", self.depth))
        })
    }
}

/// From this depth on a count may take longer than a second, and shows how far it is.
const LONG: u32 = 9;

impl Perft {
    /// The leaves; of a long count one first move after another.
    fn count(&self, position: &Position) -> Result<u64, Failure> {
        let (rule, isa) = (self.common.rule, self.common.isa());
        if self.depth < LONG {
            return Ok(ask::perft(rule, isa, position, self.depth));
        }
        let moves = ask::moves(rule, position);
        let bar = progress::bar(moves.len() as u64);
        let mut leaves = 0;
        for mv in moves {
            let (_, after) =
                ask::play(rule, position, &mv.to_string()).map_err(|fault| Failure::Run(fault.to_string()))?;
            leaves += ask::perft(rule, isa, &after, self.depth - 1);
            bar.inc(1);
            interrupt::check()?;
        }
        bar.finish_and_clear();
        Ok(leaves)
    }
}

/// What `moves` takes.
#[derive(clap::Args)]
pub(super) struct Moves {
    #[command(flatten)]
    common: Common,
    /// Write moves as file and rank (f4) instead of two letters (ei)
    #[arg(long)]
    algebraic: bool,
    /// Positions, or - for one per line from standard input; the start by default
    positions: Vec<String>,
}

#[derive(serde::Serialize)]
struct Legal {
    position: String,
    moves: Vec<String>,
}

impl Moves {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut output = Output::new();
        self.common.each_position(&self.positions, |position| {
            let moves = ask::moves(self.common.rule, position);
            let moves: Vec<_> = moves
                .iter()
                .map(|mv| if self.algebraic { mv.algebraic().to_string() } else { mv.to_string() })
                .collect();
            if self.common.json {
                return output.json(&Legal { position: ask::text(position), moves });
            }
            output.line(moves.join(" "))
        })
    }
}

/// What `show` takes.
#[derive(clap::Args)]
pub(super) struct Show {
    #[command(flatten)]
    common: Common,
    /// Positions, or - for one per line from standard input; the start by default
    positions: Vec<String>,
}

impl Show {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut output = Output::new();
        self.common.each_position(&self.positions, |position| {
            let shown = ask::show(self.common.rule, position);
            if self.common.json {
                return output.json(&shown);
            }
            let marks = Marks { open_boards: self.common.rule == Rules::Open, ..Marks::default() };
            let view = Uttt::view(self.common.rule, position);
            output.line(draw::text(&draw::picture(&view, &marks)))?;
            output.line(format_args!("{}\n{}", shown.position, shown.fen))?;
            output.line(match (&shown.result, &shown.forced) {
                (Some(_), _) => view.status,
                (None, Some(board)) => format!("{} moves in board {board}: {} moves", shown.mover, shown.moves),
                (None, None) => format!("{} moves in any open board: {} moves", shown.mover, shown.moves),
            })
        })
    }
}
