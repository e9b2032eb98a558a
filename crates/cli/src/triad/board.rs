//! The board and the hands for people.

use engine::triad::Match;
use engine::triad::rules::{Position, rank_symbol};
use grid::{Cell, Player};
use std::fmt::Write;

fn letter(player: Player) -> char {
    if player == Player::First { 'a' } else { 'b' }
}

/// Three lines a row: the top side; left side, owner, right side; the bottom side. An empty cell shows its number.
pub(crate) fn board(game: &Match, position: &Position) -> String {
    let mut text = String::new();
    let setup = game.deal.setup();
    for row in 0..3 {
        let mut lines = [String::new(), String::new(), String::new()];
        for column in 0..3 {
            let cell = Cell::at(row, column);
            let element = setup.elements[cell.index()].map_or(' ', |element| element.letter());
            let [top, middle, bottom] = match position.card_at(cell) {
                Some(card) => {
                    let [t, r, b, l] = setup.card(card.into()).sides.map(rank_symbol);
                    let owner = letter(position.owner(card));
                    [format!("  {t} {element}"), format!("{l} {owner} {r}"), format!("  {b}  ")]
                }
                None => [format!("    {element}"), format!("  {}  ", cell.index()), "     ".to_owned()],
            };
            for (line, part) in lines.iter_mut().zip([top, middle, bottom]) {
                let _ = write!(line, "| {part} ");
            }
        }
        if row > 0 {
            text.push_str("+-------+-------+-------+\n");
        }
        for line in lines {
            let _ = writeln!(text, "{line}|");
        }
    }
    text
}

/// A hand by name and sides.
pub(crate) fn hand(game: &Match, position: &Position, player: Player) -> String {
    let cards = game.deal.hand(position, player);
    let names: Vec<String> = (0..10)
        .filter(|card| cards >> card & 1 != 0)
        .map(|card| {
            let sides = game.deal.setup().card(card).to_string();
            let name = &game.names[card];
            if *name == sides { sides } else { format!("{name} ({sides})") }
        })
        .collect();
    format!("{}: {}", letter(player), names.join(", "))
}
