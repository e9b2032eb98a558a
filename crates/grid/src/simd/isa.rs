//! The instruction-set levels by name.
//!
//! A level is a name first, so that a command line or a test can ask for one that this machine lacks and get a clear
//! answer. Only [`Isa::level`] turns a name into something that runs.

use core::fmt;
use core::str::FromStr;
use fearless_simd::Level;

/// An instruction-set level, of this machine or of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Isa {
    /// No vector instruction.
    Scalar,
    /// SSE2, part of every x86-64.
    Sse2,
    /// x86-64-v2: SSE4.2 and popcnt.
    X86V2,
    /// x86-64-v3: AVX2, BMI1, BMI2, lzcnt.
    X86V3,
    /// NEON, part of every 64-bit ARM.
    Neon,
    /// The 128-bit vectors of WebAssembly. A module either uses them or not: the choice is made when it is compiled.
    Simd128,
}

impl Isa {
    /// Every level, weakest first.
    pub const ALL: [Self; 6] = [Self::Scalar, Self::Sse2, Self::X86V2, Self::X86V3, Self::Neon, Self::Simd128];

    /// The best level of this machine.
    #[must_use]
    pub fn detect() -> Self {
        Self::available().last().unwrap_or(Self::Scalar)
    }

    /// The levels this machine can run, weakest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|isa| isa.find().is_some())
    }

    /// Whether this machine can run the level.
    #[must_use]
    pub fn is_available(self) -> bool {
        self.find().is_some()
    }

    /// The level for [`dispatch!`](crate::simd::dispatch). On a machine that cannot run it this is the scalar level, so the
    /// answer is right in any case. Call [`is_available`](Self::is_available) first where that must be noticed.
    #[must_use]
    pub fn level(self) -> Level {
        self.find().unwrap_or(Level::fallback())
    }

    fn find(self) -> Option<Level> {
        let best = Level::try_detect().unwrap_or(Level::baseline());
        match self {
            Self::Scalar => Some(Level::fallback()),
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => best.as_sse2().map(Level::Sse2),
            #[cfg(target_arch = "x86_64")]
            Self::X86V2 => best.as_sse4_2().map(Level::Sse4_2),
            #[cfg(target_arch = "x86_64")]
            Self::X86V3 => best.as_avx2().map(Level::Avx2),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => best.as_neon().map(Level::Neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => best.as_wasm_simd128().map(Level::WasmSimd128),
            #[allow(unreachable_patterns, reason = "which levels are left depends on the target")]
            _ => {
                let _ = best;
                None
            }
        }
    }

    /// The name, as `--isa` takes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse2 => "sse2",
            Self::X86V2 => "v2",
            Self::X86V3 => "v3",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// No level has that name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownIsa;

impl fmt::Display for UnknownIsa {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the instruction sets are scalar, sse2, v2, v3, neon and simd128")
    }
}

impl core::error::Error for UnknownIsa {}

impl FromStr for Isa {
    type Err = UnknownIsa;

    fn from_str(name: &str) -> Result<Self, UnknownIsa> {
        Self::ALL.into_iter().find(|isa| isa.name() == name).ok_or(UnknownIsa)
    }
}
