//! `ninefold cephalopods play`: the two-player game in the terminal.

use super::rule::Choice;
use crate::failure::Failure;
use crate::play::{Options, Simple, Start};
use api::GameName;

pub(super) const EXAMPLES: &str =
    "In the game: arrows or the mouse, ? for all keys; without a terminal, moves as `moves` lists them, and help
lists the rest.

Examples:
  ninefold cephalopods play
  ninefold cephalopods play --size 3x5 --rule sixes --you B --level 5
  ninefold cephalopods play '1.b......:A' --you both --plain";

/// Arguments of `play`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Position to start from; the empty board if not given
    #[arg(conflicts_with = "load")]
    position: Option<String>,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    options: Options,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// Plays until the game ends or the user quits.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let loaded = arguments.options.load(GameName::Cephalopods)?;
    let mut choice = arguments.choice.clone();
    if let Some(loaded) = &loaded {
        choice.restore(&loaded.record.options);
    }
    let table = Simple {
        session: choice.session()?,
        title: choice.title(),
        position: arguments.position.clone(),
        how_to_move: "a move is the cell, or x between the cell and the dice it captures, as `moves` lists them",
    };
    let humans = arguments.options.humans(["A", "B"], loaded.as_ref())?;
    let (engine, limits) = (choice.session()?, choice.limits()?);
    let (seed, json) = (choice.seed(), arguments.json);
    Start { table: Box::new(table), engine, humans, limits, book: false, seed, json, loaded }.run(&arguments.options)
}
