//! Triple Triad besides the board: rules, cards and opponents by name, and hands that become a deal.

use super::{Answer, fresh};
use crate::asked::Asked;
use crate::house::House;
use crate::refusal::Refusal;
use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use engine::desk::{GameName, View};
use engine::triad::cards::{Book, CardsRequest, CardsResult, NpcBook, NpcsRequest, NpcsResult};
use engine::triad::request::{GameText, read_edition};
use engine::triad::rules::{Edition, Rule, Rules};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn routes() -> Router<Arc<House>> {
    Router::new()
        .route("/api/triad/rules", get(rules))
        .route("/api/triad/cards", post(cards))
        .route("/api/triad/npcs", post(npcs))
        .route("/api/triad/deal", post(deal))
}

/// A rule or switch.
#[derive(Serialize)]
struct RuleAnswer {
    name: &'static str,
    /// The games that have it.
    games: Vec<&'static str>,
    /// Whether it says how another rule is read; `on` then tells where it is on unless said otherwise.
    switch: bool,
    on: Vec<&'static str>,
}

async fn rules() -> Answer<BTreeMap<&'static str, Vec<RuleAnswer>>> {
    let editions = [Edition::Ff8, Edition::Ff14];
    let names = |wanted: &dyn Fn(Edition) -> bool| {
        editions.into_iter().filter(|edition| wanted(*edition)).map(Edition::name).collect()
    };
    let answer = |rule: Rule| RuleAnswer {
        name: rule.name(),
        games: names(&|edition| rule.is_of(edition)),
        switch: rule.is_switch(),
        on: names(&|edition| Rules::preset(edition).has(rule)),
    };
    fresh(BTreeMap::from([("rules", Rule::all().map(answer).collect())]))
}

/// What a list is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    /// `ff8` unless said otherwise.
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    query: String,
    /// How many answers at most.
    #[serde(default)]
    most: Option<usize>,
}

async fn cards(State(_): State<Arc<House>>, Asked(asked): Asked<Query>) -> Answer<CardsResult> {
    let edition = asked.game.as_deref().map_or(Ok(Edition::Ff8), read_edition);
    let edition = edition.map_err(|fault| Refusal::field("game", fault))?;
    let found = CardsRequest { query: asked.query }.ask(Book::built_in(edition));
    let mut found = found.map_err(|fault| Refusal::field("query", fault))?;
    found.cards.truncate(asked.most.unwrap_or(usize::MAX));
    fresh(found)
}

async fn npcs(State(_): State<Arc<House>>, Asked(asked): Asked<Query>) -> Answer<NpcsResult> {
    if asked.game.is_some_and(|game| game != Edition::Ff14.name()) {
        return Err(Refusal::field("game", "the list of opponents is that of ff14"));
    }
    let request = NpcsRequest { query: asked.query };
    let mut found = request.ask(NpcBook::built_in(), Book::built_in(Edition::Ff14));
    found.npcs.truncate(asked.most.unwrap_or(usize::MAX));
    fresh(found)
}

/// Hands by name, rules and perhaps moves become a position.
async fn deal(State(house): State<Arc<House>>, Asked(asked): Asked<GameText>) -> Answer<View> {
    let edition = asked.edition().map_err(|fault| Refusal::field("game", fault))?;
    let game = asked.deal(Book::built_in(edition)).map_err(|fault| Refusal::field(blamed(&fault.0), fault))?;
    let position = game.after(&asked.moves).map_err(|fault| Refusal::field("moves", fault))?;
    let text = game.position_text(&position);
    let view = house.quick(GameName::Triad, &BTreeMap::new(), |desk| Ok(desk.look(&text)?))?;
    fresh(view)
}

/// The field that a fault of a deal is about: the engine says it in words.
fn blamed(message: &str) -> &'static str {
    match message {
        _ if message.starts_with("hand a") => "hand_a",
        _ if message.starts_with("hand b") => "hand_b",
        _ if message.starts_with("no rule") => "rules",
        _ if message.contains("element") => "cell_elements",
        _ if message.contains("player") => "first",
        _ => "rules",
    }
}
