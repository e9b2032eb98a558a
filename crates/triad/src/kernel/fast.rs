//! The board of the rules: one bit for the card on each cell, captures by the tables of the deal.
//!
//! ```text
//! flips      = (above & beats.up | right & beats.right | below & beats.down | left & beats.left) & enemy
//! own        = own ^ flips                         above, right, below, left: slots at fixed distances from the cell's slot
//!
//! neighbours = above | right << 16 | below << 32 | left << 48            the same as one word, for Same and Plus
//! ```
//!
//! There is no comparison and no branch. A move changes one slot and `own`. A search keeps `own` in a register and undoes a
//! move by clearing the slot. With the border around the cells, one lookup gives all four neighbours: 237 -> 350 million
//! placements per second against nine cells with a table of four neighbours each (`bench/LOG.md`).
//!
//! Measured, instructions per card (`triad/place(tables)` in `bench/counts.txt`): 32.57 scalar and sse2, 30.47 v2, 29.13 v3. The
//! plain board needs 100.70.

use crate::Deal;
use crate::moves::Move;
use crate::position::{ALL_CARDS, Position};
use crate::rules::{Rule, Rules};
use crate::tables::{BORDER, Level, Sums, Tables};
use grid::{Cell, Direction, Player};

/// Where the window of a cell begins: the slot above it. The other three neighbours are at fixed distances from there.
const WINDOW: [u8; 16] = {
    let mut table = [0; 16];
    let mut cell = 0;
    while cell < 9 {
        table[cell] = (4 * (cell / 3) + cell % 3 + 1) as u8;
        cell += 1;
    }
    table
};

/// Index of each neighbour in the window, by direction, and of the cell itself.
const AROUND: [usize; 4] = [0, 5, 8, 3];
const MIDDLE: usize = 4;

const RIGHT_LANE: u64 = 0xffff << (16 * Direction::Right as u32);

/// Which rules besides the basic one capture cards. Read once per search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Special {
    same: bool,
    plus: bool,
    one_sum: bool,
    combo: bool,
    basic_chains: bool,
}

impl Special {
    /// The special rules of a deal.
    #[must_use]
    pub fn of(deal: &Deal) -> Self {
        Self::new(deal.setup().rules)
    }

    /// The special ones among the rules.
    #[must_use]
    pub const fn new(rules: Rules) -> Self {
        Self {
            same: rules.has(Rule::Same),
            plus: rules.has(Rule::Plus),
            one_sum: rules.has(Rule::PlusOneSum),
            combo: rules.has(Rule::Combo),
            basic_chains: rules.has(Rule::BasicChains),
        }
    }
}

/// The cards on the board, with a border around them so that every cell has four neighbours at fixed distances.
///
/// ```text
/// slots  .  b  b  b      one bit for the card on the cell, 0 for an empty cell
///        b  0  1  2      b: bit 15, the border; the right border of a row is the left border of the next row
///        b  3  4  5
///        b  6  7  8
///        b  b  b  b
///
/// cell_of[c]   the cell of card c, if it is on the board
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Board {
    slots: [u16; 24],
    cell_of: [u8; 16],
}

const _: () = assert!(size_of::<Board>() == 64);

impl Board {
    /// The board of a position.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        Self::of(|cell| position.card_at(cell))
    }

    /// The board with the card on each cell.
    #[inline(always)]
    #[must_use]
    pub fn of(card_at: impl Fn(Cell) -> Option<u8>) -> Self {
        let mut board = Self { slots: [BORDER as u16; 24], cell_of: [0; 16] };
        for cell in Cell::ALL {
            match card_at(cell) {
                Some(card) => board.lay(Move::new(card, cell)),
                None => board.lift(Move::new(0, cell)),
            }
        }
        board
    }

    /// Puts a card on an empty cell. The caller keeps `own` and makes the captures.
    #[inline(always)]
    pub fn lay(&mut self, mv: Move) {
        let (card, cell) = (mv.bits() >> 4, mv.bits() & 15);
        self.slots[slot(cell)] = 1 << card;
        self.cell_of[usize::from(card)] = cell;
    }

    /// Undoes [`lay`](Self::lay).
    #[inline(always)]
    pub fn lift(&mut self, mv: Move) {
        self.slots[slot(mv.bits() & 15)] = 0;
    }

    /// The neighbours of a cell, one lane each.
    #[inline(always)]
    #[must_use]
    pub fn neighbours(&self, cell: Cell) -> u64 {
        self.around(cell.index())
    }

    #[inline(always)]
    fn around(&self, cell: usize) -> u64 {
        let window = self.window(cell);
        let lane = |direction: usize| u64::from(window[AROUND[direction]]) << (16 * direction);
        lane(0) | lane(1) | lane(2) | lane(3)
    }

    #[inline(always)]
    fn window(&self, cell: usize) -> &[u16] {
        debug_assert!(cell < 9);
        let from = usize::from(WINDOW[cell & 15] & 15);
        &self.slots[from..from + 9]
    }
}

/// The slot of a cell.
#[inline(always)]
const fn slot(cell: u8) -> usize {
    debug_assert!(cell < 9);
    (WINDOW[(cell & 15) as usize] & 15) as usize + MIDDLE
}

/// The union of the four lanes.
#[inline(always)]
#[must_use]
pub const fn fold(lanes: u64) -> u16 {
    let half = lanes | lanes >> 32;
    (half | half >> 16) as u16
}

