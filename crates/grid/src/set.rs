//! A set of cells as nine bits, with the usual set operations and a drawing macro.

use crate::{Cell, Direction};
use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub, SubAssign};

/// A set of cells: cell `c` is bit `c`.
///
/// ```text
/// bit  0 1 2      x . .
///      3 4 5      . x .   = 0b100_010_001
///      6 7 8      . . x
/// ```
///
/// Union is `|`, intersection is `&`, difference is `-`, complement within the nine cells is `!`.
///
/// ```
/// use ninefold_grid::{Cell, CellSet, cells};
/// let diagonal = cells! {
///     x . .
///     . x .
///     . . x
/// };
/// assert_eq!(diagonal.bits(), 0b100_010_001);
/// assert_eq!((diagonal - cells! { x . . / ... / ... }).len(), 2);
/// assert!(diagonal.contains(Cell::CENTRE));
/// assert!(diagonal.has_line());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CellSet(u16);

const _: () = assert!(size_of::<CellSet>() == 2);

impl CellSet {
    /// No cell.
    pub const EMPTY: Self = Self(0);
    /// All nine.
    pub const ALL: Self = Self(0x1ff);

    /// The set with these bits. Bits above the ninth are ignored.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & 0x1ff)
    }

    /// The nine bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The nine bits as an index into a table of 512.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of one cell.
    #[inline]
    #[must_use]
    pub const fn of(cell: Cell) -> Self {
        Self(1 << cell.index())
    }

    /// Whether the cell is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    /// The set with a cell added.
    #[inline]
    #[must_use]
    pub const fn with(self, cell: Cell) -> Self {
        Self(self.0 | 1 << cell.index())
    }

    /// The set with a cell removed.
    #[inline]
    #[must_use]
    pub const fn without(self, cell: Cell) -> Self {
        Self(self.0 & !(1 << cell.index()))
    }

    /// Number of cells.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no cell.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this set is a subset of the other.
    #[inline]
    #[must_use]
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The cell with the lowest index.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Cell> {
        if self.0 == 0 { None } else { Some(Cell::of_lowest_bit(self.0)) }
    }

    /// The neighbours of `cell`: two, three or four.
    #[inline]
    #[must_use]
    pub const fn beside(cell: Cell) -> Self {
        NEIGHBOURS[cell.index()]
    }

    /// The cells at which `drawing` shows `mark`. The macro [`cells!`](crate::cells) calls this at compile time.
    ///
    /// # Panics
    /// If the drawing does not have nine cells, or has a `/` that is not between two rows.
    #[must_use]
    pub const fn drawn(drawing: &str, mark: char) -> Self {
        let text = drawing.as_bytes();
        let (mut bits, mut cell, mut at) = (0, 0, 0);
        while at < text.len() {
            match text[at] {
                b'/' => assert!(cell == 3 || cell == 6, "a / belongs between two rows"),
                symbol if symbol.is_ascii_whitespace() => {}
                symbol => {
                    assert!(cell < 9, "a drawing has nine cells, this one has more");
                    bits |= ((symbol == mark as u8) as u16) << cell;
                    cell += 1;
                }
            }
            at += 1;
        }
        assert!(cell == 9, "a drawing has nine cells, this one has fewer");
        Self(bits)
    }
}

/// Draws a [`CellSet`] at compile time: nine marks, row by row, `x` for the cells in the set. A `/` may separate the rows.
/// `cells! { o in ... }` uses another mark, so that one drawing can show both players.
///
/// ```
/// use ninefold_grid::cells;
/// assert_eq!(cells! { x . o / . x . / ... }.bits(), 0b000_010_001);
/// assert_eq!(cells! { o in x . o / . x . / ... }.bits(), 0b000_000_100);
/// ```
#[macro_export]
macro_rules! cells {
    ($mark:ident in $($drawing:tt)*) => {
        const { $crate::CellSet::drawn(stringify!($($drawing)*), stringify!($mark).as_bytes()[0] as char) }
    };
    ($($drawing:tt)*) => {
        const { $crate::CellSet::drawn(stringify!($($drawing)*), 'x') }
    };
}

const NEIGHBOURS: [CellSet; 9] = {
    let mut table = [CellSet::EMPTY; 9];
    let mut cell = 0;
    while cell < 9 {
        let mut side = 0;
        while side < 4 {
            if let Some(next) = Cell::ALL[cell].neighbour(Direction::ALL[side]) {
                table[cell] = table[cell].with(next);
            }
            side += 1;
        }
        cell += 1;
    }
    table
};

impl BitOr for CellSet {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for CellSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for CellSet {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for CellSet {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitXor for CellSet {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Sub for CellSet {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl SubAssign for CellSet {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

impl Not for CellSet {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & 0x1ff)
    }
}

impl From<Cell> for CellSet {
    #[inline]
    fn from(cell: Cell) -> Self {
        Self::of(cell)
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().fold(Self::EMPTY, CellSet::with)
    }
}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = Cells;
    #[inline]
    fn into_iter(self) -> Cells {
        Cells(self.0)
    }
}

/// The cells of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Cells(u16);

impl Iterator for Cells {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        if self.0 == 0 {
            return None;
        }
        let cell = Cell::of_lowest_bit(self.0);
        self.0 &= self.0 - 1;
        Some(cell)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Cells {}

impl fmt::Debug for CellSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in Cell::ALL {
            let separator = if cell.index() % 3 == 0 && cell.index() > 0 { "/" } else { "" };
            write!(out, "{separator}{}", if self.contains(cell) { 'x' } else { '.' })?;
        }
        Ok(())
    }
}
