//! The search under Chaos: exact chances when cards are drawn and both players place them best.
//!
//! Chances are counted, not added up as fractions. A node with hands of m and n cards has m! x n! equally likely ways to draw
//! the rest (a hand from which nothing is drawn counts once), and its [`Tally`] says in how many of them the mover wins or draws:
//!
//! ```text
//! tally(node) = sum over the cards of the mover's hand of  max over the cells of  reversed(tally(child))
//! ```
//!
//! A sum needs no division, because the node has as many ways as its children together. So every number is a small integer,
//! equal values are equal, and 14,400 ways from the empty board fit into 14 bits.
//!
//! Positions with at least four empty cells are stored with their exact key (see [`Memo`]). Without Ascension and Descension,
//! the last three cards are played in all 24 ways at once (`kernel::ending`). Figures in `bench/LOG.md`.

use super::{ALL, Node};
use crate::triad::captures::{Captures, To};
use ::search::Meter;
use fearless_simd_macros::simd;
use grid::simd::fearless_simd::{prelude::*, u16x8, u32x4, u64x2};
use grid::simd::{Simd, fearless_simd};
use grid::{Cell, Player};
use std::sync::atomic::{AtomicU64, Ordering};
use triad::kernel::ending::Last;
use triad::{Deal, HAND, Move};

/// In how many of the equally likely ways to draw the cards the mover wins and draws. Ordered by points, then by wins.
///
/// ```text
/// bits  0..16 wins   16..32 twice the points: two for a win, one for a draw
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::triad) struct Tally(u32);

impl Tally {
    const LOSS: Self = Self(0);

    const fn of(cards: u32) -> Self {
        Self(if cards > 5 {
            2 << 16 | 1
        } else if cards == 5 {
            1 << 16
        } else {
            0
        })
    }

    const fn half_points(self) -> u32 {
        self.0 >> 16
    }

    pub(in crate::triad) const fn wins(self) -> u32 {
        self.0 & 0xffff
    }

    pub(in crate::triad) const fn draws(self) -> u32 {
        self.half_points() - 2 * self.wins()
    }

    /// The same for the other player, of `ways` in all.
    const fn reversed(self, ways: u32) -> Self {
        let losses = ways - (self.half_points() - self.wins());
        Self((2 * ways - self.half_points()) << 16 | losses)
    }
}

/// Positions with their tallies, for all threads of one question. An entry is one word, so no thread sees half of one.
///
/// ```text
/// bits 0..29 the tally (14 bits wins, 15 bits half points)   29..63 the rest of the key   63 set: used
/// ```
///
/// The key is the board with its owners, 46 bits. Multiplying by an odd number is a bijection, so the number of the line and
/// the rest of the key together are the exact key.
pub(in crate::triad) struct Memo {
    entries: Box<[AtomicU64]>,
    /// Binary logarithm of the number of lines.
    bits: u32,
}

/// Entries of a line of the memo.
const WAYS: usize = 4;

/// The rest of a key has 34 bits at most.
const LEAST_BITS: u32 = 46 - 34;

impl Memo {
    /// A memo for a position with `left` empty cells, within `memory` bytes if that is enough for the smallest.
    pub(in crate::triad) fn new(left: usize, memory: Option<usize>) -> Self {
        // Positions that a question reaches, by empty cells; figures in `bench/LOG.md`.
        let mut bits = [12, 12, 12, 12, 12, 12, 14, 17, 20, 21][left.min(9)];
        let bytes = |bits: u32| (WAYS * size_of::<AtomicU64>()) << bits;
        while bits > LEAST_BITS && memory.is_some_and(|memory| bytes(bits) > memory) {
            bits -= 1;
        }
        let mut entries = Vec::new();
        while bits > LEAST_BITS && entries.try_reserve_exact(WAYS << bits).is_err() {
            bits -= 1;
        }
        entries.resize_with(WAYS << bits, AtomicU64::default);
        Self { entries: entries.into_boxed_slice(), bits }
    }

    #[inline(always)]
    fn place(&self, node: &Node) -> (&[AtomicU64; WAYS], u64) {
        let key = node.cells | u64::from(node.mine) << 36;
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & ((1 << 46) - 1);
        let rest = 46 - self.bits;
        let (lines, _) = self.entries.as_chunks();
        (&lines[(mixed >> rest) as usize], 1 << 63 | (mixed & ((1 << rest) - 1)) << 29)
    }

    #[inline(always)]
    fn get(&self, node: &Node) -> Option<Tally> {
        let (line, tag) = self.place(node);
        let words = line.iter().map(|entry| entry.load(Ordering::Relaxed));
        let word = words.into_iter().find(|word| word >> 29 == tag >> 29)?;
        Some(Tally((word as u32 >> 14 & 0x7fff) << 16 | word as u32 & 0x3fff))
    }

