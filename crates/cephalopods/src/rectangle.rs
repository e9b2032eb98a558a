//! The two-player game on a board of any small size. The original is played on 5x5, a short form on 3x5.
//!
//! Dice are stored as three bit planes, one bit per cell, so that one addition works on all cells at once:
//!
//! ```text
//! pips of a cell     bits high, mid, low     plane up = the plane shifted so that each cell sees its upper neighbour
//! sum of neighbours  a full adder on whole planes; a sum above 6 sets `over`
//! moves              for each of the 11 sets of two or more neighbours, the cells where this set may be captured
//! ```
//!
//! All captures of the whole board take about 150 operations, whatever its size. The result is 12 words whose bits are the
//! moves.

use crate::Aim;
use core::fmt;
use grid::{Facts, Game, Notation, Player, TextError, Versus, mix};

/// The rules on one size of board.
///
/// ```
/// use grid::{Game, Notation, Versus};
/// use ninefold_cephalopods::{Aim, rectangle::Rectangle};
/// let game = Rectangle::new(3, 5, Aim::Majority).unwrap();
/// let area = game.read_position("1..../.a.../.....:A").unwrap();
/// let moves: Vec<String> = game.moves(&area).map(|mv| game.move_text(mv)).collect();
/// assert!(moves.contains(&"b1xa1b2".to_string()), "{moves:?}");
/// assert!(Rectangle::new(6, 6, Aim::Majority).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rectangle {
    rows: u8,
    columns: u8,
    aim: Aim,
    /// All cells.
    board: u32,
    /// The cells of the first and of the last column.
    left: u32,
    right: u32,
}

/// Maximum number of cells: one bit of a word each.
pub const MOST_CELLS: usize = 32;
/// Maximum number of rows and of columns.
pub const LONGEST_SIDE: usize = 8;

/// A position.
///
/// ```text
/// planes   bit c of plane p is bit p of the pips on cell c; cells row by row from the top left
/// first    the cells of the first player's dice
/// mover    the side to move
/// ```
///
/// ```
/// use grid::Notation;
/// use ninefold_cephalopods::{Aim, rectangle::Rectangle};
/// let game = Rectangle::new(2, 2, Aim::Majority).unwrap();
/// let area = game.read_position("3./.f:B").unwrap();
/// assert_eq!([0, 1, 2, 3].map(|cell| area.pips(cell)), [3, 0, 0, 6]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Area {
    planes: [u32; 3],
    first: u32,
    mover: Player,
}

const _: () = assert!(size_of::<Area>() == 20);

impl Area {
    /// The pips of a cell; 0 if it is empty.
    #[inline]
    #[must_use]
    pub fn pips(&self, cell: usize) -> u8 {
        debug_assert!(cell < MOST_CELLS);
        let bit = |plane: u32| (plane >> (cell % MOST_CELLS) & 1) as u8;
        bit(self.planes[0]) | bit(self.planes[1]) << 1 | bit(self.planes[2]) << 2
    }

    /// The cells that hold a die.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> u32 {
        self.planes[0] | self.planes[1] | self.planes[2]
    }

    /// The cells with this number of pips.
    #[inline]
    #[must_use]
    pub fn showing(&self, pips: u8) -> u32 {
        let plane = |at: usize| if pips >> at & 1 == 1 { self.planes[at] } else { !self.planes[at] };
        plane(0) & plane(1) & plane(2)
    }

    /// The cells of the first player's dice.
    #[inline]
    #[must_use]
    pub const fn first(&self) -> u32 {
        self.first
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> Player {
        self.mover
    }
}

/// A move: the cell of the new die and the neighbours it captures.
///
/// ```text
/// bit  8..4   3     2      1     0
///      cell  below right  left  above
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement(u16);

impl Placement {
    /// The cell of the new die.
    #[inline]
    #[must_use]
    pub const fn cell(self) -> usize {
        debug_assert!((self.0 >> 4) < MOST_CELLS as u16);
        (self.0 >> 4) as usize % MOST_CELLS
    }

    /// The captured neighbours, as a set of the four directions.
    #[inline]
    #[must_use]
    pub const fn choice(self) -> u16 {
        self.0 & 15
    }
}

