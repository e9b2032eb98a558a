//! Whether to use colours: decided once for the whole program. A colour never carries information of its own; a letter
//! or a mark repeats it.

use clap::ValueEnum;
use std::io::IsTerminal;
use std::sync::OnceLock;

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Choice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

static CHOICE: OnceLock<Choice> = OnceLock::new();

/// Sets the choice. Only the first call has an effect.
pub(crate) fn choose(choice: Choice) {
    let _ = CHOICE.set(choice);
}

/// Whether to colour standard output.
pub(crate) fn enabled() -> bool {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    decide(CHOICE.get().copied().unwrap_or(Choice::Auto), no_color, std::io::stdout().is_terminal())
}

fn decide(choice: Choice, no_color: bool, terminal: bool) -> bool {
    match choice {
        Choice::Always => true,
        Choice::Never => false,
        Choice::Auto => terminal && !no_color,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_outweighs_the_environment() {
        assert!(decide(Choice::Always, true, false) && !decide(Choice::Never, false, true));
        assert!(decide(Choice::Auto, false, true));
        assert!(!decide(Choice::Auto, true, true) && !decide(Choice::Auto, false, false));
    }
}
