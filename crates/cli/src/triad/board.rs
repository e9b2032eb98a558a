//! The board and the hands for people.

use engine::triad::Match;
use engine::triad::rules::{Kind, Position, Rule, rank_symbol};
use grid::{Cell, Player};
use std::fmt::Write;
use std::io::IsTerminal;

fn letter(player: Player) -> char {
    if player == Player::First { 'a' } else { 'b' }
}

/// Whether colours are wanted: on a terminal, unless `NO_COLOR` says otherwise.
fn coloured() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// In the colour of its owner; the letter of the owner is there in any case.
fn painted(text: &str, owner: Player) -> String {
    match (coloured(), owner) {
        (false, _) => text.to_owned(),
        (true, Player::First) => format!("\u{1b}[34m{text}\u{1b}[0m"),
        (true, Player::Second) => format!("\u{1b}[31m{text}\u{1b}[0m"),
    }
}

/// Four lines a row: the name; the top side; left side, owner, right side; the bottom side and the element of the cell.
/// An empty cell shows its number.
pub(crate) fn board(game: &Match, position: &Position) -> String {
    let mut text = "┌───────────┬───────────┬───────────┐\n".to_owned();
    let setup = game.deal.setup();
    for row in 0..3 {
        let mut lines = [const { String::new() }; 4];
        for column in 0..3 {
            let cell = Cell::at(row, column);
            let element = setup.elements[cell.index()].map_or(' ', |element| element.letter());
            let parts = match position.card_at(cell) {
                Some(card) => {
                    let [t, r, b, l] = setup.card(card.into()).sides.map(rank_symbol);
                    let owner = position.owner(card);
                    let name: String = game.names[usize::from(card)].chars().take(11).collect();
                    let middle = format!("   {l} {} {r}   ", letter(owner));
                    [format!("{name:^11}"), format!("     {t}     "), middle, format!("     {b}   {element} ")]
                        .map(|part| painted(&part, owner))
                }
                None => {
                    let blank = " ".repeat(11);
                    [blank.clone(), blank, format!("     {}     ", cell.index()), format!("         {element} ")]
                }
            };
            for (line, part) in lines.iter_mut().zip(parts) {
                let _ = write!(line, "│{part}");
            }
        }
        if row > 0 {
            text.push_str("├───────────┼───────────┼───────────┤\n");
        }
        for line in lines {
            let _ = writeln!(text, "{line}│");
        }
    }
    text.push_str("└───────────┴───────────┴───────────┘");
    text
}

/// What Ascension or Descension adds to each type by now, if either is in force.
pub(crate) fn counters(game: &Match, position: &Position) -> Option<String> {
    let setup = game.deal.setup();
    let (name, sign) = match setup.rules {
        rules if rules.has(Rule::Ascension) => ("ascension", '+'),
        rules if rules.has(Rule::Descension) => ("descension", '-'),
        _ => return None,
    };
    let lying = |kind: Kind| {
        let cards = Cell::ALL.into_iter().filter_map(|cell| position.card_at(cell));
        cards.filter(|card| setup.card((*card).into()).kind == Some(kind)).count()
    };
    let counted = Kind::ALL.into_iter().filter(|kind| lying(*kind) > 0);
    let counted: Vec<String> = counted.map(|kind| format!("{} {sign}{}", kind.name(), lying(kind))).collect();
    Some(format!("{name}: {}", if counted.is_empty() { "nothing yet".to_owned() } else { counted.join(", ") }))
}

/// A hand by place, name and sides.
pub(crate) fn hand(game: &Match, position: &Position, player: Player) -> String {
    let cards = game.deal.hand(position, player);
    let playable = if game.deal.turn(position) == player { game.deal.playable(position) } else { cards };
    let names: Vec<String> = (0..10)
        .filter(|card| cards >> card & 1 != 0)
        .map(|card| {
            let sides = game.deal.setup().card(card).to_string();
            let name = &game.names[card];
            let shown = if *name == sides { sides } else { format!("{name} {sides}") };
            let shown = format!("{}: {shown}", card % 5);
            if playable >> card & 1 != 0 { shown } else { format!("({shown})") }
        })
        .collect();
    painted(&format!("{}  {}", letter(player), names.join(" | ")), player)
}
