//! The cards and opponents of both games, from versioned files: embedded, or read from a path, for the games change with
//! their patches; and a player's own cards and collection in the same form.
//!
//! ```text
//! # ninefold triad cards 1          the kind of file and the version of its form
//! # game ff14
//! # data game version 7.25          which data it holds
//! id,name,level,top,right,bottom,left,mark,power
//! 1,Dodo,1,4,2,3,4,,                mark: an element or a type; power: what the computer player of ff8 thinks of it
//! "a name, with a comma" is quoted
//! ```
//!
//! A collection lists what a player owns, a card a line: a name or `#id`, and how many where it is not one.

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;
use triad::{Card, Edition, Element, Kind};

/// A card with its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The game's number.
    pub id: u32,
    /// The game's name.
    pub name: String,
    /// Level in ff8, stars in ff14.
    pub level: u8,
    /// What is printed on it.
    pub card: Card,
    /// How the computer player of ff8 ranks it.
    pub power: Option<u8>,
}

/// The cards of one game.
#[derive(Clone, Debug)]
pub struct Catalogue {
    edition: Edition,
    version: String,
    cards: Vec<Entry>,
}

/// An opponent of ff14: cards always in the hand, cards of which the rest is drawn, and rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Npc {
    /// A number of its own.
    pub id: u32,
    /// The name.
    pub name: String,
    /// Cards always in the hand.
    pub fixed: Vec<u32>,
    /// The rest of the hand is drawn from these.
    pub variable: Vec<u32>,
    /// The rules the opponent plays by.
    pub rules: Vec<String>,
    /// Cards that can be won.
    pub rewards: Vec<u32>,
}

/// A data file that is not as it should be, by its line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{source_name}, line {line}: {message}")]
pub struct DataError {
    /// Which file.
    pub source_name: String,
    /// Counted from 1; 0 if the file could not be read at all.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

/// The fields of a line, with quotes as in CSV.
fn fields(line: &str) -> Option<Vec<String>> {
    let mut fields = vec![String::new()];
    let mut symbols = line.chars().peekable();
    let mut quoted = false;
    while let Some(symbol) = symbols.next() {
        let last = fields.last_mut()?;
        match symbol {
            '"' if quoted && symbols.peek() == Some(&'"') => {
                symbols.next();
                last.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => last.push(symbol),
        }
    }
    (!quoted).then_some(fields)
}

/// The lines after the head of a data file: its game, its version, and the numbered rows.
struct Rows<'a> {
    source: &'a str,
    edition: Edition,
    version: String,
    rows: Vec<(usize, Vec<String>)>,
}

impl<'a> Rows<'a> {
    fn read(source: &'a str, text: &str, kind: &str, columns: &str) -> Result<Self, DataError> {
        let fault = |line: usize, message: String| DataError { source_name: source.to_owned(), line, message };
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim_end()));
        let mut head = |expected: &str| match lines.next() {
            Some((_, line)) if line.starts_with(expected) => Ok(line[expected.len()..].trim().to_owned()),
            Some((at, _)) => Err(fault(at, format!("expected \"{expected}\""))),
            None => Err(fault(1, format!("the file ends where \"{expected}\" should stand"))),
        };
        let form = head(&format!("# ninefold triad {kind}"))?;
        if form != "1" {
            return Err(fault(1, format!("version {form} of the form; this program reads version 1")));
        }
        let game = head("# game")?;
        let Some(edition) = Edition::from_name(&game) else {
            return Err(fault(2, format!("no game is called \"{game}\"")));
        };
        let version = head("# data")?;
        head(columns)?;
        let wanted = columns.split(',').count();
        let mut rows = Vec::new();
        for (at, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            match fields(line) {
                Some(row) if row.len() == wanted => rows.push((at, row)),
                Some(row) => return Err(fault(at, format!("{} fields where {wanted} should be", row.len()))),
                None => return Err(fault(at, "a quote is not closed".to_owned())),
            }
        }
        Ok(Self { source, edition, version, rows })
    }

    fn fault<T>(&self, line: usize, message: String) -> Result<T, DataError> {
        Err(DataError { source_name: self.source.to_owned(), line, message })
    }

    fn number<N: std::str::FromStr>(&self, line: usize, text: &str, what: &str) -> Result<N, DataError> {
        text.trim().parse().or_else(|_| self.fault(line, format!("\"{text}\" is no {what}")))
    }
}

