//! Tests the web page in a real browser: `tests/web` runs Debian's Chromium against the release build.

use crate::process::{Outcome, in_path, root, run as start};
use crate::program::{self, Server};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the tests.
fn folder() -> PathBuf {
    root().join("tests/web")
}

/// Installs the npm packages of the lock file for the tests. Only this part needs a network.
pub(crate) fn prepare() -> Outcome<String> {
    let packages = ["axe-core", "playwright-core", "typescript"];
    let is_here = |name: &&str| folder().join("node_modules").join(name).join("package.json").is_file();
    if !packages.iter().all(is_here) {
        start(Command::new("npm").args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]).current_dir(folder()))?;
    }
    match packages.iter().find(|name| !is_here(name)) {
        Some(name) => Err(format!("npm ran, but there is no {name} in tests/web/node_modules")),
        None => Ok(packages.join(", ")),
    }
}

/// Checks the types of the page, then runs the browser tests.
pub(crate) fn run() -> Outcome {
    for (tool, package) in [("chromium", "chromium"), ("node", "nodejs"), ("npm", "npm")] {
        if !in_path(tool) {
            return Err(format!("{tool} is missing; `cargo xtask test tools` installs the Debian package {package}"));
        }
    }
    if !folder().join("node_modules").is_dir() {
        return Err("tests/web has no npm packages; `cargo xtask test tools` installs them".into());
    }
    let modules = folder().join("node_modules");
    for project in ["tsconfig.json", "tsconfig.tests.json"] {
        let compiler = modules.join("typescript/bin/tsc");
        start(Command::new("node").arg(compiler).args(["--project", project]).current_dir(folder()))?;
    }
    let program = program::release()?;
    let server = Server::start(&program)?;
    let pictures = program.parent().and_then(Path::parent).map(|target| target.join("web"));
    let pictures = pictures.ok_or("the path of the program has no folder")?;
    let mut tests = Command::new("node");
    // One file at a time: the tests share two cores with the engine they wait for.
    tests.args(["--test", "--test-concurrency=1", "--test-reporter=spec"]).args(files()?).current_dir(folder());
    tests.env("NINEFOLD_ADDRESS", &server.address).env("NINEFOLD_PROGRAM", &program);
    start(tests.env("NINEFOLD_PICTURES", &pictures))?;
    println!("the pictures are in {}", pictures.strip_prefix(root()).unwrap_or(&pictures).display());
    Ok(())
}

/// The test files by name, because older versions of node do not search a folder.
fn files() -> Outcome<Vec<String>> {
    let listing = std::fs::read_dir(folder()).map_err(|error| format!("tests/web: {error}"))?;
    let name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut files: Vec<String> = listing.flatten().map(name).filter(|name| name.ends_with(".test.js")).collect();
    files.sort();
    if files.is_empty() { Err("tests/web has no *.test.js".into()) } else { Ok(files) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// The lock file matches package.json and has a checksum for every package.
    #[test]
    fn the_lock_file_holds_what_the_tests_use() {
        let read = |name: &str| {
            let text = std::fs::read_to_string(folder().join(name)).unwrap_or_default();
            serde_json::from_str::<Value>(&text).unwrap_or_default()
        };
        let (package, lock) = (read("package.json"), read("package-lock.json"));
        let wanted = package["devDependencies"].as_object().cloned().unwrap_or_default();
        assert!(wanted.len() >= 3);
        assert_eq!(lock["packages"][""]["devDependencies"], package["devDependencies"]);
        for name in wanted.keys() {
            assert!(lock["packages"][format!("node_modules/{name}")]["integrity"].is_string(), "{name}");
        }
    }
}
