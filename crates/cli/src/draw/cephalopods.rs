//! Draws a Cephalopods board: dice with their pips, the owner's letter and the number.
//!
//! ```text
//! ┌───────┬───────┐                ┌───────┬───────┐
//! │A ●   ●│1      │                │A 5    │1      │      An empty cell has its name, and a point where a move may
//! │    ●  │   ·   │    compact:    │ ●●●●● │   ·   │      be made.
//! │5 ●   ●│       │                └───────┴───────┘
//! └───────┴───────┘
//! ```

use super::{CURSOR, FRAME, HINT, Marks, Spot, blank, frame, player, put};
use api::{Die, View};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

const WIDTH: usize = 7;

const fn height(compact: bool) -> usize {
    if compact { 2 } else { 3 }
}

/// The pips of each face, row by row of nine places.
const FACES: [&str; 6] = ["    ●    ", "●       ●", "●   ●   ●", "● ●   ● ●", "● ● ● ● ●", "● ●● ●● ●"];

fn place(columns: usize, compact: bool, cell: usize) -> (usize, usize) {
    (1 + cell % columns * (WIDTH + 1), 1 + cell / columns * (height(compact) + 1))
}

pub(super) fn spot((rows, columns): (usize, usize), compact: bool, x: u16, y: u16) -> Option<Spot> {
    let within = |cell: &usize| {
        let (left, top) = place(columns, compact, *cell);
        (left..left + WIDTH).contains(&(x as usize)) && (top..top + height(compact)).contains(&(y as usize))
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
    let field = (WIDTH, height(marks.compact));
    let mut picture = blank(columns * (field.0 + 1) + 1, rows * (field.1 + 1) + 1);
    frame(&mut picture, (0, 0), (columns, rows), field);
    for (cell, die) in dice.iter().enumerate() {
        let at = place(columns, marks.compact, cell);
        match die {
            Some(die) => draw_die(&mut picture, view, at, *die, cell, marks),
            None => empty(&mut picture, view, at, &name(rows, columns, cell), cell, marks),
        }
        if marks.cursor == Some(cell) {
            put(&mut picture, (at.0, at.1 + 1), "▸", Style::new());
            picture.set_style(area(at, marks), CURSOR);
        }
    }
    picture
}

fn area((x, y): (usize, usize), marks: &Marks) -> Rect {
    Rect::new(x as u16, y as u16, WIDTH as u16, height(marks.compact) as u16)
}

fn draw_die(picture: &mut Buffer, view: &View, at: (usize, usize), die: Die, cell: usize, marks: &Marks) {
    let (x, y) = at;
    let mut style = player(die.owner);
    if marks.last == Some(cell) {
        style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
    }
    let pips = usize::from(die.pips.clamp(1, 6));
    put(picture, at, &view.players[die.owner as usize - 1], style.add_modifier(Modifier::BOLD));
    let number = if marks.compact { (x + 2, y) } else { (x, y + 2) };
    put(picture, number, &die.pips.to_string(), style);
    let pip_style = style.remove_modifier(Modifier::UNDERLINED);
    if marks.compact {
        put(picture, (x + 1, y + 1), &format!("{:^6}", "●".repeat(pips)), pip_style);
    } else {
        for (pip, _) in FACES[pips - 1].chars().enumerate().filter(|(_, sign)| *sign != ' ') {
            put(picture, (x + 2 + pip % 3 * 2, y + pip / 3), "●", pip_style);
        }
    }
    if marks.taken.contains(&cell) {
        put(picture, (x, y + 1), "×", HINT);
        picture.set_style(area(at, marks), HINT);
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
        put(picture, if marks.compact { (x + 3, y) } else { (x + 2, y + 2) }, "hint", HINT);
    } else if marks.taken.contains(&cell) {
        put(picture, (x, y + 1), "×", HINT);
    }
}
