//! `ninefold triad`: cards, opponents, exact solutions, replays, and play in the terminal.

mod advise;
pub(crate) mod cards;
pub(crate) mod deck;
mod draft;
mod log;
mod opponent;
mod play;
mod replay;
mod solve;

use crate::failure::Failure;
use api::triad::card_lists::{Book, split_hand};
use api::triad::{CardRef, DealQuestion, Element, MoveText, NamedDeal, Position, TriadError, read_edition};
use clap::Subcommand;
use std::borrow::Cow;
use std::path::PathBuf;

/// Triple Triad, as Final Fantasy VIII and XIV play it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List cards by name, number or sides
    #[command(after_help = cards::CARD_EXAMPLES)]
    Cards(cards::CardArguments),
    /// List the opponents of Final Fantasy XIV
    #[command(after_help = cards::NPC_EXAMPLES)]
    Npcs(cards::NpcArguments),
    /// Advise against an opponent whose hand is hidden
    #[command(after_help = advise::EXAMPLES)]
    Advise(advise::Arguments),
    /// Show the record of advised games and which model explains each opponent
    #[command(after_help = log::EXAMPLES)]
    Log(log::Arguments),
    /// Find the best deck of a collection against an opponent
    Deck(deck::Arguments),
    /// Show the best known deck against each opponent
    Decks(deck::TableArguments),
    /// Advise which of the offered cards to take under Draft
    #[command(after_help = draft::EXAMPLES)]
    Draft(draft::Arguments),
    /// Check the proof of a deck
    VerifyDeck(deck::VerifyArguments),
    /// Solve a position of open hands exactly
    Solve(solve::Arguments),
    /// Replay the games of a file and show every capture
    #[command(after_help = replay::EXAMPLES)]
    Replay(replay::Arguments),
    /// Play against the exact engine
    #[command(after_help = play::EXAMPLES)]
    Play(play::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Cards(arguments) => cards::cards(arguments),
        Command::Npcs(arguments) => cards::npcs(arguments),
        Command::Advise(arguments) => advise::run(arguments),
        Command::Log(arguments) => log::run(arguments),
        Command::Deck(arguments) => deck::run(arguments),
        Command::Decks(arguments) => deck::table(arguments),
        Command::Draft(arguments) => draft::run(arguments),
        Command::VerifyDeck(arguments) => deck::verify(arguments),
        Command::Solve(arguments) => solve::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Play(arguments) => play::run(arguments),
    }
}

impl From<TriadError> for Failure {
    fn from(error: TriadError) -> Self {
        Self::Usage(error.to_string())
    }
}

/// A file that cannot be opened is an error while running; wrong contents are a usage error.
impl From<api::EngineError> for Failure {
    fn from(error: api::EngineError) -> Self {
        api::Fault::from(error).into()
    }
}

/// A deal on the command line.
#[derive(clap::Args, Clone)]
pub(crate) struct DealArguments {
    /// Which edition: ff8 or ff14
    #[arg(long = "edition", alias = "game", value_name = "EDITION", default_value = "ff8")]
    game: String,
    /// Rules, separated by commas: same,plus,...; a wrong name prints the whole list
    #[arg(long, default_value = "")]
    rules: String,
    /// The five cards of a, separated by commas: names, #numbers, or sides top right bottom left as in 8A32
    #[arg(long)]
    hand_a: Option<String>,
    /// The five cards of b
    #[arg(long)]
    hand_b: Option<String>,
    /// The elements of the nine cells: letters f i t e p w a h, or . for none
    #[arg(long)]
    elements: Option<String>,
    /// Who plays the first card
    #[arg(long, default_value = "a")]
    first: String,
    /// The moves so far, as in "a:Squall@5 b:Ifrit@0"
    #[arg(long, default_value = "")]
    moves: String,
    /// Card file to use instead of the built-in list
    #[arg(long)]
    cards: Option<PathBuf>,
}

/// The list of cards: from a file, or built in.
pub(crate) fn book(game: &str, path: Option<&PathBuf>) -> Result<Cow<'static, Book>, Failure> {
    match path {
        Some(path) => Ok(Cow::Owned(Book::load(path)?)),
        None => Ok(Cow::Borrowed(Book::built_in(read_edition(game)?))),
    }
}

impl DealArguments {
    /// This deal as a question.
    fn question(&self, book: &Book) -> Result<DealQuestion, Failure> {
        let (Some(hand_a), Some(hand_b)) = (&self.hand_a, &self.hand_b) else {
            return Err(Failure::Usage("give both hands, --hand-a and --hand-b".to_owned()));
        };
        let hand = |text: &str| split_hand(book, text).into_iter().map(CardRef::Text).collect();
        let mut question = DealQuestion::default();
        question.game = Some(self.game.clone());
        question.rules = self.rules.split(',').map(str::to_owned).collect();
        question.cell_elements = self.elements.as_deref().map(elements).transpose()?;
        (question.hand_a, question.hand_b) = (hand(hand_a), hand(hand_b));
        (question.first, question.moves) = (Some(self.first.clone()), moves(&self.moves)?);
        Ok(question)
    }

    /// The deal and the position after its moves.
    fn read(&self) -> Result<(NamedDeal, Position), Failure> {
        let book = book(&self.game, self.cards.as_ref())?;
        Ok(self.question(&book)?.read(Some(&book))?)
    }
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

/// Reads the elements of nine cells from their letters.
fn elements_of(text: &str) -> Result<[Option<Element>; 9], Failure> {
    let masks = elements(text)?.into_iter().map(|mask| Element::from_mask(mask as u8)).collect::<Vec<_>>();
    masks.try_into().map_err(|masks: Vec<_>| {
        Failure::Usage(format!("--elements: {} elements of cells: there are nine cells", masks.len()))
    })
}

/// Reads moves `player:card@cell`, separated by spaces. The name of a card may contain spaces.
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
    Ok(MoveText::new(player, CardRef::Text(card.trim().to_owned()), cell))
}
