//! Tests that `--json` prints what `docs/json.schema.json` describes, and that every verb with an answer has it.

mod common;

use common::{DRAWN, Folder, run, words};
use serde_json::Value;
use std::collections::BTreeSet;

const SCHEMA: &str = include_str!("../../../docs/json.schema.json");
const DOCUMENT: &str = include_str!("../../../docs/json.md");

/// Verbs without an answer, or with a protocol of their own.
const WITHOUT: [&str; 9] = [
    "cephalopods-contest",
    "completions",
    "engine",
    "man",
    "serve",
    "uttt-codingame",
    // They write files, and print what they did.
    "uttt-pipeline",
    "uttt-selfplay",
    "uttt-train",
];

fn schema_of(name: &str) -> Value {
    let mut schema: Value = serde_json::from_str(SCHEMA).unwrap();
    assert!(schema["$defs"][name].is_object(), "docs/json.schema.json has no {name}");
    schema["$ref"] = format!("#/$defs/{name}").into();
    schema
}

/// Runs `line` and checks every line of its output against the schema `name`. There must be at least one line.
fn holds(name: &str, line: &str) {
    holds_with(name, line, "");
}

fn holds_with(name: &str, line: &str, input: &str) -> String {
    let arguments = words(line);
    let ended = run(&arguments, input);
    assert!(ended.status.success(), "{line}: {}", String::from_utf8_lossy(&ended.stderr));
    let validator = jsonschema::validator_for(&schema_of(name)).unwrap();
    let text = String::from_utf8(ended.stdout).unwrap();
    assert!(!text.trim().is_empty(), "{line} prints nothing");
    for printed in text.lines() {
        let value: Value = serde_json::from_str(printed).unwrap_or_else(|fault| panic!("{line}: {fault}: {printed}"));
        let faults: Vec<String> = validator.iter_errors(&value).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{line}: {faults:?}\n{printed}");
    }
    text
}

const HANDS: &str = "--hand-a Squall,Ifrit,Shiva,Geezard,Funguar --hand-b Quistis,Zell,Irvine,Rinoa,Selphie";
const TRIAD: &str = "ff8 same,plus ......... 8A32,1234,5555f,6666,7777 1111,2222,3333,4444,5555 ..3.7.... ..a.b.... a";
#[test]
fn cephalopods() {
    holds("cephalopods-sum", "cephalopods sum 051000401 --depth 20 --json");
    holds("cephalopods-moves", "cephalopods moves 051000401 --json");
    holds("cephalopods-count", "cephalopods count 051000401 --depth 5 --exact --json");
    holds("cephalopods-count", "cephalopods count 000000000 --depth 40 --exact --json");
    holds("cephalopods-heatmap", "cephalopods heatmap --last-rank 1 --from 6 --to 7 --boards 1 --json");
    for size in ["5.a.6.c.2:A", ".........:A --rule sixes", "--size 3x5 --nodes 1000", "666666666:A"] {
        holds("cephalopods-solve", &format!("cephalopods solve {size} --json"));
    }
    // One board per line of standard input, one answer for each.
    for (line, input) in [
        ("cephalopods count - --depth 3 --json", "051000401\n\n000000000\n"),
        ("cephalopods sum - --json", "051000401 3\n000000000 2\n"),
        ("cephalopods solve - --json", ".........:A\n5.a.6.c.2:A\n"),
        ("uttt moves - --json", "9/9/9/9/9/9/9/9/9 X 0 -\n9/9/9/9/4X4/9/9/9/9 O 1 e5\n"),
        ("triad solve --position - --json", &format!("{TRIAD}\n{TRIAD}\n")),
    ] {
        let ended = run(&words(line), input);
        assert!(ended.status.success(), "{line}: {}", String::from_utf8_lossy(&ended.stderr));
        assert_eq!(String::from_utf8(ended.stdout).unwrap().lines().count(), 2, "{line}");
    }
    let folder = Folder::new();
    let table = folder.path("table");
    holds("cephalopods-table", &format!("cephalopods table build --ranks 36 --json --file {table}"));
    holds("cephalopods-table", &format!("cephalopods table verify --json --file {table}"));
    holds("cephalopods-bundle", &format!("cephalopods bundle --json --output {}", folder.path("bundle.rs")));
}

