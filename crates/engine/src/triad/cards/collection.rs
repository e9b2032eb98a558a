//! A collection of cards: a file with one card per line, and a count where there is more than one copy.
//!
//! ```text
//! # my cards
//! card,count
//! Geezard,3
//! #12
//! Fujin, Raijin
//! ```
//!
//! A line that starts with `#` and no digit is a comment.

use super::book::Book;
use super::hand::HandCard;
use super::sheet::in_file;
#[cfg(feature = "files")]
use super::sheet::text_of;
use crate::triad::error::TriadError;
#[cfg(feature = "files")]
use std::path::Path;
use triad::HAND;

/// The cards a player owns, with the number of copies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    owned: Vec<(HandCard, u32)>,
}

/// The largest count of a card; the games count fewer copies.
const MOST_COPIES: u32 = 100;

impl Collection {
    /// Reads a collection from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or the line that is wrong and why.
    #[cfg(feature = "files")]
    pub fn load(path: &Path, book: &Book) -> Result<Self, crate::Error> {
        Ok(Self::read(&text_of(path)?, &path.display().to_string(), book)?)
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
    pub fn read(text: &str, origin: &str, book: &Book) -> Result<Self, TriadError> {
        let mut owned: Vec<(HandCard, u32)> = Vec::new();
        for (at, line) in text.lines().map(str::trim).enumerate() {
            let fault = |error| in_file(origin, at + 1, error);
            let is_comment = line.starts_with('#') && !line[1..].starts_with(|next: char| next.is_ascii_digit());
            if line.is_empty() || is_comment || line == "card" || line == "card,count" {
                continue;
            }
            // A name may have a comma of its own, so only a number after the last one is a count.
            let (name, count) = match line.rsplit_once(',') {
                Some((name, count)) if count.trim().bytes().all(|byte| byte.is_ascii_digit()) => {
                    let count = count.trim().parse().ok().filter(|count| (1..=MOST_COPIES).contains(count));
                    (name, count.ok_or_else(|| fault(TriadError::Count { most: MOST_COPIES }))?)
                }
                _ => (line, 1),
            };
            let name = name.trim().trim_matches('"');
            let card = book.card(name).map_err(|reason| match line.rsplit_once(',') {
                _ if line.starts_with('[') || line.contains('=') => fault(TriadError::NotACollection),
                Some((name, count)) if book.card(name.trim().trim_matches('"')).is_ok() => {
                    fault(TriadError::NotACount { text: count.trim().to_owned(), most: MOST_COPIES })
                }
                _ => fault(reason),
            })?;
            if owned.iter().any(|(other, _)| *other == card) {
                return Err(fault(TriadError::ListedTwice { name: card.name() }));
            }
            owned.push((card, count));
        }
        if owned.is_empty() {
            return Err(in_file(origin, 0, TriadError::EmptyFile { what: "cards" }));
        }
        Ok(Self { owned })
    }

    /// Every card of a list, in as many copies as a deck can hold.
    #[must_use]
    pub fn all(book: &Book) -> Self {
        Self { owned: book.cards().iter().map(|card| (HandCard::of(card), HAND as u32)).collect() }
    }

    /// These cards with their counts.
    pub(crate) fn of(owned: impl IntoIterator<Item = (HandCard, u32)>) -> Self {
        Self { owned: owned.into_iter().collect() }
    }

    /// The cards and their counts.
    pub fn cards(&self) -> impl Iterator<Item = (&HandCard, u32)> {
        self.owned.iter().map(|(card, count)| (card, *count))
    }

    /// The number of copies of a card.
    #[must_use]
    pub fn count(&self, card: &HandCard) -> u32 {
        self.owned.iter().find(|(other, _)| other == card).map_or(0, |(_, count)| *count)
    }

    /// Checks that the collection has enough copies of each card of a hand.
    ///
    /// # Errors
    /// The first card of which it has too few.
    pub fn check(&self, hand: &[HandCard]) -> Result<(), TriadError> {
        for card in hand {
            let held = hand.iter().filter(|other| *other == card).count() as u32;
            let owned = self.count(card);
            if held > owned {
                return Err(TriadError::NotOwned { name: card.name(), owned, held });
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
    fn an_error_names_its_line() {
        let book = Book::built_in(Edition::Ff8);
        for (text, message) in [
            ("", "mine: there are no cards in it"),
            ("Geezard\n\nGeezard,2\n", "mine, line 3: Geezard is listed twice"),
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
