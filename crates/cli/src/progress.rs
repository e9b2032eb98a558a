//! A bar with rate and time left, on a terminal; nothing elsewhere.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of so many steps. It draws itself on standard error only if that is a terminal.
pub(crate) fn bar(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    match ProgressStyle::with_template("{bar:30} {human_pos} of {human_len}, {per_sec}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
