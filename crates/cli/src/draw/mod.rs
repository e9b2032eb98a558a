//! Draws boards. The full screen and the line-by-line output share one picture.
//!
//! A picture is a ratatui buffer of exactly the size of the board. The full screen copies it into place; other output
//! prints it with [`text`]. A letter or a mark repeats what a colour shows.

mod cephalopods;
mod triad;
mod uttt;
mod value_text;

pub(crate) use uttt::algebraic;
pub(crate) use value_text::{Tense, ValueText};

use api::{BoardView, MoveView, View};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use std::collections::BTreeMap;

/// Marks on top of a position.
#[derive(Default)]
pub(crate) struct Marks {
    /// The cell under the cursor.
    pub(crate) cursor: Option<usize>,
    /// The selected card.
    pub(crate) card: Option<u8>,
    /// The move of a hint.
    pub(crate) hint: Option<MoveView>,
    /// The value of the best move on a cell.
    pub(crate) cells: BTreeMap<usize, ValueText>,
    /// The value of the best move of a card.
    pub(crate) cards: BTreeMap<u8, ValueText>,
    /// The cell of the last move.
    pub(crate) last: Option<usize>,
    /// The cells that the last move captured, or that the selected move would capture.
    pub(crate) taken: Vec<usize>,
    /// Ultimate Tic-Tac-Toe: decided boards stay playable, so their squares are shown.
    pub(crate) open_boards: bool,
    /// Triple Triad: cards in a hand that are drawn face down.
    pub(crate) hidden: Vec<u8>,
    /// Cephalopods: cells of two lines instead of three, for small screens.
    pub(crate) compact: bool,
}

/// A target of a click.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    /// A cell of the board.
    Cell(usize),
    /// A card in a hand.
    Card(u8),
}

/// Draws a position.
pub(crate) fn picture(view: &View, marks: &Marks) -> Buffer {
    match &view.board {
        BoardView::Uttt { squares, boards, open } => uttt::picture(view, squares, boards, open, marks),
        BoardView::Triad { elements, cells, cards, score, .. } => {
            triad::picture(view, elements, cells, cards, *score, marks)
        }
        BoardView::Cephalopods { rows, columns, dice } => cephalopods::picture(view, *rows, *columns, dice, marks),
    }
}

/// The target at a place of the picture, which may be compact.
pub(crate) fn spot(view: &View, compact: bool, x: u16, y: u16) -> Option<Spot> {
    match &view.board {
        BoardView::Uttt { .. } => uttt::spot(x, y),
        BoardView::Triad { .. } => triad::spot(x, y),
        BoardView::Cephalopods { rows, columns, .. } => cephalopods::spot((*rows, *columns), compact, x, y),
    }
}

/// The number of rows and columns that the cursor can move through.
pub(crate) fn cells(view: &View) -> (usize, usize) {
    match &view.board {
        BoardView::Uttt { .. } => (9, 9),
        BoardView::Triad { .. } => (3, 3),
        BoardView::Cephalopods { rows, columns, .. } => (*rows, *columns),
    }
}

/// The colour of a player's letter, 1 or 2.
pub(crate) fn player(number: u32) -> Style {
    Style::new().fg(if number == 1 { Color::LightBlue } else { Color::LightRed })
}

/// Style of lines and labels in the background.
const FRAME: Style = Style::new().add_modifier(Modifier::DIM);
/// Style of the board or cell to highlight.
const ACTIVE: Style = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
const HINT: Style = Style::new().fg(Color::Green).add_modifier(Modifier::BOLD);
const CURSOR: Style = Style::new().add_modifier(Modifier::REVERSED);

fn blank(width: usize, height: usize) -> Buffer {
    Buffer::empty(Rect::new(0, 0, width as u16, height as u16))
}

fn put(picture: &mut Buffer, (x, y): (usize, usize), text: &str, style: Style) {
    let room = (picture.area.width as usize).saturating_sub(x);
    if y < picture.area.height as usize {
        // Replaces the style; does not merge with it.
        picture.set_stringn(x as u16, y as u16, text, room, Style::reset().patch(style));
    }
}

