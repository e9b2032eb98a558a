//! The board for search: one bit for the card on each cell, captures by the tables of the deal.
//!
//! ```text
//! neighbours = cells[up] | cells[right] << 16 | cells[down] << 32 | cells[left] << 48      4 loads
//! hits       = beats[card, cell] & neighbours                                             1 load
//! flips      = (hits folded to ten bits) & enemy
//! own        = own ^ flips
//! ```
//!
//! Nothing is compared and nothing branches. Only `own` changes besides the one cell, so a search keeps it in a register
//! and takes a move back by clearing the cell.

use crate::Deal;
use crate::moves::Move;
use crate::position::{ALL_CARDS, Position};
use crate::rules::Rule;
use crate::tables::{BORDER, Level, Sums};
use grid::{Cell, Direction, Player};

/// The neighbours of each cell; 9 is the border.
const AROUND: [[u8; 4]; 16] = {
    let mut table = [[9; 4]; 16];
    let mut cell = 0;
    while cell < 9 {
        let mut direction = 0;
        while direction < 4 {
            let slot = grid::BORDERED[cell][direction];
            table[cell][direction] = if slot < 9 { slot } else { 9 };
            direction += 1;
        }
        cell += 1;
    }
    table
};

const RIGHT_LANE: u64 = 0xffff << (16 * Direction::Right as u32);

/// Which rules beside the basic one take cards, decided once for a whole search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Special {
    same: bool,
    plus: bool,
    one_sum: bool,
    combo: bool,
    basic_chains: bool,
}

impl Special {
    /// Those of a deal.
    #[must_use]
    pub fn of(deal: &Deal) -> Self {
        let rules = deal.setup().rules;
        Self {
            same: rules.has(Rule::Same),
            plus: rules.has(Rule::Plus),
            one_sum: rules.has(Rule::PlusOneSum),
            combo: rules.has(Rule::Combo),
            basic_chains: rules.has(Rule::BasicChains),
        }
    }
}

/// The cards as they lie.
///
/// ```text
/// cells[0..9]  one bit for the card on the cell, 0 where nothing lies;  cells[9] bit 10, the border
/// cell_of[c]   where card c lies, if it does
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Board {
    cells: [u16; 16],
    cell_of: [u8; 16],
}

const _: () = assert!(size_of::<Board>() == 48);

impl Board {
    /// The board of a position.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let mut board = Self { cells: [0; 16], cell_of: [0; 16] };
        board.cells[9] = BORDER as u16;
        for cell in Cell::ALL {
            if let Some(card) = position.card_at(cell) {
                board.lay(Move::new(card, cell));
            }
        }
        board
    }

    /// Lays a card on a free cell; captures are the caller's, who keeps `own`.
    #[inline(always)]
    pub fn lay(&mut self, mv: Move) {
        let (card, cell) = (mv.bits() >> 4, mv.bits() & 15);
        self.cells[usize::from(cell)] = 1 << card;
        self.cell_of[usize::from(card)] = cell;
    }

    /// Takes the card of a move away again.
    #[inline(always)]
    pub fn lift(&mut self, mv: Move) {
        self.cells[usize::from(mv.bits() & 15)] = 0;
    }

    /// The neighbours of a cell, a lane each.
    #[inline(always)]
    #[must_use]
    pub fn neighbours(&self, cell: Cell) -> u64 {
        self.around(cell.index())
    }

    #[inline(always)]
    fn around(&self, cell: usize) -> u64 {
        let at = AROUND[cell & 15];
        let lane = |direction: usize| u64::from(self.cells[(at[direction] & 15) as usize]);
        lane(0) | lane(1) << 16 | lane(2) << 32 | lane(3) << 48
    }
}

/// The four lanes together.
#[inline(always)]
#[must_use]
pub const fn fold(lanes: u64) -> u16 {
    let half = lanes | lanes >> 32;
    (half | half >> 16) as u16
}

/// Whether at least two bits are set. Not by counting them: what is called from many levels is compiled for the least.
#[inline(always)]
const fn has_two(bits: u64) -> bool {
    bits & bits.wrapping_sub(1) != 0
}

/// The enemy's cards, those in his hand included, when A owns `own`.
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
    /// The tables at a level.
    #[inline(always)]
    #[must_use]
    pub fn new(deal: &'a Deal, level: u8) -> Self {
        let tables = deal.tables();
        let level = usize::from(level);
        Self { level: &tables.levels[level], sums: tables.sums.get(level).unwrap_or(&NO_SUMS) }
    }

    /// The cards that `mv` takes by the basic rule from the enemy's, given the neighbours of its cell.
    #[inline(always)]
    #[must_use]
    pub fn basic(&self, mv: Move, neighbours: u64, enemy: u16) -> u16 {
        fold(self.beats(mv) & neighbours) & enemy
    }

    /// The neighbours that `mv` takes by the basic rule if they are there, a lane each.
    #[inline(always)]
    #[must_use]
    pub fn beats(&self, mv: Move) -> u64 {
        self.level.beats[usize::from(mv.bits())]
    }

    /// The cards that `mv` takes under all rules. The card need not lie on the board yet.
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

    /// Whether Same or Plus fires for a card among these neighbours, whatever they then take.
    #[must_use]
    pub fn fires(&self, special: Special, card: u8, neighbours: u64) -> bool {
        let card = usize::from(card & 15);
        let same = special.same && has_two(self.level.same[card] & neighbours);
        same || special.plus && self.plus(special, card, neighbours) != 0
    }

    /// The neighbours with equal sums: all groups, or under `plus-one-sum` the largest; of two pairs that is the one
    /// without the card to the right, for the game looks up, down, left, right and keeps the first to be complete.
    #[inline(always)]
    fn plus(&self, special: Special, card: usize, neighbours: u64) -> u64 {
        let mut groups = 0;
        // Every pair has a member that is not the one to the right.
        for direction in [Direction::Up, Direction::Down, Direction::Left] {
            let lane = (neighbours >> (16 * direction as u32)) as u16 & ALL_CARDS;
            let other = lane.trailing_zeros() as usize & 15;
            let group = self.sums[(card << 6 | (direction as usize) << 4 | other) & 1023] & neighbours;
            if lane == 0 || !has_two(group) {
                continue;
            }
            if !special.one_sum {
                groups |= group;
            } else if has_two(group & (group - 1)) {
                // Three of four: no other pair is left.
                return group;
            } else if groups == 0 || group & RIGHT_LANE == 0 {
                groups = group;
            }
        }
        groups
    }

    /// What Same or Plus caught, what the basic rule took, and what those take in turn. Captures only grow, so the order
    /// in which cards attack does not matter.
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
            let hits = self.level.chain[(card << 4 | cell) & 255] & board.around(cell);
            let fresh = fold(hits) & enemy & !taken;
            taken |= fresh;
            attackers |= fresh;
        }
        taken
    }
}
