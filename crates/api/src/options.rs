//! The options of the games by name: the same names in a question, on the command line and in the engine protocol.

use crate::fault::Fault;
use crate::json::did_you_mean;
use serde::{Deserialize, Serialize};

/// The rules of a game and how its engine plays. Each game has some of these; another game's option is refused.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Options {
    /// UTTT: `standard`, `codingame` or `open`. Cephalopods: `majority`, `sixes` or `misere`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// UTTT: which search looks for the move: `bestfirst`, `alphabeta`, `mcts` or `uct`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    /// UTTT: how the search judges a leaf: `playouts` or `handmade`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<String>,
    /// Triple Triad: `ff8` or `ff14`.
    #[serde(alias = "game", skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// Triple Triad: names of rules, separated by commas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Cephalopods: rows x columns such as `3x5`, at most 8 a side and 32 cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
    /// The seed of random choices: playouts, a random deal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// The names of all options.
const NAMES: [&str; 7] = ["rule", "search", "evaluation", "edition", "rules", "size", "seed"];

impl Options {
    /// Merges these options with `base`: an option that is not set here comes from `base`.
    #[must_use]
    pub fn over(&self, base: &Self) -> Self {
        let text = |own: &Option<String>, base: &Option<String>| own.as_ref().or(base.as_ref()).cloned();
        Self {
            rule: text(&self.rule, &base.rule),
            search: text(&self.search, &base.search),
            evaluation: text(&self.evaluation, &base.evaluation),
            edition: text(&self.edition, &base.edition),
            rules: text(&self.rules, &base.rules),
            size: text(&self.size, &base.size),
            seed: self.seed.or(base.seed),
        }
    }

    /// Sets an option by name. The game checks the value later.
    ///
    /// # Errors
    /// If there is no such option, or the value of a number is not a number.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let value = value.trim();
        let text = || Some(value.to_owned());
        match name {
            "rule" => self.rule = text(),
            "search" => self.search = text(),
            "evaluation" => self.evaluation = text(),
            "edition" | "game" => self.edition = text(),
            "rules" => self.rules = text(),
            "size" => self.size = text(),
            "seed" => {
                let wrong = |_| Fault::question("options.seed", format_args!("seed is a whole number, not `{value}`"));
                self.seed = Some(value.parse().map_err(wrong)?);
            }
            _ => {
                let near = did_you_mean(name, NAMES);
                return Err(Fault::question("options", format_args!("no option is called `{name}`{near}")));
            }
        }
        Ok(())
    }

    /// Refuses options that the game does not have.
    ///
    /// # Errors
    /// If an option is set that is not in `known`.
    pub(crate) fn only(&self, game: &str, known: &[&str]) -> Result<(), Fault> {
        let Self { rule, search, evaluation, edition, rules, size, seed } = self;
        let texts = [rule, search, evaluation, edition, rules, size].map(Option::is_some);
        let set = texts.into_iter().chain([seed.is_some()]).zip(NAMES);
        match set.filter(|(is_set, _)| *is_set).find(|(_, name)| !known.contains(name)) {
            None => Ok(()),
            Some((_, name)) => {
                let message = format_args!("{game} has no option `{name}`; it has {}", known.join(", "));
                Err(Fault::question(format!("options.{name}"), message))
            }
        }
    }
}

/// An option of a game: its value now, and what it can be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// Its name, one word.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What it can be.
    pub kind: SettingKind,
}

/// What an option can be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SettingKind {
    /// One of these words.
    Choice(Vec<String>),
    /// A whole number within bounds.
    Number {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// Any text.
    Text,
}

impl Setting {
    pub(crate) fn choice(name: &str, value: &str, choices: &[&str]) -> Self {
        let kind = SettingKind::Choice(choices.iter().map(|&choice| choice.to_owned()).collect());
        Self { name: name.to_owned(), value: value.to_owned(), kind }
    }

    pub(crate) fn seed(value: u64) -> Self {
        let kind = SettingKind::Number { least: 0, most: u64::MAX };
        Self { name: "seed".to_owned(), value: value.to_string(), kind }
    }

    pub(crate) fn text(name: &str, value: impl Into<String>) -> Self {
        Self { name: name.to_owned(), value: value.into(), kind: SettingKind::Text }
    }
}

/// Reads an option with a fixed list of words; the default if it is not set.
pub(crate) fn choice<T: Copy + Default>(
    name: &str,
    value: Option<&str>,
    choices: &[(&'static str, T)],
) -> Result<T, Fault> {
    let Some(value) = value else { return Ok(T::default()) };
    let found = choices.iter().find(|(known, _)| known.eq_ignore_ascii_case(value.trim()));
    found.map(|(_, choice)| *choice).ok_or_else(|| {
        let known: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        Fault::question(format!("options.{name}"), format_args!("{name} is one of {}, not `{value}`", known.join(", ")))
    })
}
