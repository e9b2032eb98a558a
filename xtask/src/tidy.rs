//! Project rules that a program can check. Each rule takes a file and returns a fault, if there is one.

use crate::process::{Outcome, metadata, root};
use crate::rooms;
use crate::source::{self, Source, code, has_word};
use serde_json::Value;
use std::path::Path;

const LONGEST_FILE: usize = 700;

/// Checks every rule and reports all faults at once.
pub(crate) fn run() -> Outcome {
    let metadata = metadata()?;
    let sources = source::all()?;
    let members = members(&metadata)?;
    let mut faults = rooms::faults(&metadata)?;
    for source in &sources {
        faults.extend(fence(source));
        faults.extend(silence(source));
        faults.extend(one_clock(source));
        faults.extend(length(source));
        faults.extend(left_overs(source));
        faults.extend(machine_paths(source, &root()));
    }
    faults.extend(members.iter().filter_map(|member| room_card(member, &sources)));
    faults.extend(code_map(&members, &sources));
    if faults.is_empty() {
        println!("{} files and {} packages are tidy", sources.len(), members.len());
        return Ok(());
    }
    Err(format!("{} faults\n  {}", faults.len(), faults.join("\n  ")))
}

/// The folders of the workspace members, relative to the root.
fn members(metadata: &Value) -> Outcome<Vec<String>> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let ours = packages.filter(|package| package["source"].is_null());
    let folder = |package: &Value| {
        let folder = Path::new(package["manifest_path"].as_str()?).parent()?;
        Some(folder.strip_prefix(metadata["workspace_root"].as_str()?).ok()?.to_string_lossy().into_owned())
    };
    ours.map(folder).collect::<Option<_>>().ok_or("cargo metadata names a package outside the workspace".into())
}

/// `unsafe` and intrinsics are allowed only in a few places.
fn fence(source: &Source) -> Option<String> {
    // Mapping a file is always unsafe; one file does it.
    let fenced = source.path.starts_with("crates/grid/src/simd/")
        || source.path.contains("/kernel/")
        || source.path == "crates/engine/src/map.rs";
    if source.extension() != "rs" || fenced {
        return None;
    }
    let code = code(&source.text);
    let word = ["unsafe", "core::arch", "std::arch"].into_iter().find(|word| has_word(&code, word))?;
    Some(format!("{}: `{word}` is allowed only in crates/grid/src/simd and kernel/ folders", source.path))
}

/// `grid` and the games use no thread, clock, file or terminal.
fn silence(source: &Source) -> Option<String> {
    const QUIET: [&str; 4] = ["crates/grid/src/", "crates/triad/src/", "crates/uttt/src/", "crates/cephalopods/src/"];
    const LOUD: [&str; 8] =
        ["std::thread", "std::time", "std::fs", "std::io", "std::net", "std::process", "println", "eprintln"];
    if !QUIET.iter().any(|room| source.path.starts_with(room)) {
        return None;
    }
    let code = code(&source.text);
    let word = LOUD.into_iter().find(|word| has_word(&code, word))?;
    Some(format!("{}: `{word}` is allowed only in engine and above", source.path))
}

/// Engines and searches read time from their control, which has the only clock: a build without a clock works.
fn one_clock(source: &Source) -> Option<String> {
    const ROOMS: [&str; 3] = ["crates/search/src/", "crates/engine/src/", "crates/api/src/"];
    // The template of a bundle is a program of its own.
    let is_ours = ROOMS.iter().any(|room| source.path.starts_with(room)) && source.path.ends_with(".rs");
    if !is_ours || source.path == "crates/search/src/control.rs" {
        return None;
    }
    let word = ["Instant", "SystemTime"].into_iter().find(|word| has_word(&code(&source.text), word))?;
    Some(format!("{}: `{word}`: take the time from the control", source.path))
}

fn length(source: &Source) -> Option<String> {
    let lines = source.text.lines().count();
    let long = ["rs", "js"].contains(&source.extension()) && lines > LONGEST_FILE;
    long.then(|| format!("{}: {lines} lines, more than {LONGEST_FILE}", source.path))
}

fn left_overs(source: &Source) -> Option<String> {
    // Written in two parts, so that this file does not report itself.
    const MARK: &str = concat!("FIX", "ME");
    let line = source.text.lines().position(|line| has_word(line, MARK));
    if let Some(line) = line {
        return Some(format!("{}:{}: a left-over {MARK}", source.path, line + 1));
    }
    let code = if source.extension() == "rs" { code(&source.text) } else { String::new() };
    let left = ["todo!", "unimplemented!"].into_iter().find(|call| code.contains(call))?;
    Some(format!("{}: a left-over `{left}`", source.path))
}

/// No absolute path of a machine, and no relative path that leaves the project.
fn machine_paths(source: &Source, top: &Path) -> Option<String> {
    if source.path == "Cargo.lock" {
        return None;
    }
    let checkout = top.to_string_lossy().into_owned();
    let homes = [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")].map(str::to_string);
    let starts_here = |line: &str, path: &str| {
        line.match_indices(path)
            .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '/' || c == '.'))
    };
    for (number, line) in source.text.lines().enumerate() {
        if let Some(path) = homes.iter().chain([&checkout]).find(|path| starts_here(line, path)) {
            return Some(format!("{}:{}: the path {path} of one machine", source.path, number + 1));
        }
        if climbs_out(line, source.path.matches('/').count()) {
            return Some(format!("{}:{}: a path that leaves the project", source.path, number + 1));
        }
    }
    None
}

