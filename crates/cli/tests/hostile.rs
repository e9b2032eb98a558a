//! Tests of malformed command lines: each ends with a clear message and the right exit code, without a panic or a hang.

mod common;

use common::words;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longest time of a refusal.
const PATIENCE: Duration = Duration::from_secs(20);

struct Ended {
    code: Option<i32>,
    out: String,
    error: String,
}

/// Runs the program on raw bytes, and kills it if it hangs.
fn run(arguments: &[Vec<u8>], input: &[u8]) -> Ended {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(arguments.iter().map(|argument| OsString::from_vec(argument.clone())))
        .env("XDG_CACHE_HOME", "/dev/null/cache")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A program that refuses its arguments does not read its input, so writing may fail.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let mut pipes = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let out = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipes.0.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
    });
    let error = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipes.1.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
    });
    let start = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if start.elapsed() > PATIENCE => {
                child.kill().unwrap();
                panic!("{arguments:?} hangs");
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    writer.join().unwrap();
    Ended { code: status.code(), out: out.join().unwrap().unwrap(), error: error.join().unwrap().unwrap() }
}

fn bytes(line: &str) -> Vec<Vec<u8>> {
    words(line).into_iter().map(String::into_bytes).collect()
}

fn refused(line: &str, input: &[u8], code: i32) {
    check(&bytes(line), input, code);
}

fn check(arguments: &[Vec<u8>], input: &[u8], code: i32) {
    let shown: Vec<_> = arguments.iter().map(|word| String::from_utf8_lossy(&word[..word.len().min(60)])).collect();
    let Ended { code: found, out, error } = run(arguments, input);
    assert_eq!(found, Some(code), "{shown:?}: {error}\n{out}");
    assert!(!error.contains("panicked"), "{shown:?}: {error}");
    let said = error.trim();
    assert!(said.starts_with("error:") || said.contains("Usage:"), "{shown:?} says no more than: {said:?}");
    assert!(said.len() > 12 && said.len() < 4000, "{shown:?}: {} bytes: {said}", said.len());
}

const START: &str =
    "X;.........;........./........./........./........./........./........./........./........./.........";

#[test]
fn the_program_itself() {
    let mut lines =
        vec!["", "nothing", "--nothing", "UTTT", "uttt", "triad", "cephalopods", "uttt nothing", "triad uttt"];
    lines.extend(["serve extra", "serve --port 65536", "serve --port -1", "serve --port x", "serve --host nowhere"]);
    lines.extend([
        "serve --host 300.0.0.1",
        "completions",
        "completions klingon",
        "doctor extra",
        "man --folder",
        "help nothing",
    ]);
    for line in lines {
        refused(line, b"", 2);
    }
    refused("man --folder /dev/null/pages", b"", 1);
    refused("serve --host 203.0.113.7 --port 1", b"", 1);
}

#[test]
fn cephalopods_questions() {
    let boards = [
        "sum",
        "sum ''",
        "sum 12345 --depth 3",
        "sum 0123456789 --depth 3",
        "sum 777777777 --depth 3",
        "sum 00000000x --depth 3",
        "sum 000000009 --depth 3",
        "sum 00000000é --depth 3",
        "sum -000000000 --depth 3",
        "sum 000000000",
        "sum 000000000 --depth",
        "sum 000000000 --depth -1",
        "sum 000000000 --depth 4294967296",
        "sum 000000000 --depth 1.5",
        "sum 000000000 --depth ten",
        "sum 000000000 --depth 3 --engine magic",
        "sum 000000000 --depth 3 --isa avx9",
        "sum 000000000 --depth 3 --isa neon",
        "sum 000000000 --depth 3 --depth 4",
        "sum 000000000 11111111 --depth 3",
        "sum 000000000 111111111",
        "sum 000000000 --depth 3 --threads 257",
        "sum 000000000 --depth 3 --threads 18446744073709551615",
        "moves",
        "moves 12",
        "moves 99999999999999999",
        "count 000000000",
        "count 00000000 --depth 2",
        "count 000000000 --depth 2 --finals -1",
        "table",
        "table nothing",
        "table build --ranks ''",
        "table build --ranks 5-3",
        "table build --ranks x",
        "heatmap --from 9 --to 8",
        "heatmap --last-rank 49",
        "heatmap --boards 0",
        "heatmap --boards 10001",
        "heatmap --engine scratch,magic",
        "bundle --rank 49",
        "table build --ranks 49",
        "table build --ranks 0-49",
        "solve nonsense",
        "solve .........:C",
        "solve ........:A",
        "solve ..........:A",
        "solve 7........:A",
        "solve --size 9x9",
        "solve --size 3",
        "solve --size 0x3",
        "solve --size 3x-3",
        "solve --size 3x5 .........:A",
        "solve --rule chess",
        "solve --size 3x5 --time -1",
        "play nonsense",
        "play --rule chess",
        "contest extra",
    ];
    for line in boards {
        refused(&format!("cephalopods {line}"), b"", 2);
    }
    for (line, code) in [
        ("sum 000000000 --depth 3 --engine table", 1),
        ("sum 000000000 --depth 3 --engine table --file /nonexistent/table", 1),
        ("sum 000000000 --depth 3 --engine table --file /dev/null", 1),
        ("table info", 1),
        ("table verify --file /dev/null", 1),
        ("table build --ranks 36 --file /dev/null/folder/table", 1),
        ("bundle --output /dev/null/bundle.rs", 1),
        ("heatmap --last-rank 0 --from 6 --to 6 --svg /dev/null/plot.svg", 1),
    ] {
        refused(&format!("cephalopods {line}"), b"", code);
    }
}

