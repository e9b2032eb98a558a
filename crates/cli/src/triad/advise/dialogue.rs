//! The dialogue: the player enters each card as it is played and gets the ranked moves.

use super::{Lists, ask, words};
use crate::failure::Failure;
use crate::input::Lines;
use crate::output::Output;
use api::triad::card_lists::split_hand;
use api::triad::{AdviseQuestion, CardRef, HiddenCell, HiddenGame, LoggedGame, SwapText};
use api::{Fault, Outcome};
use std::io::Write;
use std::path::Path;

const HELP: &str = "\
CARD@CELL      the card that is played now, yours or his, as in Titan@4; a unique part of the name is enough
(empty line)   play the first move of the list
seen CARD      you saw this card in his hand
drawn CARD     the card that Chaos drew for your turn
swap MINE,HIS  what Swap exchanged
roulette RULE  the rule that Roulette brought
first PLAYER   who starts: me or opponent
undo           take back the last entry
all            the answer again
new            the next game, with the same hands
drop CARD      the card you won, for the log
quit";

struct Dialogue<'a> {
    lists: Lists<'a>,
    log: Option<&'a Path>,
    /// The question at the start of the first game.
    start: AdviseQuestion,
    /// The question after each entry; the last one is the present.
    history: Vec<AdviseQuestion>,
    /// A finished game that is not in the log yet, and the card that was won.
    finished: Option<(AdviseQuestion, Outcome, Option<String>)>,
    /// The first move of the last answer.
    best: Option<String>,
}

/// What the player reads instead of an answer.
struct Told(String);

impl From<Fault> for Told {
    fn from(fault: Fault) -> Self {
        Self(fault.message)
    }
}

/// Asks and answers until the input ends.
pub(super) fn run(
    question: AdviseQuestion,
    lists: Lists<'_>,
    log: Option<&Path>,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut dialogue =
        Dialogue { lists, log, start: question.clone(), history: vec![question], finished: None, best: None };
    output.line("enter each card as it is played; \"help\" lists the commands")?;
    dialogue.answer(output)?;
    let mut lines = Lines::default();
    loop {
        output.prompt("> ")?;
        let Some(line) = lines.next()? else { break };
        let line = line.trim();
        if matches!(line, "quit" | "q" | "exit") {
            break;
        }
        match dialogue.obey(line) {
            Ok(Reply::Answer) => dialogue.answer(output)?,
            Ok(Reply::Text(text)) => output.line(text)?,
            Err(Told(message)) => output.line(message)?,
        }
    }
    dialogue.keep().map_err(Failure::Run)
}

enum Reply {
    /// The position changed.
    Answer,
    Text(String),
}

