//! The addresses. Each handler reads a question, passes it to `api`, and returns the answer.

mod cephalopods;
mod triad;

use crate::body::Body;
use crate::error::Error;
use crate::events;
use crate::pool::{Pool, cancel, control};
use ::api::{
    AnalyseQuestion, Analysis, ChooseAnswer, ChooseQuestion, Control, ExplainQuestion, Fault, GameName, Limits,
    Options, PlayAnswer, Played, PositionQuestion, Progress, Session, Setting, SolveQuestion, View,
};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use grid::simd::Isa;
use serde::Serialize;
use std::sync::Arc;

/// Every address that is not a file of the page, with its method. `{game}` is one of the three games.
pub const ROUTES: [(&str, &str); 17] = [
    ("GET", "/api/about"),
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
    ("POST", "/api/triad/advise"),
    ("POST", "/api/triad/deck"),
    ("POST", "/api/cephalopods/sum"),
    ("POST", "/api/cephalopods/count"),
    ("POST", "/api/cephalopods/heat"),
];

/// An answer, never cached: it depends on the machine and the time.
type Answer<T> = Result<([(header::HeaderName, &'static str); 1], Json<T>), Error>;

fn fresh<T>(value: T) -> Answer<T> {
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(value)))
}

/// The routes of the API.
pub(crate) fn routes(pool: Arc<Pool>) -> Router {
    Router::new()
        .route("/api/about", get(about))
        .route("/api/{game}/look", post(look))
        .route("/api/{game}/play", post(play))
        .route("/api/{game}/explain", post(explain))
        .route("/api/{game}/analyse", post(analyse))
        .route("/api/{game}/analyse/stream", post(analyse_stream))
        .route("/api/{game}/solve", post(solve))
        .route("/api/{game}/choose", post(choose))
        .merge(triad::routes())
        .merge(cephalopods::routes())
        .with_state(pool)
}

/// Responds to an unknown address.
pub(crate) async fn nowhere() -> Error {
    Error::new(StatusCode::NOT_FOUND, "", "there is nothing at this address; /openapi.json lists what there is")
}

/// Responds to a wrong method.
pub(crate) async fn wrong_method() -> Error {
    Error::new(StatusCode::METHOD_NOT_ALLOWED, "", "this address takes another method; see /openapi.json")
}

fn named(game: &str) -> Result<GameName, Error> {
    let unknown = || {
        let games = GameName::ALL.map(GameName::name).join(", ");
        Error::new(StatusCode::NOT_FOUND, "game", format_args!("no game is called `{game}`: there are {games}"))
    };
    GameName::named(game).ok_or_else(unknown)
}

/// What this server is.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct About {
    /// `ninefold`.
    name: &'static str,
    /// The version of the program.
    version: &'static str,
    /// The instruction set in use.
    isa: &'static str,
    /// The games and their options.
    games: Vec<AboutGame>,
    /// The limits of this server.
    limits: AboutLimits,
}

/// A game and its options.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AboutGame {
    /// The game.
    name: GameName,
    /// Its options and their defaults.
    settings: Vec<Setting>,
}

/// The limits of this server.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AboutLimits {
    /// Searches at once.
    searches: usize,
    /// Searches that may wait.
    waiting: usize,
    /// The longest search, in milliseconds.
    time_ms: u64,
    /// The largest search, in nodes.
    nodes: u64,
    /// The memory of a search, in MiB.
    memory_mib: u32,
    /// The longest body, in bytes.
    body: usize,
}

async fn about(State(pool): State<Arc<Pool>>) -> Answer<About> {
    let isa = Isa::detect();
    let games = GameName::ALL.map(|game| AboutGame { name: game, settings: game.open(isa).settings() });
    let limits = pool.limits();
    fresh(About {
        name: "ninefold",
        version: env!("CARGO_PKG_VERSION"),
        isa: isa.name(),
        games: games.into(),
        limits: AboutLimits {
            searches: limits.searches,
            waiting: limits.waiting,
            time_ms: limits.time_ms,
            nodes: limits.nodes,
            memory_mib: limits.memory_mib,
            body: limits.body,
        },
    })
}

/// No game has more moves.
const MAX_MOVES: usize = 1000;

fn check_moves(moves: &[String]) -> Result<(), Error> {
    if moves.len() > MAX_MOVES {
        return Err(Error::field("moves", format_args!("at most {MAX_MOVES} moves")));
    }
    Ok(())
}

