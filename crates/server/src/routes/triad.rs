//! Triple Triad beyond the board: rules, cards and opponents by name, and deals.

use super::{Answer, fresh};
use crate::body::Body;
use crate::pool::Pool;
use ::api::View;
use ::api::triad::{self, CardsAnswer, CardsQuestion, DealQuestion, NpcsAnswer, NpcsQuestion, RulesAnswer};
use axum::Router;
use axum::routing::{get, post};
use std::sync::Arc;

pub(super) fn routes() -> Router<Arc<Pool>> {
    Router::new()
        .route("/api/triad/rules", get(rules))
        .route("/api/triad/cards", post(cards))
        .route("/api/triad/npcs", post(npcs))
        .route("/api/triad/deal", post(deal))
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
