//! The exact search of an open deal: can the mover still own `target` cards at the end?
//!
//! Alpha-beta with a window of one card. Values are cards owned by the mover of the position, 0 to 10; the other player
//! has the rest, so one player's `at least t` is the other's `at most 10 - t`. The answer is fail-soft: at least
//! `target` means that much is certain to be reached, less means that no more can be.
//!
//! What makes it quick (attempts and figures in `bench/LOG.md`):
//! - moves in order of cards taken, less the ways in which the laid card can be taken back, all cards of a cell in the
//!   lanes of one vector; the tree that is left is within a tenth of the smallest one that proves the value;
//! - under the basic rule alone a capture does not depend on who owns what. So the last three cards are played in all 24
//!   ways at once (`kernel::ending`); a card on the board that nothing left can take is *safe*, and safe cards bound the
//!   value; and what is known of a board with some owners bounds the same board with others: see [`Entry`];
//! - a small table of exact keys, that fits the cache of a core: a large one costs more than it saves.

mod last;
mod threats;

use super::captures::{Captures, To};
use fearless_simd_macros::simd;
use grid::simd::fearless_simd::{prelude::*, u16x8};
use grid::simd::{Simd, fearless_simd};
use grid::{Cell, CellSet, Player};
use threats::{Threats, padded};
use triad::kernel::resolved::HELD;
use triad::{Deal, HAND, Move, Position};

const ALL: u16 = 0x3ff;
const HAND_OF_A: u16 = 0x01f;
const HAND_OF_B: u16 = 0x3e0;

/// One word: what is known of a board.
///
/// ```text
/// bits  0..21  the rest of the key         21..31  the mover's cards for which `at least` was found
///      31..35  at least                    35..45  the mover's cards for which `at most` was found
///      45..49  at most                     49..57  the best move
/// ```
///
/// Under the basic rule the key is the board without its owners. The same moves take the same cards whoever owned them, so
/// a card owned more or less changes the end by that card at most, and if nothing can take it any more, by exactly it:
/// what was found for other owners still bounds the value.
///
/// Otherwise owners are part of the key: the hash then fills bits 0..31, and the owners found are the owners asked for.
#[derive(Clone, Copy)]
struct Entry(u64);

impl Entry {
    /// No key has all bits.
    const NONE: Self = Self(u64::MAX);

    #[inline(always)]
    const fn tag(self, monotone: bool) -> u64 {
        if monotone { self.0 & 0x1f_ffff | self.0 >> 57 << 21 } else { self.0 & 0x7fff_ffff | self.0 >> 57 << 31 }
    }

    #[inline(always)]
    const fn low_set(self) -> u16 {
        (self.0 >> 21 & 1023) as u16
    }

    #[inline(always)]
    const fn low(self) -> i32 {
        (self.0 >> 31 & 15) as i32
    }

    #[inline(always)]
    const fn high_set(self) -> u16 {
        (self.0 >> 35 & 1023) as u16
    }

    #[inline(always)]
    const fn high(self) -> i32 {
        (self.0 >> 45 & 15) as i32
    }

    #[inline(always)]
    const fn best(self) -> u8 {
        (self.0 >> 49) as u8
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
}

/// The moves of a node, by empty cell and the card's place in the hand.
///
/// ```text
/// key  bits 0..3 the place in the hand   3..7 the cell   7..16 how early to try it; 0: no move, or tried
/// ```
struct Candidates<F, const CELLS: usize> {
    keys: [[u16; 8]; CELLS],
    flips: [[u16; 8]; CELLS],
    cells: [Cell; CELLS],
    fires: [F; CELLS],
}

/// The search of one deal.
pub(super) struct Search<'a, C> {
    captures: C,
    memory: &'a mut Memory,
    /// Who moves when the number of empty cells is even, odd: his hand as it was dealt. Odd is the opener.
    dealt: [u16; 2],
    /// The number of the first card of that hand.
    base: [u8; 2],
    /// Whether the mover plays in order, likewise.
    ordered: [bool; 2],
    threats: Threats,
    /// By the cards A owns at the end, what that is worth to him, if it is not their number.
    outcome: Option<&'a Outcome>,
}

/// Worth to A of each way in which the ten cards can be owned at the end: 0 to 10.
pub(super) type Outcome = [u8; 1024];

