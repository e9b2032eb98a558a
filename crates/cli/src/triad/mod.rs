//! `ninefold triad`: cards, opponents, exact solutions, replays, and a game in the terminal.

mod board;
mod cards;
mod play;
mod replay;
mod solve;

use crate::failure::Failure;
use clap::Subcommand;
use engine::triad::catalogue::{Catalogue, DataError};
use engine::triad::request::{CardText, GameText, Match, MoveText, RequestError, read_edition};
use std::path::PathBuf;

/// Triple Triad, as Final Fantasy VIII and XIV play it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List cards, by name or part of it
    Cards(cards::CardArguments),
    /// List the opponents of Final Fantasy XIV
    Npcs(cards::NpcArguments),
    /// Solve a position of open hands exactly
    Solve(solve::Arguments),
    /// Replay the games of a file and tell every flip
    Replay(replay::Arguments),
    /// Play against the exact engine
    Play(play::Arguments),
}

/// Runs one of the commands.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Cards(arguments) => cards::cards(arguments),
        Command::Npcs(arguments) => cards::npcs(arguments),
        Command::Solve(arguments) => solve::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Play(arguments) => play::run(arguments),
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        Self::Usage(error.to_string())
    }
}

/// How a deal is told on the command line.
#[derive(clap::Args, Clone)]
pub(crate) struct DealArguments {
    /// Which game: ff8 or ff14
    #[arg(long, default_value = "ff8")]
    game: String,
    /// Rules, with commas between: same,plus,... (`triad rules` of the README lists them)
    #[arg(long, default_value = "")]
    rules: String,
    /// The five cards of a, with commas between (or semicolons, if a name has a comma): names, #numbers, or sides top
    /// right bottom left as in 8A32
    #[arg(long)]
    hand_a: Option<String>,
    /// The five cards of b
    #[arg(long)]
    hand_b: Option<String>,
    /// The elements of the nine cells: letters f i t e p w a h, or a . for none
    #[arg(long)]
    elements: Option<String>,
    /// Who plays the first card
    #[arg(long, default_value = "a")]
    first: String,
    /// The moves made so far, as in "a:Squall@5 b:Ifrit@0"
    #[arg(long, default_value = "")]
    moves: String,
    /// A file of cards to use in place of those that came with the program
    #[arg(long)]
    cards: Option<PathBuf>,
}

/// The cards to use: those of a file, or the embedded ones.
pub(crate) fn catalogue(game: &str, path: Option<&PathBuf>) -> Result<Catalogue, Failure> {
    match path {
        Some(path) => Ok(Catalogue::load(path)?),
        None => Ok(Catalogue::embedded(read_edition(game)?).clone()),
    }
}

impl DealArguments {
    /// The deal and the moves made so far.
    fn read(&self) -> Result<(Match, Vec<MoveText>), Failure> {
        let (Some(hand_a), Some(hand_b)) = (&self.hand_a, &self.hand_b) else {
            return Err(Failure::Usage("give both hands, --hand-a and --hand-b".to_owned()));
        };
        let text = GameText {
            game: Some(self.game.clone()),
            rules: self.rules.split(',').map(str::to_owned).collect(),
            cell_elements: self.elements.as_deref().map(elements).transpose()?,
            hand_a: hand(hand_a),
            hand_b: hand(hand_b),
            first: Some(self.first.clone()),
            moves: moves(&self.moves)?,
        };
        let game = text.deal(&catalogue(&self.game, self.cards.as_ref())?)?;
        Ok((game, text.moves))
    }
}

fn hand(text: &str) -> Vec<CardText> {
    let separator = if text.contains(';') { ';' } else { ',' };
    text.split(separator).map(|card| CardText::Text(card.trim().to_owned())).collect()
}

fn elements(text: &str) -> Result<Vec<u32>, Failure> {
    text.chars()
        .map(|letter| match "fitepwah".find(letter) {
            Some(bit) => Ok(1 << bit),
            None if letter == '.' => Ok(0),
            None => Err(Failure::Usage(format!("--elements: no element has the letter {letter}"))),
        })
        .collect()
}

/// Moves as `player:card@cell`, with spaces between; a card's name may have spaces of its own.
fn moves(text: &str) -> Result<Vec<MoveText>, Failure> {
    let mut moves: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let begins = ["a:", "b:", "A:", "B:"].iter().any(|start| word.starts_with(start));
        match moves.last_mut() {
            Some(last) if !begins => {
                last.push(' ');
                last.push_str(word);
            }
            _ => moves.push(word.to_owned()),
        }
    }
    moves.iter().map(|text| one_move(text)).collect()
}

fn one_move(text: &str) -> Result<MoveText, Failure> {
    let fault = || Failure::Usage(format!("the move \"{text}\" is not of the form a:Squall@5"));
    let (player, rest) = text.split_once(':').ok_or_else(fault)?;
    let (card, cell) = rest.rsplit_once('@').ok_or_else(fault)?;
    let cell = cell.trim().parse().map_err(|_| fault())?;
    Ok(MoveText { player: player.to_owned(), card: CardText::Text(card.trim().to_owned()), cell })
}
