//! Draws Ultimate Tic-Tac-Toe: nine boards in a frame, with double lines around the one to play in.
//!
//! ```text
//!     a   b   c     d   e   f     g   h   i
//!  ┌─────────────┬─────────────┬─────────────┐      A square of a board that may be played in is a point;
//! 9│             │             │    ╲   ╱    │      elsewhere it is left out. Decided boards are one large letter,
//! 8│  X       O  │             │      X      │      unless they go on.
//! 7│             │             │    ╱   ╲    │
//!  ├─────────────╔═════════════╗─────────────┤
//! ```

use super::{ACTIVE, CURSOR, FRAME, HINT, Marks, Spot, blank, frame, player, put};
use api::View;
use api::uttt::Move;
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

/// Moves for people, as the edges of the board name their squares; read in either notation.
pub(crate) fn algebraic(moves: &[String]) -> String {
    let name = |mv: &String| mv.parse::<Move>().map_or_else(|_| mv.clone(), |mv| mv.algebraic().to_string());
    moves.iter().map(name).collect::<Vec<_>>().join(" ")
}

const BOARD: (usize, usize) = (13, 3);
/// Space for the ranks left of the frame and for the files above it.
const CORNER: (usize, usize) = (1, 1);
const SIZE: (usize, usize) = (CORNER.0 + 3 * BOARD.0 + 4, CORNER.1 + 3 * BOARD.1 + 4);

fn place(cell: usize) -> (usize, usize) {
    let (row, column) = (cell / 9, cell % 9);
    let x = CORNER.0 + 2 + column / 3 * (BOARD.0 + 1) + column % 3 * 4;
    (x, CORNER.1 + 1 + row / 3 * (BOARD.1 + 1) + row % 3)
}

pub(super) fn spot(x: u16, y: u16) -> Option<Spot> {
    let within = |cell: &usize| {
        let (left, top) = place(*cell);
        (left..left + 3).contains(&(x as usize)) && top == y as usize
    };
    (0..81).find(within).map(Spot::Cell)
}

/// The board of a square; both are counted row by row.
fn board_of(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}

pub(super) fn picture(view: &View, squares: &str, boards: &str, open: &[usize], marks: &Marks) -> Buffer {
    let mut picture = blank(SIZE.0, SIZE.1);
    frame(&mut picture, CORNER, (3, 3), BOARD);
    for at in 0..9 {
        let (x, _) = place(at);
        put(&mut picture, (x + 1, 0), &"abcdefghi"[at..=at], FRAME);
        let (_, y) = place(at * 9);
        put(&mut picture, (0, y), &"987654321"[at..=at], FRAME);
    }
    if let [forced] = open {
        surround(&mut picture, *forced);
    }
    let decided: Vec<char> = boards.chars().collect();
    let large = |board: usize| !marks.open_boards && decided.get(board).is_some_and(|letter| *letter != '.');
    for (board, letter) in decided.iter().enumerate().filter(|(_, letter)| **letter != '.') {
        let first = board / 3 * 27 + board % 3 * 3;
        let (x, y) = place(first);
        let style = letter_style(*letter).add_modifier(Modifier::BOLD);
        if !large(board) {
            put(&mut picture, (x + 4, y - 1), &format!(" {letter} "), style);
            continue;
        }
        let rows = match letter {
            'X' => ["   ╲   ╱   ", "     X     ", "   ╱   ╲   "],
            'O' => ["   ╭───╮   ", "   │ O │   ", "   ╰───╯   "],
            _ => ["           ", "   drawn   ", "           "],
        };
        for (row, text) in rows.iter().enumerate() {
            put(&mut picture, (x, y + row), text, style);
        }
    }
    for (cell, letter) in squares.chars().enumerate() {
        square(&mut picture, view, cell, letter, large(board_of(cell)), marks);
    }
    picture
}

fn letter_style(letter: char) -> Style {
    match letter {
        'X' => player(1),
        'O' => player(2),
        _ => FRAME,
    }
}

/// Centres a text in three places, or aligns it right.
fn centred(text: &str) -> String {
    if text.len() == 1 { format!(" {text} ") } else { format!("{text:>3}") }
}

fn square(picture: &mut Buffer, view: &View, cell: usize, letter: char, hidden: bool, marks: &Marks) {
    let legal = view.moves.iter().any(|mv| mv.cell == cell);
    let advised = marks.hint.as_ref().is_some_and(|hint| hint.cell == cell);
    let (text, mut style) = match (marks.cells.get(&cell), letter) {
        (Some(value), _) if legal => (centred(&value.short()), value.style()),
        (_, '.') if advised => (" * ".to_owned(), HINT),
        (_, '.') if legal => (" · ".to_owned(), Style::new()),
        (_, 'X' | 'O') if !hidden => (format!(" {letter} "), letter_style(letter)),
        _ => ("   ".to_owned(), Style::new()),
    };
    if marks.last == Some(cell) {
        style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
    }
    if advised {
        style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
    }
    let (x, y) = place(cell);
    if !hidden {
        put(picture, (x, y), &text, style);
    }
    if marks.cursor == Some(cell) {
        let bracket = |picture: &mut Buffer, x: usize, sign: &str| {
            if picture[(x as u16, y as u16)].symbol() == " " {
                put(picture, (x, y), sign, style);
            }
        };
        bracket(picture, x, "[");
        bracket(picture, x + 2, "]");
        picture.set_style(ratatui::layout::Rect::new(x as u16, y as u16, 3, 1), CURSOR);
    }
}

/// Draws double lines around one board.
fn surround(picture: &mut Buffer, board: usize) {
    let (x, y) = place(board / 3 * 27 + board % 3 * 3);
    let (left, top, right, bottom) = (x - 2, y - 1, x - 1 + BOARD.0, y + BOARD.1);
    let bar = "═".repeat(BOARD.0);
    put(picture, (left, top), &format!("╔{bar}╗"), ACTIVE);
    put(picture, (left, bottom), &format!("╚{bar}╝"), ACTIVE);
    for y in top + 1..bottom {
        put(picture, (left, y), "║", ACTIVE);
        put(picture, (right, y), "║", ACTIVE);
    }
}
