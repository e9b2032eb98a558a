//! Tests of `ninefold match`: games follow the rules whatever the players do, and the record file is reliable.

#![allow(missing_docs, reason = "a test")]

mod common;

use common::{Folder, program, run};
use serde_json::Value;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ninefold");

fn matched(arguments: &[&str]) -> Output {
    run(&[&["match"], arguments].concat(), "")
}

fn lines(ended: &Output) -> Vec<Value> {
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let text = String::from_utf8(ended.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The games of a match in order, without times, and its result.
fn played(arguments: &[&str]) -> (Vec<Value>, Value) {
    let mut games = lines(&matched(arguments));
    let result = games.pop().unwrap();
    (sorted(games), result)
}

fn sorted(mut games: Vec<Value>) -> Vec<Value> {
    games.sort_by_key(|game| game["game"].as_u64());
    for game in &mut games {
        game["seconds"] = Value::Null;
    }
    games
}

const SMALL: &str = "builtin:memory=16";

#[test]
fn the_stronger_one_wins_and_the_match_repeats_to_the_digit() {
    let arguments = |concurrency| {
        let weak = "builtin:uttt,memory=16,level=1";
        let limits = ["--nodes", "2000", "--games", "6", "--seed", "5", "--json", "--concurrency", concurrency];
        [&["--game", "uttt", SMALL, weak][..], &limits].concat()
    };
    let (games, result) = played(&arguments("1"));
    assert_eq!(games.len(), 6);
    for (number, pair) in games.chunks(2).enumerate() {
        assert_eq!(pair[0]["opening"], pair[1]["opening"], "a pair has one opening");
        assert!(pair[0]["opening"].as_str().unwrap().starts_with("startpos moves "));
        assert_eq!((&pair[0]["first"], &pair[1]["first"]), (&"a".into(), &"b".into()), "and both colours");
        assert!(number == 0 || pair[0]["opening"] != games[0]["opening"]);
    }
    assert_eq!(result["games"], 6);
    assert!(result["score"].as_f64().unwrap() >= 0.75, "{result}");
    let points: f64 = games.iter().map(|game| game["points"].as_f64().unwrap()).sum();
    assert_eq!(points / 6.0, result["score"].as_f64().unwrap());
    assert_eq!(result["reasons"]["board"], 6);
    assert_eq!(played(&arguments("3")).0, games, "however many at a time");
}

#[test]
fn every_game_is_played_with_another_program_too() {
    let mut schema: Value = serde_json::from_str(include_str!("../../../docs/json.schema.json")).unwrap();
    schema["$ref"] = "#/$defs/match".into();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (game, options, nodes) in
        [("uttt", "rule=open", "300"), ("triad", "rules=same,plus", "1000000000"), ("cephalopods", "rule=sixes", "300")]
    {
        let other = format!("ugi,Level=10:'{PROGRAM}' engine --game {game}");
        let limits = ["--nodes", nodes, "--games", "4", "--json", "--option", options];
        let arguments = [&["--game", game, "builtin:level=10", &other][..], &limits].concat();
        let ended = matched(&arguments);
        let all = lines(&ended);
        assert_eq!(all.len(), 5);
        for line in &all {
            let faults: Vec<String> = validator.iter_errors(line).map(|fault| fault.to_string()).collect();
            assert!(faults.is_empty(), "{faults:?}\n{line}");
        }
        assert_eq!(all[4]["reasons"]["board"], 4, "{game}: {}", all[4]);
        assert!(all[0]["terms"].as_str().unwrap().contains(options));
        if game == "triad" {
            assert_ne!(all[0]["opening"], all[2]["opening"], "each pair has its deal");
            // Both players are exact, so the deal decides, whoever moves first.
            assert_eq!(all[0]["result"], all[1]["result"]);
        }
    }
}

#[test]
fn clocks_and_bots() {
    let other = format!("ugi:{PROGRAM} engine --game uttt --option hash=16");
    let clock = ["--clock", "400ms+5ms", "--games", "2", "--margin", "5s", "--json"];
    let (_, result) = played(&[&["--game", "uttt", SMALL, &other][..], &clock].concat());
    assert_eq!(result["reasons"]["board"], 2, "{result}");
    let bot = format!("codingame:{PROGRAM} uttt codingame --memory 16M --time 5ms --first-time 10ms");
    let time = ["--time", "5ms", "--games", "2", "--margin", "5s", "--json"];
    let (games, result) = played(&[&["--game", "uttt", &bot, SMALL][..], &time].concat());
    assert_eq!(result["reasons"]["board"], 2, "{result}");
    assert_eq!(games[0]["opening"], "startpos", "a bot begins at the start");
    assert!(games[0]["terms"].as_str().unwrap().contains("rule=codingame"));
}

/// A UGI program that runs the shell command `go` when it has to move.
fn fake(folder: &Folder, name: &str, go: &str) -> String {
    let script = format!(
        "while read -r line; do case \"$line\" in\nugi) echo id name fake; echo ugiok;;\nisready) echo readyok;;\n\
         go*) {go};;\nquit) exit 0;;\nesac; done\n"
    );
    format!("ugi:sh '{}'", folder.write(name, &script))
}

#[test]
fn a_game_can_be_lost_off_the_board() {
    let folder = Folder::new();
    for (name, go, reason) in [
        ("illegal", "echo bestmove z9", "illegal"),
        ("empty", "echo bestmove", "illegal"),
        ("late", "sleep 30", "time"),
        ("deaf", "exec sleep 30", "time"),
        ("gone", "exit 3", "crash"),
        ("babbling", "while :; do echo info string still thinking; done", "time"),
    ] {
        let bad = fake(&folder, name, go);
        let start = Instant::now();
        let limits = ["--time", "20ms", "--margin", "300ms", "--games", "2", "--json"];
        let (games, result) = played(&[&["--game", "uttt", &bad, SMALL][..], &limits].concat());
        assert_eq!((&result["losses"], &result["reasons"][reason]), (&2.into(), &2.into()), "{name}: {games:?}");
        let forfeits = &result["forfeits"];
        assert_eq!((&forfeits["a"][reason], &forfeits["b"][reason]), (&2.into(), &0.into()), "{name}: {forfeits}");
        assert!(start.elapsed() < Duration::from_secs(15), "{name}: {:?}", start.elapsed());
    }
}

#[test]
fn a_program_that_is_no_engine_is_named_with_what_it_did() {
    let no_engine = "not a UGI engine: it ";
    let late = "did not answer `ugi` with `ugiok` within 10 s; it printed ";
    let folder = Folder::new();
    let red = folder.write("red", "printf '\\033[31mred\\n'; exit 3");
    let endless = folder.write("endless", "tr '\\0' x < /dev/zero");
    let players = [
        ("ugi:no-such-program-anywhere".to_owned(), "cannot start".to_owned()),
        ("codingame:no-such-program-anywhere".to_owned(), "cannot start".to_owned()),
        (
            "ugi:true".to_owned(),
            format!("{no_engine}failed before it answered `ugi` with `ugiok` (exit status: 0); it printed nothing"),
        ),
        (format!("ugi:sh '{red}'"), "(exit status: 3); it printed `\u{fffd}[31mred`".to_owned()),
        (format!("ugi:sh '{endless}'"), "(it printed a line longer than 1 MiB)".to_owned()),
        ("ugi:cat".to_owned(), format!("{no_engine}{late}`ugi`")),
        ("ugi:yes".to_owned(), format!("{no_engine}{late}`y`")),
        ("ugi:sleep 100".to_owned(), format!("{no_engine}{late}nothing")),
    ];
    // At the same time, because three of them wait for ten seconds.
    std::thread::scope(|scope| {
        for (player, message) in &players {
            scope.spawn(move || {
                let ended = matched(&["--game", "uttt", player, SMALL]);
                let said = String::from_utf8(ended.stderr).unwrap();
                assert!(ended.status.code() == Some(1) && said.contains(message), "{player}: {said}");
                assert!(said.contains(player) && !said.contains('\u{1b}'), "{player}: {said:?}");
            });
        }
    });
}

#[test]
fn what_a_program_prints_is_bounded_and_clean() {
    let folder = Folder::new();
    let noisy = "printf '\\033[2Jcomplaint\\n' >&2; printf 'bestmove \\033[31mred\\007\\n'";
    let noisy = fake(&folder, "noisy", noisy);
    let limits = ["--nodes", "50", "--games", "2"];
    let ended = matched(&[&["--game", "uttt", &noisy, SMALL][..], &limits].concat());
    let (out, errors) = (String::from_utf8(ended.stdout).unwrap(), String::from_utf8(ended.stderr).unwrap());
    assert!(out.contains("A made the illegal move `\u{fffd}[31mred\u{fffd}`"), "{out}");
    assert!(errors.contains("A: \u{fffd}[2Jcomplaint"), "{errors}");
    assert!(!out.contains(['\u{1b}', '\u{7}']) && !errors.contains(['\u{1b}', '\u{7}']), "{out}{errors}");
    assert!(out.contains("Forfeits: A 2 by an illegal move; B none"), "{out}");
    let endless = fake(&folder, "endless", "tr '\\0' x < /dev/zero");
    let (games, _) = played(&[&["--game", "uttt", &endless, SMALL, "--json"][..], &limits].concat());
    for game in games {
        assert_eq!(
            (&game["reason"], &game["detail"]),
            (&"crash".into(), &"it printed a line longer than 1 MiB".into())
        );
    }
}

/// Whether a process is alive.
#[cfg(target_os = "linux")]
fn lives(process: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !state.is_empty() && !state.rsplit(')').next().unwrap().trim_start().starts_with(['Z', 'X'])
}

#[cfg(target_os = "linux")]
#[test]
fn no_program_outlives_the_match_and_an_interrupt_tells_the_score() {
    let folder = Folder::new();
    let list = folder.path("processes");
    let stubborn =
        format!("trap '' TERM INT HUP; echo $$ >> '{list}'; sleep 1000 & echo $! >> '{list}'; wait; sleep 1000");
    let bad = fake(&folder, "stubborn", &stubborn);
    let all_gone = || {
        let processes = std::fs::read_to_string(&list).unwrap();
        assert!(processes.lines().count() >= 2, "{processes}");
        let start = Instant::now();
        while processes.lines().any(lives) {
            assert!(start.elapsed() < Duration::from_secs(5), "{processes} still live");
            std::thread::sleep(Duration::from_millis(10));
        }
        std::fs::remove_file(&list).unwrap();
    };
    let limits = ["--time", "20ms", "--margin", "100ms", "--games", "2", "--json"];
    played(&[&["--game", "uttt", &bad, SMALL][..], &limits].concat());
    all_gone();

    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let mut child = program()
            .args(["match", "--game", "uttt", &bad, SMALL, "--time", "600s", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while std::fs::read_to_string(&list).map_or(0, |text| text.lines().count()) < 2 {
            assert!(start.elapsed() < Duration::from_secs(30), "the player was not asked");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(code));
        let told = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        assert!(told.contains("\"games\":0"), "{told}");
        all_gone();
    }
}

#[test]
fn a_match_goes_on_where_it_was_left() {
    let folder = Folder::new();
    let file = folder.path("games.jsonl");
    let play = |games: &str, nodes: &str| {
        let limits = ["--nodes", nodes, "--games", games, "--seed", "3", "--json", "--record", &file];
        matched(&[&["--game", "cephalopods", "builtin:level=6", "builtin:level=3"][..], &limits].concat())
    };
    let recorded = || -> Vec<Value> {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.ends_with('\n'));
        sorted(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    };
    let whole = lines(&play("6", "100"));
    let games = recorded();
    assert_eq!(sorted(whole[..6].to_vec()), games);

    // A crash while the fifth game was written.
    let text = std::fs::read_to_string(&file).unwrap();
    let torn: String = text.split_inclusive('\n').take(4).chain([&text[..50]]).collect();
    std::fs::write(&file, &torn).unwrap();
    let ended = play("6", "100");
    assert!(String::from_utf8_lossy(&ended.stderr).contains("the last line was cut short"));
    let rest = lines(&ended);
    assert_eq!(rest.len(), 3, "two games and the result");
    assert_eq!(rest[2], whole[6], "the same result");
    assert_eq!(recorded(), games, "the same games");

    // With no games left, then with more games.
    assert_eq!(lines(&play("6", "100")), whole[6..]);
    assert_eq!(lines(&play("8", "100")).len(), 3);
    assert_eq!(recorded()[..6], games);

    let text = std::fs::read_to_string(&file).unwrap();
    let refused = |text: &str, nodes: &str, message: &str| {
        std::fs::write(&file, text).unwrap();
        let ended = play("8", nodes);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.code() == Some(1) && said.contains(message), "{message}: {said}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "a file that is refused is left alone");
    };
    refused(&text, "200", "line 1: it belongs to another match");
    refused(&text.replacen("\"p1win\"", "\"p2win\"", 1), "100", "the result is not that of the moves");
    refused(&text.replacen('{', "[", 1), "100", "line 1: ");
    refused(&format!("{text}{}\n", text.lines().next().unwrap()), "100", "is there twice");
}

#[test]
fn openings_come_from_a_file() {
    let folder = Folder::new();
    let file = folder.write("openings", "# two\nstartpos moves e5 d4\n\n9/9/9/9/4x4/9/9/9/9 O 1 e5 moves d6\n");
    let limits = ["--nodes", "100", "--games", "6", "--json", "--openings", &file];
    let (games, _) = played(&[&["--game", "uttt", SMALL, SMALL][..], &limits].concat());
    let openings: Vec<&str> = games.iter().step_by(2).map(|game| game["opening"].as_str().unwrap()).collect();
    let second = "fen 9/9/9/9/4x4/9/9/9/9 O 1 e5 moves ea";
    assert_eq!(openings, ["startpos moves ee eg", second, "startpos moves ee eg"]);
    let bad = folder.write("bad", "startpos\nstartpos moves e5 e5\n");
    let ended = matched(&["--game", "uttt", SMALL, SMALL, "--openings", &bad]);
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.code() == Some(2) && said.contains("line 2 of the openings: move 2 `e5`"), "{said}");
}

#[test]
fn what_is_proved_need_not_be_played() {
    let limits = ["--nodes", "500", "--games", "2", "--json", "--adjudicate"];
    let (games, result) = played(&[&["--game", "uttt", SMALL, SMALL][..], &limits].concat());
    assert_eq!(result["reasons"]["proved"], 2, "{games:?}");
    // Both players are perfect, so the games end as the solver says.
    let limits = ["--nodes", "100000", "--games", "2", "--json"];
    let full = played(&[&["--game", "cephalopods", "builtin", "builtin"][..], &limits].concat()).0;
    let short = played(&[&["--game", "cephalopods", "builtin", "builtin", "--adjudicate"][..], &limits].concat()).0;
    for (full, short) in full.iter().zip(&short) {
        assert_eq!((&full["result"], short["moves"].as_array().unwrap().len()), (&short["result"], 2));
    }
}

#[test]
fn people_are_told_the_score() {
    let players = ["--game", "triad", "builtin", "builtin:level=1", "--nodes", "1000000"];
    let ended = matched(&[&players[..], &["--games", "4", "--every", "2"]].concat());
    let told = String::from_utf8(ended.stdout).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("game 1: A first, 9 moves, "), "{told}");
    assert!(lines[2].starts_with("score after 2 games: +") && lines[5].starts_with("score after 4 games: +"), "{told}");
    assert_eq!(lines[6..9], ["A  builtin", "B  builtin:level=1", "triad, 1,000,000 nodes per move"]);
    assert!(lines[9].starts_with("Games: 4, Wins: ") && lines[10].starts_with("Elo: "), "{told}");
    assert!(lines[11].starts_with("Ptnml(0-2): [") && lines[12] == "Forfeits: A none; B none", "{told}");
    // Two pairs prove nothing: the likelihood of superiority was once 100.0 %.
    let los: f64 = lines[10].split("LOS: ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((5.0..95.0).contains(&los), "{told}");
    let told = String::from_utf8(matched(&[&players[..], &["--games", "10"]].concat()).stdout).unwrap();
    assert_eq!(told.lines().filter(|line| line.starts_with("score after ")).count(), 1, "{told}");
}

#[test]
fn a_sequential_test_ends_the_match() {
    let folder = Folder::new();
    let file = folder.path("games.jsonl");
    let play = |a: &str, b: &str, more: &[&str]| {
        let test = ["--game", "cephalopods", a, b, "--nodes", "50", "--sprt", "elo0=-20,elo1=120", "--json"];
        let mut lines = lines(&matched(&[&test[..], more].concat()));
        let result = lines.pop().unwrap();
        (lines.len(), result)
    };
    let (strong, weak) = ("builtin", "builtin:level=1");
    let (games, result) = play(strong, weak, &["--record", &file]);
    assert!((4..400).contains(&games), "{result}");
    let sprt = &result["sprt"];
    assert_eq!((&sprt["accepted"], &sprt["elo0"], &sprt["elo1"]), (&"h1".into(), &(-20.0).into(), &120.0.into()));
    assert!(sprt["llr"].as_f64() >= sprt["upper"].as_f64(), "{sprt}");
    let (again, same) = play(strong, weak, &["--record", &file]);
    assert_eq!((again, &same), (0, &result), "a decided match is not played on");
    let (_, result) = play(weak, strong, &["--concurrency", "2"]);
    assert_eq!(result["sprt"]["accepted"], "h0", "{result}");
    let (games, result) = play(strong, weak, &["--games", "2"]);
    assert!(games == 2 && result["sprt"]["accepted"].is_null(), "{result}");
    let arguments = ["--game", "cephalopods", weak, strong, "--nodes", "50", "--sprt", "elo0=0,elo1=99"];
    let told = String::from_utf8(matched(&arguments).stdout).unwrap();
    assert!(told.ends_with("H0 accepted: 0 Elo is more likely than 99\n"), "{told}");
}

#[test]
fn scores_end_games_if_wanted() {
    // Exact players: the loser knows it from the start, and both know a draw.
    for (game, nodes, rule, reason, result) in [
        ("cephalopods", "1000000", ["--resign", "moves=1,score=1000"], "resign", None),
        ("triad", "1000000000", ["--draw", "moves=2,score=0,after=4"], "agreed", Some("draw")),
    ] {
        let limits = ["--nodes", nodes, "--games", "6", "--json"];
        let other = format!("ugi:'{PROGRAM}' engine --game {game}");
        let players = ["--game", game, "builtin", &other];
        let full = played(&[&players[..], &limits].concat()).0;
        let short = played(&[&players[..], &limits, &rule].concat()).0;
        let mut ended_early = 0;
        for (full, short) in full.iter().zip(&short) {
            assert_eq!(full["result"], short["result"]);
            if short["reason"] == reason {
                ended_early += 1;
                assert!(short["moves"].as_array().unwrap().len() < full["moves"].as_array().unwrap().len());
                assert!(result.is_none_or(|result| short["result"] == result));
            }
        }
        assert!(ended_early > 0, "{game}: {short:?}");
        assert!(short[0]["terms"].as_str().unwrap().ends_with(&format!(" {} {}", &rule[0][2..], rule[1])));
    }
}

#[test]
fn what_cannot_be_a_match_is_refused() {
    for arguments in [
        &[][..],
        &["--game", "uttt"],
        &["--game", "uttt", "builtin"],
        &["--game", "chess", "builtin", "builtin"],
        &["--game", "uttt", "builtin", "someone"],
        &["--game", "uttt", "builtin", "builtin:triad"],
        &["--game", "uttt", "builtin", "builtin", "--games", "3"],
        &["--game", "uttt", "builtin", "builtin", "--games", "0"],
        &["--game", "uttt", "builtin", "builtin", "--time", "1s", "--nodes", "5"],
        &["--game", "uttt", "builtin", "builtin", "--clock", "soon"],
        &["--game", "uttt", "builtin", "builtin", "--option", "rule=chess"],
        &["--game", "uttt", "builtin", "builtin", "--option", "nonsense"],
        &["--game", "uttt", "builtin", "builtin", "--random-plies", "200"],
        &["--game", "triad", "builtin", "codingame:true"],
        &["--game", "uttt", "builtin", "codingame:true", "--random-plies", "2"],
        &["--game", "uttt", "builtin", "codingame:true", "--nodes", "2"],
        &["--game", "uttt", "builtin", "ugi:'unclosed"],
        &["--game", "uttt", "builtin", "builtin", "--sprt", "elo0=10,elo1=0"],
        &["--game", "uttt", "builtin", "builtin", "--sprt", "0,10"],
        &["--game", "uttt", "builtin", "builtin", "--resign", "moves=3"],
        &["--game", "uttt", "builtin", "builtin", "--draw", "moves=3,score=2000,after=9"],
        &["--game", "uttt", "builtin", "builtin", "--every", "0"],
        &["--game", "uttt", "builtin", "builtin", "--every", "5", "--json"],
    ] {
        let ended = matched(arguments);
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
        assert!(!ended.stderr.is_empty());
    }
    for player in ["builtin:level=0", "builtin:level=11", "builtin:level=x", "builtin:colour=blue"] {
        let ended = matched(&["--game", "uttt", "builtin", player]);
        assert_eq!(ended.status.code(), Some(2), "{player}");
    }
}
