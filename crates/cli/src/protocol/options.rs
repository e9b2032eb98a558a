//! The options of the engine: those of the game under the names that drivers know, and those of the protocol.

use super::clock::OVERHEAD_MS;
use super::output::Style;
use api::{Fault, GameName, STRONGEST, Session, SettingKind};

/// The protocol's own options.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) level: u32,
    pub(super) lines: usize,
    pub(super) style: Style,
    pub(super) memory_mib: u32,
    pub(super) threads: u32,
    /// Time lost between two programs per move, in milliseconds.
    pub(super) overhead_ms: u32,
    /// Whether the opening book answers where it can.
    pub(super) own_book: bool,
}

/// About the largest number of moves in any position.
const MAX_LINES: u32 = 256;
/// Drivers read bounds as 32-bit numbers; larger values are accepted anyway.
const MAX_SHOWN: u64 = i32::MAX as u64;
const MAX_MEMORY_MIB: u32 = 1 << 20;
const MAX_THREADS: u32 = 256;
const MAX_OVERHEAD_MS: u32 = 60_000;

impl Default for Options {
    fn default() -> Self {
        Self {
            level: STRONGEST,
            lines: 1,
            style: Style::Algebraic,
            memory_mib: 256,
            threads: 1,
            overhead_ms: OVERHEAD_MS,
            own_book: false,
        }
    }
}

/// The owner of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// The game's option with this name.
    Game(String),
    /// An option of the protocol; it is already set.
    Own,
}

/// The public name of a game's option: its name with a capital letter.
fn public_name(setting: &str) -> String {
    let mut letters = setting.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl Options {
    /// The `option` lines of the answer to `ugi`.
    pub(super) fn lines(&self, session: &dyn Session) -> Vec<String> {
        let mut lines = vec![
            format!("option name Level type spin default {} min 1 max {STRONGEST}", self.level),
            format!("option name MultiPV type spin default {} min 1 max {MAX_LINES}", self.lines),
        ];
        if session.game() == GameName::Uttt {
            let style = Style::NAMED.into_iter().find(|(_, style)| *style == self.style).map_or("", |(name, _)| name);
            lines.push(format!("option name MoveStyle type combo default {style} var algebraic var letters"));
            lines.push(format!("option name OwnBook type check default {}", self.own_book));
        }
        lines.push(format!("option name Hash type spin default {} min 1 max {MAX_MEMORY_MIB}", self.memory_mib));
        lines.push(format!("option name Threads type spin default {} min 1 max {MAX_THREADS}", self.threads));
        let overhead = self.overhead_ms;
        lines.push(format!("option name MoveOverhead type spin default {overhead} min 0 max {MAX_OVERHEAD_MS}"));
        for setting in session.settings() {
            let kind = match &setting.kind {
                SettingKind::Choice(choices) => {
                    let choices: Vec<String> = choices.iter().map(|choice| format!(" var {choice}")).collect();
                    format!("combo default {}{}", setting.value, choices.concat())
                }
                SettingKind::Number { least, most } => {
                    format!("spin default {} min {least} max {}", setting.value, most.min(&MAX_SHOWN))
                }
                SettingKind::Text => format!("string default {}", setting.value),
            };
            lines.push(format!("option name {} type {kind}", public_name(&setting.name)));
        }
        lines
    }

    /// Sets an option of the protocol, or returns the name of the game's option. Case does not matter.
    pub(super) fn change(&mut self, session: &dyn Session, name: &str, value: &str) -> Result<Change, Fault> {
        let within = |name: &'static str, least: u32, most: u32| {
            let number = value.trim().parse().ok().filter(|number| (least..=most).contains(number));
            let wrong =
                || Fault::question(name, format_args!("{name} is a number from {least} to {most}, not `{value}`"));
            number.ok_or_else(wrong)
        };
        let number = |name: &'static str, most: u32| within(name, 1, most);
        match name.to_ascii_lowercase().as_str() {
            "level" => self.level = number("Level", STRONGEST)?,
            "multipv" => self.lines = number("MultiPV", MAX_LINES)? as usize,
            "hash" | "memory" => self.memory_mib = number("Hash", MAX_MEMORY_MIB)?,
            "threads" => self.threads = number("Threads", MAX_THREADS)?,
            // UCI engines write it as two words.
            "moveoverhead" | "move overhead" => self.overhead_ms = within("MoveOverhead", 0, MAX_OVERHEAD_MS)?,
            "ownbook" if session.game() == GameName::Uttt => {
                let wrong = |_| Fault::question("OwnBook", "OwnBook is true or false");
                self.own_book = value.trim().to_ascii_lowercase().parse().map_err(wrong)?;
            }
            "movestyle" if session.game() == GameName::Uttt => {
                let named = Style::NAMED.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(value.trim()));
                let wrong = || Fault::question("MoveStyle", "MoveStyle is algebraic or letters");
                self.style = named.map(|(_, style)| style).ok_or_else(wrong)?;
            }
            name => {
                let name = if name == "game" { "edition" } else { name };
                let mut known: Vec<String> = session.settings().into_iter().map(|setting| setting.name).collect();
                if known.iter().any(|known| known == name) {
                    return Ok(Change::Game(name.to_owned()));
                }
                known.extend(
                    ["Level", "MultiPV", "Hash", "Threads", "MoveOverhead", "MoveStyle", "OwnBook"].map(str::to_owned),
                );
                let near = api::did_you_mean(name, known.iter().map(String::as_str));
                return Err(Fault::question("option", format_args!("no option is called `{name}`{near}")));
            }
        }
        Ok(Change::Own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grid::simd::Isa;

    #[test]
    fn every_option_can_be_set_to_its_default() {
        for game in GameName::ALL {
            let session = game.open(Isa::detect());
            let mut options = Options::default();
            let lines = options.lines(session.as_ref());
            assert!(lines.len() >= 5);
            for line in lines {
                let words: Vec<&str> = line.split(' ').collect();
                assert_eq!((words[1], words[3], words[5]), ("name", "type", "default"), "{line}");
                if let Change::Game(name) = options.change(session.as_ref(), words[2], words[6]).unwrap() {
                    let mut base = session.base().clone();
                    base.set(&name, words[6]).unwrap();
                    assert_eq!(game.open(Isa::detect()).set_base(&base), Ok(()), "{line}");
                }
                assert!(options.change(session.as_ref(), &words[2].to_lowercase(), words[6]).is_ok(), "{line}");
            }
            assert_eq!(options.change(session.as_ref(), "MultiPV", "0").unwrap_err().field, "MultiPV");
            assert!(options.change(session.as_ref(), "Nonsense", "0").is_err());
        }
    }

    #[test]
    fn memory_goes_by_both_names() {
        let session = GameName::Uttt.open(Isa::detect());
        for name in ["Hash", "hash", "Memory", "memory"] {
            let mut options = Options::default();
            assert_eq!(options.change(session.as_ref(), name, "8").unwrap(), Change::Own);
            assert_eq!(options.memory_mib, 8);
        }
    }
}
