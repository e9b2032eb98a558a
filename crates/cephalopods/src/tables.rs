//! The lookup tables, computed at compile time from the rules and tested against them on every board.
//!
//! | table | key | value | bytes |
//! |---|---|---|---|
//! | [`board_images`] | three rows | the eight images of a board, each with the index of its symmetry in the low bits | 48 Ki |
//! | [`value_images`] | three rows | the values of the eight images | 48 Ki |
//! | [`places`] | three rows | for each cell its place: the cell and the pips around it as one number | 48 Ki |
//! | [`LISTS`] | place | its moves, a range of `CHANGE_OF` and `STEPS` | 16 Ki |
//! | [`FOURS`] | place | the changes of its first four moves | 31 Ki |
//! | [`CHANGE_OF`] | move | its change | 15 Ki |
//! | [`DELTAS`] | change | the XOR mask in eight images, with the kind of move in the top bits | 16 Ki, padded to 32 Ki |
//! | [`STEPS`] | move | cell and captured cells | 15 Ki |
//! | [`LONGEST_BY_DICE`] | pips and dice | the length of the longest sequence of moves | 0.5 Ki |
//! | [`GAINS`] | place | the sum of what its moves add to the value, in eight images | 124 Ki |
//!
//! An image of a board is the OR of the images of its three rows, and its value is the sum of their values. So one load per
//! row is enough.

#![allow(long_running_const_eval, reason = "takes some seconds per build and replaces committed numbers")]

use crate::moves::{MOST, Move};
use grid::{Cell, CellSet, Sym};

/// Number of moves over all cells and all combinations of neighbours.
pub const MOVES: usize = 7_777;

/// [`MOVES`] rounded up to a power of two. [`CHANGE_OF`] has this many entries plus padding for reads past the last.
pub const MOVES_ROOM: usize = 8192;

/// A table of vectors that is aligned to cache lines.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Aligned<T>(pub T);

/// Number of different changes: moves that differ only in dice they do not capture make the same change.
pub const CHANGES: usize = 514;

/// [`CHANGES`] rounded up to a power of two.
pub const CHANGES_ROOM: usize = 1024;

/// Number of places (a cell and the pips around it): four corners of 7^2, four sides of 7^3, a centre of 7^4.
pub const PLACES: usize = 4 * 49 + 4 * 343 + 2401;

/// [`PLACES`] rounded up to a power of two.
pub const PLACES_ROOM: usize = 4096;

/// The moves of one place: a range of [`CHANGE_OF`] and [`STEPS`].
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// The first move.
    pub start: u16,
    /// Number of moves; never zero.
    pub count: u8,
}

const fn beside(cell: usize) -> [usize; 4] {
    let set = CellSet::beside(Cell::ALL[cell]);
    let (mut cells, mut found, mut other) = ([9; 4], 0, 0);
    while other < 9 {
        if set.contains(Cell::ALL[other]) {
            cells[found] = other;
            found += 1;
        }
        other += 1;
    }
    cells
}

/// The neighbours of each cell in ascending order; 9 fills the list up to four.
pub static BESIDE: [[usize; 4]; 9] = {
    let mut table = [[0; 4]; 9];
    let mut cell = 0;
    while cell < 9 {
        table[cell] = beside(cell);
        cell += 1;
    }
    table
};

/// The first place of each cell in [`LISTS`] and [`GAINS`].
pub static FIRST_PLACE: [usize; 9] = {
    let (mut table, mut next, mut cell) = ([0; 9], 0, 0);
    while cell < 9 {
        table[cell] = next;
        next += surroundings_of(cell);
        cell += 1;
    }
    assert!(next == PLACES);
    table
};

const fn surroundings_of(cell: usize) -> usize {
    7usize.pow(CellSet::beside(Cell::ALL[cell]).len() as u32)
}

/// Where each symmetry takes each cell. A static, because the compiler would copy a constant at every use.
static TO: [[u8; 8]; 9] = {
    let mut table = [[0; 8]; 9];
    let mut cell = 0;
    while cell < 9 {
        let mut sym = 0;
        while sym < 8 {
            table[cell][sym] = Sym::ALL[sym].cell(Cell::ALL[cell]).index() as u8;
            sym += 1;
        }
        cell += 1;
    }
    table
};

