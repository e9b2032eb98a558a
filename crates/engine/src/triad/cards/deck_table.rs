//! A table of decks: the best known deck against each opponent, and what is known about it. The built-in table has the best
//! decks of all cards; a player keeps his own decks in a file of the same format.

use super::book::Book;
use super::npcs::NpcBook;
#[cfg(feature = "files")]
use super::sheet::text_of;
use super::sheet::{Row, Sheet, quoted};
use crate::triad::deck::{DeckStatus, Unranked};
use crate::triad::error::TriadError;
use std::fmt::Write;
#[cfg(feature = "files")]
use std::path::Path;
use std::sync::LazyLock;
use triad::{Edition, HAND};

/// What is known about the deck of a row. Points are half-points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// A deck, by the numbers of its cards.
    Deck {
        /// The cards.
        deck: [u16; HAND],
        /// Its points.
        points: u32,
        /// Two for each game.
        most: u32,
        /// No deck has more.
        bound: u32,
        /// What is known.
        status: DeckStatus,
    },
    /// A deck under rules of luck, by its expected points.
    Expected {
        /// The cards.
        deck: [u16; HAND],
        /// Its expected points over all games, in thousandths.
        points: u32,
        /// The number of games.
        of: u32,
        /// One standard error of the points, in thousandths; none if they are exact.
        error: Option<u32>,
    },
    /// Decks are not ranked under the rules of the opponent.
    Unranked(Unranked),
}

/// A row of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckRow {
    /// The number of the opponent.
    pub npc: u16,
    /// The rules, as [`Rules`](triad::Rules) writes them.
    pub rules: String,
    /// The deck.
    pub standing: Standing,
}

/// A table of decks, in the order of the opponents' numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeckTable {
    rows: Vec<DeckRow>,
}

static BUILT_IN: LazyLock<DeckTable> = LazyLock::new(|| {
    let text = include_str!("../../../data/triad/ff14_decks.csv");
    DeckTable::read(text, "ff14 decks (built in)").expect("a test reads the built-in table")
});

const KEYS: [&str; 2] = ["game", "rows"];
/// `expected` is empty if luck does not decide; otherwise it is `exact`, or the standard error of the points.
const COLUMNS: [&str; 9] = ["npc", "name", "rules", "deck", "points", "of", "bound", "status", "expected"];

/// The word of a row without a deck.
const REASONS: [(Unranked, &str); 2] = [(Unranked::Random, "unranked-random"), (Unranked::Draft, "unranked-draft")];

impl DeckTable {
    /// The built-in table: the best known decks of all cards.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Reads a table from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or the line that is wrong and why.
    #[cfg(feature = "files")]
    pub fn load(path: &Path) -> Result<Self, crate::Error> {
        Ok(Self::read(&text_of(path)?, &path.display().to_string())?)
    }

    /// Reads a table from a text that came from `origin`.
    ///
    /// # Errors
    /// The line that is wrong and why.
    pub fn read(text: &str, origin: &str) -> Result<Self, TriadError> {
        let sheet = Sheet::read(text, origin, "ninefold-decks", &KEYS, &COLUMNS)?;
        if sheet.head("game") != Some(Edition::Ff14.name()) {
            return Err(sheet.fault(2, TriadError::FileGame { expected: "\"game: ff14\"" }));
        }
        let mut table = Self::default();
        for row in &sheet.rows {
            let deck = read_row(&sheet, row)?;
            if table.row(deck.npc, &deck.rules).is_some() {
                return Err(sheet.fault(row.line, TriadError::DeckTwice { npc: deck.npc }));
            }
            table.rows.push(deck);
        }
        Ok(table)
    }

