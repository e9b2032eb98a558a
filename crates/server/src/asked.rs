//! A body becomes a question: bounded in size and time, JSON by its own word, and wrong fields are named.

use crate::house::House;
use crate::refusal::Refusal;
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use engine::desk;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A question read from a body.
pub(crate) struct Asked<T>(pub(crate) T);

/// A name in a body is a text or a number: `"seed": 7` and `"seed": "7"` are the same.
#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "expected a text or a whole number from 0 up")]
pub(crate) enum Word {
    Number(u64),
    Text(String),
}

impl std::fmt::Display for Word {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(out),
            Self::Text(text) => text.fmt(out),
        }
    }
}

/// The options of a desk, by name.
pub(crate) type Options = BTreeMap<String, Word>;

/// Under which rules a game begins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opening {
    #[serde(default)]
    pub(crate) options: Options,
}

/// A position, perhaps with moves to make from there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stand {
    /// The start if left out.
    #[serde(default)]
    pub(crate) position: Option<String>,
    #[serde(default)]
    pub(crate) options: Options,
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// A position and a move to be explained.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deed {
    #[serde(default)]
    pub(crate) position: Option<String>,
    #[serde(default)]
    pub(crate) options: Options,
    #[serde(rename = "move")]
    pub(crate) mv: String,
}

/// A position to look at hard.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    #[serde(default)]
    pub(crate) position: Option<String>,
    #[serde(default)]
    pub(crate) options: Options,
    #[serde(default)]
    pub(crate) request: desk::Request,
}

fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

impl<T: DeserializeOwned> FromRequest<Arc<House>> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, house: &Arc<House>) -> Result<Self, Refusal> {
        // A page from elsewhere cannot send this type without asking first, so it cannot make this machine work.
        if !is_json(&request) {
            let message = "the body is JSON: send `Content-Type: application/json`";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "", message));
        }
        let limits = house.limits();
        let too_long = || {
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "", format_args!("a body has at most {} bytes", limits.body))
        };
        let length =
            request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: usize| length > limits.body) {
            return Err(too_long());
        }
        let read = tokio::time::timeout(limits.patience, to_bytes(request.into_body(), limits.body));
        let late = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "", "the body took too long to arrive");
        let body = read.await.map_err(late)?.map_err(|_| too_long())?;
        // serde would also take a list of the fields in their order; nobody means that.
        if !body.trim_ascii_start().starts_with(b"{") {
            return Err(Refusal::field("", "the body is a JSON object: {...}"));
        }
        let mut json = serde_json::Deserializer::from_slice(&body);
        let question = serde_path_to_error::deserialize(&mut json).map_err(|fault| {
            let path = fault.path().to_string();
            Refusal::field(if path == "." { String::new() } else { path }, fault.inner())
        })?;
        json.end().map_err(|fault| Refusal::field("", fault))?;
        Ok(Self(question))
    }
}
