//! Options that several commands share, and how their values are read.

use grid::simd::Isa;
use std::num::NonZero;
use std::time::Duration;

/// `--isa`.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct IsaOption {
    /// The instruction set: scalar, sse2, v2, v3, neon or simd128; by default the best of this machine
    #[arg(long, value_name = "NAME", value_parser = isa)]
    isa: Option<Isa>,
}

impl IsaOption {
    /// The given instruction set, or the best.
    pub(crate) fn get(self) -> Isa {
        self.isa.unwrap_or_else(Isa::detect)
    }
}

/// `--threads`.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct ThreadsOption {
    /// Number of threads; 0 means one per core
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    threads: usize,
}

impl ThreadsOption {
    /// The number of threads to start.
    pub(crate) fn get(self) -> NonZero<usize> {
        let all = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        NonZero::new(self.threads).unwrap_or_else(all)
    }
}

/// Reads an instruction set that this machine supports.
pub(crate) fn isa(name: &str) -> Result<Isa, String> {
    let isa: Isa = name.parse().map_err(|error: grid::simd::UnknownIsa| error.to_string())?;
    if isa.is_available() { Ok(isa) } else { Err(format!("this machine cannot run {isa}")) }
}

/// Reads a time such as 100ms, 1.5s or 2m; a bare number means seconds.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 500ms or 10s".to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| "expected a time such as 500ms or 10s")?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| "expected a time such as 500ms or 10s".to_owned())
}

/// Converts bytes to MiB, rounded up.
pub(crate) fn mebibytes(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(1 << 20)).unwrap_or(u32::MAX)
}

/// Reads a size such as 512M or 4G; a bare number means MiB.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "K" | "KIB" => 10,
        "" | "M" | "MIB" => 20,
        "G" | "GIB" => 30,
        _ => return Err("expected a size such as 512M or 4G".to_owned()),
    };
    let number: usize = digits.parse().map_err(|_| "expected a size such as 512M or 4G")?;
    number
        .checked_mul(1 << shift)
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| "expected a size above zero, such as 512M or 4G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_read_as_people_write_them() {
        for (text, millis) in
            [("100ms", 100), ("1.5s", 1500), ("2", 2000), ("0.25", 250), ("2m", 120_000), ("1h", 3_600_000)]
        {
            assert_eq!(time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "ms", "-1s", "1d", "1e999", "nan", "inf", "é", "1 s"] {
            assert!(time(text).is_err(), "{text}");
        }
        for (text, size) in [("1", 1 << 20), ("512M", 512 << 20), ("4G", 4 << 30), ("64k", 64 << 10), ("2GiB", 2 << 30)]
        {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for text in ["", "G", "0", "0M", "-1", "1T", "99999999999999999999", "18446744073709551615G", "1.5G"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn instruction_sets_are_those_of_this_machine() {
        assert_eq!(isa("scalar"), Ok(Isa::Scalar));
        assert!(isa("avx9").is_err());
        let foreign = if cfg!(target_arch = "aarch64") { "v3" } else { "neon" };
        assert_eq!(isa(foreign), Err(format!("this machine cannot run {foreign}")));
    }
}
