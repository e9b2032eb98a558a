//! Reads a request body as a question: limited in size and time, declared as JSON. An error names the wrong field.

use crate::error::Error;
use crate::pool::Pool;
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

/// A question from a request body.
pub(crate) struct Body<T>(pub(crate) T);

fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

impl<T: DeserializeOwned> FromRequest<Arc<Pool>> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, pool: &Arc<Pool>) -> Result<Self, Error> {
        // A page of another site cannot send this content type without a CORS preflight, so it cannot use this server.
        if !is_json(&request) {
            let message = "the body is JSON: send `Content-Type: application/json`";
            return Err(Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "", message));
        }
        let limits = pool.limits();
        let too_long =
            || Error::new(StatusCode::PAYLOAD_TOO_LARGE, "", format_args!("a body has at most {} bytes", limits.body));
        let length =
            request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: usize| length > limits.body) {
            return Err(too_long());
        }
        let read = tokio::time::timeout(limits.patience, to_bytes(request.into_body(), limits.body));
        let late = |_| Error::new(StatusCode::REQUEST_TIMEOUT, "", "the body took too long to arrive");
        let body = read.await.map_err(late)?.map_err(|_| too_long())?;
        // Serde would also accept an array of the fields in order.
        if !body.trim_ascii_start().starts_with(b"{") {
            return Err(Error::field("", "the body is a JSON object: {...}"));
        }
        let mut json: Value =
            serde_json::from_slice(&body).map_err(|fault| Error::field("", api::json_fault(&fault)))?;
        whole_numbers(&mut json);
        check_objects(&json)?;
        let question = serde_path_to_error::deserialize(json).map_err(|fault| {
            let path = fault.path().to_string();
            Error::field(if path == "." { String::new() } else { path }, api::json_fault(fault.inner()))
        })?;
        Ok(Self(question))
    }
}

/// Converts floats without a fraction to integers: JSON has one kind of number, and `7.0` is the integer 7.
fn whole_numbers(value: &mut Value) {
    /// Up to this value a float represents every integer exactly.
    const EXACT: f64 = (1_u64 << 53) as f64;
    match value {
        Value::Number(number) => {
            if let Some(float) = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0)
                && float.abs() <= EXACT
            {
                *value = Value::from(float as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(whole_numbers),
        Value::Object(fields) => fields.values_mut().for_each(whole_numbers),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// serde accepts a list of the values of a struct in its place. A question must name its fields.
fn check_objects(json: &Value) -> Result<(), Error> {
    for field in ["options", "limits"] {
        if json[field].is_array() {
            return Err(Error::field(field, "expected an object: {...}"));
        }
    }
    let moves = json["moves"].as_array().into_iter().flatten();
    match moves.enumerate().find(|(_, mv)| mv.is_array()) {
        Some((number, _)) => Err(Error::field(format!("moves[{number}]"), "expected a move, not a list")),
        None => Ok(()),
    }
}
