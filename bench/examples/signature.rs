//! Prints the signature of every game, counted by the kernels of one level: `signature LEVEL`.
//! `cargo xtask signature` compares what each level prints with `bench/signature.txt`.

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
            eprintln!("this machine has no {isa}");
            ExitCode::from(1)
        }
        Err(fault) => {
            eprintln!("signature LEVEL: {fault}");
            ExitCode::from(2)
        }
    }
}
