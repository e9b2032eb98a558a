//! The error of every text parser: where the text is wrong, and what was expected there.

use core::fmt;

/// An error in a text, with its position.
///
/// ```
/// use ninefold_grid::TextError;
/// let fault = TextError::new(3, "one of X, O or .");
/// assert_eq!(fault.to_string(), "at character 4: expected one of X, O or .");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The byte offset of the error, counted from 0; the length of the text if something is missing at the end.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl TextError {
    /// An error at byte `at`.
    #[must_use]
    pub const fn new(at: usize, expected: &'static str) -> Self {
        Self { at, expected }
    }

    /// The same error in a text that has `offset` bytes before the parsed part.
    #[must_use]
    pub const fn shifted(self, offset: usize) -> Self {
        Self { at: self.at + offset, expected: self.expected }
    }

    /// A message that shows the text with a caret under the error.
    ///
    /// ```
    /// use ninefold_grid::TextError;
    /// let shown = TextError::new(2, "a digit from 0 to 6").pointing_into("12x").to_string();
    /// assert_eq!(shown, "expected a digit from 0 to 6\n  12x\n    ^");
    ///
    /// // Of a long text, only the part near the error is shown.
    /// let long = "1".repeat(1000);
    /// let shown = TextError::new(500, "a digit from 2 to 6").pointing_into(&long).to_string();
    /// assert!(shown.len() < 300 && shown.ends_with(&format!("{}^", " ".repeat(63))));
    /// ```
    #[must_use]
    pub const fn pointing_into<'a>(&'a self, text: &'a str) -> Pointed<'a> {
        Pointed { error: self, text }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at character {}: expected {}", self.at + 1, self.expected)
    }
}

impl core::error::Error for TextError {}

/// A [`TextError`] together with its text.
#[derive(Clone, Copy, Debug)]
pub struct Pointed<'a> {
    error: &'a TextError,
    text: &'a str,
}

/// Number of characters of a long text that are shown on each side of the error.
const SHOWN: usize = 60;

impl fmt::Display for Pointed<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "expected {}", self.error.expected)?;
        let before = self.text.char_indices().take_while(|&(at, _)| at < self.error.at).count();
        let skipped = before.saturating_sub(SHOWN);
        let ends = if skipped > 0 { "\u{2026}" } else { "" };
        write!(out, "  {ends}")?;
        let mut shown = self.text.chars().skip(skipped);
        for symbol in shown.by_ref().take(before - skipped + SHOWN) {
            fmt::Write::write_char(out, if symbol.is_control() { '\u{fffd}' } else { symbol })?;
        }
        let more = if shown.next().is_some() { "\u{2026}" } else { "" };
        writeln!(out, "{more}")?;
        write!(out, "  {:width$}^", "", width = before - skipped + ends.chars().count())
    }
}
