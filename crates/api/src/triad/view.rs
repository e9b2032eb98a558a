//! The view of a Triple Triad position: board, hands, and the changes to each card's sides.

use super::deal::{move_label, player_letter, position_text};
use crate::view::{BoardView, CardView, MoveView, View};
use engine::triad::NamedDeal;
use grid::{Cell, Game, Player};
use std::collections::BTreeMap;
use triad::{Move, Position, Rule};

/// The view of a position.
#[must_use]
pub fn view(game: &NamedDeal, position: &Position) -> View {
    let setup = game.deal.setup();
    let mover = game.deal.turn(position);
    let over = position.free().is_empty();
    let score = position.score();
    let status = match score {
        _ if !over => {
            let counted = counters_text(game, position).map_or(String::new(), |counted| format!("; {counted}"));
            format!("{} to move, {score} to {}{counted}", player_letter(mover).to_ascii_uppercase(), 10 - score)
        }
        5 => "drawn, 5 to 5".to_owned(),
        6.. => format!("A has won, {score} to {}", 10 - score),
        _ => format!("B has won, {} to {score}", 10 - score),
    };
    let move_view = |mv: Move| MoveView {
        mv: mv.to_string(),
        label: move_label(game, mv),
        cell: mv.cell().index(),
        card: Some(mv.card()),
        captures: Vec::new(),
    };
    let rules = setup.rules.to_string();
    View {
        position: position_text(game, position),
        fen: None,
        mover: View::number(mover),
        players: ["a", "b"].map(str::to_owned),
        ply: 9 - position.free().len() as u32,
        moves: game.deal.moves(position).map(move_view).collect(),
        result: over.then(|| (score as i32 - 5).signum()),
        status,
        board: BoardView::Triad {
            edition: setup.rules.edition().name().to_owned(),
            rules: rules.split(',').filter(|name| *name != "-").map(str::to_owned).collect(),
            elements: setup.elements.map(|element| element.map(|element| element.name().to_owned())),
            cells: Cell::ALL.map(|cell| position.card_at(cell)),
            cards: (0..10).map(|card| card_view(game, position, card)).collect(),
            score,
        },
    }
}

fn card_view(game: &NamedDeal, position: &Position, number: u8) -> CardView {
    let card = game.deal.setup().card(number.into());
    let playable = if position.free().is_empty() { 0 } else { game.deal.playable(position) };
    let cell = Cell::ALL.into_iter().find(|cell| position.card_at(*cell) == Some(number));
    let owner = match cell {
        Some(_) => position.owner(number),
        None if NamedDeal::dealt_to(Player::First).contains(&number) => Player::First,
        None => Player::Second,
    };
    CardView {
        name: game.names[usize::from(number)].clone(),
        sides: card.sides,
        change: change(game, position, number, cell),
        kind: engine::triad::cards::mark_of(&card).map(str::to_owned),
        grade: game.cards[usize::from(number)].known.as_ref().map(|known| known.grade),
        owner: View::number(owner),
        laid: cell.is_some(),
        playable: playable >> number & 1 != 0,
    }
}

/// The change to a card's sides by the element of its cell, Ascension or Descension.
fn change(game: &NamedDeal, position: &Position, card: u8, cell: Option<Cell>) -> i8 {
    let setup = game.deal.setup();
    let own = setup.card(card.into());
    if let (Some(cell), true) = (cell, setup.rules.has(Rule::Elemental)) {
        return match setup.elements[cell.index()] {
            None => 0,
            Some(element) if own.element == Some(element) => 1,
            Some(_) => -1,
        };
    }
    let added = own.kind.and_then(|kind| counters(game, position).get(kind.name()).copied());
    added.unwrap_or_default() as i8
}

/// The change by Ascension or Descension for each type; types without a card on the board are left out.
pub(super) fn counters(game: &NamedDeal, position: &Position) -> BTreeMap<String, i32> {
    let setup = game.deal.setup();
    let unit = i32::from(setup.rules.has(Rule::Ascension)) - i32::from(setup.rules.has(Rule::Descension));
    let mut counters = BTreeMap::new();
    for card in Cell::ALL.into_iter().filter(|_| unit != 0).filter_map(|cell| position.card_at(cell)) {
        if let Some(kind) = setup.card(card.into()).kind {
            *counters.entry(kind.name().to_owned()).or_default() += unit;
        }
    }
    counters
}

/// The counters as text, such as `ascension: primal +2`; `None` if neither rule is in force.
#[must_use]
pub fn counters_text(game: &NamedDeal, position: &Position) -> Option<String> {
    let rules = game.deal.setup().rules;
    let rule = [Rule::Ascension, Rule::Descension].into_iter().find(|rule| rules.has(*rule))?;
    let counted = counters(game, position);
    let counted: Vec<String> = counted.iter().map(|(kind, change)| format!("{kind} {change:+}")).collect();
    Some(format!("{}: {}", rule.name(), if counted.is_empty() { "nothing yet".to_owned() } else { counted.join(", ") }))
}
