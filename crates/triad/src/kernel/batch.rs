//! 32 games of one deal at a time, a game a lane: for playouts. The games share the order of the cells; the cards differ.
//!
//! ```text
//! sides[cell][direction]   32 bytes: the rank shown there in each game, what the element adds included
//! owner[cell]              32 bytes: all ones where A owns the card
//!
//! lay: look the 32 cards' sides up; for each neighbour that lies: mine > theirs, and select the mover in
//! ```
//!
//! The cells are the same in all lanes, so which neighbours lie is known to the program and not to the lanes. It plays
//! the basic rule with Elemental, Reverse and Fallen Ace; Same, Plus, Ascension and Descension are refused.

use crate::Deal;
use crate::rules::Rule;
use crate::tables::bonus;
use grid::simd::Simd;
use grid::simd::fearless_simd::{prelude::*, u8x32};
use grid::{Cell, CellSet, Direction, Player};

/// How many games are played at once.
pub const LANES: usize = 32;

/// The sides of a deal's cards, to be looked up by lane.
#[derive(Clone, Debug)]
pub struct Batch {
    /// By cell and direction: the rank of each card there, the sixteen numbers twice.
    ranks: [[[u8; LANES]; 4]; 9],
    reverse: bool,
    fallen_ace: bool,
    first: Player,
}

impl Batch {
    /// The tables of a deal; `None` if its rules are more than the lanes know.
    #[must_use]
    pub fn new(deal: &Deal) -> Option<Self> {
        let setup = deal.setup();
        let beyond = [Rule::Same, Rule::Plus, Rule::Ascension, Rule::Descension];
        if beyond.iter().any(|rule| setup.rules.has(*rule)) {
            return None;
        }
        let mut ranks = [[[0; LANES]; 4]; 9];
        for cell in Cell::ALL {
            for direction in Direction::ALL {
                for card in 0..10 {
                    let side = setup.card(card).sides[direction as usize] as i8 + bonus(setup, card, cell);
                    ranks[cell.index()][direction as usize][card] = side as u8;
                    ranks[cell.index()][direction as usize][card + 16] = side as u8;
                }
            }
        }
        let (reverse, fallen_ace) = (setup.rules.has(Rule::Reverse), setup.rules.has(Rule::FallenAce));
        Some(Self { ranks, reverse, fallen_ace, first: setup.first })
    }

    /// Plays 32 games to their end and says how many cards A owns in each. `order` is the order of the cells, and
    /// `cards[turn]` the card that each game plays in that turn; the caller promises that they are the mover's.
    #[inline(always)]
    pub fn play<S: Simd>(&self, simd: S, order: &[Cell; 9], cards: &[[u8; LANES]; 9]) -> [u8; LANES] {
        let zero = u8x32::splat(simd, 0);
        let ones = u8x32::splat(simd, 0xff);
        let mut sides = [[zero; 4]; 9];
        let mut owner = [zero; 9];
        let mut lying = CellSet::EMPTY;
        let mut mover = self.first;
        for (cell, cards) in order.iter().zip(cards) {
            let cards = u8x32::from_slice(simd, cards);
            let me = if mover == Player::First { ones } else { zero };
            let at = cell.index();
            owner[at] = me;
            for direction in Direction::ALL {
                let ranks = u8x32::from_slice(simd, &self.ranks[at][direction as usize]);
                let mine = ranks.swizzle_dyn_within_blocks(cards);
                sides[at][direction as usize] = mine;
                let Some(there) = cell.neighbour(direction).filter(|there| lying.contains(*there)) else { continue };
                let theirs = sides[there.index()][direction.opposite() as usize];
                let (strong, weak) = if self.reverse { (theirs, mine) } else { (mine, theirs) };
                let mut taken = strong.simd_gt(weak);
                if self.fallen_ace {
                    let (one, ten) = (u8x32::splat(simd, 1), u8x32::splat(simd, 10));
                    taken |= strong.simd_eq(one) & weak.simd_eq(ten);
                }
                owner[there.index()] = taken.select(me, owner[there.index()]);
            }
            lying |= CellSet::of(*cell);
            mover = mover.other();
        }
        // Every cell of A is minus one; the card that is never laid is the second player's.
        let unlaid = u8::from(self.first == Player::Second);
        let score = owner.into_iter().fold(u8x32::splat(simd, unlaid), |score, owner| score - owner);
        let mut scores = [0; LANES];
        score.store_slice(&mut scores);
        scores
    }
}