/// The legal moves, ordered by the set of captured neighbours (the empty set first), then by cell.
#[derive(Clone, Debug)]
pub struct Placements {
    /// Bit c of word s: placing a die on cell c with captures s is legal.
    cells: [u32; 16],
    /// The first word that may still have cells.
    choice: u8,
    left: u16,
}

impl Iterator for Placements {
    type Item = Placement;

    #[inline]
    fn next(&mut self) -> Option<Placement> {
        self.nth(0)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.into(), Some(self.left.into()))
    }

    /// Skips whole words by their popcount, so that a random choice is cheap.
    #[inline]
    fn nth(&mut self, skipped: usize) -> Option<Placement> {
        let mut skipped = skipped as u32;
        while let Some(cells) = self.cells.get_mut(usize::from(self.choice)) {
            let count = cells.count_ones();
            if skipped >= count {
                skipped -= count;
                self.left -= count as u16;
                *cells = 0;
                self.choice += 1;
                continue;
            }
            for _ in 0..skipped {
                *cells &= *cells - 1;
            }
            let cell = cells.trailing_zeros();
            *cells &= *cells - 1;
            self.left -= skipped as u16 + 1;
            return Some(Placement((cell as u16) << 4 | u16::from(self.choice)));
        }
        None
    }
}

impl ExactSizeIterator for Placements {}

/// For every cell, the pips of one neighbour or the sum of several, and whether the sum is above six.
#[derive(Clone, Copy)]
struct Pips {
    planes: [u32; 3],
    /// The cells for which each of these neighbours holds a die.
    there: u32,
    over: u32,
}

impl Pips {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.planes, other.planes);
        let carry = a & x;
        let (mid, carry_mid) = (b ^ y ^ carry, b & y | carry & (b ^ y));
        let (low, high) = (a ^ x, c ^ z ^ carry_mid);
        let above_seven = c & z | carry_mid & (c ^ z);
        Self {
            planes: [low, mid, high],
            there: self.there & other.there,
            over: self.over | other.over | above_seven | low & mid & high,
        }
    }

    #[inline(always)]
    fn may_be_captured(self) -> u32 {
        self.there & !self.over
    }
}

impl Rectangle {
    /// The rules for a board of this size; `None` unless it has 1 to 32 cells and no side longer than 8.
    #[must_use]
    pub const fn new(rows: usize, columns: usize, aim: Aim) -> Option<Self> {
        if rows == 0 || columns == 0 || rows > LONGEST_SIDE || columns > LONGEST_SIDE || rows * columns > MOST_CELLS {
            return None;
        }
        let (mut left, mut row) = (0, 0);
        while row < rows {
            left |= 1 << (row * columns);
            row += 1;
        }
        let board = u32::MAX >> (MOST_CELLS - rows * columns);
        let right = left << (columns - 1);
        Some(Self { rows: rows as u8, columns: columns as u8, aim, board, left, right })
    }

    /// Number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Number of columns.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns as usize
    }

    /// The winning condition.
    #[must_use]
    pub const fn aim(&self) -> Aim {
        self.aim
    }

    /// The neighbours of every cell, by direction: the planes shifted by one column or row.
    #[inline(always)]
    fn neighbours(&self, area: &Area) -> [Pips; 4] {
        let columns = u32::from(self.columns);
        let moved = |step: &dyn Fn(u32) -> u32| {
            let planes = area.planes.map(step);
            Pips { planes, there: planes[0] | planes[1] | planes[2], over: 0 }
        };
        [
            moved(&|plane| plane << columns & self.board),
            moved(&|plane| plane << 1 & self.board & !self.left),
            moved(&|plane| plane >> 1 & !self.right),
            moved(&|plane| plane >> columns),
        ]
    }

    /// The captured cells of a move. They must be on the board.
    #[inline(always)]
    fn captured(&self, mv: Placement) -> u32 {
        let (columns, choice) = (usize::from(self.columns), u64::from(mv.choice()));
        let pattern = choice & 1
            | (choice >> 1 & 1) << (columns - 1)
            | (choice >> 2 & 1) << (columns + 1)
            | (choice >> 3 & 1) << (2 * columns);
        (pattern << mv.cell() >> columns) as u32 & self.board
    }

    /// The text of a move: the cell, then `x` and the captured cells if there are any. A cell is a letter for its column and a
    /// number for its row, from the top left.
    #[must_use]
    pub fn move_text(&self, mv: Placement) -> String {
        let mut text = String::new();
        self.write_placement(mv, &mut text).expect("writing to a string never fails");
        text
    }

    fn write_placement(&self, mv: Placement, out: &mut dyn fmt::Write) -> fmt::Result {
        let mut left = self.captured(mv);
        self.write_cell(mv.cell(), out)?;
        if left != 0 {
            out.write_str("x")?;
        }
        while left != 0 {
            self.write_cell(left.trailing_zeros() as usize, out)?;
            left &= left - 1;
        }
        Ok(())
    }

    fn write_cell(&self, cell: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{}{}", char::from(b'a' + (cell % self.columns()) as u8), cell / self.columns() + 1)
    }
}

