//! The exact search of an open deal: can the mover still own `target` cards at the end?
//!
//! Alpha-beta with a window of one card. Values are cards owned by the mover of the position, 0 to 10; the other player
//! has the rest, so one player's `at least t` is the other's `at most 10 - t`. The answer is fail-soft: at least
//! `target` means that much is certain to be reached, less means that no more can be.
//!
//! What makes it quick (attempts and figures in `bench/LOG.md`):
//! - moves in order of cards taken, less the ways in which the laid card can be taken back;
//! - under the basic rule alone a capture does not depend on who owns what, so a card on the board that no card left in
//!   the other hand can take is *safe*, and safe cards bound the value;
//! - a small table of exact keys, that fits the cache of a core: a large one costs more than it saves;
//! - the last two cards are counted without a call.

use super::captures::Captures;
use fearless_simd_macros::simd;
use grid::simd::{Simd, fearless_simd};
use grid::{Cell, CellSet, Direction, Player};
use triad::kernel::fast::Rank;
use triad::{Deal, Move, Position};

const ALL: u16 = 0x3ff;
const HAND_OF_A: u16 = 0x01f;
const HAND_OF_B: u16 = 0x3e0;

/// One word: the key, and what is known of the value.
///
/// ```text
/// bits  0..46  cells and the mover's cards    46..50  at least    50..54  at most    54..62  the best move
/// ```
#[derive(Clone, Copy)]
struct Entry(u64);

const KEY: u64 = (1 << 46) - 1;

impl Entry {
    const NONE: Self = Self(0);

    #[inline(always)]
    const fn new(key: u64, low: i32, high: i32, best: u8) -> Self {
        Self(key | (low as u64) << 46 | (high as u64) << 50 | (best as u64) << 54)
    }

    #[inline(always)]
    const fn low(self) -> i32 {
        (self.0 >> 46 & 15) as i32
    }

    #[inline(always)]
    const fn high(self) -> i32 {
        (self.0 >> 50 & 15) as i32
    }

    #[inline(always)]
    const fn best(self) -> u8 {
        (self.0 >> 54) as u8
    }
}

/// How large the table is: 2^15 words, 256 KiB.
const TABLE_BITS: u32 = 15;

/// Positions with fewer empty cells than this are not kept in the table.
const KEPT_LEFT: u32 = 4;

/// The table and the counters of a solver; made once, used for many deals.
pub(super) struct Memory {
    table: Box<[Entry]>,
    pub(super) nodes: u64,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self { table: vec![Entry::NONE; 1 << TABLE_BITS].into_boxed_slice(), nodes: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.table.fill(Entry::NONE);
    }
}

/// What a node is asked: everything that changes from ply to ply.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// Empty cells.
    left: u32,
    /// The cards the mover owns, his hand included.
    mine: u16,
    /// The cards nobody has laid yet.
    unlaid: u16,
    free: CellSet,
    level: u8,
    /// The cells of the position, four bits each.
    cells: u64,
}

impl Node {
    pub(super) fn new(deal: &Deal, position: &Position) -> Self {
        let mover = deal.turn(position);
        let own = position.own();
        Self {
            left: position.free().len() as u32,
            mine: if mover == Player::First { own } else { own ^ ALL },
            unlaid: ALL & !position.lying(),
            free: position.free(),
            level: deal.level(position),
            cells: position.bits() & 0xf_ffff_ffff,
        }
    }

    #[inline(always)]
    fn after(self, mv: Move, flips: u16, step: u8) -> Self {
        let cell = mv.bits() & 15;
        Self {
            left: self.left - 1,
            mine: ALL ^ (self.mine | flips),
            unlaid: self.unlaid & !(1 << (mv.bits() >> 4)),
            free: CellSet::from_bits(self.free.bits() & !(1 << cell)),
            level: self.level + step,
            // An empty cell is 15, so subtracting what is missing leaves the card.
            cells: self.cells - (u64::from(15 - (mv.bits() >> 4)) << (4 * cell)),
        }
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.cells | u64::from(self.mine) << 36
    }
}

/// One move of a node with what it takes and how early it should be tried.
#[derive(Clone, Copy)]
struct Candidate {
    order: i32,
    flips: u16,
    mv: Move,
}

