//! Questions about cards and opponents, with their answers: plain types that any front can pass on.

use super::book::{Book, CardFault, KnownCard, looks_like_sides, mark_of};
use super::names::{fold, nearest};
use super::npcs::{Npc, NpcBook};
use serde::{Deserialize, Serialize};
use triad::Edition;

/// How a name answers a query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Match {
    /// The query is empty: everything is asked for.
    All,
    /// It is the name, the number or the sides.
    Exact,
    /// It is a part of the name.
    Part,
    /// It is near to the name.
    Near,
}

/// Which cards are asked for.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CardsRequest {
    /// A name, or a part or a slip of one, `#12` or `8A32`; empty for all.
    #[serde(default)]
    pub query: String,
}

/// A card as told to others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CardAnswer {
    /// `ff8` or `ff14`.
    pub game: String,
    /// Its number.
    pub id: u16,
    /// Its name.
    pub name: String,
    /// Final Fantasy VIII: 1 to 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Final Fantasy XIV: 1 to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stars: Option<u8>,
    /// Top, right, bottom, left; 10 for an A.
    pub sides: [u8; 4],
    /// The card as the command line reads it: sides and the letter of its mark.
    pub text: String,
    /// Final Fantasy VIII.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Final Fantasy XIV.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Final Fantasy VIII: what opponents take it to be worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ai_power: Option<u8>,
    /// How it answers the query.
    #[serde(rename = "match")]
    pub matched: Match,
}

impl CardAnswer {
    fn new(edition: Edition, known: &KnownCard, matched: Match) -> Self {
        let is_eight = edition == Edition::Ff8;
        let mark = mark_of(&known.card).map(str::to_owned);
        let (element, kind) = if is_eight { (mark, None) } else { (None, mark) };
        Self {
            game: edition.name().to_owned(),
            id: known.id,
            name: known.name.clone(),
            level: is_eight.then_some(known.grade),
            stars: (!is_eight).then_some(known.grade),
            sides: known.card.sides,
            text: known.card.to_string(),
            element,
            kind,
            ai_power: is_eight.then_some(known.power),
            matched,
        }
    }
}

/// The cards that answer, best first.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CardsResult {
    /// The cards.
    pub cards: Vec<CardAnswer>,
}

/// The places of the names that answer a query: those that are it or hold it, or else those that are near.
fn matches<'a>(query: &str, names: impl Iterator<Item = &'a str> + Clone) -> Vec<(usize, Match)> {
    let wanted = fold(query);
    if wanted.is_empty() {
        return if query.trim().is_empty() {
            names.enumerate().map(|(at, _)| (at, Match::All)).collect()
        } else {
            Vec::new()
        };
    }
    let mut found: Vec<(usize, Match)> = names
        .clone()
        .enumerate()
        .filter_map(|(at, name)| {
            let name = fold(name);
            let kind = if name == wanted { Match::Exact } else { Match::Part };
            name.contains(&wanted).then_some((at, kind))
        })
        .collect();
    found.sort_by_key(|(at, kind)| (*kind, *at));
    if found.is_empty() {
        found = nearest(query, names, 10).into_iter().map(|at| (at, Match::Near)).collect();
    }
    found
}

impl CardsRequest {
    /// Asks one list.
    ///
    /// # Errors
    /// If the query is sides, and they are wrong.
    pub fn ask(&self, book: &Book) -> Result<CardsResult, CardFault> {
        let query = self.query.trim();
        let answer = |known: &KnownCard, matched| CardAnswer::new(book.edition(), known, matched);
        if let Some(number) = query.strip_prefix('#') {
            let known = number.parse().ok().and_then(|id| book.by_id(id));
            return Ok(CardsResult { cards: known.map(|known| answer(known, Match::Exact)).into_iter().collect() });
        }
        let found = matches(query, book.cards().iter().map(|card| card.name.as_str()));
        let is_named = found.first().is_some_and(|(_, kind)| *kind != Match::Near);
        if !is_named && looks_like_sides(query) {
            let sides = book.card(query)?.card;
            let is_it =
                |known: &&KnownCard| known.card.sides == sides.sides && (query.len() == 4 || known.card == sides);
            let cards = book.cards().iter().filter(is_it).map(|known| answer(known, Match::Exact)).collect();
            return Ok(CardsResult { cards });
        }
        Ok(CardsResult { cards: found.into_iter().map(|(at, kind)| answer(&book.cards()[at], kind)).collect() })
    }
}

