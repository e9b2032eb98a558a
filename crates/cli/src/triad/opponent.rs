//! The options that say who the opponent is, for `advise`, `deck` and `draft`.

use crate::failure::Failure;
use crate::input;
use api::read_json;
use api::triad::card_lists::{Book, split_hand};
use api::triad::{CardRef, OpponentQuestion};
use std::path::{Path, PathBuf};

/// The opponent, by what is known of his hand.
#[derive(clap::Args)]
pub(crate) struct OpponentOptions {
    /// An opponent of Final Fantasy XIV: a name, part of a name or #12. His rules are in force
    #[arg(long, value_name = "NAME", conflicts_with_all = ["fixed", "variable", "hands"])]
    npc: Option<String>,
    /// Cards that are always in the opponent's hand, separated by commas
    #[arg(long, value_name = "CARDS", conflicts_with = "hands")]
    fixed: Option<String>,
    /// Cards with which his hand is filled up to five, at random
    #[arg(long, value_name = "CARDS", conflicts_with = "hands")]
    variable: Option<String>,
    /// File of possible hands, one per line: five cards separated by commas; or JSON: [["Dodo", "#2", ...], ...]; - reads
    /// standard input
    #[arg(long, value_name = "FILE")]
    hands: Option<PathBuf>,
}

impl OpponentOptions {
    /// Whether anything is said about him.
    pub(crate) const fn is_given(&self) -> bool {
        self.npc.is_some() || self.fixed.is_some() || self.variable.is_some() || self.hands.is_some()
    }

    pub(crate) fn question(&self, book: &Book) -> Result<OpponentQuestion, Failure> {
        let of = |text: &Option<String>| text.as_deref().map_or_else(Vec::new, |text| cards(book, text));
        let mut opponent = OpponentQuestion::default();
        opponent.npc.clone_from(&self.npc);
        (opponent.fixed, opponent.variable) = (of(&self.fixed), of(&self.variable));
        if let Some(path) = &self.hands {
            opponent.hands = hands(path, book)?;
        }
        Ok(opponent)
    }
}

/// The cards of a list separated by commas.
pub(crate) fn cards(book: &Book, text: &str) -> Vec<CardRef> {
    split_hand(book, text).into_iter().map(CardRef::Text).collect()
}

/// Reads a file of hands. A file that begins with `[` is JSON; a line that begins with `# ` is a comment.
fn hands(path: &Path, book: &Book) -> Result<Vec<Vec<CardRef>>, Failure> {
    let text = input::read_text(path)?;
    let wrong = |what: &dyn std::fmt::Display| Failure::Usage(format!("{}: {what}", input::name_of(path)));
    let hands: Vec<Vec<CardRef>> = if text.trim_start().starts_with('[') {
        read_json(text.as_bytes()).map_err(|fault| wrong(&fault))?
    } else {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("# "));
        lines.map(|line| cards(book, line)).collect()
    };
    if hands.is_empty() { Err(wrong(&"there are no hands in it")) } else { Ok(hands) }
}
