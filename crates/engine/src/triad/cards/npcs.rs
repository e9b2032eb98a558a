//! The opponents of Final Fantasy XIV: their cards, rules and rewards.

use super::book::Book;
use super::hand::{Hand, HandCard};
use super::names::{fold, nearest};
#[cfg(feature = "files")]
use super::sheet::text_of;
use super::sheet::{Row, Sheet, quoted};
use crate::triad::error::TriadError;
use std::fmt::Write;
#[cfg(feature = "files")]
use std::path::Path;
use std::sync::LazyLock;
use triad::{Edition, HAND, Rules};

/// An opponent. The hand is all of `fixed`, filled up to five with random cards of `variable`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Npc {
    /// The number in the list.
    pub id: u16,
    /// The name.
    pub name: String,
    /// The cards that are always in the hand.
    pub fixed: Vec<u16>,
    /// The cards from which the rest of the hand is drawn.
    pub variable: Vec<u16>,
    /// The rules of the opponent, by the names of the game.
    pub rules: Vec<String>,
    /// The cards that can be won.
    pub rewards: Vec<u16>,
    /// The coordinates on the map.
    pub place: [u16; 2],
}

impl Npc {
    /// The number of hands the opponent can have.
    #[must_use]
    pub fn hand_count(&self) -> usize {
        let drawn = HAND - self.fixed.len();
        (0..drawn).fold(1, |count, at| count * (self.variable.len() - at) / (at + 1))
    }

    /// Every hand the opponent can have, by the numbers of the cards; all are equally likely.
    #[must_use]
    pub fn hands(&self) -> Vec<[u16; HAND]> {
        let drawn = HAND - self.fixed.len();
        let choices = (0u32..1 << self.variable.len()).filter(|choice| choice.count_ones() as usize == drawn);
        let cards = |choice: u32| {
            let chosen = self.variable.iter().enumerate().filter(move |(at, _)| choice >> at & 1 != 0);
            self.fixed.iter().copied().chain(chosen.map(|(_, card)| *card))
        };
        choices.filter_map(|choice| cards(choice).collect::<Vec<_>>().try_into().ok()).collect()
    }

    /// The rules in force against the opponent.
    #[must_use]
    pub fn rules(&self) -> Rules {
        let none = Rules::preset(Edition::Ff14);
        self.rules.iter().fold(none, |rules, name| rules.apply(name).unwrap_or(rules))
    }

    /// The cards of those numbers.
    #[must_use]
    pub fn cards(&self, book: &Book, ids: &[u16]) -> Vec<HandCard> {
        ids.iter().filter_map(|id| book.by_id(*id)).map(HandCard::of).collect()
    }
}

/// Every hand of all the fixed cards, filled up to five with variable ones.
///
/// # Errors
/// If they do not make a hand of five, or there are more than ten variable cards.
pub fn hands_of(fixed: &[HandCard], variable: &[HandCard]) -> Result<Vec<Hand>, TriadError> {
    if fixed.len() > HAND || fixed.len() + variable.len() < HAND || variable.len() > 10 {
        return Err(TriadError::NpcHand { fixed: fixed.len(), variable: variable.len() });
    }
    let drawn = (HAND - fixed.len()) as u32;
    let choices = (0u32..1 << variable.len()).filter(|choice| choice.count_ones() == drawn);
    let cards = |choice: u32| {
        let chosen = variable.iter().enumerate().filter(move |(at, _)| choice >> at & 1 != 0);
        fixed.iter().chain(chosen.map(|(_, card)| card)).cloned().collect::<Vec<_>>()
    };
    Ok(choices.filter_map(|choice| cards(choice).try_into().ok()).collect())
}

/// The list of opponents.
#[derive(Clone, Debug)]
pub struct NpcBook {
    patch: String,
    source: String,
    npcs: Vec<Npc>,
}

static BUILT_IN: LazyLock<NpcBook> = LazyLock::new(|| {
    let text = include_str!("../../../data/triad/ff14_npcs.csv");
    let book = Book::built_in(Edition::Ff14);
    NpcBook::read(text, "ff14 npcs (built in)", book).expect("a test reads the built-in list")
});

const KEYS: [&str; 4] = ["game", "patch", "source", "rows"];
const COLUMNS: [&str; 8] = ["id", "name", "fixed", "variable", "rules", "rewards", "x", "y"];

impl NpcBook {
    /// The built-in list.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Reads a list from a file; its cards are those of `book`.
    ///
    /// # Errors
    /// If the file cannot be read, or the line that is wrong and why.
    #[cfg(feature = "files")]
    pub fn load(path: &Path, book: &Book) -> Result<Self, crate::Error> {
        Ok(Self::read(&text_of(path)?, &path.display().to_string(), book)?)
    }

