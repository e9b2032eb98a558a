//! The tables, made at compile time from the rules' own words and tested against them on every board.
//!
//! | table | asked with | gives | bytes |
//! |---|---|---|---|
//! | [`board_images`] | three rows | the eight images of a board, each with its symmetry's number below it | 48 Ki |
//! | [`value_images`] | three rows | the value of the eight images | 48 Ki |
//! | [`places`] | three rows | for each cell its place: cell and surroundings as one number | 48 Ki |
//! | [`LISTS`] | place | its moves, a range of `CHANGE_OF` and `STEPS` | 16 Ki |
//! | [`FOURS`] | place | the changes its first four moves make | 31 Ki |
//! | [`CHANGE_OF`] | move | the change it makes | 15 Ki |
//! | [`DELTAS`] | change | the XOR that makes it, in eight images, with its kind above | 16 Ki, and as much room |
//! | [`STEPS`] | move | cell and captured cells | 15 Ki |
//! | [`LONGEST_BY_DICE`] | pips and dice | no sequence of moves is longer | 0.5 Ki |
//! | [`GAINS`] | place | what all its moves add to the value, in eight images | 124 Ki |
//!
//! A board is a sum over its cells, and so is everything above: an image or a value of a board is the OR or the sum of
//! what three rows (or nine cells) contribute. That is why one load a row is enough.

#![allow(long_running_const_eval, reason = "some seconds, once a build, in place of committed numbers")]

use crate::moves::{MOST, Move};
use grid::{Cell, CellSet, Sym};

/// How many moves there are in all, over all cells and all their surroundings.
pub const MOVES: usize = 7_777;

/// A power of two that [`MOVES`] fits in; [`CHANGE_OF`] has that many entries and room to read past the last.
pub const MOVES_ROOM: usize = 8192;

/// A table of vectors that does not straddle cache lines.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Aligned<T>(pub T);

/// How many different changes those moves make: the dice that are not taken play no part.
pub const CHANGES: usize = 514;

/// A power of two that [`CHANGES`] fits in.
pub const CHANGES_ROOM: usize = 1024;

/// How many pairs of a cell and its surroundings: four corners of 7^2, four sides of 7^3, a centre of 7^4.
pub const PLACES: usize = 4 * 49 + 4 * 343 + 2401;

/// A power of two that [`PLACES`] fits in.
pub const PLACES_ROOM: usize = 4096;

/// The moves of one cell in one surroundings: a range of [`CHANGE_OF`] and [`STEPS`].
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// The first.
    pub start: u16,
    /// How many; never zero.
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

/// The cells beside each cell, ascending; 9 where there are fewer than four.
pub static BESIDE: [[usize; 4]; 9] = {
    let mut table = [[0; 4]; 9];
    let mut cell = 0;
    while cell < 9 {
        table[cell] = beside(cell);
        cell += 1;
    }
    table
};

/// Where the places of each cell begin in [`LISTS`] and [`GAINS`].
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

/// Where each symmetry takes each cell. A static, because a constant would be copied at every use while tables are made.
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

/// What a die adds to the eight images of a board.
static CELL_IMAGES: [[[u32; 8]; 8]; 9] = cell_table(false);
/// What a die adds to the values of the eight images.
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

/// Everything about moves, made in one walk over all places.
struct Generated {
    lists: [List; PLACES_ROOM],
    changes: [u16; MOVES_ROOM + MOST],
    steps: [Move; MOVES],
    deltas: [[u32; 8]; CHANGES_ROOM],
    gains: [[u32; 8]; PLACES],
}

/// The sets of two and more of four neighbours, in order: those of the first two, then of the first three, come first.
const CHOICES: [usize; 11] = [0b0011, 0b0101, 0b0110, 0b0111, 0b1001, 0b1010, 0b1011, 0b1100, 0b1101, 0b1110, 0b1111];

const fn generate() -> Generated {
    let mut made = Generated {
        lists: [List { start: 0, count: 0 }; PLACES_ROOM],
        changes: [0; MOVES_ROOM + MOST],
        steps: [Move::NONE; MOVES],
        deltas: [[0; 8]; CHANGES_ROOM],
        gains: [[0; 8]; PLACES],
    };
    // What each change adds to the value, in eight images.
    let mut added = [[0u32; 8]; CHANGES];
    // The change that captures all neighbours of a place. A capture of some is that of the place with the others empty.
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
                        // An absent die is as bad as one too many.
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

/// A die of `sum` pips appears on the cell, and the chosen ones beside it go.
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
/// The changes that the moves of each place make, the first four of them, and how many there are.
///
/// ```text
/// bits 63..58  how many        57..48  47..32  31..16  15..0   the changes; whatever comes next where there are fewer
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
/// The change that each move makes.
pub static CHANGE_OF: [u16; MOVES_ROOM + MOST] = GENERATED.changes;
/// What each change does to [`board_images`]; above, in bits 31 and 30, by how many dice it lowers their number: 0 for a
/// placement, else 1, 2 or 3.
pub static DELTAS: Aligned<[[u32; 8]; CHANGES_ROOM]> = Aligned(GENERATED.deltas);
/// Cell and captured cells of each move.
pub static STEPS: [Move; MOVES] = GENERATED.steps;
/// The sum over the moves of each place of what they add to the value of the board, in eight images.
pub static GAINS: Aligned<[[u32; 8]; PLACES]> = Aligned(GENERATED.gains);

/// The longest sequence of moves from any board of so many pips (down) and dice (across, 0 to 8); 0 where there is none.
/// Measured over all boards; a test makes it again from the complete table.
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
        // The number of the symmetry rides below the image, once.
        let mut sym = 0;
        while sym < 8 && row == 0 && !of_value {
            table[digits][sym] |= sym as u32;
            sym += 1;
        }
        digits += 1;
    }
    table
}

/// What each row adds to [`board_images`].
pub static IMAGE_ROWS: Aligned<[[[u32; 8]; 512]; 3]> =
    Aligned([row_table(0, false), row_table(1, false), row_table(2, false)]);
/// What each row adds to [`value_images`].
pub static VALUE_ROWS: Aligned<[[[u32; 8]; 512]; 3]> =
    Aligned([row_table(0, true), row_table(1, true), row_table(2, true)]);

/// What each row adds to [`places`]: nine lanes, one for each cell, and room for a whole vector.
static PLACE_ROWS: Aligned<[[[u16; 16]; 512]; 3]> = Aligned([place_row(0), place_row(1), place_row(2)]);

const fn place_row(row: usize) -> [[u16; 16]; 512] {
    let mut table = [[0; 16]; 512];
    let mut digits = 0;
    while digits < 512 {
        let mut cell = 0;
        while cell < 9 {
            // Where the cell's places begin is added once.
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

/// The eight images of a board, by symmetry, each shifted up by three bits with the symmetry's number below it: the
/// least of the eight is the canonical form and says how it was reached.
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
/// cell first, after where its places begin.
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
    /// Calls `each` with the place of every cell of `empty`, a [`lanes::zero_mask`](grid::lanes::zero_mask), by number.
    #[inline(always)]
    pub fn for_each(self, mut empty: u64, mut each: impl FnMut(usize)) {
        while empty != 0 {
            // The bit of a cell is the third of its three: a third of its number is the cell's.
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
