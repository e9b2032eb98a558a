//! Questions the rules answer: leaves, moves, how a position stands.

use super::{Move, Position, Rules, with_rule};
use grid::simd::Isa;
use grid::{Player, Versus};
use serde::{Deserialize, Serialize};
use uttt::{Next, Uttt, kernel};

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
    }
}
