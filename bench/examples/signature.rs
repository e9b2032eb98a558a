//! Prints the signature of every game, counted with the kernels of one level: `signature LEVEL`.
//! `cargo xtask signature` compares the output of each level with `bench/signature.txt`.

use grid::simd::Isa;
use ninefold_bench::SIGNATURES;
use std::process::ExitCode;

fn main() -> ExitCode {
    let isa = std::env::args().nth(1).unwrap_or_default().parse::<Isa>();
    match isa {
        Ok(isa) if isa.is_available() => {
            for signature in SIGNATURES {
                println!("{} {}", signature.name, (signature.count)(isa));
            }
            ExitCode::SUCCESS
        }
        Ok(isa) => {
            eprintln!("this machine does not support {isa}");
            ExitCode::from(1)
        }
        Err(fault) => {
            eprintln!("usage: signature LEVEL; {fault}");
            ExitCode::from(2)
        }
    }
}
