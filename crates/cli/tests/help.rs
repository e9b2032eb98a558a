//! Every command explains itself with examples, and the examples work.

mod common;

use common::{DRAWN, Folder, run, words};
use std::process::Command;

/// Examples of these commands are not run: they wait for input, take minutes, or write files.
const NOT_RUN: [&str; 11] = [
    "ninefold serve",
    "ninefold engine",
    "ninefold match",
    "ninefold bench",
    "ninefold cephalopods table build",
    "ninefold uttt codingame",
    "ninefold uttt gate",
    "ninefold uttt pipeline",
    "ninefold man",
    "ninefold doctor --thorough",
    "ninefold cephalopods heatmap --svg",
];

fn leaves() -> Vec<String> {
    let folder = Folder::new();
    assert!(run(&words(&format!("man --folder {}", folder.path(""))), "").status.success());
    let pages: Vec<String> = std::fs::read_dir(folder.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| Some(name.strip_prefix("ninefold-")?.strip_suffix(".1")?.to_owned()))
        .collect();
    let is_group = |page: &String| pages.iter().any(|other| other.starts_with(&format!("{page}-")));
    pages
        .iter()
        .filter(|page| !is_group(page))
        .map(|page| page.replace('-', " ").replace("verify deck", "verify-deck"))
        .collect()
}

#[test]
fn every_command_has_examples_that_work() {
    let folder = Folder::new();
    std::fs::write(folder.path("positions.txt"), format!("{DRAWN}\n")).unwrap();
    std::fs::write(folder.path("mine.csv"), "#1\n#2\n#3\n#4\n#5,3\n").unwrap();
    std::fs::write(folder.path("cards.csv"), "ID,Name,Owned\n1,Dodo,yes\n2,#2,yes\n3,#3,yes\n4,#4,1\n5,#5,1\n6,#6,1\n")
        .unwrap();
    std::fs::write(folder.path("games.json"), GAMES).unwrap();
    let made = [
        format!("cephalopods table build --ranks 36 --file {}", folder.path("barriers.table")),
        format!("uttt solve {DRAWN} --proof {}", folder.path("draw.proof")),
        format!("triad deck --npc baderon --owned all --proof {}", folder.path("baderon.proof")),
    ];
    for line in made {
        assert!(run(&words(&line), "").status.success());
    }
    std::fs::write(folder.path("questions.jsonl"), QUESTION).unwrap();
    let late = "Tioman@2 opponent:Vidofnir@4 me:Roundrox@0 opponent:Byblos@1 me:Zeromus@8 opponent:Griffin@7";
    let (hand, log) = ("Zeromus,#269,Roundrox,Tioman,#93", folder.path("games.jsonl"));
    let game = format!("triad advise --npc Flichoirel --hand {hand} --interactive --log {log} --moves");
    let advised = run(&[&words(&game)[..], &[format!("me:{late}")]].concat(), "\nBehemoth@3\n\n");
    assert!(advised.status.success(), "{advised:?}");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_ninefold"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut tried = 0;
    for leaf in leaves() {
        // Wide enough that no example is wrapped.
        let mut asked = Command::new(program);
        let help = asked.args(words(&format!("{leaf} --help"))).env("COLUMNS", "1000").output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let (_, examples) = help.split_once("Examples:").unwrap_or_else(|| panic!("`ninefold {leaf}` has no examples"));
        for example in examples.lines().filter(|line| line.contains("ninefold ")) {
            let example = example.split("     ").next().unwrap().trim();
            if NOT_RUN.iter().any(|prefix| example.starts_with(prefix)) || example.contains(" > ~") {
                continue;
            }
            let ended = Command::new("sh")
                .args(["-c", example])
                .current_dir(folder.path(""))
                .env("PATH", &path)
                .env("XDG_CACHE_HOME", folder.path(""))
                .stdin(std::process::Stdio::null())
                .output()
                .unwrap();
            let error = String::from_utf8_lossy(&ended.stderr);
            assert!(ended.status.success(), "{example}: {error}");
            tried += 1;
        }
    }
    assert!(tried > 30, "{tried} examples");
}

