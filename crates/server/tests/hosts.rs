//! Tests of `Host` and `Origin`: requests for other names and questions from pages of other sites are refused.

#![allow(missing_docs, reason = "a test")]

mod common;

use common::{Answer, Server};
use ninefold_server::{Limits, ROUTES};

async fn get(server: &Server, target: &str, headers: &str) -> Answer {
    server.raw(format!("GET {target} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").as_bytes()).await
}

async fn post(server: &Server, headers: &str) -> Answer {
    let head = "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 2";
    server.raw(format!("POST /api/uttt/look HTTP/1.1\r\n{headers}{head}\r\n\r\n{{}}").as_bytes()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_for_another_host_is_refused() {
    let server = Server::start(Limits::default()).await;
    let paths = ROUTES.iter().map(|(_, path)| *path).chain(["/", "/app.js", "/openapi.json", "/nowhere"]);
    for path in paths {
        let answer = get(&server, path, "Host: evil.example\r\n").await;
        assert_eq!((answer.status, answer.blamed().as_str()), (421, "Host"), "{path}");
        assert!(answer.json()["error"]["message"].as_str().unwrap().contains("evil.example"), "{answer:?}");
        assert!(answer.head.contains("content-security-policy"), "{answer:?}");
    }
    assert_eq!(post(&server, "Host: evil.example\r\n").await.status, 421);
    // The name in the address, or a second header, must not slip through.
    assert_eq!(get(&server, "http://evil.example/", "Host: localhost\r\n").await.status, 421);
    assert_eq!(get(&server, "/", "Host: localhost\r\nHost: evil.example\r\n").await.status, 421);
    assert_eq!(get(&server, "/", "Host: \u{e9}vil\r\n").await.status, 421);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_for_this_host_is_answered() {
    let server = Server::start_with(Limits::default(), |hosts| hosts.allow("games.example")).await;
    let port = server.address.port();
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}"), "[::1]:8080".into(), "games.example".into()];
    for host in own {
        assert_eq!(get(&server, "/", &format!("Host: {host}\r\n")).await.status, 200, "{host}");
    }
    assert_eq!(get(&server, "http://localhost/", "Host: localhost\r\n").await.status, 200);
    // A client that names no host is no browser.
    assert_eq!(get(&server, "/", "").await.status, 200);
    assert_eq!(server.raw(b"GET / HTTP/1.0\r\n\r\n").await.status, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_from_a_page_of_another_site_is_refused() {
    let server = Server::start_with(Limits::default(), |hosts| hosts.allow("games.example")).await;
    let from = async |origin: &str| post(&server, &format!("Host: localhost:3999\r\nOrigin: {origin}\r\n")).await;
    for origin in
        ["http://evil.example", "https://evil.example:3999", "http://localhost:8000", "null", "localhost:3999"]
    {
        let answer = from(origin).await;
        assert_eq!((answer.status, answer.blamed().as_str()), (403, "Origin"), "{origin}");
    }
    for origin in ["http://localhost:3999", "https://games.example"] {
        assert_eq!(from(origin).await.status, 200, "{origin}");
    }
    assert_eq!(post(&server, "Host: localhost:3999\r\n").await.status, 200);
    // Reading the page is harmless, and a link from another site may send its origin.
    assert_eq!(get(&server, "/", "Host: localhost\r\nOrigin: http://evil.example\r\n").await.status, 200);
    server.stop().await;
}
