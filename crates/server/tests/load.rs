//! Two hundred small questions per second during a long analysis: none fails.

#![allow(missing_docs, reason = "a test")]

mod common;

use common::{Server, request};
use ninefold_server::Limits;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;

const A_SECOND: u32 = 200;
const SECONDS: u32 = 3;

#[tokio::test(flavor = "multi_thread")]
async fn small_questions_are_answered_during_a_long_search() {
    let server = Arc::new(Server::start(Limits::default()).await);
    let mut long = server.connect().await;
    long.write_all(&request("/api/uttt/analyse/stream", r#"{"limits": {"time_ms": 60000}}"#)).await.unwrap();
    let questions = [
        ("/api/uttt/play", r#"{"moves": ["ee", "ea", "ac"]}"#),
        ("/api/cephalopods/look", r#"{"options": {"size": "3x5"}}"#),
        ("/api/triad/look", r#"{"options": {"rules": "same,plus", "seed": 3}}"#),
        ("/api/triad/cards", r#"{"query": "bahamut", "game": "ff14", "most": 5}"#),
        ("/api/triad/npcs", r#"{"query": "bad", "most": 5}"#),
        ("/api/cephalopods/look", r#"{"options": {"rule": "sixes"}}"#),
        ("/api/uttt/look", r#"{"options": {"rule": "open"}}"#),
    ];
    let start = Instant::now();
    let mut asked = Vec::new();
    for number in 0..A_SECOND * SECONDS {
        let due = start + Duration::from_secs(1) / A_SECOND * number;
        tokio::time::sleep_until(due.into()).await;
        let (path, body) = questions[number as usize % questions.len()];
        let server = server.clone();
        asked.push(tokio::spawn(async move {
            let began = Instant::now();
            let status = server.post(path, body).await.status;
            (path, status, began.elapsed())
        }));
    }
    let mut times = Vec::new();
    for answer in asked {
        let (path, status, time) = answer.await.unwrap();
        assert_eq!(status, 200, "{path}");
        times.push(time);
    }
    let whole = start.elapsed();
    times.sort();
    let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{} answers in {whole:?}: median {median:?}, slowest {most:?}", times.len());
    // Twice the time, because the machine may be busy.
    assert!(whole < Duration::from_secs(u64::from(SECONDS) * 2), "{whole:?}");
    drop(long);
    Arc::into_inner(server).unwrap().stop().await;
}
