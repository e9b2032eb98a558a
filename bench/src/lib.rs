//! **The bench room**: what is measured and what must never drift.
//!
//! **This room** lists one deterministic node count per game ([`SIGNATURES`]) and the kernels whose instructions are
//! counted ([`KERNELS`]). `bench/signature.txt` and `bench/counts.txt` record what they came to; times are measured by
//! criterion in each crate's `benches/`.
//! **It may not** be known by any room but `cli` (for the headline figures of `ninefold bench`), decide a rule, or hold a fast form of anything: it calls what others ship.
//! **Go next** to `xtask`, which runs this under callgrind and at each instruction-set level.

pub mod headline;
mod kernel;
mod kernels;
mod signature;

pub use kernel::{Kernel, Round};
pub use kernels::KERNELS;
pub use signature::{SIGNATURES, Signature};
