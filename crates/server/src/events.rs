//! An analysis as server-sent events: what is known so far, then what is known in the end.
//!
//! ```text
//! event: progress          any number of times; if the guest reads slowly, some are left out
//! data: {Analysis}
//!
//! event: done              once, at the end; or `fault` with {"field", "message"}
//! data: {Analysis}
//! ```
//!
//! The stream holds the guard of its search: when the guest goes, the stream is dropped and the search ends.

use crate::house::Leaving;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use engine::desk::Analysis;
use hyper::body::Frame;
use serde::Serialize;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// No eye follows more than this.
const BETWEEN: Duration = Duration::from_millis(80);

/// The writing end, on the thread of the search.
pub(crate) struct Teller {
    progress: mpsc::Sender<Bytes>,
    last: oneshot::Sender<Bytes>,
    told: Option<Instant>,
}

fn event(name: &str, data: &impl Serialize) -> Bytes {
    // Plain types: they always have a JSON form, and it has no line breaks.
    let data = serde_json::to_string(data).unwrap_or_default();
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}

impl Teller {
    /// Tells what is known so far, unless something was told a moment ago or is still unread.
    pub(crate) fn progress(&mut self, analysis: &Analysis) {
        if self.told.is_none_or(|told| told.elapsed() >= BETWEEN) && !analysis.lines.is_empty() {
            self.told = Some(Instant::now());
            // A slow reader misses some, and whoever has gone misses all.
            let _ = self.progress.try_send(event("progress", analysis));
        }
    }

    /// Tells the end.
    pub(crate) fn done(self, name: &str, data: &impl Serialize) {
        let _ = self.last.send(event(name, data));
    }
}

/// The reading end: the body of the answer.
struct Events {
    progress: mpsc::Receiver<Bytes>,
    last: oneshot::Receiver<Bytes>,
    over: bool,
    _leaving: Leaving,
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

/// A stream and who writes into it.
pub(crate) fn stream(leaving: Leaving) -> (Teller, Response) {
    let (progress, read_progress) = mpsc::channel(8);
    let (last, read_last) = oneshot::channel();
    let events = Events { progress: read_progress, last: read_last, over: false, _leaving: leaving };
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (Teller { progress, last, told: None }, (headers, Body::new(events)).into_response())
}
