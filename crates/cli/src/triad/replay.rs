//! `triad replay`: replays the games of a file, move by move.

use super::book;
use super::solve::read_file;
use crate::failure::Failure;
use crate::input::name_of;
use crate::output::Output;
use api::triad::{ReplayQuestion, replay};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "Examples:
  ninefold triad replay games.json
  ninefold triad replay games.json --explain
  ninefold triad replay games.json --text";

/// Arguments of `replay`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A JSON file with "games": [...], each with rules, hand_a, hand_b, moves and perhaps game, cell_elements, first; -
    /// reads standard input
    file: PathBuf,
    /// Explain every capture
    #[arg(long)]
    explain: bool,
    /// For people: one line per move instead of one JSON object per game
    #[arg(long, conflicts_with = "json")]
    text: bool,
    /// One JSON object per game (the default)
    #[arg(long)]
    json: bool,
    /// Card file to use instead of the built-in list
    #[arg(long)]
    cards: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut output = Output::new();
    for (number, deal) in read_file(&arguments.file)?.into_iter().enumerate() {
        let at =
            |message: String| Failure::Usage(format!("{}: game {}: {message}", name_of(&arguments.file), number + 1));
        let edition = deal.edition().map_err(|fault| at(fault.message))?;
        let book = book(edition.name(), arguments.cards.as_ref())?;
        let mut question = ReplayQuestion::default();
        (question.deal, question.explain) = (deal, arguments.explain || arguments.text);
        let answer = replay(&question, Some(&book)).map_err(|fault| at(fault.message))?;
        if !arguments.text {
            output.json(&answer)?;
            continue;
        }
        output.line(format_args!("game {}", number + 1))?;
        for (mv, owners) in answer.moves.iter().flatten().zip(&answer.owners_after_each_move) {
            let flips: Vec<String> =
                mv.flips.iter().map(|flip| format!("{} at {}: {}", flip.card, flip.cell, flip.cause)).collect();
            let flips = if flips.is_empty() { "no captures".to_owned() } else { flips.join("; ") };
            let counted: Vec<String> = mv.counters.iter().map(|(kind, by)| format!("{kind} {by:+}")).collect();
            let counted = if counted.is_empty() { String::new() } else { format!(" ({})", counted.join(", ")) };
            output.line(format_args!("  {:<24} {owners}  {flips}{counted}", mv.mv))?;
        }
        output.line(format_args!("  a owns {} of 10", answer.score_a))?;
    }
    Ok(())
}
