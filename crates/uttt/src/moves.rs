//! A move as one byte, and the legal moves of a position as a set of 81 bits.

use grid::{Cell, CellSet};

/// A mark on a square of a board.
///
/// ```text
/// bits 7..4  board      bits 3..0  square
/// ```
///
/// ```
/// use grid::Cell;
/// use ninefold_uttt::Move;
/// let mv = Move::new(Cell::CENTRE, Cell::at(2, 2));
/// assert_eq!(mv.to_string(), "ei");
/// assert_eq!(mv.algebraic().to_string(), "f4"); // files from a to i, ranks from 9 at the top to 1
/// assert_eq!("f4".parse(), Ok(mv));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

const _: () = assert!(size_of::<Move>() == 1);

impl Move {
    /// The move that marks a square of a board.
    #[inline]
    #[must_use]
    pub const fn new(board: Cell, square: Cell) -> Self {
        Self((board.index() << 4 | square.index()) as u8)
    }

    /// The board.
    #[inline]
    #[must_use]
    pub const fn board(self) -> Cell {
        Cell::ALL[(self.0 >> 4) as usize]
    }

    /// The square in the board.
    #[inline]
    #[must_use]
    pub const fn square(self) -> Cell {
        Cell::ALL[(self.0 & 15) as usize]
    }

    /// Row and column in the 9x9 grid, from the top left.
    #[must_use]
    pub const fn row_and_column(self) -> (usize, usize) {
        let (board, square) = (self.board(), self.square());
        (3 * board.row() + square.row(), 3 * board.column() + square.column())
    }

    /// The move at a row and column of the 9x9 grid.
    #[must_use]
    pub const fn at(row: usize, column: usize) -> Option<Self> {
        if row < 9 && column < 9 {
            Some(Self::new(Cell::at(row / 3, column / 3), Cell::at(row % 3, column % 3)))
        } else {
            None
        }
    }
}

/// A set of moves, which is also its own iterator: board by board, square by square.
///
/// ```text
/// bit 9 * board + square, so the three words of a position in sequence are the set of its stones
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveSet(u128);

/// For each subset of a row of three boards, all squares of these boards.
const ROW_OF_BOARDS: [u32; 8] = {
    let mut table = [0; 8];
    let mut set = 0;
    while set < 8 {
        let mut board = 0;
        while board < 3 {
            if set >> board & 1 != 0 {
                table[set] |= 0x1ff << (9 * board);
            }
            board += 1;
        }
        set += 1;
    }
    table
};

impl MoveSet {
    #[inline]
    pub(crate) fn new(free: [u32; 3], boards: CellSet) -> Self {
        let row = |row: usize| u128::from(free[row] & ROW_OF_BOARDS[boards.index() >> (3 * row) & 7]);
        Self(row(0) | row(1) << 27 | row(2) << 54)
    }

    /// Whether the move is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, mv: Move) -> bool {
        self.0 >> (9 * mv.board().index() + mv.square().index()) & 1 != 0
    }
}

impl Iterator for MoveSet {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let place = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(Move::new(Cell::ALL[place / 9], Cell::ALL[place % 9]))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for MoveSet {}