/// The contribution of a die to the eight images of a board.
static CELL_IMAGES: [[[u32; 8]; 8]; 9] = cell_table(false);
/// The contribution of a die to the values of the eight images.
static CELL_VALUES: [[[u32; 8]; 8]; 9] = cell_table(true);

const fn cell_table(of_value: bool) -> [[[u32; 8]; 8]; 9] {
    let mut table = [[[0; 8]; 8]; 9];
    let mut cell = 0;
    while cell < 9 {
        let mut pips = 0;
        while pips < 8 {
            let mut sym = 0;
            while sym < 8 {
                let to = TO[cell][sym] as u32;
                table[cell][pips][sym] = pips as u32 * if of_value { 10u32.pow(8 - to) } else { 1 << (3 * to + 3) };
                sym += 1;
            }
            pips += 1;
        }
        cell += 1;
    }
    table
}

/// All tables about moves, built in one pass over all places.
struct Generated {
    lists: [List; PLACES_ROOM],
    changes: [u16; MOVES_ROOM + MOST],
    steps: [Move; MOVES],
    deltas: [[u32; 8]; CHANGES_ROOM],
    gains: [[u32; 8]; PLACES],
}

/// The sets of at least two of four neighbours, in ascending order. Sets of the first two, then of the first three, come
/// first.
const CHOICES: [usize; 11] = [0b0011, 0b0101, 0b0110, 0b0111, 0b1001, 0b1010, 0b1011, 0b1100, 0b1101, 0b1110, 0b1111];

const fn generate() -> Generated {
    let mut made = Generated {
        lists: [List { start: 0, count: 0 }; PLACES_ROOM],
        changes: [0; MOVES_ROOM + MOST],
        steps: [Move::NONE; MOVES],
        deltas: [[0; 8]; CHANGES_ROOM],
        gains: [[0; 8]; PLACES],
    };
    // The gain in value of each change, in eight images.
    let mut added = [[0u32; 8]; CHANGES];
    // The change that captures all neighbours of a place. Capturing some is the same as capturing all with the others empty.
    let mut all_of = [u16::MAX; PLACES];
    let (mut next, mut changes, mut cell) = (0, 0, 0);
    while cell < 9 {
        let (first, count) = (FIRST_PLACE[cell], surroundings_of(cell));
        let neighbours = CellSet::beside(Cell::ALL[cell]).len();
        change(&mut made.deltas[changes], &mut added[changes], cell, 0, [0; 4], 1);
        let placement = changes as u16;
        changes += 1;
        let mut number = 0;
        while number < count {
            let start = next;
            // The neighbours' pips are the digits of the number in base 7, lowest cell first.
            let pips = [number % 7, number / 7 % 7, number / 49 % 7, number / 343];
            let mut at = 0;
            while at < CHOICES.len() && CHOICES[at] < 1 << neighbours {
                let choice = CHOICES[at];
                at += 1;
                let (mut sum, mut only, mut set, mut weight, mut neighbour) = (0, 0, 0u16, 1, 0);
                while neighbour < neighbours {
                    if choice >> neighbour & 1 == 1 {
                        // A missing die counts 7, which is above any legal sum.
                        sum += if pips[neighbour] == 0 { 7 } else { pips[neighbour] };
                        only += weight * pips[neighbour];
                        set |= 1 << BESIDE[cell][neighbour];
                    }
                    neighbour += 1;
                    weight *= 7;
                }
                if sum > 6 {
                    continue;
                }
                if all_of[first + only] == u16::MAX {
                    change(&mut made.deltas[changes], &mut added[changes], cell, choice, pips, sum);
                    all_of[first + only] = changes as u16;
                    changes += 1;
                }
                made.changes[next] = all_of[first + only];
                made.steps[next] = Move::new(Cell::ALL[cell], CellSet::from_bits(set));
                next += 1;
            }
            if next == start {
                made.changes[next] = placement;
                made.steps[next] = Move::new(Cell::ALL[cell], CellSet::EMPTY);
                next += 1;
            }
            made.lists[first + number] = List { start: start as u16, count: (next - start) as u8 };
            let mut mv = start;
            while mv < next {
                let (gain, added) = (&mut made.gains[first + number], &added[made.changes[mv] as usize]);
                let mut sym = 0;
                while sym < 8 {
                    gain[sym] = gain[sym].wrapping_add(added[sym]);
                    sym += 1;
                }
                mv += 1;
            }
            number += 1;
        }
        cell += 1;
    }
    assert!(next == MOVES && changes == CHANGES);
    made
}