/// Whether at least two bits are set. Not by `count_ones`: code shared by all levels is compiled for the weakest, which has
/// no popcnt.
#[inline(always)]
const fn has_two(bits: u64) -> bool {
    bits & bits.wrapping_sub(1) != 0
}

/// The opponent's cards, including those in his hand, if A owns `own`.
#[inline(always)]
#[must_use]
pub const fn enemy(own: u16, mover: Player) -> u16 {
    match mover {
        Player::First => own ^ ALL_CARDS,
        Player::Second => own,
    }
}

/// The tables of a deal for one state of the counters of Ascension and Descension.
#[derive(Clone, Copy, Debug)]
pub struct Rank<'a> {
    level: &'a Level,
    sums: &'a Sums,
}

static NO_SUMS: Sums = [0; 1024];

impl<'a> Rank<'a> {
    /// The tables of a level.
    #[inline(always)]
    #[must_use]
    pub fn new(deal: &'a Deal, level: u8) -> Self {
        Self::of(deal.tables(), level.into())
    }

    /// The same from the tables of any cards.
    #[inline(always)]
    #[must_use]
    pub fn of(tables: &'a Tables, level: u16) -> Self {
        let level = usize::from(level);
        debug_assert!(tables.sums.is_empty() || tables.sums.len() == tables.levels.len());
        Self { level: &tables.levels[level], sums: tables.sums.get(level).unwrap_or(&NO_SUMS) }
    }

    /// Same as [`takes`](Self::takes), with the neighbours of the cell given.
    #[inline(always)]
    fn basic(&self, mv: Move, neighbours: u64, enemy: u16) -> u16 {
        fold(self.beats(mv) & neighbours) & enemy
    }

    /// The enemy cards that `mv` captures by the basic rule.
    #[inline(always)]
    #[must_use]
    pub fn takes(&self, board: &Board, mv: Move, enemy: u16) -> u16 {
        let window = board.window(usize::from(mv.bits() & 15));
        let beats = &self.level.beats[usize::from(mv.bits())];
        let lane = |direction: usize| (beats >> (16 * direction)) as u16 & window[AROUND[direction]];
        (lane(0) | lane(1) | lane(2) | lane(3)) & enemy
    }

    /// The cards that `mv` would capture by the basic rule as neighbours, one lane per direction.
    #[inline(always)]
    #[must_use]
    pub fn beats(&self, mv: Move) -> u64 {
        self.level.beats[usize::from(mv.bits())]
    }

    /// The cards that `mv` captures under all rules. The card need not be on the board yet.
    #[inline(always)]
    #[must_use]
    pub fn flips(&self, special: Special, board: &Board, mv: Move, neighbours: u64, enemy: u16) -> u16 {
        let basic = self.basic(mv, neighbours, enemy);
        let mut caught = 0;
        let card = usize::from(mv.bits() >> 4);
        if special.same && has_two(self.level.same[card] & neighbours) {
            caught = fold(self.level.same_takes[card] & neighbours) & enemy;
        }
        if special.plus {
            caught |= fold(self.plus(special, card, neighbours)) & enemy;
        }
        if caught == 0 { basic } else { self.combo(special, board, caught, basic, enemy) }
    }

    /// Whether Same or Plus fires for a card among these neighbours, whether or not it captures anything.
    #[must_use]
    pub fn fires(&self, special: Special, card: u8, neighbours: u64) -> bool {
        debug_assert!(card < 15);
        let card = usize::from(card & 15);
        let same = special.same && has_two(self.level.same[card] & neighbours);
        same || special.plus && self.plus(special, card, neighbours) != 0
    }

    /// The neighbours with equal sums: all groups, or under `plus-one-sum` the largest group. Of two pairs, the one without
    /// the right neighbour counts: the game looks up, down, left, right and keeps the first complete pair.
    #[inline(always)]
    fn plus(&self, special: Special, card: usize, neighbours: u64) -> u64 {
        debug_assert!(card < 15);
        let mut groups = 0;
        // Every pair has a member that is not the right neighbour.
        for direction in [Direction::Up, Direction::Down, Direction::Left] {
            let lane = (neighbours >> (16 * direction as u32)) as u16 & !(BORDER as u16);
            // An empty lane reads entry 0, which the test below then skips.
            let other = lane.trailing_zeros() as usize & 15;
            let group = self.sums[(card << 6 | (direction as usize) << 4 | other) & 1023] & neighbours;
            if lane == 0 || !has_two(group) {
                continue;
            }
            if !special.one_sum {
                groups |= group;
            } else if has_two(group & (group - 1)) {
                // Three of four neighbours: no second pair exists.
                return group;
            } else if groups == 0 || group & RIGHT_LANE == 0 {
                groups = group;
            }
        }
        groups
    }

    /// The captures of Same, Plus and the basic rule, and the combo that follows. Captures only grow, so the order of the
    /// attacks does not matter.
    #[inline(never)]
    fn combo(&self, special: Special, board: &Board, caught: u16, basic: u16, enemy: u16) -> u16 {
        let mut taken = caught | basic;
        if !special.combo {
            return taken;
        }
        let mut attackers = if special.basic_chains { taken } else { caught };
        while attackers != 0 {
            let card = attackers.trailing_zeros() as usize & 15;
            attackers &= attackers - 1;
            let cell = usize::from(board.cell_of[card]);
            debug_assert!(card < 15 && cell < 9);
            let hits = self.level.chain[(card << 4 | cell) & 255] & board.around(cell);
            let fresh = fold(hits) & enemy & !taken;
            taken |= fresh;
            attackers |= fresh;
        }
        taken
    }
}