impl Game for Rectangle {
    type Position = Area;
    type Move = Placement;
    type Moves = Placements;

    /// A game with P placements and C captures: each placement adds a pip, so P is at most 6 per cell. Each capture removes at
    /// least one die net, and the full board has one die per cell, so C is at most P minus one per cell. Together at
    /// most 11 per cell. A cell has at most 11 moves.
    const FACTS: Facts = Facts {
        name: "Cephalopod on a rectangle",
        longest_game: 11 * MOST_CELLS as u32,
        most_moves: 11 * MOST_CELLS as u32,
    };

    fn start(&self) -> Area {
        Area { planes: [0; 3], first: 0, mover: Player::First }
    }

    #[inline]
    fn moves(&self, area: &Area) -> Placements {
        let [up, left, right, down] = self.neighbours(area);
        let (up_left, right_down) = (up.plus(left), right.plus(down));
        let empty = self.board & !area.occupied();
        let mut cells = [0; 16];
        let sums = [
            (0b0011, up_left),
            (0b0101, up.plus(right)),
            (0b0110, left.plus(right)),
            (0b0111, up_left.plus(right)),
            (0b1001, up.plus(down)),
            (0b1010, left.plus(down)),
            (0b1011, up_left.plus(down)),
            (0b1100, right_down),
            (0b1101, up.plus(right_down)),
            (0b1110, left.plus(right_down)),
            (0b1111, up_left.plus(right_down)),
        ];
        let mut capturing = 0;
        let mut count = 0;
        for (choice, sum) in sums {
            cells[choice] = sum.may_be_captured() & empty;
            capturing |= cells[choice];
            count += cells[choice].count_ones();
        }
        cells[0] = empty & !capturing;
        count += cells[0].count_ones();
        Placements { cells, choice: 0, left: count as u16 }
    }

    #[inline]
    fn play_unchecked(&self, area: &Area, mv: Placement) -> Area {
        let captured = self.captured(mv);
        let die = 1 << mv.cell();
        let taken = area.planes.map(|plane| (plane & captured).count_ones());
        let shown = if captured == 0 { 1 } else { taken[0] + 2 * taken[1] + 4 * taken[2] };
        let kept = |plane: usize| area.planes[plane] & !captured & !die;
        let planes = [0, 1, 2].map(|plane| kept(plane) | (shown >> plane & 1) << mv.cell());
        let first = area.first & !captured & !die;
        let first = if area.mover == Player::First { first | die } else { first };
        Area { planes, first, mover: area.mover.other() }
    }

    #[inline]
    fn hash(&self, area: &Area) -> u64 {
        let [low, mid, high] = area.planes.map(u64::from);
        mix(low | mid << 32) ^ mix((high | u64::from(area.first) << 32).rotate_left(17) ^ area.mover as u64)
    }

    #[inline]
    fn is_over(&self, area: &Area) -> bool {
        area.occupied() == self.board
    }
}

impl Versus for Rectangle {
    const BEST: i32 = 1;

    #[inline]
    fn mover(&self, area: &Area) -> Player {
        area.mover
    }

    #[inline]
    fn result(&self, area: &Area) -> Option<i32> {
        if area.occupied() != self.board {
            return None;
        }
        let counted = if self.aim == Aim::Sixes { area.showing(6) } else { self.board };
        let first = (area.first & counted).count_ones() as i32;
        let lead = (2 * first - counted.count_ones() as i32).signum();
        Some(if self.aim == Aim::Misere { -lead } else { lead })
    }
}

