//! Tests the web page in a real browser: `tests/web` runs Debian's Chromium against the release build.

use crate::process::{Outcome, cargo, in_path, metadata, root, run as start};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A running `ninefold serve`. Dropping this value ends it.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(program: &Path) -> Outcome<Self> {
        let cannot = |fault: &dyn std::fmt::Display| format!("cannot serve the page: {fault}");
        let mut command = Command::new(program);
        command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).stdin(Stdio::null());
        let mut child = command.spawn().map_err(|error| cannot(&error))?;
        let mut line = String::new();
        let out = child.stdout.take().ok_or_else(|| cannot(&"the program has no output"))?;
        BufReader::new(out).read_line(&mut line).map_err(|error| cannot(&error))?;
        let address = line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned);
        // From here on, dropping `server` ends the child on every path.
        let server = Self { child, address: address.unwrap_or_default() };
        if server.address.is_empty() {
            Err(cannot(&format_args!("the program printed `{}`", line.trim())))
        } else {
            Ok(server)
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // An error means that the child has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

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

/// Builds the program and returns its path.
fn program() -> Outcome<PathBuf> {
    let target = metadata()?["target_directory"].as_str().map(PathBuf::from);
    let target = target.ok_or("cargo metadata has no target_directory")?;
    start(&mut cargo(&["build", "--release", "--package", "ninefold-cli"]))?;
    Ok(target.join("release").join(format!("ninefold{}", std::env::consts::EXE_SUFFIX)))
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
    let program = program()?;
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
