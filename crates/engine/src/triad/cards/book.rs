//! A card list: every card of a game with its name, number and worth.
//!
//! A file of one's own takes the place of the list built in or, with `adds-to: built-in` in its head, adds to it:
//!
//! ```
//! use ninefold_engine::triad::cards::Book;
//! let own = "ninefold-cards 1\ngame: ff8\nadds-to: built-in\n\nid,name,sides,element\n900,My Chocobo,8A32,Fire\n";
//! let book = Book::read(own, "own cards").unwrap();
//! assert_eq!(book.cards().len(), 111);
//! assert_eq!(book.card("my chocobo").unwrap().card.to_string(), "8A32f");
//! assert_eq!(book.card("#900").unwrap(), book.card("My Chocobo").unwrap());
//! let damaged = Book::read(&own.replace("8A32", "8032"), "own cards").unwrap_err();
//! assert!(damaged.to_string().starts_with("own cards, line 6: the sides \"8032\", character 2:"));
//! ```

use super::hand::HandCard;
use super::names::{fold, nearest};
use super::sheet::{FileFault, Row, Sheet, quoted, text_of};
use grid::TextError;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;
use triad::{Card, Edition, Element, Kind};

/// A card with its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownCard {
    /// Its number in the game.
    pub id: u16,
    /// Its name.
    pub name: String,
    /// The level, 1 to 10, of a Final Fantasy VIII card; the stars, 1 to 5, of a Final Fantasy XIV card.
    pub grade: u8,
    /// What is printed on it.
    pub card: Card,
    /// What the opponents of Final Fantasy VIII take it to be worth; 0 in the other game.
    pub power: u8,
}

/// Why a text names no card.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CardFault {
    #[error("no card of {edition} is called \"{text}\"{}", suggestion(nearest))]
    UnknownName { edition: Edition, text: String, nearest: Vec<String> },
    #[error("no card of {edition} has the number {text}: they go from #{lowest} to #{highest}")]
    UnknownNumber { edition: Edition, text: String, lowest: u16, highest: u16 },
    #[error("the sides \"{text}\", character {}: expected {}", fault.at + 1, fault.expected)]
    Sides { text: String, fault: TextError },
    #[error("side {} of {sides:?}: expected {expected}", at + 1)]
    Printed { sides: [u8; 4], at: usize, expected: &'static str },
    #[error("{number} is no {what} of this game")]
    Mark { what: &'static str, number: u8 },
    #[error("a card is missing")]
    Nothing,
}

fn suggestion(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        [only] => format!("; did you mean {only}?"),
        [most @ .., last] => format!("; did you mean {} or {last}?", most.join(", ")),
    }
}

/// The cards of a game.
#[derive(Clone, Debug)]
pub struct Book {
    edition: Edition,
    patch: String,
    source: String,
    cards: Vec<KnownCard>,
    by_name: HashMap<String, usize>,
}

static BUILT_IN: LazyLock<[Book; 2]> = LazyLock::new(|| {
    [
        ("ff8 cards (built in)", include_str!("../../../data/triad/ff8_cards.csv")),
        ("ff14 cards (built in)", include_str!("../../../data/triad/ff14_cards.csv")),
    ]
    .map(|(origin, text)| Book::read(text, origin).expect("a test reads the lists built in"))
});

const COLUMNS: [&str; 8] = ["id", "name", "level", "stars", "sides", "element", "type", "power"];