/// Rows from the top, separated by slashes. The first player's dice are `1` to `6`, the second player's `a` to `f`, an empty
/// cell is `.`; then a colon and the side to move.
impl Notation for Rectangle {
    fn write_position(&self, area: &Area, out: &mut dyn fmt::Write) -> fmt::Result {
        for cell in 0..self.rows() * self.columns() {
            if cell > 0 && cell % self.columns() == 0 {
                out.write_char('/')?;
            }
            out.write_char(match (area.pips(cell), area.first >> cell & 1) {
                (0, _) => '.',
                (pips, 1) => char::from(b'0' + pips),
                (pips, _) => char::from(b'a' + pips - 1),
            })?;
        }
        out.write_str(if area.mover == Player::First { ":A" } else { ":B" })
    }

    fn read_position(&self, text: &str) -> Result<Area, TextError> {
        let mut area = self.start();
        let mut symbols = text.char_indices();
        let mut next = || symbols.next().unwrap_or((text.len(), '\0'));
        for cell in 0..self.rows() * self.columns() {
            if cell > 0 && cell % self.columns() == 0 {
                let (at, symbol) = next();
                if symbol != '/' {
                    return Err(TextError::new(at, "/ and the next row"));
                }
            }
            let (at, symbol) = next();
            let (pips, first) = match symbol {
                '.' => (0, 0),
                '1'..='6' => (symbol as u32 - '0' as u32, 1),
                'a'..='f' => (symbol as u32 - 'a' as u32 + 1, 0),
                _ => return Err(TextError::new(at, "1 to 6 for A's die, a to f for B's, or .")),
            };
            for plane in 0..3 {
                area.planes[plane] |= (pips >> plane & 1) << cell;
            }
            area.first |= first << cell;
        }
        let (at, symbol) = next();
        if symbol != ':' {
            return Err(TextError::new(at, ":A or :B, who moves next"));
        }
        let (at, symbol) = next();
        area.mover = match symbol {
            'A' => Player::First,
            'B' => Player::Second,
            _ => return Err(TextError::new(at, "A or B, who moves next")),
        };
        match next() {
            (at, _) if at < text.len() => Err(TextError::new(at, "nothing after the mover")),
            _ => Ok(area),
        }
    }

    fn write_move(&self, _: &Area, mv: Placement, out: &mut dyn fmt::Write) -> fmt::Result {
        self.write_placement(mv, out)
    }

    fn read_move(&self, area: &Area, text: &str) -> Result<Placement, TextError> {
        let bytes = text.as_bytes();
        let cell_at = |at: usize| {
            let column = bytes.get(at).map(|symbol| usize::from(symbol.wrapping_sub(b'a')));
            let column = column.filter(|&column| column < self.columns());
            let row = bytes.get(at + 1).map(|symbol| usize::from(symbol.wrapping_sub(b'1')));
            let row = row.filter(|&row| row < self.rows());
            let column = column.ok_or(TextError::new(at, "a column of the board, from a on"))?;
            Ok(row.ok_or(TextError::new(at + 1, "a row of the board, from 1 on"))? * self.columns() + column)
        };
        let cell = cell_at(0)?;
        let mut captured = 0u32;
        if bytes.len() > 2 {
            if bytes[2] != b'x' {
                return Err(TextError::new(2, "x and the captured cells, or nothing"));
            }
            let mut at = 3;
            while at < bytes.len() || captured == 0 {
                let other = cell_at(at)?;
                if captured >> other != 0 {
                    return Err(TextError::new(at, "the captured cells, row by row"));
                }
                captured |= 1 << other;
                at += 2;
            }
        }
        let here = || self.moves(area).filter(|mv| mv.cell() == cell);
        if let Some(mv) = here().find(|&mv| self.captured(mv) == captured) {
            return Ok(mv);
        }
        Err(match here().next() {
            None => TextError::new(0, "an empty cell"),
            Some(mv) if mv.choice() == 0 => TextError::new(2, "no capture: there is none at this cell"),
            Some(_) if captured == 0 => {
                TextError::new(2, "x and the captured cells: a capture must be taken where there is one")
            }
            Some(_) => TextError::new(3, "at least two dice beside the cell, of at most six pips together"),
        })
    }
}
