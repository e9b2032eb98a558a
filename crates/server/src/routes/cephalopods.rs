//! The Cephalopods contest: sums, counts, and times by rank and depth.

use super::{Answer, fresh};
use crate::body::Body;
use crate::error::Error;
use crate::pool::{Pool, cancel, control, off_thread};
use ::api::cephalopods::{
    Contest, CountAnswer, CountQuestion, EngineName, HeatAnswer, HeatQuestion, SumAnswer, SumQuestion,
};
use axum::Router;
use axum::extract::State;
use axum::routing::post;
use grid::simd::Isa;
use std::sync::Arc;

pub(super) fn routes() -> Router<Arc<Pool>> {
    Router::new()
        .route("/api/cephalopods/sum", post(sum))
        .route("/api/cephalopods/count", post(count))
        .route("/api/cephalopods/heat", post(heat))
}

/// The server has no table, and the published method is too slow for a public server.
fn check_engine(engine: EngineName) -> Result<(), Error> {
    if engine == EngineName::Scratch { Ok(()) } else { Err(Error::field("engine", "the engine here is scratch")) }
}

async fn sum(State(pool): State<Arc<Pool>>, Body(mut question): Body<SumQuestion>) -> Answer<SumAnswer> {
    check_engine(question.engine)?;
    question.limits = pool.bounded(&question.limits)?;
    let (flag, _guard) = cancel();
    let slot = pool.enter().await?;
    let work = move || {
        let mut contest = Contest::new(Isa::detect());
        Ok(contest.sum(&question, &control(&question.limits, flag, None))?)
    };
    fresh(off_thread(slot, work).await?)
}

/// Longer lists make the answer too large.
const MAX_FINALS: usize = 1000;

async fn count(State(pool): State<Arc<Pool>>, Body(mut question): Body<CountQuestion>) -> Answer<CountAnswer> {
    if question.finals > MAX_FINALS {
        return Err(Error::field("finals", format_args!("at most {MAX_FINALS} final boards are listed")));
    }
    // The longest count takes more than one second, the default time limit of other questions.
    question.limits.time_ms = question.limits.time_ms.or(Some(pool.limits().time_ms));
    question.limits = pool.bounded(&question.limits)?;
    let (flag, _guard) = cancel();
    let slot = pool.enter().await?;
    let work = move || {
        let contest = Contest::new(Isa::detect());
        Ok(contest.count(&question, &control(&question.limits, flag, None))?)
    };
    fresh(off_thread(slot, work).await?)
}

/// A sum takes at most about 0.1 s, so this number takes less time than the longest search.
const MAX_QUESTIONS: usize = 400;

async fn heat(State(pool): State<Arc<Pool>>, Body(mut question): Body<HeatQuestion>) -> Answer<HeatAnswer> {
    check_engine(question.engine)?;
    let ranks = (question.last_rank as usize).saturating_add(1);
    let questions = ranks.saturating_mul(question.depths.len()).saturating_mul(question.boards as usize);
    if question.last_rank <= 48 && questions > MAX_QUESTIONS {
        let message = format_args!("{questions} questions at once (ranks, depths, boards): at most {MAX_QUESTIONS}");
        return Err(Error::field("depths", message));
    }
    question.limits.time_ms = question.limits.time_ms.or(Some(pool.limits().time_ms));
    question.limits = pool.bounded(&question.limits)?;
    let (flag, _guard) = cancel();
    let slot = pool.enter().await?;
    let work = move || {
        let mut contest = Contest::new(Isa::detect());
        Ok(contest.heat(&question, &control(&question.limits, flag, None))?)
    };
    fresh(off_thread(slot, work).await?)
}
