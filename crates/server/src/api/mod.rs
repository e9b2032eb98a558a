//! What can be asked over HTTP. Each handler reads a question, asks the desk, and hands on what it says.

mod cephalopods;
mod triad;

use crate::asked::{Asked, Deed, Opening, Search, Stand};
use crate::events;
use crate::house::House;
use crate::refusal::Refusal;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use engine::desk::{Analysis, Desk, GameName, Played, Request, View};
use grid::simd::Isa;
use serde::Serialize;
use std::sync::Arc;

/// Every address that is no file of the page, with its method. `{game}` is one of the three.
pub const ROUTES: [(&str, &str); 16] = [
    ("GET", "/api/about"),
    ("POST", "/api/{game}/start"),
    ("POST", "/api/{game}/look"),
    ("POST", "/api/{game}/play"),
    ("POST", "/api/{game}/explain"),
    ("POST", "/api/{game}/analyse"),
    ("POST", "/api/{game}/analyse/stream"),
    ("POST", "/api/{game}/solve"),
    ("POST", "/api/{game}/choose"),
    ("GET", "/api/triad/rules"),
    ("POST", "/api/triad/cards"),
    ("POST", "/api/triad/npcs"),
    ("POST", "/api/triad/deal"),
    ("POST", "/api/cephalopods/sum"),
    ("POST", "/api/cephalopods/count"),
    ("POST", "/api/cephalopods/heat"),
];

/// An answer of the API.
type Answer<T> = Result<([(header::HeaderName, &'static str); 1], Json<T>), Refusal>;

/// Answers depend on the machine and the time: nobody keeps them.
fn fresh<T>(value: T) -> Answer<T> {
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(value)))
}

/// The routes of the API.
pub(crate) fn routes(house: Arc<House>) -> Router {
    Router::new()
        .route("/api/about", get(about))
        .route("/api/{game}/start", post(start))
        .route("/api/{game}/look", post(look))
        .route("/api/{game}/play", post(play))
        .route("/api/{game}/explain", post(explain))
        .route("/api/{game}/analyse", post(analyse))
        .route("/api/{game}/analyse/stream", post(analyse_stream))
        .route("/api/{game}/solve", post(solve))
        .route("/api/{game}/choose", post(choose))
        .merge(triad::routes())
        .merge(cephalopods::routes())
        .with_state(house)
}

/// An address that leads nowhere.
pub(crate) async fn nowhere() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "", "there is nothing at this address; /openapi.json lists what there is")
}

/// An address that is asked in the wrong way.
pub(crate) async fn wrong_method() -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "", "this address takes another method; see /openapi.json")
}

fn named(game: &str) -> Result<GameName, Refusal> {
    let unknown = || {
        let games = GameName::ALL.map(GameName::name).join(", ");
        Refusal::new(StatusCode::NOT_FOUND, "game", format_args!("no game is called `{game}`: there are {games}"))
    };
    GameName::named(game).ok_or_else(unknown)
}

/// What is asked about: the position that was given, or the start.
fn stand(desk: &dyn Desk, position: Option<String>) -> Result<String, Refusal> {
    Ok(position.map_or_else(|| desk.start(), Ok)?)
}

async fn about(State(house): State<Arc<House>>) -> Answer<serde_json::Value> {
    let isa = Isa::detect();
    let games = GameName::ALL.map(|game| serde_json::json!({ "name": game, "settings": game.desk(isa).settings() }));
    let limits = house.limits();
    fresh(serde_json::json!({
        "name": "ninefold",
        "version": env!("CARGO_PKG_VERSION"),
        "isa": isa.name(),
        "games": games,
        "limits": {
            "searches": limits.searches,
            "waiting": limits.waiting,
            "time_ms": limits.time_ms,
            "nodes": limits.nodes,
            "memory_mib": limits.memory_mib,
            "body": limits.body,
        },
    }))
}

async fn start(
    State(house): State<Arc<House>>,
    Path(game): Path<String>,
    Asked(Opening { options }): Asked<Opening>,
) -> Answer<View> {
    let view = house.quick(named(&game)?, &options, |desk| Ok(desk.look(&desk.start()?)?))?;
    fresh(view)
}

async fn look(State(house): State<Arc<House>>, Path(game): Path<String>, Asked(asked): Asked<Stand>) -> Answer<View> {
    fresh(walk(&house, &game, asked)?.view)
}

/// Moves that were made, and where they lead.
#[derive(Serialize)]
struct Walk {
    /// The position before the first of them.
    start: String,
    /// What each move did.
    played: Vec<Played>,
    /// The position after the last.
    view: View,
}

