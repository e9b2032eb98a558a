//! The options of the engine: those of the game's desk under the names that drivers know, and those of the protocol.

use super::told::Style;
use engine::desk::{Desk, Fault, Request, SettingKind};

/// The options that are the protocol's own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) level: u32,
    pub(super) lines: usize,
    pub(super) style: Style,
}

/// As many moves as any position has, more or less.
const MOST_LINES: usize = 256;
/// Drivers read bounds into 32 bits; larger values are taken all the same.
const MOST_SHOWN: u64 = i32::MAX as u64;

impl Default for Options {
    fn default() -> Self {
        Self { level: Request::STRONGEST, lines: 1, style: Style::Algebraic }
    }
}

/// What an option belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// The desk's setting of this name.
    Desk(&'static str),
    /// The protocol's own; it is done.
    Own,
}

/// The desk's name under the name that drivers know.
fn public_name(setting: &str) -> String {
    if setting == "memory" {
        return "Hash".to_owned();
    }
    let mut letters = setting.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl Options {
    /// The `option` lines.
    pub(super) fn told(&self, desk: &dyn Desk) -> Vec<String> {
        let mut lines = vec![
            format!("option name Level type spin default {} min 1 max {}", self.level, Request::STRONGEST),
            format!("option name MultiPV type spin default {} min 1 max {MOST_LINES}", self.lines),
        ];
        if desk.game() == engine::desk::GameName::Uttt {
            let style = Style::NAMED.into_iter().find(|(_, style)| *style == self.style).map_or("", |(name, _)| name);
            lines.push(format!("option name MoveStyle type combo default {style} var algebraic var letters"));
        }
        for setting in desk.settings() {
            let kind = match &setting.kind {
                SettingKind::Choice(choices) => {
                    let choices: Vec<String> = choices.iter().map(|choice| format!(" var {choice}")).collect();
                    format!("combo default {}{}", setting.value, choices.concat())
                }
                SettingKind::Number { least, most } => {
                    format!("spin default {} min {least} max {}", setting.value, most.min(&MOST_SHOWN))
                }
                SettingKind::Text => format!("string default {}", setting.value),
            };
            lines.push(format!("option name {} type {kind}", public_name(setting.name)));
        }
        lines
    }

    /// Sets an option of the protocol, or says which one of the desk is meant.
    pub(super) fn change(&mut self, desk: &dyn Desk, name: &str, value: &str) -> Result<Change, Fault> {
        let number = |name: &'static str, most: usize| {
            let number = value.trim().parse().ok().filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| Fault::new(name, format_args!("{name} is a number from 1 to {most}, not `{value}`")))
        };
        match name.to_ascii_lowercase().as_str() {
            "level" => self.level = number("Level", Request::STRONGEST as usize)? as u32,
            "multipv" => self.lines = number("MultiPV", MOST_LINES)?,
            "movestyle" if desk.game() == engine::desk::GameName::Uttt => {
                let named = Style::NAMED.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(value.trim()));
                let wrong = || Fault::new("MoveStyle", "MoveStyle is algebraic or letters");
                self.style = named.map(|(_, style)| style).ok_or_else(wrong)?;
            }
            name => {
                let meant =
                    |setting: &&'static str| public_name(setting).eq_ignore_ascii_case(name) || *setting == name;
                let setting = desk.settings().into_iter().map(|setting| setting.name).find(|name| meant(name));
                let unknown = || Fault::new("option", format_args!("no option is called `{name}`"));
                return setting.map(Change::Desk).ok_or_else(unknown);
            }
        }
        Ok(Change::Own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::desk::GameName;
    use grid::simd::Isa;

    #[test]
    fn every_option_that_is_told_can_be_set_to_what_it_is_told_to_be() {
        for game in GameName::ALL {
            let mut desk = game.desk(Isa::detect());
            let mut options = Options::default();
            let lines = options.told(desk.as_ref());
            assert!(lines.len() >= 5);
            for line in lines {
                let words: Vec<&str> = line.split(' ').collect();
                assert_eq!((words[1], words[3], words[5]), ("name", "type", "default"), "{line}");
                match options.change(desk.as_ref(), words[2], words[6]).unwrap() {
                    Change::Desk(name) => desk.set(name, words[6]).unwrap(),
                    Change::Own => {}
                }
                assert!(options.change(desk.as_ref(), &words[2].to_lowercase(), words[6]).is_ok(), "{line}");
            }
            assert_eq!(options.change(desk.as_ref(), "MultiPV", "0").unwrap_err().field, "MultiPV");
            assert!(options.change(desk.as_ref(), "Nonsense", "0").is_err());
        }
    }

    #[test]
    fn memory_goes_by_both_names() {
        let desk = GameName::Uttt.desk(Isa::detect());
        for name in ["Hash", "hash", "Memory", "memory"] {
            assert_eq!(Options::default().change(desk.as_ref(), name, "8").unwrap(), Change::Desk("memory"));
        }
    }
}
