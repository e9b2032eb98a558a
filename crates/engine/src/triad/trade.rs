//! The trade rules of Final Fantasy VIII: which cards change hands after a game.
//!
//! | rule | what the winner takes |
//! |---|---|
//! | `none` | nothing |
//! | `one` | one card |
//! | `diff` | the difference of the scores: two after 6:4, four after 7:3, all five after more |
//! | `direct` | each player keeps the cards of his colour, after a draw too |
//! | `all` | all five |
//!
//! Under One and Diff the winner chooses from the five cards that were dealt to the loser. An opponent takes those with the
//! highest power.

use grid::Player;
use serde::{Deserialize, Serialize};
use triad::HAND;

/// A trade rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the table above says what each does")]
pub enum Trade {
    None,
    One,
    Diff,
    Direct,
    All,
}

/// The result of a trade rule after a game. Cards by their number in the deal: 0 to 4 were dealt to A, 5 to 9 to B.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Settlement {
    /// These cards change hands, and nobody has a choice.
    Fixed {
        /// Cards dealt to B that go to A.
        to_a: Vec<u8>,
        /// Cards dealt to A that go to B.
        to_b: Vec<u8>,
    },
    /// The winner chooses.
    Choice {
        /// Who.
        winner: Player,
        /// How many.
        count: usize,
        /// Out of which.
        among: [u8; HAND],
    },
}

impl Trade {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::None, Self::One, Self::Diff, Self::Direct, Self::All];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["none", "one", "diff", "direct", "all"][self as usize]
    }

    /// The rule of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trade| trade.name() == name)
    }

    /// The number of cards that the winner takes if he owns `owned` of the ten at the end; `None` under `direct`.
    ///
    /// ```
    /// use ninefold_engine::triad::trade::Trade;
    /// assert_eq!([6, 7, 8, 9].map(|owned| Trade::Diff.count(owned)), [Some(2), Some(4), Some(5), Some(5)]);
    /// ```
    #[must_use]
    pub fn count(self, owned: u32) -> Option<usize> {
        match self {
            Self::None => Some(0),
            Self::One => Some(1),
            Self::Diff => Some((2 * owned as usize).saturating_sub(10).min(HAND)),
            Self::Direct => None,
            Self::All => Some(HAND),
        }
    }

    /// What changes hands when A owns the cards `own` at the end, as bits.
    #[must_use]
    pub fn settle(self, own: u16) -> Settlement {
        let of_a = (own & 0x3ff).count_ones();
        let dealt_to_a = [0, 1, 2, 3, 4];
        let dealt_to_b = [5, 6, 7, 8, 9];
        let is_owned_by_a = |card: &u8| own >> card & 1 != 0;
        let winner = match of_a {
            0..5 => Some(Player::Second),
            5 => None,
            _ => Some(Player::First),
        };
        match (self, winner) {
            (Self::Direct, _) => Settlement::Fixed {
                to_a: dealt_to_b.into_iter().filter(is_owned_by_a).collect(),
                to_b: dealt_to_a.into_iter().filter(|card| !is_owned_by_a(card)).collect(),
            },
            (_, None) => Settlement::Fixed { to_a: Vec::new(), to_b: Vec::new() },
            (_, Some(winner)) => {
                let owned = if winner == Player::First { of_a } else { 10 - of_a };
                let among = if winner == Player::First { dealt_to_b } else { dealt_to_a };
                match self.count(owned).unwrap_or_default() {
                    0 => Settlement::Fixed { to_a: Vec::new(), to_b: Vec::new() },
                    HAND if winner == Player::First => Settlement::Fixed { to_a: among.to_vec(), to_b: Vec::new() },
                    HAND => Settlement::Fixed { to_a: Vec::new(), to_b: among.to_vec() },
                    count => Settlement::Choice { winner, count, among },
                }
            }
        }
    }
}

/// The cards an opponent takes: those with the highest power, of equal ones the first in the hand.
///
/// ```
/// use ninefold_engine::triad::trade::npc_choice;
/// let power = |card: u8| [20, 90, 50, 90, 10][usize::from(card)];
/// assert_eq!(npc_choice([0, 1, 2, 3, 4], 2, power), [1, 3]);
/// ```
#[must_use]
pub fn npc_choice(among: [u8; HAND], count: usize, power: impl Fn(u8) -> u8) -> Vec<u8> {
    let mut cards = among.to_vec();
    cards.sort_by_key(|card| std::cmp::Reverse(power(*card)));
    cards.truncate(count);
    cards
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A owns that many cards: all his own first, or all but some of them.
    const fn own(score: u32) -> u16 {
        (1 << score) - 1
    }

    fn taken(settlement: &Settlement) -> (usize, usize) {
        match settlement {
            Settlement::Fixed { to_a, to_b } => (to_a.len(), to_b.len()),
            Settlement::Choice { winner: Player::First, count, .. } => (*count, 0),
            Settlement::Choice { winner: Player::Second, count, .. } => (0, *count),
        }
    }

    #[test]
    fn the_winner_takes_what_the_rule_says() {
        for (trade, by_score) in [
            (Trade::None, [0, 0, 0, 0, 0]),
            (Trade::One, [0, 1, 1, 1, 1]),
            (Trade::Diff, [0, 2, 4, 5, 5]),
            (Trade::Direct, [0, 1, 2, 3, 4]),
            (Trade::All, [0, 5, 5, 5, 5]),
        ] {
            for (more, count) in by_score.into_iter().enumerate() {
                let more = more as u32;
                assert_eq!(taken(&trade.settle(own(5 + more))), (count, 0), "{trade:?} at {}", 5 + more);
                assert_eq!(taken(&trade.settle(own(5 - more))), (0, count), "{trade:?} at {}", 5 - more);
            }
        }
    }

    #[test]
    fn the_loser_gives_of_the_cards_dealt_to_him() {
        let wins = Settlement::Choice { winner: Player::First, count: 1, among: [5, 6, 7, 8, 9] };
        assert_eq!(Trade::One.settle(0b00010_11111), wins);
        let loses = Settlement::Choice { winner: Player::Second, count: 2, among: [0, 1, 2, 3, 4] };
        assert_eq!(Trade::Diff.settle(0b00001_00111), loses);
    }

    #[test]
    fn direct_follows_the_colours_after_a_draw_too() {
        let after = Trade::Direct.settle(0b10001_00111);
        assert_eq!(after, Settlement::Fixed { to_a: vec![5, 9], to_b: vec![3, 4] });
    }
}
