//! Boards by pattern: which cells have dice, up to symmetry. What the moves of a board can be, and where they lead, is the
//! same for all boards of a pattern but for the pips, so many boards are moved at once.
//!
//! A board of a known pattern and a known number of pips is one small number, its *index*: the pips of its dice but the
//! first, in base 6. The first die has what is left.
//!
//! ```text
//! pattern      board        dice a b c d, 12 pips in all
//!  d . c       4 . 1
//!  . b .       . 2 .        index = (b - 1) + 6 * (c - 1) + 36 * (d - 1) = 1 + 6 * 0 + 36 * 3 = 109
//!  a . .       5 . .
//! ```
//!
//! A child's index is a sum over the parent's dice, each with a weight that the pattern and the move know. A pattern
//! that some symmetries leave as it is has as many sums; the least is the index.
//!
//! Boards of eight dice are no pattern: only a placement on a board of seven leads to one, and the next move is on the
//! one cell left. The two are one *double* move of the board of seven dice.

use crate::Board;
use grid::{Cell, CellSet, Sym};

/// How many patterns there are of at most seven dice.
pub const PATTERNS: usize = 98;
/// The most dice of a pattern.
pub const MOST_DICE: usize = 7;
/// Indices are below this, so that a table of so many entries needs no check.
pub const INDICES: usize = 1 << 16;
/// The levels that a double move of four dice rises by. No move rises by more.
pub const MOST_LEVELS: usize = 4;

const CHANGES: usize = 864;
const IMAGES: usize = 1490;

/// The weight of the die of a column in an index.
const WEIGHTS: [u16; MOST_DICE] = [0, 1, 6, 36, 216, 1296, 7776];

/// The cells that have dice.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// How many dice.
    pub dice: u8,
    /// Their cells from the last to the first, then the empty ones from the first to the last.
    cells: [u8; 9],
    /// Where its indices begin among those of all patterns whose dice are odd or even in number, as its own are.
    pub first: u32,
    /// Where its moves begin, where the double ones begin, and where they end.
    changes: [u16; 3],
}

impl Pattern {
    /// The pattern of a board of at most seven dice, by number.
    #[inline]
    #[must_use]
    pub const fn of(occupied: CellSet) -> usize {
        GENERATED.of_set[occupied.index()] as usize
    }

    /// The cells of the dice.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> &[u8] {
        &self.cells[..usize::from(self.dice)]
    }

    /// The other cells.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> &[u8] {
        &self.cells[usize::from(self.dice)..]
    }

    /// How many indices a board of this pattern can have.
    #[must_use]
    pub const fn indices(&self) -> usize {
        6usize.pow((self.dice as u32).saturating_sub(1))
    }

    /// The board of an index and a number of pips, of which there is one at most.
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

    /// Cell by cell its captures, then its placement, which has no images on a board of seven dice.
    #[inline]
    #[must_use]
    pub fn moves(&self) -> &'static [Change] {
        &GENERATED.changes[usize::from(self.changes[0])..usize::from(self.changes[1])]
    }

    /// For a board of seven dice: a placement and the capture on the one cell left.
    #[inline]
    #[must_use]
    pub fn doubles(&self) -> &'static [Change] {
        &GENERATED.changes[usize::from(self.changes[1])..usize::from(self.changes[2])]
    }
}

/// A board of at most seven dice as its pattern has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The number of the pattern.
    pub pattern: usize,
    /// The least index of all images that have the pattern's cells.
    pub index: u16,
    /// The symmetry that leads there.
    pub sym: Sym,
}

impl Place {
    /// The place of a board, none if it has more than seven dice.
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

/// What a move does to all boards of a pattern.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    taken: [u8; 4],
    count: u8,
    /// The captured dice may show so much together. Of the six pips, one is taken by a die that was placed just before.
    pub limit: u8,
    /// The empty cell that gets the new die, by its number among them.
    pub cell: u8,
    /// How many dice more than two are captured.
    pub extra: u8,
    /// By how much twice the pips less the dice rises.
    pub levels: u8,
    /// The pattern it leads to.
    pub to: u8,
    images: [u16; 2],
}

impl Change {
    /// The captured dice that the board had before, by column: none for a placement.
    #[inline(always)]
    #[must_use]
    pub fn taken(&self) -> &[u8] {
        debug_assert!(self.count <= 4);
        &self.taken[..usize::from(self.count) % 5]
    }

    /// Whether it is two moves, a placement and a capture.
    #[inline(always)]
    #[must_use]
    pub const fn is_double(&self) -> bool {
        self.levels == self.extra + 2
    }

    /// Whether a die placed just before is captured, too.
    #[inline(always)]
    #[must_use]
    pub const fn takes_the_first(&self) -> bool {
        self.limit == 5
    }

    /// The ways to see the child as its pattern.
    #[inline(always)]
    #[must_use]
    pub fn images(&self) -> &'static [Image] {
        &GENERATED.images[usize::from(self.images[0])..usize::from(self.images[1])]
    }
}

/// A way to see a child as its pattern, and what its index is then: `constant + sum of weights * pips`, modulo 2^16.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    /// The number of the symmetry that takes the child there.
    pub sym: u8,
    /// By column of the parent.
    pub weights: [u16; MOST_DICE],
    /// For placed dice, and because pips are counted from one.
    pub constant: u16,
}

struct Generated {
    patterns: [Pattern; PATTERNS],
    of_set: [u8; 512],
    changes: [Change; CHANGES],
    images: [Image; IMAGES],
}

/// All patterns, by dice; the first is the empty board.
pub static ALL: [Pattern; PATTERNS] = GENERATED.patterns;

/// How many indices all patterns of an even and of an odd number of dice have together. Each pattern has one to spare.
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

/// The cells of a set from the last to the first, then the others from the first to the last.
///
/// Of the indices that share a cache line, a search then meets more: official test 11 of the contest has 3.4 boards a line,
/// and 2.7 in ascending order.
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

    /// The captures on an empty cell, perhaps after a placement on another.
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

    /// A change that leads to a board with dice on `after`, with all its images: the dice of `taken` go to the cell
    /// `empty`, and a one is placed on `first`.
    #[allow(clippy::too_many_arguments, reason = "one caller each for the two kinds of move, at compile time")]
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

/// Whether a symmetry takes a set to the cells of a pattern.
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

/// The weight of what was on a cell: it is there still, or was taken to the cell `empty`.
const fn weight(cells: &[u8; 9], at: usize, taken: CellSet, empty: usize, sym: Sym, to: &Pattern) -> u16 {
    let cell = Cell::ALL[cells[at] as usize];
    let now = if taken.contains(cell) { Cell::ALL[cells[empty] as usize] } else { cell };
    WEIGHTS[column(&to.cells, sym.cell(now).index())]
}
