//! Downloads and unpacks Debian packages of another architecture without installing them.
//!
//! apt uses separate lists and a separate cache, so that neither root nor `dpkg --add-architecture` is needed and the machine
//! stays unchanged.

use crate::process::{Outcome, in_path, read, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether this machine has apt and dpkg.
pub(crate) fn is_here() -> bool {
    in_path("apt-get") && in_path("dpkg")
}

/// The version in the system's package lists, if they have the package.
pub(crate) fn offered(package: &str) -> Option<String> {
    let text = read(Command::new("apt-cache").args(["policy", package])).ok()?;
    candidate(&text).map(str::to_string)
}

fn candidate(policy: &str) -> Option<&str> {
    let version = policy.lines().find_map(|line| line.trim().strip_prefix("Candidate:"))?.trim();
    (version != "(none)").then_some(version)
}

/// Whether one Debian version is at least another.
pub(crate) fn at_least(version: &str, wanted: &str) -> bool {
    read(Command::new("dpkg").args(["--compare-versions", version, "ge", wanted])).is_ok()
}

/// apt with its own state in a folder.
pub(crate) struct Apt {
    folder: PathBuf,
}

impl Apt {
    /// Downloads the package lists of both architectures into `folder`.
    pub(crate) fn new(folder: &Path) -> Outcome<Self> {
        let apt = Self { folder: folder.to_path_buf() };
        for part in ["lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(folder.join(part)).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        run(&mut apt.command("apt-get", &["-q", "update"]))?;
        Ok(apt)
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.arg("-o").arg(format!("Dir::State::Lists={}", self.folder.join("lists").display()));
        command.arg("-o").arg(format!("Dir::Cache={}", self.folder.join("cache").display()));
        for architecture in ["amd64", "arm64"] {
            command.arg("-o").arg(format!("APT::Architectures::={architecture}"));
        }
        // The sandbox user of apt could not write into this folder.
        command.args(["-o", "APT::Sandbox::User=root"]).args(arguments).current_dir(&self.folder);
        command
    }

    /// The newest version of a package.
    pub(crate) fn version(&self, package: &str) -> Outcome<String> {
        let text = read(&mut self.command("apt-cache", &["policy", package]))?;
        candidate(&text).map(str::to_string).ok_or(format!("apt has no package {package}"))
    }

    /// The first dependency of a package whose name starts with `prefix`.
    pub(crate) fn dependency(&self, package: &str, prefix: &str) -> Outcome<String> {
        let text = read(&mut self.command("apt-cache", &["show", "--no-all-versions", package]))?;
        dependency(&text, prefix).map(str::to_string).ok_or(format!("{package} has no dependency {prefix}*"))
    }

    /// Downloads packages and unpacks them into one folder.
    pub(crate) fn unpack(&self, packages: &[String], tree: &Path) -> Outcome {
        let names: Vec<&str> = packages.iter().map(String::as_str).collect();
        run(self.command("apt-get", &["-q", "download"]).args(&names))?;
        let listing = fs::read_dir(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        let archives: Vec<PathBuf> = listing
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "deb"))
            .collect();
        if archives.len() != packages.len() {
            return Err(format!("requested {} packages from apt, received {}", packages.len(), archives.len()));
        }
        archives.iter().try_for_each(|archive| run(Command::new("dpkg").arg("-x").arg(archive).arg(tree)))
    }
}

fn dependency<'text>(show: &'text str, prefix: &str) -> Option<&'text str> {
    let list = show.lines().find_map(|line| line.strip_prefix("Depends:"))?;
    list.split(',').filter_map(|item| item.split_whitespace().next()).find(|name| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_apt_are_understood() {
        let policy = "rustc-web:\n  Installed: (none)\n  Candidate: 1.96.0+dfsg1-1~deb12u2\n  Version table:\n";
        assert_eq!(candidate(policy), Some("1.96.0+dfsg1-1~deb12u2"));
        assert_eq!(candidate("rustc-web:\n  Candidate: (none)\n"), None);
        assert_eq!(candidate(""), None);
        let show = "Package: libstd-rust-web-1.96\nDepends: libc6 (>= 2.34), libllvm22, libstdc++6 (>= 11)\n";
        assert_eq!(dependency(show, "libllvm"), Some("libllvm22"));
        assert_eq!(dependency(show, "libstd-rust"), None);
    }
}