/// Whether a line has a path that goes up more than `depth` folders.
fn climbs_out(line: &str, depth: usize) -> bool {
    const UP: &str = "../";
    line.match_indices(UP).any(|(at, _)| {
        let rest = &line[at..];
        let ups = rest.len() - rest.trim_start_matches(UP).len();
        // After a letter the dots are part of a name or of a board of Ultimate Tic-Tac-Toe.
        let begins = !line[..at].ends_with(|before: char| before.is_alphanumeric() || ['.', '/'].contains(&before));
        begins && ups / UP.len() > depth
    })
}

/// The main file of a package starts with its room card: purpose, limits, where to go next.
fn room_card(member: &str, sources: &[Source]) -> Option<String> {
    let paths = ["lib", "main"].map(|name| format!("{member}/src/{name}.rs"));
    let Some(source) = sources.iter().find(|source| paths.contains(&source.path)) else {
        return Some(format!("{member}: neither src/lib.rs nor src/main.rs"));
    };
    let card: String = source.text.lines().take_while(|line| line.starts_with("//!")).collect();
    let missing = ["This room", "It may not", "Go next"].into_iter().find(|words| !card.contains(words))?;
    Some(format!("{}: its room card lacks \"{missing}\"", source.path))
}

/// The code map names every package's folder.
fn code_map(members: &[String], sources: &[Source]) -> Vec<String> {
    let Some(map) = sources.iter().find(|source| source.path == "ARCHITECTURE.md") else {
        return vec!["ARCHITECTURE.md is missing".to_string()];
    };
    let unnamed = members.iter().filter(|member| {
        let folder = member.rsplit('/').next().unwrap_or(member);
        !map.text.contains(member.as_str()) && !map.text.contains(&format!("{folder}/"))
    });
    unnamed.map(|member| format!("ARCHITECTURE.md: the code map does not name {member}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.to_string(), text: text.to_string() }
    }

    #[test]
    fn intrinsics_outside_the_fence_are_found() {
        let text = "fn f() { unsafe { g() } }";
        assert!(fence(&source("crates/uttt/src/position.rs", text)).is_some());
        assert!(fence(&source("crates/uttt/tests/laws.rs", "use std::arch::x86_64::*;")).is_some());
        assert!(fence(&source("crates/uttt/src/kernel/win.rs", text)).is_none());
        assert!(fence(&source("crates/grid/src/simd/vector.rs", text)).is_none());
        assert!(fence(&source("crates/uttt/src/lib.rs", "#![deny(unsafe_code)] // unsafe")).is_none());
    }

    #[test]
    fn clocks_below_the_engine_are_found() {
        assert!(silence(&source("crates/triad/src/moves.rs", "use std::time::Instant;")).is_some());
        assert!(silence(&source("crates/grid/src/cell.rs", "println!()")).is_some());
        assert!(silence(&source("crates/engine/src/lib.rs", "use std::time::Instant;")).is_none());
        assert!(silence(&source("crates/triad/src/moves.rs", "/// println!\nuse core::fmt;")).is_none());
    }

    #[test]
    fn long_files_and_left_overs_are_found() {
        assert!(length(&source("a.rs", &"\n".repeat(LONGEST_FILE + 1))).is_some());
        assert!(length(&source("a.rs", &"\n".repeat(LONGEST_FILE))).is_none());
        assert!(length(&source("a.json", &"\n".repeat(LONGEST_FILE + 1))).is_none());
        assert!(left_overs(&source("a.rs", concat!("// FIX", "ME later"))).is_some());
        assert!(left_overs(&source("a.rs", concat!("fn f() { to", "do!() }"))).is_some());
        assert!(left_overs(&source("a.md", "no todo! here")).is_none());
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        let top = Path::new("/some/where/checkout");
        let fault = |path: &str, text: &str| machine_paths(&source(path, text), top);
        assert!(fault("README.md", "see /some/where/checkout/target").is_some());
        assert!(fault("README.md", concat!("cd /ho", "me/me/ninefold")).is_some());
        assert!(fault("README.md", concat!("https://example.org/ho", "me/x")).is_none());
        assert!(fault("README.md", concat!("see .", "./elsewhere/notes.md")).is_some());
        assert!(fault("crates/server/src/lib.rs", "include_str!(\"../site/app.js\")").is_none());
        assert!(fault("crates/server/src/lib.rs", concat!("include_str!(\".", "./../../../x\")")).is_some());
    }

    #[test]
    fn a_package_without_card_or_place_on_the_map_is_found() {
        let card = "//! **This room** is. **It may not**\n//! be. **Go next**\n";
        let sources =
            [source("bench/src/lib.rs", card), source("oracle/src/lib.rs", "//! This room\nIt may not Go next")];
        assert_eq!(room_card("bench", &sources), None);
        assert!(room_card("oracle", &sources).is_some());
        assert!(room_card("crates/grid", &sources).is_some());
        let map = [source("ARCHITECTURE.md", "crates/\n  grid/\nbench/")];
        let members = ["crates/grid", "bench", "crates/uttt"].map(str::to_string);
        assert_eq!(code_map(&members, &map), ["ARCHITECTURE.md: the code map does not name crates/uttt"]);
        assert_eq!(code_map(&members, &[]).len(), 1);
    }
}
