//! Runs other programs. An error message names the command.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The result of a command. The error is a sentence for the user.
pub(crate) type Outcome<T = ()> = Result<T, String>;

/// The root folder of the project.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the path of the package at run time; the path at build time is for a program started by hand.
    let package = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_string());
    Path::new(&package).parent().unwrap_or(Path::new(".")).to_path_buf()
}

/// The cargo that started this program, in the root folder.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Prints a command and runs it with inherited output and empty input.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let shown = shown(command);
    println!("$ {shown}");
    let status = command.stdin(Stdio::null()).status().map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{shown}` failed ({status})")) }
}

/// Runs a command and returns its output.
pub(crate) fn read(command: &mut Command) -> Outcome<String> {
    let shown = shown(command);
    let Output { status, stdout, stderr } =
        command.stdin(Stdio::null()).output().map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    if status.success() {
        Ok(String::from_utf8_lossy(&stdout).into_owned())
    } else {
        Err(format!("`{shown}` failed ({status})\n{}", String::from_utf8_lossy(&stderr).trim_end()))
    }
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy();
    let settings = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}='{}' ", name.to_string_lossy(), value?.to_string_lossy())));
    let words = command.get_args().map(|word| format!(" {}", word.to_string_lossy()));
    settings.collect::<String>() + &program + &words.collect::<String>()
}

/// The output of `cargo metadata`.
pub(crate) fn metadata() -> Outcome<Value> {
    let text = read(&mut cargo(&["metadata", "--format-version", "1", "--locked"]))?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata is not JSON: {error}"))
}

/// The target directory of cargo.
pub(crate) fn target_directory() -> Outcome<PathBuf> {
    metadata()?["target_directory"].as_str().map(PathBuf::from).ok_or("cargo metadata has no target_directory".into())
}

/// Builds an example of `bench` in release mode and returns its path.
pub(crate) fn bench_example(name: &str) -> Outcome<PathBuf> {
    let mut build = cargo(&["build", "--release", "--package", "ninefold-bench", "--example", name]);
    println!("$ {}", shown(&build));
    let text = read(build.args(["--message-format", "json-render-diagnostics"]))?;
    text.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find(|message| message["target"]["name"] == name && message["executable"].is_string())
        .and_then(|message| message["executable"].as_str().map(PathBuf::from))
        .ok_or(format!("cargo built no example {name}"))
}

/// Whether the PATH has a program with this name.
pub(crate) fn in_path(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// A folder of this project in the user's cache folder, for what is downloaded once.
pub(crate) fn cache(name: &str) -> Outcome<PathBuf> {
    let named = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    Ok(named.or_else(home).ok_or("neither XDG_CACHE_HOME nor HOME is set")?.join("ninefold").join(name))
}