    /// The text of the file of this table.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = format!("ninefold-decks 1\ngame: ff14\nrows: {}\n\n{}\n", self.rows.len(), COLUMNS.join(","));
        for row in &self.rows {
            let npc = NpcBook::built_in().npcs().iter().find(|npc| npc.id == row.npc);
            let name = quoted(npc.map_or("", |npc| &npc.name));
            let (number, rules) = (row.npc, quoted(&row.rules));
            let half = |points: u32| {
                if points.is_multiple_of(2) { (points / 2).to_string() } else { format!("{}.5", points / 2) }
            };
            let _ = match &row.standing {
                Standing::Deck { deck, points, most, bound, status } => {
                    let (deck, points, bound) = (deck.map(|id| id.to_string()).join(";"), half(*points), half(*bound));
                    writeln!(text, "{number},{name},{rules},{deck},{points},{},{bound},{},", most / 2, status.name())
                }
                Standing::Expected { deck, points, of, error } => {
                    let thousandths = |number: u32| format!("{}.{:03}", number / 1000, number % 1000);
                    let (deck, points) = (deck.map(|id| id.to_string()).join(";"), thousandths(*points));
                    let (error, status) = (error.map_or("exact".to_owned(), thousandths), DeckStatus::BestKnown.name());
                    writeln!(text, "{number},{name},{rules},{deck},{points},{of},{of},{status},{error}")
                }
                Standing::Unranked(reason) => {
                    let word = REASONS.iter().find(|(known, _)| known == reason).map_or("", |(_, word)| word);
                    writeln!(text, "{number},{name},{rules},,,,,{word},")
                }
            };
        }
        text
    }

    /// All rows.
    #[must_use]
    pub fn rows(&self) -> &[DeckRow] {
        &self.rows
    }

    /// The row of an opponent under some rules.
    #[must_use]
    pub fn row(&self, npc: u16, rules: &str) -> Option<&DeckRow> {
        self.rows.iter().find(|row| row.npc == npc && row.rules == rules)
    }

    /// Adds a row, or replaces the one of the same opponent and rules.
    pub fn put(&mut self, row: DeckRow) {
        self.rows.retain(|other| other.npc != row.npc || other.rules != row.rules);
        let at = self.rows.partition_point(|other| (other.npc, &other.rules) < (row.npc, &row.rules));
        self.rows.insert(at, row);
    }
}