/// Writes the change in which a die of `sum` pips appears on the cell and the chosen neighbours vanish.
const fn change(
    delta: &mut [u32; 8],
    added: &mut [u32; 8],
    cell: usize,
    choice: usize,
    beside: [usize; 4],
    sum: usize,
) {
    let kind = choice.count_ones().saturating_sub(1);
    let mut sym = 0;
    while sym < 8 {
        delta[sym] = kind << 30 | CELL_IMAGES[cell][sum][sym];
        added[sym] = CELL_VALUES[cell][sum][sym];
        let mut neighbour = 0;
        while neighbour < 4 {
            if choice >> neighbour & 1 == 1 {
                let (other, shown) = (BESIDE[cell][neighbour], beside[neighbour]);
                delta[sym] ^= CELL_IMAGES[other][shown][sym];
                added[sym] = added[sym].wrapping_sub(CELL_VALUES[other][shown][sym]);
            }
            neighbour += 1;
        }
        sym += 1;
    }
}

static GENERATED: Generated = generate();

/// The moves of each place.
pub static LISTS: [List; PLACES_ROOM] = GENERATED.lists;
/// The changes of the first four moves of each place, and the number of its moves.
///
/// ```text
/// bits 63..58  number of moves     57..48  47..32  31..16  15..0   the changes; arbitrary entries if there are fewer
/// ```
pub static FOURS: [u64; PLACES_ROOM] = {
    let mut table = [0; PLACES_ROOM];
    let mut place = 0;
    while place < PLACES {
        let List { start, count } = GENERATED.lists[place];
        let mut at = 0;
        while at < 4 {
            table[place] |= (GENERATED.changes[start as usize + at] as u64) << (16 * at);
            at += 1;
        }
        table[place] |= (count as u64) << 58;
        place += 1;
    }
    table
};
/// The change of each move.
pub static CHANGE_OF: [u16; MOVES_ROOM + MOST] = GENERATED.changes;
/// The XOR mask of each change for [`board_images`]. Bits 31 and 30 have the kind: 0 for a placement; for a capture the
/// decrease in the number of dice, 1 to 3.
pub static DELTAS: Aligned<[[u32; 8]; CHANGES_ROOM]> = Aligned(GENERATED.deltas);
/// Cell and captured cells of each move.
pub static STEPS: [Move; MOVES] = GENERATED.steps;
/// For each place, the sum of the gains in value of all its moves, in eight images.
pub static GAINS: Aligned<[[u32; 8]; PLACES]> = Aligned(GENERATED.gains);

