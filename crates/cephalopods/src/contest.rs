//! The game of the contest: nobody wins; the values of all final boards are summed.

use crate::{Board, LONGEST, Move, Moves, moves::MOST};
use grid::{ExactKey, Facts, Game, Sym, Symmetric, mix};

/// The rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contest;

impl Game for Contest {
    type Position = Board;
    type Move = Move;
    type Moves = Moves;

    const FACTS: Facts = Facts { name: "Cephalopods", longest_game: LONGEST, most_moves: MOST as u32 };

    fn start(&self) -> Board {
        Board::EMPTY
    }

    #[inline]
    fn moves(&self, board: &Board) -> Moves {
        Moves::of(*board)
    }

    #[inline]
    fn play_unchecked(&self, board: &Board, mv: Move) -> Board {
        mv.played(*board)
    }

    #[inline]
    fn hash(&self, board: &Board) -> u64 {
        mix(self.key(board))
    }

    #[inline]
    fn is_over(&self, board: &Board) -> bool {
        board.is_full()
    }
}

impl ExactKey for Contest {
    const KEY_BITS: u32 = 27;

    #[inline]
    fn key(&self, board: &Board) -> u64 {
        u64::from(board.bits())
    }
}

impl Symmetric for Contest {
    #[inline]
    fn map(&self, board: &Board, sym: Sym) -> Board {
        board.map(sym)
    }

    #[inline]
    fn map_move(&self, mv: Move, sym: Sym) -> Move {
        Move::new(sym.cell(mv.cell()), sym.set(mv.captured()))
    }

    #[inline]
    fn canonical(&self, board: &Board) -> (Board, Sym) {
        board.canonical()
    }
}