/// Draws a frame of `columns` by `rows` fields, each `width` by `height`.
fn frame(picture: &mut Buffer, (x, y): (usize, usize), (columns, rows): (usize, usize), field: (usize, usize)) {
    let (width, height) = field;
    let line = |left: &str, cross: &str, right: &str| {
        let bar = "─".repeat(width);
        format!("{left}{}{right}", vec![bar; columns].join(cross))
    };
    for row in 0..=rows {
        let line = match row {
            0 => line("┌", "┬", "┐"),
            row if row == rows => line("└", "┴", "┘"),
            _ => line("├", "┼", "┤"),
        };
        put(picture, (x, y + row * (height + 1)), &line, FRAME);
    }
    for row in (0..rows * (height + 1)).filter(|row| row % (height + 1) != 0) {
        for column in 0..=columns {
            put(picture, (x + column * (width + 1), y + row), "│", FRAME);
        }
    }
}

/// The picture as lines of text, coloured if colours are enabled.
pub(crate) fn text(picture: &Buffer) -> String {
    lines(picture, crate::colour::enabled()).join("\n")
}

fn lines(picture: &Buffer, coloured: bool) -> Vec<String> {
    let width = picture.area.width.max(1) as usize;
    picture.content.chunks(width).map(|row| line(row, coloured)).collect()
}

fn line(row: &[Cell], coloured: bool) -> String {
    let is_drawn = |cell: &Cell| cell.symbol() != " " || (coloured && cell.modifier.contains(Modifier::REVERSED));
    let end = row.iter().rposition(is_drawn).map_or(0, |last| last + 1);
    let mut text = String::new();
    let mut now = String::new();
    for cell in &row[..end] {
        let wanted = if coloured { codes(cell) } else { String::new() };
        if wanted != now {
            text.push_str(if wanted.is_empty() { "\u{1b}[0m" } else { "\u{1b}[0;" });
            if !wanted.is_empty() {
                text.push_str(&wanted);
                text.push('m');
            }
            now = wanted;
        }
        text.push_str(cell.symbol());
    }
    if !now.is_empty() {
        text.push_str("\u{1b}[0m");
    }
    text
}

/// The terminal's escape codes for the style of a cell.
fn codes(cell: &Cell) -> String {
    let colour = match cell.fg {
        Color::Yellow => "33",
        Color::Green => "32",
        Color::LightRed => "91",
        Color::LightBlue => "94",
        _ => "",
    };
    let modifiers =
        [(Modifier::BOLD, "1"), (Modifier::DIM, "2"), (Modifier::UNDERLINED, "4"), (Modifier::REVERSED, "7")];
    let modifiers = modifiers.iter().filter(|(modifier, _)| cell.modifier.contains(*modifier)).map(|(_, code)| *code);
    modifiers.chain([colour]).filter(|code| !code.is_empty()).collect::<Vec<_>>().join(";")
}

#[cfg(test)]
mod tests {
    use super::*;
    use api::{GameName, PositionQuestion};
    use grid::simd::Isa;

    #[test]
    fn text_has_the_letters_with_and_without_colours() {
        let mut picture = blank(8, 1);
        put(&mut picture, (1, 0), "X", player(1));
        put(&mut picture, (2, 0), "O", player(2).add_modifier(Modifier::BOLD));
        assert_eq!(lines(&picture, false), [" XO"]);
        assert_eq!(lines(&picture, true), [" \u{1b}[0;94mX\u{1b}[0;1;91mO\u{1b}[0m"]);
    }

    /// The target at every place is the cell that is highlighted there.
    #[test]
    fn pointing_finds_what_is_drawn() {
        for game in GameName::ALL {
            let mut question = PositionQuestion::default();
            if game == GameName::Cephalopods {
                question.options.set("size", "3x5").unwrap();
            }
            let view = game.open(Isa::Scalar).look(&question).unwrap();
            let (rows, columns) = cells(&view);
            for (cell, compact) in (0..rows * columns).flat_map(|cell| [(cell, false), (cell, true)]) {
                let picture = picture(&view, &Marks { cursor: Some(cell), compact, ..Marks::default() });
                let mut lit = 0;
                for y in 0..picture.area.height {
                    for x in 0..picture.area.width {
                        if picture[(x, y)].modifier.contains(Modifier::REVERSED) {
                            lit += 1;
                            assert_eq!(spot(&view, compact, x, y), Some(Spot::Cell(cell)), "{game:?} at {x},{y}");
                        }
                    }
                }
                assert!(lit >= 3, "{game:?}, cell {cell}");
            }
        }
    }
}
