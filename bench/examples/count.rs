//! Runs one kernel, so that callgrind can count its instructions. `cargo xtask count` uses it. `count list` lists the kernels
//! with their levels; `count run KERNEL LEVEL ROUNDS` prints the number of items per round.

use grid::simd::Isa;
use ninefold_bench::{KERNELS, Kernel};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let answer = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["list"] => Ok(list()),
        ["run", kernel, isa, rounds] => run(kernel, isa, rounds),
        _ => Err("usage: count list | count run KERNEL LEVEL ROUNDS".to_string()),
    };
    match answer {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::from(2)
        }
    }
}

fn kernels() -> impl Iterator<Item = &'static Kernel> {
    KERNELS.iter().copied().flatten()
}

fn list() -> String {
    let line = |kernel: &Kernel, isa: Isa| format!("{} {isa}", kernel.name);
    let lines: Vec<_> = kernels().flat_map(|kernel| kernel.levels().into_iter().map(|isa| line(kernel, isa))).collect();
    lines.join("\n")
}

fn run(kernel: &str, isa: &str, rounds: &str) -> Result<String, String> {
    let kernel = kernels()
        .find(|known| known.name == kernel)
        .ok_or(format!("there is no kernel {kernel}; `count list` lists them"))?;
    let isa: Isa = isa.parse().map_err(|fault| format!("{fault}"))?;
    if !isa.is_available() {
        return Err(format!("this machine does not support {isa}"));
    }
    let rounds = rounds.parse().map_err(|_| format!("expected a number of rounds, found {rounds}"))?;
    Ok(kernel.run(isa, rounds).to_string())
}
