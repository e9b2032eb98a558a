//! Guaranteed: in how many worlds one strategy reaches the target, when the opponent answers best in each.
//!
//! A strategy is a fixed answer to everything I can see (a pure strategy; mixing answers at random can win more on average,
//! but guarantees nothing more). It loses some set of worlds. A search returns the minimal sets that can be lost, a
//! *front*:
//!
//! ```text
//! my move          the minimal sets of the fronts of all moves
//! opponent's move  one set from the front of each move, united: a world is lost if any move that it allows loses it
//! my draw          under Chaos: one set from the front of each card, united: the draws are the enemy's choice
//! end              nothing is lost, or all worlds left; if draws are replayed, those whose replay fails
//! ```
//!
//! Only sets of at most `slack` worlds are kept. With a slack of 0 this is the search of [`certain`](super::certain); each
//! larger slack costs more. So the slack grows until a set is found: its size is the least number of worlds to lose.
//!
//! A world that is lost anyway is *dead*: the answers to what it may still play do not matter. Worlds that are lost openly
//! are dead from the start. At an opponent's move the worlds that every set of the front so far loses are dead for the moves
//! that follow, which makes the search four times as fast (`bench/LOG.md`).

use super::last_three::{LastThree, New, OTHERS, bits};
use super::node::{Node, Table, table_bits};
use ::search::Stop;
use grid::mix;

/// Positions with fewer empty cells are not stored.
const STORED_LEFT: usize = 4;

/// The longest front that an entry holds. Longer ones are not stored.
const LONGEST: usize = 5;

/// The fronts found so far, for one position. An entry is one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Entry {
    /// The key of the node, and the target in the bits above it.
    key: u64,
    /// The worlds left that were given up before.
    dead: u64,
    sets: [u64; LONGEST],
    slack: u8,
    length: u8,
}

const _: () = assert!(size_of::<Entry>() == 64);

/// A transposition table of fronts.
pub(super) struct Fronts {
    entries: Box<[Entry]>,
    /// The shift that leaves the number of an entry of a mixed key.
    shift: u32,
}

/// At most 2^17 entries: 8 MiB.
const TABLE_BITS: u32 = 17;

impl Fronts {
    /// A table of at most so many bytes, but at least a few entries.
    pub(super) fn new(memory: usize) -> Self {
        let none = Entry { key: 0, dead: 0, sets: [0; LONGEST], slack: 0, length: 0 };
        let bits = table_bits::<Entry>(memory, TABLE_BITS);
        Self { entries: vec![none; 1 << bits].into_boxed_slice(), shift: 64 - bits }
    }
}

/// A search for one target.
pub(super) struct Guaranteed<'a, 'b, const SPECIAL: bool> {
    table: &'b mut Table<'a, SPECIAL>,
    fronts: &'b mut Fronts,
    /// The cards to own at the end: 6 wins, 5 draws.
    target: u32,
    /// Fronts of the present line, one after the other.
    stack: Vec<u64>,
}

impl<'a, 'b, const SPECIAL: bool> Guaranteed<'a, 'b, SPECIAL> {
    pub(super) fn new(table: &'b mut Table<'a, SPECIAL>, fronts: &'b mut Fronts, target: u32) -> Self {
        Self { table, fronts, target, stack: Vec::new() }
    }

    /// The least number of worlds to lose besides those of `dead`, which are given up, if it is at most `slack`.
    ///
    /// # Errors
    /// If the control stops the search.
    pub(super) fn least_lost(&mut self, node: &Node, slack: u32, dead: u64) -> Result<Option<u32>, Stop> {
        self.stack.clear();
        self.front(node, slack, dead);
        let least = self.stack.iter().map(|set| set.count_ones()).min();
        self.table.stopped_by().map_or(Ok(least), Err)
    }

