//! Every command explains itself with examples, and the examples work.

mod common;

use common::{DRAWN, Folder, run, words};
use std::process::Command;

/// Examples of these commands are not run: they wait for input, take minutes, or write files.
const NOT_RUN: [&str; 9] = [
    "ninefold serve",
    "ninefold engine",
    "ninefold match",
    "ninefold bench",
    "ninefold cephalopods table build",
    "ninefold uttt codingame",
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
    pages.iter().filter(|page| !is_group(page)).map(|page| page.replace('-', " ")).collect()
}

#[test]
fn every_command_has_examples_that_work() {
    let folder = Folder::new();
    std::fs::write(folder.path("positions.txt"), format!("{DRAWN}\n")).unwrap();
    std::fs::write(folder.path("mine.csv"), "#1\n#2\n#3\n#4\n#5,3\n").unwrap();
    std::fs::write(folder.path("games.json"), GAMES).unwrap();
    let made = [
        format!("cephalopods table build --ranks 36 --file {}", folder.path("barriers.table")),
        format!("uttt solve {DRAWN} --proof {}", folder.path("draw.proof")),
    ];
    for line in made {
        assert!(run(&words(&line), "").status.success());
    }
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

const GAMES: &str = r##"{"games":[{"hand_a":["Squall","Ifrit","Shiva","#1","#2"],"hand_b":["1111","2222","3333","4444","5555"],
    "moves":[{"player":"a","card":"Squall","cell":4},{"player":"b","card":0,"cell":3},{"player":"a","card":1,"cell":0}]}]}"##;

#[test]
fn a_slip_of_a_name_is_answered_with_the_name() {
    for (line, meant) in
        [("utt", "uttt"), ("triad sovle", "solve"), ("uttt perft --dept 3", "--depth"), ("triad cards squal", "Squall")]
    {
        let ended = run(&words(line), "");
        let said = String::from_utf8_lossy(&ended.stderr) + String::from_utf8_lossy(&ended.stdout);
        assert!(said.contains(meant), "{line}: {said}");
    }
}
