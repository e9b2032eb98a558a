//! Tests of abusive clients (too large, too long, too many, or silent): they are refused, and others are still
//! answered.

#![allow(missing_docs, reason = "a test")]

mod common;

use common::{Server, request};
use ninefold_server::Limits;
use serde_json::json;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Whether a small question is answered soon.
async fn is_well(server: &Server) {
    let start = Instant::now();
    assert_eq!(server.post("/api/uttt/look", "{}").await.status, 200);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn long_bodies_are_refused() {
    let server = Server::start(Limits::default()).await;
    let long = format!(r#"{{"position": "{}"}}"#, "x".repeat(10_000_000));
    let answer = server.post("/api/uttt/look", &long).await;
    // The response may be lost if the server closes while the body is still being sent.
    assert!(answer.status == 413 || answer.status == 0, "{answer:?}");
    // Without a content length, the bytes are counted as they arrive.
    let mut chunked = b"POST /api/uttt/look HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
        Transfer-Encoding: chunked\r\n\r\n20000\r\n"
        .to_vec();
    chunked.extend(vec![b' '; 0x20000]);
    chunked.extend(b"\r\n0\r\n\r\n");
    let answer = server.raw(&chunked).await;
    assert!(answer.status == 413 || answer.status == 0, "{answer:?}");
    let head = format!("GET / HTTP/1.1\r\nHost: localhost\r\nCookie: {}\r\n\r\n", "x".repeat(100_000));
    assert!([431, 400, 0].contains(&server.raw(head.as_bytes()).await.status));
    assert!([400, 0].contains(&server.raw(b"\x16\x03\x01 hello\r\n\r\n").await.status));
    is_well(&server).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_guests_are_shown_the_door() {
    let server = Server::start(Limits { patience: Duration::from_millis(300), ..Limits::default() }).await;
    let mut silent = server.connect().await;
    let mut half_a_head = server.connect().await;
    half_a_head.write_all(b"GET / HT").await.unwrap();
    let mut half_a_body = server.connect().await;
    let whole = request("/api/uttt/look", r#"{"position": "x"}"#);
    half_a_body.write_all(&whole[..whole.len() - 5]).await.unwrap();
    for (name, stream) in [("silent", &mut silent), ("head", &mut half_a_head), ("body", &mut half_a_body)] {
        let mut answer = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut answer)).await;
        let text = String::from_utf8_lossy(&answer).into_owned();
        assert!(read.is_ok(), "{name} is not closed");
        assert!(name != "body" || text.starts_with("HTTP/1.1 408"), "{text}");
    }
    server.stop().await;
}

/// Ten thousand idle connections; as many as the system allows this test stay open.
#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_keep_nobody_out() {
    let server = Server::start(Limits { connections: 200, ..Limits::default() }).await;
    let mut held: VecDeque<TcpStream> = VecDeque::new();
    for number in 0..10_000 {
        match TcpStream::connect(server.address).await {
            Ok(stream) => held.push_back(stream),
            // Out of sockets on the client side.
            Err(_) => held.truncate(held.len() / 2),
        }
        // Connections that the server has closed need not be kept.
        if held.len() > 400 {
            held.pop_front();
        }
        if number % 1000 == 999 {
            is_well(&server).await;
        }
    }
    is_well(&server).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_searches_wait_and_then_are_refused() {
    let server = Server::start(Limits { searches: 1, waiting: 2, ..Limits::default() }).await;
    let server = Arc::new(server);
    let long = json!({"limits": {"time_ms": 1500}}).to_string();
    let mut asked = Vec::new();
    for _ in 0..6 {
        let (server, long) = (server.clone(), long.clone());
        asked.push(tokio::spawn(async move { server.post("/api/uttt/analyse", &long).await }));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    is_well(&server).await;
    let mut statuses = Vec::new();
    for answer in asked {
        let answer = answer.await.unwrap();
        assert!(answer.status == 200 || answer.head.contains("retry-after: 1"), "{answer:?}");
        statuses.push(answer.status);
    }
    assert_eq!(statuses, [200, 200, 200, 429, 429, 429]);
    Arc::into_inner(server).unwrap().stop().await;
}

/// A disconnected client cancels its search: with a single slot, the next client is answered at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_ends_when_its_guest_goes() {
    let server = Server::start(Limits { searches: 1, ..Limits::default() }).await;
    for path in ["/api/uttt/analyse/stream", "/api/uttt/analyse"] {
        let mut stream = server.connect().await;
        stream.write_all(&request(path, r#"{"limits": {"time_ms": 60000}}"#)).await.unwrap();
        if path.ends_with("stream") {
            let mut some = [0; 2000];
            let read = stream.read(&mut some).await.unwrap();
            assert!(String::from_utf8_lossy(&some[..read]).contains("text/event-stream"));
        } else {
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        drop(stream);
        let start = Instant::now();
        let answer = server.post("/api/uttt/analyse", r#"{"limits": {"nodes": 100}}"#).await;
        assert_eq!(answer.status, 200);
        assert!(start.elapsed() < Duration::from_secs(5), "{path}: {:?}", start.elapsed());
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_is_told_while_it_grows() {
    let server = Server::start(Limits::default()).await;
    // A number of nodes, not a time: a busy machine searches too few in a fixed time.
    let answer = server.post("/api/uttt/analyse/stream", r#"{"limits": {"nodes": 300000}}"#).await;
    assert!(answer.head.contains("content-type: text/event-stream"), "{answer:?}");
    let events: Vec<&str> = answer.body.split("\n\n").filter(|event| !event.is_empty()).collect();
    assert!(events.len() > 2, "{}", answer.body);
    let (last, before) = events.split_last().unwrap();
    assert!(before.iter().all(|event| event.starts_with("event: progress\ndata: {")));
    let data = last.strip_prefix("event: done\ndata: ").unwrap();
    let analysis: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(analysis["lines"].as_array().unwrap().len(), 81);
    server.stop().await;
}

/// Stopping the server lets short answers finish and ends long ones.
#[tokio::test(flavor = "multi_thread")]
async fn the_server_stops_in_order() {
    let server = Server::start(Limits { farewell: Duration::from_millis(500), ..Limits::default() }).await;
    let mut long = server.connect().await;
    long.write_all(&request("/api/uttt/analyse/stream", r#"{"limits": {"time_ms": 60000}}"#)).await.unwrap();
    let mut short = server.connect().await;
    short.write_all(&request("/api/uttt/analyse", r#"{"limits": {"time_ms": 200}}"#)).await.unwrap();
    let _idle = server.connect().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let start = Instant::now();
    server.stop().await;
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let mut answer = Vec::new();
    short.read_to_end(&mut answer).await.unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
}
