//! The view of an Ultimate Tic-Tac-Toe position.

use super::{PLAYERS, text};
use crate::view::{BoardView, MoveView, View};
use engine::uttt::{Move, Position, Rules};
use grid::{Cell, Player};
use uttt::{Local, Next};

/// The boards to play in, as text.
const BOARDS: [&str; 9] =
    ["top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right"];

pub(super) fn view(rules: Rules, position: &Position) -> View {
    let square = |cell: usize| {
        let has = |player, mv: Move| position.stones(player, mv.board()).contains(mv.square());
        match Move::at(cell / 9, cell % 9) {
            Some(mv) if has(Player::First, mv) => 'X',
            Some(mv) if has(Player::Second, mv) => 'O',
            _ => '.',
        }
    };
    let board = |board: Cell| match position.board(board) {
        Local::Undecided => '.',
        Local::Won(Player::First) => 'X',
        Local::Won(Player::Second) => 'O',
        Local::Drawn => '#',
    };
    let moves = rules.moves(position);
    let mut open: Vec<usize> = moves.iter().map(|mv| mv.board().index()).collect();
    open.dedup();
    let result = rules.result(position);
    let mover = PLAYERS[position.mover() as usize];
    let status = match (result, position.next()) {
        (Some(0), _) => "drawn".to_owned(),
        (Some(result), _) => format!("{} has won", if result > 0 { PLAYERS[0] } else { PLAYERS[1] }),
        (None, Next::Board(board)) => format!("{mover} to move in the {} board", BOARDS[board.index()]),
        (None, _) => format!("{mover} to move in any open board"),
    };
    let mut fen = String::new();
    // Writing to a string cannot fail.
    let _ = position.write_fen(&mut fen);
    View {
        position: text(position),
        fen: Some(fen),
        mover: View::number(position.mover()),
        players: PLAYERS.map(str::to_owned),
        ply: position.ply(),
        moves: moves.into_iter().map(move_view).collect(),
        result,
        status,
        board: BoardView::Uttt {
            squares: (0..81).map(square).collect(),
            boards: Cell::ALL.map(board).iter().collect(),
            open,
        },
    }
}

fn move_view(mv: Move) -> MoveView {
    let (row, column) = mv.row_and_column();
    let (mv, label) = (mv.to_string(), mv.algebraic().to_string());
    MoveView { mv, label, cell: row * 9 + column, card: None, captures: Vec::new() }
}