/// The search of one deal.
pub(super) struct Search<'a, C> {
    captures: C,
    memory: &'a mut Memory,
    /// Who moves when the number of empty cells is even, odd: his hand as it was dealt.
    dealt: [u16; 2],
    /// Whether the mover plays in order, likewise.
    ordered: [bool; 2],
    /// By card and cell: the cards that would take it from each side, a lane each.
    threats: Box<[u64; 256]>,
    /// By the cards A owns at the end, what that is worth to him, if it is not their number.
    outcome: Option<&'a Outcome>,
}

/// Worth to A of each way in which the ten cards can be owned at the end: 0 to 10.
pub(super) type Outcome = [u8; 1024];

impl<'a, C: Captures> Search<'a, C> {
    pub(super) fn new(deal: &'a Deal, position: &Position, captures: C, memory: &'a mut Memory) -> Self {
        let mover = deal.turn(position);
        let left = position.free().len();
        let hand = |player| if player == Player::First { HAND_OF_A } else { HAND_OF_B };
        let rules = deal.setup().rules;
        let by_parity = |parity: usize| if left % 2 == parity { mover } else { mover.other() };
        Self {
            captures,
            memory,
            dealt: [hand(by_parity(0)), hand(by_parity(1))],
            ordered: [rules.is_ordered(by_parity(0)), rules.is_ordered(by_parity(1))],
            threats: Box::new(threats(deal, deal.level(position))),
            outcome: None,
        }
    }

    /// Plays for an outcome of another worth than the number of cards. More than half of the cards must be worth 10 and
    /// less than half 0, so that safe cards still decide.
    pub(super) fn with_outcome(mut self, outcome: Option<&'a Outcome>) -> Self {
        self.outcome = outcome;
        self
    }

    /// What the cards owned at the end are worth to the player who moves at that parity of empty cells.
    #[inline(always)]
    fn score(&self, mine: u16, parity: usize) -> i32 {
        match self.outcome {
            None => mine.count_ones() as i32,
            Some(outcome) if self.dealt[parity] == HAND_OF_A => outcome[usize::from(mine & ALL)].into(),
            Some(outcome) => 10 - i32::from(outcome[usize::from(!mine & ALL)]),
        }
    }

    /// The cards the mover may play.
    #[inline(always)]
    fn playable(&self, node: &Node) -> u16 {
        let hand = node.unlaid & self.dealt[(node.left & 1) as usize];
        if self.ordered[(node.left & 1) as usize] { hand & hand.wrapping_neg() } else { hand }
    }

    /// The value of the node for its mover, exactly: tests around `guess` until both sides close.
    pub(super) fn value<S: Simd>(&mut self, simd: S, node: Node, guess: i32) -> i32 {
        if node.left == 0 {
            return self.score(node.mine, 0);
        }
        let (mut low, mut high) = (0, 10);
        let mut target = guess.clamp(1, 10);
        while low < high {
            let bound = self.node(simd, node, target);
            if bound >= target {
                low = bound
            } else {
                high = bound
            }
            target = if bound >= target { low + 1 } else { high };
        }
        low
    }

