//! An unchecked board.

use crate::Board;
use grid::Cell;

/// Nine unchecked numbers, row by row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Setup(pub [u32; 9]);

/// Why nine numbers are not a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// The wrong cell.
    pub cell: Cell,
    /// The number given for it.
    pub found: u32,
}

impl core::fmt::Display for SetupError {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { cell, found } = self;
        write!(out, "row {}, column {}: {found}, but a die shows 1 to 6", cell.row() + 1, cell.column() + 1)
    }
}

impl core::error::Error for SetupError {}

impl TryFrom<Setup> for Board {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let mut bits = 0;
        for cell in Cell::ALL {
            let found = setup.0[cell.index()];
            if found > 6 {
                return Err(SetupError { cell, found });
            }
            bits |= found << (3 * cell.index());
        }
        Ok(Board::from_bits_unchecked(bits))
    }
}
