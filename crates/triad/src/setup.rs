//! An unchecked deal: rules, elements, hands, and who moves first.

use crate::card::{Card, Edition, Element};
use crate::rules::{RuleFault, Rules};
use core::fmt;
use grid::Player;

/// Number of cards in a hand.
pub const HAND: usize = 5;

/// An unchecked deal. [`Deal::new`](crate::Deal::new) checks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The active rules.
    pub rules: Rules,
    /// The element of each cell, under the rule Elemental.
    pub elements: [Option<Element>; 9],
    /// The hands of A and B, in playing order.
    pub hands: [[Card; HAND]; 2],
    /// Who plays the first card. [`Player::First`] always means A.
    pub first: Player,
}

impl Setup {
    /// A deal without elements in which A moves first.
    #[must_use]
    pub const fn new(rules: Rules, hand_a: [Card; HAND], hand_b: [Card; HAND]) -> Self {
        Self { rules, elements: [None; 9], hands: [hand_a, hand_b], first: Player::First }
    }

    /// One of the ten cards: 0 to 4 are A's, 5 to 9 are B's.
    #[inline]
    #[must_use]
    pub const fn card(&self, card: usize) -> Card {
        self.hands[card / HAND][card % HAND]
    }

    /// Checks the deal.
    ///
    /// # Errors
    /// With the first thing that is wrong.
    pub fn check(&self) -> Result<(), SetupFault> {
        use crate::rules::Rule;
        if let Some(fault) = self.rules.fault() {
            return Err(SetupFault::Rules(fault));
        }
        if !self.rules.has(Rule::Elemental)
            && let Some(cell) = self.elements.iter().position(Option::is_some)
        {
            return Err(SetupFault::ElementWithoutRule { cell });
        }
        for card in 0..2 * HAND {
            let printed = self.card(card);
            if let Some(&side) = printed.sides.iter().find(|side| !(1..=10).contains(*side)) {
                return Err(SetupFault::Side { card, side });
            }
            let foreign = match self.rules.edition() {
                Edition::Ff8 => printed.kind.is_some(),
                Edition::Ff14 => printed.element.is_some(),
            };
            if foreign {
                return Err(SetupFault::ForeignMark { card });
            }
        }
        Ok(())
    }
}

/// Why a deal cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the messages describe each fault")]
pub enum SetupFault {
    Rules(RuleFault),
    ElementWithoutRule { cell: usize },
    Side { card: usize, side: u8 },
    ForeignMark { card: usize },
}

impl fmt::Display for SetupFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holder = |card: usize| if card < HAND { 'a' } else { 'b' };
        match *self {
            Self::Rules(fault) => write!(out, "{fault}"),
            Self::ElementWithoutRule { cell } => {
                write!(out, "cell {cell} has an element, but the rule elemental is off")
            }
            Self::Side { card, side } => {
                write!(out, "card {} of hand {} has a side of {side}: sides are 1 to 10", card % HAND + 1, holder(card))
            }
            Self::ForeignMark { card } => {
                write!(out, "card {} of hand {} has a mark of the other game", card % HAND + 1, holder(card))
            }
        }
    }
}

impl core::error::Error for SetupFault {}
