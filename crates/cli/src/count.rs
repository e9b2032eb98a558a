//! Counts for people: digits in groups of three, and the noun in the singular or plural.

use indicatif::HumanCount;

/// A number and its noun, such as `1 board` or `12,345 boards`.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", HumanCount(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn one_is_singular() {
        assert_eq!(count(0, "board", "boards"), "0 boards");
        assert_eq!(count(1, "board", "boards"), "1 board");
        assert_eq!(count(1_234_567, "entry", "entries"), "1,234,567 entries");
    }
}
