//! `triad play`: a game in the terminal against the exact engine.

use super::{DealArguments, board, one_move};
use crate::failure::Failure;
use crate::output::Output;
use engine::triad::answer::{self, result_word};
use engine::triad::request::{Match, player_letter, read_player};
use engine::triad::rules::{Move, Position};
use engine::triad::{Solver, deal_random};
use grid::{Game, Player};
use std::io::BufRead;

/// What `play` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    deal: DealArguments,
    /// Which player you are
    #[arg(long, default_value = "a")]
    you: String,
    /// The seed of the hands, if none are given
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Plays until the board is full or the input ends.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let you = read_player(&arguments.you)?;
    let mut told = arguments.deal.clone();
    if told.hand_a.is_none() || told.hand_b.is_none() {
        let [hand_a, hand_b] = deal_random(&super::catalogue(&told.game, told.cards.as_ref())?, arguments.seed);
        told.hand_a.get_or_insert(hand_a.join(";"));
        told.hand_b.get_or_insert(hand_b.join(";"));
    }
    let (game, moves) = told.read()?;
    let mut position = game.after(&moves)?;
    let mut output = Output::new();
    let mut solver = Solver::default();
    let mut lines = std::io::stdin().lock().lines();
    output.line("Play with card@cell, as in Squall@4; hint shows the best moves, quit ends.")?;
    while !game.deal.is_over(&position) {
        let mover = game.deal.turn(&position);
        output.line(board::board(&game, &position).trim_end())?;
        output.line(board::hand(&game, &position, Player::First))?;
        output.line(board::hand(&game, &position, Player::Second))?;
        let mv = if mover == you {
            output.line(format_args!("your move, {}:", player_letter(you)))?;
            let Some(line) = lines.next() else { return output.line("no more moves: the game ends here") };
            match answer_line(&mut output, &mut solver, &game, &position, line?.trim(), you)? {
                Answer::Move(mv) => mv,
                Answer::Again => continue,
                Answer::Quit => return Ok(()),
            }
        } else {
            let solution = solver.solve(&game.deal, &position);
            let Some(mv) = solution.best().next() else { return Ok(()) };
            mv
        };
        let told = answer::tell(&game, &position, mv);
        output.line(format_args!("{}", told.mv))?;
        for flip in told.flips {
            output.line(format_args!("  takes {} at {}: {}", flip.card, flip.cell, flip.cause))?;
        }
        position = game.deal.play_unchecked(&position, mv);
    }
    output.line(board::board(&game, &position).trim_end())?;
    let score = position.score();
    output.line(format_args!("a owns {score}, b owns {}: {} for a", 10 - score, result_word(score)))
}

enum Answer {
    Move(Move),
    Again,
    Quit,
}

fn answer_line(
    output: &mut Output,
    solver: &mut Solver,
    game: &Match,
    position: &Position,
    line: &str,
    you: Player,
) -> Result<Answer, Failure> {
    match line {
        "quit" | "q" => return Ok(Answer::Quit),
        "" => return Ok(Answer::Again),
        "hint" => {
            let solution = solver.solve(&game.deal, position);
            let best: Vec<String> = solution.best().map(|mv| game.move_text(mv)).collect();
            output.line(format_args!("value {} for a; best: {}", solution.value, best.join("  ")))?;
            return Ok(Answer::Again);
        }
        _ => {}
    }
    let text = if line.contains(':') { line.to_owned() } else { format!("{}:{line}", player_letter(you)) };
    let read = one_move(&text).and_then(|mv| Ok(game.read_move(position, &mv)?));
    match read {
        Ok(mv) => Ok(Answer::Move(mv)),
        Err(Failure::Usage(message)) => {
            output.line(message)?;
            Ok(Answer::Again)
        }
        Err(other) => Err(other),
    }
}
