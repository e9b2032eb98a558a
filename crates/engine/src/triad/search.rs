//! The exact search of an open deal: can the mover still own `target` cards at the end?
//!
//! Alpha-beta with a window of one card. Values are cards owned by the mover of the position, 0 to 10; the other player
//! has the rest, so one player's `at least t` is the other's `at most 10 - t`. The answer is fail-soft: at least
//! `target` means that much is certain to be reached, less means that no more can be.
//!
//! What makes it quick, with nodes saved on random deals in `bench/LOG-triad.md`:
//! - moves in order of cards taken, less the ways in which the laid card can be taken back;
//! - under the basic rule alone a capture does not depend on who owns what, so a card on the board that no card left in
//!   the other hand can take is *safe*, and safe cards bound the value;
//! - a small table of exact keys, that fits the cache of a core: a large one costs more than it saves;
//! - the last two cards are counted without a call.

use fearless_simd_macros::simd;
use grid::simd::{Simd, fearless_simd};
use grid::{Cell, CellSet, Direction, Player};
use triad::kernel::fast::{Board, Rank, Special, fold};
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

/// The search of one deal. `SPECIAL`: Same or Plus take part. `LEVELS`: ranks change as cards are laid.
pub(super) struct Search<'a, const SPECIAL: bool, const LEVELS: bool> {
    deal: &'a Deal,
    special: Special,
    memory: &'a mut Memory,
    board: Board,
    /// Who moves when the number of empty cells is even, odd: his hand as it was dealt.
    dealt: [u16; 2],
    /// Whether the mover plays in order, likewise.
    ordered: [bool; 2],
    /// By card and cell: the cards that would take it from each side, a lane each.
    threats: Box<[u64; 256]>,
}

impl<'a, const SPECIAL: bool, const LEVELS: bool> Search<'a, SPECIAL, LEVELS> {
    pub(super) fn new(deal: &'a Deal, position: &Position, memory: &'a mut Memory) -> Self {
        let mover = deal.turn(position);
        let left = position.free().len();
        let hand = |player| if player == Player::First { HAND_OF_A } else { HAND_OF_B };
        let rules = deal.setup().rules;
        let by_parity = |parity: usize| if left % 2 == parity { mover } else { mover.other() };
        Self {
            deal,
            special: Special::of(deal),
            memory,
            board: Board::new(position),
            dealt: [hand(by_parity(0)), hand(by_parity(1))],
            ordered: [rules.is_ordered(by_parity(0)), rules.is_ordered(by_parity(1))],
            threats: Box::new(threats(deal, deal.level(position))),
        }
    }

