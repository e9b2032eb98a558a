//! The open game in each world: an upper bound of everything that can be guaranteed.
//!
//! Who does not know the opponent's hand cannot do better in a world than who knows it. So a world that is lost openly after
//! a move is lost by every strategy that begins with this move.

use super::super::solve::{Lines, Solver};
use super::deal::{HiddenDeal, Side};
use super::position::{HiddenMove, HiddenPosition};
use crate::error::Error;
use crate::triad::TriadError;
use crate::value::Outcome;
use ::search::Control;
use grid::{Cell, Player};
use triad::{Deal, HAND, Position, Rule, Setup};

/// The result for me in one world, with both hands open and perfect play: of each of my moves, or of the position alone if
/// `moves` has none.
pub(super) fn outcomes(
    solver: &mut Solver,
    deal: &HiddenDeal,
    position: &HiddenPosition,
    world: usize,
    moves: &[Option<HiddenMove>],
    control: &Control<'_>,
) -> Result<Vec<Outcome>, Error> {
    let (open, start) = open_game(deal, position, world)?;
    if moves == [None] {
        let cards = solver.value(&open, &start, control)? as i32;
        return Ok(vec![Outcome::of(if open.turn(&start) == Player::First { cards - 5 } else { 5 - cards })]);
    }
    let analysis = solver.analyse(&open, &start, Lines::All, control);
    if !analysis.complete {
        control.check()?;
        return Err(::search::Stop::Nodes.into());
    }
    let outcome = |mv: &Option<HiddenMove>| {
        let is_it = |wanted: &HiddenMove, card: u8, cell: Cell| wanted.card == card && wanted.cell == cell;
        let line = analysis.lines.iter().find(|line| mv.is_some_and(|mv| is_it(&mv, line.mv.card(), line.mv.cell())));
        line.and_then(|line| line.value.outcome).unwrap_or(Outcome::Win)
    };
    Ok(moves.iter().map(outcome).collect())
}

/// The open deal of a world and the position in it.
pub(super) fn open_game(
    deal: &HiddenDeal,
    position: &HiddenPosition,
    world: usize,
) -> Result<(Deal, Position), TriadError> {
    let setup = deal.setup();
    let ordered = deal.is_ordered(Side::Opponent);
    let open = Setup {
        rules: if ordered { setup.rules } else { setup.rules.set(Rule::OrderB, false) },
        elements: setup.elements,
        hands: [setup.hand, setup.worlds[world]],
        first: setup.first.player(),
    };
    let open = Deal::new(&open).map_err(TriadError::Setup)?;
    let cells = Cell::ALL.map(|cell| {
        let card = position.card_at(cell)?;
        let owner = if position.own() >> card & 1 != 0 { Player::First } else { Player::Second };
        if usize::from(card) < HAND {
            return Some((card, owner));
        }
        // Every world left holds the cards on the board.
        let place = deal.world(world).iter().position(|held| *held == card)?;
        Some((HAND as u8 + place as u8, owner))
    });
    Ok((open, Position::of_cells(cells)))
}