impl Dialogue<'_> {
    fn now(&self) -> AdviseQuestion {
        self.history.last().unwrap_or(&self.start).clone()
    }

    fn read(&self, question: &AdviseQuestion) -> Result<HiddenGame, Fault> {
        question.read(self.lists.book(), Some(self.lists.npcs))
    }

    /// Shows the board and the ranked moves. What the question still lacks, such as the rule that Roulette brought, is
    /// asked for.
    fn answer(&mut self, output: &mut Output) -> Result<(), Failure> {
        self.best = None;
        let question = self.now();
        let game = match self.read(&question) {
            Ok(game) => game,
            Err(fault) if self.history.len() == 1 && fault.field != "swap" && fault.field != "roulette" => {
                return Err(fault.into());
            }
            Err(fault) => return output.line(fault.message),
        };
        output.line(board(&game.cells()))?;
        if let Some(result) = game.result() {
            return self.over(&game, question, result, output);
        }
        let answer = ask(&question, self.lists)?;
        words::show(output, &answer)?;
        if game.turn() == "opponent" {
            output.line(format_args!("he may play: {}", game.playable().join(", ")))?;
        }
        self.best = answer.best;
        Ok(())
    }

    /// After the last card: the result, and the next game of Sudden Death.
    fn over(
        &mut self,
        game: &HiddenGame,
        question: AdviseQuestion,
        result: Outcome,
        output: &mut Output,
    ) -> Result<(), Failure> {
        output.line(format_args!("the game is over: you {}", ["lost", "drew", "won"][result as usize]))?;
        if let Some(mut next) = game.next_game() {
            next.aim = question.aim;
            next.greedy = question.greedy;
            next.limits = question.limits;
            output.line("Sudden Death: the next game, with the cards that each of you owns")?;
            self.history.push(next);
            return self.answer(output);
        }
        self.finished = Some((question, result, None));
        output.line("\"new\" starts the next game, \"drop CARD\" notes the card you won")
    }

    fn obey(&mut self, line: &str) -> Result<Reply, Told> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let mut question = self.now();
        match word.to_ascii_lowercase().as_str() {
            "help" | "?" => return Ok(Reply::Text(HELP.to_owned())),
            "all" => return Ok(Reply::Answer),
            "undo" => {
                if self.history.len() == 1 {
                    return Err(Told("there is nothing to take back".to_owned()));
                }
                self.history.pop();
                self.finished = None;
                return Ok(Reply::Answer);
            }
            "new" => {
                self.keep().map_err(Told)?;
                self.history = vec![self.start.clone()];
                return Ok(Reply::Answer);
            }
            "drop" => {
                let Some((.., drop)) = &mut self.finished else {
                    return Err(Told("no game is over yet".to_owned()));
                };
                let card = self.lists.book.card(rest).map_err(|error| Told(error.to_string()))?;
                *drop = Some(card.name());
                return Ok(Reply::Text(format!("noted: {}", card.name())));
            }
            "drawn" => question.drawn = Some(CardRef::Text(rest.to_owned())),
            "seen" => question.seen.push(CardRef::Text(rest.to_owned())),
            "swap" => match split_hand(self.lists.book, rest).as_slice() {
                [gave, got] => {
                    let text = |card: &String| CardRef::Text(card.clone());
                    question.swap = Some(SwapText { gave: text(gave), got: text(got) });
                }
                _ => return Err(Told("expected your card and his, separated by a comma".to_owned())),
            },
            "roulette" => question.roulette.push(rest.to_owned()),
            "first" => question.first = Some(rest.to_owned()),
            _ => {
                let game = self.read(&question)?;
                let mv = match (line, &self.best) {
                    ("", Some(best)) => best.clone(),
                    ("", None) if game.is_drawn_later() => {
                        return Err(Told("enter the card that Chaos drew for you, as in drawn Titan".to_owned()));
                    }
                    ("", None) => return Err(Told("he is to move: enter his card, as in Ifrit@0".to_owned())),
                    _ => full_move(line, &game.playable())?,
                };
                question.moves.push(format!("{}:{mv}", game.turn()));
                question.drawn = None;
            }
        }
        match self.read(&question) {
            Ok(_) => {}
            // More is missing, but what was entered is right.
            Err(fault) if ["swap", "roulette"].contains(&fault.field.as_str()) && fault.field != word => {}
            Err(fault) => return Err(fault.into()),
        }
        self.history.push(question);
        Ok(Reply::Answer)
    }

    /// Appends a finished game to the log.
    fn keep(&mut self) -> Result<(), String> {
        let Some((question, result, drop)) = self.finished.take() else { return Ok(()) };
        let Some(path) = self.log else { return Ok(()) };
        let logged = LoggedGame { version: LoggedGame::VERSION, question, result, drop };
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut line = serde_json::to_vec(&logged).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        let mut file = std::fs::File::options().create(true).append(true).open(path).map_err(failed)?;
        // One call, so that a line is there as a whole or not at all.
        file.write_all(&line).and_then(|()| file.sync_all()).map_err(failed)
    }
}

/// A move with the full name of its card. A part of the name is enough if only one card has it.
fn full_move(text: &str, playable: &[String]) -> Result<String, Told> {
    let form = || Told(format!("\"{text}\" is neither a move such as Titan@4 nor a command; \"help\" lists them"));
    let (card, cell) = text.rsplit_once('@').or_else(|| text.rsplit_once(char::is_whitespace)).ok_or_else(form)?;
    let (card, cell) = (card.trim(), cell.trim());
    if cell.parse::<u32>().is_err() {
        return Err(form());
    }
    let folded = card.to_lowercase();
    let exact = playable.iter().find(|name| name.to_lowercase() == folded);
    let parts: Vec<&String> = playable.iter().filter(|name| name.to_lowercase().contains(&folded)).collect();
    match (exact, parts.as_slice()) {
        (Some(name), _) => Ok(format!("{name}@{cell}")),
        (None, [name]) => Ok(format!("{name}@{cell}")),
        (None, []) => Ok(format!("{card}@{cell}")),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|name| name.as_str()).collect();
            Err(Told(format!("\"{card}\" may be {}", names.join(" or "))))
        }
    }
}

/// The board: `+8A32` is yours, `-8A32` his, a number an empty cell.
fn board(cells: &[Option<HiddenCell>; 9]) -> String {
    let cell = |(number, cell): (usize, &Option<HiddenCell>)| match cell {
        Some(card) => format!("{}{:<5}", if card.mine { '+' } else { '-' }, card.sides),
        None => format!(" {number:<5}"),
    };
    let texts: Vec<String> = cells.iter().enumerate().map(cell).collect();
    let rows: Vec<String> = texts.chunks(3).map(|row| format!("  {}", row.join("  ").trim_end())).collect();
    rows.join("\n")
}
