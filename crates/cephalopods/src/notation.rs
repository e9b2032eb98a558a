//! Text forms: nine digits for a board of the contest; letters for the second player's dice in the two-player game.

use crate::{Board, Contest, Duel, DuelPosition, Move, Moves};
use core::fmt;
use grid::{Cell, CellSet, Notation, Player, TextError};

/// Reads a move and checks that it is one of `moves`. The error points at the wrong character.
fn read_move(moves: Moves, text: &str) -> Result<Move, TextError> {
    let cell_at =
        |at: usize| text.as_bytes().get(at).and_then(|digit| Cell::new(usize::from(digit.wrapping_sub(b'0'))));
    let cell = cell_at(0).ok_or(TextError::new(0, "a cell from 0 to 8"))?;
    let mut captured = CellSet::EMPTY;
    if text.len() > 1 {
        if text.as_bytes()[1] != b'x' {
            return Err(TextError::new(1, "x and the captured cells, or nothing"));
        }
        for at in 2..text.len() {
            let other = cell_at(at).ok_or(TextError::new(at, "a captured cell from 0 to 8"))?;
            if CellSet::from_bits(!0 << other.index()).bits() & captured.bits() != 0 {
                return Err(TextError::new(at, "the captured cells in ascending order"));
            }
            captured = captured.with(other);
        }
        if captured.is_empty() {
            return Err(TextError::new(2, "the captured cells"));
        }
    }
    if !moves.clone().any(|mv| mv.cell() == cell) {
        return Err(TextError::new(0, "an empty cell"));
    }
    let mv = Move::new(cell, captured);
    if moves.clone().any(|legal| legal == mv) {
        return Ok(mv);
    }
    // The cell is legal, so the captures are wrong.
    let expected = if captured.is_empty() {
        "x and the captured cells: a capture must be taken where there is one"
    } else if moves.into_iter().any(|legal| legal.cell() == cell && legal.captured().is_empty()) {
        "no capture: there is none at this cell"
    } else {
        "at least two dice beside the cell, of at most six pips together"
    };
    Err(TextError::new(text.len().min(2), expected))
}

/// Nine digits, row by row.
impl core::str::FromStr for Board {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Contest.read_position(text)
    }
}

impl Notation for Contest {
    fn write_position(&self, board: &Board, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{board}")
    }

    fn read_position(&self, text: &str) -> Result<Board, TextError> {
        let mut cells = [0; 9];
        let mut count = 0;
        for (at, symbol) in text.char_indices() {
            let cell = cells.get_mut(count).ok_or(TextError::new(at, "nine digits and no more"))?;
            *cell = symbol.to_digit(7).ok_or(TextError::new(at, "a digit from 0 to 6"))? as u8;
            count += 1;
        }
        let board = if count == 9 { Board::from_cells(cells) } else { None };
        board.ok_or(TextError::new(text.len(), "nine digits"))
    }

    fn write_move(&self, _: &Board, mv: Move, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{mv}")
    }

    fn read_move(&self, board: &Board, text: &str) -> Result<Move, TextError> {
        read_move(Moves::of(*board), text)
    }
}

/// A's dice are `1` to `6`, B's are `a` to `f`, an empty cell is `.`; then a colon and the side to move.
impl Notation for Duel {
    fn write_position(&self, stand: &DuelPosition, out: &mut dyn fmt::Write) -> fmt::Result {
        for cell in Cell::ALL {
            let pips = stand.board().pips(cell);
            out.write_char(match (pips, stand.first().contains(cell)) {
                (0, _) => '.',
                (_, true) => char::from(b'0' + pips),
                (_, false) => char::from(b'a' + pips - 1),
            })?;
        }
        out.write_str(if stand.mover() == Player::First { ":A" } else { ":B" })
    }

    fn read_position(&self, text: &str) -> Result<DuelPosition, TextError> {
        let (mut cells, mut first, mut count) = ([0; 9], CellSet::EMPTY, 0);
        for (at, symbol) in text.char_indices().take(9) {
            let cell = Cell::ALL[count];
            cells[count] = match symbol {
                '.' => 0,
                '1'..='6' => {
                    first = first.with(cell);
                    symbol as u8 - b'0'
                }
                'a'..='f' => symbol as u8 - b'a' + 1,
                _ => return Err(TextError::new(at, "1 to 6 for A's die, a to f for B's, or .")),
            };
            count += 1;
        }
        let board = if count == 9 { Board::from_cells(cells) } else { None };
        let board = board.ok_or(TextError::new(text.len(), "nine cells"))?;
        let mover = match &text[9..] {
            ":A" => Player::First,
            ":B" => Player::Second,
            rest if rest.starts_with(":A") || rest.starts_with(":B") => {
                return Err(TextError::new(11, "nothing after the mover"));
            }
            rest => return Err(TextError::new(9 + usize::from(rest.starts_with(':')), ":A or :B, who moves next")),
        };
        Ok(DuelPosition::new(board, first, mover))
    }

    fn write_move(&self, _: &DuelPosition, mv: Move, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{mv}")
    }

    fn read_move(&self, stand: &DuelPosition, text: &str) -> Result<Move, TextError> {
        read_move(Moves::of(stand.board()), text)
    }
}
