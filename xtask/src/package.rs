//! Packages of the program: a `.deb` and a `.tar.gz`, with man pages, completions, documents and licences.
//!
//! Both are made from one tree, laid out as below `/usr`, and tested: each is unpacked into an empty folder, and the program
//! from there runs the commands of README.md and serves the page.

use crate::http::{Client, get};
use crate::process::{Outcome, cache, cargo, in_path, read, root, run as start, target_directory};
use crate::program::{self, Server};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pinned version of cargo-deb.
const CARGO_DEB: &str = "3.8.0";

/// The completion script of each shell, and its place.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/ninefold"),
    ("zsh", "share/zsh/site-functions/_ninefold"),
    ("fish", "share/fish/vendor_completions.d/ninefold.fish"),
];

/// The files of the project that go along.
const DOCUMENTS: [&str; 5] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "docs"];

fn named(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Where cargo-deb is installed: one folder per version.
fn cargo_deb() -> Outcome<PathBuf> {
    cache(&format!("cargo-deb-{CARGO_DEB}"))
}

/// Installs cargo-deb if it is missing. Only this part needs a network.
pub(crate) fn prepare() -> Outcome<String> {
    let folder = cargo_deb()?;
    if !folder.join("bin/cargo-deb").is_file() {
        // Without the default features it needs no C library: it calls `xz`.
        let mut install = cargo(&["install", "cargo-deb", "--version", CARGO_DEB, "--locked", "--no-default-features"]);
        start(install.arg("--root").arg(&folder))?;
    }
    Ok(format!("cargo-deb {CARGO_DEB}"))
}

/// Makes both packages and tests them.
pub(crate) fn run() -> Outcome {
    for tool in ["dpkg", "dpkg-shlibdeps", "gzip", "tar", "xz"] {
        if !in_path(tool) {
            return Err(format!("{tool} is missing; `cargo xtask test tools` installs it"));
        }
    }
    prepare()?;
    let program = program::release()?;
    let folder = target_directory()?.join("release/package");
    // Nothing of an older package stays.
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(named(&folder))?;
    }
    stage(&program, &folder.join("tree"))?;
    let archive = archive(&folder)?;
    let deb = deb(&folder)?;
    let [from_archive, from_deb] = ["from-archive", "from-deb"].map(|name| folder.join(name));
    fs::create_dir_all(&from_archive).map_err(named(&from_archive))?;
    start(Command::new("tar").args(["--strip-components=1", "-xzf"]).arg(&archive).arg("-C").arg(&from_archive))?;
    start(Command::new("dpkg").arg("-x").arg(&deb).arg(&from_deb))?;
    check_installed(&from_archive)?;
    check_installed(&from_deb.join("usr"))?;
    check_fields(&deb)?;
    for package in [archive, deb] {
        let bytes = fs::metadata(&package).map_err(named(&package))?.len();
        let shown = package.strip_prefix(root()).unwrap_or(&package).display();
        println!("{shown}: {:.1} MB", bytes as f64 / 1e6);
    }
    Ok(())
}

/// Lays out the files as below `/usr`.
fn stage(program: &Path, tree: &Path) -> Outcome {
    copy(program, &tree.join("bin/ninefold"))?;
    let pages = tree.join("share/man/man1");
    start(Command::new(program).args(["man", "--folder"]).arg(&pages))?;
    // Without a name and a time inside, the same pages give the same package.
    start(Command::new("gzip").args(["--recursive", "--best", "--no-name"]).arg(&pages))?;
    for (shell, place) in COMPLETIONS {
        let script = read(Command::new(program).args(["completions", shell]))?;
        write(&tree.join(place), script.as_bytes())?;
    }
    DOCUMENTS.iter().try_for_each(|name| copy(&root().join(name), &tree.join("share/doc/ninefold").join(name)))
}

