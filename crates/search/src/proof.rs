//! Proof-number search: yes or no to "does this player reach at least that?", best-first in a pool or depth-first over the
//! table.
//!
//! Every position has two numbers: how many leaves must at least still be proved to prove the answer *yes*, and how many
//! to prove *no*. Both searches always go on where the least is missing:
//!
//! ```text
//!                      yes needs            no needs
//! asker moves      min over children    sum over children
//! other moves      sum over children    min over children
//! over             0 or infinite        infinite or 0
//! not yet seen     a hint: 1 and 1, or the number of moves where all of them are needed
//! ```
//!
//! Questions are kept from the first player's side whoever asks: "the second reaches `t`" is "the first does not reach
//! `1 - t`". Games must not return to an earlier position (none of this house does): no path is remembered.
//!
//! Two questions tell win, draw and loss; [`value_by_questions`] asks as many as a margin needs.

mod best_first;
mod depth_first;

pub use best_first::BestFirst;
pub use depth_first::DepthFirst;

use crate::budget::Report;
use crate::table::{Keying, Record, Table};
use grid::{Player, Versus};

/// Does `player` reach at least `at_least`?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// Who asks.
    pub player: Player,
    /// The result in question, for that player.
    pub at_least: i32,
}

impl Question {
    /// The result the first player must reach, and the answer when he does.
    fn for_first(self) -> (i32, bool) {
        match self.player {
            Player::First => (self.at_least, true),
            Player::Second => (1 - self.at_least, false),
        }
    }
}

/// The answer to a [`Question`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer<M> {
    /// Yes or no, or `None` when the budget was spent before it was proved.
    pub answer: Option<bool>,
    /// The move with which the player to move gets his way, if he does.
    pub best: Option<M>,
    /// What it cost.
    pub report: Report,
}

