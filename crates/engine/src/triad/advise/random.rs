//! Against random play: the opponent plays a uniformly random card of his hand on a uniformly random cell, and I maximise
//! the aim.
//!
//! No probability is needed. Every sequence of the opponent's choices is equally likely, in every world, so it is enough to
//! count: in how many pairs of a world and a sequence of choices do I win, and in how many do I draw?
//!
//! ```text
//! end              the ways in which the worlds left can have played the cards played (the weight of the belief)
//! opponent's move  the sum over all moves
//! my move          the best of all moves
//! ```
//!
//! This also shows that the board is the whole state. In each world each sequence of cards and cells has the same
//! probability, so the worlds left stay equally likely, whatever was played before. Only a world with two equal cards counts
//! more often, and how often depends on which cards were played, not on when.
//!
//! The counts of wins and draws are one number that can be added and compared: see [`Aim`]. At most 64 worlds x 113,400
//! sequences = 7.3 million, so each count has room in 31 bits.
//!
//! A sum that cannot reach the best move known so far any more is not finished (*star1*): each move that is still to be
//! looked at counts at most as if it always won.

use super::beliefs::Belief;
use super::last_three::{LastThree, New, OTHERS, bits};
use super::node::{Node, Table};
use super::{Aim, Chances, Side};
use crate::error::Error;
use grid::mix;
use triad::Move;

/// Positions with fewer empty cells are not stored.
const STORED_LEFT: usize = 4;

/// Wins and draws in one number, with the aim in the high half.
///
/// ```text
/// aim      bits 32..63        bits 0..32
/// points   2 wins + draws     wins
/// win      wins               draws
/// ```
type Count = i64;

impl Aim {
    const fn win(self) -> Count {
        match self {
            Self::Points => 2 << 32 | 1,
            Self::Win => 1 << 32,
        }
    }

    const fn draw(self) -> Count {
        match self {
            Self::Points => 1 << 32,
            Self::Win => 1,
        }
    }

    /// The chances, from a count of `all` equally likely cases.
    fn chances(self, count: Count, all: Count) -> Chances {
        let (high, low) = ((count >> 32) as f64, (count & 0xffff_ffff) as f64);
        let (wins, draws) = match self {
            Self::Points => (low, high - 2.0 * low),
            Self::Win => (high, low),
        };
        let all = all as f64;
        Chances { win: wins / all, draw: draws / all, loss: (all - wins - draws) / all, error: None }
    }
}

/// A transposition table of counts, one per thread. An entry is a key, with bit 61 set if the count is only an upper bound,
/// and the count.
pub(super) struct Counts(Box<[(u64, Count)]>);

/// 2^18 entries: 4 MiB.
const TABLE_BITS: u32 = 18;

const UPPER: u64 = 1 << 61;

impl Counts {
    pub(super) fn new() -> Self {
        Self(vec![(u64::MAX, 0); 1 << TABLE_BITS].into_boxed_slice())
    }
}

/// The search for one position and aim.
pub(super) struct Random<'a, 'b, const SPECIAL: bool> {
    table: &'b mut Table<'a, SPECIAL>,
    counts: &'b mut Counts,
    aim: Aim,
    /// By the number of cards that I own at the end.
    values: [Count; 16],
    /// By the number of empty cells: the sequences of choices that the opponent has from there on, in one world.
    sequences: [Count; 10],
}

impl<'a, 'b, const SPECIAL: bool> Random<'a, 'b, SPECIAL> {
    pub(super) fn new(table: &'b mut Table<'a, SPECIAL>, counts: &'b mut Counts, aim: Aim) -> Self {
        let mut sequences = [1; 10];
        for left in 1..10 {
            let is_mine = (left % 2 == 1) == (table.deal.setup().first == Side::Me);
            let choices = if is_mine { 1 } else { table.choices(left) * left };
            sequences[left] = choices as Count * sequences[left - 1];
        }
        let mut values = [0; 16];
        values[5] = aim.draw();
        values[6..].fill(aim.win());
        Self { table, counts, aim, values, sequences }
    }

    /// The chances of a node.
    ///
    /// # Errors
    /// If the control stops the search.
    pub(super) fn chances(&mut self, node: &Node) -> Result<Chances, Error> {
        let count = self.count(node, -1);
        let cases = Count::from(self.table.belief(node).weight) * self.sequences[node.left()];
        self.table.stopped_by().map_or(Ok(self.aim.chances(count, cases)), |stop| Err(stop.into()))
    }

    /// The count of a node if it is above `bar`, otherwise an upper bound of it. Meaningless once the meter has stopped.
    fn count(&mut self, node: &Node, bar: Count) -> Count {
        if !self.table.meter.pay() {
            return 0;
        }
        let left = node.left();
        if left < STORED_LEFT {
            return if left == 3 && self.table.at_once { self.last_three(node) } else { self.last(node) };
        }
        let is_mine = self.table.is_mine(node);
        let key = node.key();
        let slot = (mix(key) >> (64 - TABLE_BITS)) as usize;
        let (known, count) = self.counts.0[slot];
        if known == key || known == key | UPPER && count <= bar {
            return count;
        }
        let (count, exact) = if is_mine { self.best(node, bar) } else { self.sum(node, bar) };
        if self.table.stopped_by().is_none() {
            self.counts.0[slot] = (if exact { key } else { key | UPPER }, count);
        }
        count
    }

