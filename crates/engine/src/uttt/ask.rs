//! Questions the rules answer: leaves, moves, a picture.

use super::{Move, Position, Rules, with_rule};
use grid::simd::Isa;
use grid::{Cell, Player, Versus};
use serde::{Deserialize, Serialize};
use std::fmt;
use uttt::{Local, Next, Uttt, kernel};

/// How many sequences of `depth` moves there are.
#[must_use]
pub fn perft(rules: Rules, isa: Isa, position: &Position, depth: u32) -> u64 {
    with_rule!(rules, R => kernel::perft::<R>(isa, position, depth))
}

/// The legal moves; none when the game is over.
#[must_use]
pub fn moves(rules: Rules, position: &Position) -> Vec<Move> {
    with_rule!(rules, R => position.moves::<R>().collect())
}

/// The compact text.
#[must_use]
pub fn text(position: &Position) -> String {
    format!("{position:?}")
}

/// The position after a move, read in either notation.
///
/// # Errors
/// If it is not a legal move.
pub fn play(rules: Rules, position: &Position, mv: &str) -> Result<(Move, Position), grid::TextError> {
    with_rule!(rules, R => {
        let mv = grid::Notation::read_move(Uttt::<R>::GAME, position, mv)?;
        Ok((mv, grid::Game::play_unchecked(Uttt::<R>::GAME, position, mv)))
    })
}

/// The result for the first player, if the game is over.
#[must_use]
pub fn result(rules: Rules, position: &Position) -> Option<i32> {
    with_rule!(rules, R => Uttt::<R>::GAME.result(position))
}

/// A position with all there is to say about it without a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shown {
    /// The compact text.
    pub position: String,
    /// The FEN.
    pub fen: String,
    /// Who moves: X or O.
    pub mover: String,
    /// The board the mover must play in, if he is not free.
    pub forced: Option<String>,
    /// X, O, draw, or nothing while the game goes on.
    pub result: Option<String>,
    /// How many moves there are.
    pub moves: usize,
    #[serde(skip)]
    picture: String,
}

/// Says it.
#[must_use]
pub fn show(rules: Rules, position: &Position) -> Shown {
    let mut fen = String::new();
    // Writing to a string does not fail.
    let _ = position.write_fen(&mut fen);
    let letter = |player: Player| ["X", "O"][player as usize].to_owned();
    let forced = match position.next() {
        Next::Board(board) => Some(((b'a' + board.index() as u8) as char).to_string()),
        Next::Any | Next::Over => None,
    };
    let result = result(rules, position).map(|result| ["O", "draw", "X"][(result + 1) as usize].to_owned());
    Shown {
        position: text(position),
        fen,
        mover: letter(position.mover()),
        forced,
        result,
        moves: moves(rules, position).len(),
        picture: picture(position),
    }
}

/// The 81 squares with letters at the borders, and the nine boards beside them.
fn picture(position: &Position) -> String {
    let mut lines = vec!["   abc def ghi".to_owned()];
    for row in 0..9 {
        if row == 3 || row == 6 {
            lines.push("   ---+---+---".to_owned());
        }
        let mut line = format!("{}  ", 9 - row);
        for column in 0..9 {
            if column == 3 || column == 6 {
                line.push('|');
            }
            let Some(mv) = Move::at(row, column) else { continue };
            let marked = |player| position.stones(player, mv.board()).contains(mv.square());
            line.push(if marked(Player::First) {
                'X'
            } else if marked(Player::Second) {
                'O'
            } else {
                '.'
            });
        }
        if row % 3 == 1 {
            line.push_str("    ");
            for column in 0..3 {
                let board = Cell::at(row / 3, column);
                line.push(match position.board(board) {
                    _ if position.next() == Next::Board(board) => '@',
                    Local::Undecided => '.',
                    Local::Won(Player::First) => 'X',
                    Local::Won(Player::Second) => 'O',
                    Local::Drawn => '#',
                });
            }
        }
        lines.push(line);
    }
    lines.join("\n")
}

impl fmt::Display for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}\n\n{}\n{}", self.picture, self.position, self.fen)?;
        match (&self.result, &self.forced) {
            (Some(result), _) if result == "draw" => write!(out, "drawn"),
            (Some(winner), _) => write!(out, "{winner} has won"),
            (None, Some(board)) => write!(out, "{} moves in board {board}: {} moves", self.mover, self.moves),
            (None, None) => write!(out, "{} moves in any open board: {} moves", self.mover, self.moves),
        }
    }
}
