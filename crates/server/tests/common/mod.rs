//! A server on a free port, and a minimal HTTP client on a plain socket.

#![allow(dead_code, reason = "each test uses its own part")]

use ninefold_server::{Hosts, Limits, serve};
use serde_json::Value;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A running server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<std::io::Result<()>>,
}

/// A parsed response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|fault| panic!("{fault}: {self:?}"))
    }

    /// The field that an error names.
    pub(crate) fn blamed(&self) -> String {
        let told = self.json();
        assert!(told["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{self:?}");
        told["error"]["field"].as_str().unwrap_or_else(|| panic!("{self:?}")).to_owned()
    }
}

impl Server {
    pub(crate) async fn start(limits: Limits) -> Self {
        Self::start_with(limits, |hosts| hosts).await
    }

    /// Starts a server that has more names than usual.
    pub(crate) async fn start_with(limits: Limits, add: impl FnOnce(Hosts) -> Hosts) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let hosts = add(Hosts::new(address.ip(), None));
        let task = tokio::spawn(serve(listener, limits, hosts, async {
            let _ = stopped.await;
        }));
        Self { address, stop, task }
    }

    /// Stops the server and waits until it has ended.
    pub(crate) async fn stop(self) {
        self.stop.send(()).unwrap();
        tokio::time::timeout(Duration::from_secs(10), self.task).await.expect("it stops").unwrap().unwrap();
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Sends raw bytes and reads until the server closes the connection.
    pub(crate) async fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect().await;
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(request).await;
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes).await;
        parse(&String::from_utf8_lossy(&bytes))
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").as_bytes()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> Answer {
        self.raw(&request(path, body)).await
    }
}

/// A request as bytes, with `Connection: close`.
pub(crate) fn request(path: &str, body: &str) -> Vec<u8> {
    let head = "Host: localhost\r\nConnection: close\r\nContent-Type: application/json";
    format!("POST {path} HTTP/1.1\r\n{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn parse(text: &str) -> Answer {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if is_chunked { unchunked(body) } else { body.to_owned() };
    Answer { status, head: head.to_lowercase(), body }
}

/// Joins the chunks of a chunked body.
fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap_or(0);
        if length == 0 || rest.len() < length {
            break;
        }
        text.push_str(&rest[..length]);
        body = rest[length..].trim_start_matches("\r\n");
    }
    text
}
