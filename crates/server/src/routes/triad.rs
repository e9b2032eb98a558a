//! Triple Triad beyond the board: rules, cards and opponents by name, deals, advice against a hidden hand, and decks.

use super::{Answer, fresh};
use crate::body::Body;
use crate::pool::{Pool, cancel, control, off_thread};
use ::api::View;
use ::api::triad::{
    self, AdviseAnswer, AdviseQuestion, CardsAnswer, CardsQuestion, DealQuestion, DeckAnswer, DeckQuestion, NpcsAnswer,
    NpcsQuestion, RulesAnswer,
};
use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use grid::simd::Isa;
use std::sync::Arc;

pub(super) fn routes() -> Router<Arc<Pool>> {
    Router::new()
        .route("/api/triad/rules", get(rules))
        .route("/api/triad/cards", post(cards))
        .route("/api/triad/npcs", post(npcs))
        .route("/api/triad/deal", post(deal))
        .route("/api/triad/advise", post(advise))
        .route("/api/triad/deck", post(deck))
}

async fn rules() -> Answer<RulesAnswer> {
    fresh(triad::rules())
}

async fn cards(Body(question): Body<CardsQuestion>) -> Answer<CardsAnswer> {
    fresh(triad::cards(&question, None)?)
}

async fn npcs(Body(question): Body<NpcsQuestion>) -> Answer<NpcsAnswer> {
    fresh(triad::npcs(&question, None, None)?)
}

async fn deal(Body(question): Body<DealQuestion>) -> Answer<View> {
    fresh(triad::deal(&question, None)?)
}

async fn advise(State(pool): State<Arc<Pool>>, Body(mut question): Body<AdviseQuestion>) -> Answer<AdviseAnswer> {
    question.limits = pool.bounded(&question.limits)?;
    // A wrong question does not wait for a slot.
    question.read(None, None)?;
    let (flag, _guard) = cancel();
    let slot = pool.enter().await?;
    let work = move || {
        let kept = pool.limits().kept.as_deref();
        Ok(triad::advise(&question, None, None, kept, &control(&question.limits, flag, None))?)
    };
    fresh(off_thread(slot, work).await?)
}

async fn deck(State(pool): State<Arc<Pool>>, Body(question): Body<DeckQuestion>) -> Answer<DeckAnswer> {
    let limits = pool.bounded(&question.limits)?;
    let task = question.read(None, None, None)?;
    let (flag, _guard) = cancel();
    let slot = pool.enter().await?;
    let work = move || Ok(task.solve(Isa::detect(), triad::DeckFiles::default(), &control(&limits, flag, None))?);
    fresh(off_thread(slot, work).await?)
}