#[test]
fn cephalopods_input() {
    let contests: &[&[u8]] = &[
        b"",
        b"20",
        b"20 1 2 3",
        b"20 0 0 0 0 0 0 0 0 7",
        b"20 0 0 0 0 0 0 0 0 0 0",
        b"-1 0 0 0 0 0 0 0 0 0",
        b"x",
        b"4294967296 0 0 0 0 0 0 0 0 0",
        b"20 0 0 0 0 0 0 0 0 zero",
    ];
    for input in contests {
        refused("cephalopods contest", input, 2);
    }
    for input in [&b"000000000"[..], b"000000000 x", b"12 3", b"\0\0\0", b"000000000 3 4"] {
        refused("cephalopods sum -", input, 2);
    }
    refused("cephalopods contest", b"20 \xff\xfe", 2);
    refused("cephalopods sum -", b"\xff\xfe 3\n", 2);
    refused("cephalopods solve -", b"nonsense\n", 2);
}

#[test]
fn uttt_questions() {
    let lines = [
        "perft",
        "perft --depth",
        "perft --depth -1",
        "perft --depth x",
        "perft --depth 99999999999",
        "perft --depth 2 nonsense",
        "moves X;",
        "moves ''",
        "moves X;.........",
        "show O;@@.......;x",
        "show Z;.........;",
        "analyse nonsense",
        "analyse --time -1s",
        "analyse --time 1y",
        "analyse --time",
        "analyse --level 0",
        "analyse --level 11",
        "analyse --search magic",
        "analyse --memory 0",
        "analyse --memory 99999999999999999999G",
        "analyse --lines -1",
        "analyse --rule chess",
        "solve",
        "solve nonsense",
        "solve --threads -1 nonsense",
        "solve --proof",
        "verify",
        "play nonsense",
        "codingame extra",
        "show '9/9/9/9/9/9/9/9/9 X 0'",
        "show '9/9/9/9/9/9/9/9 X 0 -'",
        "show '9/9/9/9/9/9/9/9/9 Y 0 -'",
        "show '9/9/9/9/9/9/9/9/8 X 0 -'",
    ];
    for line in lines {
        refused(&format!("uttt {line}"), b"", 2);
    }
    refused(&format!("uttt solve --proof /tmp/never '{START}' '{START}'"), b"", 2);
    // Too many marks of one side; a finished game.
    refused(&format!("uttt show '{}'", START.replacen("........./", "XX......./", 1)), b"", 2);
    refused("uttt verify /nonexistent/proof", b"", 1);
    refused("uttt verify /dev/null", b"", 1);
    refused("uttt moves -", b"nonsense\n", 2);
    refused("uttt moves -", b"\xff\xff\n", 2);
}