/// Which opponents are asked for.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NpcsRequest {
    /// A name, or a part or a slip of one, or `#12`; empty for all.
    #[serde(default)]
    pub query: String,
}

/// An opponent as told to others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NpcAnswer {
    /// The number in the list.
    pub id: u16,
    /// The name.
    pub name: String,
    /// The rules, by the names of the game.
    pub rules: Vec<String>,
    /// The cards that are always in the hand.
    pub fixed: Vec<String>,
    /// The cards of which the rest is drawn.
    pub variable: Vec<String>,
    /// How many hands that makes.
    pub hands: usize,
    /// The cards that can be won.
    pub rewards: Vec<String>,
    /// Where on the map.
    pub place: [u16; 2],
    /// How the name answers the query.
    #[serde(rename = "match")]
    pub matched: Match,
}

/// The opponents that answer, best first.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NpcsResult {
    /// The opponents.
    pub npcs: Vec<NpcAnswer>,
}

impl NpcsRequest {
    /// Asks a list whose cards are those of `book`.
    #[must_use]
    pub fn ask(&self, npcs: &NpcBook, book: &Book) -> NpcsResult {
        let names = |npc: &Npc, ids: &[u16]| npc.cards(book, ids).iter().map(super::HandCard::name).collect();
        let answer = |npc: &Npc, matched| NpcAnswer {
            id: npc.id,
            name: npc.name.clone(),
            rules: npc.rules.clone(),
            fixed: names(npc, &npc.fixed),
            variable: names(npc, &npc.variable),
            hands: npc.hand_count(),
            rewards: names(npc, &npc.rewards),
            place: npc.place,
            matched,
        };
        let query = self.query.trim();
        if query.starts_with('#') {
            return NpcsResult { npcs: npcs.npc(query).map(|npc| answer(npc, Match::Exact)).into_iter().collect() };
        }
        let found = matches(query, npcs.npcs().iter().map(|npc| npc.name.as_str()));
        NpcsResult { npcs: found.into_iter().map(|(at, kind)| answer(&npcs.npcs()[at], kind)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(edition: Edition, query: &str) -> Vec<(String, Match)> {
        let request = CardsRequest { query: query.to_owned() };
        let result = request.ask(Book::built_in(edition)).unwrap();
        result.cards.into_iter().map(|card| (card.name, card.matched)).collect()
    }

    #[test]
    fn exact_before_part_before_near() {
        let bahamut = asked(Edition::Ff14, "BAHAMUT");
        assert_eq!(bahamut[0], ("Bahamut".to_owned(), Match::Exact));
        assert!(bahamut.len() > 1 && bahamut[1..].iter().all(|(_, kind)| *kind == Match::Part));
        assert_eq!(asked(Edition::Ff8, "sqaull"), [("Squall".to_owned(), Match::Near)]);
        assert_eq!(asked(Edition::Ff8, "#109"), [("Squall".to_owned(), Match::Exact)]);
        assert_eq!(asked(Edition::Ff8, "A469"), [("Squall".to_owned(), Match::Exact)]);
        assert_eq!(asked(Edition::Ff8, "").len(), 110);
        assert!(asked(Edition::Ff8, "no such thing").is_empty());
        assert!(asked(Edition::Ff8, "#").is_empty() && asked(Edition::Ff8, "?!").is_empty());
        assert!(CardsRequest { query: "8032".into() }.ask(Book::built_in(Edition::Ff8)).is_err());
    }

    #[test]
    fn opponents_by_name_and_number() {
        let ask = |query: &str| {
            let request = NpcsRequest { query: query.to_owned() };
            request.ask(NpcBook::built_in(), Book::built_in(Edition::Ff14)).npcs
        };
        assert_eq!(ask("").len(), 128);
        assert_eq!(ask("greenhands lyehga")[0].name, "Wyra “Greenhands” Lyehga");
        assert_eq!(ask("badreon")[0].name, "Baderon");
        assert_eq!(ask("#2")[0].hands, 10);
        assert!(ask("#999").is_empty());
    }
}