    /// Reads a list from a text that came from `origin`.
    ///
    /// # Errors
    /// The line that is wrong and why.
    pub fn read(text: &str, origin: &str, book: &Book) -> Result<Self, TriadError> {
        let sheet = Sheet::read(text, origin, "ninefold-npcs", &KEYS, &COLUMNS)?;
        if sheet.head("game") != Some(Edition::Ff14.name()) {
            return Err(sheet.fault(2, TriadError::FileGame { expected: "\"game: ff14\"" }));
        }
        let mut npcs: Vec<Npc> = Vec::new();
        for row in &sheet.rows {
            let npc = read_npc(&sheet, row, book)?;
            if npcs.iter().any(|other| other.id == npc.id || fold(&other.name) == fold(&npc.name)) {
                return Err(sheet.fault(row.line, TriadError::NpcTaken { name: npc.name, number: npc.id }));
            }
            npcs.push(npc);
        }
        if npcs.is_empty() {
            return Err(sheet.fault(0, TriadError::EmptyFile { what: "opponents" }));
        }
        let head = |key: &str| sheet.head(key).unwrap_or_default().to_owned();
        Ok(Self { patch: head("patch"), source: head("source"), npcs })
    }

    /// The text of the file of this list.
    #[must_use]
    pub fn write(&self) -> String {
        let join = |ids: &[u16]| ids.iter().map(u16::to_string).collect::<Vec<_>>().join(";");
        let mut text = format!("ninefold-npcs 1\ngame: ff14\npatch: {}\nsource: {}\n", self.patch, self.source);
        let _ = write!(text, "rows: {}\n\n{}\n", self.npcs.len(), COLUMNS.join(","));
        for npc in &self.npcs {
            let (fixed, variable, rewards) = (join(&npc.fixed), join(&npc.variable), join(&npc.rewards));
            let (name, rules, [x, y]) = (quoted(&npc.name), npc.rules.join(";"), npc.place);
            let _ = writeln!(text, "{},{name},{fixed},{variable},{rules},{rewards},{x},{y}", npc.id);
        }
        text
    }

    /// The version of the game that the list was taken from.
    #[must_use]
    pub fn patch(&self) -> &str {
        &self.patch
    }

    /// All opponents, in the order of the file.
    #[must_use]
    pub fn npcs(&self) -> &[Npc] {
        &self.npcs
    }

    /// The opponent of a name, of a number as in `#12`, or of a part of a name that only one has. If several names have the
    /// part, one of them may still be the only one that begins with it.
    #[must_use]
    pub fn npc(&self, text: &str) -> Option<&Npc> {
        if let Some(number) = text.strip_prefix('#') {
            return self.npcs.iter().find(|npc| number.parse() == Ok(npc.id));
        }
        let wanted = fold(text);
        if wanted.is_empty() {
            return None;
        }
        let only = |is_it: fn(&str, &str) -> bool| {
            let mut found = self.npcs.iter().filter(|npc| is_it(&fold(&npc.name), &wanted));
            found.next().filter(|_| found.next().is_none())
        };
        let by_name = only(|name, wanted| name == wanted).or_else(|| only(|name, wanted| name.starts_with(wanted)));
        by_name.or_else(|| only(|name, wanted| name.contains(wanted)))
    }

    /// The names most similar to a text.
    #[must_use]
    pub fn nearest_names(&self, text: &str) -> Vec<String> {
        let near = nearest(text, self.npcs.iter().map(|npc| npc.name.as_str()), 3);
        near.into_iter().map(|at| self.npcs[at].name.clone()).collect()
    }
}

fn read_npc(sheet: &Sheet, row: &Row, book: &Book) -> Result<Npc, TriadError> {
    let cards = |column: &'static str| {
        let items = sheet.value(row, column).split(';').filter(|item| !item.is_empty());
        let of = |item: &str| item.parse().ok().and_then(|id| book.by_id(id)).map(|card| card.id);
        let missing = |item: &str| sheet.fault(row.line, TriadError::NpcCard { column, number: item.to_owned() });
        items.map(|item| of(item).ok_or_else(|| missing(item))).collect::<Result<Vec<u16>, TriadError>>()
    };
    let name = sheet.value(row, "name").to_owned();
    if fold(&name).is_empty() {
        return Err(sheet.fault(row.line, TriadError::NoName { what: "opponent" }));
    }
    let rules: Vec<String> =
        sheet.value(row, "rules").split(';').filter(|rule| !rule.is_empty()).map(str::to_owned).collect();
    let mut in_force = Rules::preset(Edition::Ff14);
    for rule in &rules {
        let refused = |fault| sheet.fault(row.line, TriadError::NpcRule { rule: rule.clone(), fault });
        in_force = in_force.apply(rule).map_err(refused)?;
    }
    if let Some(fault) = in_force.fault() {
        return Err(sheet.fault(row.line, TriadError::Rules(fault)));
    }
    let (fixed, variable) = (cards("fixed")?, cards("variable")?);
    if fixed.len() > HAND || fixed.len() + variable.len() < HAND || variable.len() > 10 {
        let error = TriadError::NpcHand { fixed: fixed.len(), variable: variable.len() };
        return Err(sheet.fault(row.line, error));
    }
    let place = [sheet.number(row, "x", 0..=99, Some(0))?, sheet.number(row, "y", 0..=99, Some(0))?];
    let id = sheet.number(row, "id", 0..=u16::MAX, None)?;
    Ok(Npc { id, name, fixed, variable, rules, rewards: cards("rewards")?, place })
}
