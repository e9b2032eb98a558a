//! The capture tables of some cards: for every pair of them, which captures which, as bits.
//!
//! A deal has ten cards; with a hidden hand there are up to fifteen, because all cards that the opponent may hold count. So
//! a set of cards is at most fifteen bits, and the four neighbours of a cell are a word of four 16-bit lanes with one bit each
//! (bit 15 is the border):
//!
//! ```text
//! bits  0..16 the card above   16..32 to the right   32..48 below   48..64 to the left
//! ```
//!
//! `beats[card, cell] & neighbours` is then the basic rule. Elements, Reverse and Fallen Ace are built into the table and cost
//! nothing. Ascension and Descension change the ranks during the game, so there is one table for each state of the counters,
//! called a *level*: at most 4 x 4 x 3 x 3 = 144 levels for ten cards, 5 x 5 x 5 x 4 = 500 for fifteen, and one if these
//! rules are off.

use crate::card::{Card, Element};
use crate::rules::{Rule, Rules};
use crate::setup::Setup;
use alloc::{boxed::Box, vec, vec::Vec};
use grid::{Cell, Direction};

/// The bit of the border in a lane.
pub(crate) const BORDER: u64 = 1 << 15;

/// The most cards that tables have room for.
pub const MOST_CARDS: usize = 15;

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

/// The capture tables of at most fifteen cards.
#[derive(Clone, Debug)]
pub struct Tables {
    pub(crate) levels: Box<[Level]>,
    /// One per level under Plus, otherwise empty.
    pub(crate) sums: Box<[Sums]>,
    /// By card: the number added to the level when it is played.
    step: [u16; 16],
}

/// What the tables are made from.
#[derive(Clone, Copy)]
struct Source<'a> {
    rules: Rules,
    elements: &'a [Option<Element>; 9],
    cards: &'a [Card],
}

impl Tables {
    /// The tables of these cards, numbered in this order.
    ///
    /// # Panics
    /// If there are more than [`MOST_CARDS`].
    #[must_use]
    pub fn new(rules: Rules, elements: &[Option<Element>; 9], cards: &[Card]) -> Self {
        assert!(cards.len() <= MOST_CARDS, "a lane has one bit per card and one for the border");
        let source = Source { rules, elements, cards };
        let mut step = [0; 16];
        let mut counters: Vec<[i8; 4]> = vec![[0; 4]];
        if rules.has(Rule::Ascension) || rules.has(Rule::Descension) {
            let unit = if rules.has(Rule::Ascension) { 1 } else { -1 };
            for kind in 0..4 {
                let of_kind = (0..cards.len()).filter(|&card| cards[card].kind.is_some_and(|of| of as usize == kind));
                let width = counters.len();
                let mut most: i8 = 0;
                for card in of_kind {
                    step[card] = width as u16;
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
        let levels: Box<[Level]> = counters.iter().map(|counter| Level::new(source, counter)).collect();
        let sums = if rules.has(Rule::Plus) {
            counters.iter().map(|counter| sums(&Ranks::new(cards, counter))).collect()
        } else {
            Box::default()
        };
        Self { levels, sums, step }
    }

    /// By how much playing a card raises the level.
    #[inline(always)]
    #[must_use]
    pub fn step(&self, card: u8) -> u16 {
        self.step[usize::from(card & 15)]
    }
}

/// The ranks that Same and Plus compare: printed rank plus counter, clamped to 1..=10.
struct Ranks {
    of: [[i8; 4]; MOST_CARDS],
    count: usize,
}

impl Ranks {
    fn new(cards: &[Card], counter: &[i8; 4]) -> Self {
        let mut of = [[0; 4]; MOST_CARDS];
        for (ranks, Card { sides, kind, .. }) in of.iter_mut().zip(cards) {
            let moved = kind.map_or(0, |kind| counter[kind as usize]);
            *ranks = sides.map(|side| (side as i8 + moved).clamp(1, 10));
        }
        Self { of, count: cards.len() }
    }

    /// Calls `each` with card, direction, neighbour, my rank and the rank that faces it.
    fn pairs(&self, mut each: impl FnMut(usize, Direction, usize, i8, i8)) {
        for card in 0..self.count {
            for direction in Direction::ALL {
                for other in (0..self.count).filter(|&other| other != card) {
                    let facing = self.of[other][direction.opposite() as usize];
                    each(card, direction, other, self.of[card][direction as usize], facing);
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
    let mut by_sum = [[0u64; 21]; MOST_CARDS];
    ranks.pairs(|card, direction, other, mine, theirs| by_sum[card][(mine + theirs) as usize] |= bit(direction, other));
    let mut table = [0; 1024];
    ranks.pairs(|card, direction, other, mine, theirs| {
        table[card << 6 | (direction as usize) << 4 | other] = by_sum[card][(mine + theirs) as usize];
    });
    table
}

impl Level {
    fn new(source: Source<'_>, counter: &[i8; 4]) -> Self {
        let rules = source.rules;
        let ranks = Ranks::new(source.cards, counter);
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
                    let (mine, theirs) = (mine + source.bonus(card, cell), theirs + source.bonus(other, there));
                    let at = card << 4 | cell.index();
                    level.beats[at] |= if takes(mine, theirs, ace) { bit(direction, other) } else { 0 };
                    level.chain[at] |= if takes(mine, theirs, chain_ace) { bit(direction, other) } else { 0 };
                }
            });
        } else {
            let (mut beats, mut chain) = ([0u64; MOST_CARDS], [0u64; MOST_CARDS]);
            ranks.pairs(|card, direction, other, mine, theirs| {
                beats[card] |= if takes(mine, theirs, ace) { bit(direction, other) } else { 0 };
                chain[card] |= if takes(mine, theirs, chain_ace) { bit(direction, other) } else { 0 };
            });
            for card in 0..ranks.count {
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
                for card in 0..ranks.count {
                    for direction in Direction::ALL.into_iter().filter(|&d| ranks.of[card][d as usize] == 10) {
                        level.same[card] |= BORDER << (16 * direction as usize);
                    }
                }
            }
        }
        level
    }
}

impl Source<'_> {
    fn bonus(&self, card: usize, cell: Cell) -> i8 {
        element_bonus(self.elements[cell.index()], self.cards[card])
    }
}

/// The bonus or malus of the cell's element for a card of a deal.
pub(crate) fn bonus(setup: &Setup, card: usize, cell: Cell) -> i8 {
    element_bonus(setup.elements[cell.index()], setup.card(card))
}

fn element_bonus(element: Option<Element>, card: Card) -> i8 {
    match element {
        None => 0,
        Some(element) if card.element == Some(element) => 1,
        Some(_) => -1,
    }
}