fn load(path: &Path) -> Result<String, DataError> {
    std::fs::read_to_string(path).map_err(|error| DataError {
        source_name: path.display().to_string(),
        line: 0,
        message: error.to_string(),
    })
}

impl Catalogue {
    /// The cards that came with this program.
    pub fn embedded(edition: Edition) -> &'static Self {
        static EIGHT: OnceLock<Catalogue> = OnceLock::new();
        static FOURTEEN: OnceLock<Catalogue> = OnceLock::new();
        let (cell, text) = match edition {
            Edition::Ff8 => (&EIGHT, include_str!("../../data/triad/ff8_cards.csv")),
            Edition::Ff14 => (&FOURTEEN, include_str!("../../data/triad/ff14_cards.csv")),
        };
        cell.get_or_init(|| Self::read("embedded cards", text).expect("the embedded cards are tested"))
    }

    /// Reads the text of a file of cards; `source` is what errors call it.
    ///
    /// # Errors
    /// At the line that is wrong.
    pub fn read(source: &str, text: &str) -> Result<Self, DataError> {
        let rows = Rows::read(source, text, "cards", "id,name,level,top,right,bottom,left,mark,power")?;
        let mut cards: Vec<Entry> = Vec::new();
        for (line, row) in &rows.rows {
            let (line, name) = (*line, row[1].trim().to_owned());
            let id = rows.number(line, &row[0], "card number")?;
            if name.is_empty() {
                return rows.fault(line, "the card has no name".to_owned());
            }
            if let Some(twin) = cards.iter().find(|card| card.id == id || card.name.eq_ignore_ascii_case(&name)) {
                return rows.fault(line, format!("card {id}, {name}, is here already as {}, {}", twin.id, twin.name));
            }
            let mut sides = [0; 4];
            for (side, text) in sides.iter_mut().zip(&row[3..7]) {
                *side = if text.trim() == "A" { 10 } else { rows.number(line, text, "side")? };
                if !(1..=10).contains(side) {
                    return rows.fault(line, format!("a side of {side}: sides are 1 to 10"));
                }
            }
            let mut card = Card { sides, element: None, kind: None };
            let mark = row[7].trim();
            if !mark.is_empty() {
                match rows.edition {
                    Edition::Ff8 => card.element = Element::ALL.into_iter().find(|element| element.name() == mark),
                    Edition::Ff14 => card.kind = Kind::ALL.into_iter().find(|kind| kind.name() == mark),
                }
                if card.element.is_none() && card.kind.is_none() {
                    return rows.fault(line, format!("\"{mark}\" is no element or type of {}", rows.edition));
                }
            }
            let power = row[8].trim();
            let power = if power.is_empty() { None } else { Some(rows.number(line, power, "power")?) };
            cards.push(Entry { id, name, level: rows.number(line, &row[2], "level")?, card, power });
        }
        Ok(Self { edition: rows.edition, version: rows.version, cards })
    }

    /// Reads a file of cards.
    ///
    /// # Errors
    /// If it cannot be read, or at the line that is wrong.
    pub fn load(path: &Path) -> Result<Self, DataError> {
        Self::read(&path.display().to_string(), &load(path)?)
    }

    /// Which game.
    #[must_use]
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// Which data.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// All cards, in the order of the file.
    #[must_use]
    pub fn cards(&self) -> &[Entry] {
        &self.cards
    }

    /// The card of a number.
    #[must_use]
    pub fn by_id(&self, id: u32) -> Option<&Entry> {
        self.cards.iter().find(|card| card.id == id)
    }

    /// The card of a name; case does not matter.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&Entry> {
        let name = name.trim().to_lowercase();
        self.cards.iter().find(|card| card.name.to_lowercase() == name)
    }

    /// The cards whose names are like the query, the likest first; all of them for an empty query.
    #[must_use]
    pub fn search(&self, query: &str) -> Vec<&Entry> {
        likest(query, &self.cards, |card| &card.name)
    }

    /// The names nearest to one that is not here.
    #[must_use]
    pub fn nearest(&self, name: &str, number: usize) -> Vec<&str> {
        let name = name.to_lowercase();
        let mut cards: Vec<(usize, &Entry)> =
            self.cards.iter().map(|card| (distance(&name, &card.name.to_lowercase()), card)).collect();
        cards.sort_by_key(|(distance, card)| (*distance, card.id));
        cards.into_iter().take(number).map(|(_, card)| card.name.as_str()).collect()
    }
}

