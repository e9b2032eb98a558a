//! `triad replay`: the games of a file, move by move.

use super::solve::read_file;
use crate::failure::Failure;
use crate::output::Output;
use engine::triad::answer;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "Examples:
  ninefold triad replay games.json
  ninefold triad replay games.json --explain
  ninefold triad replay games.json --text";

/// What `replay` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A JSON file with "games": [...], each with rules, hand_a, hand_b, moves and perhaps game, cell_elements, first
    file: PathBuf,
    /// Tell every flip with its cause
    #[arg(long)]
    explain: bool,
    /// For people: a line a move in place of one JSON object per game
    #[arg(long, conflicts_with = "json")]
    text: bool,
    /// One JSON object per game, which is the rule here
    #[arg(long)]
    json: bool,
    /// A file of cards to use in place of those that came with the program
    #[arg(long)]
    cards: Option<PathBuf>,
}

/// Replays.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut output = Output::new();
    for (number, (text, game)) in read_file(&arguments.file, arguments.cards.as_ref())?.iter().enumerate() {
        let answer = answer::replay(text, game, arguments.explain || arguments.text)
            .map_err(|fault| Failure::Usage(format!("{}: game {}: {fault}", arguments.file.display(), number + 1)))?;
        if !arguments.text {
            output.json(&answer)?;
            continue;
        }
        output.line(format_args!("game {}", number + 1))?;
        for (told, owners) in answer.moves.iter().flatten().zip(&answer.owners_after_each_move) {
            let flips: Vec<String> =
                told.flips.iter().map(|flip| format!("{} at {}: {}", flip.card, flip.cell, flip.cause)).collect();
            let flips = if flips.is_empty() { "no captures".to_owned() } else { flips.join("; ") };
            let counted: Vec<String> = told.counters.iter().map(|(kind, by)| format!("{kind} {by:+}")).collect();
            let counted = if counted.is_empty() { String::new() } else { format!(" ({})", counted.join(", ")) };
            output.line(format_args!("  {:<24} {owners}  {flips}{counted}", told.mv))?;
        }
        output.line(format_args!("  a owns {} of 10", answer.score_a))?;
    }
    Ok(())
}
