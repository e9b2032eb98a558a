//! `triad log`: the record of advised games, and which model explains the moves of each opponent.

use super::book;
use crate::count::count;
use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use crate::progress::watched;
use api::triad::card_lists::NpcBook;
use api::triad::{LogAnswer, LoggedGame, log};
use api::{Fault, Limits, read_json};
use std::path::PathBuf;

/// Arguments of `log`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files that `advise --interactive --log` wrote; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Card file to use instead of the built-in list
    #[arg(long)]
    cards: Option<PathBuf>,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

pub(crate) const EXAMPLES: &str = "\
Examples:
  ninefold triad log games.jsonl";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut output = Output::new();
    let own = arguments.cards.as_ref().map(|path| book("ff14", Some(path))).transpose()?;
    let mut games = Vec::new();
    for path in &arguments.files {
        let text = input::read_text(path)?;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let place = |fault: Fault| format!("{}, line {}: {fault}", input::name_of(path), number + 1);
            let game: LoggedGame = read_json(line.as_bytes()).map_err(|fault| Failure::Usage(place(fault)))?;
            games.push(game);
        }
    }
    if games.is_empty() {
        return Err(Failure::Usage("there is no game in the log".to_owned()));
    }
    let answers =
        watched(&Limits::default(), |control| log(&games, own.as_deref(), Some(NpcBook::built_in()), control));
    for answer in answers.map_err(Failure::or_interrupted)? {
        if arguments.json {
            output.json(&answer)?;
        } else {
            show(&mut output, &answer)?;
        }
    }
    Ok(())
}

fn show(output: &mut Output, answer: &LogAnswer) -> Result<(), Failure> {
    let name = if answer.opponent.is_empty() { "opponents without a name" } else { &answer.opponent };
    let games = count(u64::from(answer.won + answer.drawn + answer.lost), "game", "games");
    output.line(format_args!("{name}: {games}, {} won, {} drawn, {} lost", answer.won, answer.drawn, answer.lost))?;
    if !answer.drops.is_empty() {
        output.line(format_args!("  won cards: {}", answer.drops.join(", ")))?;
    }
    let moves = count(answer.moves.into(), "move", "moves");
    let models = [("random", answer.random), ("greedy", answer.greedy), ("perfect", answer.perfect)];
    let best = models.iter().map(|(_, log)| *log).fold(f64::NEG_INFINITY, f64::max);
    output.line(format_args!("  how well a model explains his {moves}:"))?;
    for (name, log) in models {
        let ratio = match best - log {
            0.0 => "the best".to_owned(),
            behind => format!("e^{behind:.1} times less likely"),
        };
        output.line(format_args!("    {name:8} {ratio}"))?;
    }
    Ok(())
}