const QUESTION: &str = r##"{"hand":["Zeromus","#269","Roundrox","Tioman","#93"],"opponent":{"npc":"Flichoirel"},"moves":["me:Tioman@2","opponent:Vidofnir@4","me:Roundrox@0","opponent:Byblos@1","me:Zeromus@8","opponent:Griffin@7"]}"##;

const GAMES: &str = r##"{"games":[{"hand_a":["Squall","Ifrit","Shiva","#1","#2"],"hand_b":["1111","2222","3333","4444","5555"],
    "moves":[{"player":"a","card":"Squall","cell":4},{"player":"b","card":0,"cell":3},{"player":"a","card":1,"cell":0}]}]}"##;

#[test]
fn aliases_and_short_options_are_understood() {
    for (short, long) in [
        ("ceph sum 051000401 -d 9 -j", "cephalopods sum 051000401 --depth 9 --json"),
        ("--colour never ceph moves 600012300", "cephalopods moves 600012300 --color never"),
        ("uttt perft -d 2 -r open -j", "uttt perft --depth 2 --rule open --json"),
        ("triad cards shiva -j", "triad cards shiva --json"),
    ] {
        let (short, long) = (run(&words(short), ""), run(&words(long), ""));
        assert!(short.status.success() && !short.stdout.is_empty(), "{short:?}");
        assert_eq!(short.stdout, long.stdout);
    }
    let analyzed = run(&words("uttt analyze -n 100 -t 60s -T 2 -L 2 -j"), "");
    assert!(analyzed.status.success(), "{analyzed:?}");
}

#[test]
fn several_boards_and_positions_are_answered_in_order() {
    let lines = |line: &str| {
        let ended = run(&words(line), "");
        assert!(ended.status.success(), "{line}: {}", String::from_utf8_lossy(&ended.stderr));
        String::from_utf8(ended.stdout).unwrap()
    };
    for (verb, one, other) in [
        ("cephalopods sum --depth 9", "051000401", "600012300"),
        ("cephalopods count --depth 9", "051000401", "600012300"),
        ("cephalopods count --depth 9 --json", "051000401", "600012300"),
        ("cephalopods moves --json", "051000401", "600012300"),
        ("uttt moves", "'9/9/9/9/4X4/9/9/9/9 O 1 e5'", "'9/9/9/9/9/9/9/9/9 X 0 -'"),
        ("uttt show", "'9/9/9/9/4X4/9/9/9/9 O 1 e5'", "'9/9/9/9/9/9/9/9/9 X 0 -'"),
    ] {
        let both = lines(&format!("{verb} {one} {other}"));
        assert_eq!(both, lines(&format!("{verb} {one}")) + &lines(&format!("{verb} {other}")), "{verb}");
    }
    let moves = lines("cephalopods moves 051000401 600012300");
    assert!(moves.starts_with("051000401:\n") && moves.contains("\n600012300:\n"), "{moves}");
    let solved = lines("cephalopods solve --json 5.a.6.c.2:A 66.f..1..:A");
    assert_eq!(solved.lines().count(), 2, "{solved}");
}

/// The options of a command come first in its help. Those that every command has come last and are short.
#[test]
fn global_options_come_last() {
    for leaf in leaves() {
        let help = run(&words(&format!("{leaf} --help")), "");
        let help = String::from_utf8(help.stdout).unwrap();
        let (help, _) = help.split_once("Examples:").unwrap();
        let at = |name: &str| help.find(name).unwrap_or_else(|| panic!("{leaf} has no {name}: {help}"));
        let options: Vec<&str> =
            help.lines().filter(|line| line.trim_start().starts_with("--") || line.contains(", --")).collect();
        let colour = options.iter().position(|line| line.contains("--color <WHEN>")).unwrap();
        assert!(options.len() - colour <= 3, "{leaf}: {options:?}");
        assert!(help[at("--color <WHEN>")..at("--help")].lines().count() < 5, "{help}");
    }
}

#[test]
fn a_misspelt_name_is_answered_with_the_name() {
    for (line, meant) in
        [("utt", "uttt"), ("triad sovle", "solve"), ("uttt perft --dept 3", "--depth"), ("triad cards squal", "Squall")]
    {
        let ended = run(&words(line), "");
        let said = String::from_utf8_lossy(&ended.stderr) + String::from_utf8_lossy(&ended.stdout);
        assert!(said.contains(meant), "{line}: {said}");
    }
}
