//! The contest of Cephalopods: sums, counts, and where the time goes.

use super::{Answer, fresh};
use crate::asked::Asked;
use crate::house::{House, off_thread};
use crate::refusal::Refusal;
use axum::Router;
use axum::extract::State;
use axum::routing::post;
use engine::cephalopods::exact::{self, Exact};
use engine::cephalopods::heat::{self, Plan, Times};
use engine::cephalopods::{Board, Engine, LONGEST, Sum, read_board};
use grid::simd::Isa;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;

pub(super) fn routes() -> Router<Arc<House>> {
    Router::new()
        .route("/api/cephalopods/sum", post(sum))
        .route("/api/cephalopods/count", post(count))
        .route("/api/cephalopods/heat", post(heat))
}

/// The contest's question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SumQuestion {
    /// Nine digits.
    board: String,
    /// The most moves.
    depth: u32,
}

/// The contest's answer, and how long it took.
#[derive(Serialize)]
struct TimedSum {
    #[serde(flatten)]
    answer: Sum,
    ms: f64,
}

fn read(text: &str) -> Result<Board, Refusal> {
    read_board(text.trim()).map_err(|fault| Refusal::field("board", fault.pointing_into(text.trim())))
}

/// Of a file of a table that went bad; the page asks the engine that needs none.
fn broken(fault: impl std::fmt::Display) -> Refusal {
    Refusal::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "", fault)
}

async fn sum(State(house): State<Arc<House>>, Asked(asked): Asked<SumQuestion>) -> Answer<TimedSum> {
    let board = read(&asked.board)?;
    let place = house.enter().await?;
    let summed = off_thread(place, move || {
        let started = Instant::now();
        let answer = Engine::scratch(Isa::detect()).sum(board, asked.depth).map_err(broken)?;
        Ok(TimedSum { answer, ms: started.elapsed().as_secs_f64() * 1e3 })
    });
    fresh(summed.await?)
}

/// A question about all sequences.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CountQuestion {
    /// Nine digits.
    board: String,
    /// The most moves.
    depth: u32,
    /// How many final boards to list.
    #[serde(default)]
    finals: usize,
}

async fn count(State(house): State<Arc<House>>, Asked(asked): Asked<CountQuestion>) -> Answer<Exact> {
    let board = read(&asked.board)?;
    if asked.finals > 1000 {
        return Err(Refusal::field("finals", "at most 1000 final boards are listed"));
    }
    let place = house.enter().await?;
    let counted = move || Ok(exact::count(board, asked.depth, asked.finals));
    fresh(off_thread(place, counted).await?)
}

/// What to measure.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeatQuestion {
    last_rank: u32,
    depths: Vec<u32>,
    #[serde(default = "one")]
    boards: u32,
    #[serde(default = "seed")]
    seed: u64,
}

fn one() -> u32 {
    1
}

fn seed() -> u64 {
    1
}

/// A question takes at most about a tenth of a second, so this many take less than the longest search.
const MOST_QUESTIONS: usize = 400;

#[derive(Serialize)]
struct Heat {
    engine: &'static str,
    plan: Plan,
    /// By rank, then by depth.
    ms: Times,
}

async fn heat(State(house): State<Arc<House>>, Asked(asked): Asked<HeatQuestion>) -> Answer<Heat> {
    if asked.last_rank > 48 {
        return Err(Refusal::field("last_rank", "a board that is not full has at most 48 pips"));
    }
    if let Some(depth) = asked.depths.iter().find(|depth| **depth > LONGEST) {
        return Err(Refusal::field("depths", format_args!("no game has {depth} moves: at most {LONGEST}")));
    }
    let questions = (asked.last_rank as usize + 1) * asked.depths.len() * asked.boards.max(1) as usize;
    if questions > MOST_QUESTIONS {
        let message = format_args!("{questions} questions at once (ranks, depths, boards): at most {MOST_QUESTIONS}");
        return Err(Refusal::field("depths", message));
    }
    let HeatQuestion { last_rank, depths, boards, seed } = asked;
    let plan = Plan { last_rank, depths, boards: boards.max(1), seed };
    let place = house.enter().await?;
    let measured = off_thread(place, move || {
        let ms = heat::measure(&mut Engine::scratch(Isa::detect()), &plan, &mut |_| {}).map_err(broken)?;
        Ok(Heat { engine: "scratch", plan, ms })
    });
    fresh(measured.await?)
}
