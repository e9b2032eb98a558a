//! The bundle of Ultimate Tic-Tac-Toe: its size, that it compiles, and that its rules and its network are ours.

use grid::simd::{Isa, dispatch};
use grid::{Game, Rng};
use ninefold_engine::uttt::Position;
use ninefold_engine::uttt::bundle::{LIMIT, bundle};
use ninefold_engine::uttt::network::compact::{Compact, KIND};
use ninefold_engine::uttt::network::{Network, NetworkJudge};
use search::best_first::{Judge, Judged};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use uttt::{CodinGame, Uttt};

fn compile(source: &Path, output: &Path, options: &[&str]) {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let compiled = Command::new(rustc).args(options).arg("-o").args([output, source]).output().unwrap();
    assert!(compiled.status.success(), "{options:?}: {}", String::from_utf8_lossy(&compiled.stderr));
}

/// The children of a position as the file writes them in its test mode.
fn shown(judge: &NetworkJudge, position: &Position) -> String {
    let game = Uttt::<CodinGame>::GAME;
    let mut children: Vec<Judged> = Vec::new();
    dispatch!(Isa::detect().level(), simd => Judge::<Uttt<CodinGame>>::judge(judge, simd, game, position, &mut children));
    let mut line = String::new();
    for child in children {
        let mv = Judge::<Uttt<CodinGame>>::unpack(judge, child.mv);
        let (row, column) = mv.row_and_column();
        let (open, frees) = (if child.result.is_some() { 0 } else { 2 }, if child.frees { 128 } else { 0 });
        write!(line, "{row} {column} {:?} {open} {frees};", child.value).unwrap();
    }
    line
}

#[test]
fn the_file_compiles_alone_and_has_our_rules_and_our_network() {
    let network = Compact::built_in();
    let text = bundle(&network);
    let units = text.encode_utf16().count();
    assert!(units < LIMIT, "{units}");
    let folder = std::env::temp_dir().join(format!("ninefold-uttt-bundle-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, program) = (folder.join("bot.rs"), folder.join("bot"));
    std::fs::write(&source, text).unwrap();
    compile(&source, &program, &["-O", "--edition", "2021"]);
    for edition in ["2018", "2021", "2024"] {
        compile(&source, &folder.join(edition), &["--edition", edition, "--emit", "metadata", "-D", "warnings"]);
    }

    let judge = NetworkJudge(Arc::new(Network::new(&network.weights())));
    let game = Uttt::<CodinGame>::GAME;
    let (mut asked, mut expected) = (String::new(), Vec::new());
    for seed in 0..60 {
        let (mut rng, mut position, mut moves) = (Rng::new(seed), Position::START, String::new());
        for ply in 0.. {
            writeln!(asked, "{ply}{moves}").unwrap();
            expected.push(shown(&judge, &position));
            let Some(mv) = rng.pick(game.moves(&position)) else { break };
            let (row, column) = mv.row_and_column();
            write!(moves, " {row} {column}").unwrap();
            position = game.play_unchecked(&position, mv);
        }
    }
    let mut child = Command::new(&program).arg("--check").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(asked.as_bytes()));
    let ended = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(ended.status.success());
    let found = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(found.lines().count(), expected.len());
    for (found, expected) in found.lines().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert!(expected.iter().filter(|line| line.is_empty()).count() == 60 && expected.len() > 2500);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_compact_network_is_refused() {
    let good = include_bytes!("../data/uttt/compact.bin");
    let path = Path::new("small.bin");
    let network = Compact::of_bytes(good, path).unwrap();
    assert_eq!(network, Compact::built_in());
    assert_eq!(network.bytes(), good[32..]);
    let refused = |bytes: &[u8], words: &str| {
        let error = Compact::of_bytes(bytes, path).unwrap_err().to_string();
        assert!(error.starts_with("small.bin: ") && error.contains(words), "{error}");
    };
    refused(&good[..good.len() - 1], "damaged");
    refused(include_bytes!("../data/uttt/network.bin"), "not a compact network");
    let mut bytes = good.to_vec();
    bytes[good.len() / 2] ^= 1;
    refused(&bytes, "checksum of the body");
    bytes[8] = KIND.version as u8 + 1;
    refused(&bytes, "checksum of the header");
}
