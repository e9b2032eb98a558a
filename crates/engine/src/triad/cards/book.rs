//! A card list: every card of a game with its name, number and power.
//!
//! A file of your own replaces the built-in list or, with `adds-to: built-in` in its head, adds to it:
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
#[cfg(feature = "files")]
use super::sheet::text_of;
use super::sheet::{Row, Sheet, quoted};
use crate::triad::error::TriadError;
use grid::TextError;
use std::collections::HashMap;
use std::fmt::Write;
#[cfg(feature = "files")]
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
    /// The power that opponents of Final Fantasy VIII attribute to it; 0 in the other game.
    pub power: u8,
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
    .map(|(origin, text)| Book::read(text, origin).expect("a test reads the built-in lists"))
});

const KEYS: [&str; 5] = ["game", "patch", "source", "rows", "adds-to"];
const COLUMNS: [&str; 8] = ["id", "name", "level", "stars", "sides", "element", "type", "power"];

impl Book {
    /// The built-in list.
    #[must_use]
    pub fn built_in(edition: Edition) -> &'static Self {
        &BUILT_IN[edition as usize]
    }

    /// Reads a list from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or the line that is wrong and why.
    #[cfg(feature = "files")]
    pub fn load(path: &Path) -> Result<Self, crate::Error> {
        Ok(Self::read(&text_of(path)?, &path.display().to_string())?)
    }

    /// Reads a list from a text that came from `origin`.
    ///
    /// # Errors
    /// The line that is wrong and why.
    pub fn read(text: &str, origin: &str) -> Result<Self, TriadError> {
        let sheet = Sheet::read(text, origin, "ninefold-cards", &KEYS, &COLUMNS)?;
        let edition = sheet.head("game").and_then(Edition::from_name);
        let edition = edition
            .ok_or_else(|| sheet.fault(2, TriadError::FileGame { expected: "\"game: ff8\" or \"game: ff14\"" }))?;
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
            Some(found) => return Err(sheet.fault(0, TriadError::FileAddsTo { found: found.to_owned() })),
        }
        let mut numbers: HashMap<u16, usize> = book.cards.iter().enumerate().map(|(at, card)| (card.id, at)).collect();
        for row in &sheet.rows {
            let card = known_card(edition, &sheet, row)?;
            let at = book.cards.len();
            if let Some(&other) = numbers.get(&card.id) {
                let error = TriadError::NumberTaken { number: card.id, name: book.cards[other].name.clone() };
                return Err(sheet.fault(row.line, error));
            }
            if book.by_name.insert(fold(&card.name), at).is_some() {
                return Err(sheet.fault(row.line, TriadError::NameTaken { name: card.name }));
            }
            numbers.insert(card.id, at);
            book.cards.push(card);
        }
        if book.cards.is_empty() {
            return Err(sheet.fault(0, TriadError::EmptyFile { what: "cards" }));
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

    /// The card of a number, if there is one.
    #[must_use]
    pub fn by_id(&self, id: u16) -> Option<&KnownCard> {
        self.cards.iter().find(|card| card.id == id)
    }

    /// The card of a name; case, spaces and signs do not matter.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&KnownCard> {
        self.by_name.get(&fold(name)).map(|at| &self.cards[*at])
    }

    /// The names most similar to a text.
    #[must_use]
    pub fn nearest_names(&self, text: &str) -> Vec<String> {
        let names = self.cards.iter().map(|card| card.name.as_str());
        nearest(text, names, 3).into_iter().map(|at| self.cards[at].name.clone()).collect()
    }

    /// The card of a text: a name, a number as in `#12`, or sides as in `8A32` (top, right, bottom, left), which an
    /// element's or type's letter may follow.
    ///
    /// # Errors
    /// What is wrong with it; for an unknown name, the most similar names.
    pub fn card(&self, text: &str) -> Result<HandCard, TriadError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(TriadError::MissingCard);
        }
        if let Some(number) = text.strip_prefix('#') {
            return number.parse().map_or_else(|_| Err(self.unknown_number(text)), |id| self.numbered(id));
        }
        match self.by_name(text) {
            Some(known) => Ok(HandCard::of(known)),
            None if looks_like_sides(text) => match read_sides(text, self.edition) {
                Ok(card) => Ok(HandCard { known: None, card }),
                Err(fault) => Err(TriadError::Sides { text: text.to_owned(), fault }),
            },
            None => Err(TriadError::UnknownName {
                edition: self.edition,
                text: text.to_owned(),
                nearest: self.nearest_names(text),
            }),
        }
    }

    /// The card of a number.
    ///
    /// # Errors
    /// If there is none.
    pub fn numbered(&self, id: u16) -> Result<HandCard, TriadError> {
        self.by_id(id).map(HandCard::of).ok_or_else(|| self.unknown_number(&format!("#{id}")))
    }

    fn unknown_number(&self, text: &str) -> TriadError {
        let numbers = || self.cards.iter().map(|card| card.id);
        TriadError::UnknownNumber {
            edition: self.edition,
            text: text.to_owned(),
            lowest: numbers().min().unwrap_or_default(),
            highest: numbers().max().unwrap_or_default(),
        }
    }
}

/// The name of the element or type of a card.
#[must_use]
pub fn mark_of(card: &Card) -> Option<&'static str> {
    card.element.map(Element::name).or(card.kind.map(Kind::name))
}

/// Whether a text looks like sides and not like a name.
pub(super) fn looks_like_sides(text: &str) -> bool {
    let is_side = |symbol: char| symbol.is_ascii_digit() || symbol == 'A' || symbol == 'a';
    let starts = text.chars().take_while(|symbol| is_side(*symbol)).count();
    let length = text.chars().count();
    starts == length
        || (length == 4 && text.chars().filter(|symbol| is_side(*symbol)).count() == 3)
        || (starts >= 3 && length <= 5)
        || (text.starts_with(|first: char| first.is_ascii_digit()) && length == 4)
}

/// Reads sides. A 10 written as two digits gets its own message.
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

fn known_card(edition: Edition, sheet: &Sheet, row: &Row) -> Result<KnownCard, TriadError> {
    let name = sheet.value(row, "name").to_owned();
    if fold(&name).is_empty() {
        return Err(sheet.fault(row.line, TriadError::NoName { what: "card" }));
    }
    let text = sheet.value(row, "sides");
    let sides = read_sides(text, edition).and_then(|card| match mark_of(&card) {
        Some(_) => Err(TextError::new(4, "nothing after the four sides")),
        None => Ok(card),
    });
    let mut card = sides.map_err(|fault| sheet.fault(row.line, TriadError::Sides { text: text.to_owned(), fault }))?;
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
            let word = word.to_owned();
            return Err(sheet.fault(row.line, TriadError::UnknownMark { mark, word, known }));
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