#[test]
fn triad() {
    holds("triad-cards", "triad cards --json");
    holds("triad-cards", "triad cards --game ff14 --json");
    holds("triad-cards", "triad cards shiwa --json");
    holds("triad-npcs", "triad npcs --json");
    holds("triad-npcs", "triad npcs baderon --json");
    holds("triad-npcs", "triad npcs --drops Titan --json");
    let proofs = Folder::new();
    let proof = proofs.path("proof");
    holds("triad-deck", &format!("triad deck --npc baderon --owned all --proof {proof} --json"));
    holds("triad-verify-deck", &format!("triad verify-deck {proof} --json"));
    holds("triad-decks", "triad decks --json");
    holds("triad-draft", "triad draft Titan,Garuda --games 2 --json");
    let moves = "--moves 'a:Squall@4 b:Zell@0 a:Ifrit@1 b:Quistis@2'";
    holds("triad-solve", &format!("triad solve {HANDS} {moves} --json"));
    holds("triad-solve", &format!("triad solve {HANDS} {moves} --rules same,plus --all-moves --json"));
    let chaos = "--game ff14 --rules chaos --hand-a #1,#2,#3,#4,#5 --hand-b #6,#7,#8,#9,#10";
    let moves = "--moves 'a:#1@4 b:#6@0 a:#2@1 b:#7@2'";
    holds("triad-solve", &format!("triad solve {chaos} {moves} --all-moves --json"));
    let folder = Folder::new();
    let games = folder.write(
        "games.json",
        r##"{"games":[{"rules":["same"],"hand_a":["Squall","Ifrit","Shiva","#1","#2"],"hand_b":["1111","2222","3333","4444","5555"],
            "moves":[{"player":"a","card":"Squall","cell":4},{"player":"b","card":0,"cell":3},{"player":"a","card":1,"cell":0}]}]}"##,
    );
    holds("triad-replay", &format!("triad replay {games} --json"));
    holds("triad-replay", &format!("triad replay {games} --explain --json"));
    holds("triad-solve", &format!("triad solve {games} --json"));
    holds("triad-solve", &format!("triad solve {games} --all-moves --json"));
}

#[test]
fn uttt() {
    holds("uttt-perft", "uttt perft --depth 3 --json");
    holds("uttt-moves", "uttt moves --json");
    holds("uttt-moves", "uttt moves --algebraic --json");
    holds("uttt-show", &format!("uttt show '{DRAWN}' --json"));
    holds("uttt-analyse", "uttt analyse --time 50ms --lines 3 --json");
    holds("uttt-analyse", &format!("uttt analyse '{DRAWN}' --time 100ms --lines 81 --json"));
    let proof = Folder::new();
    holds("uttt-solve", &format!("uttt solve '{DRAWN}' --line --json --proof {}", proof.path("proof")));
    holds("uttt-verify", &format!("uttt verify {} --json", proof.path("proof")));
    let folder = Folder::new();
    holds("uttt-bundle", &format!("uttt bundle --json --output {}", folder.path("bot.rs")));
}

/// A whole game with every command.
#[test]
fn play() {
    let commands = "moves\nhint\neval\nundo\nlevel 11\nlevel 1\nnonsense\nhelp\nshow\n";
    for (line, moves) in [
        ("cephalopods play --json", "4\nundo\nredo\n"),
        ("triad play --seed 3 --json", "1 4\nundo\nredo\n"),
        ("uttt play --time 10ms --json", "ee\nundo\nredo\n"),
    ] {
        let text = holds_with("play", line, &format!("{commands}{moves}quit\n"));
        let events: BTreeSet<String> = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(events.len(), 8, "{line}: {events:?}");
    }
    holds("play", "cephalopods play --you none --json");
    holds_with("play", "triad play --game ff14 --rules draft --json", "9\n1\n2\n3\n1\n2\nquit\n");
}

#[test]
fn the_rest() {
    holds("doctor", "doctor --json");
    holds("bench", "bench triad --time 1ms --json");
}

#[test]
fn every_verb_is_documented() {
    let folder = Folder::new();
    let ended = run(&words(&format!("man --folder {}", folder.path(""))), "");
    assert!(ended.status.success());
    let pages: BTreeSet<String> = std::fs::read_dir(folder.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| Some(name.strip_prefix("ninefold-")?.strip_suffix(".1")?.to_owned()))
        .collect();
    let is_group = |page: &String| pages.iter().any(|other| other.starts_with(&format!("{page}-")));
    let documented: Vec<&str> =
        DOCUMENT.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    for page in pages.iter().filter(|page| !is_group(page) && !WITHOUT.contains(&page.as_str())) {
        let help = run(&words(&format!("{} --help", page.replace('-', " ").replace("verify deck", "verify-deck"))), "");
        let help = String::from_utf8(help.stdout).unwrap();
        assert!(
            help.contains("--json"),
            "`ninefold {}` lacks --json",
            page.replace('-', " ").replace("verify deck", "verify-deck")
        );
        // The three verbs of `table` share one schema, and so do the three games.
        let name = if page.starts_with("cephalopods-table-") { "cephalopods-table" } else { page };
        let name = if page.ends_with("-play") { "play" } else { name };
        assert!(documented.contains(&name), "docs/json.md lacks {name}");
        schema_of(name);
    }
}
