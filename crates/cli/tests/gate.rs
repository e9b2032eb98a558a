//! Networks of their own for the players of a match, the clock of a thread, `uttt gate`, and a tiny `uttt pipeline`.

mod common;

use common::{Folder, run, words};
use serde_json::Value;
use std::process::Output;

/// The network that comes with the program.
const TRAINED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/data/uttt/network.bin");

fn ninefold(line: &str) -> Output {
    run(&words(line), "")
}

fn text(ended: &Output) -> String {
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout.clone()).unwrap()
}

fn last_object(line: &str) -> Value {
    serde_json::from_str(text(&ninefold(line)).lines().last().unwrap()).unwrap()
}

/// The message of a command that fails with this exit code.
fn fails(line: &str, code: i32) -> String {
    let ended = ninefold(line);
    assert_eq!(ended.status.code(), Some(code), "{line}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stderr).unwrap()
}

/// Runs the whole pipeline with next to no games, and returns the file of the untrained network.
fn pipeline(folder: &Folder) -> (String, String) {
    let line = format!(
        "uttt pipeline {} --small --shards 1 --visits 1 --epochs 0.2 --games 2 --time 1ms --threads 2",
        folder.path("run")
    );
    (text(&ninefold(&line)), folder.path("run/untrained.bin"))
}

#[test]
fn a_tiny_pipeline_ends_and_goes_on() {
    let folder = Folder::new();
    let (first, _) = pipeline(&folder);
    let network = std::fs::read(folder.path("run/network.bin")).unwrap();
    assert!(first.contains("1 shard written") && first.contains("network written"), "{first}");
    assert_eq!(first.lines().filter(|line| line.starts_with("undecided, score after 2 games")).count(), 2, "{first}");
    assert!(first.lines().last().unwrap().starts_with("undecided: "), "{first}");
    let drawing = std::fs::read_to_string(folder.path("run/loss.svg")).unwrap();
    assert!(drawing.starts_with("<svg"));
    let (second, _) = pipeline(&folder);
    assert!(second.contains("0 shards written") && second.contains("goes on from"), "{second}");
    assert_eq!(second.lines().filter(|line| *line == "2 games already played").count(), 2, "{second}");
    assert_eq!(std::fs::read(folder.path("run/network.bin")).unwrap(), network);
}

#[test]
fn a_player_has_its_own_network() {
    let folder = Folder::new();
    let untrained = pipeline(&folder).1;
    let record = folder.path("games.jsonl");
    let player = |network: &str| format!("'builtin:search=bestfirst,memory=16,network={network}'");
    let line = |network: &str, games: u32| {
        let (a, b) = (player(network), "builtin:search=bestfirst,memory=16");
        format!("match --game uttt {a} {b} --nodes 200 --games {games} --record {record} --json")
    };
    let result = last_object(&line(&untrained, 8));
    assert!(result["score"].as_f64().unwrap() < 0.3, "an untrained network loses: {result}");
    let game: Value = serde_json::from_str(std::fs::read_to_string(&record).unwrap().lines().next().unwrap()).unwrap();
    assert!(game["terms"].as_str().unwrap().contains(" network-a="), "{game}");
    // The same name with another network is another match.
    std::fs::copy(TRAINED, &untrained).unwrap();
    assert!(fails(&line(&untrained, 8), 1).contains("it belongs to another match"));

    let (missing, damaged) = (folder.path("missing.bin"), folder.write("damaged.bin", "no network"));
    for (network, why) in [(&missing, "missing.bin"), (&damaged, "damaged.bin")] {
        assert!(fails(&line(network, 2), 1).contains(why));
    }
    let versus = |player: &str, more: &str| fails(&format!("match --game uttt {player} builtin {more}"), 2);
    assert!(versus(&format!("builtin:search=mcts,network={TRAINED}"), "").contains("use no network"));
    assert!(versus(&player(TRAINED), "--option rule=open").contains("no network knows the rule open"));
    assert!(fails(&format!("match --game triad builtin builtin:network={TRAINED}"), 2).contains("only uttt"));
}

#[test]
fn the_clock_of_a_thread_is_for_built_in_players() {
    let player = "builtin:search=alphabeta,memory=16";
    let limits = "--time 3ms --margin 10s --games 2 --timer cpu --json";
    let result = last_object(&format!("match --game uttt {player} {player} {limits}"));
    assert_eq!(result["reasons"]["board"], 2, "{result}");
    let clock = last_object(
        &format!("match --game uttt {player} {player} --clock 100ms+1ms {limits}").replace("--time 3ms ", ""),
    );
    assert_eq!(clock["reasons"]["board"], 2, "{clock}");
    assert!(fails("match --game uttt builtin ugi:none --timer cpu", 2).contains("built-in players"));
    assert!(fails("match --game uttt builtin builtin:threads=2 --timer cpu", 2).contains("one thread"));
    assert!(fails("match --game uttt builtin builtin --timer sun", 2).contains("wall and cpu"));
}

#[test]
fn a_gate_accepts_refuses_or_does_not_know() {
    let folder = Folder::new();
    let untrained = pipeline(&folder).1;
    let limits = "--nodes 100 --sprt elo0=0,elo1=200 --threads 2";
    let gate = |new: &str, old: &str, more: &str| last_object(&format!("uttt gate {new} {old} {limits} {more} --json"));
    let schema: Value = serde_json::from_str(include_str!("../../../docs/json.schema.json")).unwrap();
    let mut schema = schema;
    schema["$ref"] = "#/$defs/uttt-gate".into();
    let validator = jsonschema::validator_for(&schema).unwrap();

    let accepted = gate(TRAINED, &untrained, "");
    assert_eq!(accepted["verdict"], "accepted", "{accepted}");
    let rules: Vec<&Value> = accepted["matches"].as_array().unwrap().iter().map(|it| &it["rule"]).collect();
    assert_eq!(rules, ["standard", "codingame"]);
    let faults: Vec<String> = validator.iter_errors(&accepted).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}\n{accepted}");

    let refused = gate(&untrained, "", "");
    assert_eq!((&refused["verdict"], &refused["old"]), (&"refused".into(), &"built-in".into()), "{refused}");
    assert_eq!(refused["matches"].as_array().unwrap().len(), 1, "one refusal is enough");

    let undecided = gate(TRAINED, TRAINED, "--games 2 --rule codingame");
    assert_eq!((&undecided["verdict"], &undecided["matches"][0]["games"]), (&"undecided".into(), &2.into()));

    let printed = text(&ninefold(&format!("uttt gate {TRAINED} {untrained} {limits} --rule standard")));
    assert!(printed.lines().any(|line| line.starts_with("score after 10 games: ")), "{printed}");
    assert!(printed.lines().last().unwrap().starts_with("accepted: "), "{printed}");
    assert!(!printed.contains("game 1:"), "{printed}");
    assert!(fails("uttt gate", 2).contains("NEW"));
    assert!(fails(&format!("uttt gate {}", folder.path("none.bin")), 1).contains("none.bin"));
}
