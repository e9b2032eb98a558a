//! SIMD: the instruction-set levels, the detection of the best one, and the vector functions that all games share.
//!
//! | level | name | where | registers |
//! |---|---|---|---|
//! | [`Isa::Scalar`] | `scalar` | everywhere | none |
//! | [`Isa::Sse2`] | `sse2` | every x86-64 | 128 bits |
//! | [`Isa::X86V2`] | `v2` | x86-64-v2: SSE4.2, popcnt | 128 bits |
//! | [`Isa::X86V3`] | `v3` | x86-64-v3: AVX2, BMI2 | 256 bits |
//! | [`Isa::Neon`] | `neon` | every 64-bit ARM | 128 bits |
//! | [`Isa::Simd128`] | `simd128` | WebAssembly compiled with `+simd128` | 128 bits |
//!
//! Choose the level **once**, at the root of a batch or of a search, with [`dispatch!`]. Whatever is inlined below it is
//! compiled for that level. A choice per call costs more than the vector saves.
//!
//! ```
//! use ninefold_grid::{cells, simd::{self, Isa, dispatch}};
//! let sets = [cells! { x x x / ... / ... }, cells! { x x . / ... / ... }];
//! for isa in Isa::available() {
//!     let mut won = [false; 2];
//!     dispatch!(isa.level(), simd => simd::has_line_each(simd, &sets, &mut won));
//!     assert_eq!(won, [true, false]);
//! }
//! ```
//!
//! The scalar versions are in [`scalar`], under the same names.

mod isa;
pub mod scalar;
mod vector;

pub use fearless_simd::{self, Level, Simd, dispatch};
pub use isa::{Isa, UnknownIsa};
pub use vector::{LINE_LANES, has_line, has_line_each, matches, prefetch};