/// The opponents that came with this program.
pub fn npcs() -> &'static [Npc] {
    static NPCS: OnceLock<Vec<Npc>> = OnceLock::new();
    NPCS.get_or_init(|| {
        let text = include_str!("../../data/triad/ff14_npcs.csv");
        read_npcs("embedded opponents", text).expect("the embedded opponents are tested")
    })
}

/// Reads the text of a file of opponents.
///
/// # Errors
/// At the line that is wrong.
pub fn read_npcs(source: &str, text: &str) -> Result<Vec<Npc>, DataError> {
    let rows = Rows::read(source, text, "npcs", "id,name,fixed,variable,rules,rewards")?;
    let numbers = |line: usize, text: &str| -> Result<Vec<u32>, DataError> {
        text.split_whitespace().map(|number| rows.number(line, number, "card number")).collect()
    };
    let mut npcs = Vec::new();
    for (line, row) in &rows.rows {
        let (fixed, variable) = (numbers(*line, &row[2])?, numbers(*line, &row[3])?);
        if fixed.len() > 5 || fixed.len() + variable.len() < 5 {
            return rows.fault(*line, "these cards make no hand of five".to_owned());
        }
        npcs.push(Npc {
            id: rows.number(*line, &row[0], "number")?,
            name: row[1].clone(),
            fixed,
            variable,
            rules: row[4].split_whitespace().map(str::to_owned).collect(),
            rewards: numbers(*line, &row[5])?,
        });
    }
    Ok(npcs)
}

/// The opponents whose names are like the query.
#[must_use]
pub fn search_npcs(query: &str) -> Vec<&'static Npc> {
    likest(query, npcs(), |npc| &npc.name)
}

/// What a player owns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Collection {
    /// Card numbers and how many of each.
    pub cards: Vec<(u32, u32)>,
}

impl Collection {
    /// Reads a collection: a card a line, by name or `#id`, perhaps with `,count`.
    ///
    /// # Errors
    /// At the line that is wrong.
    pub fn read(source: &str, text: &str, catalogue: &Catalogue) -> Result<Self, DataError> {
        let mut cards = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let fault = |message: String| DataError { source_name: source.to_owned(), line: at + 1, message };
            let line = line.trim();
            if line.is_empty() || line.starts_with("# ") || line == "#" {
                continue;
            }
            let row = fields(line).ok_or_else(|| fault("a quote is not closed".to_owned()))?;
            let count = match row.get(1) {
                None => 1,
                Some(text) => text.trim().parse().map_err(|_| fault(format!("\"{text}\" is no count")))?,
            };
            let wanted = row[0].trim();
            let found = match wanted.strip_prefix('#') {
                Some(id) => id.parse().ok().and_then(|id| catalogue.by_id(id)),
                None => catalogue.by_name(wanted),
            };
            let nearest = || catalogue.nearest(wanted, 3).join(", ");
            let card = found.ok_or_else(|| fault(format!("no card is called \"{wanted}\"; nearest: {}", nearest())))?;
            cards.push((card.id, count));
        }
        Ok(Self { cards })
    }

    /// Reads the file of a collection.
    ///
    /// # Errors
    /// If it cannot be read, or at the line that is wrong.
    pub fn load(path: &Path, catalogue: &Catalogue) -> Result<Self, DataError> {
        Self::read(&path.display().to_string(), &load(path)?, catalogue)
    }

    /// How many of a card are owned.
    #[must_use]
    pub fn count(&self, id: u32) -> u32 {
        self.cards.iter().filter(|(card, _)| *card == id).map(|(_, count)| count).sum()
    }
}

/// Those whose names are like the query: equal, beginning with it, having it inside, having its letters in order, or a
/// few letters away; all if there is no query.
fn likest<'a, T>(query: &str, all: &'a [T], name: impl Fn(&T) -> &str) -> Vec<&'a T> {
    let query = query.trim().to_lowercase();
    let mut ranked: Vec<(usize, usize, &T)> = Vec::new();
    for (at, item) in all.iter().enumerate() {
        let name = name(item).to_lowercase();
        let rank = if query.is_empty() || name == query {
            0
        } else if name.starts_with(&query) {
            1
        } else if name.contains(&query) {
            2
        } else {
            let away = name.split(' ').map(|word| distance(&query, word)).min().unwrap_or(usize::MAX);
            let away = away.min(distance(&query, &name));
            let mut letters = name.chars();
            match away <= query.chars().count() / 3 {
                true => 3 + away,
                false if query.chars().count() >= 3 && query.chars().all(|c| letters.any(|letter| letter == c)) => 20,
                false => continue,
            }
        };
        ranked.push((rank, at, item));
    }
    ranked.sort_by_key(|(rank, at, _)| (*rank, *at));
    ranked.into_iter().map(|(_, _, item)| item).collect()
}

