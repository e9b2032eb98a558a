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
use super::node::{Node, Table};
use super::{Aim, Chances, Side};
use crate::error::Error;
use grid::{Cell, Direction, mix};
use triad::Move;
use triad::kernel::fast::Rank;

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
    /// Whether the last three cards need no board.
    at_once: bool,
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
        let at_once = !SPECIAL && table.is_free();
        Self { table, counts, aim, values, at_once, sequences }
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
            return if left == 3 && self.at_once { self.last_three(node) } else { self.last(node) };
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

    /// The last three cards, if only the basic rule captures, ranks do not change and nobody plays in order. Which cards a
    /// card takes then does not depend on their owners, so a line is three sets of cards, found without a board:
    ///
    /// ```text
    /// I move first   ((own | first) & !reply) | last            he moves first   ((own & !first) | mine) & !last
    /// ```
    ///
    /// What the new cards take from the board is looked up once for each card and cell. What they take from each other is
    /// one bit of the tables. Price: see `bench/LOG.md`.
    fn last_three(&self, node: &Node) -> Count {
        let mut cells = [Cell::CENTRE; 3];
        for (to, cell) in cells.iter_mut().zip(node.free) {
            *to = cell;
        }
        let hand = self.table.playable(node, true);
        let [one, other] = [hand.trailing_zeros() as u8, (hand & (hand - 1)).trailing_zeros() as u8];
        let belief = self.table.belief(node);
        let is_mine = self.table.is_mine(node);
        let mut cards = hand | belief.playable;
        if !is_mine {
            // After the first of two equal cards the second can be played.
            for card in bits(belief.playable) {
                cards |= self.table.beliefs.get(belief.after(card)).playable;
            }
        }
        let line = Line::new(&*self.table, cells, cards);
        let weight = |belief: &Belief, card: u8| Count::from(self.table.beliefs.get(belief.after(card)).weight);
        if is_mine {
            let mut best = 0;
            for (p, [q, r]) in OTHERS {
                for (first, last) in [(one, other), (other, one)] {
                    let own = node.own | line.takes(first, p);
                    let mut sum = 0;
                    for (q, r) in [(q, r), (r, q)] {
                        let retakes = line.takes(last, r) | line.beats(last, r, p) & 1 << first;
                        let beats = line.beats(last, r, q);
                        for card in bits(belief.playable) {
                            let reply = line.takes(card, q) | line.beats(card, q, p) & 1 << first;
                            let own = own & !reply | retakes | beats & 1 << card;
                            sum += self.value(own) * weight(belief, card);
                        }
                    }
                    best = best.max(sum);
                }
            }
            return best;
        }
        let mut sum = 0;
        for (p, [q, r]) in OTHERS {
            for first in bits(belief.playable) {
                let own = node.own & !line.takes(first, p);
                let after = self.table.beliefs.get(belief.after(first));
                let mut best = 0;
                for (q, r) in [(q, r), (r, q)] {
                    for mine in [one, other] {
                        let own = own | line.takes(mine, q) | line.beats(mine, q, p) & 1 << first;
                        let mut sum = 0;
                        for last in bits(after.playable) {
                            let back = line.beats(last, r, p) & 1 << first | line.beats(last, r, q) & 1 << mine;
                            let own = own & !(line.takes(last, r) | back);
                            sum += self.value(own) * weight(after, last);
                        }
                        best = best.max(sum);
                    }
                }
                sum += best;
            }
        }
        sum
    }

    #[inline(always)]
    fn value(&self, own: u16) -> Count {
        self.values[own.count_ones() as usize & 15]
    }

    #[inline(always)]
    fn end(&self, own: u16, weight: u32) -> Count {
        self.value(own) * Count::from(weight)
    }
}

/// The place of a cell among the last three, and the other two.
const OTHERS: [(usize, [usize; 2]); 3] = [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])];

/// The cards of a set.
#[inline(always)]
fn bits(mut cards: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let card = cards.trailing_zeros() as u8;
        cards &= cards.wrapping_sub(1);
        (card < 16).then_some(card)
    })
}

/// The captures of the last three cards.
struct Line<'a> {
    rank: Rank<'a>,
    cells: [Cell; 3],
    /// By card and place of the cell: what it takes on the board.
    takes: [[u16; 4]; 16],
    /// By two places: the shift of the lane from one to the other; 64 if they are not adjacent.
    lane: [[u32; 3]; 3],
}

impl<'a> Line<'a> {
    #[inline(always)]
    fn new<const SPECIAL: bool>(table: &Table<'a, SPECIAL>, cells: [Cell; 3], cards: u16) -> Self {
        let mut line = Self { rank: table.rank(), cells, takes: [[0; 4]; 16], lane: [[64; 3]; 3] };
        for (at, cell) in cells.into_iter().enumerate() {
            for card in bits(cards) {
                line.takes[usize::from(card & 15)][at] = table.takes(&line.rank, Move::new(card, cell));
            }
            for (there, other) in cells.into_iter().enumerate() {
                line.lane[at][there] = LANE[cell.index()][other.index()].into();
            }
        }
        line
    }

    #[inline(always)]
    fn takes(&self, card: u8, at: usize) -> u16 {
        self.takes[usize::from(card & 15)][at]
    }

    /// The cards that a card on one cell would take on another.
    #[inline(always)]
    fn beats(&self, card: u8, at: usize, there: usize) -> u16 {
        let row = self.rank.beats(Move::new(card, self.cells[at]));
        row.checked_shr(self.lane[at][there]).unwrap_or(0) as u16
    }
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
