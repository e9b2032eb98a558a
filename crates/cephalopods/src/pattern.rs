//! Boards by pattern. A pattern is a set of occupied cells, up to symmetry.
//!
//! All boards of a pattern have the same candidate moves, and a move leads all of them to the same pattern. Only the pips
//! differ, so a kernel can move many boards at once.
//!
//! Within a pattern and a total number of pips, a board is one small number, its *index*: the pips of all dice except the
//! first, in base 6. The first die has the rest of the pips.
//!
//! ```text
//! pattern      board        dice a b c d, 12 pips in all
//!  d . c       4 . 1
//!  . b .       . 2 .        index = (b - 1) + 6 * (c - 1) + 36 * (d - 1) = 1 + 6 * 0 + 36 * 3 = 109
//!  a . .       5 . .
//! ```
//!
//! The index of a child is a weighted sum of the parent's pips, and the weights depend only on the pattern and the move. If
//! several symmetries map the child to its pattern, there is one sum for each of them; the smallest is the index.
//!
//! Boards with eight dice have no pattern. Only a placement on a board with seven dice leads to one, and the next move is on
//! the only empty cell. The two moves form one *double* move of the board with seven dice.

use crate::Board;
use grid::{Cell, CellSet, Sym};

/// Number of patterns with at most seven dice.
pub const PATTERNS: usize = 98;
/// Maximum number of dice in a pattern.
pub const MOST_DICE: usize = 7;
/// Exclusive upper bound on an index. A table of this size needs no bounds check.
pub const INDICES: usize = 1 << 16;
/// Maximum number of levels that a move rises by: a double move that captures four dice. The level is twice the pips less
/// the dice.
pub const MOST_LEVELS: usize = 4;

const CHANGES: usize = 864;
const IMAGES: usize = 1490;

/// The weight of each column's die in an index.
const WEIGHTS: [u16; MOST_DICE] = [0, 1, 6, 36, 216, 1296, 7776];

/// A pattern: which cells have dice.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// Number of dice.
    pub dice: u8,
    /// The occupied cells in descending order, then the empty cells in ascending order. A column is an index into this list.
    cells: [u8; 9],
    /// Offset of its indices in the joint numbering of all patterns with an odd or an even number of dice, like its own.
    pub first: u32,
    /// Start of the moves, start of the double moves, end of the double moves.
    changes: [u16; 3],
}

impl Pattern {
    /// The number of the pattern with these occupied cells, at most seven.
    #[inline]
    #[must_use]
    pub const fn of(occupied: CellSet) -> usize {
        GENERATED.of_set[occupied.index()] as usize
    }

    /// The occupied cells.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> &[u8] {
        &self.cells[..usize::from(self.dice)]
    }

    /// The empty cells.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> &[u8] {
        &self.cells[usize::from(self.dice)..]
    }

    /// Number of different indices of this pattern.
    #[must_use]
    pub const fn indices(&self) -> usize {
        6usize.pow((self.dice as u32).saturating_sub(1))
    }

    /// The board with an index and a total number of pips; `None` if there is none.
    #[must_use]
    pub fn board(&self, index: u16, pips: u32) -> Option<Board> {
        let mut cells = [0; 9];
        let (mut rest, mut left) = (u32::from(index), pips);
        for &cell in self.occupied().iter().skip(1) {
            cells[usize::from(cell)] = (rest % 6 + 1) as u8;
            left = left.checked_sub(rest % 6 + 1)?;
            rest /= 6;
        }
        match self.occupied().first() {
            Some(&cell) if left > 0 => cells[usize::from(cell)] = u8::try_from(left).ok()?,
            None if left == 0 => {}
            _ => return None,
        }
        Board::from_cells(cells).filter(|_| rest == 0)
    }

    /// For each empty cell its captures, then its placement. On a board with seven dice a placement has no images.
    #[inline]
    #[must_use]
    pub fn moves(&self) -> &'static [Change] {
        &GENERATED.changes[usize::from(self.changes[0])..usize::from(self.changes[1])]
    }

    /// For a board with seven dice: a placement followed by a capture on the remaining empty cell.
    #[inline]
    #[must_use]
    pub fn doubles(&self) -> &'static [Change] {
        &GENERATED.changes[usize::from(self.changes[1])..usize::from(self.changes[2])]
    }
}

