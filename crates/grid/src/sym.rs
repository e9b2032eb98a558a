//! The eight symmetries of the square and their action on cells, sets, arrays and packed words.
//!
//! All tables follow from one definition, `TO`: where each symmetry takes each cell.

use crate::{Cell, CellSet, lanes};
use core::fmt;

/// A symmetry of the board: an optional mirror (left becomes right), then 0 to 3 quarter turns clockwise.
///
/// ```text
///  number      0        1        2        3        4        5        6        7
///            a b c    g d a    i h g    c f i    c b a    i f c    g h i    a d g
///            d e f    h e b    f e d    b e h    f e d    h e b    d e f    b e h
///            g h i    i f c    c b a    a d g    i h g    g d a    a b c    c f i
///            as is    turn     half     back     mirror   mirror,  upside   transposed
///                              turn     turn              turn     down
/// ```
///
/// ```
/// use ninefold_grid::{Cell, Sym, cells};
/// assert_eq!(Sym::TURN.cell(Cell::at(0, 0)), Cell::at(0, 2));
/// assert_eq!(Sym::TURN.set(cells! { x x . / . . . / . . . }), cells! { . . x / . . x / . . . });
/// assert_eq!(Sym::TURN.then(Sym::TURN), Sym::HALF_TURN);
/// assert_eq!(Sym::TURN.inverse().array(['g', 'd', 'a', 'h', 'e', 'b', 'i', 'f', 'c']),
///            ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym(u8);

impl Sym {
    /// Changes nothing.
    pub const IDENTITY: Self = Self(0);
    /// A quarter turn clockwise.
    pub const TURN: Self = Self(1);
    /// A half turn.
    pub const HALF_TURN: Self = Self(2);
    /// A quarter turn anticlockwise.
    pub const BACK_TURN: Self = Self(3);
    /// Left becomes right.
    pub const MIRROR: Self = Self(4);
    /// Up becomes down.
    pub const UPSIDE_DOWN: Self = Self(6);
    /// Rows become columns.
    pub const TRANSPOSE: Self = Self(7);

    /// All eight, by index.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The symmetry that mirrors if `mirrored`, then makes `turns` quarter turns clockwise, modulo 4.
    #[inline]
    #[must_use]
    pub const fn new(mirrored: bool, turns: u8) -> Self {
        Self((mirrored as u8) << 2 | turns & 3)
    }

    /// The index, 0 to 7.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it mirrors the board.
    #[inline]
    #[must_use]
    pub const fn is_mirrored(self) -> bool {
        self.0 & 4 != 0
    }

    /// The number of clockwise quarter turns after the mirror.
    #[inline]
    #[must_use]
    pub const fn turns(self) -> u8 {
        self.0 & 3
    }

    /// The product: first this symmetry, then `next`.
    #[inline]
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        // A mirror reverses the turns made before it.
        let before = if next.is_mirrored() { 4 - self.turns() } else { self.turns() };
        Self((self.0 ^ next.0) & 4 | (before + next.turns()) & 3)
    }

    /// The inverse.
    #[inline]
    #[must_use]
    pub const fn inverse(self) -> Self {
        if self.is_mirrored() { self } else { Self((4 - self.0) & 3) }
    }

    /// The image of a cell.
    #[inline]
    #[must_use]
    pub const fn cell(self, cell: Cell) -> Cell {
        Cell::ALL[TO[self.index()][cell.index()] as usize]
    }

    /// The image of a set, by a table of 8 x 512 entries (8 KiB).
    #[inline]
    #[must_use]
    pub const fn set(self, set: CellSet) -> CellSet {
        SETS[self.index()][set.index()]
    }

    /// The image of an array that has one item per cell.
    #[inline]
    #[must_use]
    pub const fn array<T: Copy>(self, items: [T; 9]) -> [T; 9] {
        let mut moved = items;
        let mut cell = 0;
        while cell < 9 {
            moved[TO[self.index()][cell] as usize] = items[cell];
            cell += 1;
        }
        moved
    }

    /// The image of a packed word of nine `K`-bit lanes: at most a transposition (10 operations), a mirror (6) and a turn
    /// upside down (6). No loop, no table of words.
    ///
    /// ```
    /// use ninefold_grid::Sym;
    /// // lanes written from cell 8 down to cell 0, three bits each
    /// assert_eq!(Sym::MIRROR.lanes::<3>(0o000_000_321), 0o000_000_123);
    /// ```
    #[inline]
    #[must_use]
    pub const fn lanes<const K: u32>(self, word: u64) -> u64 {
        let mut word = word;
        let [transposed, mirrored, upside_down] = PARTS[self.index()];
        if transposed {
            word = lanes::transpose::<K>(word);
        }
        if mirrored {
            word = lanes::mirror::<K>(word);
        }
        if upside_down {
            word = lanes::upside_down::<K>(word);
        }
        word
    }
}

impl fmt::Debug for Sym {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Sym({}{})", if self.is_mirrored() { "mirror, " } else { "" }, self.turns())
    }
}

/// Where each symmetry takes each cell. The mirror sends (row, column) to (row, 2 - column), a clockwise turn sends it to
/// (column, 2 - row).
const TO: [[u8; 9]; 8] = {
    let mut table = [[0; 9]; 8];
    let mut sym = 0;
    while sym < 8 {
        let mut cell = 0;
        while cell < 9 {
            let (mut row, mut column) = (cell / 3, cell % 3);
            if sym >= 4 {
                column = 2 - column;
            }
            let mut turn = 0;
            while turn < sym % 4 {
                (row, column) = (column, 2 - row);
                turn += 1;
            }
            table[sym][cell] = (3 * row + column) as u8;
            cell += 1;
        }
        sym += 1;
    }
    table
};

static SETS: [[CellSet; 512]; 8] = {
    let mut table = [[CellSet::EMPTY; 512]; 8];
    let mut sym = 0;
    while sym < 8 {
        let mut set = 0;
        while set < 512 {
            let mut image = 0;
            let mut cell = 0;
            while cell < 9 {
                image |= ((set >> cell & 1) as u16) << TO[sym][cell];
                cell += 1;
            }
            table[sym][set] = CellSet::from_bits(image);
            set += 1;
        }
        sym += 1;
    }
    table
};

/// Each symmetry as an optional transposition, then an optional mirror, then an optional turn upside down. A clockwise turn
/// is a transposition and a mirror.
const PARTS: [[bool; 3]; 8] = [
    [false, false, false],
    [true, true, false],
    [false, true, true],
    [true, false, true],
    [false, true, false],
    [true, true, true],
    [false, false, true],
    [true, false, false],
];