fn read_row(sheet: &Sheet, row: &Row) -> Result<DeckRow, TriadError> {
    let npc = sheet.number(row, "npc", 0..=u16::MAX, None)?;
    let (rules, word) = (sheet.value(row, "rules").to_owned(), sheet.value(row, "status"));
    if let Some((reason, _)) = REASONS.iter().find(|(_, known)| *known == word) {
        return Ok(DeckRow { npc, rules, standing: Standing::Unranked(*reason) });
    }
    let half = |column: &'static str| {
        let text = sheet.value(row, column);
        let points = text.strip_suffix(".5").map_or_else(
            || text.parse::<u16>().ok().map(|points| 2 * u32::from(points)),
            |whole| whole.parse::<u16>().ok().map(|points| 2 * u32::from(points) + 1),
        );
        points.ok_or_else(|| sheet.fault(row.line, TriadError::DeckPoints { column, text: text.to_owned() }))
    };
    let book = Book::built_in(Edition::Ff14);
    let card = |text: &str| {
        let missing = || sheet.fault(row.line, TriadError::NpcCard { column: "deck", number: text.to_owned() });
        text.parse().ok().filter(|id| book.by_id(*id).is_some()).ok_or_else(missing)
    };
    let deck = sheet.value(row, "deck").split(';').map(card).collect::<Result<Vec<u16>, _>>()?;
    let deck =
        deck.try_into().map_err(|deck: Vec<u16>| sheet.fault(row.line, TriadError::HandSize { found: deck.len() }))?;
    let status = DeckStatus::ALL.into_iter().find(|status| status.name() == word);
    let status = status.ok_or_else(|| sheet.fault(row.line, TriadError::DeckStatus { word: word.to_owned() }))?;
    let luck = sheet.value(row, "expected");
    if !luck.is_empty() {
        let thousandths = |column: &'static str| {
            let text = sheet.value(row, column);
            let digits = text.split_once('.').filter(|(_, rest)| rest.len() == 3);
            let number = digits.and_then(|(whole, rest)| {
                let (whole, rest) = (whole.parse::<u16>().ok()?, rest.parse::<u16>().ok()?);
                Some(1000 * u32::from(whole) + u32::from(rest))
            });
            number.ok_or_else(|| sheet.fault(row.line, TriadError::ExpectedPoints { column, text: text.to_owned() }))
        };
        let error = if luck == "exact" { None } else { Some(thousandths("expected")?) };
        let (points, of) = (thousandths("points")?, half("of")? / 2);
        if points > 1000 * of || status != DeckStatus::BestKnown || half("bound")? != 2 * of {
            return Err(sheet.fault(row.line, TriadError::DeckContradiction));
        }
        return Ok(DeckRow { npc, rules, standing: Standing::Expected { deck, points, of, error } });
    }
    let (points, most, bound) = (half("points")?, half("of")?, half("bound")?);
    if points > bound || bound > most || (status == DeckStatus::Perfect) != (points == most) {
        return Err(sheet.fault(row.line, TriadError::DeckContradiction));
    }
    Ok(DeckRow { npc, rules, standing: Standing::Deck { deck, points, most, bound, status } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_is_of_the_opponents_and_is_written_as_it_is_read() {
        let text = include_str!("../../../data/triad/ff14_decks.csv");
        let table = DeckTable::read(text, "decks").unwrap();
        assert_eq!(table.write(), text);
        let npcs = NpcBook::built_in().npcs();
        for row in table.rows() {
            let npc = npcs.iter().find(|npc| npc.id == row.npc).unwrap();
            assert_eq!(npc.rules().to_string(), row.rules, "{}", npc.name);
            match row.standing {
                Standing::Deck { most, .. } => assert_eq!(Unranked::of(npc.rules()), None, "{most}"),
                Standing::Expected { .. } => assert_eq!(Unranked::of(npc.rules()), Some(Unranked::Luck)),
                Standing::Unranked(reason) => assert_eq!(Unranked::of(npc.rules()), Some(reason)),
            }
        }
    }

    #[test]
    fn a_wrong_row_is_refused_with_its_line() {
        let file = |row: &str| format!("ninefold-decks 1\ngame: ff14\n\n{}\n{row}\n", COLUMNS.join(","));
        let good = "9,Flichoirel,-,404;269;117;87;93,19.5,20,20,best-known,";
        assert_eq!(DeckTable::read(&file(good), "mine").unwrap().rows().len(), 1);
        let luck = good.replace("19.5", "12.345").replace("known,", "known,0.067");
        let expected = Standing::Expected { deck: [404, 269, 117, 87, 93], points: 12_345, of: 20, error: Some(67) };
        assert_eq!(DeckTable::read(&file(&luck), "mine").unwrap().rows()[0].standing, expected);
        for (from, to) in [("12.345", "12.3"), ("12.345", "21.000"), ("0.067", "near"), ("best-known", "perfect")] {
            assert!(DeckTable::read(&file(&luck.replacen(from, to, 1)), "mine").is_err(), "{from} -> {to}");
        }
        for (from, to, message) in [
            ("404;", "", "a hand has five cards; this one has 4"),
            ("404;", "40400;", "deck: no card of ff14 has the number 40400"),
            ("19.5", "19.2", "points is \"19.2\": expected points such as 19 or 19.5"),
            ("19.5", "20", "points, bound and status contradict each other"),
            ("best-known", "good", "no status is called \"good\""),
            ("9,F", "x,F", "npc is \"x\": expected a number from 0 to 65535"),
        ] {
            let refused = DeckTable::read(&file(&good.replacen(from, to, 1)), "mine").unwrap_err().to_string();
            assert_eq!(refused, format!("mine, line 5: {message}"));
        }
        let twice = DeckTable::read(&file(&format!("{good}\n{good}")), "mine").unwrap_err().to_string();
        assert_eq!(twice, "mine, line 6: the opponent #9 is there twice with the same rules");
    }
}
