//! Runs every command line of README.md and docs/ and compares the output with the document.

use std::path::{Path, PathBuf};

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut documents = vec![root.join("README.md")];
    for folder in ["docs", "docs/design", "docs/guide"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        documents.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    documents.sort();
    documents
}

#[test]
fn documents_say_what_the_program_says() {
    // Commands that write files write them here.
    let folder = tempfile::tempdir().unwrap();
    std::env::set_current_dir(folder.path()).unwrap();
    let cases = trycmd::TestCases::new();
    cases.register_bin("ninefold", Path::new(env!("CARGO_BIN_EXE_ninefold")));
    for document in documents() {
        cases.case(document);
    }
    cases.run();
    std::env::set_current_dir(env!("CARGO_MANIFEST_DIR")).unwrap();
}

/// A command in a block that no test runs would become outdated, so every command must be in a tested block.
#[test]
fn no_command_escapes() {
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        let mut kind = None;
        for (number, line) in text.lines().enumerate() {
            if let Some(opened) = line.strip_prefix("```") {
                kind = if kind.is_some() { None } else { Some(opened.trim()) };
                continue;
            }
            let command = line.trim_start().trim_start_matches("$ ");
            if kind.is_some_and(|kind| kind != "console") && command.starts_with("ninefold ") {
                panic!(
                    "{}:{}: {command}: write it in a console block, with its output",
                    document.display(),
                    number + 1
                );
            }
        }
    }
}