impl Book {
    /// The list built into the library.
    #[must_use]
    pub fn built_in(edition: Edition) -> &'static Self {
        &BUILT_IN[edition as usize]
    }

    /// Reads a list from a file.
    ///
    /// # Errors
    /// The line that is wrong and why.
    pub fn load(path: &Path) -> Result<Self, FileFault> {
        Self::read(&text_of(path)?, &path.display().to_string())
    }

    /// Reads a list from a text that came from `origin`.
    ///
    /// # Errors
    /// The line that is wrong and why.
    pub fn read(text: &str, origin: &str) -> Result<Self, FileFault> {
        let sheet = Sheet::read(text, origin, "ninefold-cards", &COLUMNS)?;
        let edition = sheet.head("game").and_then(Edition::from_name);
        let edition =
            edition.ok_or_else(|| sheet.fault(2, "expected \"game: ff8\" or \"game: ff14\" in the head".into()))?;
        let head = |key: &str| sheet.head(key).unwrap_or_default().to_owned();
        let mut book =
            Self { edition, patch: head("patch"), source: head("source"), cards: Vec::new(), by_name: HashMap::new() };
        match sheet.head("adds-to") {
            None => {}
            Some("built-in") => {
                let built_in = Self::built_in(edition);
                book.cards.clone_from(&built_in.cards);
                book.by_name.clone_from(&built_in.by_name);
            }
            Some(other) => return Err(sheet.fault(0, format!("adds-to is \"{other}\": it can only be built-in"))),
        }
        let mut numbers: HashMap<u16, usize> = book.cards.iter().enumerate().map(|(at, card)| (card.id, at)).collect();
        for row in &sheet.rows {
            let card = known_card(edition, &sheet, row)?;
            let at = book.cards.len();
            if let Some(&other) = numbers.get(&card.id) {
                let what = format!("the number {} is already that of {}", card.id, book.cards[other].name);
                return Err(sheet.fault(row.line, what));
            }
            if book.by_name.insert(fold(&card.name), at).is_some() {
                return Err(sheet.fault(row.line, format!("there is already a card called {}", card.name)));
            }
            numbers.insert(card.id, at);
            book.cards.push(card);
        }
        if book.cards.is_empty() {
            return Err(sheet.fault(0, "there are no cards in it".into()));
        }
        Ok(book)
    }

    /// The text of the file of this list.
    #[must_use]
    pub fn write(&self) -> String {
        let (grade, mark, last) = match self.edition {
            Edition::Ff8 => ("level", "element", ",power"),
            Edition::Ff14 => ("stars", "type", ""),
        };
        let mut text = format!("ninefold-cards 1\ngame: {}\npatch: {}\n", self.edition, self.patch);
        let _ = write!(text, "source: {}\nrows: {}\n\n", self.source, self.cards.len());
        let _ = writeln!(text, "id,name,{grade},sides,{mark}{last}");
        for known in &self.cards {
            let sides = Card { element: None, kind: None, ..known.card };
            let mark = mark_of(&known.card).unwrap_or_default();
            let _ = write!(text, "{},{},{},{sides},{mark}", known.id, quoted(&known.name), known.grade);
            match self.edition {
                Edition::Ff8 => writeln!(text, ",{}", known.power),
                Edition::Ff14 => writeln!(text),
            }
            .unwrap_or_default();
        }
        text
    }

    /// Which game.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// The version of the game that the list was taken from.
    #[must_use]
    pub fn patch(&self) -> &str {
        &self.patch
    }

    /// Where the list comes from.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// All cards, in the order of the file.
    #[must_use]
    pub fn cards(&self) -> &[KnownCard] {
        &self.cards
    }

    /// The card of a number.
    #[must_use]
    pub fn by_id(&self, id: u16) -> Option<&KnownCard> {
        self.cards.iter().find(|card| card.id == id)
    }

    /// The card of a name; case, spaces and signs do not matter.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&KnownCard> {
        self.by_name.get(&fold(name)).map(|at| &self.cards[*at])
    }

    /// The names nearest to what was typed.
    #[must_use]
    pub fn nearest_names(&self, text: &str) -> Vec<String> {
        let names = self.cards.iter().map(|card| card.name.as_str());
        nearest(text, names, 3).into_iter().map(|at| self.cards[at].name.clone()).collect()
    }

    /// The card of a text: a name, a number as in `#12`, or sides as in `8A32` (top, right, bottom, left), which an
    /// element's or type's letter may follow.
    ///
    /// # Errors
    /// What is wrong with it; for a name, the nearest ones.
    pub fn card(&self, text: &str) -> Result<HandCard, CardFault> {
        let text = text.trim();
        if text.is_empty() {
            return Err(CardFault::Nothing);
        }
        if let Some(number) = text.strip_prefix('#') {
            let known = number.parse().ok().and_then(|id| self.by_id(id));
            return known.map(HandCard::of).ok_or_else(|| self.unknown_number(text));
        }
        match self.by_name(text) {
            Some(known) => Ok(HandCard::of(known)),
            None if looks_like_sides(text) => match read_sides(text, self.edition) {
                Ok(card) => Ok(HandCard { known: None, card }),
                Err(fault) => Err(CardFault::Sides { text: text.to_owned(), fault }),
            },
            None => Err(CardFault::UnknownName {
                edition: self.edition,
                text: text.to_owned(),
                nearest: self.nearest_names(text),
            }),
        }
    }

    pub(super) fn unknown_number(&self, text: &str) -> CardFault {
        let numbers = || self.cards.iter().map(|card| card.id);
        CardFault::UnknownNumber {
            edition: self.edition,
            text: text.to_owned(),
            lowest: numbers().min().unwrap_or_default(),
            highest: numbers().max().unwrap_or_default(),
        }
    }
}

