//! Draws a Cephalopods board: dice with their pips, the owner's letter and the number.
//!
//! ```text
//! ┌───────┬───────┐
//! │A ●   ●│1      │      An empty cell has its name, and a point where a move may be made.
//! │    ●  │   ·   │
//! │5 ●   ●│       │
//! └───────┴───────┘
//! ```

use super::{CURSOR, FRAME, HINT, Marks, Spot, blank, frame, player, put};
use api::{Die, View};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

const CELL: (usize, usize) = (7, 3);

/// The pips of each face, row by row of nine places.
const FACES: [&str; 6] = ["    ●    ", "●       ●", "●   ●   ●", "● ●   ● ●", "● ● ● ● ●", "● ●● ●● ●"];

fn place(columns: usize, cell: usize) -> (usize, usize) {
    (1 + cell % columns * (CELL.0 + 1), 1 + cell / columns * (CELL.1 + 1))
}

pub(super) fn spot(rows: usize, columns: usize, x: u16, y: u16) -> Option<Spot> {
    let within = |cell: &usize| {
        let (left, top) = place(columns, *cell);
        (left..left + CELL.0).contains(&(x as usize)) && (top..top + CELL.1).contains(&(y as usize))
    };
    (0..rows * columns).find(within).map(Spot::Cell)
}

/// A cell as moves name it: a digit on 3x3, otherwise a letter and a number.
fn name(rows: usize, columns: usize, cell: usize) -> String {
    if (rows, columns) == (3, 3) {
        return cell.to_string();
    }
    format!("{}{}", (b'a' + (cell % columns) as u8) as char, cell / columns + 1)
}

pub(super) fn picture(view: &View, rows: usize, columns: usize, dice: &[Option<Die>], marks: &Marks) -> Buffer {
    let mut picture = blank(columns * (CELL.0 + 1) + 1, rows * (CELL.1 + 1) + 1);
    frame(&mut picture, (0, 0), (columns, rows), CELL);
    for (cell, die) in dice.iter().enumerate() {
        let at = place(columns, cell);
        match die {
            Some(die) => draw_die(&mut picture, view, at, *die, cell, marks),
            None => empty(&mut picture, view, at, &name(rows, columns, cell), cell, marks),
        }
        if marks.cursor == Some(cell) {
            let (x, y) = at;
            put(&mut picture, (x, y + 1), "▸", Style::new());
            picture.set_style(Rect::new(x as u16, y as u16, CELL.0 as u16, CELL.1 as u16), CURSOR);
        }
    }
    picture
}

fn draw_die(picture: &mut Buffer, view: &View, (x, y): (usize, usize), die: Die, cell: usize, marks: &Marks) {
    let mut style = player(die.owner);
    if marks.last == Some(cell) {
        style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
    }
    put(picture, (x, y), &view.players[die.owner as usize - 1], style.add_modifier(Modifier::BOLD));
    put(picture, (x, y + 2), &die.pips.to_string(), style);
    let face: Vec<char> = FACES[usize::from(die.pips.clamp(1, 6)) - 1].chars().collect();
    for (at, pip) in face.iter().enumerate().filter(|(_, pip)| **pip != ' ') {
        put(picture, (x + 2 + at % 3 * 2, y + at / 3), &pip.to_string(), style.remove_modifier(Modifier::UNDERLINED));
    }
    if marks.taken.contains(&cell) {
        put(picture, (x, y + 1), "×", HINT);
        picture.set_style(Rect::new(x as u16, y as u16, CELL.0 as u16, CELL.1 as u16), HINT);
    }
}

fn empty(picture: &mut Buffer, view: &View, (x, y): (usize, usize), name: &str, cell: usize, marks: &Marks) {
    put(picture, (x, y), name, FRAME);
    let advised = marks.hint.as_ref().is_some_and(|hint| hint.cell == cell);
    if let Some(value) = marks.cells.get(&cell) {
        put(picture, (x + 1, y + 1), &format!("{:^5}", value.short()), value.style());
    } else if advised {
        put(picture, (x + 3, y + 1), "*", HINT);
    } else if view.moves.iter().any(|mv| mv.cell == cell) {
        put(picture, (x + 3, y + 1), "·", Style::new());
    }
    if advised {
        put(picture, (x + 2, y + 2), "hint", HINT);
    } else if marks.taken.contains(&cell) {
        put(picture, (x, y + 1), "×", HINT);
    }
}
