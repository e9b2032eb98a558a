//! Deals of two-faced cards: an upper bound for many deals at once.
//!
//! A two-faced card stands for any of several cards. Its strong face has the best side of any of them on each side, its weak
//! face the worst. Which face counts depends on the card that attacks:
//!
//! | attacker | attacks with | the neighbour defends with |
//! |---|---|---|
//! | dealt to A | its strong face | its weak face |
//! | dealt to B | its weak face | its strong face |
//!
//! A card that attacks flips only cards of the other owner. So A captures whatever any of the real cards could capture, and
//! keeps whatever any of them could keep: at every moment he owns at least the cards that he would own in a real deal after
//! the same moves. So the value of the two-faced deal for A is at least that of each real deal.
//!
//! One face is not enough. A stronger card of A that B has captured is harder to take back, so a deal with better cards can
//! be worse: against 3939 8686 8417 7842 5178, who starts, 4883 2767 8178 7982 A7A6 wins and the same with 3868 in place of
//! 2767 only draws.

use crate::card::Card;
use crate::game::Deal;
use crate::rules::{Rule, Rules};
use crate::setup::{HAND, Setup, SetupFault};
use crate::tables::Tables;

/// The bits of A's cards in the four lanes of a word.
const CARDS_OF_A: u64 = 0x001f_001f_001f_001f;

impl Deal {
    /// A deal of two-faced cards with the rules of `strong`. The faces of both setups are those of the same ten cards.
    ///
    /// It bounds real deals only if [`has_two_faces`](Self::has_two_faces).
    ///
    /// # Errors
    /// If a setup is invalid.
    pub fn two_faced(strong: &Setup, weak: &Setup) -> Result<Self, SetupFault> {
        let (a, b) = (0, 1);
        let setup = Setup { hands: [strong.hands[a], weak.hands[b]], ..*strong };
        let mut deal = Self::new(&setup)?.with_other_faces([weak.hands[a], strong.hands[b]]);
        weak.check()?;
        debug_assert!(Self::has_two_faces(strong.rules), "rules of plain comparison");
        // The tables above hold what A's strong cards do to B's weak ones and B's weak cards to A's strong ones.
        let tables = |hands: [[Card; HAND]; 2]| Tables::new(strong.rules, &strong.elements, hands.as_flattened());
        let of_a = tables([strong.hands[a], weak.hands[a]]);
        let of_b = tables([strong.hands[b], weak.hands[b]]);
        for at in 0..256 {
            let is_of_a = at >> 4 < HAND;
            let merge = |own: &mut u64, of_a: u64, of_b: u64| {
                *own = if is_of_a {
                    *own & !CARDS_OF_A | of_a >> HAND & CARDS_OF_A
                } else {
                    *own & !(CARDS_OF_A << HAND) | (of_b & CARDS_OF_A) << HAND
                };
            };
            for level in deal.tables_mut().levels.iter_mut() {
                merge(&mut level.beats[at], of_a.levels[0].beats[at], of_b.levels[0].beats[at]);
                merge(&mut level.chain[at], of_a.levels[0].chain[at], of_b.levels[0].chain[at]);
            }
        }
        Ok(deal)
    }

    /// Whether the rules let two-faced cards bound real ones: only facing sides are compared, the better one
    /// captures, and no side changes.
    #[must_use]
    pub fn has_two_faces(rules: Rules) -> bool {
        let others = [Rule::Same, Rule::Plus, Rule::Ascension, Rule::Descension, Rule::FallenAce, Rule::Elemental];
        !others.into_iter().any(|rule| rules.has(rule))
    }
}
