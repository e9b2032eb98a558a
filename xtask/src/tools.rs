//! What the steps need besides Rust, in one table, and how it gets onto a Debian machine.

use crate::process::{Outcome, cargo, in_path, read, run as start};
use crate::{apt, neon, web};
use std::path::Path;
use std::process::Command;

/// A program or library that a step needs.
struct Tool {
    /// The Debian package.
    package: &'static str,
    /// A program in the path, or a file with its whole path, that shows it is there.
    proof: &'static str,
    /// What needs it.
    purpose: &'static str,
    /// Whether it serves the emulation of ARM, which a machine that is ARM does not need.
    emulation: bool,
}

/// A new tool is one line here.
const TOOLS: [Tool; 7] = [
    Tool { package: "valgrind", proof: "valgrind", purpose: "counts instructions", emulation: false },
    Tool {
        package: "gcc-aarch64-linux-gnu",
        proof: "aarch64-linux-gnu-gcc",
        purpose: "links programs for 64-bit ARM",
        emulation: true,
    },
    Tool {
        package: "libc6-dev-arm64-cross",
        proof: "/usr/aarch64-linux-gnu/include/stdio.h",
        purpose: "is what they are linked with",
        emulation: true,
    },
    Tool { package: "chromium", proof: "chromium", purpose: "shows the page", emulation: false },
    Tool { package: "nodejs", proof: "node", purpose: "drives it and checks the page's types", emulation: false },
    Tool { package: "npm", proof: "npm", purpose: "fetches what drives it", emulation: false },
    Tool { package: "qemu-user-static", proof: "qemu-aarch64-static", purpose: "runs them", emulation: true },
];

impl Tool {
    fn is_needed(&self) -> bool {
        !(self.emulation && cfg!(target_arch = "aarch64"))
    }

    fn is_here(&self) -> bool {
        if self.proof.starts_with('/') { Path::new(self.proof).is_file() } else { in_path(self.proof) }
    }
}

/// Finds or installs everything.
pub(crate) fn run() -> Outcome {
    for (component, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let version = read(&mut cargo(&[subcommand, "--version"]))
            .map_err(|fault| format!("{fault}\ninstall it with `rustup component add {component}`"))?;
        println!("{component:24} {}", version.trim());
    }
    let missing: Vec<&Tool> = TOOLS.iter().filter(|tool| tool.is_needed() && !tool.is_here()).collect();
    if !missing.is_empty() {
        install(&missing)?;
    }
    for tool in TOOLS.iter().filter(|tool| tool.is_needed()) {
        if !tool.is_here() {
            return Err(format!("{} is installed, but {} is not there", tool.package, tool.proof));
        }
        println!("{:24} {} {}", tool.package, tool.proof, tool.purpose);
    }
    println!("{:24} {}", "compiler for ARM", neon::prepare()?);
    println!("{:24} {}", "npm packages", web::prepare()?);
    Ok(())
}

fn install(missing: &[&Tool]) -> Outcome {
    let packages: Vec<&str> = missing.iter().map(|tool| tool.package).collect();
    let list = packages.join(" ");
    if !apt::is_here() {
        let lines =
            missing.iter().map(|tool| format!("\n  {} (Debian's {}): {}", tool.proof, tool.package, tool.purpose));
        return Err(format!("there is no apt-get here; install by hand:{}", lines.collect::<String>()));
    }
    if !is_root() {
        return Err(format!("not root; install with `apt-get install --no-install-recommends {list}`"));
    }
    start(Command::new("apt-get").args(["-q", "update"]))?;
    let mut install = Command::new("apt-get");
    install.args(["-q", "install", "--yes", "--no-install-recommends"]).args(&packages);
    start(install.env("DEBIAN_FRONTEND", "noninteractive"))
}

fn is_root() -> bool {
    read(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