/// More moves than the longest game has.
const MOST_MOVES: usize = 1000;

fn walk(house: &House, game: &str, Stand { position, options, moves }: Stand) -> Result<Walk, Refusal> {
    if moves.len() > MOST_MOVES {
        return Err(Refusal::field("moves", format_args!("at most {MOST_MOVES} moves")));
    }
    house.quick(named(game)?, &options, |desk| {
        // In its own spelling, so that equal positions are equal texts.
        let start = desk.look(&stand(desk, position)?)?.position;
        let mut at = start.clone();
        let mut played = Vec::with_capacity(moves.len());
        for (number, mv) in moves.iter().enumerate() {
            let step = desk.play(&at, mv).map_err(|fault| match fault.field {
                "move" => Refusal::field(format!("moves[{number}]"), fault.message),
                _ => Refusal::from(fault),
            })?;
            at.clone_from(&step.position);
            played.push(step);
        }
        Ok(Walk { start, played, view: desk.look(&at)? })
    })
}

async fn play(State(house): State<Arc<House>>, Path(game): Path<String>, Asked(asked): Asked<Stand>) -> Answer<Walk> {
    fresh(walk(&house, &game, asked)?)
}

async fn explain(
    State(house): State<Arc<House>>,
    Path(game): Path<String>,
    Asked(Deed { position, options, mv }): Asked<Deed>,
) -> Answer<Played> {
    let played = house.quick(named(&game)?, &options, |desk| Ok(desk.play(&stand(desk, position)?, &mv)?))?;
    fresh(played)
}

/// Analyses within the limits; the guard lives as long as whoever asked is there.
async fn analysed(house: &Arc<House>, game: &str, asked: Search, prove: bool) -> Answer<Analysis> {
    let game = named(game)?;
    let request = Request { prove: prove || asked.request.prove, ..asked.request };
    let (request, _leaving) = house.bounded(&request)?;
    let place = house.enter().await?;
    let position = asked.position;
    let work = move |desk: &mut dyn Desk| Ok(desk.analyse(&stand(desk, position)?, &request, &mut |_| {})?);
    fresh(house.deep(place, (game, &asked.options), work).await?)
}

async fn analyse(
    State(house): State<Arc<House>>,
    Path(game): Path<String>,
    Asked(asked): Asked<Search>,
) -> Answer<Analysis> {
    analysed(&house, &game, asked, false).await
}

async fn solve(
    State(house): State<Arc<House>>,
    Path(game): Path<String>,
    Asked(asked): Asked<Search>,
) -> Answer<Analysis> {
    analysed(&house, &game, asked, true).await
}

async fn analyse_stream(
    State(house): State<Arc<House>>,
    Path(game): Path<String>,
    Asked(asked): Asked<Search>,
) -> Result<Response, Refusal> {
    let game = named(&game)?;
    let (request, leaving) = house.bounded(&asked.request)?;
    // A wrong question is refused before it is streamed.
    let position = house.quick(game, &asked.options, |desk| Ok(desk.look(&stand(desk, asked.position)?)?.position))?;
    let place = house.enter().await?;
    let (mut teller, response) = events::stream(leaving);
    tokio::spawn(async move {
        let work = move |desk: &mut dyn Desk| {
            match desk.analyse(&position, &request, &mut |so_far| teller.progress(so_far)) {
                Ok(analysis) => teller.done("done", &analysis),
                Err(fault) => {
                    teller.done("fault", &serde_json::json!({ "field": fault.field, "message": fault.message }))
                }
            }
            Ok(())
        };
        // What went wrong was told in the stream; a search that broke down ends it without a last word.
        let _ = house.deep(place, (game, &asked.options), work).await;
    });
    Ok(response.into_response())
}

/// The move of a player.
#[derive(Serialize)]
struct Choice {
    /// None when the game is over.
    #[serde(rename = "move")]
    mv: Option<String>,
}

async fn choose(
    State(house): State<Arc<House>>,
    Path(game): Path<String>,
    Asked(asked): Asked<Search>,
) -> Answer<Choice> {
    let game = named(&game)?;
    let (request, _leaving) = house.bounded(&asked.request)?;
    let place = house.enter().await?;
    let position = asked.position;
    let work = move |desk: &mut dyn Desk| Ok(desk.choose(&stand(desk, position)?, &request)?);
    fresh(Choice { mv: house.deep(place, (game, &asked.options), work).await? })
}
