//! The exact search of an open deal: can the mover still own `target` cards at the end?
//!
//! Alpha-beta with a null window. A value is the number of cards that the mover of the position owns at the end, 0 to 10.
//! The other player owns the rest, so "at least t" for one player is "at most 10 - t" for the other. The search is
//! fail-soft: a result of `target` or more is a lower bound of the value, a smaller result is an upper bound.
//!
//! What makes it fast (attempts and figures in `bench/LOG.md`):
//! - Move ordering: captured cards first, minus the ways in which the opponent can recapture the placed card. All cards
//!   for one cell are ordered in the lanes of one vector. The tree is at most a tenth larger than the smallest proof.
//! - Under the basic rule a capture does not depend on who owns which card. So the last three cards are played in all 24
//!   ways at once (`kernel::ending`). A card on the board that no remaining card can capture is *safe*, and safe cards
//!   bound the value. A bound of a board with some owners also bounds the same board with other owners: see [`Entry`].
//! - A small transposition table of exact keys that fits into the cache of one core. A large table costs more than it
//!   saves.
//!
//! Price (`bench/counts.txt`, x86-64-v3): 1,214 instructions per node under the basic rule, 1,992 with Same and Plus.
//!
//! A stopped search unwinds by a result that no position has: see [`STOPPED`].

pub(super) mod draws;
mod last_three;
mod threats;

use super::captures::{Captures, To};
use ::search::{Meter, Stop};
use fearless_simd_macros::simd;
use grid::simd::fearless_simd::{prelude::*, u16x8};
use grid::simd::{Simd, fearless_simd};
use grid::{Cell, CellSet, Game, Player};
use threats::{Threats, padded};
use triad::kernel::resolved::HELD;
use triad::{Deal, HAND, Move, Position};

const ALL: u16 = 0x3ff;
const HAND_OF_A: u16 = 0x01f;
const HAND_OF_B: u16 = 0x3e0;

/// The result of a node when the search has to stop. Its parent sees 110 cards, which is a cutoff against every target,
/// so each node on the way up returns at once and stores nothing. The check costs one comparison per node.
const STOPPED: i32 = -100;

/// An entry of the transposition table, one word.
///
/// ```text
/// bits  0..21  the rest of the key         21..31  the mover's cards for which the lower bound was found
///      31..35  lower bound                 35..45  the mover's cards for which the upper bound was found
///      45..49  upper bound                 49..57  the best move
/// ```
///
/// Under the basic rule the key is the board without its owners. The same moves capture the same cards, whoever owned
/// them. So owning one more card changes the final count by at most one, and by exactly one if it can no longer be
/// captured: a bound that was found for other owners still bounds the value.
///
/// Under the other rules the owners are part of the key: it then fills bits 0..31 as well.
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

/// Size of the transposition table: 2^15 words, 256 KiB.
const TABLE_BITS: u32 = 15;

/// Positions with fewer empty cells than this are not stored in the table.
const STORED_LEFT: u32 = 4;

/// The transposition table of a solver; allocated once, used for many deals.
pub(super) struct TranspositionTable(Box<[Entry]>);

impl TranspositionTable {
    pub(super) fn new() -> Self {
        Self(vec![Entry::NONE; 1 << TABLE_BITS].into_boxed_slice())
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(Entry::NONE);
    }
}

/// Everything about a position that changes from ply to ply.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// Empty cells.
    left: u32,
    /// The cards the mover owns, his hand included.
    mine: u16,
    /// The cards that are still in a hand.
    unlaid: u16,
    free: CellSet,
    /// The counters of Ascension and Descension.
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
/// key  bits 0..3 the place in the hand   3..7 the cell   7..16 priority; 0: no move, or already tried
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
    table: &'a mut TranspositionTable,
    meter: Meter<'a>,
    /// The hand as dealt of the player who moves when the number of empty cells is even, odd. Odd is the opener.
    dealt: [u16; 2],
    /// The number of the first card of that hand.
    base: [u8; 2],
    /// Whether that player plays in order.
    ordered: [bool; 2],
    threats: Threats,
    /// The payoff of a finished game, if it is not the number of cards.
    payoff: Option<&'a Payoff>,
}

/// What A gets for each way in which the ten cards can be owned at the end, as bits of the cards of A: 0 to 10.
pub(super) type Payoff = [u8; 1024];

impl<'a, C: Captures> Search<'a, C> {
    pub(super) fn new(
        deal: &'a Deal,
        position: &Position,
        captures: C,
        table: &'a mut TranspositionTable,
        meter: Meter<'a>,
    ) -> Self {
        let opener = deal.setup().first;
        let hand = |player| if player == Player::First { HAND_OF_A } else { HAND_OF_B };
        let first_card = |player| if player == Player::First { 0 } else { HAND as u8 };
        let rules = deal.setup().rules;
        Self {
            captures,
            table,
            meter,
            dealt: [hand(opener.other()), hand(opener)],
            base: [first_card(opener.other()), first_card(opener)],
            ordered: [rules.is_ordered(opener.other()), rules.is_ordered(opener)],
            threats: Threats::new(deal, deal.level(position)),
            payoff: None,
        }
    }

