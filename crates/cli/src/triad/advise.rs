//! `triad advise`: which move now, when the opponent's hand is hidden. Once, for a program line by line, or as a dialogue
//! beside the game.

mod dialogue;
pub(super) mod words;

use super::opponent::{OpponentOptions, cards};
use super::{book, elements};
use crate::cache;
use crate::failure::Failure;
use crate::input::{self, Lines};
use crate::interrupt;
use crate::options::{self, ThreadsOption};
use crate::output::Output;
use crate::progress::watched;
use api::triad::card_lists::{Book, NpcBook};
use api::triad::{AdviseAnswer, AdviseQuestion, Aim, CardRef, SwapText, advise};
use api::{Fault, FaultKind, Limits, read_json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `advise`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Questions in JSON, one per line; - reads standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["npc", "fixed", "variable", "hands", "hand", "drawn", "interactive"])]
    questions: Option<PathBuf>,
    /// Which edition: ff8 or ff14
    #[arg(long = "edition", alias = "game", value_name = "EDITION", default_value = "ff14")]
    game: String,
    #[command(flatten)]
    opponent: OpponentOptions,
    /// Your five cards, separated by commas: names, #numbers, or sides as in 8A32; under Order in playing order
    #[arg(long, value_name = "CARDS")]
    hand: Option<String>,
    /// Rules, separated by commas, besides those of the opponent: the rules of the region
    #[arg(long, default_value = "")]
    rules: String,
    /// The rules that Roulette brought, separated by commas
    #[arg(long, value_name = "RULES", default_value = "")]
    roulette: String,
    /// What Swap exchanged: your card, then his, separated by a comma
    #[arg(long, value_name = "CARDS")]
    swap: Option<String>,
    /// The elements of the nine cells: letters f i t e p w a h, or . for none
    #[arg(long)]
    elements: Option<String>,
    /// Who plays the first card: me or opponent
    #[arg(long, value_name = "PLAYER")]
    first: Option<String>,
    /// The moves so far, as in "me:Titan@4 opponent:Ifrit@0"; cells are 0 to 8, row by row
    #[arg(long, default_value = "")]
    moves: String,
    /// Cards you saw in his hand, separated by commas
    #[arg(long, value_name = "CARDS", default_value = "")]
    seen: String,
    /// Under Chaos, the card that was drawn for your turn now
    #[arg(long, value_name = "CARD")]
    drawn: Option<String>,
    /// Replay a draw at most N times with the cards each player owns; the result of the replay counts
    #[arg(long, value_name = "N", default_value_t = 0)]
    replays: u32,
    /// What to play for against random play: points (a win 1, a draw 1/2) or win
    #[arg(long, value_parser = aim, default_value = "points")]
    aim: Aim,
    /// Also compute the chances against an opponent who captures as many cards as he can
    #[arg(long)]
    greedy: bool,
    /// Go on move by move: enter each card as it is played and get the ranked moves
    #[arg(long, conflicts_with = "json")]
    interactive: bool,
    /// Append each game of --interactive to this file
    #[arg(long, value_name = "FILE", requires = "interactive")]
    log: Option<PathBuf>,
    /// Time limit for each answer, such as 5s; numbers that are not exact then say so
    #[arg(long, value_parser = options::time)]
    time: Option<Duration>,
    #[command(flatten)]
    threads: ThreadsOption,
    /// Card file to use instead of the built-in list
    #[arg(long)]
    cards: Option<PathBuf>,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

fn aim(text: &str) -> Result<Aim, String> {
    match text {
        "points" => Ok(Aim::Points),
        "win" => Ok(Aim::Win),
        _ => Err("expected points or win".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let book = book(&arguments.game, arguments.cards.as_ref())?;
    let lists = Lists { book: &book, npcs: NpcBook::built_in(), own_book: arguments.cards.is_some() };
    let mut output = Output::new();
    if let Some(path) = &arguments.questions {
        return each_question(arguments, path, lists, &mut output);
    }
    let question = arguments.question(&book)?;
    if arguments.interactive {
        return dialogue::run(question, lists, arguments.log.as_deref(), &mut output);
    }
    let answer = ask(&question, lists)?;
    if arguments.json {
        output.json(&answer)?;
    } else {
        words::show(&mut output, &answer)?;
    }
    ended(&answer)
}

/// The lists of cards and opponents that questions are read with.
#[derive(Clone, Copy)]
struct Lists<'a> {
    book: &'a Book,
    npcs: &'a NpcBook,
    /// Whether the cards are those of a file, and not of the edition that the question names.
    own_book: bool,
}

impl<'a> Lists<'a> {
    fn book(self) -> Option<&'a Book> {
        self.own_book.then_some(self.book)
    }
}

