//! The files of the page, embedded in the binary.

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// A file of the page.
#[derive(Clone, Copy)]
struct File {
    path: &'static str,
    kind: &'static str,
    text: &'static str,
}

macro_rules! files {
    ($kind:literal: $($path:literal),* $(,)?) => {
        [$(File { path: concat!("/", $path), kind: $kind, text: include_str!(concat!("../site/", $path)) }),*]
    };
}

const MODULES: [File; 24] = files!(
    "text/javascript; charset=utf-8":
    "address.js",
    "api.js",
    "app.js",
    "card.js",
    "cephalopods-editor.js",
    "cephalopods.js",
    "contest.js",
    "controls.js",
    "deal.js",
    "dice.js",
    "dom.js",
    "explain.js",
    "gridkeys.js",
    "heat.js",
    "kind.js",
    "panel.js",
    "picker.js",
    "score.js",
    "session.js",
    "triad-editor.js",
    "triad.js",
    "uttt-cells.js",
    "uttt-editor.js",
    "uttt.js",
);

const SHEETS: [File; 3] = files!("text/css; charset=utf-8": "boards.css", "panel.css", "style.css");

const OTHERS: [File; 3] = [
    File { path: "/icon.svg", kind: "image/svg+xml", text: include_str!("../site/icon.svg") },
    File { path: "/", kind: "text/html; charset=utf-8", text: include_str!("../site/index.html") },
    File { path: "/openapi.json", kind: "application/json", text: include_str!("../openapi.json") },
];

/// The routes of the page.
pub(crate) fn routes() -> Router {
    let files = MODULES.into_iter().chain(SHEETS).chain(OTHERS);
    files.fold(Router::new(), |router, file| {
        let tag = format!("\"{:016x}\"", fingerprint(file.text));
        router.route(file.path, get(move |headers: HeaderMap| std::future::ready(answer(&headers, &file, &tag))))
    })
}

/// A hash of the file, for its ETag.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(text.len() as u64, |hash, byte| grid::mix(hash ^ u64::from(byte)))
}

/// The browser caches the file but revalidates it each time, so a new binary shows its new page at once.
fn answer(headers: &HeaderMap, file: &File, tag: &str) -> Response {
    let cache_headers = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache")];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag) {
        return (StatusCode::NOT_MODIFIED, cache_headers).into_response();
    }
    (cache_headers, [(header::CONTENT_TYPE, file.kind)], file.text).into_response()
}
