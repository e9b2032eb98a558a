//! Who is let in: connections are counted, may not be silent for long, and end in order when the server stops.
//!
//! A guest that says nothing costs a socket. When all places are taken, the guest that has been idle for longest makes
//! room, so ten thousand silent connections keep nobody out; one whose answer is on its way is never sent off.

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
struct Guest {
    /// Answers on their way.
    busy: AtomicUsize,
    /// Told to make room.
    leave: Notify,
}

/// An answer on its way, from the question to the last byte of the body.
struct Busy(Arc<Guest>);

impl Busy {
    fn new(guest: &Arc<Guest>) -> Self {
        guest.busy.fetch_add(1, Ordering::Relaxed);
        Self(guest.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A body that knows when it has been sent.
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

/// Who is here, those who came first at the front.
struct Guests {
    here: VecDeque<Arc<Guest>>,
    most: usize,
}

impl Guests {
    /// Lets one in. Someone idle makes room if need be; if nobody is idle there is no room.
    fn admit(&mut self) -> Option<Arc<Guest>> {
        if self.here.len() >= self.most {
            // Whoever has gone by itself is only known here and there.
            self.here.retain(|guest| Arc::strong_count(guest) > 1);
        }
        if self.here.len() >= self.most && !self.send_off() {
            return None;
        }
        let guest = Arc::new(Guest::default());
        self.here.push_back(guest.clone());
        Some(guest)
    }

    fn send_off(&mut self) -> bool {
        let idle = self.here.iter().position(|guest| guest.busy.load(Ordering::Relaxed) == 0);
        let Some(guest) = idle.and_then(|at| self.here.remove(at)) else { return false };
        guest.leave.notify_one();
        true
    }
}

/// Serves the page on `listener` until `stop` is done, then lets what is on its way arrive.
///
/// # Errors
/// If the listener fails for good.
pub async fn serve(listener: TcpListener, limits: Limits, stop: impl Future<Output = ()> + Send) -> io::Result<()> {
    let service = TowerToHyperService::new(routes(limits.clone()));
    let mut guests = Guests { here: VecDeque::new(), most: limits.connections };
    let (stopping, stopped) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => if let Some(guest) = guests.admit() {
                    connections.spawn(attend(stream, service.clone(), guest, stopped.clone(), limits.patience));
                },
                Err(error) if is_of_one_guest(&error) => {}
                Err(_) => {
                    // Out of sockets: someone makes room, and the rest wait in the system's own queue.
                    guests.send_off();
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            },
        }
    }
    drop(listener);
    stopping.send_replace(true);
    let all = async { while connections.join_next().await.is_some() {} };
    // Dropping a connection drops its answer, and that ends its search.
    if tokio::time::timeout(limits.farewell, all).await.is_err() {
        connections.shutdown().await;
    }
    Ok(())
}

fn is_of_one_guest(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn attend(
    stream: TcpStream,
    service: TowerToHyperService<Router>,
    guest: Arc<Guest>,
    mut stopped: watch::Receiver<bool>,
    patience: Duration,
) {
    // Small answers go out at once.
    let _ = stream.set_nodelay(true);
    let asked = service_fn(|request: hyper::Request<Incoming>| {
        let busy = Busy::new(&guest);
        let answer = service.call(request);
        async move { answer.await.map(|response| response.map(|body| Held { body, _busy: busy })) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience).max_headers(64).max_buf_size(32 * 1024);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), asked));
    let mut is_leaving = false;
    loop {
        tokio::select! {
            // What goes wrong on one connection concerns nobody else.
            _ = connection.as_mut() => return,
            () = guest.leave.notified() => return,
            _ = stopped.changed(), if !is_leaving => {
                is_leaving = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}
