//! What the cards played from here on tell about the worlds, as a small graph that every search walks.
//!
//! A belief is the set of worlds left. Without a known order it follows from the set of cards that the opponent played; with
//! a known order it follows from their sequence. Both are numbered when a search begins: at most 638 sets of up to five of
//! ten cards, at most 321 beginnings of 64 sequences. So a position of a search holds a number of ten bits.

use super::deal::{HiddenDeal, Side};
use super::position::{HiddenPosition, THEIRS};
use std::collections::BTreeMap;
use triad::HAND;

/// A set of worlds and what it allows.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    /// The worlds left.
    pub(super) worlds: u64,
    /// The opponent's cards that some of these worlds can play now, as bits. Of equal cards only the first.
    pub(super) playable: u16,
    /// In how many ways the worlds left can have played the cards played so far, summed over the worlds. A world with two
    /// equal cards plays one of them in two ways. Without equal cards this is the number of worlds.
    pub(super) weight: u32,
    /// By the opponent's card: the belief after it was played.
    next: [u16; 10],
}

impl Belief {
    /// The belief after a card was played.
    #[inline(always)]
    pub(super) fn after(&self, card: u8) -> u16 {
        debug_assert!(self.playable >> card & 1 != 0);
        self.next[usize::from(card.wrapping_sub(HAND as u8)) % 10]
    }
}

/// The beliefs that can follow a position. Number 0 is that of the position.
#[derive(Clone, Debug)]
pub(super) struct Beliefs {
    rows: Vec<Belief>,
    /// By belief: each world left, and in how many ways it can have played the cards played so far.
    shares: Vec<Vec<(u8, u32)>>,
}

impl Beliefs {
    /// The beliefs that follow a position.
    pub(super) fn new(deal: &HiddenDeal, position: &HiddenPosition) -> Self {
        let mut builder = Builder { deal, rows: Vec::new(), shares: Vec::new(), known: BTreeMap::new() };
        builder.add(position.lying() & THEIRS, position.worlds());
        Self { rows: builder.rows, shares: builder.shares }
    }

    #[inline(always)]
    pub(super) fn get(&self, number: u16) -> &Belief {
        &self.rows[usize::from(number)]
    }

    /// Each world left, and in how many ways it can have played the cards played so far.
    pub(super) fn shares(&self, number: u16) -> &[(u8, u32)] {
        &self.shares[usize::from(number)]
    }
}

struct Builder<'a> {
    deal: &'a HiddenDeal,
    rows: Vec<Belief>,
    shares: Vec<Vec<(u8, u32)>>,
    /// The number of each set of cards played and worlds left.
    known: BTreeMap<(u16, u64), u16>,
}

impl Builder<'_> {
    fn add(&mut self, played: u16, worlds: u64) -> u16 {
        if let Some(number) = self.known.get(&(played, worlds)) {
            return *number;
        }
        let number = self.rows.len() as u16;
        self.known.insert((played, worlds), number);
        let left = (0..64).filter(|world| worlds >> world & 1 != 0);
        let shares: Vec<(u8, u32)> = left.map(|world| (world as u8, self.ways(played, world))).collect();
        let weight = shares.iter().map(|(_, ways)| ways).sum();
        self.shares.push(shares);
        self.rows.push(Belief { worlds, playable: 0, weight, next: [0; 10] });
        let laid = played.count_ones() as usize;
        for card in HAND as u8..self.deal.card_count() {
            if laid == HAND || played >> card & 1 != 0 || self.deal.first_copy(played, card) != card {
                continue;
            }
            let left = self.deal.narrowed(worlds, laid, card);
            if left != 0 {
                let next = self.add(played | 1 << card, left);
                let row = &mut self.rows[usize::from(number)];
                row.playable |= 1 << card;
                row.next[usize::from(card) - HAND] = next;
            }
        }
        number
    }

    /// In how many ways a world can have played these cards: of `held` equal cards it can choose each one not yet played.
    fn ways(&self, played: u16, world: usize) -> u32 {
        if self.deal.is_ordered(Side::Opponent) {
            return 1;
        }
        let mut ways = 1;
        for card in (HAND as u8..self.deal.card_count()).filter(|card| played >> card & 1 != 0) {
            let equal = |other: u8| self.deal.card(other) == self.deal.card(card);
            let held = self.deal.world(world).iter().filter(|other| equal(**other)).count();
            let before = (HAND as u8..card).filter(|other| equal(*other)).count();
            ways *= (held - before) as u32;
        }
        ways
    }
}