    /// Pushes the minimal sets of at most `slack` worlds that can be lost besides those of `dead`.
    fn front(&mut self, node: &Node, slack: u32, dead: u64) {
        if !self.table.meter.pay() {
            return;
        }
        let left = node.left();
        let is_mine = self.table.is_mine(node);
        if left <= 1 || left == 2 && !is_mine {
            let lost = self.lost(node, slack, dead);
            if lost.count_ones() <= slack {
                self.stack.push(lost);
            }
            return;
        }
        if left == 3 && self.table.at_once && !self.table.drawn {
            return self.last_three(node, slack, dead);
        }
        let base = self.stack.len();
        let dead = dead & self.table.belief(node).worlds;
        let (key, mut slot) = (node.key() | u64::from(self.target & 1) << 61 | 1 << 62, 0);
        if left >= STORED_LEFT {
            slot = (mix(key) >> self.fronts.shift) as usize;
            if self.known(slot, key, slack, dead) {
                return;
            }
        }
        // The worlds that every set of the front loses.
        let mut common = 0;
        let drawn = is_mine && self.table.drawn;
        if !is_mine || drawn {
            self.stack.push(0);
        }
        for cards in Table::<SPECIAL>::groups(self.table.playable(node, is_mine), drawn) {
            if drawn && self.table.belief(node).worlds & !(dead | common) == 0 {
                break;
            }
            let card_base = if drawn { self.stack.len() } else { base };
            let candidates = self.table.candidates(node, is_mine, cards, u8::MAX);
            for candidate in candidates.as_slice() {
                let from = self.stack.len();
                let next = self.table.after(node, candidate.mv(), candidate.flips(), is_mine);
                if self.table.belief(&next).worlds & !(dead | common) == 0 {
                    continue;
                }
                self.table.lay(candidate.mv());
                self.front(&next, slack - common.count_ones(), dead | common);
                self.table.lift(candidate.mv());
                if is_mine {
                    self.either(card_base, from);
                    if self.stack[card_base..] == [0] {
                        break;
                    }
                } else {
                    self.both(base, from, slack);
                    if self.stack.len() == base {
                        break;
                    }
                    common = self.common(base);
                }
            }
            if drawn {
                self.both(base, card_base, slack);
                if self.stack.len() == base {
                    break;
                }
                common = self.common(base);
            }
        }
        let length = self.stack.len() - base;
        if left >= STORED_LEFT && length <= LONGEST && self.table.stopped_by().is_none() {
            let entry = &mut self.fronts.entries[slot];
            entry.sets[..length].copy_from_slice(&self.stack[base..]);
            (entry.key, entry.dead) = (key, dead);
            (entry.slack, entry.length) = (slack as u8, length as u8);
        }
    }

    /// Pushes the front of a node if the table knows it.
    ///
    /// A front that was found with fewer worlds given up still counts, without the worlds that are given up now, if its
    /// slack allowed for them. If not even fewer worlds can be held with this slack, more cannot.
    #[inline(always)]
    fn known(&mut self, slot: usize, key: u64, slack: u32, dead: u64) -> bool {
        let entry = self.fronts.entries[slot];
        if entry.key != key {
            return false;
        }
        let sets = &entry.sets[..usize::from(entry.length).min(LONGEST)];
        let enough = u32::from(entry.slack);
        if dead & !entry.dead == 0 && sets.is_empty() && enough >= slack {
            return true;
        }
        let more = dead & !entry.dead;
        if entry.dead & !dead != 0 {
            return false;
        }
        if sets.iter().any(|set| set & !more == 0) {
            self.stack.push(0);
            return true;
        }
        if enough < slack + more.count_ones() {
            return false;
        }
        let base = self.stack.len();
        for set in sets {
            self.add(base, set & !more, slack);
        }
        true
    }

    /// Keeps the minimal sets of the two fronts `base..from` and `from..`.
    fn either(&mut self, base: usize, from: usize) {
        let mut end = from;
        for at in from..self.stack.len() {
            end = keep_minimal(&mut self.stack, base, end, at);
        }
        self.stack.truncate(end);
    }

    /// Replaces the two fronts `base..from` and `from..` by the minimal unions of one set of each.
    fn both(&mut self, base: usize, from: usize, slack: u32) {
        let to = self.stack.len();
        if self.stack[from..] == [0] {
            self.stack.truncate(from);
            return;
        }
        for one in base..from {
            for other in from..to {
                self.add(to, self.stack[one] | self.stack[other], slack);
            }
        }
        self.stack.drain(base..to);
    }

