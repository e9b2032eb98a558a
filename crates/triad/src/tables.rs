//! The capture tables of a deal: for every pair of its ten cards, which captures which, as bits.
//!
//! A deal has ten cards, so a set of cards is ten bits and the four neighbours of a cell are a word of four 16-bit lanes
//! with one bit each (bit 10 is the border):
//!
//! ```text
//! bits  0..16 the card above   16..32 to the right   32..48 below   48..64 to the left
//! ```
//!
//! `beats[card, cell] & neighbours` is then the basic rule. Elements, Reverse and Fallen Ace are built into the table and cost
//! nothing. Ascension and Descension change the ranks during the game, so there is one table for each state of the counters,
//! called a *level*: at most 4 x 4 x 3 x 3 = 144 levels, and one if these rules are off.

use crate::card::Card;
use crate::rules::Rule;
use crate::setup::Setup;
use alloc::{boxed::Box, vec, vec::Vec};
use grid::{Cell, Direction};

/// The bit of the border in a lane.
pub(crate) const BORDER: u64 = 1 << 10;

/// The captures in one state of the counters. All words have the four lanes above.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// By card and cell (`card << 4 | cell`): the neighbours that a placed card captures by the basic rule.
    pub(crate) beats: [u64; 256],
    /// The same for a card that attacks in a combo.
    pub(crate) chain: [u64; 256],
    /// By card: neighbours of equal rank; under Same Wall also the border next to an A.
    pub(crate) same: [u64; 16],
    /// By card: the neighbours that Same captures when it fires.
    pub(crate) same_takes: [u64; 16],
}

/// By card, direction and neighbour (`card << 6 | direction << 4 | neighbour`): the neighbours with the same sum.
pub(crate) type Sums = [u64; 1024];

/// The tables of a deal.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) levels: Box<[Level]>,
    /// One per level under Plus, otherwise empty.
    pub(crate) sums: Box<[Sums]>,
    /// By card: the number added to the level when it is played.
    pub(crate) step: [u8; 16],
}

impl Tables {
    pub(crate) fn new(setup: &Setup) -> Self {
        let rules = setup.rules;
        let mut step = [0; 16];
        let mut counters: Vec<[i8; 4]> = vec![[0; 4]];
        if rules.has(Rule::Ascension) || rules.has(Rule::Descension) {
            let unit = if rules.has(Rule::Ascension) { 1 } else { -1 };
            for kind in 0..4 {
                let cards = (0..10).filter(|&card| setup.card(card).kind.is_some_and(|of| of as usize == kind));
                let width = counters.len();
                let mut most: i8 = 0;
                for card in cards {
                    step[card] = width as u8;
                    most += 1;
                }
                for laid in 1..=most {
                    for below in 0..width {
                        let mut counter = counters[below];
                        counter[kind] = unit * laid;
                        counters.push(counter);
                    }
                }
            }
        }
        let levels: Box<[Level]> = counters.iter().map(|counter| Level::new(setup, counter)).collect();
        let sums = if rules.has(Rule::Plus) {
            counters.iter().map(|counter| sums(&Ranks::new(setup, counter))).collect()
        } else {
            Box::default()
        };
        Self { levels, sums, step }
    }
}

/// The ranks that Same and Plus compare: printed rank plus counter, clamped to 1..=10.
struct Ranks([[i8; 4]; 10]);

impl Ranks {
    fn new(setup: &Setup, counter: &[i8; 4]) -> Self {
        Self(core::array::from_fn(|card| {
            let Card { sides, kind, .. } = setup.card(card);
            let moved = kind.map_or(0, |kind| counter[kind as usize]);
            sides.map(|side| (side as i8 + moved).clamp(1, 10))
        }))
    }