fn write(path: &Path, bytes: &[u8]) -> Outcome {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(named(folder))?;
    fs::write(path, bytes).map_err(named(path))
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Outcome {
    if from.is_dir() {
        let entries = fs::read_dir(from).map_err(named(from))?;
        return entries.flatten().try_for_each(|entry| copy(&entry.path(), &to.join(entry.file_name())));
    }
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(named(folder))?;
    fs::copy(from, to).map(drop).map_err(named(from))
}

/// The `.tar.gz`: one folder, named after version and platform.
fn archive(folder: &Path) -> Outcome<PathBuf> {
    let name = format!("ninefold-{}-{}-linux", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    let path = folder.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg(format!("--transform=s,^tree,{name},")).arg("-czf").arg(&path).arg("-C").arg(folder).arg("tree");
    start(&mut tar)?;
    Ok(path)
}

/// The `.deb`, described in `crates/cli/Cargo.toml`. The program is the one that is already built.
fn deb(folder: &Path) -> Outcome<PathBuf> {
    let mut command = Command::new(cargo_deb()?.join("bin/cargo-deb"));
    command.args(["--no-build", "--no-strip", "--locked", "--package", "ninefold-cli", "--output"]).arg(folder);
    start(command.current_dir(root()))?;
    let entries = fs::read_dir(folder).map_err(named(folder))?;
    let is_deb = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "deb");
    entries.flatten().map(|entry| entry.path()).find(is_deb).ok_or("cargo-deb wrote no package".into())
}

/// Tests an unpacked package: its files are there, and its program does what README.md says and serves the page.
fn check_installed(prefix: &Path) -> Outcome {
    let documents = ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "docs/http.md"];
    let mut files: Vec<String> = documents.iter().map(|name| format!("share/doc/ninefold/{name}")).collect();
    // Debian has its own folder for the zsh completions of packages.
    files.extend(COMPLETIONS.iter().filter(|(shell, _)| *shell != "zsh").map(|(_, place)| (*place).to_owned()));
    files.push("share/man/man1/ninefold.1.gz".to_owned());
    if let Some(missing) = files.iter().find(|file| !prefix.join(file).is_file()) {
        return Err(format!("{} has no {missing}", prefix.display()));
    }
    let program = prefix.join("bin/ninefold");
    let bytes = fs::read(&program).map_err(named(&program))?;
    if bytes.windows(8).any(|bytes| bytes == b".symtab\0") {
        return Err(format!("{} is not stripped", program.display()));
    }
    let readme = fs::read_to_string(root().join("README.md")).map_err(|error| format!("README.md: {error}"))?;
    let commands = commands(&readme);
    if commands.is_empty() {
        return Err("README.md has no commands".to_owned());
    }
    // Commands that write files write them here, and a stray cache lands here, too.
    let home = prefix.join("home");
    fs::create_dir_all(&home).map_err(named(&home))?;
    for (command, expected) in &commands {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", command]).current_dir(&home).env("HOME", &home).env("PATH", prefix.join("bin"));
        let output = read(shell.env_remove("XDG_CACHE_HOME"))?;
        if !is_output(&output, expected) {
            return Err(format!("`{command}` printed\n{output}but README.md has\n{}", expected.join("\n")));
        }
    }
    let server = Server::start(&program)?;
    let address = server.address.trim_start_matches("http://").trim_end_matches('/');
    let mut client = Client::connect(address.parse().map_err(|_| format!("`{address}` is no address"))?)?;
    client.send(&get("/", address))?;
    let answer = client.answer()?;
    if answer.status != 200 || !answer.body.contains("<title>") {
        return Err(format!("the page has status {}", answer.status));
    }
    println!("{} commands of README.md and the page work from {}", commands.len(), prefix.display());
    Ok(())
}

/// The commands of a document's console blocks, each with the lines that it prints.
fn commands(document: &str) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_console = false;
    for line in document.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) {
            commands.push((command.to_owned(), Vec::new()));
        } else if let Some((_, output)) = commands.last_mut().filter(|_| is_console && !line.is_empty()) {
            output.push(line.to_owned());
        }
    }
    commands
}

/// Whether a program printed what a document says. Empty lines do not count.
fn is_output(output: &str, expected: &[String]) -> bool {
    let lines: Vec<&str> = output.lines().filter(|line| !line.is_empty()).collect();
    lines.len() == expected.len() && lines.iter().zip(expected).all(|(line, pattern)| matches(line, pattern))
}

/// Whether a line is that of a document, in which `[..]` stands for any text.
fn matches(line: &str, pattern: &str) -> bool {
    match pattern.split_once("[..]") {
        None => line == pattern,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            line.char_indices().map(|(at, _)| at).chain([line.len()]).any(|at| matches(&line[at..], rest))
        }),
    }
}

/// The fields of the `.deb` that users and package managers read.
fn check_fields(deb: &Path) -> Outcome {
    let fields = read(Command::new("dpkg").arg("--field").arg(deb))?;
    let version = format!("Version: {}", env!("CARGO_PKG_VERSION"));
    for wanted in ["Package: ninefold\n", &version, "Section: games\n", "Depends: libc6 (", "Description: "] {
        if !fields.contains(wanted) {
            return Err(format!("the package lacks `{}`:\n{fields}", wanted.trim()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_their_output_are_found() {
        let document =
            "```sh\n$ no\n```\n```console\n$ ninefold a\none\n\n$ ninefold b [..]\ntwo [..]\nthree\n```\n$ no\n";
        let found = commands(document);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], ("ninefold a".to_owned(), vec!["one".to_owned()]));
        assert_eq!(found[1].1, ["two [..]", "three"]);
        assert!(is_output("two 2\n\nthree", &found[1].1));
        assert!(!is_output("two 2", &found[1].1));
    }

    #[test]
    fn any_text_fits_the_dots() {
        assert!(matches("a 12 b 3 c", "a [..] b [..]") && matches("a", "a[..]") && matches("ä b", "[..]b"));
        assert!(!matches("a 12 b", "a [..] c") && !matches("ab", "a") && !matches("", "a"));
    }
}