/// How many letters must be changed, added or left out, or neighbours exchanged, to make one text the other.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let width = other.len() + 1;
    let mut rows = vec![0; (one.len() + 1) * width];
    for row in 0..=one.len() {
        for column in 0..=other.len() {
            let at = row * width + column;
            rows[at] = if row == 0 || column == 0 {
                row + column
            } else {
                let changed = usize::from(one[row - 1] != other[column - 1]);
                let mut best = (rows[at - width] + 1).min(rows[at - 1] + 1).min(rows[at - width - 1] + changed);
                if row > 1 && column > 1 && one[row - 1] == other[column - 2] && one[row - 2] == other[column - 1] {
                    best = best.min(rows[at - 2 * width - 2] + 1);
                }
                best
            };
        }
    }
    rows[rows.len() - 1]
}

impl fmt::Display for Entry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_files_are_whole() {
        assert_eq!(Catalogue::embedded(Edition::Ff8).cards().len(), 110);
        assert_eq!(Catalogue::embedded(Edition::Ff14).cards().len(), 464);
        assert_eq!(npcs().len(), 128);
        let cards = Catalogue::embedded(Edition::Ff14);
        for npc in npcs() {
            for id in npc.fixed.iter().chain(&npc.variable).chain(&npc.rewards) {
                assert!(cards.by_id(*id).is_some(), "{} has card {id}", npc.name);
            }
            let rules = npc.rules.iter().try_fold(triad::Rules::preset(Edition::Ff14), |rules, name| rules.apply(name));
            assert!(rules.is_ok_and(|rules| rules.fault().is_none()), "{}: {:?}", npc.name, npc.rules);
        }
        let squall = Catalogue::embedded(Edition::Ff8).by_name("SQUALL").unwrap();
        assert_eq!((squall.id, squall.card.to_string().as_str()), (109, "A469"));
    }

    #[test]
    fn names_are_found_though_misspelt() {
        let cards = Catalogue::embedded(Edition::Ff8);
        assert_eq!(cards.search("ifrit")[0].name, "Ifrit");
        assert_eq!(cards.search("Squal")[0].name, "Squall");
        assert_eq!(cards.search("ifirt")[0].name, "Ifrit");
        assert_eq!(cards.search("weapon")[0].name, "Ultima Weapon");
        assert_eq!(cards.search("").len(), 110);
        assert!(cards.search("zzzzzz").is_empty());
        assert_eq!(cards.nearest("Sqaull", 1), ["Squall"]);
    }

    #[test]
    fn damaged_files_are_refused_with_the_line() {
        let good = include_str!("../../data/triad/ff8_cards.csv");
        for (from, to, line, message) in [
            ("0,Geezard,1,1,4,1,5,,21", "0,Geezard,1,0,4,1,5,,21", 5, "a side of 0"),
            ("0,Geezard,1,1,4,1,5,,21", "0,Geezard,1,11,4,1,5,,21", 5, "a side of 11"),
            ("1,Funguar", "0,Funguar", 6, "is here already"),
            ("1,Funguar,1", "1,Funguar", 6, "8 fields where 9 should be"),
            ("1,Funguar", "1,\"Funguar", 6, "a quote is not closed"),
            ("cards 1", "cards 2", 1, "version 2"),
            ("# game ff8", "# game ff9", 2, "no game is called \"ff9\""),
            ("id,name", "name,id", 4, "expected"),
        ] {
            let fault = Catalogue::read("test", &good.replacen(from, to, 1)).unwrap_err();
            assert_eq!(fault.line, line, "{fault}");
            assert!(fault.message.contains(message), "{fault}");
        }
        assert_eq!(Catalogue::read("test", "").unwrap_err().line, 1);
        let cards = Catalogue::embedded(Edition::Ff8);
        assert_eq!(Collection::read("mine", "# owned\nSquall\n#5,2\n", cards).unwrap().count(5), 2);
        assert_eq!(Collection::read("mine", "Squall\nSqual\n", cards).unwrap_err().line, 2);
    }
}
