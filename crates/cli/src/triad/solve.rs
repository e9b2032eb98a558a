//! `triad solve`: solves a deal, a position in one line, or the games of a file.
//!
//! Ctrl-C and `--time` stop it with the finished results: the first games of a file, the first moves under Chaos.

use super::{DealArguments, book};
use crate::count::count;
use crate::draw::{self, Marks};
use crate::failure::Failure;
use crate::input::{self, each_text};
use crate::interrupt;
use crate::options::{self, IsaOption, ThreadsOption};
use crate::output::Output;
use crate::progress::watched;
use api::triad::{
    DealQuestion, Lines, NamedDeal, Position, Session, SolveWanted, counters_text, read_games, read_player,
    read_position, solve_many, view,
};
use api::{Analysis, Chances, FaultKind, LegacyValue, Limits, Outcome};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `solve`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A JSON file with "games": [...], each with rules, hand_a, hand_b and perhaps game, cell_elements, first, moves; -
    /// reads standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["hand_a", "hand_b", "positions"])]
    files: Vec<PathBuf>,
    #[command(flatten)]
    deal: DealArguments,
    /// A position in one line, as `solve --json` and `replay` print it; - reads one per line from standard input; may be
    /// repeated
    #[arg(long = "position", value_name = "POSITION", conflicts_with_all = ["hand_a", "hand_b"])]
    positions: Vec<String>,
    /// Show the value of every move
    #[arg(long)]
    all_moves: bool,
    /// How many replays of a draw to look ahead; five under sudden-death if left out (ff14 plays five, ff8 any number)
    #[arg(long, value_name = "NUMBER")]
    replays: Option<u32>,
    /// Apply the deck limits by stars to the hands of these players: a, b or ab
    #[arg(long, value_name = "PLAYERS")]
    legal_decks: Option<String>,
    /// Time limit, such as 30s; prints what is finished. Chaos from the empty board and large files take longest
    #[arg(long, value_parser = options::time)]
    time: Option<Duration>,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    isa: IsaOption,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut output = Output::new();
    if !arguments.files.is_empty() {
        return arguments.files.iter().try_for_each(|path| file(arguments, path, &mut output));
    }
    let mut session = Session::new(arguments.isa.get());
    if arguments.positions.is_empty() {
        let (game, position) = arguments.deal.read()?;
        return arguments.one(&mut session, &game, &position, &mut output);
    }
    each_text(&arguments.positions, |text| {
        let (game, position) = read_position(text.unwrap_or_default(), &[])
            .map_err(|fault| Failure::Usage(format!("--position: {}", fault.message)))?;
        arguments.one(&mut session, &game, &position, &mut output)
    })
}

/// How a stopped command ends, after it has printed its results.
fn stopped(what: impl std::fmt::Display) -> Failure {
    match interrupt::check() {
        Err(interrupted) => interrupted,
        Ok(()) => Failure::Run(format!("time is up: {what}")),
    }
}

impl Arguments {
    fn limits(&self) -> Limits {
        let mut limits = self.time.map_or_else(Limits::default, Limits::time);
        limits.threads = u32::try_from(self.threads.get().get()).ok();
        limits
    }

    fn wanted(&self, moves: Lines) -> SolveWanted {
        SolveWanted { moves: if self.all_moves { Lines::All } else { moves }, line: true, replays: self.replays }
    }

    /// Solves one position and prints the answer.
    fn one(
        &self,
        session: &mut Session,
        game: &NamedDeal,
        position: &Position,
        output: &mut Output,
    ) -> Result<(), Failure> {
        self.check_decks(game)?;
        let wanted = self.wanted(Lines::Optimal);
        let answer = watched(&self.limits(), |control| session.solve_position(game, position, wanted, control));
        let answer = answer.map_err(|fault| match fault.kind {
            FaultKind::Stopped => stopped("the replays of draws are not finished"),
            FaultKind::Question if fault.field == "replays" => {
                Failure::Usage(format!("{}; leave sudden-death and --replays out", fault.message))
            }
            _ => fault.into(),
        })?;
        if self.json {
            output.json(&answer)?;
        } else {
            show(output, game, position, &answer)?;
        }
        if answer.complete {
            return Ok(());
        }
        let finished = answer.lines.iter().filter(|line| line.certainty.is_certain()).count();
        let legal = view(game, position).moves.len();
        Err(stopped(format_args!("{finished} of {legal} moves are finished")))
    }

    fn check_decks(&self, game: &NamedDeal) -> Result<(), Failure> {
        for letter in self.legal_decks.as_deref().unwrap_or("").chars() {
            game.check_deck(read_player(&letter.to_string())?)?;
        }
        Ok(())
    }
}