#[test]
fn triad_questions() {
    let five = "1111,2222,3333,4444,5555";
    let hands = format!("--hand-a {five} --hand-b {five}");
    let lines = [
        "solve".to_owned(),
        format!("solve --hand-a {five}"),
        "solve --hand-a 1111 --hand-b 1111".to_owned(),
        format!("solve --hand-a {five},6666 --hand-b {five}"),
        format!("solve --hand-a 0111,2222,3333,4444,5555 --hand-b {five}"),
        format!("solve --hand-a Nobody,2222,3333,4444,5555 --hand-b {five}"),
        format!("solve --hand-a #9999,2222,3333,4444,5555 --hand-b {five}"),
        format!("solve {hands} --rules chess"),
        format!("solve {hands} --rules ascension"),
        format!("solve {hands} --game ff7"),
        format!("solve {hands} --first c"),
        format!("solve {hands} --moves a:1111@9"),
        format!("solve {hands} --moves b:1111@0"),
        format!("solve {hands} --moves nonsense"),
        format!("solve {hands} --moves 'a:1111@0 b:1111@0'"),
        format!("solve {hands} --moves a:9999@0"),
        format!("solve {hands} --elements xxxxxxxxx"),
        format!("solve {hands} --elements f"),
        format!("solve {hands} --elements f........"),
        format!("solve {hands} --isa avx9"),
        format!("solve {hands} --threads x"),
        format!("solve {hands} file.json"),
        format!("solve {hands} --legal-decks c"),
        "solve --position nonsense".to_owned(),
        "solve --position 'ff8 - ......... 1111 2222 ......... ......... a'".to_owned(),
        format!("solve --game ff14 {hands} --rules ascension,descension"),
        "cards --game ff9".to_owned(),
        "npcs --game ff8".to_owned(),
        "replay".to_owned(),
        "play --you c".to_owned(),
        "play --npc Nobody".to_owned(),
        "play --trade everything".to_owned(),
        "play --game ff14 --trade one".to_owned(),
        "play --seed -1".to_owned(),
    ];
    for line in &lines {
        refused(&format!("triad {line}"), b"", 2);
    }
    refused("triad solve /nonexistent/games.json", b"", 1);
    refused("triad replay /nonexistent/games.json", b"", 1);
    refused("triad replay /dev/null", b"", 2);
    refused("triad solve /dev/null", b"", 2);
}

#[test]
fn bytes_no_shell_would_send() {
    let verbs: [&[&str]; 7] = [
        &["cephalopods", "moves"],
        &["cephalopods", "solve"],
        &["uttt", "show"],
        &["uttt", "moves"],
        &["uttt", "verify"],
        &["triad", "solve", "--position"],
        &["triad", "replay"],
    ];
    let huge = vec![b'9'; 100_000];
    let words: [&[u8]; 5] = [b"\xff\xfe\xfd", b"\x1b[2J\x07", "\u{202e}\u{1f642}".as_bytes(), b" ", &huge];
    for verb in verbs {
        for word in words {
            let mut arguments: Vec<Vec<u8>> = verb.iter().map(|word| word.as_bytes().to_vec()).collect();
            arguments.push(word.to_vec());
            let ended = run(&arguments, b"");
            assert!(matches!(ended.code, Some(1 | 2)), "{verb:?} {:?}: {:?}", &word[..word.len().min(20)], ended.code);
            assert!(!ended.error.contains("panicked"));
            assert!(!ended.error.contains('\u{1b}'), "an escape sequence comes back: {:?}", ended.error);
            // A message quotes only the part that is wrong.
            assert!(ended.error.len() < 2000, "{verb:?}: a message of {} bytes", ended.error.len());
        }
    }
}

/// All messages about ranks give the same limit.
#[test]
fn the_highest_rank_is_the_same_everywhere() {
    for line in ["heatmap --last-rank 49", "bundle --rank 49", "table build --ranks 49"] {
        let ended = run(&bytes(&format!("cephalopods {line}")), b"");
        assert!(ended.code == Some(2) && ended.error.contains("48"), "{line}: {}", ended.error);
    }
}

#[test]
fn a_missing_table_says_how_to_build_one() {
    for line in ["table info", "table verify", "sum 000000000 --depth 3 --engine table"] {
        let ended = run(&bytes(&format!("cephalopods {line}")), b"");
        assert!(ended.code == Some(1) && ended.error.contains("`ninefold cephalopods table build`"), "{}", ended.error);
    }
}

#[test]
fn a_name_that_is_like_no_card_finds_none() {
    let long = "squall".repeat(10_000);
    for query in ["%s%n", "%d", "xq", "\u{202e}?", "Ⅲ", &long] {
        for verb in [&["triad", "cards", "--game", "ff14"][..], &["triad", "npcs"]] {
            let mut arguments: Vec<Vec<u8>> = verb.iter().map(|word| word.as_bytes().to_vec()).collect();
            arguments.push(query.as_bytes().to_vec());
            let ended = run(&arguments, b"");
            let query = &query[..query.len().min(60)];
            assert!(ended.code == Some(2) && ended.error.contains("is like"), "{query}: {}{}", ended.out, ended.error);
        }
    }
}

