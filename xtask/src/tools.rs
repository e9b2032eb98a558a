//! The tools that the steps need besides Rust, and their installation on Debian.

use crate::process::{Outcome, cargo, in_path, read, run as start};
use crate::{apt, fuzz, neon, package, web};
use std::path::Path;
use std::process::Command;

/// A program or library that a step needs.
struct Tool {
    /// The Debian package.
    package: &'static str,
    /// A program in the PATH, or the absolute path of a file, that shows that it is installed.
    proof: &'static str,
    /// What it is used for.
    purpose: &'static str,
    /// Whether it is for the emulation of ARM, which an ARM machine does not need.
    emulation: bool,
}

/// A new tool needs one entry here.
const TOOLS: [Tool; 10] = [
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
        purpose: "the C library for 64-bit ARM",
        emulation: true,
    },
    Tool { package: "g++", proof: "g++", purpose: "compiles the fuzzing engine", emulation: false },
    Tool { package: "chromium", proof: "chromium", purpose: "the browser of the web tests", emulation: false },
    Tool {
        package: "nodejs",
        proof: "node",
        purpose: "runs the web tests and checks the types of the page",
        emulation: false,
    },
    Tool { package: "dpkg-dev", proof: "dpkg-shlibdeps", purpose: "finds the libraries of the .deb", emulation: false },
    Tool { package: "xz-utils", proof: "xz", purpose: "compresses the .deb", emulation: false },
    Tool { package: "npm", proof: "npm", purpose: "downloads the packages of the web tests", emulation: false },
    Tool {
        package: "qemu-user-static",
        proof: "qemu-aarch64-static",
        purpose: "runs programs for 64-bit ARM",
        emulation: true,
    },
];

impl Tool {
    fn is_needed(&self) -> bool {
        !(self.emulation && cfg!(target_arch = "aarch64"))
    }

    fn is_here(&self) -> bool {
        if self.proof.starts_with('/') { Path::new(self.proof).is_file() } else { in_path(self.proof) }
    }
}

/// Finds or installs all tools.
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
            return Err(format!("{} is installed, but {} is missing", tool.package, tool.proof));
        }
        println!("{:24} {} {}", tool.package, tool.proof, tool.purpose);
    }
    println!("{:24} {}", "compiler for ARM", neon::prepare()?);
    println!("{:24} {}", "fuzzer", fuzz::prepare()?);
    println!("{:24} {}", "npm packages", web::prepare()?);
    println!("{:24} {}", "packager", package::prepare()?);
    Ok(())
}

fn install(missing: &[&Tool]) -> Outcome {
    let packages: Vec<&str> = missing.iter().map(|tool| tool.package).collect();
    let list = packages.join(" ");
    if !apt::is_here() {
        let lines =
            missing.iter().map(|tool| format!("\n  {} (Debian's {}): {}", tool.proof, tool.package, tool.purpose));
        return Err(format!("apt-get is not available; install by hand:{}", lines.collect::<String>()));
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
