//! Whether Same or Plus fires on a cell, for all cards at once.
//!
//! Both rules need two neighbours. So a table by pairs of neighbours has one bit per card that fires on these two, and six
//! lookups give all cards that fire on a cell. Only for these the full rules are needed: the others capture by the basic
//! rule alone.

use triad::kernel::fast::{Rank, Special};

/// The six pairs of directions.
const PAIRS: [(u32, u32); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// An empty neighbour, in the numbering in which cards are 0 to 14 and the border is 15.
const NOBODY: u32 = 16;

/// By pair of directions and the two neighbours (`pair << 10 | first << 5 | second`): the cards that fire.
#[derive(Clone, Debug)]
pub(super) struct Firing(Box<[u16; 6 << 10]>);

impl Firing {
    /// The table of so many cards, whose ranks do not change.
    pub(super) fn new(rank: &Rank<'_>, special: Special, count: u8) -> Self {
        let mut table = Box::new([0; 6 << 10]);
        let lane = |direction: u32, neighbour: u32| match neighbour {
            NOBODY => 0,
            neighbour => 1u64 << (16 * direction + neighbour),
        };
        for (pair, (one, other)) in PAIRS.into_iter().enumerate() {
            for first in 0..=NOBODY {
                for second in 0..=NOBODY {
                    let neighbours = lane(one, first) | lane(other, second);
                    let new = (0..count).filter(|card| ![first, second].contains(&u32::from(*card)));
                    let fires = new.filter(|card| rank.fires(special, *card, neighbours));
                    table[pair << 10 | (first << 5 | second) as usize] = fires.fold(0, |cards, card| cards | 1 << card);
                }
            }
        }
        Self(table)
    }

    /// The cards that fire among these neighbours.
    #[inline(always)]
    pub(super) fn cards(&self, neighbours: u64) -> u16 {
        let code = |direction: u32| ((neighbours >> (16 * direction)) as u16).trailing_zeros();
        let codes = [code(0), code(1), code(2), code(3)];
        let mut cards = 0;
        for (pair, (one, other)) in PAIRS.into_iter().enumerate() {
            cards |= self.0[pair << 10 | (codes[one as usize] << 5 | codes[other as usize]) as usize & 1023];
        }
        cards
    }
}
