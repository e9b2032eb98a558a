//! JSON questions, deals and HTTP requests.

use crate::Input;
use api::triad::{DealQuestion, ReplayQuestion, SolveDealQuestion};
use api::{
    AnalyseQuestion, ChooseQuestion, Control, ExplainQuestion, GameName, PerftQuestion, PositionQuestion, Session,
    SolveQuestion, View,
};
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use engine::triad::cards::{Book, Holder, read_hand};
use grid::simd::Isa;
use ninefold_triad::Edition;
use serde::Serialize;
use serde::de::DeserializeOwned;
use server::{Limits, ROUTES};
use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::LazyLock;
use std::time::Duration;
use tower::ServiceExt;

/// Runs a call with the session of a game, which is kept for the next input.
pub(crate) fn with_session<T>(game: GameName, call: impl FnOnce(&mut dyn Session) -> T) -> T {
    thread_local! {
        static SESSIONS: [RefCell<Box<dyn Session>>; 3] =
            GameName::ALL.map(|game| RefCell::new(game.open(Isa::detect())));
    }
    SESSIONS.with(|sessions| call(sessions[game as usize].borrow_mut().as_mut()))
}

/// A question from JSON. What is accepted can be written and read again.
fn question<T: DeserializeOwned + Serialize + PartialEq + Debug>(json: &str) -> Option<T> {
    let question: T = serde_json::from_str(json).ok()?;
    let written = serde_json::to_string(&question).expect("a question can be written");
    assert_eq!(serde_json::from_str::<T>(&written).ok().as_ref(), Some(&question), "{written}");
    Some(question)
}

/// Every call ends soon, whatever the question asks for.
fn control() -> Control<'static> {
    Control::new().node_limit(200).time_limit(Duration::from_millis(20)).memory_limit(1 << 20)
}

/// The view can be written and read, its position is that of the view, and each of its moves is legal.
fn check_view(view: &View, question: &PositionQuestion, session: &mut dyn Session) {
    let json = serde_json::to_string(view).expect("a view can be written");
    assert_eq!(serde_json::from_str::<View>(&json).ok().as_ref(), Some(view), "{json}");
    let mut again = PositionQuestion::at(view.position.as_str());
    again.options.clone_from(&question.options);
    // Names of cards come from the deal, which the text of a position does not have.
    let seen = session.look(&again).expect("the position of a view");
    assert_eq!((&seen.position, &seen.result), (&view.position, &view.result));
    assert_eq!(seen.moves.len(), view.moves.len(), "{json}");
    for mv in &view.moves {
        again.moves = vec![mv.mv.clone()];
        session.look(&again).expect("a move of a view");
    }
}

/// A question of one of the verbs about one of the games, asked with small limits.
pub fn question_json(data: &[u8]) {
    let mut input = Input(data);
    let (game, verb) = (GameName::ALL[input.below(3)], input.below(6));
    let json = input.text();
    with_session(game, |session| match verb {
        0 => {
            if let Some(question) = question::<PositionQuestion>(&json)
                && let Ok(view) = session.look(&question)
            {
                check_view(&view, &question, session);
            }
        }
        1 => drop(question::<ExplainQuestion>(&json).map(|question| session.explain(&question))),
        2 => drop(question::<AnalyseQuestion>(&json).map(|question| session.analyse(&question, &control()))),
        3 => drop(question::<SolveQuestion>(&json).map(|question| session.solve(&question, &control()))),
        4 => drop(question::<ChooseQuestion>(&json).map(|question| session.choose(&question, &control()))),
        _ => drop(question::<PerftQuestion>(&json).map(|question| session.perft(&question, &control()))),
    });
}

/// Deals: as a question, a file of games, a replay, a question to the solver, a hand.
pub fn deal(data: &[u8]) {
    let mut input = Input(data);
    let form = input.below(5);
    let text = input.text();
    match form {
        0 => {
            if let Some(question) = question::<DealQuestion>(&text) {
                check_deal(&question);
            }
        }
        1 => {
            for question in api::triad::read_games(&text).unwrap_or_default() {
                check_deal(&question);
            }
        }
        2 => drop(question::<ReplayQuestion>(&text).map(|question| api::triad::replay(&question, None))),
        3 => drop(question::<SolveDealQuestion>(&text).map(|question| question.deal.read(None))),
        _ => {
            let book = Book::built_in(if text.len() % 2 == 0 { Edition::Ff8 } else { Edition::Ff14 });
            if let Ok(hand) = read_hand(book, &text, Holder::Npc) {
                let names = hand.each_ref().map(|card| card.name()).join(",");
                assert_eq!(read_hand(book, &names, Holder::Npc), Ok(hand), "{names}");
            }
        }
    }
}

/// The text of a deal's position is that position.
fn check_deal(question: &DealQuestion) {
    if let Ok((game, position)) = question.read(None) {
        let text = api::triad::position_text(&game, &position);
        let (again, same) = api::triad::read_position(&text, &game.cards).expect("a position of our own");
        assert_eq!((same, again.deal.setup()), (position, game.deal.setup()), "{text}");
        api::triad::deal(question, None).expect("a deal that was read");
    }
}

/// A request to the server: any address, any content type, any body. The answer is no failure of the server.
pub fn http_request(data: &[u8]) {
    static RUNTIME: LazyLock<tokio::runtime::Runtime> =
        LazyLock::new(|| tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime"));
    static ROUTER: LazyLock<axum::Router> = LazyLock::new(|| {
        let limits = Limits { time_ms: 20, nodes: 200, memory_mib: 1, body: 4096, ..Limits::default() };
        server::routes(limits, server::Hosts::new(std::net::Ipv4Addr::LOCALHOST.into(), None))
    });
    let mut input = Input(data);
    let (method, path) = ROUTES[input.below(ROUTES.len())];
    let game = ["uttt", "triad", "cephalopods", "chess", "%20"][input.below(5)];
    let kind = ["application/json", "application/json; charset=utf-8", "text/plain", ""][input.below(8) % 4];
    let request = Request::builder()
        .method(if input.below(16) == 15 { "PUT" } else { method })
        .uri(path.replace("{game}", game))
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, kind)
        .body(Body::from(input.0.to_vec()))
        .expect("a request");
    RUNTIME.block_on(async {
        let response = ROUTER.clone().oneshot(request).await.expect("the router never fails");
        let status = response.status();
        assert!(!status.is_server_error(), "{status}");
        let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
        let body = to_bytes(response.into_body(), 1 << 24).await.expect("a whole answer");
        if is_json {
            let json: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
            assert_eq!(json["error"]["message"].is_string(), !status.is_success(), "{status} {json}");
        }
    });
}
