//! A collection of cards, from a list, a table, JSON or TOML.
//!
//! ```text
//! # one card per line, and a count where there is more than one copy
//! card,count
//! Geezard,3
//! #12
//! Fujin, Raijin
//! ```
//!
//! A line that starts with `#` and no digit is a comment. A card that is listed twice without counts is owned twice, as in
//! lists that other programs export. Other forms, by how the file begins:
//!
//! | form | example |
//! |---|---|
//! | table with other columns | `ID,Name,Stars,Owned` in the first line; a column of names or numbers, and perhaps one of counts or yes and no |
//! | JSON | `["Geezard", 12]`, `{"Geezard": 3}`, or either under one name, as in `{"cards": [...]}` |
//! | TOML | `cards = ["Geezard", 12]`, or `[cards]` and lines such as `Geezard = 3` |

use super::book::Book;
use super::collection_text::{Entry, entries};
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
pub(super) const MOST_COPIES: u32 = 100;

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
        let mut counted: Vec<bool> = Vec::new();
        for Entry { line, card, count } in entries(text, origin, book)? {
            let fault = |error| in_file(origin, line, error);
            match owned.iter().position(|(other, _)| *other == card) {
                Some(at) if count.is_none() && !counted[at] => owned[at].1 = (owned[at].1 + 1).min(MOST_COPIES),
                Some(_) => return Err(fault(TriadError::ListedTwice { name: card.name() })),
                None => {
                    owned.push((card, count.unwrap_or(1)));
                    counted.push(count.is_some());
                }
            }
        }
        // A count of zero says that the card is not owned.
        owned.retain(|(_, count)| *count > 0);
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

    /// These cards with their counts. A card must not be there twice.
    #[must_use]
    pub fn of(owned: impl IntoIterator<Item = (HandCard, u32)>) -> Self {
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
            ("[]", "mine: there are no cards in it"),
            ("Geezard\n\nGeezard,2\n", "mine, line 3: Geezard is listed twice"),
            ("# rares\nSquall,0\n", "mine, line 2: expected a count from 1 to 100"),
            (
                "card,count\n8A3\n",
                "mine, line 2: the sides \"8A3\", character 4: expected a side from 1 to 9, or A for 10",
            ),
            ("card,count\nSquall,x\n", "mine, line 2: \"x\" is not a count from 1 to 100"),
            ("Squall,-1\n", "mine, line 1: \"-1\" is not a count from 1 to 100"),
            ("[cards]\nSquall = 1\nIfrt = 1\n", "mine, line 3: no card of ff8 is called \"Ifrt\"; did you mean Ifrit?"),
            ("cards = [\n  \"Squall\",\n  Ifrit", "mine, line 3: the file ends within a list or a table"),
            ("{\"cards\": {\"Squall\": -1}}", "mine, line 1: \"-1\" is not a count from 1 to 100"),
            ("{\"cards\" [1]}", "mine, line 1: expected : or =, not ["),
            ("ID,Name,Owned\n1,Squal,yes\n", "mine, line 2: no card of ff8 is called \"Squal\"; did you mean Squall?"),
            ("ID,Name,Owned\n1,Squall\n", "mine, line 2: 2 values where the columns are 3"),
            ("ID,Name,Owned\n1,Squall,perhaps\n", "mine, line 2: \"perhaps\" is not a count from 1 to 100"),
            ("ID,Name,Owned\n1,Squall,no\n", "mine: there are no cards in it"),
            ("#200\n", "mine, line 1: no card of ff8 has the number #200: they go from #0 to #109"),
        ] {
            assert_eq!(Collection::read(text, "mine", book).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn every_form_is_read() {
        let book = Book::built_in(Edition::Ff8);
        let form = |text: &str| {
            let mine = Collection::read(text, "mine", book).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            mine.cards().map(|(card, count)| (card.known.as_ref().unwrap().id, count)).collect::<Vec<_>>()
        };
        let expected = [(0, 3), (12, 1)];
        let twelve = book.by_id(12).unwrap().name.clone();
        for text in [
            "Geezard,3\n#12\n".to_owned(),
            "Geezard\nGeezard\n#12\nGeezard\n".to_owned(),
            "\u{feff}Geezard\r\nGeezard\r\n12\r\nGeezard\r\n".to_owned(),
            format!("Number;Name\n0;Geezard\n0;Geezard\n12;{twelve}\n0;Geezard\n"),
            format!("Name,Level,Count\nGeezard,1,3\n\"{twelve}\",2,1\n"),
            format!("\"No.\",\"Card Name\",\"Copies\"\n0,Geezard,3\n1,Funguar,0\n12,\"{twelve}\",1\n"),
            "ID,Owned\n0,3\n12,yes\n13,no\n".to_owned(),
            "[\"Geezard\", \"Geezard\", 12, 0]".to_owned(),
            "{\"Geezard\": 3, \"#12\": 1}".to_owned(),
            "{\"cards\": {\"Geezard\": 3, \"12\": 1}}".to_owned(),
            "{\n  \"owned\": [\"Geezard\", \"geezard\", 0, \"#12\"]\n}\n".to_owned(),
            "# mine\ncards = [\"Geezard\", 0, 0, 12] # all\n".to_owned(),
            "[cards]\nGeezard = 3 # many\n\"#12\" = 1\n".to_owned(),
        ] {
            assert_eq!(form(&text), expected, "{text}");
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