/// The exact value for the first player, from questions "does the first player reach at least this?".
///
/// ```
/// use ninefold_search::proof::value_by_questions;
/// assert_eq!(value_by_questions(9, |at_least| Some(-4 >= at_least)), Some(-4));
/// assert_eq!(value_by_questions(1, |_| None), None);
/// ```
pub fn value_by_questions(best: i32, mut ask: impl FnMut(i32) -> Option<bool>) -> Option<i32> {
    let (mut low, mut high) = (-best, best);
    while low < high {
        let middle = (low + high + 1).div_euclid(2);
        if ask(middle)? {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Some(low)
}

/// How hard a position looks before it was searched.
pub trait Hint<G: Versus> {
    /// How much the player to move needs to get his way, and how much the other needs; both at least 1.
    fn numbers(&self, game: &G, position: &G::Position) -> (u32, u32);
}

/// Every new position looks the same.
#[derive(Clone, Copy, Default, Debug)]
pub struct Alike;

impl<G: Versus> Hint<G> for Alike {
    #[inline]
    fn numbers(&self, _: &G, _: &G::Position) -> (u32, u32) {
        (1, 1)
    }
}

/// The player to move needs one good move, the other an answer to each.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mobility;

impl<G: Versus> Hint<G> for Mobility {
    #[inline]
    fn numbers(&self, game: &G, position: &G::Position) -> (u32, u32) {
        (1, (game.moves(position).len() as u32).max(1))
    }
}

/// More than any number of leaves.
const INFINITE: u32 = 1 << 30;

/// What is missing for yes, and what for no, from the first player's side. One is 0 exactly when the other is infinite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    yes: u32,
    no: u32,
}

impl Numbers {
    const YES: Self = Self { yes: 0, no: INFINITE };
    const NO: Self = Self { yes: INFINITE, no: 0 };

    fn solved(self) -> Option<bool> {
        match self {
            Self { yes: 0, .. } => Some(true),
            Self { no: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// For the player to move: what he needs to get his way, what the other needs.
    #[inline(always)]
    fn of_mover(self, mover: Player) -> (u32, u32) {
        if mover == Player::First { (self.yes, self.no) } else { (self.no, self.yes) }
    }

    #[inline(always)]
    fn from_mover(mover: Player, (his, other): (u32, u32)) -> Self {
        if mover == Player::First { Self { yes: his, no: other } } else { Self { yes: other, no: his } }
    }

    /// The numbers of a position from those of the positions its mover can choose from.
    #[inline(always)]
    fn of_choice(mover: Player, children: impl Iterator<Item = Self>) -> Self {
        let (mut least, mut sum) = (INFINITE, 0u64);
        for child in children {
            let (his, other) = child.of_mover(mover);
            least = least.min(his);
            sum += u64::from(other);
        }
        let sum = if least == 0 { INFINITE } else { sum.min(u64::from(INFINITE) - 1) as u32 };
        Self::from_mover(mover, (least, sum))
    }
}

/// What the table keeps:
///
/// ```text
/// bits  0..20  what is missing for yes; 2^20 - 1 is infinite
///      20..40  what is missing for no
///      40..48  the question: the result for the first player, plus 128
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    numbers: Numbers,
    at_least: i8,
}

const FIELD: u32 = (1 << 20) - 1;

impl Record for Entry {
    #[inline]
    fn pack(self) -> u64 {
        // Numbers too large for their field become the largest that is not infinite: a hint a little too small.
        let field = |number: u32| u64::from(if number >= INFINITE { FIELD } else { number.min(FIELD - 1) });
        field(self.numbers.yes) | field(self.numbers.no) << 20 | u64::from(self.at_least as u8 ^ 0x80) << 40
    }

    #[inline]
    fn unpack(word: u64) -> Self {
        let number = |field: u32| if field == FIELD { INFINITE } else { field };
        let (yes, no) = (word as u32 & FIELD, (word >> 20) as u32 & FIELD);
        Self { numbers: Numbers { yes: number(yes), no: number(no) }, at_least: (word >> 40) as u8 as i8 ^ -0x80 }
    }
}

/// What both searches ask the rules and the table.
struct Judge<'a, G, H, K> {
    game: &'a G,
    hint: &'a H,
    table: &'a Table<K, Entry>,
    at_least: i32,
}

impl<G: Versus, H: Hint<G>, K: Keying<G>> Judge<'_, G, H, K> {
    /// The numbers of a position before it is searched.
    #[inline(always)]
    fn look(&self, position: &G::Position) -> Numbers {
        const { assert!(G::BEST <= i8::MAX as i32, "the table has eight bits for the question") };
        if let Some(result) = self.game.result(position) {
            return if result >= self.at_least { Numbers::YES } else { Numbers::NO };
        }
        match self.table.probe(K::key(self.game, position)) {
            Some((entry, _)) if i32::from(entry.at_least) == self.at_least => entry.numbers,
            _ => {
                let (his, other) = self.hint.numbers(self.game, position);
                let bounded = |number: u32| number.clamp(1, INFINITE - 1);
                Numbers::from_mover(self.game.mover(position), (bounded(his), bounded(other)))
            }
        }
    }

    /// Keeps the numbers of a position; `effort` is what it cost to find them.
    #[inline(always)]
    fn keep(&self, position: &G::Position, numbers: Numbers, effort: u64) {
        let worth = (u64::BITS - effort.leading_zeros()) as u8;
        let entry = Entry { numbers, at_least: self.at_least as i8 };
        self.table.store(K::key(self.game, position), worth, entry);
    }

    /// The numbers of a root that needs no search: the game is over, or no result or every result is enough.
    fn at_once(&self, root: &G::Position) -> Option<Numbers> {
        if self.at_least <= -G::BEST {
            Some(Numbers::YES)
        } else if self.at_least > G::BEST {
            Some(Numbers::NO)
        } else {
            self.game.result(root).map(|_| self.look(root))
        }
    }

    /// Puts the answer together; `best` counts only if it gets the player to move his way.
    fn answer(
        &self,
        root: &G::Position,
        numbers: Numbers,
        answer_if_reached: bool,
        best: Option<G::Move>,
        report: Report,
    ) -> Answer<G::Move> {
        let answer = numbers.solved().map(|reached| reached == answer_if_reached);
        let his_way = numbers.of_mover(self.game.mover(root)).0 == 0;
        let proved = answer.is_some();
        let stopped_by = if proved { None } else { report.stopped_by };
        Answer { answer, best: best.filter(|_| his_way), report: Report { proved, stopped_by, ..report } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_round_trip_and_large_numbers_stay_finite() {
        for at_least in [-128, -1, 0, 1, 127] {
            for numbers in [Numbers::YES, Numbers::NO, Numbers { yes: 1, no: 70_000 }] {
                let entry = Entry { numbers, at_least };
                assert!(entry.pack() >> 48 == 0);
                assert_eq!(Entry::unpack(entry.pack()), entry);
            }
        }
        let large = Entry { numbers: Numbers { yes: INFINITE - 1, no: 5 }, at_least: 0 };
        assert_eq!(Entry::unpack(large.pack()).numbers, Numbers { yes: FIELD - 1, no: 5 });
    }
}
