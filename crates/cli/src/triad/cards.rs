//! `triad cards` and `triad npcs`: what is in the data.

use super::catalogue;
use crate::failure::Failure;
use crate::output::Output;
use engine::triad::catalogue::{Collection, Entry, search_npcs};
use serde::Serialize;
use std::path::PathBuf;

/// What `cards` takes.
#[derive(clap::Args)]
pub(crate) struct CardArguments {
    /// A name or part of it; case and small misspellings do not matter
    query: Option<String>,
    /// Which game: ff8 or ff14
    #[arg(long, default_value = "ff8")]
    game: String,
    /// A file of cards to use in place of those that came with the program
    #[arg(long)]
    cards: Option<PathBuf>,
    /// Only the cards of a collection: a file with a name or #number a line, and `,count` where it is not one
    #[arg(long)]
    owned: Option<PathBuf>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// What `npcs` takes.
#[derive(clap::Args)]
pub(crate) struct NpcArguments {
    /// A name or part of it
    query: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct CardLine<'a> {
    id: u32,
    name: &'a str,
    level: u8,
    sides: [u8; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<&'static str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owned: Option<u32>,
}

fn line(entry: &Entry, owned: Option<u32>) -> CardLine<'_> {
    CardLine {
        id: entry.id,
        name: &entry.name,
        level: entry.level,
        sides: entry.card.sides,
        element: entry.card.element.map(|element| element.name()),
        kind: entry.card.kind.map(|kind| kind.name()),
        owned,
    }
}

/// Lists cards.
pub(crate) fn cards(arguments: &CardArguments) -> Result<(), Failure> {
    let catalogue = catalogue(&arguments.game, arguments.cards.as_ref())?;
    let collection = arguments.owned.as_ref().map(|path| Collection::load(path, &catalogue)).transpose()?;
    let query = arguments.query.as_deref().unwrap_or("");
    let mut output = Output::new();
    let mut shown = 0;
    for entry in catalogue.search(query) {
        let owned = collection.as_ref().map(|collection| collection.count(entry.id));
        if owned == Some(0) {
            continue;
        }
        shown += 1;
        let card = line(entry, owned);
        if arguments.json {
            output.json(&card)?;
        } else {
            let mark = card.element.or(card.kind).unwrap_or("");
            let count = owned.map_or(String::new(), |owned| format!(" x{owned}"));
            let sides = entry.card.to_string();
            output.line(format_args!(
                "#{:<4} {:4} {:2} {:8} {}{count}",
                card.id,
                &sides[..4],
                card.level,
                mark,
                card.name
            ))?;
        }
    }
    if shown == 0 && !query.is_empty() && collection.is_none() {
        let nearest = catalogue.nearest(query, 3).join(", ");
        return Err(Failure::Usage(format!("no card is like \"{query}\"; nearest: {nearest}")));
    }
    Ok(())
}

#[derive(Serialize)]
struct NpcLine<'a> {
    id: u32,
    name: &'a str,
    rules: &'a [String],
    fixed: &'a [u32],
    variable: &'a [u32],
    rewards: &'a [u32],
}

/// Lists opponents.
pub(crate) fn npcs(arguments: &NpcArguments) -> Result<(), Failure> {
    let query = arguments.query.as_deref().unwrap_or("");
    let found = search_npcs(query);
    if found.is_empty() {
        return Err(Failure::Usage(format!("no opponent is like \"{query}\"")));
    }
    let mut output = Output::new();
    let cards = catalogue("ff14", None)?;
    for npc in found {
        if arguments.json {
            let engine::triad::catalogue::Npc { id, name, rules, fixed, variable, rewards } = npc;
            output.json(&NpcLine { id: *id, name, rules, fixed, variable, rewards })?;
        } else {
            let names = |ids: &[u32]| -> String {
                let names: Vec<&str> = ids.iter().filter_map(|id| Some(cards.by_id(*id)?.name.as_str())).collect();
                names.join(", ")
            };
            let rules = if npc.rules.is_empty() { "-".to_owned() } else { npc.rules.join(",") };
            output.line(format_args!("{}: rules {rules}", npc.name))?;
            output.line(format_args!("    always {}; of {}", names(&npc.fixed), names(&npc.variable)))?;
        }
    }
    Ok(())
}
