//! The last three cards of a game, line by line, nearly without a board.
//!
//! Under the basic rule a card takes the same cards whoever owns them. So what each card takes from the board is looked up
//! once for each of the three cells, and a line of three cards is a few operations on sets:
//!
//! ```text
//! my card    own | takes          takes: from the board, looked up; from a new card beside it, one bit of the tables
//! his card   own & !takes
//! ```
//!
//! Under Same and Plus this is exact as long as neither rule fires. Whether a rule fires on a cell is looked up once as
//! well, and again where a new card lies beside it. Only where it fires the cards are laid on the board and the full rules
//! decide.
//!
//! It needs ranks that do not change and players who may choose their cards: see `Table::at_once`.

use super::node::{Node, Table};
use grid::{Cell, Direction};
use triad::Move;
use triad::kernel::fast::Rank;

/// The place of a cell among the last three, and the other two.
pub(super) const OTHERS: [(usize, [usize; 2]); 3] = [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])];

/// A card on one of the three cells, by the place of the cell.
#[derive(Clone, Copy)]
pub(super) struct New {
    pub(super) card: u8,
    pub(super) at: usize,
}

/// What the last three cards can take.
pub(super) struct LastThree<'a> {
    rank: Rank<'a>,
    cells: [Cell; 3],
    /// By card and place: what it takes from the board.
    takes: [[u16; 4]; 16],
    /// By place: the cards for which Same or Plus fires.
    fires: [u16; 3],
    /// By place: the neighbours on the board.
    around: [u64; 3],
    /// By two places: the shift of the lane from one to the other; 64 if the cells are not adjacent.
    lane: [[u32; 3]; 3],
    /// The two cards in my hand.
    pub(super) hand: [u8; 2],
}

impl<'a> LastThree<'a> {
    /// For a node with three empty cells.
    #[inline(always)]
    pub(super) fn new<const SPECIAL: bool>(table: &Table<'a, SPECIAL>, node: &Node) -> Self {
        let mut cells = [Cell::CENTRE; 3];
        for (to, cell) in cells.iter_mut().zip(node.free) {
            *to = cell;
        }
        let hand = table.playable(node, true);
        let belief = table.belief(node);
        let mut cards = hand | belief.playable;
        if !table.is_mine(node) {
            // After the first of two equal cards the second can be played.
            for card in bits(belief.playable) {
                cards |= table.beliefs.get(belief.after(card)).playable;
            }
        }
        let rank = table.rank();
        let mut last = Self {
            rank,
            cells,
            takes: [[0; 4]; 16],
            fires: [0; 3],
            around: [0; 3],
            lane: [[64; 3]; 3],
            hand: [hand.trailing_zeros() as u8, (hand & hand.wrapping_sub(1)).trailing_zeros() as u8],
        };
        for (at, cell) in cells.into_iter().enumerate() {
            for (there, other) in cells.into_iter().enumerate() {
                last.lane[at][there] = LANE[cell.index()][other.index()].into();
            }
            for card in bits(cards) {
                last.takes[usize::from(card & 15)][at] = table.takes(&rank, Move::new(card, cell));
            }
            if SPECIAL {
                last.around[at] = table.neighbours(cell);
                last.fires[at] = table.fires(cell);
            }
        }
        last
    }

    /// My cards after the first new card.
    #[inline(always)]
    pub(super) fn first<const SPECIAL: bool>(
        &self,
        table: &Table<'a, SPECIAL>,
        own: u16,
        new: New,
        is_mine: bool,
    ) -> u16 {
        let fires = SPECIAL && self.fires[new.at] >> new.card & 1 != 0;
        let taken = if fires { table.flips_of(&self.rank, self.mv(new), own, is_mine) } else { self.takes(new) };
        after(own, taken, is_mine)
    }

    /// My cards after the second.
    #[inline(always)]
    pub(super) fn second<const SPECIAL: bool>(
        &self,
        table: &mut Table<'a, SPECIAL>,
        own: u16,
        first: New,
        new: New,
        is_mine: bool,
    ) -> u16 {
        let mut fires = false;
        if SPECIAL {
            let lane = self.lane[new.at][first.at];
            fires = if lane == 64 {
                self.fires[new.at] >> new.card & 1 != 0
            } else {
                self.fires_on(table, new, self.around[new.at] | 1 << lane << first.card)
            };
        }
        let taken = if fires {
            table.lay(self.mv(first));
            let taken = table.flips_of(&self.rank, self.mv(new), own, is_mine);
            table.lift(self.mv(first));
            taken
        } else {
            self.takes(new) | self.beats(new, first)
        };
        after(own, taken, is_mine)
    }

    /// My cards after the third.
    #[inline(always)]
    pub(super) fn third<const SPECIAL: bool>(
        &self,
        table: &mut Table<'a, SPECIAL>,
        own: u16,
        [first, second]: [New; 2],
        new: New,
        is_mine: bool,
    ) -> u16 {
        let mut fires = false;
        if SPECIAL {
            let lanes = [self.lane[new.at][first.at], self.lane[new.at][second.at]];
            fires = if lanes == [64; 2] {
                self.fires[new.at] >> new.card & 1 != 0
            } else {
                let beside = |lane: u32, card: u8| 1u64.checked_shl(lane).unwrap_or(0) << card;
                let around = self.around[new.at] | beside(lanes[0], first.card) | beside(lanes[1], second.card);
                self.fires_on(table, new, around)
            };
        }
        let taken = if fires {
            table.lay(self.mv(first));
            table.lay(self.mv(second));
            let taken = table.flips_of(&self.rank, self.mv(new), own, is_mine);
            table.lift(self.mv(second));
            table.lift(self.mv(first));
            taken
        } else {
            self.takes(new) | self.beats(new, first) | self.beats(new, second)
        };
        after(own, taken, is_mine)
    }

    #[inline(always)]
    fn fires_on<const SPECIAL: bool>(&self, table: &Table<'a, SPECIAL>, new: New, around: u64) -> bool {
        table.deal.firing().is_none_or(|firing| firing.cards(around) >> new.card & 1 != 0)
    }

    #[inline(always)]
    fn mv(&self, new: New) -> Move {
        Move::new(new.card, self.cells[new.at])
    }

    #[inline(always)]
    fn takes(&self, new: New) -> u16 {
        self.takes[usize::from(new.card & 15)][new.at]
    }

    /// The bit of a new card if another one takes it.
    #[inline(always)]
    fn beats(&self, new: New, other: New) -> u16 {
        let row = self.rank.beats(self.mv(new));
        row.checked_shr(self.lane[new.at][other.at]).unwrap_or(0) as u16 & 1 << other.card
    }
}

#[inline(always)]
fn after(own: u16, taken: u16, is_mine: bool) -> u16 {
    if is_mine { own | taken } else { own & !taken }
}

/// The cards of a set.
#[inline(always)]
pub(super) fn bits(mut cards: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let card = cards.trailing_zeros() as u8;
        cards &= cards.wrapping_sub(1);
        (card < 16).then_some(card)
    })
}

/// By two cells: the shift of the lane from one to the other; 64 if they are not adjacent.
const LANE: [[u8; 9]; 9] = {
    let mut table = [[64; 9]; 9];
    let mut cell = 0;
    while cell < 9 {
        let mut direction = 0;
        while direction < 4 {
            if let Some(there) = Cell::ALL[cell].neighbour(Direction::ALL[direction]) {
                table[cell][there.index()] = 16 * direction as u8;
            }
            direction += 1;
        }
        cell += 1;
    }
    table
};
