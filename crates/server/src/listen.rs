//! Accepts connections: limits their number and idle time, and closes them in order when the server stops.
//!
//! An idle connection costs a socket. At the limit, a new connection replaces the oldest one without an open request,
//! so ten thousand idle connections lock nobody out. A connection with an answer in progress is never closed for this
//! reason.

use crate::hosts::Hosts;
use crate::limits::Limits;
use crate::routes;
use axum::Router;
use axum::body::{Body, Bytes};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

/// A connection.
#[derive(Default)]
struct Client {
    /// Number of answers in progress.
    busy: AtomicUsize,
    /// Signals the connection to close.
    close: Notify,
}

/// Marks an answer in progress, from the request to the last byte of the body.
struct Busy(Arc<Client>);

impl Busy {
    fn new(client: &Arc<Client>) -> Self {
        client.busy.fetch_add(1, Ordering::Relaxed);
        Self(client.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A response body that marks its connection as busy until it is sent.
struct Held {
    body: Body,
    _busy: Busy,
}

impl hyper::body::Body for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The open connections, oldest first.
struct Clients {
    open: VecDeque<Arc<Client>>,
    most: usize,
}

impl Clients {
    /// Registers a new connection. At the limit it closes an idle one; if none is idle, it returns `None`.
    fn admit(&mut self) -> Option<Arc<Client>> {
        if self.open.len() >= self.most {
            // Connections that closed by themselves are removed only here.
            self.open.retain(|client| Arc::strong_count(client) > 1);
        }
        if self.open.len() >= self.most && !self.close_idle() {
            return None;
        }
        let client = Arc::new(Client::default());
        self.open.push_back(client.clone());
        Some(client)
    }

    fn close_idle(&mut self) -> bool {
        let idle = self.open.iter().position(|client| client.busy.load(Ordering::Relaxed) == 0);
        let Some(client) = idle.and_then(|at| self.open.remove(at)) else { return false };
        client.close.notify_one();
        true
    }
}

/// Serves the page on `listener`, to requests for one of `hosts`, until `stop` is done, then waits for answers in progress.
///
/// # Errors
/// If the listener fails permanently.
pub async fn serve(
    listener: TcpListener,
    limits: Limits,
    hosts: Hosts,
    stop: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    let service = TowerToHyperService::new(routes(limits.clone(), hosts));
    let mut clients = Clients { open: VecDeque::new(), most: limits.connections };
    let (stopping, stopped) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => if let Some(client) = clients.admit() {
                    connections.spawn(serve_client(stream, service.clone(), client, stopped.clone(), limits.patience));
                },
                Err(error) if concerns_one_client(&error) => {}
                Err(_) => {
                    // Out of sockets: close an idle connection. New ones wait in the system's queue.
                    clients.close_idle();
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            },
        }
    }
    drop(listener);
    stopping.send_replace(true);
    let all = async { while connections.join_next().await.is_some() {} };
    // Dropping a connection drops its answer, and that cancels its search.
    if tokio::time::timeout(limits.farewell, all).await.is_err() {
        connections.shutdown().await;
    }
    Ok(())
}

fn concerns_one_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn serve_client(
    stream: TcpStream,
    service: TowerToHyperService<Router>,
    client: Arc<Client>,
    mut stopped: watch::Receiver<bool>,
    patience: Duration,
) {
    // Small answers must not wait for more data.
    let _ = stream.set_nodelay(true);
    let handler = service_fn(|request: hyper::Request<Incoming>| {
        let busy = Busy::new(&client);
        let answer = service.call(request);
        async move { answer.await.map(|response| response.map(|body| Held { body, _busy: busy })) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience).max_headers(64).max_buf_size(32 * 1024);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), handler));
    let mut is_closing = false;
    loop {
        tokio::select! {
            // An error on one connection does not concern the others.
            _ = connection.as_mut() => return,
            () = client.close.notified() => return,
            _ = stopped.changed(), if !is_closing => {
                is_closing = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}
