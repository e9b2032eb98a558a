//! Every address gives the same answer as `api`, and an error names the wrong field.

#![allow(missing_docs, reason = "a test")]

mod common;

use api::{ChooseQuestion, Control, ExplainQuestion, GameName, PositionQuestion, SolveQuestion};
use common::Server;
use grid::Rng;
use grid::simd::Isa;
use ninefold_server::{Limits, ROUTES};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[tokio::test(flavor = "multi_thread")]
async fn any_game_can_be_played_to_its_end_over_http() {
    let server = Server::start(Limits::default()).await;
    let settings =
        [("uttt", json!({"rule": "codingame"})), ("cephalopods", json!({})), ("cephalopods", json!({"size": "3x4"}))];
    let hands = ["same,plus,elemental", "-"].map(|rules| ("triad", json!({"rules": rules, "seed": 7})));
    for (game, options) in settings.into_iter().chain(hands) {
        let mut rng = Rng::new(5);
        // The same JSON is the question for the session and the body of the request.
        let mut session = GameName::named(game).unwrap().open(Isa::detect());
        let mut position = Value::Null;
        let mut moves: Vec<String> = Vec::new();
        loop {
            let asked = json!({"position": position, "options": options});
            let view = server.post(&format!("/api/{game}/look"), &asked.to_string()).await.json();
            let question: PositionQuestion = serde_json::from_value(asked).unwrap();
            assert_eq!(view, serde_json::to_value(session.look(&question).unwrap()).unwrap());
            let Some(mv) = rng.pick(view["moves"].as_array().unwrap().iter()) else { break };
            let asked = json!({"position": position, "options": options, "move": mv["move"]});
            let played = server.post(&format!("/api/{game}/explain"), &asked.to_string()).await.json();
            let question: ExplainQuestion = serde_json::from_value(asked).unwrap();
            assert_eq!(played, serde_json::to_value(session.explain(&question).unwrap()).unwrap());
            position = played["position"].clone();
            moves.push(mv["move"].as_str().unwrap().to_owned());
        }
        let asked = json!({"options": options, "moves": moves});
        let walk = server.post(&format!("/api/{game}/play"), &asked.to_string()).await.json();
        assert_eq!(walk["view"]["position"], position);
        assert_eq!(walk["played"].as_array().unwrap().len(), moves.len());
        assert!(walk["view"]["result"].is_number());
        // A few moves before the end, the value is certain in every game.
        let near = &walk["played"][moves.len() - 4]["position"];
        let asked = json!({"position": near, "options": options, "limits": {"time_ms": 5000}});
        let mut solved = server.post(&format!("/api/{game}/solve"), &asked.to_string()).await.json();
        let question: SolveQuestion = serde_json::from_value(asked.clone()).unwrap();
        let known = session.solve(&question, &question.limits.apply(Control::new())).unwrap();
        let mut known = serde_json::to_value(known).unwrap();
        for answer in [&mut solved, &mut known] {
            // A warm session does not search again for what it already knows.
            for field in ["seconds", "nodes", "certainty"] {
                answer[field] = Value::Null;
            }
            for line in answer["lines"].as_array_mut().unwrap() {
                line["certainty"] = Value::Null;
            }
        }
        assert_eq!(solved, known, "{game}");
        assert!(solved["outcome"].is_string());
        let chosen = server.post(&format!("/api/{game}/choose"), &asked.to_string()).await.json();
        let question: ChooseQuestion = serde_json::from_value(asked).unwrap();
        let known = session.choose(&question, &question.limits.apply(Control::new())).unwrap();
        assert_eq!(chosen, serde_json::to_value(known).unwrap(), "{game} {near}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_named() {
    let server = Server::start(Limits::default()).await;
    let start = "X;.........;........./........./........./........./........./........./........./........./.........";
    for (path, body, field) in [
        ("/api/uttt/look", "not json".to_owned(), ""),
        ("/api/uttt/look", "[]".into(), ""),
        ("/api/uttt/look", "{} {}".into(), ""),
        ("/api/uttt/look", r#"{"position": 5}"#.into(), "position"),
        ("/api/uttt/look", r#"{"position": "nonsense"}"#.into(), "position"),
        ("/api/uttt/look", r#"{"posittion": ""}"#.into(), "posittion"),
        ("/api/uttt/look", r#"{"options": {"rule": "mine"}}"#.into(), "options.rule"),
        ("/api/uttt/look", r#"{"options": {"rule": []}}"#.into(), "options.rule"),
        ("/api/uttt/look", r#"{"options": [null, null]}"#.into(), "options"),
        ("/api/uttt/analyse", r#"{"limits": [5]}"#.into(), "limits"),
        ("/api/triad/deal", r#"{"hand_a": [], "hand_b": [], "moves": [["a", 0, 0]]}"#.into(), "moves[0]"),
        ("/api/uttt/look", r#"{"options": {"colour": "red"}}"#.into(), "options.colour"),
        ("/api/uttt/look", r#"{"options": {"size": "3x3"}}"#.into(), "options.size"),
        ("/api/uttt/analyse", r#"{"limits": {"memory_mib": 100000}}"#.into(), "limits.memory_mib"),
        ("/api/uttt/analyse", r#"{"limits": {"threads": 2}}"#.into(), "limits.threads"),
        ("/api/uttt/play", format!(r#"{{"position": "{start}", "moves": ["aa", "bb"]}}"#), "moves[1]"),
        ("/api/uttt/explain", r#"{"move": "zz"}"#.into(), "move"),
        ("/api/uttt/explain", "{}".into(), ""),
        ("/api/uttt/analyse", r#"{"limits": {"time_ms": "soon"}}"#.into(), "limits.time_ms"),
        ("/api/uttt/analyse", r#"{"limits": {"time_ms": -1}}"#.into(), "limits.time_ms"),
        ("/api/uttt/analyse", r#"{"limits": {"time_ms": 10000000}}"#.into(), "limits.time_ms"),
        ("/api/uttt/analyse", r#"{"limits": {"nodes": 10000000000000}}"#.into(), "limits.nodes"),
        ("/api/uttt/choose", r#"{"level": 11}"#.into(), "level"),
        ("/api/uttt/analyse/stream", r#"{"position": "nonsense"}"#.into(), "position"),
        ("/api/cephalopods/look", r#"{"options": {"size": "9x9"}}"#.into(), "options.size"),
        ("/api/cephalopods/sum", r#"{"board": "00000000", "depth": 1}"#.into(), "board"),
        ("/api/cephalopods/sum", r#"{"board": "000000000", "depth": -1}"#.into(), "depth"),
        ("/api/cephalopods/sum", r#"{"board": "000000000"}"#.into(), ""),
        ("/api/cephalopods/count", r#"{"board": "000000000", "depth": 1, "finals": 5000}"#.into(), "finals"),
        ("/api/cephalopods/heat", r#"{"last_rank": 49, "depths": [1]}"#.into(), "last_rank"),
        ("/api/cephalopods/heat", r#"{"last_rank": 48, "depths": [1,2,3,4,5,6,7,8,9]}"#.into(), "depths"),
        ("/api/triad/deal", r#"{"hand_a": [], "hand_b": []}"#.into(), "hand_a"),
        ("/api/triad/deal", r#"{"hand_a": [0,1,2,3,4], "hand_b": ["Squal",1,2,3,4]}"#.into(), "hand_b"),
        ("/api/triad/deal", r#"{"rules": ["sane"], "hand_a": [0,1,2,3,4], "hand_b": [0,1,2,3,4]}"#.into(), "rules"),
        ("/api/triad/deal", r#"{"game": "ff7", "hand_a": [], "hand_b": []}"#.into(), "game"),
        ("/api/triad/cards", r#"{"game": "ff7"}"#.into(), "game"),
        ("/api/triad/cards", r#"{"query": "8032"}"#.into(), "query"),
        ("/api/triad/look", r#"{"options": {"rules": "sane"}}"#.into(), "options.rules"),
        ("/api/triad/look", r#"{"options": {"seed": "many"}}"#.into(), "options.seed"),
    ] {
        let answer = server.post(path, &body).await;
        assert_eq!(answer.status, 400, "{path} {body}: {answer:?}");
        assert_eq!(answer.blamed(), field, "{path} {body}: {answer:?}");
    }
    for (path, status) in [("/api/chess/look", 404), ("/api/nowhere", 404), ("/api/about", 405)] {
        let answer = server.post(path, "{}").await;
        assert_eq!(answer.status, status, "{answer:?}");
        answer.blamed();
    }
    assert_eq!(server.get("/api/uttt/look").await.status, 405);
    // Without this check, a page of another site could send requests to this server.
    let plain = b"POST /api/uttt/look HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
    assert_eq!(server.raw(plain).await.status, 415);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_contest_and_the_cards_are_answered() {
    let server = Server::start(Limits::default()).await;
    let question = r#"{"board": "051000401", "depth": 20}"#;
    assert_eq!(server.post("/api/cephalopods/sum", question).await.json()["sum"], json!(738_691_369));
    let count = server.post("/api/cephalopods/count", question).await.json();
    assert_eq!((&count["sum_modulo"], &count["games"]), (&json!(738_691_369), &json!(4_017_226_136_890_u64)));
    let heat = server.post("/api/cephalopods/heat", r#"{"last_rank": 2, "depths": [3, 5]}"#).await.json();
    assert_eq!(heat["ms"].as_array().map(Vec::len), Some(3));
    assert_eq!(heat["ms"][0].as_array().map(Vec::len), Some(2));

    let cards = server.post("/api/triad/cards", r#"{"query": "squal", "most": 3}"#).await.json();
    assert_eq!(cards["cards"][0]["name"], json!("Squall"));
    let npcs = server.post("/api/triad/npcs", r#"{"query": "baderon"}"#).await.json();
    assert_eq!(npcs["npcs"][0]["rules"], json!(["Three Open"]));
    let rules = server.get("/api/triad/rules").await.json();
    assert!(rules["rules"].as_array().is_some_and(|rules| rules.len() == 24));
    let deal = json!({
        "rules": ["same"],
        "hand_a": ["Squall", "Ifrit", "Geezard", "Funguar", "Bite Bug"],
        "hand_b": ["Quistis", "Shiva", "Red Bat", "Blobra", "Gayla"],
        "moves": [{"player": "a", "card": "Squall", "cell": 4}],
    });
    let view = server.post("/api/triad/deal", &deal.to_string()).await.json();
    assert_eq!(view["board"]["cards"][0]["name"], json!("Squall"));
    assert_eq!((&view["ply"], &view["mover"]), (&json!(1), &json!(2)));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn advice_and_decks_are_answered() {
    let server = Server::start(Limits::default()).await;
    let mut advise = json!({
        "rules": ["chaos"], "hand": ["Zeromus", "#269", "Roundrox", "Tioman", "#93"], "opponent": {"npc": "Flichoirel"},
        "moves": ["me:Tioman@2", "opponent:Vidofnir@4", "me:Roundrox@0", "opponent:Byblos@1", "me:Zeromus@8", "opponent:Griffin@7"],
        "drawn": "#93", "limits": {"time_ms": 60000},
    });
    let advice = server.post("/api/triad/advise", &advise.to_string()).await.json();
    assert_eq!((&advice["worlds"], advice["moves"].as_array().unwrap().len()), (&json!(3), 3), "{advice}");
    assert_eq!(advice["moves"][0]["careful"]["exact"], json!(true));
    for (field, value) in [("drawn", json!("Titan")), ("limits", json!({"threads": 9})), ("replays", json!(1))] {
        let right = std::mem::replace(&mut advise[field], value);
        let refused = server.post("/api/triad/advise", &advise.to_string()).await;
        assert!(refused.status == 400 && refused.blamed().starts_with(field), "{refused:?}");
        advise[field] = right;
        advise.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    }
    let deck = server.post("/api/triad/deck", r#"{"opponent": {"npc": "nobody at all"}}"#).await;
    assert_eq!((deck.status, deck.blamed().as_str()), (400, "opponent.npc"), "{deck:?}");
    server.stop().await;
}

/// The description lists exactly the existing addresses, and each of them answers.
#[tokio::test(flavor = "multi_thread")]
async fn the_description_is_that_of_the_routes() {
    let server = Server::start(Limits::default()).await;
    let described = server.get("/openapi.json").await.json();
    let mut found = BTreeSet::new();
    for (path, methods) in described["paths"].as_object().unwrap() {
        found.extend(methods.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone())));
    }
    let routes: BTreeSet<_> = ROUTES.map(|(method, path)| (method.to_owned(), path.to_owned())).into();
    assert_eq!(found, routes);
    for (method, path) in ROUTES {
        let path = path.replace("{game}", "uttt");
        // The body is wrong on purpose: an existing address then answers with an error about the body.
        let answer = if method == "GET" { server.get(&path).await } else { server.post(&path, "5").await };
        assert_eq!(answer.status, if method == "GET" { 200 } else { 400 }, "{method} {path}: {answer:?}");
    }
    // Every reference has a target.
    let text = described.to_string();
    for part in text.split("#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(described["components"]["schemas"][name].is_object(), "{name}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_whole_small_and_guarded() {
    let server = Server::start(Limits::default()).await;
    let page = server.get("/").await;
    let mut size = page.body.len();
    let mut open: Vec<String> = vec!["/app.js".into(), "/style.css".into(), "/panel.css".into(), "/boards.css".into()];
    let mut seen = BTreeSet::new();
    while let Some(path) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let file = server.get(&path).await;
        assert_eq!(file.status, 200, "{path}");
        assert!(path.starts_with("/app") || !path.ends_with(".css") || page.body.contains(&path), "{path}");
        size += file.body.len();
        let imports = file.body.lines().filter(|line| line.starts_with("import "));
        open.extend(imports.filter_map(|line| Some(format!("/{}", line.split("\"./").nth(1)?.split('"').next()?))));
        for header in [
            "content-security-policy: default-src 'self';",
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "referrer-policy: no-referrer",
        ] {
            assert!(file.head.contains(header), "{path} lacks {header}: {}", file.head);
        }
    }
    assert!(seen.len() > 15 && size < 200_000, "{} files, {size} bytes", seen.len());
    let tag = page.head.split("etag: ").nth(1).and_then(|rest| rest.split("\r\n").next()).unwrap().to_owned();
    let again = format!("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIf-None-Match: {tag}\r\n\r\n");
    assert_eq!(server.raw(again.as_bytes()).await.status, 304);
    server.stop().await;
}
