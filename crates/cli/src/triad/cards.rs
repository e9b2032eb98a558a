//! `triad cards` and `triad npcs`: search the lists of cards and opponents.

use super::book;
use crate::count::count;
use crate::failure::Failure;
use crate::output::Output;
use api::triad::card_lists::{Collection, NpcBook};
use api::triad::{CardInfo, CardRef, CardsQuestion, NpcsQuestion, cards as find_cards, npcs as find_npcs};
use serde::Serialize;
use std::path::PathBuf;

pub(super) const CARD_EXAMPLES: &str = "Examples:
  ninefold triad cards                      every card of Final Fantasy VIII
  ninefold triad cards shiwa                a misspelt name finds Shiva
  ninefold triad cards bahamut --edition ff14
  ninefold triad cards '#12'                by number
  ninefold triad cards A469                 by sides: top, right, bottom, left
  ninefold triad cards --owned mine.csv --json";

pub(super) const NPC_EXAMPLES: &str = "Examples:
  ninefold triad npcs baderon
  ninefold triad npcs '#2' --json
  ninefold triad npcs --drops Titan           who gives this card
  ninefold triad npcs --missing cards.csv     who gives cards that I lack";

/// Arguments of `cards`.
#[derive(clap::Args)]
pub(crate) struct CardArguments {
    /// A name, part of a name, or a misspelt name; #12; or sides as in 8A32
    query: Option<String>,
    /// Which edition: ff8 or ff14
    #[arg(long = "edition", alias = "game", value_name = "EDITION", default_value = "ff8")]
    game: String,
    /// Card file to use instead of the built-in list
    #[arg(long)]
    cards: Option<PathBuf>,
    /// Only the cards of a collection: a list of names or #numbers, a table with commas, JSON or TOML
    #[arg(long)]
    owned: Option<PathBuf>,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// Arguments of `npcs`.
#[derive(clap::Args)]
pub(crate) struct NpcArguments {
    /// A name, part of a name, or a misspelt name; or #12
    query: Option<String>,
    /// Card file to use instead of the built-in list
    #[arg(long)]
    cards: Option<PathBuf>,
    /// Opponent file to use instead of the built-in list
    #[arg(long)]
    npcs: Option<PathBuf>,
    /// Only opponents who give this card
    #[arg(long, value_name = "CARD")]
    drops: Option<String>,
    /// Only opponents who give a card that is not in this collection
    #[arg(long, value_name = "FILE")]
    missing: Option<PathBuf>,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// A card, and the number of copies in a collection.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct CardLine {
    #[serde(flatten)]
    card: CardInfo,
    /// How many are owned, with `--owned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    owned: Option<u32>,
}

/// Lists cards.
pub(crate) fn cards(arguments: &CardArguments) -> Result<(), Failure> {
    let book = book(&arguments.game, arguments.cards.as_ref())?;
    let collection = arguments.owned.as_ref().map(|path| Collection::load(path, &book)).transpose()?;
    let owned = |id: u16| {
        let count = |collection: &Collection| {
            let mut cards = collection.cards();
            cards.find(|(card, _)| card.known.as_ref().is_some_and(|known| known.id == id)).map_or(0, |found| found.1)
        };
        collection.as_ref().map(count)
    };
    let query = arguments.query.clone().unwrap_or_default();
    let mut question = CardsQuestion::default();
    (question.game, question.query) = (Some(book.edition().name().to_owned()), query.clone());
    let found = find_cards(&question, Some(&book))?;
    let lines = found.cards.into_iter().map(|card| CardLine { owned: owned(card.id), card });
    let lines: Vec<CardLine> = lines.filter(|line| line.owned != Some(0)).collect();
    if lines.is_empty() {
        let owned = if collection.is_some() { " that is owned" } else { "" };
        return Err(Failure::Usage(format!("no card of {}{owned} is like \"{query}\"", book.edition())));
    }
    let mut output = Output::new();
    for CardLine { card, owned } in lines {
        if arguments.json {
            output.json(&CardLine { card, owned })?;
            continue;
        }
        let grade = match (card.level, card.stars) {
            (Some(level), _) => format!("level {level}"),
            (_, stars) => "*".repeat(stars.unwrap_or_default().into()),
        };
        let mark = card.element.or(card.kind).unwrap_or_default();
        let count = owned.map_or(String::new(), |owned| format!("  x{owned}"));
        let text = format!("#{:<4} {:<5}  {grade:<8}  {mark:<7}  {}{count}", card.id, card.text, card.name);
        output.line(text)?;
    }
    Ok(())
}

/// Lists opponents.
pub(crate) fn npcs(arguments: &NpcArguments) -> Result<(), Failure> {
    let book = book("ff14", arguments.cards.as_ref())?;
    let loaded = arguments.npcs.as_ref().map(|path| NpcBook::load(path, &book)).transpose()?;
    let query = arguments.query.clone().unwrap_or_default();
    let mut question = NpcsQuestion::default();
    question.query.clone_from(&query);
    question.drops = arguments.drops.clone().map(CardRef::Text);
    let owned = arguments.missing.as_ref().map(|path| Collection::load(path, &book)).transpose()?;
    question.owned = owned.map(|owned| {
        let known = owned.cards().filter_map(|(card, _)| card.known.as_ref());
        known.map(|known| CardRef::Number(known.id)).collect()
    });
    let found = find_npcs(&question, loaded.as_ref(), Some(&book))?;
    if found.npcs.is_empty() {
        let gives = match (&arguments.drops, &arguments.missing) {
            (Some(card), _) => format!(" that gives {card}"),
            (None, Some(_)) => " that gives a missing card".to_owned(),
            (None, None) => String::new(),
        };
        return Err(Failure::Usage(format!("no opponent{gives} is like \"{query}\"")));
    }
    let mut output = Output::new();
    for npc in found.npcs {
        if arguments.json {
            output.json(&npc)?;
            continue;
        }
        let rules = if npc.rules.is_empty() { "none".to_owned() } else { npc.rules.join(", ") };
        let hands = count(npc.hands as u64, "possible hand", "possible hands");
        output.line(format_args!("#{} {}: rules {rules}; {hands}", npc.id, npc.name))?;
        output.line(format_args!("    always {}", npc.fixed.join("; ")))?;
        output.line(format_args!("    some of {}", npc.variable.join("; ")))?;
        output.line(format_args!("    gives {}", npc.rewards.join("; ")))?;
        if !npc.missing.is_empty() {
            output.line(format_args!("    missing {}", npc.missing.join("; ")))?;
        }
    }
    Ok(())
}
