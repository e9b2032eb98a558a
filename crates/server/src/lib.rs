//! **HTTP and the page.** The page is embedded in the binary: no file, no bundler, no outside request.
//!
//! **This room** passes questions to `api` and returns the answers, and keeps clients from disturbing each other.
//! **It may not know** rules, searches or the engines.
//! **Go next** to `routes` for the addresses, to `listen` for connections, to `site/` for the page itself.
//!
//! | file | holds |
//! |---|---|
//! | `limits` | every bound in one place |
//! | `hosts` | the names of this server; others are refused |
//! | `listen` | connections: how many, how long they may be silent, how they end |
//! | `body`, `error` | a body becomes a question, or an error that names the field |
//! | `pool` | sessions that are kept warm, and the queue for searches |
//! | `routes` | the addresses, each a thin translation |
//! | `events` | an analysis as a stream of events |
//! | `site` | the files of the page |

mod body;
#[cfg(feature = "schema")]
pub mod describe;
mod error;
mod events;
mod hosts;
mod limits;
mod listen;
mod pool;
mod routes;
mod site;

pub use hosts::Hosts;
pub use limits::Limits;
pub use listen::serve;
pub use routes::ROUTES;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use pool::Pool;
use std::sync::Arc;

/// Security headers of every response: no outside content, no MIME sniffing, no frames, no referrer.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// The routes of the page and of the API, under these limits and for these names.
pub fn routes(limits: Limits, hosts: Hosts) -> Router {
    let pool = Arc::new(Pool::new(limits));
    let guarded = |mut response: Response| async {
        response.headers_mut().extend(HEADERS);
        response
    };
    site::routes()
        .merge(routes::routes(pool))
        .fallback(routes::nowhere)
        .method_not_allowed_fallback(routes::wrong_method)
        .layer(axum::middleware::from_fn_with_state(Arc::new(hosts), hosts::guard))
        .layer(axum::middleware::map_response(guarded))
}
