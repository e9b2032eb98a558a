//! An opponent by what is known of his hand: a name, the cards he may draw, or a list of hands.

use super::deal::CardRef;
use crate::fault::Fault;
use engine::triad::TriadError;
use engine::triad::cards::{Book, Hand, HandCard, Holder, Npc, NpcBook, check_deck, hands_of};
use serde::{Deserialize, Serialize};
use triad::Edition;

/// An opponent. Exactly one of `npc`, `fixed` with `variable`, and `hands` is given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct OpponentQuestion {
    /// An opponent of Final Fantasy XIV, by name or number as in `#12`. His rules are in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub npc: Option<String>,
    /// The cards that are always in his hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<CardRef>,
    /// The cards with which the hand is filled up to five, at random.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variable: Vec<CardRef>,
    /// Every hand he may hold, equally likely. Under Order each hand is in playing order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hands: Vec<Vec<CardRef>>,
}

/// The hands that an opponent may hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Opponent {
    /// The opponent of the list, if he was named.
    pub npc: Option<Npc>,
    /// Every hand, equally likely.
    pub hands: Vec<Hand>,
    /// Whether each hand is in playing order.
    pub known_order: bool,
}

impl OpponentQuestion {
    /// Finds the opponent and his hands.
    ///
    /// # Errors
    /// If none or more than one of the three forms is given, or a card or opponent is unknown.
    pub fn read(&self, book: &Book, npcs: &NpcBook) -> Result<Opponent, Fault> {
        let npc = self.npc(npcs)?;
        if npc.is_some() && book.edition() != Edition::Ff14 {
            return Err(Fault::question("opponent.npc", "opponents with names are of ff14: set the game to ff14"));
        }
        let hands = self.hands(book, npc)?;
        Ok(Opponent { npc: npc.cloned(), hands, known_order: !self.hands.is_empty() })
    }

    /// The opponent of this name in `npcs`.
    pub(super) fn npc<'a>(&self, npcs: &'a NpcBook) -> Result<Option<&'a Npc>, Fault> {
        let Some(name) = &self.npc else { return Ok(None) };
        let unknown = || {
            let near = npcs.nearest_names(name);
            let near = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
            Fault::question("opponent.npc", format_args!("no opponent is called \"{name}\"{near}"))
        };
        npcs.npc(name).map(Some).ok_or_else(unknown)
    }

    pub(super) fn hands(&self, book: &Book, npc: Option<&Npc>) -> Result<Vec<Hand>, Fault> {
        let ways = [npc.is_some(), !self.fixed.is_empty() || !self.variable.is_empty(), !self.hands.is_empty()];
        if ways.into_iter().filter(|way| *way).count() != 1 {
            return Err(Fault::question("opponent", "give one of npc, fixed and variable cards, or hands"));
        }
        if let Some(npc) = npc {
            let (fixed, variable) = (npc.cards(book, &npc.fixed), npc.cards(book, &npc.variable));
            return hands_of(&fixed, &variable).map_err(|error| Fault::question("opponent.npc", error));
        }
        let hand = |(at, cards): (usize, &Vec<CardRef>)| {
            let field = format!("opponent.hands[{at}]");
            let wrong = |error: TriadError| Fault::question(field.clone(), format_args!("hand {}: {error}", at + 1));
            let cards = resolve(cards, book, &field)?;
            let hand = Hand::try_from(cards).map_err(|cards| wrong(TriadError::HandSize { found: cards.len() }))?;
            check_deck(book.edition(), &hand, Holder::Npc).map_err(wrong)?;
            Ok(hand)
        };
        if !self.hands.is_empty() {
            return self.hands.iter().enumerate().map(hand).collect();
        }
        let fixed = resolve(&self.fixed, book, "opponent.fixed")?;
        let variable = resolve(&self.variable, book, "opponent.variable")?;
        hands_of(&fixed, &variable).map_err(|error| Fault::question("opponent.variable", error))
    }
}

pub(super) fn resolve(cards: &[CardRef], book: &Book, field: &str) -> Result<Vec<HandCard>, Fault> {
    cards.iter().map(|card| card.resolve(book).map_err(|error| Fault::question(field, error))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_of_an_opponent_are_those_of_the_list() {
        let (book, npcs) = (Book::built_in(Edition::Ff14), NpcBook::built_in());
        for npc in npcs.npcs() {
            let question = OpponentQuestion { npc: Some(npc.name.clone()), ..Default::default() };
            let mut hands: Vec<Vec<u16>> = question
                .read(book, npcs)
                .unwrap()
                .hands
                .iter()
                .map(|hand| hand.iter().map(|card| card.known.as_ref().unwrap().id).collect())
                .collect();
            let mut listed: Vec<Vec<u16>> = npc.hands().into_iter().map(|hand| hand.to_vec()).collect();
            hands.sort();
            listed.sort();
            assert_eq!(hands, listed, "{}", npc.name);
        }
    }

    #[test]
    fn faults_name_the_field() {
        let (book, npcs) = (Book::built_in(Edition::Ff14), NpcBook::built_in());
        let fault = |json: &str| {
            let question: OpponentQuestion = serde_json::from_str(json).unwrap();
            let fault = question.read(book, npcs).unwrap_err();
            format!("{}: {}", fault.field, fault.message)
        };
        for (json, words) in [
            ("{}", "opponent: give one of npc, fixed and variable cards, or hands"),
            (r##"{"npc":"Baderon","fixed":["#1"]}"##, "opponent: give one of npc"),
            (r#"{"npc":""}"#, "opponent.npc: no opponent is called \"\""),
            (r#"{"npc":"Baderom"}"#, "opponent.npc: no opponent is called \"Baderom\"; did you mean Baderon"),
            (r##"{"fixed":["#1","#2"],"variable":["#3"]}"##, "opponent.variable: "),
            (r##"{"hands":[["#1","#2"]]}"##, "opponent.hands[0]: hand 1: "),
            (r#"{"hands":[["Titen"]]}"#, "opponent.hands[0]: no card of ff14 is called \"Titen\""),
        ] {
            assert!(fault(json).starts_with(words), "{json}: {}", fault(json));
        }
    }
}
