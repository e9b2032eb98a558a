//! `ninefold describe`: writes the descriptions that are generated from the Rust types, or checks that they are
//! current.
//!
//! | file | generated from |
//! |---|---|
//! | `docs/json.schema.json` | the types that `--json` prints, one definition per verb |
//! | `crates/server/openapi.json` | the questions and answers of the server |
//! | `crates/server/site/api-types.js` | the same as JSDoc types for the page |
//! | `docs/json.md`, `docs/http.md` | the tables between `<!-- generated: NAME -->` and `<!-- end -->` |
//!
//! Compiled only with the feature `schema`; `cargo xtask describe` runs it.

mod javascript;
mod tables;

use crate::failure::Failure;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Arguments of `describe`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the project
    #[arg(long, default_value = ".")]
    folder: PathBuf,
    /// Write nothing; fail if a file is stale
    #[arg(long)]
    check: bool,
}

/// A verb that prints JSON: the name of its schema, the command, and what each object is for.
pub(crate) struct Verb {
    pub(crate) schema: &'static str,
    pub(crate) call: &'static str,
    pub(crate) each: &'static str,
    describe: fn(&mut SchemaGenerator) -> Schema,
}

fn verb<T: JsonSchema>(schema: &'static str, call: &'static str, each: &'static str) -> Verb {
    Verb { schema, call, each, describe: |generator| generator.subschema_for::<T>() }
}

/// Every verb that prints JSON.
pub(crate) fn verbs() -> Vec<Verb> {
    use api::{Analysis, PerftAnswer, View, cephalopods, triad, uttt};
    vec![
        verb::<cephalopods::SumAnswer>("cephalopods-sum", "`cephalopods sum`", "board and depth"),
        verb::<cephalopods::Step>("cephalopods-moves", "`cephalopods moves`", "legal move"),
        verb::<cephalopods::CountAnswer>("cephalopods-count", "`cephalopods count`", "board"),
        verb::<cephalopods::TableInfo>("cephalopods-table", "`cephalopods table build`, `info`, `verify`", "file"),
        verb::<cephalopods::HeatAnswer>("cephalopods-heatmap", "`cephalopods heatmap`", "engine"),
        verb::<crate::cephalopods::bundle::Written>("cephalopods-bundle", "`cephalopods bundle`", "file"),
        verb::<Analysis>("cephalopods-solve", "`cephalopods solve`", "position"),
        verb::<crate::triad::cards::CardLine>("triad-cards", "`triad cards`", "card"),
        verb::<triad::NpcInfo>("triad-npcs", "`triad npcs`", "opponent"),
        verb::<triad::AdviseAnswer>("triad-advise", "`triad advise`", "question"),
        verb::<triad::LogAnswer>("triad-log", "`triad log`", "opponent"),
        verb::<triad::DeckAnswer>("triad-deck", "`triad deck`", "deck"),
        verb::<crate::triad::deck::TableLine>("triad-decks", "`triad decks`", "opponent"),
        verb::<triad::DraftAnswer>("triad-draft", "`triad draft`", "pick"),
        verb::<triad::VerifyDeckAnswer>("triad-verify-deck", "`triad verify-deck`", "file"),
        verb::<Analysis>("triad-solve", "`triad solve`", "position or game of the file"),
        verb::<triad::ReplayAnswer>("triad-replay", "`triad replay`", "game of the file"),
        verb::<PerftAnswer>("uttt-perft", "`uttt perft`", "position"),
        verb::<uttt::MovesAnswer>("uttt-moves", "`uttt moves`", "position"),
        verb::<View>("uttt-show", "`uttt show`", "position"),
        verb::<Analysis>("uttt-analyse", "`uttt analyse`", "position"),
        verb::<Analysis>("uttt-solve", "`uttt solve`", "position"),
        verb::<uttt::VerifyAnswer>("uttt-verify", "`uttt verify`", "file"),
        verb::<crate::uttt::bundle::Written>("uttt-bundle", "`uttt bundle`", "file"),
        verb::<uttt::Puzzle>("uttt-puzzles", "`uttt puzzles`", "puzzle"),
        verb::<uttt::BookAnswer>("uttt-book", "`uttt book`", "position"),
        verb::<crate::arena::gate::GateAnswer>("uttt-gate", "`uttt gate`", "run"),
        verb::<crate::play::event::Event<'_>>(
            "play",
            "`cephalopods play`, `triad play`, `uttt play`",
            "event: the game, a position, a move, a question to you",
        ),
        verb::<crate::bench::Figure>("bench", "`bench`", "figure"),
        verb::<crate::doctor::Report>("doctor", "`doctor`", "run"),
        verb::<crate::arena::Printed>("match", "`match`", "game, then the result"),
    ]
}

fn schemas() -> Value {
    let mut generator = server::describe::answers("/$defs");
    let mut definitions = Map::new();
    for verb in verbs() {
        definitions.insert(verb.schema.to_owned(), (verb.describe)(&mut generator).to_value());
    }
    definitions.extend(generator.take_definitions(true));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What each verb of ninefold prints with --json",
        "$defs": definitions,
    })
}

/// Writes all files, or reports the stale ones.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let openapi = server::describe::openapi();
    let pretty = |value: &Value| format!("{value:#}\n");
    let read = |path: &str| {
        let path = arguments.folder.join(path);
        std::fs::read_to_string(&path).map_err(|error| Failure::Run(format!("{}: {error}", path.display())))
    };
    let schemas = schemas();
    let files = [
        ("docs/json.schema.json", pretty(&schemas)),
        ("crates/server/openapi.json", pretty(&openapi)),
        ("crates/server/site/api-types.js", javascript::types(&openapi["components"]["schemas"])),
        ("docs/json.md", tables::fill(&read("docs/json.md")?, &schemas["$defs"])?),
        ("docs/http.md", tables::fill(&read("docs/http.md")?, &openapi["components"]["schemas"])?),
    ];
    let mut stale = Vec::new();
    for (path, text) in files {
        if read(path).ok().as_deref() == Some(text.as_str()) {
            continue;
        }
        stale.push(path);
        if !arguments.check {
            api::files::write(&arguments.folder.join(path), text.as_bytes())?;
        }
    }
    if arguments.check && !stale.is_empty() {
        return Err(Failure::Run(format!("stale: {}; run `cargo xtask describe`", stale.join(", "))));
    }
    Ok(())
}