/// An argument comes back cut and without control characters, whoever refuses it.
#[test]
fn a_message_quotes_no_more_than_a_line() {
    let long = "9".repeat(100_000);
    let escape = "\u{1b}[2J\u{7}";
    for word in [long.as_str(), escape] {
        for arguments in [
            vec![word],
            vec!["uttt", word],
            vec!["uttt", "perft", "--depth", word],
            vec!["uttt", "analyse", "--time", word],
            vec!["cephalopods", "heatmap", "--engine", word],
            vec!["match", "--game", word, "builtin", "builtin"],
            vec!["match", "--game", "uttt", word, "builtin"],
        ] {
            let ended = run(&arguments.iter().map(|word| word.as_bytes().to_vec()).collect::<Vec<_>>(), b"");
            assert_eq!(ended.code, Some(2), "{}", ended.error);
            assert!(ended.error.len() < 2000, "{} bytes", ended.error.len());
            assert!(!ended.error.contains(|symbol: char| symbol.is_control() && symbol != '\n'), "{:?}", ended.error);
        }
    }
    // Thousands of commas are thousands of cards that are missing, not a search for names with commas.
    refused(&format!("triad solve --hand-a {} --hand-b 1", ",".repeat(20_000)), b"", 2);
}

/// JSON that is no file of games: the message gives the place and has no word of the reader's types.
#[test]
fn damaged_json_is_refused_in_plain_words() {
    let folder = common::Folder::new();
    let deep = "[".repeat(100_000);
    for (number, text) in [
        "\0",
        "\u{feff}{\"games\":[]}",
        "{\"games\":[\0]}",
        "{'games':[]}",
        "{\"games\":[NaN]}",
        "{\"games\":[]}{}",
        "{\"games\":[],}",
        "{\"games\":[],\"games\":[]}",
        "{\"game\":[]}",
        "{\"\\u001b[2J\":[]}",
        "{\"games\":{}}",
        "{\"games\":[{\"hand_a\":[-1]}]}",
        "{\"games\":[{\"hand_a\":[65536]}]}",
        "{\"games\":[{\"hand_a\":[1e400]}]}",
        "{\"games\":[{\"hand_a\":[\"\\ud800\"]}]}",
        "{\"games\":[{\"hand_a\":[],\"hand_b\":[],\"moves\":[{\"player\":\"a\",\"card\":0,\"cell\":4294967296}]}]}",
        deep.as_str(),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.write(&format!("{number}.json"), text);
        for verb in ["solve", "replay"] {
            let ended = run(&bytes(&format!("triad {verb} {path}")), b"");
            let text = &text[..text.len().min(80)];
            assert_eq!(ended.code, Some(2), "{text}: {}", ended.error);
            assert!(ended.error.contains("line 1, column "), "{text}: {}", ended.error);
            assert!(!ended.error.contains('\u{1b}'), "{text}: {:?}", ended.error);
            for word in ["struct", "u16", "u32", "variant", "sequence", "EOF", "invalid type", "untagged"] {
                assert!(!ended.error.contains(word), "{text}: {}", ended.error);
            }
        }
    }
}

/// A full disk behind standard output is an error; behind standard error it does not change the exit code.
#[cfg(target_os = "linux")]
#[test]
fn full_outputs_are_no_panic() {
    let full = || Stdio::from(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let program = || Command::new(env!("CARGO_BIN_EXE_ninefold"));
    for line in ["uttt show", "triad cards --json", "cephalopods moves 600012300", "completions bash", "man"] {
        let ended = program().args(words(line)).stdout(full()).output().unwrap();
        let error = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.code() == Some(1) && error.starts_with("error: "), "{line}: {error}");
    }
    for line in ["uttt show nonsense", "uttt perft --depth x", "triad cards nobody"] {
        let ended = program().args(words(line)).stderr(full()).output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{line}");
    }
}

#[test]
fn the_largest_seed_deals_several_games() {
    for game in ["triad", "uttt", "cephalopods"] {
        let ended = run(&bytes(&format!("{game} play --seed 18446744073709551615 --plain")), b"new\nnew\nquit\n");
        assert_eq!(ended.code, Some(0), "{game}: {}", ended.error);
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for line in ["triad cards --json", "uttt perft --depth 3 - --json", "completions zsh", "man"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
            .args(words(line))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(format!("{START}\n").repeat(100).as_bytes());
        drop(stdin);
        let ended = child.wait_with_output().unwrap();
        assert_eq!((ended.status.code(), ended.stderr.len()), (Some(0), 0), "{line}: {ended:?}");
    }
}