/// The element or type of a card by its name.
pub(super) fn mark_of(card: &Card) -> Option<&'static str> {
    card.element.map(Element::name).or(card.kind.map(Kind::name))
}

/// Whether somebody who typed this meant sides and not a name.
pub(super) fn looks_like_sides(text: &str) -> bool {
    let is_side = |symbol: char| symbol.is_ascii_digit() || symbol == 'A' || symbol == 'a';
    let starts = text.chars().take_while(|symbol| is_side(*symbol)).count();
    let length = text.chars().count();
    starts == length
        || (length == 4 && text.chars().filter(|symbol| is_side(*symbol)).count() == 3)
        || (starts >= 3 && length <= 5)
        || (text.starts_with(|first: char| first.is_ascii_digit()) && length == 4)
}

/// Sides, with a word for those who write a 10 as two digits.
fn read_sides(text: &str, edition: Edition) -> Result<Card, TextError> {
    let sides_only = text.bytes().all(|byte| byte.is_ascii_digit() || byte.eq_ignore_ascii_case(&b'A'));
    match Card::read(text, edition) {
        Err(fault) if fault.at >= 4 && sides_only => {
            Err(TextError::new(4, "four sides and no more, each 1 to 9, or A for 10"))
        }
        Err(fault) if fault.at < 4 => Err(TextError::new(fault.at, "a side from 1 to 9, or A for 10")),
        result => result,
    }
}

fn known_card(edition: Edition, sheet: &Sheet, row: &Row) -> Result<KnownCard, FileFault> {
    let name = sheet.value(row, "name").to_owned();
    if fold(&name).is_empty() {
        return Err(sheet.fault(row.line, "the card has no name".into()));
    }
    let text = sheet.value(row, "sides");
    let sides = read_sides(text, edition).and_then(|card| match mark_of(&card) {
        Some(_) => Err(TextError::new(4, "nothing after the four sides")),
        None => Ok(card),
    });
    let mut card =
        sides.map_err(|fault| sheet.fault(row.line, CardFault::Sides { text: text.to_owned(), fault }.to_string()))?;
    let (grade, highest, mark) = match edition {
        Edition::Ff8 => ("level", 10, "element"),
        Edition::Ff14 => ("stars", 5, "type"),
    };
    let word = sheet.value(row, mark);
    if !word.is_empty() {
        match edition {
            Edition::Ff8 => card.element = Element::ALL.into_iter().find(|element| element.name() == word),
            Edition::Ff14 => card.kind = Kind::ALL.into_iter().find(|kind| kind.name() == word),
        }
        if mark_of(&card).is_none() {
            let known: Vec<&str> = match edition {
                Edition::Ff8 => Element::ALL.into_iter().map(Element::name).collect(),
                Edition::Ff14 => Kind::ALL.into_iter().map(Kind::name).collect(),
            };
            let what = format!("{mark} is \"{word}\": expected nothing or {}", known.join(", "));
            return Err(sheet.fault(row.line, what));
        }
    }
    Ok(KnownCard {
        id: sheet.number(row, "id", 0..=u16::MAX, None)?,
        name,
        grade: sheet.number(row, grade, 1..=highest, Some(1))? as u8,
        card,
        power: sheet.number(row, "power", 0..=255, Some(0))? as u8,
    })
}