    /// At least `target` for the mover: a bound from below if the answer is so, else one from above.
    #[simd]
    fn node<S: Simd>(&mut self, simd: S, node: Node, target: i32) -> i32 {
        self.memory.nodes += 1;
        if node.left <= 2 {
            return if node.left == 1 { self.last(&node) } else { self.last_two(simd, &node, target) };
        }
        if C::SAFE {
            let (mut low, mut high) = self.safe(simd, &node);
            if self.outcome.is_some() {
                (low, high) = (if low > 5 { 10 } else { 0 }, if high < 5 { 0 } else { 10 });
            }
            if low >= target {
                return low;
            }
            if high < target {
                return high;
            }
        }
        if node.left == 3 {
            return self.last_three(simd, &node, target);
        }
        let slot = (node.key().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - TABLE_BITS)) as usize;
        let kept = node.left >= KEPT_LEFT;
        let (mut low, mut high, mut best_move) = (0, 10, 0);
        if kept {
            let entry = self.memory.table[slot];
            if entry.0 & KEY == node.key() {
                (low, high, best_move) = (entry.low(), entry.high(), entry.best());
                if low >= target {
                    return low;
                }
                if high < target {
                    return high;
                }
            }
        }
        let mut candidates = [Candidate { order: 0, flips: 0, mv: Move::new(0, Cell::CENTRE) }; 45];
        let count = self.candidates(&node, best_move, &mut candidates);
        let mut best = -1;
        for at in 0..count {
            // Most nodes end after a few moves, so the list is sorted only as far as it is read.
            let mut chosen = at;
            for other in at + 1..count {
                if candidates[other].order > candidates[chosen].order {
                    chosen = other;
                }
            }
            candidates.swap(at, chosen);
            let Candidate { flips, mv, .. } = candidates[at];
            let next = node.after(mv, flips, self.captures.step(mv));
            self.captures.lay(simd, mv);
            let value = 10 - self.node(simd, next, 11 - target);
            self.captures.lift(simd, mv);
            if value > best {
                (best, best_move) = (value, mv.bits());
                if value >= target {
                    break;
                }
            }
        }
        if kept {
            if best >= target {
                low = best
            } else {
                high = best
            }
            self.memory.table[slot] = Entry::new(node.key(), low, high, best_move);
        }
        best
    }

    /// The last three cards: six moves at most, no table.
    #[inline(always)]
    fn last_three<S: Simd>(&mut self, simd: S, node: &Node, target: i32) -> i32 {
        let mut candidates = [Candidate { order: 0, flips: 0, mv: Move::new(0, Cell::CENTRE) }; 6];
        let count = self.candidates(node, u8::MAX, &mut candidates);
        let mut best = -1;
        for at in 0..count {
            let mut chosen = at;
            for other in at + 1..count {
                if candidates[other].order > candidates[chosen].order {
                    chosen = other;
                }
            }
            candidates.swap(at, chosen);
            let Candidate { flips, mv, .. } = candidates[at];
            let next = node.after(mv, flips, self.captures.step(mv));
            self.memory.nodes += 1;
            self.captures.lay(simd, mv);
            let value = 10 - self.last_two(simd, &next, 11 - target);
            self.captures.lift(simd, mv);
            best = best.max(value);
            if best >= target {
                break;
            }
        }
        best
    }

    /// Fills in the moves of a node with their order.
    #[inline(always)]
    fn candidates(&self, node: &Node, best_move: u8, candidates: &mut [Candidate]) -> usize {
        let playable = self.playable(node);
        let theirs = lanes(node.unlaid & self.dealt[(node.left & 1 ^ 1) as usize]);
        let padded = padded(node.free);
        let mut count = 0;
        for cell in node.free {
            let view = self.captures.view(cell, node.level);
            let open = open_lanes(padded, cell) & theirs;
            let mut cards = playable;
            while cards != 0 {
                let mv = Move::new(cards.trailing_zeros() as u8, cell);
                cards &= cards - 1;
                let flips = self.captures.flips(view, mv, ALL ^ node.mine);
                let threats = (self.threats[usize::from(mv.bits())] & open).count_ones() as i32;
                let order = 16 * flips.count_ones() as i32 - 3 * threats + if threats == 0 { 8 } else { 0 };
                let order = if mv.bits() == best_move { 1 << 20 } else { order };
                if let Some(candidate) = candidates.get_mut(count) {
                    *candidate = Candidate { order, flips, mv };
                    count += 1;
                }
            }
        }
        count
    }

    /// What the mover is sure to keep and the most he can reach: cards on the board that nothing left in the other hand
    /// takes on any empty cell. The basic rule only.
    #[inline(always)]
    fn safe<S: Simd>(&self, simd: S, node: &Node) -> (i32, i32) {
        let by_card = self.captures.takes_anywhere(simd, node.free);
        let threatened = |hand: u16| {
            let (mut hand, mut cards) = (hand & node.unlaid, 0);
            while hand != 0 {
                cards |= by_card[hand.trailing_zeros() as usize & 15];
                hand &= hand - 1;
            }
            cards
        };
        let mover = (node.left & 1) as usize;
        let ours = node.mine & !node.unlaid & !threatened(self.dealt[mover ^ 1]);
        let theirs = ALL & !node.mine & !node.unlaid & !threatened(self.dealt[mover]);
        // Each player ends with a card that nobody can take any more: the last one laid, the one never laid.
        (ours.count_ones() as i32 + 1, 9 - theirs.count_ones() as i32)
    }

    /// The last card.
    #[inline(always)]
    fn last(&self, node: &Node) -> i32 {
        let mut best = 0;
        for cell in node.free {
            let view = self.captures.view(cell, node.level);
            let mut cards = self.playable(node);
            while cards != 0 {
                let mv = Move::new(cards.trailing_zeros() as u8, cell);
                cards &= cards - 1;
                let flips = self.captures.flips(view, mv, ALL ^ node.mine);
                best = best.max(self.score(node.mine | flips, 1));
            }
        }
        best
    }

    /// The last two cards: the other player's only card goes where mine did not.
    #[inline(always)]
    fn last_two<S: Simd>(&mut self, simd: S, node: &Node, target: i32) -> i32 {
        let reply = (node.unlaid & self.dealt[1]).trailing_zeros() as u8;
        let mut best = 0;
        for cell in node.free {
            let view = self.captures.view(cell, node.level);
            let Some(other) = (node.free - CellSet::of(cell)).into_iter().next() else { continue };
            let mut cards = self.playable(node);
            while cards != 0 {
                let mv = Move::new(cards.trailing_zeros() as u8, cell);
                cards &= cards - 1;
                let mine = node.mine | self.captures.flips(view, mv, ALL ^ node.mine);
                let lost = self.captures.reply(simd, mv, Move::new(reply, other), node.level, mine);
                best = best.max(self.score(mine & !lost, 0));
                if best >= target {
                    return best;
                }
            }
        }
        best
    }
}