fn ask(question: &AdviseQuestion, lists: Lists<'_>) -> Result<AdviseAnswer, Fault> {
    let kept = cache::advice();
    watched(&question.limits, |control| advise(question, lists.book(), Some(lists.npcs), kept.as_deref(), control))
}

/// How a command ends after it has printed an answer that may not be complete.
fn ended(answer: &AdviseAnswer) -> Result<(), Failure> {
    if answer.complete { Ok(()) } else { interrupt::check() }
}

/// Answers the questions of a file, one line each. A wrong question ends the command after the answers before it.
fn each_question(arguments: &Arguments, path: &Path, lists: Lists<'_>, output: &mut Output) -> Result<(), Failure> {
    let mut answer = |number: usize, text: &str| {
        let named = |fault: Fault| {
            let field = if fault.field.is_empty() { String::new() } else { format!("{}: ", fault.field) };
            let message = format!("{}, line {number}: {field}{}", input::name_of(path), fault.message);
            if fault.kind == FaultKind::Question { Failure::Usage(message) } else { Failure::Run(message) }
        };
        let mut question: AdviseQuestion = read_json(text.as_bytes()).map_err(named)?;
        arguments.limit(&mut question.limits);
        let answer = ask(&question, lists).map_err(named)?;
        if arguments.json {
            output.json(&answer)?;
        } else {
            words::show(output, &answer)?;
        }
        ended(&answer)
    };
    if path != Path::new("-") {
        let text = input::read_text(path)?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        return lines.into_iter().try_for_each(|(number, line)| answer(number + 1, line));
    }
    let mut lines = Lines::default();
    while let Some(line) = lines.next_text()? {
        answer(lines.number(), &line)?;
    }
    Ok(())
}

impl Arguments {
    /// Adds the limits of the command line to those of a question that has none.
    fn limit(&self, limits: &mut Limits) {
        if let Some(time) = self.time {
            limits.time_ms = limits.time_ms.or(Limits::time(time).time_ms);
        }
        limits.threads = limits.threads.or(u32::try_from(self.threads.get().get()).ok());
    }

    fn question(&self, book: &Book) -> Result<AdviseQuestion, Failure> {
        let cards = |text: &str| cards(book, text);
        let Some(hand) = &self.hand else {
            return Err(Failure::Usage(
                "give your five cards with --hand, or questions in JSON with --json -".to_owned(),
            ));
        };
        let mut question = AdviseQuestion::default();
        question.game = Some(self.game.clone());
        question.rules = names(&self.rules);
        question.roulette = names(&self.roulette);
        question.cell_elements = self.elements.as_deref().map(elements).transpose()?;
        question.hand = cards(hand);
        question.opponent = self.opponent.question(book)?;
        question.swap = self.swap.as_deref().map(|text| swap(&cards(text))).transpose()?;
        question.first.clone_from(&self.first);
        question.moves = moves(&self.moves);
        question.seen = if self.seen.trim().is_empty() { Vec::new() } else { cards(&self.seen) };
        question.drawn = self.drawn.clone().map(CardRef::Text);
        question.replays = self.replays;
        question.aim = Some(self.aim);
        question.greedy = self.greedy;
        self.limit(&mut question.limits);
        Ok(question)
    }
}

/// The names of a list separated by commas.
fn names(text: &str) -> Vec<String> {
    text.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

fn swap(cards: &[CardRef]) -> Result<SwapText, Failure> {
    match cards {
        [gave, got] => Ok(SwapText { gave: gave.clone(), got: got.clone() }),
        _ => Err(Failure::Usage("--swap: expected two cards, yours and his, separated by a comma".to_owned())),
    }
}

/// Splits moves `player:card@cell` separated by spaces. The name of a card may contain spaces.
fn moves(text: &str) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let begins = ["me:", "m:", "opponent:", "o:"].iter().any(|start| word.to_ascii_lowercase().starts_with(start));
        match moves.last_mut() {
            Some(last) if !begins => {
                last.push(' ');
                last.push_str(word);
            }
            _ => moves.push(word.to_owned()),
        }
    }
    moves
}

pub(crate) const EXAMPLES: &str = "\
Examples:
  ninefold triad advise --npc Flichoirel --hand 'Zeromus,Roundrox,Tioman,#93,#269' --time 2s
  ninefold triad advise --npc Flichoirel --hand 'Zeromus,Roundrox,Tioman,#93,#269' --time 2s --interactive
  ninefold triad advise --json - < questions.jsonl";
