//! **HTTP and the page.** The page is embedded in the binary: no file, no bundler, no outside request.
//!
//! **This room** translates requests to `engine` and results to JSON.
//! **It may not know** rules, searches or bit masks.
//! **Go next** to `site/` for the page itself.

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Json};
use axum::routing::get;
use std::future::Future;
use std::io;
use tokio::net::TcpListener;

/// What every answer carries: nothing from elsewhere, no guessing of types, no frames, no address passed on.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'self'; frame-ancestors 'none'")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
];

/// The routes.
pub fn routes() -> Router {
    Router::new()
        .route("/", get(|| file("text/html; charset=utf-8", include_str!("../site/index.html"))))
        .route("/style.css", get(|| file("text/css; charset=utf-8", include_str!("../site/style.css"))))
        .route("/app.js", get(|| file("text/javascript; charset=utf-8", include_str!("../site/app.js"))))
        .route("/api/about", get(about))
}

async fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    (HEADERS, [(header::CONTENT_TYPE, kind)], text)
}

async fn about() -> impl IntoResponse {
    let isa = grid::simd::Isa::detect().name();
    (HEADERS, Json(serde_json::json!({ "name": "ninefold", "version": env!("CARGO_PKG_VERSION"), "isa": isa })))
}

/// Serves the page on `listener` until `stop` is done.
///
/// # Errors
/// If the listener fails.
pub async fn serve(listener: TcpListener, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    axum::serve(listener, routes()).with_graceful_shutdown(stop).await
}