/// The length of the longest sequence of moves, by pips (rows) and dice (columns, 0 to 8); 0 if there is no such board.
/// Measured over all boards; a test recomputes it from the complete table.
#[rustfmt::skip]
pub static LONGEST_BY_DICE: [[u8; 9]; 55] = [
    [61,  0,  0,  0,  0,  0,  0,  0,  0],
    [ 0, 60,  0,  0,  0,  0,  0,  0,  0],
    [ 0, 58, 59,  0,  0,  0,  0,  0,  0],
    [ 0, 56, 57, 58,  0,  0,  0,  0,  0],
    [ 0, 54, 55, 56, 57,  0,  0,  0,  0],
    [ 0, 52, 53, 54, 55, 56,  0,  0,  0],
    [ 0, 50, 51, 52, 53, 54, 55,  0,  0],
    [ 0,  0, 49, 50, 51, 52, 53, 54,  0],
    [ 0,  0, 47, 48, 49, 50, 51, 52, 53],
    [ 0,  0, 45, 46, 47, 48, 49, 50, 51],
    [ 0,  0, 43, 44, 45, 46, 47, 48, 49],
    [ 0,  0, 41, 42, 43, 44, 45, 46, 47],
    [ 0,  0, 39, 40, 41, 42, 43, 44, 45],
    [ 0,  0,  0, 38, 39, 40, 41, 42, 43],
    [ 0,  0,  0, 38, 37, 38, 39, 40, 41],
    [ 0,  0,  0, 38, 37, 36, 37, 38, 39],
    [ 0,  0,  0, 38, 37, 36, 35, 36, 37],
    [ 0,  0,  0, 38, 37, 36, 35, 34, 35],
    [ 0,  0,  0, 36, 37, 36, 35, 34, 33],
    [ 0,  0,  0,  0, 35, 36, 35, 34, 33],
    [ 0,  0,  0,  0, 33, 34, 35, 34, 33],
    [ 0,  0,  0,  0, 31, 32, 33, 34, 33],
    [ 0,  0,  0,  0, 29, 30, 31, 32, 33],
    [ 0,  0,  0,  0, 27, 28, 29, 30, 31],
    [ 0,  0,  0,  0, 25, 26, 27, 28, 29],
    [ 0,  0,  0,  0,  0, 24, 25, 26, 27],
    [ 0,  0,  0,  0,  0, 22, 23, 24, 25],
    [ 0,  0,  0,  0,  0, 20, 21, 22, 23],
    [ 0,  0,  0,  0,  0, 18, 19, 20, 21],
    [ 0,  0,  0,  0,  0, 16, 17, 18, 19],
    [ 0,  0,  0,  0,  0, 16, 15, 16, 17],
    [ 0,  0,  0,  0,  0,  0, 15, 14, 15],
    [ 0,  0,  0,  0,  0,  0, 13, 14, 13],
    [ 0,  0,  0,  0,  0,  0, 11, 12, 13],
    [ 0,  0,  0,  0,  0,  0,  9, 10, 11],
    [ 0,  0,  0,  0,  0,  0,  7,  8,  9],
    [ 0,  0,  0,  0,  0,  0,  5,  6,  7],
    [ 0,  0,  0,  0,  0,  0,  0,  4,  3],
    [ 0,  0,  0,  0,  0,  0,  0,  4,  3],
    [ 0,  0,  0,  0,  0,  0,  0,  4,  3],
    [ 0,  0,  0,  0,  0,  0,  0,  4,  3],
    [ 0,  0,  0,  0,  0,  0,  0,  4,  3],
    [ 0,  0,  0,  0,  0,  0,  0,  2,  3],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  1],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  1],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  1],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  1],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  1],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  1],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  0],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  0],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  0],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  0],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  0],
    [ 0,  0,  0,  0,  0,  0,  0,  0,  0],
];

const fn row_table(row: usize, of_value: bool) -> [[u32; 8]; 512] {
    let mut table = [[0u32; 8]; 512];
    let mut digits = 0;
    while digits < 512 {
        let mut column = 0;
        while column < 3 {
            let pips = digits >> (3 * column) & 7;
            let cell = 3 * row + column;
            let part = if of_value { &CELL_VALUES[cell][pips] } else { &CELL_IMAGES[cell][pips] };
            let mut sym = 0;
            while sym < 8 {
                table[digits][sym] = table[digits][sym].wrapping_add(part[sym]);
                sym += 1;
            }
            column += 1;
        }
        // The index of the symmetry is in the low bits; the first row adds it.
        let mut sym = 0;
        while sym < 8 && row == 0 && !of_value {
            table[digits][sym] |= sym as u32;
            sym += 1;
        }
        digits += 1;
    }
    table
}

