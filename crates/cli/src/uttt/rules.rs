//! `perft`, `moves` and `show`: answers from the rules alone, without a search.

use super::Common;
use crate::draw::{self, Marks};
use crate::failure::Failure;
use crate::input::each_text;
use crate::output::Output;
use crate::progress::watched;
use api::uttt::{MovesQuestion, Rules};
use api::{BoardView, Limits, PerftQuestion, PositionQuestion, Session as _};
use std::time::Instant;

/// Arguments of `perft`.
#[derive(clap::Args)]
pub(super) struct Perft {
    #[command(flatten)]
    common: Common,
    /// Number of moves
    #[arg(long)]
    depth: u32,
    /// Positions, or - for one per line from standard input; the start by default
    positions: Vec<String>,
}

impl Perft {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (mut output, mut session) = (Output::new(), self.common.session());
        each_text(&self.positions, |position| {
            let mut question = PerftQuestion::default();
            question.position = position.map(str::to_owned);
            (question.options, question.depth) = (self.common.options(), self.depth);
            let start = Instant::now();
            let answer = watched(&Limits::default(), |control| session.perft(&question, control))
                .map_err(Failure::or_interrupted)?;
            let seconds = start.elapsed().as_secs_f64();
            if self.common.json {
                return output.json(&answer);
            }
            let speed = answer.leaves as f64 / seconds.max(1e-9) / 1e6;
            let (leaves, depth) = (answer.leaves, answer.depth);
            output.line(format_args!("{leaves} leaves at depth {depth} ({seconds:.3} s, {speed:.0} M/s)"))
        })
    }
}

/// Arguments of `moves`.
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

impl Moves {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (mut output, mut session) = (Output::new(), self.common.session());
        each_text(&self.positions, |position| {
            let mut question = MovesQuestion::default();
            question.position = position.map(str::to_owned);
            (question.options, question.algebraic) = (self.common.options(), self.algebraic);
            let answer = session.moves(&question)?;
            if self.common.json { output.json(&answer) } else { output.line(answer.moves.join(" ")) }
        })
    }
}

/// Arguments of `show`.
#[derive(clap::Args)]
pub(super) struct Show {
    #[command(flatten)]
    common: Common,
    /// Positions, or - for one per line from standard input; the start by default
    positions: Vec<String>,
}

impl Show {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (mut output, mut session) = (Output::new(), self.common.session());
        each_text(&self.positions, |position| {
            let mut question = PositionQuestion::default();
            (question.position, question.options) = (position.map(str::to_owned), self.common.options());
            let view = session.look(&question)?;
            if self.common.json {
                return output.json(&view);
            }
            let marks = Marks { open_boards: self.common.rule == Rules::Open, ..Marks::default() };
            output.line(draw::text(&draw::picture(&view, &marks)))?;
            output.line(&view.position)?;
            if let Some(fen) = &view.fen {
                output.line(fen)?;
            }
            let BoardView::Uttt { open, .. } = &view.board else { return output.line(&view.status) };
            let mover = &view.players[view.mover as usize - 1];
            output.line(match (view.result, open.as_slice()) {
                (Some(_), _) => view.status.clone(),
                (None, [forced]) => {
                    let board = char::from(b'a' + *forced as u8);
                    format!("{mover} moves in board {board}: {} moves", view.moves.len())
                }
                (None, _) => format!("{mover} moves in any open board: {} moves", view.moves.len()),
            })
        })
    }
}