    #[inline(always)]
    fn rank(&self, level: u8) -> Rank<'a> {
        Rank::new(self.deal, if LEVELS { level } else { 0 })
    }

    #[inline(always)]
    fn flips(&self, rank: &Rank<'_>, mv: Move, neighbours: u64, enemy: u16) -> u16 {
        if SPECIAL {
            rank.flips(self.special, &self.board, mv, neighbours, enemy)
        } else {
            rank.basic(mv, neighbours, enemy)
        }
    }

    #[inline(always)]
    fn step(&self, mv: Move) -> u8 {
        if LEVELS { self.deal.step(mv.bits() >> 4) } else { 0 }
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
            return node.mine.count_ones() as i32;
        }
        let (mut low, mut high) = (0, 10);
        let mut target = guess.clamp(1, 10);
        while low < high {
            let bound = self.node(simd, node, target);
            if bound >= target { low = bound } else { high = bound }
            target = if bound >= target { low + 1 } else { high };
        }
        low
    }

    /// The value after a move, for the player who makes it.
    pub(super) fn value_after<S: Simd>(&mut self, simd: S, node: Node, mv: Move, guess: i32) -> i32 {
        let neighbours = self.board.neighbours(mv.cell());
        let flips = self.flips(&self.rank(node.level), mv, neighbours, ALL ^ node.mine);
        let next = node.after(mv, flips, self.step(mv));
        self.board.lay(mv);
        let value = 10 - self.value(simd, next, 10 - guess);
        self.board.lift(mv);
        value
    }

    /// At least `target` for the mover: a bound from below if the answer is so, else one from above.
    #[simd]
    fn node<S: Simd>(&mut self, simd: S, node: Node, target: i32) -> i32 {
        self.memory.nodes += 1;
        if node.left <= 2 {
            return if node.left == 1 { self.last(&node) } else { self.last_two(&node, target) };
        }
        if !SPECIAL && !LEVELS {
            let (low, high) = self.safe(&node);
            if low >= target {
                return low;
            }
            if high < target {
                return high;
            }
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
            let next = node.after(mv, flips, self.step(mv));
            self.board.lay(mv);
            let value = 10 - self.node(simd, next, 11 - target);
            self.board.lift(mv);
            if value > best {
                (best, best_move) = (value, mv.bits());
                if value >= target {
                    break;
                }
            }
        }
        if kept {
            if best >= target { low = best } else { high = best }
            self.memory.table[slot] = Entry::new(node.key(), low, high, best_move);
        }
        best
    }

    /// Fills in the moves of a node with their order.
    #[inline(always)]
    fn candidates(&self, node: &Node, best_move: u8, candidates: &mut [Candidate; 45]) -> usize {
        let rank = self.rank(node.level);
        let playable = self.playable(node);
        let theirs = lanes(node.unlaid & self.dealt[(node.left & 1 ^ 1) as usize]);
        let mut count = 0;
        for cell in node.free {
            let neighbours = self.board.neighbours(cell);
            let open = open_lanes(neighbours);
            let mut cards = playable;
            while cards != 0 {
                let card = cards.trailing_zeros() as u8;
                cards &= cards - 1;
                let mv = Move::new(card, cell);
                let flips = self.flips(&rank, mv, neighbours, ALL ^ node.mine);
                let threats = (self.threats[usize::from(mv.bits())] & open & theirs).count_ones() as i32;
                let order = 16 * flips.count_ones() as i32 - 3 * threats;
                let order = if mv.bits() == best_move { 1 << 20 } else { order };
                if count < 45 {
                    candidates[count] = Candidate { order, flips, mv };
                    count += 1;
                }
            }
        }
        count
    }

    /// What the mover is sure to keep and the most he can reach, by safe cards. The basic rule only.
    #[inline(always)]
    fn safe(&self, node: &Node) -> (i32, i32) {
        let mover = (node.left & 1) as usize;
        let (ours, theirs) = (lanes(node.unlaid & self.dealt[mover]), lanes(node.unlaid & self.dealt[mover ^ 1]));
        // Each player ends with a card that nobody can take any more: the last one laid, the one never laid.
        let (mut safe_ours, mut safe_theirs) = (1, 1);
        for cell in Cell::ALL {
            let card = (node.cells >> (4 * cell.index())) as u8 & 15;
            if card == 15 {
                continue;
            }
            let open = open_lanes(self.board.neighbours(cell));
            let threats = self.threats[usize::from(Move::new(card, cell).bits())] & open;
            if node.mine >> card & 1 != 0 {
                safe_ours += i32::from(threats & theirs == 0);
            } else {
                safe_theirs += i32::from(threats & ours == 0);
            }
        }
        (safe_ours, 10 - safe_theirs)
    }

    /// The last card.
    #[inline(always)]
    fn last(&self, node: &Node) -> i32 {
        let mut best = 0;
        for cell in node.free {
            let mut cards = self.playable(node);
            while cards != 0 {
                let mv = Move::new(cards.trailing_zeros() as u8, cell);
                cards &= cards - 1;
                let neighbours = self.board.neighbours(cell);
                let flips = self.flips(&self.rank(node.level), mv, neighbours, ALL ^ node.mine);
                best = best.max((node.mine | flips).count_ones() as i32);
            }
        }
        best
    }

    /// The last two cards.
    #[inline(always)]
    fn last_two(&mut self, node: &Node, target: i32) -> i32 {
        let rank = self.rank(node.level);
        let mut best = 0;
        for cell in node.free {
            let neighbours = self.board.neighbours(cell);
            let mut cards = self.playable(node);
            while cards != 0 {
                let mv = Move::new(cards.trailing_zeros() as u8, cell);
                cards &= cards - 1;
                let flips = self.flips(&rank, mv, neighbours, ALL ^ node.mine);
                let next = node.after(mv, flips, self.step(mv));
                self.board.lay(mv);
                let value = 10 - self.last(&next);
                self.board.lift(mv);
                best = best.max(value);
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

/// All bits of the lanes in which nothing lies; the border is something.
#[inline(always)]
const fn open_lanes(neighbours: u64) -> u64 {
    // The sixteenth bit of a lane is never used: it survives the subtraction only where the lane is zero.
    let high = 0x8000_8000_8000_8000;
    let empty = !((neighbours | high) - 0x0001_0001_0001_0001) & high;
    // A lane that was zero has borrowed from its top bit.
    (empty >> 15) * 0xffff
}

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

/// Only for the doc of the lanes.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_lanes_are_those_with_nothing_in_them() {
        assert_eq!(open_lanes(0), u64::MAX);
        assert_eq!(open_lanes(0x0400_0000_0001_0200), 0x0000_ffff_0000_0000);
        assert_eq!(fold(lanes(0x155)), 0x155);
    }
}
