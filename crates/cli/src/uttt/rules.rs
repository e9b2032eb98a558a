//! `perft`, `moves` and `show`: answers from the rules alone, without a search.

use super::Common;
use crate::draw::{self, Marks};
use crate::failure::Failure;
use crate::input::each_text;
use crate::output::Output;
use crate::progress::watched;
use api::uttt::{MovesQuestion, Rules};
use api::{Limits, PerftQuestion, PositionQuestion, Session as _};
use indicatif::HumanCount;
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
            let (leaves, depth) = (HumanCount(answer.leaves), answer.depth);
            output.line(format_args!("{leaves} leaves at depth {depth} ({seconds:.3} s, {speed:.0} M/s)"))
        })
    }
}

/// Arguments of `moves`.
#[derive(clap::Args)]
pub(super) struct Moves {
    #[command(flatten)]
    common: Common,
    /// With --json, write moves as file and rank (f4) instead of two letters (ei)
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
            (question.options, question.algebraic) = (self.common.options(), self.algebraic || !self.common.json);
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
            match (view.result, view.moves.len()) {
                (Some(_), _) => output.line(&view.status),
                (None, 1) => output.line(format_args!("{}: 1 move", view.status)),
                (None, count) => output.line(format_args!("{}: {count} moves", view.status)),
            }
        })
    }
}