    /// Plays for another payoff than the number of cards. More than half of the cards must pay 10 and less than half 0,
    /// so that safe cards still decide.
    pub(super) fn with_payoff(mut self, payoff: Option<&'a Payoff>) -> Self {
        self.payoff = payoff;
        self
    }

    /// Whether it plays for another payoff than the number of cards.
    pub(super) fn has_payoff(&self) -> bool {
        self.payoff.is_some()
    }

    /// Nodes visited so far.
    pub(super) fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// Why the search stopped.
    pub(super) fn stopped_by(&self) -> Stop {
        debug_assert!(self.meter.stopped_by().is_some(), "the search has stopped");
        self.meter.stopped_by().unwrap_or(Stop::Cancelled)
    }

    /// The payoff of a finished game for the player who moves at that parity of empty cells.
    #[inline(always)]
    fn score(&self, mine: u16, parity: usize) -> i32 {
        match self.payoff {
            None => mine.count_ones() as i32,
            Some(payoff) if self.dealt[parity] == HAND_OF_A => payoff[usize::from(mine & ALL)].into(),
            Some(payoff) => 10 - i32::from(payoff[usize::from(!mine & ALL)]),
        }
    }

    /// The hand of the player who moves at that parity, five bits.
    #[inline(always)]
    fn hand(&self, node: &Node, parity: usize) -> u16 {
        debug_assert!(parity < 2);
        node.unlaid >> self.base[parity & 1] & 0x1f
    }

    /// The cards the mover may play, five bits.
    #[inline(always)]
    fn playable(&self, node: &Node) -> u16 {
        let mover = (node.left & 1) as usize;
        let hand = self.hand(node, mover);
        if self.ordered[mover] { hand & hand.wrapping_neg() } else { hand }
    }

    /// The exact value of the node for its mover, by null windows around `guess`; none if the search had to stop.
    pub(super) fn value<S: Simd>(&mut self, simd: S, node: Node, guess: i32) -> Option<i32> {
        if node.left == 0 {
            return Some(self.score(node.mine, 0));
        }
        let (mut low, mut high) = (0, 10);
        let mut target = guess.clamp(1, 10);
        while low < high {
            let bound = self.node(simd, node, target);
            if bound == STOPPED {
                return None;
            }
            if bound >= target {
                low = bound
            } else {
                high = bound
            }
            target = if bound >= target { low + 1 } else { high };
        }
        Some(low)
    }

    /// Whether the value of the node is at least `target` for its mover; none if the search had to stop.
    pub(super) fn at_least<S: Simd>(&mut self, simd: S, node: Node, target: i32) -> Option<bool> {
        if node.left == 0 {
            return Some(self.score(node.mine, 0) >= target);
        }
        let bound = self.node(simd, node, target);
        (bound != STOPPED).then_some(bound >= target)
    }

    /// The exact value of a move for the mover of the node; none if the search had to stop.
    pub(super) fn value_of<S: Simd>(&mut self, simd: S, node: Node, mv: Move, flips: u16, guess: i32) -> Option<i32> {
        let next = node.after(mv, flips, self.captures.step(mv));
        self.captures.lay(simd, mv);
        let value = self.value(simd, next, 10 - guess);
        self.captures.lift(simd, mv);
        Some(10 - value?)
    }

    /// Whether the value of a move is at least `target` for the mover of the node; none if the search had to stop.
    pub(super) fn reaches<S: Simd>(&mut self, simd: S, node: Node, mv: Move, flips: u16, target: i32) -> Option<bool> {
        let next = node.after(mv, flips, self.captures.step(mv));
        self.captures.lay(simd, mv);
        let bound = self.node(simd, next, 11 - target);
        self.captures.lift(simd, mv);
        (bound != STOPPED).then_some(10 - bound >= target)
    }

    /// The principal variation that begins with `first`, which has this value for the mover of the node. It ends early if
    /// the search has to stop.
    pub(super) fn line<S: Simd>(
        &mut self,
        simd: S,
        deal: &Deal,
        position: &Position,
        first: Move,
        value: i32,
    ) -> Vec<Move> {
        let (mut position, mut value, mut mv) = (*position, value, first);
        let mut line = Vec::new();
        loop {
            self.captures.lay(simd, mv);
            line.push(mv);
            position = deal.play_unchecked(&position, mv);
            value = 10 - value;
            let node = Node::new(deal, &position);
            let likely = self.stored_move(&node);
            let in_order = deal.moves(&position).filter(|mv| Some(mv.bits()) == likely);
            let mut next = None;
            for mv in in_order.chain(deal.moves(&position).filter(|mv| Some(mv.bits()) != likely)) {
                match self.reaches(simd, node, mv, deal.flips(&position, mv), value) {
                    Some(true) => next = Some(mv),
                    Some(false) => continue,
                    None => {}
                }
                break;
            }
            match next {
                Some(next) => mv = next,
                None => break,
            }
        }
        for mv in line.iter().rev() {
            self.captures.lift(simd, *mv);
        }
        line
    }

