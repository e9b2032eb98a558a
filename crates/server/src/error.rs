//! An error response: a status, and the fault as JSON, which names the wrong field.

use ::api::{Fault, FaultKind};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use serde::Serialize;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) struct Error {
    status: StatusCode,
    fault: Fault,
}

/// The JSON body of an error response.
#[derive(Serialize)]
struct Body {
    error: Fault,
}

impl Error {
    /// An error of the server itself: a limit, a wrong address, a body that cannot be read.
    pub(crate) fn new(status: StatusCode, field: impl Into<String>, message: impl std::fmt::Display) -> Self {
        Self { status, fault: Fault::question(field, message) }
    }

    /// A field of the question is wrong.
    pub(crate) fn field(field: impl Into<String>, message: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, field, message)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let status = match fault.kind {
            FaultKind::Question => StatusCode::BAD_REQUEST,
            FaultKind::Stopped => StatusCode::REQUEST_TIMEOUT,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self { status, fault }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let answer = (self.status, [(header::CACHE_CONTROL, "no-store")], Json(Body { error: self.fault }));
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            return ([(header::RETRY_AFTER, "1")], answer).into_response();
        }
        answer.into_response()
    }
}