    /// Calls `each` with card, direction, neighbour, my rank and the rank that faces it.
    fn pairs(&self, mut each: impl FnMut(usize, Direction, usize, i8, i8)) {
        for card in 0..10 {
            for direction in Direction::ALL {
                for other in (0..10).filter(|&other| other != card) {
                    let facing = self.0[other][direction.opposite() as usize];
                    each(card, direction, other, self.0[card][direction as usize], facing);
                }
            }
        }
    }
}

/// The bit of a neighbour in its lane.
fn bit(direction: Direction, card: usize) -> u64 {
    1 << (16 * direction as usize + card)
}

fn sums(ranks: &Ranks) -> Sums {
    // First the neighbours by sum, then for each neighbour all that share its sum.
    let mut by_sum = [[0u64; 21]; 10];
    ranks.pairs(|card, direction, other, mine, theirs| by_sum[card][(mine + theirs) as usize] |= bit(direction, other));
    let mut table = [0; 1024];
    ranks.pairs(|card, direction, other, mine, theirs| {
        table[card << 6 | (direction as usize) << 4 | other] = by_sum[card][(mine + theirs) as usize];
    });
    table
}

impl Level {
    fn new(setup: &Setup, counter: &[i8; 4]) -> Self {
        let rules = setup.rules;
        let ranks = Ranks::new(setup, counter);
        let mut level = Self { beats: [0; 256], chain: [0; 256], same: [0; 16], same_takes: [0; 16] };
        let reverse = rules.has(Rule::Reverse);
        let takes = |mine: i8, theirs: i8, fallen_ace: bool| {
            let (strong, weak) = if reverse { (theirs, mine) } else { (mine, theirs) };
            strong > weak || fallen_ace && strong == 1 && weak == 10
        };
        let ace = rules.has(Rule::FallenAce);
        let chain_ace = ace && rules.has(Rule::AceChains);
        if rules.has(Rule::Elemental) {
            ranks.pairs(|card, direction, other, mine, theirs| {
                for cell in Cell::ALL {
                    let Some(there) = cell.neighbour(direction) else { continue };
                    let (mine, theirs) = (mine + bonus(setup, card, cell), theirs + bonus(setup, other, there));
                    let at = card << 4 | cell.index();
                    level.beats[at] |= if takes(mine, theirs, ace) { bit(direction, other) } else { 0 };
                    level.chain[at] |= if takes(mine, theirs, chain_ace) { bit(direction, other) } else { 0 };
                }
            });
        } else {
            let (mut beats, mut chain) = ([0u64; 10], [0u64; 10]);
            ranks.pairs(|card, direction, other, mine, theirs| {
                beats[card] |= if takes(mine, theirs, ace) { bit(direction, other) } else { 0 };
                chain[card] |= if takes(mine, theirs, chain_ace) { bit(direction, other) } else { 0 };
            });
            for card in 0..10 {
                level.beats[card << 4..(card << 4) + 9].fill(beats[card]);
                level.chain[card << 4..(card << 4) + 9].fill(chain[card]);
            }
        }
        if rules.has(Rule::Same) {
            let weaker = rules.has(Rule::SameTakesWeaker);
            ranks.pairs(|card, direction, other, mine, theirs| {
                level.same[card] |= if mine == theirs { bit(direction, other) } else { 0 };
                let taken = mine == theirs || weaker && theirs < mine;
                level.same_takes[card] |= if taken { bit(direction, other) } else { 0 };
            });
            if rules.has(Rule::SameWall) {
                for card in 0..10 {
                    for direction in Direction::ALL.into_iter().filter(|&d| ranks.0[card][d as usize] == 10) {
                        level.same[card] |= BORDER << (16 * direction as usize);
                    }
                }
            }
        }
        level
    }
}

/// The bonus or malus of the cell's element for a card.
pub(crate) fn bonus(setup: &Setup, card: usize, cell: Cell) -> i8 {
    match setup.elements[cell.index()] {
        None => 0,
        Some(element) if setup.card(card).element == Some(element) => 1,
        Some(_) => -1,
    }
}
