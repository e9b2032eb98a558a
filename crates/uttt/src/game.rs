//! The rules as a game: implements the traits of `grid` for the position.

use crate::position::OVER;
use crate::{Move, MoveSet, Position, Rule};
use core::marker::PhantomData;
use grid::{CellSet, Facts, Game, Player, Sym, Symmetric, Versus};

/// Ultimate Tic-Tac-Toe under the rule `R`: a zero-sized value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Uttt<R: Rule>(PhantomData<R>);

impl<R: Rule> Uttt<R> {
    /// The game as a static reference.
    pub const GAME: &'static Self = &Self(PhantomData);
}

impl<R: Rule> Game for Uttt<R> {
    type Position = Position;
    type Move = Move;
    type Moves = MoveSet;

    const FACTS: Facts = Facts { name: "Ultimate Tic-Tac-Toe", longest_game: 81, most_moves: 81 };

    #[inline]
    fn start(&self) -> Position {
        Position::START
    }

    #[inline]
    fn moves(&self, position: &Position) -> MoveSet {
        position.moves::<R>()
    }

    #[inline]
    fn play_unchecked(&self, position: &Position, mv: Move) -> Position {
        position.after::<R>(mv, CellSet::has_line)
    }

    #[inline]
    fn hash(&self, position: &Position) -> u64 {
        position.hash
    }

    #[inline]
    fn is_legal(&self, position: &Position, mv: Move) -> bool {
        position.moves::<R>().contains(mv)
    }

    #[inline]
    fn is_over(&self, position: &Position) -> bool {
        position.next == OVER
    }
}

impl<R: Rule> Versus for Uttt<R> {
    const BEST: i32 = 1;

    #[inline]
    fn mover(&self, position: &Position) -> Player {
        position.mover()
    }

    #[inline]
    fn result(&self, position: &Position) -> Option<i32> {
        if position.next != OVER {
            return None;
        }
        let [first, second] = [Player::First, Player::Second].map(|player| position.won(player));
        Some(match (first.has_line(), second.has_line()) {
            (true, _) => 1,
            (_, true) => -1,
            _ if R::MORE_BOARDS_WIN => (first.len() as i32 - second.len() as i32).signum(),
            _ => 0,
        })
    }
}

impl<R: Rule> Symmetric for Uttt<R> {
    fn map(&self, position: &Position, sym: Sym) -> Position {
        let mut image = Position { rows: [[0; 2]; 3], ..*position };
        for player in [Player::First, Player::Second] {
            for board in grid::Cell::ALL {
                let (to, stones) = (sym.cell(board).index(), sym.set(position.stones(player, board)));
                image.rows[to / 3][player as usize] |= u32::from(stones.bits()) << (9 * (to % 3));
            }
        }
        image.boards = position.boards.map(|boards| sym.set(CellSet::from_bits(boards)).bits());
        if let crate::Next::Board(board) = position.next() {
            image.next = sym.cell(board).index() as u8;
        }
        image.hash = image.hash_from_scratch::<R>();
        image
    }

    fn map_move(&self, mv: Move, sym: Sym) -> Move {
        Move::new(sym.cell(mv.board()), sym.cell(mv.square()))
    }
}