impl<'a, C: Captures> Search<'a, C> {
    pub(super) fn new(deal: &'a Deal, position: &Position, captures: C, memory: &'a mut Memory) -> Self {
        let opener = deal.setup().first;
        let hand = |player| if player == Player::First { HAND_OF_A } else { HAND_OF_B };
        let first_card = |player| if player == Player::First { 0 } else { HAND as u8 };
        let rules = deal.setup().rules;
        Self {
            captures,
            memory,
            dealt: [hand(opener.other()), hand(opener)],
            base: [first_card(opener.other()), first_card(opener)],
            ordered: [rules.is_ordered(opener.other()), rules.is_ordered(opener)],
            threats: Threats::new(deal, deal.level(position)),
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

    /// The hand of the player who moves at that parity, five bits.
    #[inline(always)]
    fn hand(&self, node: &Node, parity: usize) -> u16 {
        node.unlaid >> self.base[parity & 1] & 0x1f
    }

    /// The cards the mover may play, five bits.
    #[inline(always)]
    fn playable(&self, node: &Node) -> u16 {
        let mover = (node.left & 1) as usize;
        let hand = self.hand(node, mover);
        if self.ordered[mover] { hand & hand.wrapping_neg() } else { hand }
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

    /// The value of a move for the mover of the node, exactly.
    pub(super) fn value_of<S: Simd>(&mut self, simd: S, node: Node, mv: Move, flips: u16, guess: i32) -> i32 {
        let next = node.after(mv, flips, self.captures.step(mv));
        self.captures.lay(simd, mv);
        let value = self.value(simd, next, 10 - guess);
        self.captures.lift(simd, mv);
        10 - value
    }

    /// At least `target` for the mover: a bound from below if the answer is so, else one from above.
    #[simd]
    fn node<S: Simd>(&mut self, simd: S, node: Node, target: i32) -> i32 {
        self.memory.nodes += 1;
        if node.left == 3 {
            if !self.at_once() {
                return self.last_three_in_turn(simd, &node, target);
            }
            let mut fires = [C::Fires::default(); 3];
            for (fires, cell) in fires.iter_mut().zip(node.free) {
                *fires = self.captures.fires(cell);
            }
            return self.last_three(simd, None, &node, fires, target);
        }
        if node.left == 0 {
            return self.score(node.mine, 0);
        }
        let mut untouchable = 0;
        if C::SAFE {
            let mover = (node.left & 1) as usize;
            let [by_opener, by_other] =
                self.captures.threatened(simd, node.free, [self.hand(&node, 1), self.hand(&node, 0)]);
            let (by_us, by_them) = if mover == 1 { (by_opener, by_other) } else { (by_other, by_opener) };
            let (mut low, mut high) = safe(&node, by_us, by_them);
            if self.outcome.is_some() {
                (low, high) = (if low > 5 { 10 } else { 0 }, if high < 5 { 0 } else { 10 });
            }
            if low >= target {
                return low;
            }
            if high < target {
                return high;
            }
            untouchable = !(by_us | by_them);
        }
        let monotone = C::SAFE && self.outcome.is_none();
        let (slot, tag) = place(&node, monotone);
        let (mut low_set, mut high_set, mut low, mut high) = (node.mine, node.mine, 0, 10);
        let mut best_move = u8::MAX;
        if node.left >= KEPT_LEFT {
            let entry = self.memory.table[slot];
            if entry.tag(monotone) == tag {
                (low, high, best_move) = (entry.low(), entry.high(), entry.best());
                let (mut at_least, mut at_most) = (low, high);
                if monotone {
                    (low_set, high_set) = (entry.low_set(), entry.high_set());
                    let count = |cards: u16| cards.count_ones() as i32;
                    at_least += count(node.mine & !low_set & untouchable) - count(low_set & !node.mine);
                    at_most += count(node.mine & !high_set) - count(high_set & !node.mine & untouchable);
                }
                if at_least >= target {
                    return at_least;
                }
                if at_most < target {
                    return at_most;
                }
            }
        }
        let best = if node.left <= 4 {
            self.moves::<S, 4>(simd, &node, &mut best_move, target)
        } else {
            self.moves::<S, 9>(simd, &node, &mut best_move, target)
        };
        if node.left >= KEPT_LEFT {
            if best >= target {
                (low, low_set) = (best, node.mine);
            } else {
                (high, high_set) = (best, node.mine);
            }
            let sets = if monotone { u64::from(low_set) << 21 } else { 0 } | u64::from(high_set) << 35;
            let bounds = (low as u64) << 31 | (high as u64) << 45 | u64::from(best_move) << 49;
            self.memory.table[slot] = Entry(tag | sets | bounds);
        }
        best
    }

    /// Tries the moves of a node, the best one known first; the best value, and its move in the other's place.
    #[inline(always)]
    fn moves<S: Simd, const CELLS: usize>(&mut self, simd: S, node: &Node, best_move: &mut u8, target: i32) -> i32 {
        let mut candidates = Candidates::<C::Fires, CELLS>::new();
        self.candidates(simd, node, *best_move, &mut candidates);
        let base = self.base[(node.left & 1) as usize];
        let at_once = self.at_once();
        let mut best = -1;
        loop {
            let key = candidates.next(simd);
            if key == 0 {
                return best;
            }
            let (at, mv, flips) = candidates.take(key, base);
            let next = node.after(mv, flips, self.captures.step(mv));
            let value = if node.left == 4 && at_once {
                self.memory.nodes += 1;
                self.captures.mark(mv);
                let mut fires = [C::Fires::default(); 3];
                for (fires, other) in fires.iter_mut().zip([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]][at & 3]) {
                    let other = other % CELLS;
                    *fires = self.captures.fires_beside(candidates.fires[other], candidates.cells[other], mv);
                }
                let value = self.last_three(simd, Some(mv), &next, fires, 11 - target);
                self.captures.unmark(mv);
                10 - value
            } else {
                self.captures.lay(simd, mv);
                let value = self.node(simd, next, 11 - target);
                self.captures.lift(simd, mv);
                10 - value
            };
            if value > best {
                (best, *best_move) = (value, mv.bits());
                if value >= target {
                    return best;
                }
            }
        }
    }

    /// Fills in the moves of a node with what they take and their order.
    #[inline(always)]
    fn candidates<S: Simd, const CELLS: usize>(
        &self,
        simd: S,
        node: &Node,
        best_move: u8,
        candidates: &mut Candidates<C::Fires, CELLS>,
    ) {
        let mover = (node.left & 1) as usize;
        let playable = self.playable(node);
        let theirs = self.hand(node, mover ^ 1);
        let padded = padded(node.free);
        let held = u16x8::from_slice(simd, &HELD[usize::from(playable) & 31]);
        let places = u16x8::from_slice(simd, &[0, 1, 2, 3, 4, 5, 6, 7]);
        let base = self.base[mover];
        for (at, cell) in node.free.into_iter().enumerate() {
            let to = To { cell, level: node.level, mover, hand: playable, base, enemy: ALL ^ node.mine };
            let fires = self.captures.fires(cell);
            let flips = self.captures.flips(simd, to, fires);
            let early = (flips.count_ones() << 4) + self.threats.order(simd, mover, cell.index(), padded, theirs);
            let keys = ((early << 7) | places | u16x8::splat(simd, (at << 3) as u16)) & held;
            let at_cell = at % CELLS;
            keys.store_slice(&mut candidates.keys[at_cell]);
            flips.store_slice(&mut candidates.flips[at_cell]);
            candidates.cells[at_cell] = cell;
            candidates.fires[at_cell] = fires;
            if usize::from(best_move & 15) == cell.index() {
                candidates.keys[at_cell][usize::from((best_move >> 4) - base) & 7] |= 0xff80;
            }
        }
    }
}

impl<F: Copy + Default, const CELLS: usize> Candidates<F, CELLS> {
    #[inline(always)]
    fn new() -> Self {
        Self {
            keys: [[0; 8]; CELLS],
            flips: [[0; 8]; CELLS],
            cells: [Cell::CENTRE; CELLS],
            fires: [F::default(); CELLS],
        }
    }

    /// The key of the move to try next, 0 if there is none.
    #[inline(always)]
    fn next<S: Simd>(&self, simd: S) -> u16 {
        let mut best = u16x8::splat(simd, 0);
        for keys in &self.keys {
            best = best.max(u16x8::from_slice(simd, keys));
        }
        simd.reduce_max_u16x8(best)
    }

    /// Marks a move as tried; the place of its cell, the move, and what it takes.
    #[inline(always)]
    fn take(&mut self, key: u16, base: u8) -> (usize, Move, u16) {
        let (at, place) = (usize::from(key >> 3 & 15) % CELLS, usize::from(key & 7));
        self.keys[at][place] = 0;
        (at, Move::new(base + place as u8, self.cells[at]), self.flips[at][place])
    }
}

/// Where the table keeps a node, and the rest of its key: an odd factor mixes the key into itself and loses nothing.
#[inline(always)]
fn place(node: &Node, monotone: bool) -> (usize, u64) {
    let (key, bits) = if monotone { (node.cells, 36) } else { (node.cells | u64::from(node.mine) << 36, 46) };
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & ((1 << bits) - 1);
    let rest = bits - TABLE_BITS;
    ((mixed >> rest) as usize, mixed & ((1 << rest) - 1))
}

/// What the mover is sure to keep and the most he can reach, given the cards that each hand can take: the others on the board
/// are safe. The basic rule only.
#[inline(always)]
fn safe(node: &Node, by_us: u16, by_them: u16) -> (i32, i32) {
    let ours = node.mine & !node.unlaid & !by_them;
    let theirs = ALL & !node.mine & !node.unlaid & !by_us;
    // Each player ends with a card that nobody can take any more: the last one laid, the one never laid.
    (ours.count_ones() as i32 + 1, 9 - theirs.count_ones() as i32)
}