async fn look(
    State(pool): State<Arc<Pool>>,
    Path(game): Path<String>,
    Body(question): Body<PositionQuestion>,
) -> Answer<View> {
    check_moves(&question.moves)?;
    fresh(pool.quick(named(&game)?, &question.options, |session| session.look(&question))?)
}

async fn play(
    State(pool): State<Arc<Pool>>,
    Path(game): Path<String>,
    Body(question): Body<PositionQuestion>,
) -> Answer<PlayAnswer> {
    check_moves(&question.moves)?;
    fresh(pool.quick(named(&game)?, &question.options, |session| session.play(&question))?)
}

async fn explain(
    State(pool): State<Arc<Pool>>,
    Path(game): Path<String>,
    Body(question): Body<ExplainQuestion>,
) -> Answer<Played> {
    fresh(pool.quick(named(&game)?, &question.options, |session| session.explain(&question))?)
}

/// A search that a question asks for, within the limits of the server.
struct Search {
    game: GameName,
    options: Options,
    limits: Limits,
}

impl Search {
    fn new(pool: &Pool, game: &str, moves: &[String], options: &Options, limits: &Limits) -> Result<Self, Error> {
        let game = named(game)?;
        check_moves(moves)?;
        Ok(Self { game, options: options.clone(), limits: pool.bounded(limits)? })
    }

    /// Waits for a slot and runs the search. It is cancelled when the client disconnects.
    async fn run<T: Send + 'static>(
        self,
        pool: &Arc<Pool>,
        ask: impl FnOnce(&mut dyn Session, &Control<'_>) -> Result<T, Fault> + Send + 'static,
    ) -> Answer<T> {
        let (flag, _guard) = cancel();
        let slot = pool.enter().await?;
        let work = move |session: &mut dyn Session| Ok(ask(session, &control(&self.limits, flag, None))?);
        fresh(pool.deep(slot, (self.game, &self.options), work).await?)
    }
}

async fn analyse(
    State(pool): State<Arc<Pool>>,
    Path(game): Path<String>,
    Body(question): Body<AnalyseQuestion>,
) -> Answer<Analysis> {
    let search = Search::new(&pool, &game, &question.moves, &question.options, &question.limits)?;
    search.run(&pool, move |session, control| session.analyse(&question, control)).await
}

async fn solve(
    State(pool): State<Arc<Pool>>,
    Path(game): Path<String>,
    Body(question): Body<SolveQuestion>,
) -> Answer<Analysis> {
    let search = Search::new(&pool, &game, &question.moves, &question.options, &question.limits)?;
    search.run(&pool, move |session, control| session.solve(&question, control)).await
}

async fn choose(
    State(pool): State<Arc<Pool>>,
    Path(game): Path<String>,
    Body(question): Body<ChooseQuestion>,
) -> Answer<ChooseAnswer> {
    let search = Search::new(&pool, &game, &question.moves, &question.options, &question.limits)?;
    search.run(&pool, move |session, control| session.choose(&question, control)).await
}

async fn analyse_stream(
    State(pool): State<Arc<Pool>>,
    Path(game): Path<String>,
    Body(question): Body<AnalyseQuestion>,
) -> Result<Response, Error> {
    let Search { game, options, limits } =
        Search::new(&pool, &game, &question.moves, &question.options, &question.limits)?;
    // Check the question first: an error after the stream has begun could not set the status.
    let mut look = PositionQuestion::default();
    look.position.clone_from(&question.position);
    look.moves.clone_from(&question.moves);
    look.options.clone_from(&options);
    pool.quick(game, &options, |session| session.look(&look))?;
    let (flag, guard) = cancel();
    let slot = pool.enter().await?;
    let (sender, response) = events::stream(guard);
    tokio::spawn(async move {
        let work = move |session: &mut dyn Session| {
            let listener = |progress: &Progress<'_>| {
                if let Some(analysis) = progress.partial::<Analysis>() {
                    sender.progress(analysis);
                }
            };
            let answer = session.analyse(&question, &control(&limits, flag, Some(&listener)));
            match answer {
                Ok(analysis) => sender.done("done", &analysis),
                Err(fault) => sender.done("fault", &fault),
            }
            Ok(())
        };
        // A fault was already sent in the stream. If the search panics, the stream ends without a last event.
        let _ = pool.deep(slot, (game, &options), work).await;
    });
    Ok(response.into_response())
}