/// The canonical form of a board with at most seven dice: pattern and index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PatternPlace {
    /// The number of the pattern.
    pub pattern: usize,
    /// The smallest index of all images that occupy the cells of the pattern.
    pub index: u16,
    /// The symmetry that maps the board to that image.
    pub sym: Sym,
}

impl PatternPlace {
    /// The place of a board; `None` if it has more than seven dice.
    #[must_use]
    pub fn of(board: Board) -> Option<Self> {
        let number = Pattern::of(board.occupied());
        let pattern = ALL.get(number)?;
        let index = |sym: &Sym| {
            let cells = board.map(*sym).cells();
            let pips = pattern.occupied().iter().map(|&cell| u16::from(cells[usize::from(cell)]));
            let digits = pips.map(|pips| pips.checked_sub(1)).zip(WEIGHTS);
            digits.map(|(digit, weight)| digit.map(|digit| digit * weight)).sum::<Option<u16>>()
        };
        let images = Sym::ALL.iter().filter_map(|sym| Some((index(sym)?, *sym)));
        images.min_by_key(|(index, _)| *index).map(|(index, sym)| Self { pattern: number, index, sym })
    }
}

/// A move, for all boards of a pattern.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    taken: [u8; 4],
    count: u8,
    /// Maximum sum of the captured pips: 6, or 5 if a die placed just before, which shows 1, is captured too.
    pub limit: u8,
    /// The cell of the new die, as an index into the empty cells.
    pub cell: u8,
    /// Number of captured dice minus two.
    pub extra: u8,
    /// By how much the level (twice the pips less the dice) rises.
    pub levels: u8,
    /// The pattern it leads to.
    pub to: u8,
    images: [u16; 2],
}

impl Change {
    /// The columns of the captured dice; empty for a placement. A die placed by the same double move is not listed.
    #[inline(always)]
    #[must_use]
    pub fn taken(&self) -> &[u8] {
        debug_assert!(self.count <= 4);
        &self.taken[..usize::from(self.count) % 5]
    }

    /// Whether it is a double move: a placement and a capture.
    #[inline(always)]
    #[must_use]
    pub const fn is_double(&self) -> bool {
        self.levels == self.extra + 2
    }

    /// Whether a double move also captures the die that it placed.
    #[inline(always)]
    #[must_use]
    pub const fn takes_the_first(&self) -> bool {
        self.limit == 5
    }

    /// The symmetries that map the child to its pattern, with their weights.
    #[inline(always)]
    #[must_use]
    pub fn images(&self) -> &'static [Image] {
        &GENERATED.images[usize::from(self.images[0])..usize::from(self.images[1])]
    }
}

/// A symmetry that maps a child to its pattern. The index is then `constant + sum of weights * pips`, modulo 2^16.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    /// The index of the symmetry.
    pub sym: u8,
    /// The weights, by column of the parent.
    pub weights: [u16; MOST_DICE],
    /// Accounts for placed dice, and for pips that start at one.
    pub constant: u16,
}

struct Generated {
    patterns: [Pattern; PATTERNS],
    of_set: [u8; 512],
    changes: [Change; CHANGES],
    images: [Image; IMAGES],
}

/// All patterns, ordered by number of dice. The first is the empty board.
pub static ALL: [Pattern; PATTERNS] = GENERATED.patterns;

/// Number of indices of all patterns with an even and with an odd number of dice. Each pattern has one spare index.
pub const SPACE: [usize; 2] = {
    let (mut space, mut at) = ([0; 2], 0);
    while at < PATTERNS {
        let pattern = &GENERATED.patterns[at];
        space[pattern.dice as usize & 1] += pattern.indices() + 1;
        at += 1;
    }
    space
};

