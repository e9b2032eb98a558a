//! Against greedy play: the opponent plays the move that leaves him the most cards, one of the best at random. Under Chaos he
//! places the card that is drawn so.
//!
//! Which moves are best depends on the hand, so a move tells more than the card that was played: each world has a weight,
//! the chance that it is the true one times the chance of the moves since. The weights depend on the history, so positions
//! are not stored. But few moves are best, so the tree is small.

use super::node::{Node, Table};
use super::{Aim, Chances, Side};
use crate::error::Error;
use crate::value::Outcome;
use grid::Cell;
use triad::{HAND, Move};

/// Sums of products of fractions. Two that differ by less than this are equal.
const CLOSE: f64 = 1e-11;

/// The chances of a win and a draw, each times the chance to get here.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Mass {
    win: f64,
    draw: f64,
}

impl Mass {
    const NONE: Self = Self { win: 0.0, draw: 0.0 };

    /// Whether it is better for the aim.
    fn exceeds(self, other: Self, aim: Aim) -> bool {
        let [one, two] = [self, other].map(|mass| match aim {
            Aim::Points => (mass.win + mass.draw / 2.0, mass.win),
            Aim::Win => (mass.win, mass.draw),
        });
        if (one.0 - two.0).abs() > CLOSE { one.0 > two.0 } else { one.1 > two.1 + CLOSE }
    }

    /// The chances, if the chance to get here is `all`.
    fn chances(self, all: f64) -> Chances {
        let (win, draw) = (self.win / all, self.draw / all);
        Chances { win, draw, loss: (1.0 - win - draw).max(0.0), error: None }
    }
}

/// A world and the chance that it is the true one and has played like this.
pub(super) type Weighted = (u8, f64);

/// The search for one position and aim.
pub(super) struct Greedy<'a, 'b, const SPECIAL: bool> {
    pub(super) table: &'b mut Table<'a, SPECIAL>,
    pub(super) aim: Aim,
}

/// A reply of the opponent with the worlds that can have made it.
pub(super) struct Reply {
    pub(super) mv: Move,
    flips: u16,
    pub(super) worlds: Vec<Weighted>,
}

impl<const SPECIAL: bool> Greedy<'_, '_, SPECIAL> {
    /// The chances of a node, given the weights of the worlds.
    ///
    /// # Errors
    /// If the control stops the search.
    pub(super) fn chances(&mut self, node: &Node, worlds: &[Weighted]) -> Result<Chances, Error> {
        let mass = self.mass(node, worlds);
        let all = worlds.iter().map(|(_, weight)| weight).sum();
        self.table.stopped_by().map_or(Ok(mass.chances(all)), |stop| Err(stop.into()))
    }

    /// The same, times the weights. Meaningless once the meter has stopped.
    fn mass(&mut self, node: &Node, worlds: &[Weighted]) -> Mass {
        if !self.table.meter.pay() {
            return Mass::NONE;
        }
        if node.free.is_empty() {
            return self.end(node, worlds);
        }
        let mut sum = Mass::NONE;
        let mut add = |mass: Mass, part: f64| {
            sum = Mass { win: sum.win + mass.win * part, draw: sum.draw + mass.draw * part };
        };
        if self.table.is_mine(node) {
            // If my card is drawn, each card is equally likely.
            let part = 1.0 / self.table.draws(node.left()) as f64;
            for cards in Table::<SPECIAL>::groups(self.table.playable(node, true), self.table.drawn) {
                let candidates = self.table.candidates(node, true, cards, u8::MAX);
                let mut best: Option<Mass> = None;
                for candidate in candidates.as_slice() {
                    let mass = self.after(node, candidate.mv(), candidate.flips(), true, worlds);
                    if best.is_none_or(|best| mass.exceeds(best, self.aim)) {
                        best = Some(mass);
                    }
                }
                add(best.unwrap_or(Mass::NONE), part);
            }
            return sum;
        }
        for reply in self.replies(node, worlds) {
            add(self.after(node, reply.mv, reply.flips, false, &reply.worlds), 1.0);
        }
        sum
    }