fn show(output: &mut Output, game: &NamedDeal, position: &Position, answer: &Analysis) -> Result<(), Failure> {
    output.line(draw::text(&draw::picture(&view(game, position), &Marks::default())))?;
    if let Some(counters) = counters_text(game, position) {
        output.line(counters)?;
    }
    output.line(result(position, answer))?;
    let label = |mv: &String| {
        let line = answer.lines.iter().find(|line| line.mv == *mv);
        line.map_or_else(|| mv.clone(), |line| line.label.clone())
    };
    if !answer.optimal.is_empty() {
        let best: Vec<String> = answer.optimal.iter().map(label).collect();
        output.line(format_args!("best for {}: {}", answer.mover, best.join("  ")))?;
    }
    if let Some(first) = answer.lines.first().filter(|first| first.line.len() > 1) {
        let line: Vec<String> = first.line.iter().map(|mv| played(game, mv)).collect();
        output.line(format_args!("line: {}", line.join("  ")))?;
    }
    if let Some(table) = answer.first_moves.as_ref().filter(|_| !answer.lines.is_empty()) {
        output.line("cards that a owns at the end, by move, cells 0 to 8:")?;
        let base = if answer.mover == "a" { 0 } else { 5 };
        for (card, row) in table.iter().enumerate().filter(|(_, row)| row.iter().any(Option::is_some)) {
            let values: Vec<String> = row.iter().map(|value| value.map_or(".".to_owned(), |v| v.to_string())).collect();
            output.line(format_args!("  {:>2}  {}", values.join(" "), game.names[base + card]))?;
        }
    } else if answer.value.is_none() {
        for line in &answer.lines {
            let percent = |chance: fn(&Chances) -> f64| line.chances.as_ref().map_or(0.0, |it| 100.0 * chance(it));
            let (win, draw) = (percent(|it| it.win), percent(|it| it.draw));
            output.line(format_args!("  wins {win:6.2} %  draws {draw:6.2} %  {}", line.label))?;
        }
    }
    if let Some(outcome) = answer.sudden_death.filter(|_| answer.best.is_some()) {
        let word = ["loses", "draws", "wins"][outcome as usize];
        output.line(format_args!("with replays of draws {} {word}; best moves and line are for this", answer.mover))?;
    }
    output.line(count(answer.nodes, "node", "nodes"))
}

/// A move of the principal variation for people: `3@4` is `a:Squall@4`.
fn played(game: &NamedDeal, mv: &str) -> String {
    let named = mv.split_once('@').and_then(|(card, cell)| {
        let card: usize = card.parse().ok()?;
        Some(format!("{}:{}@{cell}", if card < 5 { 'a' } else { 'b' }, game.names.get(card)?))
    });
    named.unwrap_or_else(|| mv.to_owned())
}

/// The winner and the score, such as `b wins 6-4 with best play`.
fn result(position: &Position, answer: &Analysis) -> String {
    match (answer.value, answer.chances) {
        (Some(LegacyValue::Cards(cards)), _) => {
            let score = match Outcome::of(cards as i32 - 5) {
                Outcome::Win => format!("a wins {cards}-{}", 10 - cards),
                Outcome::Draw => "a draw, 5-5".to_owned(),
                Outcome::Loss => format!("b wins {}-{cards}", 10 - cards),
            };
            if position.free().is_empty() {
                format!("the game is over: {score}")
            } else {
                format!("{score} with best play")
            }
        }
        (_, Some(Chances { win, draw, loss })) if answer.complete => format!(
            "{} wins {:.2} %, draws {:.2} %, loses {:.2} % of the ways to draw the cards",
            answer.mover,
            100.0 * win,
            100.0 * draw,
            100.0 * loss
        ),
        _ => "not all moves are finished".to_owned(),
    }
}

/// Reads the games of a file; `-` is standard input. An error names the file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<DealQuestion>, Failure> {
    let text = input::read_text(path)?;
    read_games(&text).map_err(|fault| Failure::Usage(format!("{}: {fault}", input::name_of(path))))
}

fn file(arguments: &Arguments, path: &Path, output: &mut Output) -> Result<(), Failure> {
    let mut games: Vec<(NamedDeal, Position)> = Vec::new();
    for (number, question) in read_file(path)?.iter().enumerate() {
        let at = |failure: Failure| match failure {
            Failure::Usage(message) => {
                Failure::Usage(format!("{}: game {}: {message}", input::name_of(path), number + 1))
            }
            other => other,
        };
        let edition = question.edition().map_err(|fault| at(fault.into()))?;
        let book = book(edition.name(), arguments.deal.cards.as_ref())?;
        let (game, position) = question.read(Some(&book)).map_err(|fault| at(fault.into()))?;
        arguments.check_decks(&game).map_err(at)?;
        games.push((game, position));
    }
    let (mut done, mut failure) = (0, None);
    let wanted = SolveWanted { line: false, ..arguments.wanted(Lines::None) };
    let solved = watched(&arguments.limits(), |control| {
        solve_many(arguments.isa.get(), &games, wanted, control, |answer| {
            let (game, position) = &games[done];
            done += 1;
            control.report(done as u64, games.len() as u64);
            let written = match (arguments.json, arguments.all_moves) {
                (true, _) => output.json(&answer),
                (false, false) => output.line(format_args!("game {done}: {}", result(position, &answer))),
                (false, true) => {
                    output.line(format_args!("game {done}")).and_then(|()| show(output, game, position, &answer))
                }
            };
            failure = written.err();
            failure.is_none()
        })
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    match solved {
        Ok(()) => Ok(()),
        Err(fault) if fault.kind == FaultKind::Stopped => {
            Err(stopped(format_args!("{done} of {} are finished", count(games.len() as u64, "game", "games"))))
        }
        Err(fault) => {
            let number =
                fault.field.strip_prefix("games[").and_then(|rest| rest.strip_suffix(']')?.parse::<usize>().ok());
            let game = number.map_or_else(String::new, |number| format!("game {}: ", number + 1));
            Err(Failure::Usage(format!("{}: {game}{}", input::name_of(path), fault.message)))
        }
    }
}