/// The contribution of each row to [`board_images`].
pub static IMAGE_ROWS: Aligned<[[[u32; 8]; 512]; 3]> =
    Aligned([row_table(0, false), row_table(1, false), row_table(2, false)]);
/// The contribution of each row to [`value_images`].
pub static VALUE_ROWS: Aligned<[[[u32; 8]; 512]; 3]> =
    Aligned([row_table(0, true), row_table(1, true), row_table(2, true)]);

/// The contribution of each row to [`places`]: one lane per cell, padded to a whole vector.
static PLACE_ROWS: Aligned<[[[u16; 16]; 512]; 3]> = Aligned([place_row(0), place_row(1), place_row(2)]);

const fn place_row(row: usize) -> [[u16; 16]; 512] {
    let mut table = [[0; 16]; 512];
    let mut digits = 0;
    while digits < 512 {
        let mut cell = 0;
        while cell < 9 {
            // The first row adds the offset of the cell's places.
            table[digits][cell] = if row == 0 { FIRST_PLACE[cell] as u16 } else { 0 };
            let (mut neighbour, mut weight) = (0, 1);
            while neighbour < 4 {
                let other = BESIDE[cell][neighbour];
                if other < 9 && other / 3 == row {
                    table[digits][cell] += (digits >> (3 * (other % 3)) & 7) as u16 * weight;
                }
                neighbour += 1;
                weight *= 7;
            }
            cell += 1;
        }
        digits += 1;
    }
    table
}

/// The three rows of a board as indices below 512.
#[inline(always)]
pub const fn rows(bits: u32) -> [usize; 3] {
    [bits as usize & 511, bits as usize >> 9 & 511, bits as usize >> 18 & 511]
}

/// The eight images of a board, by symmetry, each shifted up by three bits with the index of the symmetry below it. The
/// smallest of the eight is the canonical form, and its low bits name the symmetry.
#[inline(always)]
#[must_use]
pub fn board_images(bits: u32) -> [u32; 8] {
    let [a, b, c] = rows(bits);
    core::array::from_fn(|sym| IMAGE_ROWS.0[0][a][sym] | IMAGE_ROWS.0[1][b][sym] | IMAGE_ROWS.0[2][c][sym])
}

/// The values of the eight images of a board, by symmetry.
#[inline(always)]
#[must_use]
pub fn value_images(bits: u32) -> [u32; 8] {
    let [a, b, c] = rows(bits);
    core::array::from_fn(|sym| VALUE_ROWS.0[0][a][sym] + VALUE_ROWS.0[1][b][sym] + VALUE_ROWS.0[2][c][sym])
}

/// The place of each cell, an index into [`LISTS`] and [`GAINS`]: the pips of its neighbours as a number in base 7, lowest
/// cell first, plus the first place of the cell.
#[derive(Clone, Copy, Debug)]
pub struct Places([u16; 16]);

/// The places of all nine cells: three loads and two additions.
#[inline(always)]
#[must_use]
pub fn places(bits: u32) -> Places {
    let [a, b, c] = rows(bits);
    let [a, b, c] = [&PLACE_ROWS.0[0][a], &PLACE_ROWS.0[1][b], &PLACE_ROWS.0[2][c]];
    Places(core::array::from_fn(|cell| a[cell].wrapping_add(b[cell]).wrapping_add(c[cell])))
}

impl Places {
    /// Calls `each` with the place of every cell of `empty` in ascending order. `empty` is a
    /// [`lanes::zero_mask`](grid::lanes::zero_mask).
    #[inline(always)]
    pub fn for_each(self, mut empty: u64, mut each: impl FnMut(usize)) {
        while empty != 0 {
            // The bit of a cell is 3 * cell + 2. Multiplying by 11 and shifting by 5 divides by 3.
            let cell = ((empty.trailing_zeros() * 11) >> 5) as usize;
            empty &= empty - 1;
            debug_assert!(cell < 9);
            each(usize::from(self.0[cell % 16]));
        }
    }

    /// The place of a cell.
    #[inline(always)]
    #[must_use]
    pub const fn place(self, cell: usize) -> usize {
        self.0[cell] as usize
    }
}
