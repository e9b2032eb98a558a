//! The search for cards and opponents by name, number or sides.

use super::book::{Book, KnownCard, looks_like_sides};
use super::names::{fold, nearest};
use super::npcs::{Npc, NpcBook};
use crate::triad::error::TriadError;
use serde::{Deserialize, Serialize};

/// How a name matches a query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MatchKind {
    /// The query is empty and matches everything.
    All,
    /// It is the name, the number or the sides.
    Exact,
    /// It is a part of the name.
    Part,
    /// It is similar to the name.
    Near,
}

/// The indices of the names that match a query: equal names first, then names that contain it, otherwise similar names.
fn matches<'a>(query: &str, names: impl Iterator<Item = &'a str> + Clone) -> Vec<(usize, MatchKind)> {
    let wanted = fold(query);
    let is_sign = |symbol: &char| !symbol.is_alphanumeric() && !symbol.is_whitespace();
    // `fold` drops the signs. A query of as many signs as letters is not a name.
    if wanted.chars().count() <= query.chars().filter(is_sign).count() {
        return if query.trim().is_empty() {
            names.enumerate().map(|(at, _)| (at, MatchKind::All)).collect()
        } else {
            Vec::new()
        };
    }
    let mut found: Vec<(usize, MatchKind)> = names
        .clone()
        .enumerate()
        .filter_map(|(at, name)| {
            let name = fold(name);
            let kind = if name == wanted { MatchKind::Exact } else { MatchKind::Part };
            name.contains(&wanted).then_some((at, kind))
        })
        .collect();
    found.sort_by_key(|(at, kind)| (*kind, *at));
    if found.is_empty() {
        found = nearest(query, names, 10).into_iter().map(|at| (at, MatchKind::Near)).collect();
    }
    found
}

impl Book {
    /// The cards that match a query, best first. A query is a name, a part of a name, a misspelt name, a number such as
    /// `#12`, or sides such as `8A32`; an empty query matches every card.
    ///
    /// # Errors
    /// If the query looks like sides and they are wrong.
    pub fn find(&self, query: &str) -> Result<Vec<(&KnownCard, MatchKind)>, TriadError> {
        let query = query.trim();
        let exact = |known| (known, MatchKind::Exact);
        if let Some(number) = query.strip_prefix('#') {
            let known = number.parse().ok().and_then(|id| self.by_id(id));
            return Ok(known.map(exact).into_iter().collect());
        }
        let found = matches(query, self.cards().iter().map(|card| card.name.as_str()));
        let is_named = found.first().is_some_and(|(_, kind)| *kind != MatchKind::Near);
        if !is_named && looks_like_sides(query) {
            let card = self.card(query)?.card;
            let has_mark = query.len() != 4;
            let is_it = |known: &&KnownCard| known.card.sides == card.sides && (!has_mark || known.card == card);
            return Ok(self.cards().iter().filter(is_it).map(exact).collect());
        }
        Ok(found.into_iter().map(|(at, kind)| (&self.cards()[at], kind)).collect())
    }
}

impl NpcBook {
    /// The opponents that match a query, best first. A query is a name, a part of a name, a misspelt name, or a number such
    /// as `#12`; an empty query matches every opponent.
    #[must_use]
    pub fn find(&self, query: &str) -> Vec<(&Npc, MatchKind)> {
        let query = query.trim();
        if query.starts_with('#') {
            return self.npc(query).map(|npc| (npc, MatchKind::Exact)).into_iter().collect();
        }
        let found = matches(query, self.npcs().iter().map(|npc| npc.name.as_str()));
        found.into_iter().map(|(at, kind)| (&self.npcs()[at], kind)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use triad::Edition;

    fn found(edition: Edition, query: &str) -> Vec<(&str, MatchKind)> {
        let cards = Book::built_in(edition).find(query).unwrap();
        cards.into_iter().map(|(card, kind)| (card.name.as_str(), kind)).collect()
    }

    #[test]
    fn exact_before_part_before_near() {
        let bahamut = found(Edition::Ff14, "BAHAMUT");
        assert_eq!(bahamut[0], ("Bahamut", MatchKind::Exact));
        assert!(bahamut.len() > 1 && bahamut[1..].iter().all(|(_, kind)| *kind == MatchKind::Part));
        assert_eq!(found(Edition::Ff8, "sqaull"), [("Squall", MatchKind::Near)]);
        assert_eq!(found(Edition::Ff8, "#109"), [("Squall", MatchKind::Exact)]);
        assert_eq!(found(Edition::Ff8, "A469"), [("Squall", MatchKind::Exact)]);
        assert_eq!(found(Edition::Ff8, "").len(), 110);
        assert!(found(Edition::Ff8, "no such thing").is_empty());
        assert!(found(Edition::Ff8, "#").is_empty() && found(Edition::Ff8, "?!").is_empty());
        assert!(found(Edition::Ff14, "%s%n").is_empty() && found(Edition::Ff14, "xz").is_empty());
        assert_eq!(found(Edition::Ff8, "x-atm 092"), [("X-ATM092", MatchKind::Exact)]);
        assert!(Book::built_in(Edition::Ff8).find("8032").is_err());
    }

    #[test]
    fn opponents_by_name_and_number() {
        let find = |query: &str| NpcBook::built_in().find(query);
        assert_eq!(find("").len(), 128);
        assert_eq!(find("greenhands lyehga")[0].0.name, "Wyra “Greenhands” Lyehga");
        assert_eq!(find("badreon")[0].0.name, "Baderon");
        assert_eq!(find("#2")[0].0.hand_count(), 10);
        assert!(find("#999").is_empty());
    }

    #[test]
    fn one_opponent_by_a_part_of_his_name() {
        let npc = |text: &str| NpcBook::built_in().npc(text).map(|npc| npc.name.as_str());
        assert_eq!(npc("flichoirel"), Some("Flichoirel the Lordling"));
        assert_eq!(npc("the lordling"), Some("Flichoirel the Lordling"));
        assert_eq!(npc("#9"), Some("Flichoirel the Lordling"));
        for text in ["", "?", "e", "the", "badreon", "#999"] {
            assert_eq!(npc(text), None, "{text}");
        }
    }
}
