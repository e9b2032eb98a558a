//! Paste-ready source files: what those of all games share.
//!
//! ```text
//! character   15 bits; below 0x6c00: U+3400 and on (ideographs); above: U+AC00 and on (Hangul syllables)
//! constant    a line `const NAME: TYPE = VALUE;` of the template, whose value is replaced
//! ```
//!
//! CodinGame counts a source in UTF-16 units. Every character here is one unit, a letter that no normal form changes, and
//! none is a surrogate, a control, a quote, a backslash or a combining mark, so no editor or page alters it.

/// The longest source that CodinGame allows, in UTF-16 units.
pub const LIMIT: usize = 100_000;

/// A number below 2^15 as a character.
pub(crate) fn character(bits: u32) -> char {
    let code = if bits < 0x6c00 { 0x3400 + bits } else { 0xac00 + bits - 0x6c00 };
    char::from_u32(code).expect("ideographs and syllables are characters")
}

/// The template with the values of these constants replaced.
pub(crate) fn filled(template: &str, constants: &[(&str, String)]) -> String {
    let line = |line: &str| {
        let declared = line.strip_prefix("const ").and_then(|rest| rest.split_once(": "));
        match declared.and_then(|(name, _)| constants.iter().find(|(constant, _)| *constant == name)) {
            Some((_, value)) => format!("{} = {value};\n", line.split(" = ").next().unwrap_or_default()),
            None => format!("{line}\n"),
        }
    };
    template.lines().map(line).collect()
}
