//! The clients of the soak: what each sends, and what it expects.

use crate::http::{Client, get, post};
use crate::process::Outcome;
use serde_json::Value;
use std::net::SocketAddr;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Small questions: a path and a body, answered at once with 200.
const SMALL: [(&str, &str); 9] = [
    ("/api/uttt/look", "{}"),
    ("/api/uttt/play", r#"{"moves": ["ee", "ea", "ac"]}"#),
    ("/api/uttt/explain", r#"{"move": "ee"}"#),
    ("/api/cephalopods/look", r#"{"options": {"size": "3x5"}}"#),
    ("/api/cephalopods/look", r#"{"options": {"rule": "sixes"}}"#),
    ("/api/triad/look", r#"{"options": {"rules": "same,plus", "seed": 3}}"#),
    ("/api/triad/cards", r#"{"query": "bahamut", "game": "ff14", "most": 5}"#),
    ("/api/triad/npcs", r#"{"query": "bad", "most": 5}"#),
    (
        "/api/triad/deal",
        r#"{"rules": ["same"], "hand_a": ["Squall", "Ifrit", "Geezard", "Funguar", "Bite Bug"],
        "hand_b": ["Quistis", "Shiva", "Red Bat", "Blobra", "Gayla"]}"#,
    ),
];

/// Searches that end soon. They are limited in nodes: on a busy machine a short time may end without an answer.
const SEARCHES: [(&str, &str); 8] = [
    ("/api/uttt/analyse", r#"{"limits": {"nodes": 20000}, "lines": 3}"#),
    ("/api/uttt/choose", r#"{"limits": {"nodes": 5000}, "level": 6}"#),
    ("/api/triad/analyse", r#"{"options": {"seed": 5}, "limits": {"time_ms": 20000}}"#),
    ("/api/triad/choose", r#"{"options": {"seed": 6}, "limits": {"time_ms": 20000}}"#),
    ("/api/cephalopods/analyse", r#"{"options": {"size": "3x4"}, "limits": {"nodes": 50000}}"#),
    ("/api/cephalopods/sum", r#"{"board": "051000401", "depth": 20, "limits": {"time_ms": 20000}}"#),
    ("/api/uttt/analyse/stream", r#"{"limits": {"nodes": 20000}}"#),
    (
        "/api/triad/advise",
        r#"{"hand": ["Zeromus", "Roundrox", "Tioman", 93, 269], "opponent": {"npc": "Flichoirel"},
        "limits": {"nodes": 100000}}"#,
    ),
];

/// Searches that would run for a minute if their client did not leave.
const LONG: [(&str, &str); 6] = [
    ("/api/uttt/analyse/stream", r#"{"limits": {"time_ms": 60000}}"#),
    ("/api/uttt/analyse", r#"{"limits": {"time_ms": 60000}}"#),
    ("/api/cephalopods/analyse/stream", r#"{"options": {"size": "4x4"}, "limits": {"time_ms": 60000}}"#),
    ("/api/cephalopods/solve", r#"{"options": {"size": "4x5"}, "limits": {"time_ms": 60000}}"#),
    (
        "/api/triad/advise",
        r#"{"rules": ["same", "plus"], "hand": ["Zeromus", "Roundrox", "Tioman", 93, 269],
        "opponent": {"npc": "Flichoirel"}, "limits": {"time_ms": 60000}}"#,
    ),
    ("/api/triad/deck", r#"{"opponent": {"npc": "Isobe"}, "limits": {"time_ms": 60000}}"#),
];

const FILES: [&str; 5] = ["/", "/app.js", "/style.css", "/openapi.json", "/api/about"];

/// A small random number generator (SplitMix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % count as u64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn pause(&mut self, most_ms: usize) {
        sleep(Duration::from_millis(self.below(most_ms) as u64));
    }
}

/// How a client behaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// Small questions and files, many on one connection.
    Small,
    /// Searches that end.
    Search,
    /// Wrong questions, which are refused.
    Wrong,
    /// Leaves in the middle: of the head, of the body, of a stream, of a search.
    Vanishing,
    /// Reads an answer in small pieces, with pauses.
    Slow,
}

/// The clients that run side by side.
pub(super) const CLIENTS: [Manner; 10] = [
    Manner::Small,
    Manner::Small,
    Manner::Small,
    Manner::Search,
    Manner::Search,
    Manner::Wrong,
    Manner::Vanishing,
    Manner::Vanishing,
    Manner::Vanishing,
    Manner::Slow,
];

/// The number of requests on one visit of a well-behaved client.
const ON_ONE_CONNECTION: usize = 20;

/// One visit: a connection, and what is done with it. Gives the time of each answer.
pub(super) fn visit(manner: Manner, address: SocketAddr, random: &mut Random) -> Outcome<Vec<Duration>> {
    let mut client = Client::connect(address)?;
    match manner {
        Manner::Small => {
            let ask = |client: &mut Client, random: &mut Random| {
                random.pause(20);
                if random.below(6) == 0 {
                    let path = random.pick(&FILES);
                    return expect(client, &get(path, "127.0.0.1"), 200, path);
                }
                let (path, body) = random.pick(&SMALL);
                expect(client, &post(path, body), 200, path)
            };
            (0..ON_ONE_CONNECTION).map(|_| ask(&mut client, random)).collect()
        }
        Manner::Search => {
            random.pause(200);
            let (path, body) = random.pick(&SEARCHES);
            expect(&mut client, &post(path, body), 200, path).map(|time| vec![time])
        }
        Manner::Wrong => {
            random.pause(50);
            let (request, status) = match random.below(5) {
                0 => (post("/api/uttt/look", "{\"position\": "), 400),
                1 => (post("/api/uttt/look", r#"{"position": "nonsense"}"#), 400),
                2 => (post("/api/chess/look", "{}"), 404),
                3 => (get("/api/uttt/look", "localhost"), 405),
                _ => (get("/", "evil.example"), 421),
            };
            expect(&mut client, &request, status, "a wrong question").map(|time| vec![time])
        }
        Manner::Vanishing => {
            random.pause(100);
            vanish(client, random).map(|()| Vec::new())
        }
        Manner::Slow => slow(client, random).map(|()| Vec::new()),
    }
}

/// Sends a request and checks the answer.
fn expect(client: &mut Client, request: &[u8], status: u16, path: &str) -> Outcome<Duration> {
    let describe = |fault: String| format!("{path}: {fault}");
    let start = Instant::now();
    client.send(request).map_err(describe)?;
    let answer = client.answer().map_err(describe)?;
    let time = start.elapsed();
    if answer.status != status {
        return Err(format!("{path}: status {} instead of {status}: {}", answer.status, answer.body));
    }
    if path.ends_with("/stream") {
        let last = answer.body.trim_end().rsplit("\n\n").next().unwrap_or_default();
        let data = last.strip_prefix("event: done\ndata: ").ok_or(format!("{path}: the last event is `{last}`"))?;
        is_json(data).map_err(describe)?;
    } else if path.starts_with("/api/") {
        is_json(&answer.body).map_err(describe)?;
    }
    Ok(time)
}

fn is_json(text: &str) -> Outcome {
    serde_json::from_str::<Value>(text).map(drop).map_err(|error| format!("the answer is not JSON: {error}"))
}

/// Leaves in the middle. Only the connection itself may not fail.
fn vanish(mut client: Client, random: &mut Random) -> Outcome {
    let (path, body) = random.pick(&LONG);
    let request = post(path, body);
    match random.below(6) {
        // Without a word.
        0 => random.pause(300),
        // In the middle of the head, or of the body.
        1 | 2 => {
            client.send(&request[..random.below(request.len())])?;
            random.pause(300);
        }
        // At once after the question.
        3 => client.send(&request)?,
        // During the search, or during the events.
        4 => {
            client.send(&request)?;
            random.pause(300);
        }
        _ => {
            client.send(&post(LONG[0].0, LONG[0].1))?;
            for _ in 0..random.below(10) {
                if client.read_some(1000)? == 0 {
                    return Err(format!("{}: the stream ended early", LONG[0].0));
                }
            }
        }
    }
    Ok(())
}

/// Reads a stream, or a file, some bytes at a time, and less than the first event. The server must not keep what is not read in
/// memory.
fn slow(mut client: Client, random: &mut Random) -> Outcome {
    if random.below(2) == 0 {
        client.send(&post("/api/uttt/analyse/stream", r#"{"limits": {"time_ms": 3000}}"#))?;
    } else {
        client.send(&get("/openapi.json", "localhost"))?;
    }
    for _ in 0..100 {
        if client.read_some(1 + random.below(100))? == 0 {
            return Err("a slow reader was cut off".to_owned());
        }
        random.pause(60);
    }
    Ok(())
}
