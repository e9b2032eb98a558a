//! The board: nine dice in 27 bits of one word.

use crate::tables;
use core::fmt;
use grid::{Cell, CellSet, Sym, lanes};

/// A board of dice, three bits per cell: 0 is empty, 1 to 6 are the pips of a die, 7 never occurs.
///
/// ```text
/// bit  26..24 23..21 20..18 17..15 14..12 11..9  8..6   5..3   2..0        0 1 2
/// cell    8      7      6      5      4      3      2      1      0        3 4 5
///                                                                          6 7 8
/// ```
///
/// ```
/// use ninefold_cephalopods::Board;
/// let board = Board::from_cells([0, 5, 1, 0, 0, 0, 4, 0, 1]).unwrap();
/// assert_eq!(board.bits(), 0o104_000_150); // read from cell 8 down to cell 0
/// assert_eq!(board.value(), 51_000_401);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Board(u32);

const _: () = assert!(size_of::<Board>() == 4);

impl Board {
    /// The empty board.
    pub const EMPTY: Self = Self(0);

    /// The board with these 27 bits; `None` if a cell holds a 7 or a higher bit is set.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        let sevens = bits & bits >> 1 & bits >> 2 & 0o111_111_111;
        if bits >> 27 == 0 && sevens == 0 { Some(Self(bits)) } else { None }
    }

    /// The board with these 27 bits. No cell may hold a 7 and no higher bit may be set; otherwise table lookups give wrong
    /// results or panic.
    #[inline]
    #[must_use]
    pub const fn from_bits_unchecked(bits: u32) -> Self {
        debug_assert!(Self::from_bits(bits).is_some());
        Self(bits)
    }

    /// The board with these nine digits; `None` if one is above 6.
    #[inline]
    #[must_use]
    pub const fn from_cells(cells: [u8; 9]) -> Option<Self> {
        let mut bits = 0;
        let mut cell = 0;
        while cell < 9 {
            if cells[cell] > 6 {
                return None;
            }
            bits |= (cells[cell] as u32) << (3 * cell);
            cell += 1;
        }
        Some(Self(bits))
    }

    /// The 27 bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The nine digits.
    #[inline]
    #[must_use]
    pub fn cells(self) -> [u8; 9] {
        Cell::ALL.map(|cell| self.pips(cell))
    }

    /// The pips of a cell; 0 if it is empty.
    #[inline]
    #[must_use]
    pub const fn pips(self, cell: Cell) -> u8 {
        (self.0 >> (3 * cell.index()) & 7) as u8
    }

    /// The cells that hold a die.
    #[inline]
    #[must_use]
    pub const fn occupied(self) -> CellSet {
        CellSet::from_bits(!lanes::cells_of::<3>(lanes::zero_mask::<3>(self.0 as u64)).bits())
    }

    /// Number of dice.
    #[inline]
    #[must_use]
    pub const fn dice(self) -> u32 {
        9 - lanes::zero_mask::<3>(self.0 as u64).count_ones()
    }

    /// Whether every cell holds a die: the game is over.
    #[inline]
    #[must_use]
    pub const fn is_full(self) -> bool {
        lanes::zero_mask::<3>(self.0 as u64) == 0
    }

    /// The sum of all pips. A placement raises it by one; a capture keeps it.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u32 {
        let pairs = (self.0 & 0o707_070_707) + (self.0 >> 3 & 0o007_070_707);
        pairs % 63
    }

    /// The nine digits as one decimal number: the value of a final board.
    #[inline]
    #[must_use]
    pub fn value(self) -> u32 {
        tables::value_images(self.0)[0]
    }

    /// The image of the board under `sym`.
    #[inline]
    #[must_use]
    pub const fn map(self, sym: Sym) -> Self {
        Self(sym.lanes::<3>(self.0 as u64) as u32)
    }

    /// The smallest of the eight images, and the first symmetry that maps the board to it.
    #[inline]
    #[must_use]
    pub fn canonical(self) -> (Self, Sym) {
        let least = tables::board_images(self.0).into_iter().fold(u32::MAX, u32::min);
        (Self(least >> 3), Sym::ALL[least as usize & 7])
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// The nine digits, row by row.
impl fmt::Display for Board {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cells().iter().try_for_each(|digit| write!(out, "{digit}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_and_dice_are_what_they_say_on_every_board() {
        for bits in 0..1 << 27 {
            let Some(board) = Board::from_bits(bits) else { continue };
            let (mut pips, mut dice) = (0, 0);
            for cell in 0..9 {
                let digit = bits >> (3 * cell) & 7;
                pips += digit;
                dice += u32::from(digit > 0);
            }
            assert_eq!((board.rank(), board.dice()), (pips, dice), "{board}");
        }
    }
}
