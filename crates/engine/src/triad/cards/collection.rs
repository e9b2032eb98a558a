//! The cards somebody owns: a file with one card a line, and how many of it where that is more than one.
//!
//! ```text
//! # my cards
//! card,count
//! Geezard,3
//! #12
//! Fujin, Raijin
//! ```
//!
//! A line that starts with `#` and no digit is a remark.

use super::book::Book;
use super::hand::{HandCard, HandFault};
use super::sheet::{FileFault, text_of};
use std::path::Path;

/// The cards somebody owns, with how many of each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    owned: Vec<(HandCard, u32)>,
}

/// More copies of a card than the game keeps count of.
const MOST_COPIES: u32 = 100;

impl Collection {
    /// Reads a collection from a file.
    ///
    /// # Errors
    /// The line that is wrong and why.
    pub fn load(path: &Path, book: &Book) -> Result<Self, FileFault> {
        Self::read(&text_of(path)?, &path.display().to_string(), book)
    }

    /// Reads a collection from a text that came from `origin`.
    ///
    /// ```
    /// use ninefold_engine::triad::cards::{Book, Collection};
    /// use triad::Edition;
    /// let book = Book::built_in(Edition::Ff8);
    /// let mine = Collection::read("# mine\nGeezard,3\n#12\n\"Fujin, Raijin\"\n", "my cards", book).unwrap();
    /// assert_eq!(mine.cards().map(|(card, count)| (card.name(), count)).nth(2), Some(("Fujin, Raijin".to_owned(), 1)));
    /// let fault = Collection::read("Geezard\nIfrt\n", "my cards", book).unwrap_err();
    /// assert_eq!(fault.to_string(), "my cards, line 2: no card of ff8 is called \"Ifrt\"; did you mean Ifrit?");
    /// ```
    ///
    /// # Errors
    /// The line that is wrong and why.
    pub fn read(text: &str, origin: &str, book: &Book) -> Result<Self, FileFault> {
        let mut owned: Vec<(HandCard, u32)> = Vec::new();
        for (at, line) in text.lines().map(str::trim).enumerate() {
            let fault = |what: String| FileFault { origin: origin.to_owned(), line: at + 1, unread: false, what };
            let is_remark = line.starts_with('#') && !line[1..].starts_with(|next: char| next.is_ascii_digit());
            if line.is_empty() || is_remark || line == "card" || line == "card,count" {
                continue;
            }
            // A name may have a comma of its own, so only a number after the last one is a count.
            let (name, count) = match line.rsplit_once(',') {
                Some((name, count)) if count.trim().bytes().all(|byte| byte.is_ascii_digit()) => {
                    let count = count.trim().parse().ok().filter(|count| (1..=MOST_COPIES).contains(count));
                    (name, count.ok_or_else(|| fault(format!("expected a count from 1 to {MOST_COPIES}")))?)
                }
                _ => (line, 1),
            };
            let name = name.trim().trim_matches('"');
            let card = book.card(name).map_err(|reason| match line.rsplit_once(',') {
                _ if line.starts_with('[') || line.contains('=') => {
                    fault("expected a card, as in Squall or Squall,2: a collection is a table with commas".to_owned())
                }
                Some((name, count)) if book.card(name.trim().trim_matches('"')).is_ok() => {
                    fault(format!("\"{}\" is not a count from 1 to {MOST_COPIES}", count.trim()))
                }
                _ => fault(reason.to_string()),
            })?;
            if owned.iter().any(|(other, _)| *other == card) {
                return Err(fault(format!("{} stands here twice", card.name())));
            }
            owned.push((card, count));
        }
        if owned.is_empty() {
            return Err(FileFault {
                origin: origin.to_owned(),
                line: 0,
                unread: false,
                what: "there are no cards in it".to_owned(),
            });
        }
        Ok(Self { owned })
    }

    /// The cards and how many there are of each.
    pub fn cards(&self) -> impl Iterator<Item = (&HandCard, u32)> {
        self.owned.iter().map(|(card, count)| (card, *count))
    }

    /// How many of a card there are.
    #[must_use]
    pub fn count(&self, card: &HandCard) -> u32 {
        self.owned.iter().find(|(other, _)| other == card).map_or(0, |(_, count)| *count)
    }

    /// Whether all these cards are owned, as often as they are held.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self, hand: &[HandCard]) -> Result<(), HandFault> {
        for card in hand {
            let held = hand.iter().filter(|other| *other == card).count() as u32;
            let owned = self.count(card);
            if held > owned {
                return Err(HandFault::NotOwned { name: card.name(), owned, held });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triad::cards::{Holder, read_hand};
    use triad::Edition;

    #[test]
    fn a_fault_is_told_by_its_line() {
        let book = Book::built_in(Edition::Ff8);
        for (text, message) in [
            ("", "mine: there are no cards in it"),
            ("Geezard\n\nGeezard,2\n", "mine, line 3: Geezard stands here twice"),
            ("# rares\nSquall,0\n", "mine, line 2: expected a count from 1 to 100"),
            (
                "card,count\n8A3\n",
                "mine, line 2: the sides \"8A3\", character 4: expected a side from 1 to 9, or A for 10",
            ),
            ("card,count\nSquall,x\n", "mine, line 2: \"x\" is not a count from 1 to 100"),
            ("Squall,-1\n", "mine, line 1: \"-1\" is not a count from 1 to 100"),
            (
                "[cards]\nSquall = 1\n",
                "mine, line 1: expected a card, as in Squall or Squall,2: a collection is a table with commas",
            ),
            ("#200\n", "mine, line 1: no card of ff8 has the number #200: they go from #0 to #109"),
        ] {
            assert_eq!(Collection::read(text, "mine", book).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn a_hand_must_be_owned() {
        let book = Book::built_in(Edition::Ff8);
        let mine = Collection::read("Geezard,2\nFunguar\nBite Bug\nRed Bat\nBlobra\n", "mine", book).unwrap();
        let hand = |text| read_hand(book, text, Holder::Player).unwrap();
        assert_eq!(mine.check(&hand("Geezard,Geezard,Funguar,Bite Bug,Red Bat")), Ok(()));
        let fault = mine.check(&hand("Geezard,Funguar,Funguar,Bite Bug,Red Bat")).unwrap_err();
        assert_eq!(fault.to_string(), "the collection has 1 of Funguar; the hand holds 2");
        assert!(mine.check(&hand("Geezard,Squall,Funguar,Bite Bug,Red Bat")).is_err());
    }
}
