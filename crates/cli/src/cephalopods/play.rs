//! `ninefold cephalopods play`: a game against the engine, line by line.

use super::rule::{Choice, Verb};
use super::solve::value_text;
use crate::failure::Failure;
use crate::output::Output;
use clap::ValueEnum;
use engine::cephalopods::analysis::{Analysis, Analyst};
use grid::{Game, Notation, Player, Versus};
use std::io::BufRead;

/// Which side the person takes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    /// Moves first; dice 1 to 6
    A,
    /// Moves second; dice a to f
    B,
    /// Both sides are yours
    Both,
    /// The engine plays itself
    None,
}

/// What `play` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Where to begin; the empty board if not given
    position: Option<String>,
    #[command(flatten)]
    choice: Choice,
    /// Your side
    #[arg(long, value_enum, ignore_case = true, default_value = "a")]
    side: Side,
}

/// Plays until the game is over or left.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.choice.give_to(arguments)
}

const HELP: &str = "a move such as the ones listed by `moves`; or: moves, hint, undo, show, help, quit";

impl Verb for &Arguments {
    fn with<E: Analyst>(self, mut engine: E) -> Result<(), Failure> {
        let mut output = Output::new();
        let start = match &self.position {
            None => engine.rules().start(),
            Some(text) => {
                let read = engine.rules().read_position(text);
                read.map_err(|fault| Failure::Usage(fault.pointing_into(text).to_string()))?
            }
        };
        // Every position so far, for undo.
        let mut game = vec![start];
        output.line(HELP)?;
        output.line(board(&engine, &start))?;
        let mut lines = std::io::stdin().lock().lines();
        while let Some(&now) = game.last() {
            if let Some(result) = engine.rules().result(&now) {
                output.line(match result {
                    1.. => "A wins",
                    0 => "a draw",
                    _ => "B wins",
                })?;
                return Ok(());
            }
            if !self.is_mine(engine.rules().mover(&now)) {
                let analysis = ask(&mut engine, &now)?;
                let chosen = analysis.best.clone().unwrap_or_default();
                let next = played(&engine, &now, &chosen).map_err(Failure::Run)?;
                output.line(format_args!("{} plays {chosen} and {}", analysis.mover, said(&analysis)))?;
                output.line(board(&engine, &next))?;
                game.push(next);
                continue;
            }
            let Some(line) = lines.next() else { return Ok(()) };
            let line = line.map_err(|error| Failure::Usage(error.to_string()))?;
            match line.trim() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(()),
                "help" => output.line(HELP)?,
                "show" => output.line(board(&engine, &now))?,
                "moves" => output.line(moves(&engine, &now))?,
                "hint" => {
                    let analysis = ask(&mut engine, &now)?;
                    let best = analysis.best.as_deref().unwrap_or_default();
                    output.line(format_args!("{best}: {} {}", analysis.mover, said(&analysis)))?;
                }
                "undo" => {
                    // Back to the last position in which it was this person's turn.
                    let mine = |position: &_| self.is_mine(engine.rules().mover(position));
                    match game[..game.len() - 1].iter().rposition(mine) {
                        None => output.line("there is nothing to undo")?,
                        Some(at) => {
                            game.truncate(at + 1);
                            output.line(board(&engine, &game[at]))?;
                        }
                    }
                }
                text => match played(&engine, &now, text) {
                    Err(fault) => output.line(fault)?,
                    Ok(next) => {
                        output.line(board(&engine, &next))?;
                        game.push(next);
                    }
                },
            }
        }
        Ok(())
    }
}

impl Arguments {
    fn is_mine(&self, mover: Player) -> bool {
        match self.side {
            Side::A => mover == Player::First,
            Side::B => mover == Player::Second,
            Side::Both => true,
            Side::None => false,
        }
    }
}

type PositionOf<E> = <<E as Analyst>::Rules as Game>::Position;

fn ask<E: Analyst>(engine: &mut E, position: &PositionOf<E>) -> Result<Analysis, Failure> {
    engine.analyse(position).map_err(|error| Failure::Run(error.to_string()))
}

/// What the engine thinks of its own or the hinted move.
fn said(analysis: &Analysis) -> String {
    let sure = if analysis.exact { "" } else { "expects " };
    format!("{sure}{}", value_text(analysis.value, analysis.exact))
}

fn played<E: Analyst>(engine: &E, position: &PositionOf<E>, text: &str) -> Result<PositionOf<E>, String> {
    let rules = engine.rules();
    match rules.read_move(position, text) {
        Ok(mv) => Ok(rules.play_unchecked(position, mv)),
        Err(fault) => Err(format!("{}\n({HELP})", fault.pointing_into(text))),
    }
}

fn moves<E: Analyst>(engine: &E, position: &PositionOf<E>) -> String {
    let rules = engine.rules();
    let text = |mv| {
        let mut text = String::new();
        rules.write_move(position, mv, &mut text).expect("writing to a string never fails");
        text
    };
    rules.moves(position).map(text).collect::<Vec<_>>().join(" ")
}

/// The board as rows, and who moves.
fn board<E: Analyst>(engine: &E, position: &PositionOf<E>) -> String {
    let mut text = String::new();
    engine.rules().write_position(position, &mut text).expect("writing to a string never fails");
    let (cells, mover) = text.split_once(':').unwrap_or((&text, ""));
    let cells: Vec<char> = cells.chars().filter(|&symbol| symbol != '/').collect();
    let mut shown = String::new();
    for row in cells.chunks(engine.columns()) {
        row.iter().for_each(|symbol| shown.extend([' ', *symbol]));
        shown.push('\n');
    }
    shown + mover + " to move   " + &text
}