    /// The last three cards at once.
    fn last_three(&mut self, node: &Node, slack: u32, dead: u64) {
        let last = LastThree::new(&*self.table, node);
        let belief = self.table.belief(node);
        let beliefs = self.table.beliefs;
        let base = self.stack.len();
        if self.table.is_mine(node) {
            for (p, [q, r]) in OTHERS {
                for (card, kept) in [(last.hand[0], last.hand[1]), (last.hand[1], last.hand[0])] {
                    let first = New { card, at: p };
                    let own = last.first(self.table, node.own, first, true);
                    let mut lost = 0;
                    for (q, r) in [(q, r), (r, q)] {
                        for card in bits(belief.playable) {
                            let worlds = beliefs.get(belief.after(card)).worlds & !dead;
                            if worlds & !lost == 0 {
                                continue;
                            }
                            let reply = New { card, at: q };
                            let own = last.second(self.table, own, first, reply, false);
                            let own = last.third(self.table, own, [first, reply], New { card: kept, at: r }, true);
                            lost |= if own.count_ones() >= self.target { 0 } else { worlds };
                        }
                    }
                    self.add(base, lost, slack);
                    if lost == 0 {
                        return;
                    }
                }
            }
            return;
        }
        self.stack.push(0);
        let mut common = 0;
        for (p, [q, r]) in OTHERS {
            for card in bits(belief.playable) {
                let after = beliefs.get(belief.after(card));
                if after.worlds & !(dead | common) == 0 {
                    continue;
                }
                let first = New { card, at: p };
                let own = last.first(self.table, node.own, first, false);
                let from = self.stack.len();
                'mine: for (q, r) in [(q, r), (r, q)] {
                    for card in last.hand {
                        let mine = New { card, at: q };
                        let own = last.second(self.table, own, first, mine, true);
                        let mut lost = 0;
                        for card in bits(after.playable) {
                            let worlds = beliefs.get(after.after(card)).worlds & !(dead | common);
                            if worlds & !lost == 0 {
                                continue;
                            }
                            let own = last.third(self.table, own, [first, mine], New { card, at: r }, false);
                            lost |= if own.count_ones() >= self.target { 0 } else { worlds };
                        }
                        self.add(from, lost, slack - common.count_ones());
                        if lost == 0 {
                            break 'mine;
                        }
                    }
                }
                self.both(base, from, slack);
                if self.stack.len() == base {
                    return;
                }
                common = self.common(base);
            }
        }
    }

    /// Adds a set to the front `base..`, if it is not too large.
    fn add(&mut self, base: usize, set: u64, slack: u32) {
        if set.count_ones() <= slack {
            let end = self.stack.len();
            self.stack.push(set);
            let end = keep_minimal(&mut self.stack, base, end, end);
            self.stack.truncate(end);
        }
    }

    /// The worlds that every set of the front `base..` loses.
    fn common(&self, base: usize) -> u64 {
        self.stack[base..].iter().fold(u64::MAX, |all, set| all & set)
    }

    /// The worlds that are lost when I have no choice left: one cell, or two and the opponent moves. Stops counting above
    /// the slack.
    fn lost(&mut self, node: &Node, slack: u32, dead: u64) -> u64 {
        if node.free.is_empty() {
            return self.table.falls_short(node, self.target) & !dead;
        }
        let is_mine = self.table.is_mine(node);
        let mut lost = 0u64;
        for mv in Table::<SPECIAL>::moves(node, self.table.playable(node, is_mine)) {
            let next = self.table.next(node, mv, is_mine);
            if self.table.belief(&next).worlds & !(dead | lost) == 0 {
                continue;
            }
            self.table.lay(mv);
            lost |= self.lost(&next, slack, dead | lost);
            self.table.lift(mv);
            if lost.count_ones() > slack {
                return lost;
            }
        }
        lost
    }
}

/// Adds the set at `at` to the minimal sets `base..end` unless one of them is within it, and drops those that contain it.
/// Returns the new end.
#[inline(always)]
fn keep_minimal(stack: &mut [u64], base: usize, mut end: usize, at: usize) -> usize {
    let set = stack[at];
    let mut other = base;
    while other < end {
        if stack[other] & !set == 0 {
            return end;
        }
        if set & !stack[other] == 0 {
            end -= 1;
            stack[other] = stack[end];
        } else {
            other += 1;
        }
    }
    stack[end] = set;
    end + 1
}
