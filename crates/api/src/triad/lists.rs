//! The lists of cards, opponents and rules: search by name, number or sides.

use super::deal::{CardRef, read_edition};
use super::fault;
use crate::fault::Fault;
use engine::triad::cards::{Book, HandCard, KnownCard, MatchKind, Npc, NpcBook, mark_of};
use serde::{Deserialize, Serialize};
use triad::{Edition, Rule, Rules};

/// Which cards?
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct CardsQuestion {
    /// `ff8` or `ff14`; `ff8` if left out.
    #[serde(alias = "edition", skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// A name, a part of a name, a misspelt name, `#12` or `8A32`; empty for all cards.
    pub query: String,
    /// Maximum number of cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<usize>,
}

/// The cards that match, best first.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CardsAnswer {
    /// The cards.
    pub cards: Vec<CardInfo>,
}

/// A card of a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CardInfo {
    /// `ff8` or `ff14`.
    pub game: String,
    /// Its number.
    pub id: u16,
    /// Its name.
    pub name: String,
    /// Final Fantasy VIII: 1 to 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Final Fantasy XIV: 1 to 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stars: Option<u8>,
    /// Top, right, bottom, left; 10 for an A.
    pub sides: [u8; 4],
    /// The card as the command line reads it: sides and the letter of its element or type.
    pub text: String,
    /// Final Fantasy VIII: its element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Final Fantasy XIV: its type.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Final Fantasy VIII: the power that opponents attribute to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_power: Option<u8>,
    /// How it matches the query.
    #[serde(rename = "match")]
    pub matched: MatchKind,
}

impl CardInfo {
    fn new(edition: Edition, known: &KnownCard, matched: MatchKind) -> Self {
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

/// Finds cards in `book`, or in the built-in list if it is `None`.
///
/// # Errors
/// If there is no such game, or the query looks like sides and they are invalid.
pub fn cards(question: &CardsQuestion, book: Option<&Book>) -> Result<CardsAnswer, Fault> {
    let book = match (book, &question.game) {
        (Some(book), _) => book,
        (None, None) => Book::built_in(Edition::Ff8),
        (None, Some(game)) => Book::built_in(read_edition(game).map_err(fault)?),
    };
    let found = book.find(&question.query).map_err(|error| Fault::question("query", error))?;
    let found = found.into_iter().take(question.most.unwrap_or(usize::MAX));
    Ok(CardsAnswer { cards: found.map(|(known, kind)| CardInfo::new(book.edition(), known, kind)).collect() })
}

/// Which opponents?
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct NpcsQuestion {
    /// `ff14`, the only game with a list of opponents.
    #[serde(alias = "edition", skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// A name, a part of a name, a misspelt name, or `#12`; empty for all opponents.
    pub query: String,
    /// Only opponents who give this card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drops: Option<CardRef>,
    /// The cards that are owned: only opponents who give another card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owned: Option<Vec<CardRef>>,
    /// Maximum number of opponents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<usize>,
}

/// The opponents that match, best first.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NpcsAnswer {
    /// The opponents.
    pub npcs: Vec<NpcInfo>,
}

/// An opponent of Final Fantasy XIV.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NpcInfo {
    /// The number in the list.
    pub id: u16,
    /// The name.
    pub name: String,
    /// The rules, by the names of the game.
    pub rules: Vec<String>,
    /// The cards that are always in the hand.
    pub fixed: Vec<String>,
    /// The cards from which the rest of the hand is drawn.
    pub variable: Vec<String>,
    /// The number of possible hands.
    pub hands: usize,
    /// The cards that can be won.
    pub rewards: Vec<String>,
    /// Those of them that are not owned, if the question says which are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The coordinates on the map.
    pub place: [u16; 2],
    /// How the name matches the query.
    #[serde(rename = "match")]
    pub matched: MatchKind,
}

/// Finds opponents in `npcs`, or in the built-in list if it is `None`. Their cards are those of `book`.
///
/// # Errors
/// If the game has no list of opponents, or there is no such card.
pub fn npcs(question: &NpcsQuestion, npcs: Option<&NpcBook>, book: Option<&Book>) -> Result<NpcsAnswer, Fault> {
    if let Some(game) = &question.game
        && read_edition(game).map_err(fault)? != Edition::Ff14
    {
        return Err(Fault::question("game", "the list of opponents is that of ff14"));
    }
    let book = book.unwrap_or_else(|| Book::built_in(Edition::Ff14));
    let id = |field: &str, card: &CardRef| {
        let card = card.resolve(book).map_err(|error| Fault::question(field, error))?;
        card.known.map(|known| known.id).ok_or_else(|| Fault::question(field, "a card needs a name or a number"))
    };
    let drops = question.drops.as_ref().map(|card| id("drops", card)).transpose()?;
    let owned = question.owned.as_ref().map(|cards| cards.iter().map(|card| id("owned", card)).collect());
    let owned: Option<Vec<u16>> = owned.transpose()?;
    let lacks = |npc: &Npc| -> Vec<u16> {
        let is_missing = |reward: &&u16| owned.as_ref().is_some_and(|owned| !owned.contains(reward));
        npc.rewards.iter().filter(is_missing).copied().collect()
    };
    let names = |npc: &Npc, ids: &[u16]| npc.cards(book, ids).iter().map(HandCard::name).collect();
    let info = |(npc, matched): (&Npc, MatchKind)| NpcInfo {
        id: npc.id,
        name: npc.name.clone(),
        rules: npc.rules.clone(),
        fixed: names(npc, &npc.fixed),
        variable: names(npc, &npc.variable),
        hands: npc.hand_count(),
        rewards: names(npc, &npc.rewards),
        missing: names(npc, &lacks(npc)),
        place: npc.place,
        matched,
    };
    let is_wanted = |(npc, _): &(&Npc, MatchKind)| {
        drops.is_none_or(|card| npc.rewards.contains(&card)) && (owned.is_none() || !lacks(npc).is_empty())
    };
    let found = npcs.unwrap_or_else(|| NpcBook::built_in()).find(&question.query);
    let found = found.into_iter().filter(is_wanted).take(question.most.unwrap_or(usize::MAX));
    Ok(NpcsAnswer { npcs: found.map(info).collect() })
}

/// All rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RulesAnswer {
    /// The rules and switches.
    pub rules: Vec<RuleInfo>,
}

/// A rule or switch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RuleInfo {
    /// Its name.
    pub name: String,
    /// The games that have it.
    pub games: Vec<String>,
    /// Whether it is a switch: it says how another rule is read.
    pub switch: bool,
    /// The games in which it is on by default.
    pub on: Vec<String>,
}

/// Every rule of both games.
#[must_use]
pub fn rules() -> RulesAnswer {
    let games = |wanted: &dyn Fn(Edition) -> bool| {
        Edition::ALL.into_iter().filter(|edition| wanted(*edition)).map(|edition| edition.name().to_owned()).collect()
    };
    let info = |rule: Rule| RuleInfo {
        name: rule.name().to_owned(),
        games: games(&|edition| rule.is_of(edition)),
        switch: rule.is_switch(),
        on: games(&|edition| Rules::preset(edition).has(rule)),
    };
    RulesAnswer { rules: Rule::all().map(info).collect() }
}
