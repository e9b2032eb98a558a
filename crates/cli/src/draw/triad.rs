//! Draws Triple Triad: the board between the two hands.
//!
//! ```text
//! A owns 5             ┌───────────┬───────────┐       A card on the board: its name; the top side; left side, owner,
//! 1 Squall             │  Squall   │           │       right side; what is added to its sides, the bottom side, and
//!   ↑A →4 ↓6 ←9        │     A     │           │       the element of the cell. An empty cell has its number and its
//!   fire +1            │   9 A 4   │     1     │       element.
//! 2 Ifrit              │     6     │  thunder  │
//! ```

use super::{ACTIVE, CURSOR, FRAME, HINT, Marks, Spot, blank, frame, player, put};
use api::triad::rank_symbol;
use api::{CardView, View};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// Width of a hand.
const HAND: usize = 19;
const CARD: (usize, usize) = (11, 4);
const BOARD: usize = HAND + 1;
const SIZE: (usize, usize) = (2 * BOARD + 3 * CARD.0 + 4, 3 * CARD.1 + 4);

fn place(cell: usize) -> (usize, usize) {
    (BOARD + 1 + cell % 3 * (CARD.0 + 1), 1 + cell / 3 * (CARD.1 + 1))
}

/// The place of a card in a hand: three lines.
fn slot(card: usize) -> (usize, usize) {
    let x = if card < 5 { 0 } else { SIZE.0 - HAND };
    (x, 1 + card % 5 * 3)
}

pub(super) fn spot(x: u16, y: u16) -> Option<Spot> {
    let (x, y) = (x as usize, y as usize);
    let within = |(left, top): (usize, usize), (width, height): (usize, usize)| {
        (left..left + width).contains(&x) && (top..top + height).contains(&y)
    };
    let cell = (0..9).find(|cell| within(place(*cell), CARD)).map(Spot::Cell);
    let card = || (0..10).find(|card| within(slot(*card), (HAND, 3))).map(|card| Spot::Card(card as u8));
    cell.or_else(card)
}

/// The change of a card's sides: `+1`, `-2` or empty.
fn change(card: &CardView) -> String {
    if card.change == 0 { String::new() } else { format!("{:+}", card.change) }
}

pub(super) fn picture(
    view: &View,
    elements: &[Option<String>; 9],
    cells: &[Option<u8>; 9],
    cards: &[CardView],
    score: u32,
    marks: &Marks,
) -> Buffer {
    let mut picture = blank(SIZE.0, SIZE.1);
    frame(&mut picture, (BOARD, 0), (3, 3), CARD);
    for cell in 0..9 {
        let (x, y) = place(cell);
        let element = elements[cell].as_deref().unwrap_or("");
        match cells[cell].and_then(|card| cards.get(usize::from(card))) {
            Some(card) => {
                let mut style = player(card.owner);
                if marks.last == Some(cell) || marks.taken.contains(&cell) {
                    style = style.add_modifier(Modifier::BOLD);
                }
                let [t, r, b, l] = card.sides.map(rank_symbol);
                let name: String = card.name.chars().take(CARD.0).collect();
                let owner = view.players[card.owner as usize - 1].to_uppercase();
                let taken = if marks.taken.contains(&cell) { '*' } else { ' ' };
                let rows = [
                    format!("{name:^11}"),
                    format!("     {t}     "),
                    format!("   {l} {owner} {r}  {taken}"),
                    format!("{:<2}   {b} {:>4.4}", change(card), element),
                ];
                for (row, text) in rows.iter().enumerate() {
                    put(&mut picture, (x, y + row), text, style);
                }
                if marks.last == Some(cell) {
                    picture.set_style(Rect::new(x as u16, y as u16, 11, 1), Style::new().underlined());
                }
            }
            None => {
                put(&mut picture, (x, y + 2), &format!("{cell:^11}"), FRAME);
                put(&mut picture, (x, y + 3), &format!("{element:^11}"), Style::new());
                if let Some(value) = marks.cells.get(&cell) {
                    put(&mut picture, (x, y + 1), &format!("{:^11}", value.short()), value.style());
                }
            }
        }
        if marks.hint.as_ref().is_some_and(|hint| hint.cell == cell) {
            put(&mut picture, (x, y), &format!("{:^11}", "* hint *"), HINT);
        }
        if marks.cursor == Some(cell) {
            put(&mut picture, (x, y + 2), "▸", Style::new());
            put(&mut picture, (x + CARD.0 - 1, y + 2), "◂", Style::new());
            picture.set_style(Rect::new(x as u16, y as u16, CARD.0 as u16, CARD.1 as u16), CURSOR);
        }
    }
    for (number, owned) in [(1, score), (2, 10 - score)] {
        let name = view.players[number as usize - 1].to_uppercase();
        let turn = if view.result.is_none() && view.mover == number { ", to move" } else { "" };
        let (x, _) = slot(if number == 1 { 0 } else { 5 });
        put(&mut picture, (x, 0), &format!("{name} owns {owned}{turn}"), player(number).bold());
    }
    for (number, card) in cards.iter().enumerate() {
        in_hand(&mut picture, number, card, marks);
    }
    picture
}

fn in_hand(picture: &mut Buffer, number: usize, card: &CardView, marks: &Marks) {
    let (x, y) = slot(number);
    if card.laid {
        put(picture, (x, y), &format!("  {} played", number % 5 + 1), FRAME);
        return;
    }
    let chosen = marks.card == Some(number as u8);
    let advised = marks.hint.as_ref().is_some_and(|hint| hint.card == Some(number as u8));
    let sign = match (chosen, advised) {
        (true, _) => '▸',
        (_, true) => '*',
        _ => ' ',
    };
    if marks.hidden.contains(&(number as u8)) {
        put(picture, (x, y), &format!("  {} face down", number % 5 + 1), FRAME);
        return;
    }
    let [t, r, b, l] = card.sides.map(rank_symbol);
    let name: String = card.name.chars().take(HAND - 4).collect();
    let owner = if number < 5 { 1 } else { 2 };
    let mut style = player(owner);
    if chosen {
        style = style.patch(ACTIVE);
    }
    put(picture, (x, y), &format!("{sign} {} {name}", number % 5 + 1), style);
    put(picture, (x + 4, y + 1), &format!("↑{t} →{r} ↓{b} ←{l}"), style);
    let kind = card.kind.as_deref().unwrap_or("");
    put(picture, (x + 4, y + 2), &format!("{kind} {}", change(card)), FRAME);
    if let Some(value) = marks.cards.get(&(number as u8)) {
        put(picture, (x + HAND - 4, y + 2), &format!("{:>4}", value.short()), value.style());
    }
}
