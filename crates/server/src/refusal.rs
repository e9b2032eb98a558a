//! What is answered when there is no answer: a status and one JSON form, which names the field at fault.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use engine::desk::Fault;

/// A question that gets no answer.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    field: String,
    message: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, field: impl Into<String>, message: impl std::fmt::Display) -> Self {
        Self { status, field: field.into(), message: message.to_string() }
    }

    /// A field of the question is wrong.
    pub(crate) fn field(field: impl Into<String>, message: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, field, message)
    }
}

/// The desk knows which part of the question is to blame; if none is, the server failed.
impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        match fault.field {
            "" => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "", fault.message),
            field @ ("position" | "move" | "option") => Self::field(field, fault.message),
            option => Self::field(format!("options.{option}"), fault.message),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let told = serde_json::json!({ "error": { "field": self.field, "message": self.message } });
        let answer = (self.status, [(header::CACHE_CONTROL, "no-store")], Json(told));
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            return ([(header::RETRY_AFTER, "1")], answer).into_response();
        }
        answer.into_response()
    }
}
