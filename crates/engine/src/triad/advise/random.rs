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
//! sequences x 120 draws of mine = 871 million, so twice the count has room in 31 bits.
//!
//! Under Chaos my card is drawn: the count of my move is then the sum over the cards of the best of each. The *careful*
//! opponent, whose card is drawn too, places it where it costs me most, knowing no more than I do:
//!
//! ```text
//! my draw          the sum over my cards of the best cell
//! his draw         the sum over the cards that he may hold of the worst cell for me, all worlds with the card together
//! ```
//!
//! He knows the board, the card that was drawn and my hand, but he does not use the rest of his hand. So the board is the
//! whole state here too. With one world this is the open game under Chaos.
//!
//! A sum that cannot reach the best move known so far any more is not finished (*star1*): each move that is still to be
//! looked at counts at most as if it always won.

use super::beliefs::Belief;
use super::last_three::{LastThree, New, OTHERS, bits};
use super::node::{Node, Table, table_bits};
use super::{Aim, Chances, Side};
use crate::error::Error;
use grid::mix;

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

    /// The count that costs me more. Of equal points the opponent too likes a win and a loss better than two draws.
    #[inline(always)]
    fn worse(self, one: Count, other: Count) -> Count {
        let turned = match self {
            Self::Points => 0xffff_ffff,
            Self::Win => 0,
        };
        ((one ^ turned).min(other ^ turned)) ^ turned
    }

    /// The largest count whose high half is that of this one or less, if this one is the smallest in the order of the
    /// opponent.
    const fn most_with(self, count: Count) -> Count {
        match self {
            // Of so many half points, all may be wins.
            Self::Points => count >> 32 << 32 | count >> 33,
            Self::Win => count,
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
pub(super) struct Counts {
    entries: Box<[(u64, Count)]>,
    /// The shift that leaves the number of an entry of a mixed key.
    shift: u32,
}

/// At most 2^18 entries: 4 MiB.
const TABLE_BITS: u32 = 18;

const UPPER: u64 = 1 << 61;

impl Counts {
    /// A table of at most so many bytes, but at least a few entries.
    pub(super) fn new(memory: usize) -> Self {
        let bits = table_bits::<(u64, Count)>(memory, TABLE_BITS);
        Self { entries: vec![(u64::MAX, 0); 1 << bits].into_boxed_slice(), shift: 64 - bits }
    }
}

/// How the opponent places his cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    /// A random card on a random cell.
    Random,
    /// A random card where it costs me most, if he knows no more than I do.
    Careful,
}

/// The search for one position and aim. `CHAOS`: cards are drawn. As a variable it would cost the search without Chaos 8 %.
pub(super) struct Random<'a, 'b, const SPECIAL: bool, const CHAOS: bool> {
    table: &'b mut Table<'a, SPECIAL>,
    counts: &'b mut Counts,
    aim: Aim,
    careful: bool,
    /// By the number of cards that I own at the end.
    values: [Count; 16],
    /// By the number of empty cells: in how many ways each world can play on from there, draws of mine included.
    sequences: [Count; 10],
}

impl<'a, 'b, const SPECIAL: bool, const CHAOS: bool> Random<'a, 'b, SPECIAL, CHAOS> {
    pub(super) fn new(table: &'b mut Table<'a, SPECIAL>, counts: &'b mut Counts, aim: Aim, reply: Reply) -> Self {
        let careful = CHAOS && reply == Reply::Careful;
        let mut sequences = [1; 10];
        for left in 1..10 {
            let is_mine = (left % 2 == 1) == (table.deal.setup().first == Side::Me);
            let choices = match (is_mine, careful) {
                (true, _) => table.draws(left),
                (false, true) => table.choices(left),
                (false, false) => table.choices(left) * left,
            };
            sequences[left] = choices as Count * sequences[left - 1];
        }
        let mut values = [0; 16];
        values[5] = aim.draw();
        values[6..].fill(aim.win());
        Self { table, counts, aim, careful, values, sequences }
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

    /// The chances of a node if the careful opponent is to move and this card is drawn.
    ///
    /// # Errors
    /// If the control stops the search.
    pub(super) fn chances_of_card(&mut self, node: &Node, card: u8) -> Result<Chances, Error> {
        let (count, _) = self.least(node, 1 << card, -1);
        let after = self.table.beliefs.get(self.table.belief(node).after(card));
        let cases = Count::from(after.weight) * self.sequences[node.left() - 1];
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
        let slot = (mix(key) >> self.counts.shift) as usize;
        let (known, count) = self.counts.entries[slot];
        if known == key || known == key | UPPER && count <= bar {
            return count;
        }
        let (count, exact) = match is_mine {
            true if CHAOS && self.table.drawn => self.draws(node, true, bar),
            true => self.best(node, self.table.playable(node, true), bar),
            false if CHAOS && self.careful => self.draws(node, false, bar),
            false => self.sum(node, bar),
        };
        if self.table.stopped_by().is_none() {
            self.counts.entries[slot] = (if exact { key } else { key | UPPER }, count);
        }
        count
    }

    /// The best move of these cards.
    fn best(&mut self, node: &Node, cards: u16, bar: Count) -> (Count, bool) {
        let candidates = self.table.candidates(node, true, cards, u8::MAX);
        let all = Count::from(self.table.belief(node).weight) * self.sequences[node.left() - 1] * self.aim.win();
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

    /// The move of these cards that costs me most.
    fn least(&mut self, node: &Node, cards: u16, bar: Count) -> (Count, bool) {
        // A count is cut off only if its high half is below that of the bar: counts with equal points are ordered otherwise
        // by the opponent than by me.
        let bar = (bar >> 32 << 32) - 1;
        let candidates = self.table.candidates(node, false, cards, u8::MAX);
        let mut least = Count::MAX;
        for candidate in candidates.as_slice() {
            let next = self.table.after(node, candidate.mv(), candidate.flips(), false);
            self.table.lay(candidate.mv());
            let count = self.count(&next, bar);
            self.table.lift(candidate.mv());
            if count <= bar {
                return (self.aim.most_with(count), false);
            }
            least = self.aim.worse(least, count);
        }
        (least, true)
    }

    /// Every card that may be drawn, mine on its best cell, the careful opponent's where it costs me most.
    fn draws(&mut self, node: &Node, is_mine: bool, bar: Count) -> (Count, bool) {
        let belief = self.table.belief(node);
        let left = node.left();
        let each = self.sequences[left - 1] * self.aim.win();
        let mut rest = Count::from(belief.weight) * self.sequences[left] * self.aim.win();
        let mut sum = 0;
        for card in bits(self.table.playable(node, is_mine)) {
            let after = if is_mine { belief } else { self.table.beliefs.get(belief.after(card)) };
            rest -= Count::from(after.weight) * each;
            let needed = bar - sum - rest;
            let (count, _) =
                if is_mine { self.best(node, 1 << card, needed) } else { self.least(node, 1 << card, needed) };
            sum += count;
            if sum + rest <= bar {
                return (sum + rest, false);
            }
        }
        (sum, true)
    }

    fn sum(&mut self, node: &Node, bar: Count) -> (Count, bool) {
        let left = node.left();
        let belief = self.table.belief(node);
        let each = self.sequences[left - 1] * self.aim.win();
        let candidates = self.table.candidates(node, false, belief.playable, u8::MAX);
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
        if node.free.is_empty() {
            return self.end(node);
        }
        let is_mine = self.table.is_mine(node);
        let one_by_one = CHAOS && if is_mine { self.table.drawn } else { self.careful };
        let mut result = 0;
        for cards in Table::<SPECIAL>::groups(self.table.playable(node, is_mine), one_by_one) {
            let mut of_group = None;
            for mv in Table::<SPECIAL>::moves(node, cards) {
                let next = self.table.next(node, mv, is_mine);
                let count = if next.free.is_empty() {
                    self.end(&next)
                } else {
                    self.table.lay(mv);
                    let count = self.last(&next);
                    self.table.lift(mv);
                    count
                };
                of_group = Some(match of_group {
                    Some(before) if is_mine => count.max(before),
                    None if is_mine => count,
                    before => self.replied(before, count),
                });
            }
            result += of_group.unwrap_or(0);
        }
        result
    }

    /// The count of the cells so far on which the opponent may place a card, and of one more.
    #[inline(always)]
    fn replied(&self, before: Option<Count>, one: Count) -> Count {
        match before {
            None => one,
            Some(before) if CHAOS && self.careful => self.aim.worse(before, one),
            Some(before) => before + one,
        }
    }

    /// The count of two cards, either of which I may play.
    #[inline(always)]
    fn played([one, other]: [Count; 2], drawn: bool) -> Count {
        if drawn { one + other } else { one.max(other) }
    }

    /// The last three cards at once.
    fn last_three(&mut self, node: &Node) -> Count {
        let last = LastThree::new(&*self.table, node);
        let belief = self.table.belief(node);
        let beliefs = self.table.beliefs;
        let drawn = CHAOS && self.table.drawn;
        let weight = |belief: &Belief, card: u8| Count::from(beliefs.get(belief.after(card)).weight);
        // Plain loops: the same with closures was a quarter slower.
        if self.table.is_mine(node) {
            let mut best = [0; 2];
            for (p, [q, r]) in OTHERS {
                for (place, (card, kept)) in
                    [(last.hand[0], last.hand[1]), (last.hand[1], last.hand[0])].into_iter().enumerate()
                {
                    let first = New { card, at: p };
                    let own = last.first(self.table, node.own, first, true);
                    let mut sum = 0;
                    for card in bits(belief.playable) {
                        let mut of_card = None;
                        for (q, r) in [(q, r), (r, q)] {
                            let reply = New { card, at: q };
                            let own = last.second(self.table, own, first, reply, false);
                            let own = last.third(self.table, own, [first, reply], New { card: kept, at: r }, true);
                            of_card = Some(self.replied(of_card, self.value(own)));
                        }
                        sum += of_card.unwrap_or(0) * weight(belief, card);
                    }
                    best[place] = sum.max(best[place]);
                }
            }
            return Self::played(best, drawn);
        }
        let mut result = 0;
        for card in bits(belief.playable) {
            let after = beliefs.get(belief.after(card));
            let mut of_card = None;
            for (p, [q, r]) in OTHERS {
                let first = New { card, at: p };
                let own = last.first(self.table, node.own, first, false);
                let mut best = [0; 2];
                for (place, card) in last.hand.into_iter().enumerate() {
                    for (q, r) in [(q, r), (r, q)] {
                        let mine = New { card, at: q };
                        let own = last.second(self.table, own, first, mine, true);
                        let mut sum = 0;
                        for card in bits(after.playable) {
                            let own = last.third(self.table, own, [first, mine], New { card, at: r }, false);
                            sum += self.value(own) * weight(after, card);
                        }
                        best[place] = sum.max(best[place]);
                    }
                }
                of_card = Some(self.replied(of_card, Self::played(best, drawn)));
            }
            result += of_card.unwrap_or(0);
        }
        result
    }

    /// The count of an end.
    #[inline(always)]
    fn end(&mut self, end: &Node) -> Count {
        match self.table.replays {
            Some(replays) if end.own.count_ones() == 5 => {
                let of = |(world, ways): &(u8, u32)| {
                    let result = replays.result((*world).into(), end.own, &mut self.table.meter);
                    Count::from(*ways) * [0, self.aim.draw(), self.aim.win()][result as usize]
                };
                self.table.beliefs.shares(end.belief).iter().map(of).sum()
            }
            _ => self.value(end.own) * Count::from(self.table.belief(end).weight),
        }
    }

    /// The count of an end that occurs once.
    #[inline(always)]
    fn value(&self, own: u16) -> Count {
        self.values[own.count_ones() as usize & 15]
    }
}