    #[inline(always)]
    fn put(&self, node: &Node, tally: Tally) {
        let (line, tag) = self.place(node);
        let free = line.iter().position(|entry| entry.load(Ordering::Relaxed) == 0);
        // A full line gives up an entry chosen by the key.
        let at = free.unwrap_or((tag >> 29) as usize % WAYS);
        line[at].store(tag | u64::from(tally.half_points()) << 14 | u64::from(tally.wins()), Ordering::Relaxed);
    }
}

/// The search of one deal.
pub(in crate::triad) struct Draws<'a, C> {
    captures: C,
    memo: &'a Memo,
    meter: Meter<'a>,
    /// The number of the first card of the player who moves when the number of empty cells is even, odd. Odd is the opener.
    base: [u8; 2],
    ordered: [bool; 2],
    /// Whether that player's cards are drawn.
    drawn: [bool; 2],
    /// The ways to draw the rest, by empty cells.
    ways: [u32; 10],
}

impl<'a, C: Captures> Draws<'a, C> {
    pub(in crate::triad) fn new(deal: &Deal, captures: C, memo: &'a Memo, meter: Meter<'a>) -> Self {
        let opener = deal.setup().first;
        let players = [opener.other(), opener];
        let rules = deal.setup().rules;
        let drawn = players.map(|player| rules.is_chaotic(player));
        let mut ways = [1; 10];
        for left in 1..10 {
            // The mover of a node with so many empty cells holds this many cards.
            let hand = left as u32 / 2 + 1;
            ways[left] = ways[left - 1] * if drawn[left & 1] { hand } else { 1 };
        }
        Self {
            captures,
            memo,
            meter,
            base: players.map(|player| if player == Player::First { 0 } else { HAND as u8 }),
            ordered: players.map(|player| rules.is_ordered(player)),
            drawn,
            ways,
        }
    }

