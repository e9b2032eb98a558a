//! An opponent by what is known of his hand: a name, the cards he may draw, or a list of hands.

use super::deal::CardRef;
use super::fault;
use crate::fault::Fault;
use engine::triad::cards::{Book, HandCard, Npc, NpcBook};
use serde::{Deserialize, Serialize};
use triad::{Edition, HAND};

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

/// The most variable cards: five of them make more hands than any engine takes.
const MOST_VARIABLE: usize = 20;

/// The hands that an opponent may hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Opponent {
    /// The opponent of the list, if he was named.
    pub npc: Option<Npc>,
    /// Every hand, equally likely.
    pub hands: Vec<[HandCard; HAND]>,
    /// Whether each hand is in playing order.
    pub known_order: bool,
}

impl OpponentQuestion {
    /// Finds the hands.
    ///
    /// # Errors
    /// If none or more than one of the three forms is given, or a card or opponent is unknown.
    pub fn read(&self, book: &Book, npcs: &NpcBook) -> Result<Opponent, Fault> {
        let is_drawn = !self.fixed.is_empty() || !self.variable.is_empty();
        let given = [self.npc.is_some(), is_drawn, !self.hands.is_empty()].into_iter().filter(|given| *given).count();
        if given != 1 {
            let what = if given == 0 { "say who the opponent is" } else { "the opponent is given twice" };
            return Err(Fault::question(
                "opponent",
                format_args!("{what}: expected npc, or fixed and variable cards, or hands"),
            ));
        }
        let blame = |field: &'static str| move |error| Fault { field: format!("opponent.{field}"), ..fault(error) };
        if let Some(name) = &self.npc {
            return named(name, book, npcs);
        }
        if !self.hands.is_empty() {
            let hand = |(number, cards): (usize, &Vec<CardRef>)| {
                let field = format!("opponent.hands[{number}]");
                let found = cards.iter().map(|card| card.resolve(book)).collect::<Result<Vec<_>, _>>();
                let found = found.map_err(|error| Fault { field: field.clone(), ..fault(error) })?;
                let wrong = |found: Vec<_>| format!("hand {} has {} cards, not five", number + 1, found.len());
                found.try_into().map_err(|found| Fault::question(field, wrong(found)))
            };
            let hands = self.hands.iter().enumerate().map(hand).collect::<Result<_, Fault>>()?;
            return Ok(Opponent { npc: None, hands, known_order: true });
        }
        let read = |cards: &[CardRef]| cards.iter().map(|card| card.resolve(book)).collect::<Result<Vec<_>, _>>();
        let (fixed, variable) =
            (read(&self.fixed).map_err(blame("fixed"))?, read(&self.variable).map_err(blame("variable"))?);
        if variable.len() > MOST_VARIABLE {
            let message = format_args!("{} variable cards: at most {MOST_VARIABLE} are supported", variable.len());
            return Err(Fault::question("opponent.variable", message));
        }
        let hands = drawn(&fixed, &variable);
        if hands.is_empty() {
            let (fixed, variable) = (fixed.len(), variable.len());
            let message = format_args!("{fixed} fixed and {variable} variable cards do not make a hand of five");
            return Err(Fault::question("opponent", message));
        }
        Ok(Opponent { npc: None, hands, known_order: false })
    }
}

fn named(name: &str, book: &Book, npcs: &NpcBook) -> Result<Opponent, Fault> {
    let field = "opponent.npc";
    if book.edition() != Edition::Ff14 {
        return Err(Fault::question(field, "opponents with names are of ff14: set the game to ff14"));
    }
    let Some(npc) = npcs.npc(name) else {
        let near = npcs.nearest_names(name).join(", ");
        let hint = if near.is_empty() { String::new() } else { format!("; the nearest names: {near}") };
        return Err(Fault::question(field, format_args!("no opponent is called \"{name}\"{hint}")));
    };
    let hands = drawn(&npc.cards(book, &npc.fixed), &npc.cards(book, &npc.variable));
    if hands.is_empty() {
        return Err(Fault::question(field, format_args!("the list of cards does not have the cards of {}", npc.name)));
    }
    Ok(Opponent { npc: Some(npc.clone()), hands, known_order: false })
}

/// Every hand of all fixed cards, filled up to five with variable ones. None if there are too many or too few.
fn drawn(fixed: &[HandCard], variable: &[HandCard]) -> Vec<[HandCard; HAND]> {
    if let Ok(hand) = <[HandCard; HAND]>::try_from(fixed.to_vec()) {
        return vec![hand];
    }
    let more = |(at, card): (usize, &HandCard)| {
        let longer = [fixed, std::slice::from_ref(card)].concat();
        if longer.len() > HAND { Vec::new() } else { drawn(&longer, &variable[at + 1..]) }
    };
    variable.iter().enumerate().flat_map(more).collect()
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
            ("{}", "opponent: say who the opponent is"),
            (r##"{"npc":"Baderon","fixed":["#1"]}"##, "opponent: the opponent is given twice"),
            (r#"{"npc":""}"#, "opponent.npc: no opponent is called \"\""),
            (r#"{"npc":"Baderom"}"#, "opponent.npc: no opponent is called \"Baderom\"; the nearest names: Baderon"),
            (r##"{"fixed":["#1","#2"],"variable":["#3"]}"##, "opponent: 2 fixed and 1 variable cards do not make"),
            (r##"{"hands":[["#1","#2"]]}"##, "opponent.hands[0]: hand 1 has 2 cards, not five"),
            (r#"{"hands":[["Titen"]]}"#, "opponent.hands[0]: no card of ff14 is called \"Titen\""),
        ] {
            assert!(fault(json).starts_with(words), "{json}: {}", fault(json));
        }
    }
}