static GENERATED: Generated = generate();

const fn generate() -> Generated {
    const NO_PATTERN: Pattern = Pattern { dice: 0, cells: [0; 9], first: 0, changes: [0; 3] };
    const NO_IMAGE: Image = Image { sym: 0, weights: [0; MOST_DICE], constant: 0 };
    const NO_CHANGE: Change =
        Change { taken: [0; 4], count: 0, limit: 6, cell: 0, extra: 0, levels: 1, to: 0, images: [0; 2] };
    let mut made = Generated {
        patterns: [NO_PATTERN; PATTERNS],
        of_set: [u8::MAX; 512],
        changes: [NO_CHANGE; CHANGES],
        images: [NO_IMAGE; IMAGES],
    };
    let (mut patterns, mut first) = (0, [0; 2]);
    let mut dice = 0;
    while dice <= MOST_DICE {
        let mut bits = 0;
        while bits < 512 {
            let set = CellSet::from_bits(bits);
            if set.len() == dice && made.of_set[bits as usize] == u8::MAX {
                let mut sym = 0;
                while sym < 8 {
                    made.of_set[Sym::ALL[sym].set(set).index()] = patterns as u8;
                    sym += 1;
                }
                made.patterns[patterns] =
                    Pattern { dice: dice as u8, cells: cells(set), first: first[dice & 1], changes: [0; 3] };
                first[dice & 1] += made.patterns[patterns].indices() as u32 + 1;
                patterns += 1;
            }
            bits += 1;
        }
        dice += 1;
    }
    assert!(patterns == PATTERNS);
    let (mut maker, mut at) = (Maker { made, changes: 0, images: 0 }, 0);
    while at < PATTERNS {
        maker.moves(at);
        at += 1;
    }
    assert!(maker.changes == CHANGES && maker.images == IMAGES);
    maker.made
}

/// The cells of a set in descending order, then the other cells in ascending order.
///
/// This order puts more boards of a search into the same cache line: in official test 11 of the contest 3.4 boards per line,
/// against 2.7 in ascending order.
const fn cells(set: CellSet) -> [u8; 9] {
    let (mut cells, mut dice, mut empty) = ([0; 9], set.len(), set.len());
    let mut cell = 0;
    while cell < 9 {
        if set.contains(Cell::ALL[cell]) {
            dice -= 1;
            cells[dice] = cell as u8;
        } else {
            cells[empty] = cell as u8;
            empty += 1;
        }
        cell += 1;
    }
    cells
}

/// The column of a cell.
const fn column(cells: &[u8; 9], cell: usize) -> usize {
    let mut column = 0;
    while cells[column] as usize != cell {
        column += 1;
    }
    column
}

struct Maker {
    made: Generated,
    changes: usize,
    images: usize,
}

impl Maker {
    const fn moves(&mut self, number: usize) {
        let Pattern { dice, cells, .. } = self.made.patterns[number];
        let dice = dice as usize;
        let mut set = CellSet::EMPTY;
        let mut at = 0;
        while at < dice {
            set = set.with(Cell::ALL[cells[at] as usize]);
            at += 1;
        }
        let start = self.changes;
        let mut empty = dice;
        while empty < 9 {
            self.captures(&cells, dice, set, None, empty);
            self.placement(&cells, dice, set, empty);
            empty += 1;
        }
        let doubles = self.changes;
        if dice == MOST_DICE {
            self.captures(&cells, dice, set, Some(7), 8);
            self.captures(&cells, dice, set, Some(8), 7);
        }
        self.made.patterns[number].changes = [start as u16, doubles as u16, self.changes as u16];
    }