    /// The mass of an end.
    fn end(&mut self, node: &Node, worlds: &[Weighted]) -> Mass {
        let mut mass = Mass::NONE;
        for (world, weight) in worlds {
            let result = match (node.own.count_ones(), self.table.replays) {
                (0..=4, _) => Outcome::Loss,
                (5, None) => Outcome::Draw,
                (5, Some(replays)) => replays.result((*world).into(), node.own, &mut self.table.meter),
                _ => Outcome::Win,
            };
            match result {
                Outcome::Win => mass.win += weight,
                Outcome::Draw => mass.draw += weight,
                Outcome::Loss => {}
            }
        }
        mass
    }

    fn after(&mut self, node: &Node, mv: Move, flips: u16, is_mine: bool, worlds: &[Weighted]) -> Mass {
        let next = self.table.after(node, mv, flips, is_mine);
        self.table.lay(mv);
        let mass = self.mass(&next, worlds);
        self.table.lift(mv);
        mass
    }

    /// The replies that a greedy opponent can make in some world.
    pub(super) fn replies(&self, node: &Node, worlds: &[Weighted]) -> Vec<Reply> {
        let deal = self.table.deal;
        let playable = self.table.belief(node).playable;
        let ordered = deal.is_ordered(Side::Opponent);
        let laid = super::position::THEIRS & node.lying();
        let mut replies: Vec<Reply> = Vec::new();
        // By card and cell: the captured cards, and the place in the list of replies.
        let mut flips = [[0u16; 9]; 16];
        let mut place = [[u8::MAX; 9]; 16];
        for card in (0..16).filter(|card| playable >> card & 1 != 0) {
            for cell in node.free {
                flips[usize::from(card)][cell.index()] = self.table.flips(node, Move::new(card, cell), false);
            }
        }
        for &(world, weight) in worlds {
            // Equal cards go by the first that is still in the hand.
            let hand = deal.world(world.into());
            let mut left = [0u8; HAND];
            let mut count = 0;
            if ordered {
                left[0] = deal.first_copy(laid, hand[laid.count_ones() as usize % HAND]);
                count = 1;
            } else {
                for card in hand.iter().filter(|card| laid >> **card & 1 == 0) {
                    left[count % HAND] = deal.first_copy(laid, *card);
                    count += 1;
                }
            }
            let left = &left[..count];
            let taken = |card: u8, cell: Cell| flips[usize::from(card)][cell.index()].count_ones();
            // If his card is drawn, he only chooses its cell, and each card is equally likely.
            let choice = if deal.is_drawn(Side::Opponent) { 1 } else { left.len().max(1) };
            for cards in left.chunks(choice) {
                let (mut most, mut ties) = (0, 0u32);
                for &card in cards {
                    for cell in node.free {
                        let count = taken(card, cell);
                        if count > most {
                            (most, ties) = (count, 0);
                        }
                        ties += u32::from(count == most);
                    }
                }
                let share = weight * (cards.len() as f64 / left.len() as f64) / f64::from(ties.max(1));
                for &card in cards {
                    for cell in node.free {
                        if taken(card, cell) != most {
                            continue;
                        }
                        let at = &mut place[usize::from(card)][cell.index()];
                        if *at == u8::MAX {
                            *at = replies.len() as u8;
                            let flips = flips[usize::from(card)][cell.index()];
                            replies.push(Reply { mv: Move::new(card, cell), flips, worlds: Vec::new() });
                        }
                        let list = &mut replies[usize::from(*at)].worlds;
                        match list.last_mut() {
                            // The other of two equal cards.
                            Some((last, sum)) if *last == world => *sum += share,
                            _ => list.push((world, share)),
                        }
                    }
                }
            }
        }
        replies
    }
}
