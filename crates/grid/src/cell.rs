//! The nine cells and their neighbours.
//!
//! Neighbours come in two forms: as an `Option` that ends at the border, and as the slots of a bordered board on which every
//! cell has four neighbours, so that a vector kernel needs no branch.

use core::fmt;

/// One of the nine cells, numbered row by row:
///
/// ```text
/// 0 1 2
/// 3 4 5
/// 6 7 8
/// ```
///
/// ```
/// use ninefold_grid::{Cell, Direction};
/// let centre = Cell::at(1, 1);
/// assert_eq!(centre, Cell::CENTRE);
/// assert_eq!(centre.neighbour(Direction::Right), Cell::new(5));
/// assert_eq!(Cell::at(0, 2).neighbour(Direction::Right), None); // the border
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The middle cell.
    pub const CENTRE: Self = Self(4);

    /// All nine, in order.
    pub const ALL: [Self; 9] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7), Self(8)];

    /// The cell with this index; `None` if the index is above 8.
    #[inline]
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < 9 { Some(Self(index as u8)) } else { None }
    }

    /// The cell at a row and column.
    ///
    /// # Panics
    /// If either is above 2.
    #[inline]
    #[must_use]
    pub const fn at(row: usize, column: usize) -> Self {
        assert!(row < 3 && column < 3);
        Self((3 * row + column) as u8)
    }

    /// The cell of the lowest set bit. At least one of the nine low bits must be set.
    #[inline]
    pub(crate) const fn of_lowest_bit(bits: u16) -> Self {
        debug_assert!(bits & 0x1ff != 0);
        Self(bits.trailing_zeros() as u8)
    }

    /// The index, 0 to 8.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, 0 at the top.
    #[inline]
    #[must_use]
    pub const fn row(self) -> usize {
        self.0 as usize / 3
    }

    /// The column, 0 at the left.
    #[inline]
    #[must_use]
    pub const fn column(self) -> usize {
        self.0 as usize % 3
    }

    /// The adjacent cell in a direction; `None` at the border.
    #[inline]
    #[must_use]
    pub const fn neighbour(self, direction: Direction) -> Option<Self> {
        let slot = BORDERED[self.index()][direction as usize];
        if slot < 9 { Some(Self(slot)) } else { None }
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

/// The four directions, clockwise from the top as on a Triple Triad card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Towards row 0.
    Up,
    /// Towards column 2.
    Right,
    /// Towards row 2.
    Down,
    /// Towards column 0.
    Left,
}

impl Direction {
    /// All four, clockwise from the top.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// The opposite direction.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
        }
    }
}

/// Number of slots of the bordered board: nine cells and twelve virtual cells around them.
pub const BORDERED_SLOTS: usize = 21;

/// For each cell the slots above, to the right, below and to the left on the bordered board.
///
/// ```text
///        9 10 11
///    18  0  1  2  12
///    19  3  4  5  13
///    20  6  7  8  14
///       15 16 17
/// ```
///
/// ```
/// use ninefold_grid::BORDERED;
/// assert_eq!(BORDERED[0], [9, 1, 3, 18]);
/// assert_eq!(BORDERED[8], [5, 14, 17, 7]);
/// ```
pub const BORDERED: [[u8; 4]; 9] = {
    let mut table = [[0; 4]; 9];
    let mut cell = 0;
    while cell < 9 {
        let (row, column) = (cell / 3, cell % 3);
        let up = if row == 0 { 9 + column } else { cell - 3 };
        let right = if column == 2 { 12 + row } else { cell + 1 };
        let down = if row == 2 { 15 + column } else { cell + 3 };
        let left = if column == 0 { 18 + row } else { cell - 1 };
        table[cell] = [up as u8, right as u8, down as u8, left as u8];
        cell += 1;
    }
    table
};
