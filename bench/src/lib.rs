//! **Measurements**: node counts that must not change, and kernels whose instructions are counted.
//!
//! **This room** lists one deterministic node count per game ([`SIGNATURES`]) and the kernels whose instructions are
//! counted ([`KERNELS`]). `bench/signature.txt` and `bench/counts.txt` record the results. Criterion measures times in the
//! `benches/` of each crate.
//! **It may not** be used by any crate but `cli` (for the headline figures of `ninefold bench`), define a rule, or contain an
//! optimised algorithm: it calls what the other crates ship.
//! **Go next** to `xtask`, which runs this under callgrind and at each instruction-set level.

pub mod headline;
mod kernel;
mod kernels;
mod signature;

pub use kernel::{Kernel, Round};
pub use kernels::KERNELS;
pub use signature::{SIGNATURES, Signature};
