//! Certain: what I can reach in every world at once, whatever hand the opponent holds.
//!
//! It is an ordinary search with a null window. The opponent may play any card that some world left holds, and each card
//! that he plays leaves fewer worlds. A strategy that reaches the target against every such sequence reaches it in every
//! world, because in each world the opponent has only some of these sequences. The converse holds too: what I have seen
//! when I decide is the same in all worlds left, so a strategy that reaches the target in every world answers every such
//! sequence.
//!
//! Under Chaos the result must be reached whatever is drawn, for both: the draws are the enemy's choice. So the opponent's draw
//! is his choice of a card, and mine needs a good cell for every card that may come.
//!
//! The same search with one world is the open game, and with some of the worlds it tells whether one strategy reaches the
//! target in all of them.

use super::last_three::{LastThree, New, OTHERS, bits};
use super::node::{Node, Table};
use grid::mix;

/// Positions with fewer empty cells are not stored.
const STORED_LEFT: usize = 4;

/// The proofs found so far, for one set of worlds. An entry is one word:
///
/// ```text
/// bits  0..47  the rest of the mixed key; the slot holds the other bits, and mixing is a bijection, so the key is exact
///      47..55  the best move
///      55..57  proved at least, 57..59  proved at most: 0 a loss, 1 a draw, 2 a win
///          59  set in every entry
/// ```
pub(super) struct Proofs(Box<[u64]>);

/// 2^17 entries: 1 MiB.
const TABLE_BITS: u32 = 17;

/// What is known of a position.
#[derive(Clone, Copy)]
struct Proof {
    best: u8,
    low: u8,
    high: u8,
}

impl Proofs {
    const REST: u64 = (1 << (64 - TABLE_BITS)) - 1;

    pub(super) fn new() -> Self {
        Self(vec![0; 1 << TABLE_BITS].into_boxed_slice())
    }

    /// Forgets the proofs, for another set of worlds.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    #[inline(always)]
    fn find(&self, mixed: u64) -> Proof {
        let entry = self.0[(mixed >> (64 - TABLE_BITS)) as usize];
        if entry >> 59 == 1 && (entry ^ mixed) & Self::REST == 0 {
            Proof { best: (entry >> 47) as u8, low: (entry >> 55 & 3) as u8, high: (entry >> 57 & 3) as u8 }
        } else {
            Proof { best: u8::MAX, low: 0, high: 2 }
        }
    }

    #[inline(always)]
    fn put(&mut self, mixed: u64, proof: Proof) {
        let bounds = u64::from(proof.low) << 55 | u64::from(proof.high) << 57;
        self.0[(mixed >> (64 - TABLE_BITS)) as usize] =
            mixed & Self::REST | u64::from(proof.best) << 47 | bounds | 1 << 59;
    }
}

/// A search of one set of worlds.
pub(super) struct Certain<'a, 'b, const SPECIAL: bool> {
    pub(super) table: &'b mut Table<'a, SPECIAL>,
    pub(super) proofs: &'b mut Proofs,
}

impl<const SPECIAL: bool> Certain<'_, '_, SPECIAL> {
    /// Whether I own at least `target` cards at the end in every world: 6 wins, 5 draws. Meaningless once the meter has
    /// stopped.
    pub(super) fn reaches(&mut self, node: &Node, target: u32) -> bool {
        if !self.table.meter.pay() {
            return false;
        }
        let left = node.left();
        if left == 0 {
            return self.table.falls_short(node, target) == 0;
        }
        if left <= 2 && !self.table.drawn {
            return self.last(node, target);
        }
        if left == 3 && self.table.at_once && !self.table.drawn {
            return self.last_three(node, target);
        }
        let is_mine = self.table.is_mine(node);
        let wanted = target as u8 - 4;
        let mut mixed = 0;
        let mut proof = Proof { best: u8::MAX, low: 0, high: 2 };
        if left >= STORED_LEFT {
            mixed = mix(node.key());
            proof = self.proofs.find(mixed);
            if proof.low >= wanted {
                return true;
            }
            if proof.high < wanted {
                return false;
            }
        }
        let mut found = !is_mine;
        let playable = self.table.playable(node, is_mine);
        // If my card is drawn, a move is needed for each card that may come.
        for cards in Table::<SPECIAL>::groups(playable, is_mine && self.table.drawn) {
            found = !is_mine;
            let candidates = self.table.candidates(node, is_mine, cards, proof.best);
            for candidate in candidates.as_slice() {
                let next = self.table.after(node, candidate.mv(), candidate.flips(), is_mine);
                self.table.lay(candidate.mv());
                let reached = self.reaches(&next, target);
                self.table.lift(candidate.mv());
                if reached == is_mine {
                    (found, proof.best) = (is_mine, candidate.bits());
                    break;
                }
            }
            if is_mine && !found {
                break;
            }
        }
        if left >= STORED_LEFT && self.table.stopped_by().is_none() {
            if found {
                proof.low = wanted;
            } else {
                proof.high = wanted - 1;
            }
            self.proofs.put(mixed, proof);
        }
        found
    }

    /// The last three cards at once.
    fn last_three(&mut self, node: &Node, target: u32) -> bool {
        let last = LastThree::new(&*self.table, node);
        let belief = self.table.belief(node);
        if self.table.is_mine(node) {
            return OTHERS.into_iter().any(|(p, [q, r])| {
                let [one, other] = last.hand;
                [(one, other), (other, one)].into_iter().any(|(card, kept)| {
                    let first = New { card, at: p };
                    let own = last.first(self.table, node.own, first, true);
                    [(q, r), (r, q)].into_iter().all(|(q, r)| {
                        bits(belief.playable).all(|card| {
                            let reply = New { card, at: q };
                            let own = last.second(self.table, own, first, reply, false);
                            let own = last.third(self.table, own, [first, reply], New { card: kept, at: r }, true);
                            own.count_ones() >= target
                        })
                    })
                })
            });
        }
        OTHERS.into_iter().all(|(p, [q, r])| {
            bits(belief.playable).all(|card| {
                let first = New { card, at: p };
                let own = last.first(self.table, node.own, first, false);
                let after = self.table.beliefs.get(belief.after(card));
                [(q, r), (r, q)].into_iter().any(|(q, r)| {
                    last.hand.into_iter().any(|card| {
                        let mine = New { card, at: q };
                        let own = last.second(self.table, own, first, mine, true);
                        bits(after.playable).all(|card| {
                            let own = last.third(self.table, own, [first, mine], New { card, at: r }, false);
                            own.count_ones() >= target
                        })
                    })
                })
            })
        })
    }

    /// The last two cards, in the order of the rules.
    fn last(&mut self, node: &Node, target: u32) -> bool {
        let is_mine = self.table.is_mine(node);
        for mv in Table::<SPECIAL>::moves(node, self.table.playable(node, is_mine)) {
            let next = self.table.next(node, mv, is_mine);
            let reached = if next.free.is_empty() {
                self.table.falls_short(&next, target) == 0
            } else {
                self.table.lay(mv);
                let reached = self.last(&next, target);
                self.table.lift(mv);
                reached
            };
            if reached == is_mine {
                return is_mine;
            }
        }
        !is_mine
    }
}
