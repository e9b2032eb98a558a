//! Tests the NEON level on a machine without NEON: builds for 64-bit ARM and runs the tests in an emulator.
//!
//! The compiler is rustup's, if its ARM target is installed. Otherwise it is Debian's `rustc-web`, unpacked into the user's
//! cache folder: it has a standard library for ARM and comes from the ordinary package archive. Emulation checks answers; its
//! times are meaningless.

use crate::apt::{self, Apt};
use crate::process::{Outcome, cache, cargo, read, run as start, target_directory};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// The packages with kernels, and the package that counts the signatures.
const PACKAGES: [&str; 6] =
    ["ninefold-grid", "ninefold-triad", "ninefold-uttt", "ninefold-cephalopods", "ninefold-search", "ninefold-bench"];

/// The compilers for ARM.
enum Compiler {
    /// This machine is ARM: `cargo test` already tests the NEON level.
    Native,
    /// The compiler of rustup, with the target installed.
    Rustup,
    /// The compiler of Debian, unpacked in this folder.
    Unpacked(PathBuf),
}

/// Finds or downloads a compiler and returns its description.
pub(crate) fn prepare() -> Outcome<String> {
    Ok(match find_or_fetch()? {
        Compiler::Native => "this machine is 64-bit ARM".to_string(),
        Compiler::Rustup => format!("rustup's {TARGET}"),
        Compiler::Unpacked(folder) => read(Command::new(folder.join("rustc")).arg("--version"))?.trim().to_string(),
    })
}

/// Runs the tests of the packages with kernels.
pub(crate) fn run() -> Outcome {
    // No documentation tests: each is a separate program to link and emulate, and they test no kernel.
    let mut test = cargo(&["test", "--release", "--lib", "--tests"]);
    test.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    let compiler = find_or_fetch()?;
    if !matches!(compiler, Compiler::Native) {
        test.args(["--target", TARGET])
            .env("CARGO_TARGET_DIR", target_directory()?.join("neon"))
            .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc")
            .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", "qemu-aarch64-static -L /usr/aarch64-linux-gnu")
            // The kernels are fully optimised. Dependencies are not, and there is no link-time optimisation: it takes
            // minutes and does not change the answers.
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .args(["--config", "profile.release.package.\"*\".opt-level=1"])
            .env("NINEFOLD_EMULATED", "1");
    }
    if let Compiler::Unpacked(folder) = compiler {
        test.env("RUSTC", folder.join("rustc"));
    }
    start(&mut test)
}

fn find_or_fetch() -> Outcome<Compiler> {
    if cfg!(target_arch = "aarch64") {
        return Ok(Compiler::Native);
    }
    let rustup = read(Command::new("rustup").args(["target", "list", "--installed"])).unwrap_or_default();
    if rustup.lines().any(|line| line.trim() == TARGET) {
        return Ok(Compiler::Rustup);
    }
    if !cfg!(target_arch = "x86_64") || !apt::is_here() {
        return Err(format!("no compiler for ARM: install one with `rustup target add {TARGET}`"));
    }
    let cache = cache("arm-compiler")?;
    match cached(&cache, apt::offered("rustc-web").as_deref()) {
        Some(folder) => Ok(Compiler::Unpacked(folder)),
        None => fetch(&cache).map(Compiler::Unpacked),
    }
}

const FOLDER: &str = "rustc-web-";
const UNFINISHED: &str = "unfinished-";

/// An unpacked compiler that runs, has the ARM library and is not older than `offered`. A folder gets its final name only when
/// it is complete.
fn cached(cache: &Path, offered: Option<&str>) -> Option<PathBuf> {
    fs::read_dir(cache).ok()?.flatten().map(|entry| entry.path()).find(|folder| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let fresh = |version: &str| offered.is_none_or(|offered| apt::at_least(version, offered));
        name.strip_prefix(FOLDER).is_some_and(fresh) && works(folder).is_ok()
    })
}

fn works(folder: &Path) -> Outcome {
    let library = read(Command::new(folder.join("rustc")).args(["--print", "target-libdir", "--target", TARGET]))?;
    let is_core = |name: String| name.starts_with("libcore-") && name.ends_with(".rlib");
    let names = fs::read_dir(library.trim()).into_iter().flatten().flatten();
    if !names.map(|entry| entry.file_name().to_string_lossy().into_owned()).any(is_core) {
        return Err(format!("{} has no library for {TARGET}", folder.display()));
    }
    let version = read(Command::new(folder.join("rustc")).arg("--version"))?;
    let number = version.split_whitespace().nth(1).unwrap_or_default();
    let wanted = env!("CARGO_PKG_RUST_VERSION");
    if apt::at_least(number, wanted) {
        Ok(())
    } else {
        Err(format!("Debian's compiler is {number}, older than {wanted}: use `rustup target add {TARGET}`"))
    }
}

/// Unpacks under a temporary name, checks the compiler, removes older and incomplete folders, then renames it.
fn fetch(cache: &Path) -> Outcome<PathBuf> {
    let describe = |error: std::io::Error| format!("{}: {error}", cache.display());
    let unfinished = cache.join(format!("{UNFINISHED}{}", std::process::id()));
    let apt = Apt::new(&unfinished.join("apt"))?;
    let version = apt.version("rustc-web")?;
    let library = apt.dependency("libstd-rust-web-dev", "libstd-rust-web-")?;
    let llvm = apt.dependency(&library, "libllvm")?;
    // Also the library for this machine: build scripts and procedural macros run here.
    let mut packages = vec![format!("rustc-web={version}"), format!("{library}={version}"), llvm];
    packages.extend(["amd64", "arm64"].map(|architecture| format!("libstd-rust-web-dev:{architecture}={version}")));
    apt.unpack(&packages, &unfinished)?;
    fs::remove_dir_all(unfinished.join("apt")).map_err(describe)?;
    wrapper(&unfinished)?;
    works(&unfinished)?;
    let others: Vec<_> = fs::read_dir(cache).map_err(describe)?.flatten().map(|entry| entry.path()).collect();
    for other in others.into_iter().filter(|other| is_left_over(other)) {
        fs::remove_dir_all(other).map_err(describe)?;
    }
    let folder = cache.join(format!("{FOLDER}{version}"));
    fs::rename(&unfinished, &folder).map_err(describe)?;
    Ok(folder)
}

/// Whether a folder is an older compiler, or one whose unpacking was interrupted.
fn is_left_over(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let dead = |process: &str| !Path::new("/proc").join(process).exists();
    name.starts_with(FOLDER) || name.strip_prefix(UNFINISHED).is_some_and(dead)
}

/// Writes a script that starts the compiler with the path of its libraries.
fn wrapper(folder: &Path) -> Outcome {
    let script = "#!/bin/sh\n\
        here=$(dirname \"$0\")/usr\n\
        LD_LIBRARY_PATH=$here/lib/x86_64-linux-gnu:$here/lib exec \"$here/bin/rustc\" \"$@\"\n";
    let path = folder.join("rustc");
    fs::write(&path, script).map_err(|error| format!("{}: {error}", path.display()))?;
    start(Command::new("chmod").arg("+x").arg(path))
}
