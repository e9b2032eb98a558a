//! Checks a proof with the plain solver: exact values of whole games, and no null-window test of the optimiser.

use super::boxes::{Clusters, DeckBox};
use super::judge::orders;
use super::opponent::{Opponent, total};
use super::pool::Pool;
use super::state::State;
use super::{DeckStatus, Verified};
use crate::error::Error;
use crate::triad::error::TriadError;
use crate::triad::parallel::collect;
use crate::triad::solve::Solver;
use ::search::Control;
use grid::simd::Isa;
use std::collections::HashMap;
use triad::{Card, HAND, Position};

/// Checks a state with its question, as [`State::read`] gives it.
///
/// # Errors
/// If a box claims too much, a deck is in no box, or the control stops the check.
pub fn verify(
    isa: Isa,
    state: &State,
    opponent: &Opponent,
    pool: &Pool,
    control: &Control<'_>,
) -> Result<Verified, Error> {
    let (clusters, free) = (Clusters::new(pool, opponent), opponent.without_order());
    let points = total(&results(&mut Solver::new(isa), opponent, &pool.printed(&state.picks), control)?);
    let (deck, most) = (pool.hand(&state.picks), opponent.most());
    if points == most {
        return Ok(Verified { deck, points, most, bound: points, status: DeckStatus::Perfect, boxes: 0 });
    }
    let closed = state.closed.iter().map(|(of, bounds)| (of, (bounds.as_slice(), true)));
    let open = state.open.iter().map(|open| (&open.of, (open.bounds.as_slice(), false)));
    let known: HashMap<&DeckBox, (&[u8], bool)> = closed.chain(open).collect();
    let (mut found, mut waiting) = (Vec::new(), clusters.roots(pool));
    while let Some(of) = waiting.pop() {
        control.check()?;
        if let Some((bounds, is_closed)) = known.get(&of) {
            found.push((of, *bounds, *is_closed));
            continue;
        }
        let parts = clusters.split(&of);
        if parts.is_empty() {
            let deck = clusters.single(pool, &of).map(|picks| pool.hand(&picks).map(|card| card.name()).join(", "));
            return Err(TriadError::ProofGap { deck: deck.unwrap_or_default() }.into());
        }
        waiting.extend(parts);
    }
    let check = |solver: &mut Solver, (of, bounds, is_closed): &(DeckBox, &[u8], bool)| {
        check_box(solver, of, bounds, *is_closed, points, [opponent, &free], pool, &clusters, control)
    };
    let bounds = collect(isa, &found, control, check)?;
    let bound = bounds.into_iter().max().unwrap_or(0).max(points);
    let status = if bound == points { DeckStatus::Proved } else { DeckStatus::BestKnown };
    Ok(Verified { deck, points, most, bound, status, boxes: found.len() })
}

/// The half-points of a deck in the order given, by exact values of all games.
///
/// # Errors
/// If a card is not one of the game, or the control stops the call.
pub fn rate(isa: Isa, opponent: &Opponent, deck: &[Card; HAND], control: &Control<'_>) -> Result<u32, Error> {
    let of = |solver: &mut Solver, game: &super::Game| result(solver, opponent, &[*deck; 2], *game, control);
    Ok(total(&collect(isa, opponent.games(), control, of)?))
}

/// The half-points by game.
fn results(
    solver: &mut Solver,
    opponent: &Opponent,
    deck: &[Card; HAND],
    control: &Control<'_>,
) -> Result<Vec<u8>, Error> {
    let games = opponent.games().iter();
    games.map(|game| result(solver, opponent, &[*deck; 2], *game, control)).collect()
}

fn result(
    solver: &mut Solver,
    opponent: &Opponent,
    faces: &[[Card; HAND]; 2],
    game: super::Game,
    control: &Control<'_>,
) -> Result<u8, Error> {
    let deal = opponent.two_faced(faces, game)?;
    let cards = solver.value(&deal, &Position::START, control)? as i32;
    Ok((1 + ((2 * cards - 10) * game.first.sign()).signum()) as u8)
}

/// The half-points that no deck of a box can pass.
#[allow(clippy::too_many_arguments, reason = "one call, and each is needed")]
fn check_box(
    solver: &mut Solver,
    of: &DeckBox,
    bounds: &[u8],
    is_closed: bool,
    points: u32,
    [opponent, free]: [&Opponent; 2],
    pool: &Pool,
    clusters: &Clusters,
    control: &Control<'_>,
) -> Result<u32, Error> {
    let claim = || TriadError::ProofBox { groups: of.0.iter().map(|(cluster, _)| *cluster).collect() };
    if let Some(faces) = clusters.faces(pool, of) {
        for (game, bound) in free.games().iter().zip(bounds).filter(|(_, bound)| **bound < 2) {
            if result(solver, free, &faces, *game, control)? > *bound {
                return Err(claim().into());
            }
        }
    } else if total(bounds) < free.most() {
        return Err(claim().into());
    }
    let sum = total(bounds);
    if !is_closed || sum <= points {
        return Ok(sum);
    }
    // A single deck that is better in free order, but not in any fixed order.
    let picks = clusters.single(pool, of).filter(|_| opponent.is_ordered()).ok_or_else(claim)?;
    for order in orders(&picks) {
        if total(&results(solver, opponent, &pool.printed(&order), control)?) > points {
            return Err(claim().into());
        }
    }
    Ok(points)
}