/// A hand in all four lanes.
#[inline(always)]
const fn lanes(cards: u16) -> u64 {
    cards as u64 * 0x0001_0001_0001_0001
}

/// The empty cells with a border around them, so that the four neighbours of any cell are at fixed distances:
///
/// ```text
/// bits  5  6  7     cell 0 is bit 5;  above it bit 1, to its right 6, below 9, to its left 4
///       9 10 11
///      13 14 15
/// ```
#[inline(always)]
const fn padded(free: CellSet) -> u32 {
    let bits = free.bits() as u32;
    (bits & 0o007) << 5 | (bits & 0o070) << 6 | (bits & 0o700) << 7
}

/// All bits of the lanes of the empty neighbours of a cell.
#[inline(always)]
fn open_lanes(padded: u32, cell: Cell) -> u64 {
    let above = [1, 2, 3, 5, 6, 7, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0][cell.index() & 15];
    // Seen from the cell above: bit 0 is up, 3 left, 5 right, 8 down.
    OPEN[(padded >> above) as usize & 0b1_0010_1001]
}

static OPEN: [u64; 512] = {
    let mut table = [0; 512];
    let mut index = 0;
    while index < 512 {
        let mut word = 0;
        if index & 1 != 0 {
            word |= 0xffff;
        }
        if index >> 5 & 1 != 0 {
            word |= 0xffff << 16;
        }
        if index >> 8 & 1 != 0 {
            word |= 0xffff << 32;
        }
        if index >> 3 & 1 != 0 {
            word |= 0xffff << 48;
        }
        table[index] = word;
        index += 1;
    }
    table
};

/// By card and cell: the cards that, laid beside it, would take it by the basic rule, a lane for each side.
fn threats(deal: &Deal, level: u8) -> [u64; 256] {
    let rank = Rank::new(deal, level);
    let mut table = [0; 256];
    for cell in Cell::ALL {
        for direction in Direction::ALL {
            let Some(there) = cell.neighbour(direction) else { continue };
            let back = 16 * direction.opposite() as u32;
            for other in 0..10 {
                let taken = (rank.beats(Move::new(other, there)) >> back) as u16 & ALL;
                for card in (0..10).filter(|card| taken >> card & 1 != 0) {
                    table[usize::from(Move::new(card, cell).bits())] |= 1 << (16 * direction as u32 + u32::from(other));
                }
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use grid::cells;

    #[test]
    fn open_lanes_are_the_empty_neighbours() {
        let free = cells! { . x . / . . x / . x . };
        assert_eq!(open_lanes(padded(free), Cell::CENTRE), 0x0000_ffff_ffff_ffff);
        assert_eq!(open_lanes(padded(free), Cell::at(0, 0)), 0x0000_0000_ffff_0000);
        assert_eq!(open_lanes(padded(!free), Cell::at(0, 1)), 0xffff_ffff_ffff_0000);
        assert_eq!(open_lanes(padded(CellSet::ALL), Cell::at(2, 0)), 0x0000_0000_ffff_ffff);
    }
}