    /// The captures on an empty cell, optionally after a placement on another.
    const fn captures(&mut self, cells: &[u8; 9], dice: usize, set: CellSet, first: Option<usize>, empty: usize) {
        let on = Cell::ALL[cells[empty] as usize];
        let before = match first {
            Some(first) => set.with(Cell::ALL[cells[first] as usize]),
            None => set,
        };
        let mut choice = 0;
        while choice < 512 {
            let taken = CellSet::from_bits(choice);
            choice += 1;
            if taken.len() < 2 || !taken.is_within(before) || !taken.is_within(CellSet::beside(on)) {
                continue;
            }
            let mut change = Change {
                taken: [0; 4],
                count: 0,
                limit: 6,
                cell: (empty - dice) as u8,
                extra: taken.len() as u8 - 2,
                levels: taken.len() as u8 - 1 + first.is_some() as u8,
                to: 0,
                images: [0; 2],
            };
            let mut column = 0;
            while column < dice {
                if taken.contains(Cell::ALL[cells[column] as usize]) {
                    change.taken[change.count as usize] = column as u8;
                    change.count += 1;
                }
                column += 1;
            }
            if let Some(first) = first
                && taken.contains(Cell::ALL[cells[first] as usize])
            {
                change.limit = 5;
            }
            let left = CellSet::from_bits(before.bits() & !taken.bits());
            self.push(change, left.with(on), cells, dice, taken, first, empty);
        }
    }

    const fn placement(&mut self, cells: &[u8; 9], dice: usize, set: CellSet, empty: usize) {
        let change = Change {
            taken: [0; 4],
            count: 0,
            limit: 6,
            cell: (empty - dice) as u8,
            extra: 0,
            levels: 1,
            to: 0,
            images: [self.images as u16; 2],
        };
        if dice == MOST_DICE {
            self.made.changes[self.changes] = change;
            self.changes += 1;
        } else {
            let after = set.with(Cell::ALL[cells[empty] as usize]);
            self.push(change, after, cells, dice, CellSet::EMPTY, Some(empty), empty);
        }
    }

    /// Adds a change that leads to a board with dice on `after`, with all its images. The pips of `taken` move to the cell
    /// `empty`, and a one is placed on `first`.
    #[allow(clippy::too_many_arguments, reason = "called at compile time, once for each kind of move")]
    const fn push(
        &mut self,
        mut change: Change,
        after: CellSet,
        cells: &[u8; 9],
        dice: usize,
        taken: CellSet,
        first: Option<usize>,
        empty: usize,
    ) {
        change.to = self.made.of_set[after.index()];
        change.images[0] = self.images as u16;
        let to = self.made.patterns[change.to as usize];
        let mut sym = 0;
        while sym < 8 {
            let sym_now = Sym::ALL[sym];
            sym += 1;
            if !fits(sym_now, after, &to) {
                continue;
            }
            let mut image = Image { sym: sym_now.index() as u8, weights: [0; MOST_DICE], constant: 0 };
            let mut at = 0;
            while at < dice {
                image.weights[at] = weight(cells, at, taken, empty, sym_now, &to);
                at += 1;
            }
            if let Some(first) = first {
                image.constant = weight(cells, first, taken, empty, sym_now, &to);
            }
            let mut column = 1;
            while column < to.dice as usize {
                image.constant = image.constant.wrapping_sub(WEIGHTS[column]);
                column += 1;
            }
            self.made.images[self.images] = image;
            self.images += 1;
        }
        change.images[1] = self.images as u16;
        self.made.changes[self.changes] = change;
        self.changes += 1;
    }
}

/// Whether a symmetry maps a set to the cells of a pattern.
const fn fits(sym: Sym, set: CellSet, to: &Pattern) -> bool {
    let image = sym.set(set);
    let mut at = 0;
    while at < to.dice as usize {
        if !image.contains(Cell::ALL[to.cells[at] as usize]) {
            return false;
        }
        at += 1;
    }
    true
}

/// The weight of the pips of a cell in the child: they stay, or move to the cell `empty` if they are captured.
const fn weight(cells: &[u8; 9], at: usize, taken: CellSet, empty: usize, sym: Sym, to: &Pattern) -> u16 {
    let cell = Cell::ALL[cells[at] as usize];
    let now = if taken.contains(cell) { Cell::ALL[cells[empty] as usize] } else { cell };
    WEIGHTS[column(&to.cells, sym.cell(now).index())]
}