    pub(in crate::triad) fn meter(&self) -> &Meter<'a> {
        &self.meter
    }

    /// The ways to draw the rest with `left` empty cells.
    pub(in crate::triad) fn ways(&self, left: usize) -> u32 {
        self.ways[left]
    }

    /// The tally of a move for the mover of the node, of [`ways`](Self::ways) after the move. It means nothing if the meter
    /// has stopped.
    pub(in crate::triad) fn tally_of<S: Simd>(&mut self, simd: S, node: Node, mv: Move, flips: u16) -> Tally {
        let next = node.after(mv, flips, self.captures.step(mv));
        self.captures.lay(simd, mv);
        let tally = self.node(simd, next);
        self.captures.lift(simd, mv);
        tally.reversed(self.ways[next.left as usize])
    }

    #[inline(always)]
    fn at_once(&self) -> bool {
        C::AT_ONCE && !self.ordered[0] && !self.ordered[1]
    }

    /// The hand of the player who moves at that parity, five bits.
    #[inline(always)]
    fn hand(&self, node: &Node, parity: usize) -> u16 {
        node.unlaid >> self.base[parity & 1] & 0x1f
    }

    /// The tally of a node for its mover. Once the meter has stopped, every call returns at once.
    #[simd]
    fn node<S: Simd>(&mut self, simd: S, node: Node) -> Tally {
        if node.left == 0 {
            return Tally::of(node.mine.count_ones());
        }
        if !self.meter.pay() {
            return Tally::LOSS;
        }
        if node.left == 3 && self.at_once() {
            let mut fires = [C::Fires::default(); 3];
            for (fires, cell) in fires.iter_mut().zip(node.free) {
                *fires = self.captures.fires(cell);
            }
            return self.last_three(simd, None, &node, fires);
        }
        if node.left < 4 {
            return self.cards(simd, &node);
        }
        if let Some(tally) = self.memo.get(&node) {
            return tally;
        }
        let tally = self.cards(simd, &node);
        if self.meter.stopped_by().is_none() {
            self.memo.put(&node, tally);
        }
        tally
    }

    /// Plays every card of the mover on every cell.
    #[inline(always)]
    fn cards<S: Simd>(&mut self, simd: S, node: &Node) -> Tally {
        let mover = (node.left & 1) as usize;
        let hand = self.hand(node, mover);
        let playable = if self.ordered[mover] { hand & hand.wrapping_neg() } else { hand };
        let base = self.base[mover];
        let mut fires = [C::Fires::default(); 9];
        let mut cells = [Cell::CENTRE; 9];
        for ((cell_fires, to), cell) in fires.iter_mut().zip(&mut cells).zip(node.free) {
            (*cell_fires, *to) = (self.captures.fires(cell), cell);
        }
        let ways = self.ways[node.left as usize - 1];
        let kernel = node.left == 4 && self.at_once();
        let mut best = [Tally::LOSS; 8];
        let mut playing = playable;
        for at in 0..node.left as usize {
            let cell = cells[at % 9];
            let to = To { cell, level: node.level, mover, hand: playable, base, enemy: ALL ^ node.mine };
            let mut flips: [u16; 8] = [0; 8];
            self.captures.flips(simd, to, fires[at % 9]).store_slice(&mut flips);
            let mut cards = playing;
            while cards != 0 {
                let place = cards.trailing_zeros() as usize & 7;
                cards &= cards - 1;
                let mv = Move::new(base + place as u8, cell);
                let next = node.after(mv, flips[place], self.captures.step(mv));
                let there = if kernel {
                    self.captures.mark(mv);
                    let mut beside = [C::Fires::default(); 3];
                    for (beside, other) in beside.iter_mut().zip([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]][at & 3]) {
                        *beside = self.captures.fires_beside(fires[other], cells[other], mv);
                    }
                    let there = self.last_three(simd, Some(mv), &next, beside);
                    self.captures.unmark(mv);
                    there
                } else {
                    self.captures.lay(simd, mv);
                    let there = self.node(simd, next);
                    self.captures.lift(simd, mv);
                    there
                };
                best[place] = best[place].max(there.reversed(ways));
                if there == Tally::LOSS {
                    // It wins whatever is drawn: no other cell is better.
                    playing &= !(1 << place);
                }
            }
        }
        let drawn = self.drawn[mover];
        best.into_iter().fold(Tally::LOSS, |sum, best| if drawn { Tally(sum.0 + best.0) } else { sum.max(best) })
    }

    /// The tally of a node with three cards to play, after `before`, which is marked. The opener is to move.
    #[inline(always)]
    fn last_three<S: Simd>(&mut self, simd: S, before: Option<Move>, node: &Node, fires: [C::Fires; 3]) -> Tally {
        let last = Last { free: node.free, ours: self.hand(node, 1), theirs: self.hand(node, 0) };
        let takes = self.captures.ends(simd, before, last);
        // No closure and no `map`: they would not inherit the instruction set.
        let mut ends = [u16x8::splat(simd, 0); 3];
        for (end, takes) in ends.iter_mut().zip(takes) {
            *end = takes.end(simd, node.mine);
        }
        if C::SAFE {
            let replies = self.replies(simd, ends);
            return self.best_of(replies);
        }
        // Same and Plus only capture more. So an end without them bounds the end with them, from below if the reply does
        // not fire, from above if only the reply does.
        let fires = self.captures.firing(simd, last, fires);
        let (none, all) = (u16x8::splat(simd, 0), u16x8::splat(simd, ALL));
        let (mut low, mut high) = (ends, ends);
        for at in 0..3 {
            low[at] = fires[at].reply.simd_eq(none).select(ends[at], none);
            high[at] = (fires[at].first | fires[at].last).simd_eq(none).select(ends[at], all);
        }
        let (low, high) = (self.replies(simd, low), self.replies(simd, high));
        let sure = self.best_of(low);
        if sure == self.best_of(high) {
            return sure;
        }
        let mut lanes = Lanes::default();
        for at in 0..3 {
            ends[at].store_slice(&mut lanes.ends[at]);
            takes[at].first.store_slice(&mut lanes.takes[at][0]);
            takes[at].reply.store_slice(&mut lanes.takes[at][1]);
            takes[at].last.store_slice(&mut lanes.takes[at][2]);
            fires[at].first.store_slice(&mut lanes.fires[at][0]);
            fires[at].reply.store_slice(&mut lanes.fires[at][1]);
            fires[at].last.store_slice(&mut lanes.fires[at][2]);
            low[at].store_slice(&mut lanes.low[at]);
            high[at].store_slice(&mut lanes.high[at]);
        }
        self.fire(node, last, &lanes)
    }

    /// The least of the replies to each of the two first cards, in lanes 0 and 2, from the cards that the opener owns at the
    /// end of each sequence.
    ///
    /// In the lanes a tally is `half points << 8 | wins`. The reply wants few points and then many wins, because of equal
    /// points a win and a loss are preferred to two draws by both. So the wins are inverted for the minimum.
    #[inline(always)]
    fn replies<S: Simd>(&self, simd: S, ends: [u16x8<S>; 3]) -> [u16x8<S>; 3] {
        let (zero, five, wins) = (u16x8::splat(simd, 0), u16x8::splat(simd, 5), u16x8::splat(simd, 0xff));
        let (won, drawn) = (u16x8::splat(simd, 0x201), u16x8::splat(simd, 0x100));
        let mut replies = [zero; 3];
        for (reply, end) in replies.iter_mut().zip(ends) {
            let cards = end.count_ones();
            let tally = cards.simd_gt(five).select(won, cards.simd_eq(five).select(drawn, zero)) ^ wins;
            let by_cell = tally.min(tally.slide::<4>(tally));
            let wide: u32x4<S> = by_cell.bitcast();
            let other: u16x8<S> = (wide >> 16).bitcast();
            *reply = if self.drawn[0] { (by_cell ^ wins) + (other ^ wins) } else { by_cell.min(other) ^ wins };
        }
        replies
    }

    /// The tally of a node with three cards to play from the replies to each first cell.
    #[inline(always)]
    fn best_of<S: Simd>(&self, [one, other, third]: [u16x8<S>; 3]) -> Tally {
        let best: u64x2<S> = one.max(other).max(third).bitcast();
        self.of_cards(best[0] as u16, (best[0] >> 32) as u16)
    }

    /// The tally of a node with three cards to play from the best of each of its two cards.
    #[inline(always)]
    fn of_cards(&self, one: u16, other: u16) -> Tally {
        let tally = u32::from(if self.drawn[1] { one + other } else { one.max(other) });
        Tally((tally >> 8) << 16 | tally & 0xff)
    }

    /// The tally of a node with three cards to play. Plays those of the 24 sequences that matter and in which Same or Plus
    /// fires.
    #[inline(always)]
    fn fire(&mut self, node: &Node, last: Last, lanes: &Lanes) -> Tally {
        let mut cells = [Cell::CENTRE; 3];
        for (to, cell) in cells.iter_mut().zip(node.free) {
            *to = cell;
        }
        let two = |hand: u16, base: u8| [hand, hand & (hand - 1)].map(|rest| rest.trailing_zeros() as u8 + base);
        let (ours, theirs) = (two(last.ours, self.base[1]), two(last.theirs, self.base[0]));
        let mut best = [0; 2];
        for card in 0..2 {
            let known = (0..3).map(|at| lanes.low[at][2 * card]);
            best[card] = known.fold(0, u16::max);
            for (at, others) in [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])] {
                if lanes.high[at][2 * card] <= best[card] {
                    continue;
                }
                let (takes, fires) = (&lanes.takes[at], &lanes.fires[at]);
                let first = Move::new(ours[card], cells[at]);
                let taken = if fires[0][2 * card] != 0 {
                    self.captures.flips_of(first, ALL ^ node.mine)
                } else {
                    takes[0][2 * card]
                };
                let mine = node.mine | taken;
                self.captures.mark(first);
                // The least of the two cells for each card of the reply.
                let mut replies = [0xffff; 2];
                for way in 0..4 {
                    let (half, other) = (way >> 1, way & 1);
                    let lane = 4 * half + 2 * card + other;
                    if replies[other] == 0 {
                        continue;
                    }
                    let mut end = lanes.ends[at][lane];
                    if fires[0][lane] | fires[1][lane] | fires[2][lane] != 0 {
                        let reply = Move::new(theirs[other], cells[others[half]]);
                        let lost =
                            if fires[1][lane] != 0 { self.captures.flips_of(reply, mine) } else { takes[1][lane] };
                        let mine = mine & !lost;
                        let won = if fires[2][lane] != 0 {
                            self.captures.mark(reply);
                            let last = Move::new(ours[card ^ 1], cells[others[half ^ 1]]);
                            let won = self.captures.flips_of(last, ALL ^ mine);
                            self.captures.unmark(reply);
                            won
                        } else {
                            takes[2][lane]
                        };
                        end = mine | won;
                    }
                    let tally: u16 = match end.count_ones() {
                        6.. => 0x201,
                        5 => 0x100,
                        _ => 0,
                    };
                    replies[other] = replies[other].min(tally);
                }
                self.captures.unmark(first);
                let [one, other] = replies;
                best[card] = best[card].max(if self.drawn[0] { one + other } else { one.min(other) });
            }
        }
        self.of_cards(best[0], best[1])
    }
}

/// The 24 sequences of the last three cards, by the first cell; lanes as in `kernel::ending`.
#[derive(Default)]
struct Lanes {
    /// The cards the opener owns at the end, if nothing fires.
    ends: [[u16; 8]; 3],
    /// Captures of the first card, the reply and the last card by the basic rule.
    takes: [[[u16; 8]; 3]; 3],
    /// Whether Same or Plus fires.
    fires: [[[u16; 8]; 3]; 3],
    /// In lanes 0 and 2: bounds of the least reply to each of the two first cards.
    low: [[u16; 8]; 3],
    high: [[u16; 8]; 3],
}
