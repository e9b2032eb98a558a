//! Perft: the number of sequences of moves of a given length.

use crate::error::Error;
use ::search::{Control, Meter};
use grid::Game;
use triad::{Deal, Move, Position};

/// The number of sequences of exactly `depth` moves below each legal move, in the order of the rules. The last move of a
/// sequence is counted and not played.
///
/// # Errors
/// If the control stops the count.
pub fn perft(deal: &Deal, position: &Position, depth: u32, control: &Control<'_>) -> Result<Vec<(Move, u64)>, Error> {
    let mut meter = control.meter();
    let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
    let legal = deal.moves(position);
    let counted = legal.map(|mv| Some((mv, count(deal, &deal.play_unchecked(position, mv), below, &mut meter)?)));
    match counted.collect() {
        Some(counts) => Ok(counts),
        None => Err(meter.stopped_by().map_or(Error::Stopped(::search::Stop::Cancelled), Error::Stopped)),
    }
}

fn count(deal: &Deal, position: &Position, depth: u32, meter: &mut Meter<'_>) -> Option<u64> {
    if !meter.pay() {
        return None;
    }
    match depth {
        0 => Some(1),
        1 => Some(deal.moves(position).len() as u64),
        _ => deal.moves(position).map(|mv| count(deal, &deal.play_unchecked(position, mv), depth - 1, meter)).sum(),
    }
}
