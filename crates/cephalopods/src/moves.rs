//! A move, which is a cell for the new die and the neighbours it captures, and the list of legal moves.

use crate::{Board, tables};
use core::fmt;
use grid::{Cell, CellSet};

/// A move. Captures are compulsory: where a capture is possible, the move must make one. Otherwise the new die shows 1.
///
/// ```text
/// bit   12..9   8..0
///       cell    captured cells
/// ```
///
/// ```
/// use grid::{Cell, cells};
/// use ninefold_cephalopods::Move;
/// let mv = Move::new(Cell::CENTRE, cells! { . x . / x . . / . . . });
/// assert_eq!(mv.to_string(), "4x13");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

const _: () = assert!(size_of::<Move>() == 2);

impl Move {
    pub(crate) const NONE: Self = Self(0);

    /// The move that puts a die on `cell` and captures the dice of `captured`.
    #[inline]
    #[must_use]
    pub const fn new(cell: Cell, captured: CellSet) -> Self {
        Self((cell.index() as u16) << 9 | captured.bits())
    }

    /// The cell of the new die.
    #[inline]
    #[must_use]
    pub const fn cell(self) -> Cell {
        debug_assert!(self.0 >> 9 < 9);
        Cell::ALL[(self.0 >> 9) as usize % 9]
    }

    /// The captured dice: none, or at least two.
    #[inline]
    #[must_use]
    pub const fn captured(self) -> CellSet {
        CellSet::from_bits(self.0 & 511)
    }

    /// The board after the move, which must be legal.
    #[inline]
    #[must_use]
    pub(crate) fn played(self, board: Board) -> Board {
        let (mut bits, mut pips) = (board.bits(), 0);
        for cell in self.captured() {
            pips += bits >> (3 * cell.index()) & 7;
            bits &= !(7 << (3 * cell.index()));
        }
        debug_assert!(pips <= 6);
        let shown = if self.captured().is_empty() { 1 } else { pips.min(6) };
        Board::from_bits_unchecked(bits & !(7 << (3 * self.cell().index())) | shown << (3 * self.cell().index()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// The cell, then `x` and the captured cells if there are any.
impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.cell())?;
        if !self.captured().is_empty() {
            out.write_str("x")?;
        }
        self.captured().into_iter().try_for_each(|cell| write!(out, "{cell}"))
    }
}

/// Maximum number of legal moves; `101010101` has this many.
pub const MOST: usize = 16;

/// The legal moves of a board, ordered by cell, then by the captured set as a number.
#[derive(Clone, Debug)]
pub struct Moves {
    moves: [Move; MOST],
    at: u8,
    count: u8,
}

impl Moves {
    /// The moves of `board`.
    #[must_use]
    pub fn of(board: Board) -> Self {
        let mut list = Self { moves: [Move::NONE; MOST], at: 0, count: 0 };
        let places = tables::places(board.bits());
        for cell in !board.occupied() {
            let tables::List { start, count } = tables::LISTS[places.place(cell.index())];
            for &mv in &tables::STEPS[usize::from(start)..][..usize::from(count)] {
                list.moves[usize::from(list.count)] = mv;
                list.count += 1;
            }
        }
        list
    }
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.at == self.count {
            return None;
        }
        self.at += 1;
        Some(self.moves[usize::from(self.at) - 1])
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::from(self.count - self.at);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Moves {}
