//! The bundle as a contestant uses it: written, compiled by plain `rustc -O`, fed the contest's input.

use ninefold_engine::Control;
use ninefold_engine::cephalopods::bundle::{self, LIMIT, Request};
use oracle::cephalopods::vectors;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

fn ask(program: &Path, input: &str) -> (Option<i32>, String) {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

fn compile(source: &Path, output: &Path, options: &[&str]) {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let compiled = Command::new(rustc).args(options).arg("-o").args([output, source]).output().unwrap();
    assert!(compiled.status.success(), "{options:?}: {}", String::from_utf8_lossy(&compiled.stderr));
}

#[test]
fn the_file_compiles_alone_and_answers_the_contest() {
    let made = bundle::bundle(Request::default(), &Control::new()).unwrap();
    assert_eq!(made.units, made.source.encode_utf16().count());
    assert!(made.units <= LIMIT, "{}", made.units);
    let folder = std::env::temp_dir().join(format!("ninefold-bundle-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, program) = (folder.join("contest.rs"), folder.join("contest"));
    std::fs::write(&source, &made.source).unwrap();
    // Plain `rustc -O` is edition 2015.
    compile(&source, &program, &["-O"]);
    for edition in ["2015", "2018", "2021", "2024"] {
        compile(&source, &folder.join(edition), &["--edition", edition, "--emit", "metadata", "-D", "warnings"]);
    }

    let given = vectors::load();
    let mut asked = given.official_public_tests.clone();
    asked.extend(given.extra_public.iter().cloned());
    asked.extend(given.hard_cases.iter().filter(|vector| vector.board.starts_with("0000")).cloned());
    asked.extend(given.empty_board_depth_0_40.iter().step_by(3).cloned());
    asked.extend(given.random_cases.iter().step_by(9).cloned());
    let all = given.all();
    // Below the barrier, on it and just above it, at every depth from shallow to deepest.
    asked.extend(all.iter().filter(|vector| vector.name.starts_with("one die")).step_by(17).cloned());
    assert!(asked.len() > 180, "{}", asked.len());
    for vector in &asked {
        let rows: Vec<String> = vector
            .board
            .as_bytes()
            .chunks(3)
            .map(|row| row.iter().map(|&d| format!("{} ", d as char)).collect())
            .collect();
        let input = format!("{}\n{}\n", vector.depth, rows.join("\n"));
        assert_eq!(ask(&program, &input), (Some(0), format!("{}\n", vector.expected)), "{vector:?}");
    }
    for wrong in ["", "20\n0 6 0\n", "20\n7 0 0\n0 0 0\n0 0 0", "x\n0 0 0\n0 0 0\n0 0 0", "-1 0 0 0 0 0 0 0 0 0"] {
        assert_eq!(ask(&program, wrong), (Some(2), String::new()), "{wrong:?}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
