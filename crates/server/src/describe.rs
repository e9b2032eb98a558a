//! Describes the addresses: generates `openapi.json` and the tables of `docs/http.md` from the Rust types.
//!
//! Compiled only with the feature `schema`; `cargo xtask describe` writes the files.

use crate::routes::About;
use ::api::{
    AnalyseQuestion, Analysis, ChooseAnswer, ChooseQuestion, ExplainQuestion, Fault, PlayAnswer, Played,
    PositionQuestion, SolveQuestion, View, cephalopods, triad,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// Generates the schema of a type.
type Describe = fn(&mut SchemaGenerator) -> Schema;

fn of<T: JsonSchema>() -> Describe {
    |generator| generator.subschema_for::<T>()
}

/// One address.
pub struct Route {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The path; `{game}` is one of the three games.
    pub path: &'static str,
    /// A summary of the answer.
    pub summary: &'static str,
    /// The type of the body.
    pub question: Option<Describe>,
    /// The type of the answer.
    pub answer: Describe,
}

fn post<Q: JsonSchema, A: JsonSchema>(path: &'static str, summary: &'static str) -> Route {
    Route { method: "POST", path, summary, question: Some(of::<Q>()), answer: of::<A>() }
}

fn get<A: JsonSchema>(path: &'static str, summary: &'static str) -> Route {
    Route { method: "GET", path, summary, question: None, answer: of::<A>() }
}

/// Every address, with its types.
#[must_use]
pub fn routes() -> Vec<Route> {
    vec![
        get::<About>("/api/about", "Version, instruction set, the options of each game, the limits of the server"),
        post::<PositionQuestion, View>("/api/{game}/look", "The position: board, side to move, legal moves, result"),
        post::<PositionQuestion, PlayAnswer>("/api/{game}/play", "What each move did, and the position after the last"),
        post::<ExplainQuestion, Played>("/api/{game}/explain", "What one move does, with the cause of every capture"),
        post::<AnalyseQuestion, Analysis>("/api/{game}/analyse", "A value for every move"),
        post::<AnalyseQuestion, Analysis>(
            "/api/{game}/analyse/stream",
            "The same as server-sent events while it grows",
        ),
        post::<SolveQuestion, Analysis>("/api/{game}/solve", "The value for certain, or none within the limits"),
        post::<ChooseQuestion, ChooseAnswer>("/api/{game}/choose", "The move of a player of some strength"),
        get::<triad::RulesAnswer>("/api/triad/rules", "Every rule and switch, which edition has it, where it is on"),
        post::<triad::CardsQuestion, triad::CardsAnswer>("/api/triad/cards", "Cards by name, number or sides"),
        post::<triad::NpcsQuestion, triad::NpcsAnswer>("/api/triad/npcs", "Opponents of Final Fantasy XIV"),
        post::<triad::DealQuestion, View>("/api/triad/deal", "The position of two hands, with moves played from there"),
        post::<triad::AdviseQuestion, triad::AdviseAnswer>("/api/triad/advise", "Advice against a hidden hand"),
        post::<triad::DeckQuestion, triad::DeckAnswer>("/api/triad/deck", "The best deck of a collection"),
        post::<cephalopods::SumQuestion, cephalopods::SumAnswer>(
            "/api/cephalopods/sum",
            "The sum of all final boards modulo 2^30",
        ),
        post::<cephalopods::CountQuestion, cephalopods::CountAnswer>(
            "/api/cephalopods/count",
            "The number of sequences, the whole sum, lengths, final boards",
        ),
        post::<cephalopods::HeatQuestion, cephalopods::HeatAnswer>(
            "/api/cephalopods/heat",
            "Milliseconds per question by rank and depth",
        ),
    ]
}

/// The error statuses with their meaning.
pub const STATUSES: [(u16, &str); 10] = [
    (400, "a field is missing, of the wrong type, or means nothing here"),
    (403, "the question comes from a page of another site (`Origin`)"),
    (404, "no such address or game"),
    (405, "the address takes another method"),
    (408, "the body did not arrive in time, or a limit was reached before there was an answer"),
    (413, "the body is longer than 64 kB"),
    (415, "the body is not declared as `application/json`"),
    (421, "the request is for another host (`Host`); `--allow-host` adds a name"),
    (429, "the queue of searches is full; `Retry-After` says when to ask again"),
    (500, "the server failed, perhaps for lack of memory"),
];

/// A generator for answers: a field is required if it is always written. Definitions go under this path.
#[must_use]
pub fn answers(definitions: &'static str) -> SchemaGenerator {
    settings(definitions).for_serialize().into_generator()
}

/// A generator for questions: a field is required if it cannot be left out.
fn questions(definitions: &'static str) -> SchemaGenerator {
    settings(definitions).for_deserialize().into_generator()
}

fn settings(definitions: &'static str) -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = definitions.into())
}

/// `openapi.json`.
#[must_use]
pub fn openapi() -> Value {
    const SCHEMAS: &str = "/components/schemas";
    let (mut answers, mut questions) = (answers(SCHEMAS), questions(SCHEMAS));
    let fault = answers.subschema_for::<Fault>();
    let error = json!({
        "type": "object",
        "properties": { "error": fault },
        "required": ["error"],
        "additionalProperties": false,
    });
    let mut paths = Map::new();
    for route in routes() {
        let answer = (route.answer)(&mut answers);
        let is_stream = route.path.ends_with("/stream");
        let content = if is_stream {
            json!({ "text/event-stream": { "schema": {
                "description": "One event: `progress` any number of times, then `done` or `fault`.",
                "type": "object",
                "properties": {
                    "event": { "type": "string", "enum": ["progress", "done", "fault"] },
                    "data": {
                        "description": "An Analysis, or a Fault in a `fault`, as JSON.",
                        "type": "string",
                        "contentMediaType": "application/json",
                        "contentSchema": { "anyOf": [answer, answers.subschema_for::<Fault>()] },
                    },
                },
                "required": ["event", "data"],
            } } })
        } else {
            json!({ "application/json": { "schema": answer } })
        };
        let mut responses = Map::new();
        responses.insert("200".to_owned(), json!({ "description": "The answer", "content": content }));
        let is_get = route.question.is_none();
        let has_game = route.path.contains("{game}");
        for (status, meaning) in STATUSES {
            let possible = match status {
                405 | 421 => true,
                404 => has_game,
                _ => !is_get,
            };
            if possible {
                let content = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } });
                responses.insert(status.to_string(), json!({ "description": meaning, "content": content }));
            }
        }
        let mut operation = json!({ "summary": route.summary, "responses": responses });
        if let Some(question) = route.question {
            let schema = question(&mut questions);
            operation["requestBody"] =
                json!({ "required": true, "content": { "application/json": { "schema": schema } } });
        }
        if has_game {
            let games = ::api::GameName::ALL.map(::api::GameName::name);
            operation["parameters"] = json!([{ "name": "game", "in": "path", "required": true, "schema": { "type": "string", "enum": games } }]);
        }
        paths.insert(route.path.to_owned(), json!({ route.method.to_lowercase(): operation }));
    }
    // Questions and answers share only plain words, which have the same schema in both.
    let mut schemas = questions.take_definitions(true);
    schemas.extend(answers.take_definitions(true));
    schemas.insert("Error".to_owned(), error);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Ninefold",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Exact engines for games on a 3x3 grid. docs/http.md has examples and limits.",
        },
        "paths": paths,
        "components": { "schemas": schemas },
    })
}
