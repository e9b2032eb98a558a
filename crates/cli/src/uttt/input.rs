//! Positions given as arguments or on standard input.

use crate::failure::Failure;
use std::io::BufRead;

/// Passes the text of each position to `each`, in order: the arguments, and for `-` one per line of standard input.
/// Without arguments it is the start of the game. An error names the line number.
pub(super) fn each_position(
    texts: &[String],
    mut each: impl FnMut(Option<&str>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if texts.is_empty() {
        return each(None);
    }
    for text in texts {
        if text != "-" {
            each(Some(text))?;
            continue;
        }
        for (number, line) in std::io::stdin().lock().lines().enumerate() {
            let line = line.map_err(|error| Failure::Run(format!("standard input: {error}")))?;
            let text = line.trim();
            if !text.is_empty() && !text.starts_with('#') {
                each(Some(text)).map_err(|failure| failure.at_line(number + 1))?;
            }
        }
    }
    Ok(())
}
