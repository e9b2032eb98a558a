//! Tic-tac-toe on a plain array: the smallest game that implements every trait of `grid`, to test the laws and the searches.

use grid::{Cell, ExactKey, Facts, Game, Notation, Player, Sym, Symmetric, TextError, Versus, mix};
use std::fmt;

/// The rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// A board: the owner of the stone on each cell. The first player is to move if both have the same number of stones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board(pub [Option<Player>; 9]);

const ROWS: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Board {
    fn winner(&self) -> Option<Player> {
        ROWS.iter().find_map(|row| {
            let [a, b, c] = row.map(|cell| self.0[cell]);
            if a == b && b == c { a } else { None }
        })
    }

    fn count(&self, player: Player) -> usize {
        self.0.iter().filter(|stone| **stone == Some(player)).count()
    }
}

impl Game for TicTacToe {
    type Position = Board;
    type Move = Cell;
    type Moves = std::vec::IntoIter<Cell>;

    const FACTS: Facts = Facts { name: "tic-tac-toe", longest_game: 9, most_moves: 9 };

    fn start(&self) -> Board {
        Board([None; 9])
    }

    fn moves(&self, board: &Board) -> Self::Moves {
        let cells = if board.winner().is_some() { &[][..] } else { &Cell::ALL };
        let free: Vec<Cell> = cells.iter().copied().filter(|cell| board.0[cell.index()].is_none()).collect();
        free.into_iter()
    }

    fn play_unchecked(&self, board: &Board, cell: Cell) -> Board {
        let mut next = *board;
        next.0[cell.index()] = Some(self.mover(board));
        next
    }

    fn hash(&self, board: &Board) -> u64 {
        mix(self.key(board))
    }
}

impl Versus for TicTacToe {
    const BEST: i32 = 1;

    fn mover(&self, board: &Board) -> Player {
        if board.count(Player::First) == board.count(Player::Second) { Player::First } else { Player::Second }
    }

    fn result(&self, board: &Board) -> Option<i32> {
        match board.winner() {
            Some(player) => Some(player.sign()),
            None if board.0.iter().all(Option::is_some) => Some(0),
            None => None,
        }
    }
}

impl ExactKey for TicTacToe {
    const KEY_BITS: u32 = 15;

    fn key(&self, board: &Board) -> u64 {
        board.0.iter().fold(0, |key, stone| {
            key * 3
                + match stone {
                    None => 0,
                    Some(Player::First) => 1,
                    Some(Player::Second) => 2,
                }
        })
    }
}

impl Symmetric for TicTacToe {
    fn map(&self, board: &Board, sym: Sym) -> Board {
        Board(sym.array(board.0))
    }

    fn map_move(&self, cell: Cell, sym: Sym) -> Cell {
        sym.cell(cell)
    }
}

impl Notation for TicTacToe {
    fn write_position(&self, board: &Board, out: &mut dyn fmt::Write) -> fmt::Result {
        board.0.iter().try_for_each(|stone| {
            out.write_char(match stone {
                None => '.',
                Some(Player::First) => 'x',
                Some(Player::Second) => 'o',
            })
        })
    }

    fn read_position(&self, text: &str) -> Result<Board, TextError> {
        let mut board = self.start();
        let mut cells = board.0.iter_mut();
        for (at, symbol) in text.char_indices() {
            let cell = cells.next().ok_or(TextError::new(at, "nine cells and no more"))?;
            *cell = match symbol {
                '.' => None,
                'x' => Some(Player::First),
                'o' => Some(Player::Second),
                _ => return Err(TextError::new(at, "x, o or .")),
            };
        }
        if cells.next().is_some() {
            return Err(TextError::new(text.len(), "nine cells"));
        }
        let (first, second) = (board.count(Player::First), board.count(Player::Second));
        if first != second && first != second + 1 {
            return Err(TextError::new(0, "as many x as o, or one more"));
        }
        Ok(board)
    }

    fn write_move(&self, _: &Board, cell: Cell, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{cell}")
    }

    fn read_move(&self, board: &Board, text: &str) -> Result<Cell, TextError> {
        let index = text.parse().map_err(|_| TextError::new(0, "a cell from 0 to 8"))?;
        let cell = Cell::new(index).ok_or(TextError::new(0, "a cell from 0 to 8"))?;
        if self.is_legal(board, cell) {
            Ok(cell)
        } else {
            Err(TextError::new(0, "an empty cell of a game that goes on"))
        }
    }
}
