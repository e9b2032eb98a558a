//! Options that several commands share, and how their values are read.

use clap::Command;
use clap::builder::RangedI64ValueParser;
use grid::simd::Isa;
use std::num::NonZero;
use std::time::Duration;

/// The short options: one letter per name, the same in every command.
const SHORT: [(&str, char); 16] = [
    ("all-moves", 'a'),
    ("depth", 'd'),
    ("engine", 'e'),
    ("file", 'f'),
    ("game", 'g'),
    ("json", 'j'),
    ("level", 'l'),
    ("lines", 'L'),
    ("memory", 'm'),
    ("nodes", 'n'),
    ("output", 'o'),
    ("rule", 'r'),
    ("rules", 'r'),
    ("seed", 's'),
    ("threads", 'T'),
    ("time", 't'),
];

/// Adds the short options to a command and everything below it.
pub(crate) fn with_short_options(command: Command) -> Command {
    let short = |name: &str| SHORT.iter().find(|(long, _)| *long == name).map(|(_, letter)| *letter);
    let command = command.mut_args(|argument| match argument.get_long().and_then(short) {
        Some(letter) => argument.short(letter),
        None => argument,
    });
    command.mut_subcommands(with_short_options)
}

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
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = thread_count())]
    threads: u16,
}

impl ThreadsOption {
    /// The number of threads to start.
    pub(crate) fn get(self) -> NonZero<usize> {
        threads(self.threads)
    }
}

/// Reads a number of threads. More would only compete for the cores, and the system may refuse them.
pub(crate) fn thread_count() -> RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(0..=256)
}

/// The number of threads to start; one per core for 0.
pub(crate) fn threads(number: u16) -> NonZero<usize> {
    let all = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    NonZero::new(number.into()).unwrap_or_else(all)
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

    /// Clap itself checks that no command has a letter twice.
    #[test]
    fn short_options_are_the_same_everywhere() {
        fn walk(command: &Command, seen: &mut Vec<(String, char)>) {
            for argument in command.get_arguments().filter(|argument| !argument.is_global_set()) {
                if let (Some(long), Some(short)) = (argument.get_long(), argument.get_short()) {
                    seen.push((long.to_owned(), short));
                }
            }
            command.get_subcommands().for_each(|part| walk(part, seen));
        }
        let mut command = crate::command();
        command.build();
        let mut seen = Vec::new();
        walk(&command, &mut seen);
        seen.retain(|(long, _)| long != "help" && long != "version");
        assert!(seen.len() > 50, "{seen:?}");
        for (long, letter) in SHORT {
            assert!(seen.contains(&(long.to_owned(), letter)), "no command has --{long}");
        }
        assert!(seen.iter().all(|(long, letter)| SHORT.contains(&(long, *letter))), "{seen:?}");
    }

    #[test]
    fn instruction_sets_are_those_of_this_machine() {
        assert_eq!(isa("scalar"), Ok(Isa::Scalar));
        assert!(isa("avx9").is_err());
        let foreign = if cfg!(target_arch = "aarch64") { "v3" } else { "neon" };
        assert_eq!(isa(foreign), Err(format!("this machine cannot run {foreign}")));
    }
}