    /// The best move that the table has for a node.
    pub(super) fn stored_move(&self, node: &Node) -> Option<u8> {
        let monotone = self.is_monotone();
        let (slot, tag) = place(node, monotone);
        let entry = self.table.0[slot];
        (node.left >= STORED_LEFT && entry.tag(monotone) == tag).then_some(entry.best())
    }

    /// Whether a bound for some owners also bounds the same board with other owners.
    #[inline(always)]
    fn is_monotone(&self) -> bool {
        C::SAFE && self.payoff.is_none()
    }

    /// A lower bound of the value if it is `target` or more, otherwise an upper bound; [`STOPPED`] if the search has to
    /// stop.
    #[simd]
    fn node<S: Simd>(&mut self, simd: S, node: Node, target: i32) -> i32 {
        if !self.meter.pay() {
            return STOPPED;
        }
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
            if self.payoff.is_some() {
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
        let monotone = self.is_monotone();
        let (slot, tag) = place(&node, monotone);
        let (mut low_set, mut high_set, mut low, mut high) = (node.mine, node.mine, 0, 10);
        let mut best_move = u8::MAX;
        if node.left >= STORED_LEFT {
            let entry = self.table.0[slot];
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
        if best > 10 {
            return STOPPED;
        }
        if node.left >= STORED_LEFT {
            if best >= target {
                (low, low_set) = (best, node.mine);
            } else {
                (high, high_set) = (best, node.mine);
            }
            let sets = if monotone { u64::from(low_set) << 21 } else { 0 } | u64::from(high_set) << 35;
            let bounds = (low as u64) << 31 | (high as u64) << 45 | u64::from(best_move) << 49;
            self.table.0[slot] = Entry(tag | sets | bounds);
        }
        best
    }

    /// Tries the moves of a node, `best_move` first. Returns the best value and puts its move into `best_move`; a value
    /// above 10 if the search has to stop.
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
                if !self.meter.pay() {
                    return 10 - STOPPED;
                }
                self.captures.mark(mv);
                let mut fires = [C::Fires::default(); 3];
                for (fires, other) in fires.iter_mut().zip([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]][at & 3]) {
                    debug_assert!(other < CELLS && at < 4, "a node with four cells has four places");
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

    /// Fills in the moves of a node, the cards they capture and their priority.
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
            debug_assert!(at < CELLS, "room for every empty cell");
            let at_cell = at % CELLS;
            keys.store_slice(&mut candidates.keys[at_cell]);
            flips.store_slice(&mut candidates.flips[at_cell]);
            candidates.cells[at_cell] = cell;
            candidates.fires[at_cell] = fires;
            if usize::from(best_move & 15) == cell.index() {
                debug_assert!((best_move >> 4).wrapping_sub(base) < HAND as u8, "a card of the mover's hand");
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

    /// The key of the move to try next; 0 if all were tried.
    #[inline(always)]
    fn next<S: Simd>(&self, simd: S) -> u16 {
        let mut best = u16x8::splat(simd, 0);
        for keys in &self.keys {
            best = best.max(u16x8::from_slice(simd, keys));
        }
        simd.reduce_max_u16x8(best)
    }

    /// Marks a move as tried. Returns the place of its cell, the move and the cards it captures.
    #[inline(always)]
    fn take(&mut self, key: u16, base: u8) -> (usize, Move, u16) {
        debug_assert!(usize::from(key >> 3 & 15) < CELLS, "a key of this node");
        let (at, place) = (usize::from(key >> 3 & 15) % CELLS, usize::from(key & 7));
        self.keys[at][place] = 0;
        (at, Move::new(base + place as u8, self.cells[at]), self.flips[at][place])
    }
}

/// The slot of a node in the table and the rest of its key. Multiplying by an odd number is a bijection, so slot and rest
/// together are the exact key.
#[inline(always)]
fn place(node: &Node, monotone: bool) -> (usize, u64) {
    let (key, bits) = if monotone { (node.cells, 36) } else { (node.cells | u64::from(node.mine) << 36, 46) };
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & ((1 << bits) - 1);
    let rest = bits - TABLE_BITS;
    ((mixed >> rest) as usize, mixed & ((1 << rest) - 1))
}

/// A lower and an upper bound of the value from safe cards: cards on the board that the other hand can no longer capture.
/// The basic rule only.
#[inline(always)]
fn safe(node: &Node, by_us: u16, by_them: u16) -> (i32, i32) {
    let ours = node.mine & !node.unlaid & !by_them;
    let theirs = ALL & !node.mine & !node.unlaid & !by_us;
    // Each player ends with one card that cannot be captured any more: the last card played, and the card never played.
    (ours.count_ones() as i32 + 1, 9 - theirs.count_ones() as i32)
}
