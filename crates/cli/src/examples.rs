//! The examples in the help of every command, in one place, so that the tests can run them all.

use clap::Command;

/// A command and the examples at the end of its help.
const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "cephalopods sum",
        &[
            "ninefold cephalopods sum 051000401 --depth 20",
            "ninefold ceph sum 051000401 600012300 -d 20",
            "ninefold cephalopods sum 051000401 --depth 20 --engine cache --json",
            "echo '051000401 20' | ninefold cephalopods sum -",
        ],
    ),
    (
        "cephalopods moves",
        &["ninefold cephalopods moves 600012300", "ninefold cephalopods moves 600012300 051000401 --json"],
    ),
    (
        "cephalopods count",
        &["ninefold cephalopods count 051000401 --depth 20", "ninefold cephalopods count 000000000 --depth 40 --exact"],
    ),
    ("cephalopods contest", &["printf '20\\n0 6 0\\n2 2 2\\n1 6 1\\n' | ninefold cephalopods contest"]),
    (
        "cephalopods table build",
        &["ninefold cephalopods table build", "ninefold cephalopods table build --ranks 13,18 --file barriers.table"],
    ),
    ("cephalopods table info", &["ninefold cephalopods table info --file barriers.table"]),
    ("cephalopods table verify", &["ninefold cephalopods table verify --file barriers.table"]),
    (
        "cephalopods heatmap",
        &[
            "ninefold cephalopods heatmap --svg times.svg",
            "ninefold cephalopods heatmap --engine scratch,cache --last-rank 2 --from 6 --to 8",
        ],
    ),
    ("cephalopods bundle", &["ninefold cephalopods bundle --output contest.rs", "rustc -O contest.rs"]),
    (
        "cephalopods solve",
        &[
            "ninefold cephalopods solve",
            "ninefold cephalopods solve 5.a.6.c.2:A --rule sixes",
            "ninefold cephalopods solve 5.a.6.c.2:A 12.ab....:B --json",
            "ninefold cephalopods solve --size 3x5 --time 1s",
        ],
    ),
    ("cephalopods play", &["ninefold cephalopods play", "ninefold cephalopods play --rule misere"]),
    (
        "triad deck",
        &[
            "ninefold triad deck --npc baderon --owned all",
            "ninefold triad deck --npc baderon --owned cards.csv --lock 'Dodo,#2' --time 5s --proof deck.proof",
            "ninefold triad deck --npc '#2' --owned all --rules reverse --time 2s --json",
            "ninefold triad deck --edition ff8 --fixed '#1,#2,#3' --variable '#4,#5,#6' --owned mine.csv --rules same --time 2s",
        ],
    ),
    (
        "triad decks",
        &[
            "ninefold triad decks",
            "ninefold triad decks --npc baderon --json",
            "ninefold triad deck --npc baderon --owned cards.csv --time 2s --save my.decks && ninefold triad decks --file my.decks",
        ],
    ),
    ("triad verify-deck", &["ninefold triad verify-deck baderon.proof"]),
    (
        "triad solve",
        &[
            "ninefold triad solve --hand-a 'Squall,Ifrit,Shiva,#1,#2' --hand-b '8A32,7777,1A1A,Zell,Seifer'",
            "ninefold triad solve --rules same,plus --hand-a 'Squall,Ifrit,Shiva,#1,#2' --hand-b '8A32,7777,1A1A,Zell,Seifer' --moves 'a:Squall@4 b:Zell@0' --all-moves",
            "ninefold triad solve games.json",
            "ninefold triad solve games.json --all-moves --json",
        ],
    ),
    ("uttt perft", &["ninefold uttt perft --depth 6", "ninefold uttt perft --depth 4 --rule open --json"]),
    ("uttt moves", &["ninefold uttt moves", "ninefold uttt moves --algebraic --json"]),
    ("uttt show", &["ninefold uttt show", "ninefold uttt show '9/9/9/9/4X4/9/9/9/9 O 1 e5'"]),
    (
        "uttt analyse",
        &[
            "ninefold uttt analyse --time 1s --lines 3",
            "ninefold uttt analyze -t 500ms -T 2",
            "ninefold uttt analyse --search alphabeta --nodes 100000 --json",
        ],
    ),
    (
        "uttt solve",
        &[
            "ninefold uttt solve 'O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....' --line --proof draw.proof",
            "ninefold uttt solve - --rule codingame --json < positions.txt",
            "ninefold uttt solve 'O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....' --time 10m --memory 4G --state work.state",
        ],
    ),
    ("uttt play", &["ninefold uttt play", "ninefold uttt play --rule codingame --level 5 --time 200ms"]),
    ("uttt verify", &["ninefold uttt verify draw.proof"]),
    ("uttt selfplay", &["ninefold uttt selfplay games --network none --shards 1 --visits 10"]),
    ("uttt bundle", &["ninefold uttt bundle --output bot.rs", "rustc -O --edition 2021 bot.rs"]),
    (
        "uttt train",
        &[
            "ninefold uttt train games --out network.bin --epochs 0.2 --curve loss.svg",
            "ninefold uttt train games --for bundle --out small.bin --epochs 0.2",
        ],
    ),
    (
        "uttt gate",
        &[
            "ninefold uttt gate network.bin",
            "ninefold uttt gate new.bin old.bin --rule standard --games 400 --threads 2",
            "ninefold uttt gate new.bin old.bin --sprt elo0=0,elo1=30 --record gate --json",
        ],
    ),
    ("uttt pipeline", &["ninefold uttt pipeline first --small"]),
    ("serve", &["ninefold serve", "ninefold serve --port 0", "ninefold serve --host 192.0.2.7 --port 8080"]),
];

/// Adds the examples to a command and everything below it.
pub(crate) fn with_examples(mut command: Command) -> Command {
    let name = command.get_name().to_owned();
    for (words, lines) in EXAMPLES {
        let words: Vec<&str> = words.split(' ').collect();
        if words[0] == name {
            let text = lines.iter().fold("Examples:".to_owned(), |text, line| format!("{text}\n  {line}"));
            command = at(command, &words[1..], &text);
        }
    }
    command
}

fn at(command: Command, words: &[&str], text: &str) -> Command {
    match words {
        [] => command.after_help(text.to_owned()),
        [first, rest @ ..] => command.mut_subcommand(first, |part| at(part, rest, text)),
    }
}
