//! **HTTP and the page.** The page is embedded in the binary: no file, no bundler, no outside request.
//!
//! **This room** translates requests to `engine` and results to JSON, and keeps strangers from hurting each other.
//! **It may not know** rules, searches or bit masks.
//! **Go next** to `api` for what can be asked, to `listen` for who is let in, to `site/` for the page itself.
//!
//! | file | holds |
//! |---|---|
//! | `limits` | every bound in one place |
//! | `listen` | connections: how many, how long they may be silent, how they end |
//! | `asked`, `refusal` | a body becomes a question, or an error that names the field |
//! | `house` | desks that are kept warm, and the queue for searches |
//! | `api` | the routes, each a thin translation |
//! | `events` | an analysis as a stream of events |
//! | `site` | the files of the page |

mod api;
mod asked;
mod events;
mod house;
mod limits;
mod listen;
mod refusal;
mod site;

pub use api::ROUTES;
pub use limits::Limits;
pub use listen::serve;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use house::House;
use std::sync::Arc;

/// What every answer carries: nothing from elsewhere, no guessing of types, no frames, no address passed on.
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

/// The page and everything that can be asked, within those limits.
pub fn routes(limits: Limits) -> Router {
    let house = Arc::new(House::new(limits));
    let guarded = |mut response: Response| async {
        response.headers_mut().extend(HEADERS);
        response
    };
    site::routes()
        .merge(api::routes(house))
        .fallback(api::nowhere)
        .method_not_allowed_fallback(api::wrong_method)
        .layer(axum::middleware::map_response(guarded))
}
