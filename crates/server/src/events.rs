//! An analysis as server-sent events: partial answers, then the final answer.
//!
//! ```text
//! event: progress          any number of times; a slow reader misses some
//! data: {Analysis}
//!
//! event: done              once, at the end; or `fault` with a Fault
//! data: {Analysis}
//! ```
//!
//! The stream holds the guard of its search: when the client disconnects, the stream is dropped and the search ends.

use crate::pool::CancelOnDrop;
use ::api::Analysis;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use serde::Serialize;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::sync::{mpsc, oneshot};

/// The sender, used by the search thread.
pub(crate) struct Sender {
    progress: mpsc::Sender<Bytes>,
    last: oneshot::Sender<Bytes>,
}

fn event(name: &str, data: &impl Serialize) -> Bytes {
    // These types always serialise, and their JSON has no line breaks.
    let data = serde_json::to_string(data).unwrap_or_default();
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}

impl Sender {
    /// Sends a partial answer, unless the last few events are still unread.
    pub(crate) fn progress(&self, analysis: &Analysis) {
        if !analysis.lines.is_empty() {
            // A slow client misses some events, and a disconnected one all.
            let _ = self.progress.try_send(event("progress", analysis));
        }
    }

    /// Sends the last event.
    pub(crate) fn done(self, name: &str, data: &impl Serialize) {
        let _ = self.last.send(event(name, data));
    }
}

/// The receiver: the body of the response.
struct Events {
    progress: mpsc::Receiver<Bytes>,
    last: oneshot::Receiver<Bytes>,
    over: bool,
    _guard: CancelOnDrop,
}

impl hyper::body::Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.over {
            return Poll::Ready(None);
        }
        if let Some(progress) = ready!(self.progress.poll_recv(cx)) {
            return Poll::Ready(Some(Ok(Frame::data(progress))));
        }
        let last = ready!(Pin::new(&mut self.last).poll(cx));
        self.over = true;
        Poll::Ready(last.ok().map(|last| Ok(Frame::data(last))))
    }
}

/// Creates a stream and its sender.
pub(crate) fn stream(guard: CancelOnDrop) -> (Sender, Response) {
    let (progress, read_progress) = mpsc::channel(8);
    let (last, read_last) = oneshot::channel();
    let events = Events { progress: read_progress, last: read_last, over: false, _guard: guard };
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (Sender { progress, last }, (headers, Body::new(events)).into_response())
}
