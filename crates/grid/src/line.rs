//! The eight lines, and the win test as a table and as plain arithmetic. The vector form is in [`simd`](crate::simd).
//!
//! ```text
//! table    bit of the set in 512 bits: one load, one shift       a search asks this for one set at a time
//! scalar   rows and columns by shifts and ands, diagonals by compares       no load, and vectorises over many sets
//! ```
//!
//! Measured, instructions for one set (`bench/counts.txt`): `grid/has_line(table)` 11.01, `grid/has_line_each` 6.15 scalar and
//! 4.03 at v3. The table has the shortest latency, so a search uses it.

use crate::{Cell, CellSet, cells};

/// The eight lines: rows, columns, diagonals.
pub const LINES: [CellSet; 8] = [
    cells! { x x x / . . . / . . . },
    cells! { . . . / x x x / . . . },
    cells! { . . . / . . . / x x x },
    cells! { x . . / x . . / x . . },
    cells! { . x . / . x . / . x . },
    cells! { . . x / . . x / . . x },
    cells! { x . . / . x . / . . x },
    cells! { . . x / . x . / x . . },
];

/// The definition that both tables are made from.
const fn has_line_slow(set: u16) -> bool {
    let mut line = 0;
    while line < 8 {
        if set & LINES[line].bits() == LINES[line].bits() {
            return true;
        }
        line += 1;
    }
    false
}

/// One bit for each of the 512 sets: whether it contains a line. 64 bytes, one cache line.
static HAS_LINE: [u64; 8] = {
    let mut table = [0; 8];
    let mut set = 0;
    while set < 512 {
        table[set / 64] |= (has_line_slow(set as u16) as u64) << (set % 64);
        set += 1;
    }
    table
};

/// For each of the 512 sets, the cells outside it that would complete a line.
static COMPLETING: [CellSet; 512] = {
    let mut table = [CellSet::EMPTY; 512];
    let mut set = 0;
    while set < 512 {
        let mut cell = 0;
        while cell < 9 {
            let with = set as u16 | 1 << cell;
            if with != set as u16 {
                let mut line = 0;
                while line < 8 {
                    let mask = LINES[line].bits();
                    if mask >> cell & 1 != 0 && with & mask == mask {
                        table[set] = table[set].with(Cell::ALL[cell]);
                    }
                    line += 1;
                }
            }
            cell += 1;
        }
        set += 1;
    }
    table
};

impl CellSet {
    /// Whether the set contains a line, by a table of 512 bits.
    ///
    /// ```
    /// use ninefold_grid::cells;
    /// assert!(cells! { x . o / o x . / . o x }.has_line());
    /// assert!(!cells! { x x . / . . x / x . . }.has_line());
    /// ```
    #[inline]
    #[must_use]
    pub const fn has_line(self) -> bool {
        HAS_LINE[self.index() / 64] >> (self.index() % 64) & 1 != 0
    }

    /// Whether the set contains a line, without a table: two shifts and two ands each for rows and columns, two compares for
    /// the diagonals.
    #[inline]
    #[must_use]
    pub const fn has_line_scalar(self) -> bool {
        let set = self.bits();
        let columns = set & set >> 3 & set >> 6 & 0b000_000_111;
        let rows = set & set >> 1 & set >> 2 & 0b001_001_001;
        columns | rows != 0 || set & 0b100_010_001 == 0b100_010_001 || set & 0b001_010_100 == 0b001_010_100
    }

    /// The cells outside the set that would each complete a line.
    ///
    /// ```
    /// use ninefold_grid::cells;
    /// assert_eq!(cells! { x x . / . x . / ... }.completing(), cells! { . . x / ... / . x x });
    /// ```
    #[inline]
    #[must_use]
    pub const fn completing(self) -> Self {
        COMPLETING[self.index()]
    }
}
