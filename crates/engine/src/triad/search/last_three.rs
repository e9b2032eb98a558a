//! The last three cards of a game: all 24 sequences at once where the rules allow it, otherwise one after the other.

use super::{ALL, Candidates, Captures, Node, STOPPED, Search};
use grid::Cell;
use grid::simd::Simd;
use grid::simd::fearless_simd::{prelude::*, u16x8};
use triad::Move;
use triad::kernel::ending::{self, Last};

/// The 24 ends of a node with three cards to play, when bounds alone do not decide: by the first cell, then by first card,
/// reply and last card; lanes as in `kernel::ending`.
#[derive(Default)]
struct Undecided {
    takes: [[[u16; 8]; 3]; 3],
    fires: [[[u16; 8]; 3]; 3],
    low: [[u16; 8]; 3],
    /// In lanes 0 and 2: an upper bound for each of the two first cards.
    high: [[u16; 8]; 3],
}

impl<C: Captures> Search<'_, C> {
    /// Whether the last three cards are played in all sequences at once.
    #[inline(always)]
    pub(super) fn at_once(&self) -> bool {
        C::AT_ONCE && !self.ordered[0] && !self.ordered[1]
    }

    /// The value of a node with three cards to play, after `before`, which is marked.
    #[inline(always)]
    pub(super) fn last_three<S: Simd>(
        &mut self,
        simd: S,
        before: Option<Move>,
        node: &Node,
        fires: [C::Fires; 3],
        target: i32,
    ) -> i32 {
        let last = Last { free: node.free, ours: self.hand(node, 1), theirs: self.hand(node, 0) };
        let ends = self.captures.ends(simd, before, last);
        // No closure and no `map`: they would not inherit the instruction set.
        let mut scores = [u16x8::splat(simd, 0); 3];
        for (score, ends) in scores.iter_mut().zip(ends) {
            *score = self.scores(simd, ends.end(simd, node.mine));
        }
        if C::SAFE {
            return ending::most(simd, scores).into();
        }
        let fires = self.captures.firing(simd, last, fires);
        let (zero, ten) = (u16x8::splat(simd, 0), u16x8::splat(simd, 10));
        let (mut low, mut high) = (scores, scores);
        for at in 0..3 {
            low[at] = fires[at].reply.simd_eq(zero).select(scores[at], zero);
            high[at] = (fires[at].first | fires[at].last).simd_eq(zero).select(scores[at], ten);
        }
        let sure = i32::from(ending::most(simd, low));
        if sure >= target {
            return sure;
        }
        let possible = i32::from(ending::most(simd, high));
        if possible < target {
            return possible;
        }
        let mut undecided = Undecided::default();
        for at in 0..3 {
            ends[at].first.store_slice(&mut undecided.takes[at][0]);
            ends[at].reply.store_slice(&mut undecided.takes[at][1]);
            ends[at].last.store_slice(&mut undecided.takes[at][2]);
            fires[at].first.store_slice(&mut undecided.fires[at][0]);
            fires[at].reply.store_slice(&mut undecided.fires[at][1]);
            fires[at].last.store_slice(&mut undecided.fires[at][2]);
            low[at].store_slice(&mut undecided.low[at]);
            ending::least(high[at]).store_slice(&mut undecided.high[at]);
        }
        self.settle(node, last, &undecided, target)
    }

    /// Plays those of the 24 sequences that decide and in which Same or Plus fires.
    #[inline(always)]
    fn settle(&mut self, node: &Node, last: Last, undecided: &Undecided, target: i32) -> i32 {
        let mut cells = [Cell::CENTRE; 3];
        for (to, cell) in cells.iter_mut().zip(node.free) {
            *to = cell;
        }
        let ours = [last.ours.trailing_zeros() as u8, (last.ours & (last.ours - 1)).trailing_zeros() as u8];
        let theirs = [last.theirs.trailing_zeros() as u8, (last.theirs & (last.theirs - 1)).trailing_zeros() as u8];
        let ours = [ours[0] + self.base[1], ours[1] + self.base[1]];
        let theirs = [theirs[0] + self.base[0], theirs[1] + self.base[0]];
        let mut best = 0;
        for (at, others) in [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])] {
            for card in 0..2 {
                let high = i32::from(undecided.high[at][2 * card]);
                if high < target {
                    best = best.max(high);
                    continue;
                }
                let first = Move::new(ours[card], cells[at]);
                let mine = if undecided.fires[at][0][2 * card] != 0 {
                    node.mine | self.captures.flips_of(first, ALL ^ node.mine)
                } else {
                    node.mine | undecided.takes[at][0][2 * card]
                };
                self.captures.mark(first);
                let mut worst = 10;
                for way in 0..4 {
                    let (half, other) = (way >> 1, way & 1);
                    let lane = 4 * half + 2 * card + other;
                    let low = i32::from(undecided.low[at][lane]);
                    if low >= target {
                        worst = worst.min(low);
                        continue;
                    }
                    let reply = Move::new(theirs[other], cells[others[half]]);
                    let lost = if undecided.fires[at][1][lane] != 0 {
                        self.captures.flips_of(reply, mine)
                    } else {
                        undecided.takes[at][1][lane]
                    };
                    let mine = mine & !lost;
                    let won = if undecided.fires[at][2][lane] != 0 {
                        self.captures.mark(reply);
                        let won =
                            self.captures.flips_of(Move::new(ours[card ^ 1], cells[others[half ^ 1]]), ALL ^ mine);
                        self.captures.unmark(reply);
                        won
                    } else {
                        undecided.takes[at][2][lane]
                    };
                    worst = worst.min(self.score(mine | won, 1));
                    if worst < target {
                        break;
                    }
                }
                self.captures.unmark(first);
                best = best.max(worst);
                if best >= target {
                    return best;
                }
            }
        }
        best
    }

    /// The payoff of eight ends for the opener.
    #[inline(always)]
    fn scores<S: Simd>(&self, simd: S, ends: u16x8<S>) -> u16x8<S> {
        if self.payoff.is_none() {
            return ends.count_ones();
        }
        let mut lanes: [u16; 8] = [0; 8];
        ends.store_slice(&mut lanes);
        for lane in &mut lanes {
            *lane = self.score(*lane, 1) as u16;
        }
        u16x8::from_slice(simd, &lanes)
    }

    /// The value of a node with three cards to play, one after the other. The rows of the board are not updated: what the
    /// new cards capture from each other is looked up.
    #[inline(always)]
    pub(super) fn last_three_in_turn<S: Simd>(&mut self, simd: S, node: &Node, target: i32) -> i32 {
        let mut candidates = Candidates::<C::Fires, 3>::new();
        self.candidates(simd, node, u8::MAX, &mut candidates);
        let mut best = -1;
        loop {
            let key = candidates.next(simd);
            if key == 0 {
                return best;
            }
            let (at, mv, flips) = candidates.take(key, self.base[1]);
            if !self.meter.pay() {
                return STOPPED;
            }
            let next = node.after(mv, flips, self.captures.step(mv));
            self.captures.mark(mv);
            debug_assert!(at < 3, "three cells are empty");
            let [one, other] = [[1, 2], [0, 2], [0, 1]][at % 3];
            let (one, other) =
                ((candidates.cells[one], candidates.fires[one]), (candidates.cells[other], candidates.fires[other]));
            let one = (one.0, self.captures.fires_beside(one.1, one.0, mv));
            let other = (other.0, self.captures.fires_beside(other.1, other.0, mv));
            let mut there = self.last_two(&next, mv, [one, other], 11 - target);
            if there <= 10 - target {
                there = there.max(self.last_two(&next, mv, [other, one], 11 - target));
            }
            let value = 10 - there;
            self.captures.unmark(mv);
            best = best.max(value);
            if best >= target {
                return best;
            }
        }
    }

    /// The last two cards after `before`: the mover's on the one cell, then the opener's only one on the other.
    #[inline(always)]
    fn last_two(
        &mut self,
        node: &Node,
        before: Move,
        [(cell, fires), (other, other_fires)]: [(Cell, C::Fires); 2],
        target: i32,
    ) -> i32 {
        let reply = Move::new((node.unlaid & self.dealt[1]).trailing_zeros() as u8, other);
        let mut cards = self.playable(node);
        let mut best = 0;
        while cards != 0 {
            let mv = Move::new(self.base[0] + cards.trailing_zeros() as u8, cell);
            cards &= cards - 1;
            let mine = node.mine | self.captures.flips_after(mv, fires, node.level, before, ALL ^ node.mine);
            let fires = self.captures.fires_beside(other_fires, other, mv);
            let level = node.level + self.captures.step(mv);
            let lost = self.captures.flips_last(reply, fires, level, [before, mv], mine);
            best = best.max(self.score(mine & !lost, 0));
            if best >= target {
                break;
            }
        }
        best
    }
}