    fn best(&mut self, node: &Node, bar: Count) -> (Count, bool) {
        let candidates = self.table.candidates(node, true, u8::MAX);
        let all = Count::from(self.table.belief(node).weight) * self.sequences[node.left()] * self.aim.win();
        let mut best = bar;
        // The largest bound of the moves that were not finished.
        let mut most = 0;
        for candidate in candidates.as_slice() {
            let next = self.table.after(node, candidate.mv(), candidate.flips(), true);
            self.table.lay(candidate.mv());
            let count = self.count(&next, best);
            self.table.lift(candidate.mv());
            most = most.max(count);
            best = best.max(count);
            if best == all {
                break;
            }
        }
        (most, most > bar)
    }

    fn sum(&mut self, node: &Node, bar: Count) -> (Count, bool) {
        let left = node.left();
        let belief = self.table.belief(node);
        let each = self.sequences[left - 1] * self.aim.win();
        let candidates = self.table.candidates(node, false, u8::MAX);
        let mut rest = Count::from(belief.weight) * self.sequences[left] * self.aim.win();
        let mut sum = 0;
        for candidate in candidates.as_slice() {
            let next = self.table.after(node, candidate.mv(), candidate.flips(), false);
            rest -= Count::from(self.table.belief(&next).weight) * each;
            self.table.lay(candidate.mv());
            let count = self.count(&next, bar - sum - rest);
            self.table.lift(candidate.mv());
            sum += count;
            if sum + rest <= bar {
                return (sum + rest, false);
            }
        }
        (sum, true)
    }

    /// The last cards, every line of them.
    fn last(&mut self, node: &Node) -> Count {
        let is_mine = self.table.is_mine(node);
        let playable = self.table.playable(node, is_mine);
        let left = node.left();
        if left == 0 {
            return self.end(node.own, self.table.belief(node).weight);
        }
        let mut result = 0;
        for cell in node.free {
            let mut cards = playable;
            while cards != 0 {
                let mv = Move::new(cards.trailing_zeros() as u8, cell);
                cards &= cards - 1;
                let flips = self.table.flips(node, mv, is_mine);
                let next = self.table.after(node, mv, flips, is_mine);
                let count = if left == 1 {
                    self.end(next.own, self.table.belief(&next).weight)
                } else {
                    self.table.lay(mv);
                    let count = self.last(&next);
                    self.table.lift(mv);
                    count
                };
                result = if is_mine { result.max(count) } else { result + count };
            }
        }
        result
    }

    /// The last three cards at once.
    fn last_three(&mut self, node: &Node) -> Count {
        let last = LastThree::new(&*self.table, node);
        let belief = self.table.belief(node);
        let beliefs = self.table.beliefs;
        let weight = |belief: &Belief, card: u8| Count::from(beliefs.get(belief.after(card)).weight);
        let mut result = 0;
        if self.table.is_mine(node) {
            for (p, others) in OTHERS {
                for (card, kept) in [(last.hand[0], last.hand[1]), (last.hand[1], last.hand[0])] {
                    let first = New { card, at: p };
                    let own = last.first(self.table, node.own, first, true);
                    let mut sum = 0;
                    for (q, r) in [(others[0], others[1]), (others[1], others[0])] {
                        for card in bits(belief.playable) {
                            let reply = New { card, at: q };
                            let own = last.second(self.table, own, first, reply, false);
                            let own = last.third(self.table, own, [first, reply], New { card: kept, at: r }, true);
                            sum += self.end(own, 1) * weight(belief, card);
                        }
                    }
                    result = sum.max(result);
                }
            }
            return result;
        }
        for (p, others) in OTHERS {
            for card in bits(belief.playable) {
                let first = New { card, at: p };
                let own = last.first(self.table, node.own, first, false);
                let after = beliefs.get(belief.after(card));
                let mut best = 0;
                for (q, r) in [(others[0], others[1]), (others[1], others[0])] {
                    for mine in last.hand {
                        let mine = New { card: mine, at: q };
                        let own = last.second(self.table, own, first, mine, true);
                        let mut sum = 0;
                        for card in bits(after.playable) {
                            let own = last.third(self.table, own, [first, mine], New { card, at: r }, false);
                            sum += self.end(own, 1) * weight(after, card);
                        }
                        best = sum.max(best);
                    }
                }
                result += best;
            }
        }
        result
    }

    /// The count of an end that occurs this often.
    #[inline(always)]
    fn end(&self, own: u16, weight: u32) -> Count {
        self.values[own.count_ones() as usize & 15] * Count::from(weight)
    }
}
