//! Plays line by line: for pipes, simple terminals and people who prefer it. Programs get one JSON object per line.

use super::Strength;
use super::event::Event;
use super::session::Session;
use super::{help, without_player};
use crate::draw::{self, Marks, Tense, ValueText};
use crate::failure::Failure;
use crate::input::Lines;
use crate::output::Output;
use api::{Analysis, Control, STRONGEST};
use std::fmt::Display;

const COMMANDS: &str = "moves, hint, eval, undo, redo, level N, show, new, help, quit";

pub(super) struct Plain {
    pub(super) session: Session,
    engine: Box<dyn api::Session>,
    pub(super) strength: Strength,
    output: Output,
    /// Whether to print events as JSON.
    json: bool,
}

/// What to do after a line.
enum Flow {
    Ask,
    /// The position has changed.
    Turn,
    Quit,
}

impl Plain {
    pub(super) fn new(session: Session, engine: Box<dyn api::Session>, strength: Strength, json: bool) -> Self {
        Self { session, engine, strength, output: Output::new(), json }
    }

    /// Plays until the game ends, the user quits, or the input ends.
    pub(super) fn run(&mut self) -> Result<(), Failure> {
        self.greet()?;
        let mut lines = Lines::default();
        loop {
            while !self.session.is_human() {
                if self.session.is_over() {
                    if !self.session.is_followed() {
                        return self.choose(&mut lines);
                    }
                    self.session.start_next()?;
                    self.print_position()?;
                    continue;
                }
                self.engine_moves()?;
            }
            let view = self.session.view();
            let (player, mover) = (view.players[view.mover as usize - 1].clone(), self.mover());
            self.print(&Event::Ask { player: &player }, format_args!("your move, {mover}:"))?;
            loop {
                let Some(line) = lines.next()? else {
                    return self.note("no more input: the game ends here");
                };
                match self.obey(line.trim())? {
                    Flow::Ask => {}
                    Flow::Turn => break,
                    Flow::Quit => return Ok(()),
                }
            }
        }
    }

    /// Prints the event as JSON or the text for people. All output goes through here.
    fn print(&mut self, event: &Event<'_>, text: impl Display) -> Result<(), Failure> {
        if self.json { self.output.json(event) } else { self.output.line(text) }
    }

    fn note(&mut self, text: impl Display) -> Result<(), Failure> {
        let text = text.to_string();
        self.print(&Event::Note { text: &text }, &text)
    }

    fn greet(&mut self) -> Result<(), Failure> {
        let title = self.session.title();
        let who = self.session.humans.words(&self.session.view().players);
        self.print(
            &Event::Game { title: &title, who: &who },
            format_args!("{title}; {who}; type help for the rules and commands"),
        )?;
        self.print_position()
    }

    /// Lets a person choose after the end of the game.
    fn choose(&mut self, lines: &mut Lines) -> Result<(), Failure> {
        while let Some(question) = self.session.question() {
            self.note(question)?;
            let Some(line) = lines.next()? else {
                return self.note("no more input: nothing is chosen");
            };
            if ["quit", "exit", "q"].contains(&line.trim()) {
                return Ok(());
            }
            match self.session.choose(&line) {
                Ok(note) => self.print(&Event::Note { text: &note }, format_args!("  {note}"))?,
                Err(fault) => self.refuse(&fault)?,
            }
        }
        Ok(())
    }

    fn mover(&self) -> String {
        super::mover(self.session.view())
    }

    /// Prints the notes of the present position and its board.
    fn print_position(&mut self) -> Result<(), Failure> {
        let Some(entry) = self.session.past().last() else { return Ok(()) };
        for note in entry.notes.clone() {
            self.print(&Event::Note { text: &note }, format_args!("  {note}"))?;
        }
        self.show(self.session.marks())
    }

    fn show(&mut self, marks: Marks) -> Result<(), Failure> {
        let view = self.session.view().clone();
        let text = format!("{}\n{}", draw::text(&draw::picture(&view, &marks)), view.status);
        self.print(&Event::Position { view: &view }, text)
    }

    /// Prints the last move.
    fn print_move(&mut self, by: &str, text: impl Fn(&str) -> String) -> Result<(), Failure> {
        let Some(played) = self.session.last().cloned() else { return Ok(()) };
        let text = text(without_player(&played.label));
        self.print(&Event::Move { by, played: &played }, text)?;
        self.print_position()
    }

    fn engine_moves(&mut self) -> Result<(), Failure> {
        let position = self.session.view().position.clone();
        let mover = self.mover();
        let from_book = self.strength.book_move(self.engine.as_mut(), &position);
        let (mv, value_note) = if from_book.is_some() {
            (from_book, " (from the opening book)".to_owned())
        } else if self.strength.level == STRONGEST {
            let found = self.analyse(Some(1))?;
            let words = ValueText::from(&found).words(Tense::Side);
            (found.best, format!(" ({mover} {words})"))
        } else {
            (self.engine.choose(&self.strength.choose(&position), &self.control())?.mv, String::new())
        };
        let mv = mv.ok_or_else(|| Failure::Run(format!("the engine found no move in {position}")))?;
        self.session.play(&mv)?;
        self.print_move("engine", |label| format!("engine: {label}{value_note}"))
    }

    fn analyse(&mut self, lines: Option<usize>) -> Result<Analysis, Failure> {
        let question = self.strength.analyse(&self.session.view().position, lines);
        let control = self.control();
        Ok(self.engine.analyse(&question, &control)?)
    }

    fn control(&self) -> Control<'static> {
        self.strength.limits.apply(Control::new())
    }

    fn label(&self, mv: &str) -> String {
        let moves = &self.session.view().moves;
        moves.iter().find(|known| known.mv == mv).map_or(mv, |known| without_player(&known.label)).to_owned()
    }

    fn obey(&mut self, line: &str) -> Result<Flow, Failure> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("quit" | "exit" | "q", "") => return Ok(Flow::Quit),
            ("help" | "?", "") => {
                let (rules, how) = (help::rules(&self.session.view().board), self.session.how_to_move());
                self.note(format_args!("{rules}\n{how}\ncommands: {COMMANDS}"))?;
            }
            ("show", "") => self.show(self.session.marks())?,
            ("moves", "") => {
                let moves = self.session.view().moves.clone();
                let labels: Vec<&str> = moves.iter().map(|mv| without_player(&mv.label)).collect();
                self.print(&Event::Moves { moves: &moves }, labels.join(" "))?;
            }
            ("hint", "") => {
                // All moves, to tell whether several are equal.
                let mut found = self.analyse(None)?;
                let text = super::hint(self.session.view(), &found).unwrap_or_else(|| "no move is known".to_owned());
                found.lines.truncate(3);
                self.print(&Event::Analysis { analysis: &found }, text)?;
            }
            ("eval", "") => self.evaluate()?,
            ("undo", "") => return self.travel(Session::undo, "there is no move of yours to undo"),
            ("redo", "") => return self.travel(Session::redo, "there is no move to redo"),
            ("new", "") => {
                self.session.begin()?;
                self.print_position()?;
                return Ok(Flow::Turn);
            }
            ("level", level) => match level.parse().ok().filter(|level| (1..=STRONGEST).contains(level)) {
                Some(level) => {
                    self.strength.level = level;
                    self.note(format_args!("the engine plays at level {level}"))?;
                }
                None => self.refuse("a level is a number from 1 to 10, as in: level 5")?,
            },
            _ => match self.session.play_typed(line) {
                Ok(()) => {
                    self.print_move("you", str::to_owned)?;
                    return Ok(Flow::Turn);
                }
                Err(fault) => self.refuse(&format!("{fault}\n(commands: {COMMANDS})"))?,
            },
        }
        Ok(Flow::Ask)
    }

    fn travel(&mut self, go: fn(&mut Session) -> bool, otherwise: &str) -> Result<Flow, Failure> {
        if go(&mut self.session) {
            self.show(self.session.marks())?;
            return Ok(Flow::Turn);
        }
        self.refuse(otherwise)?;
        Ok(Flow::Ask)
    }

    fn refuse(&mut self, text: &str) -> Result<(), Failure> {
        self.print(&Event::Refused { text }, text)
    }

    /// Prints every legal move, best first, and the board with the best value of every cell.
    fn evaluate(&mut self) -> Result<(), Failure> {
        let found = self.analyse(None)?;
        if self.json {
            return self.output.json(&Event::Analysis { analysis: &found });
        }
        let mut lines: Vec<(ValueText, &str)> =
            found.lines.iter().map(|line| (line.into(), line.mv.as_str())).collect();
        lines.sort_by(|(left, _), (right, _)| right.order(left));
        let mut marks = self.session.marks();
        for (value, mv) in lines.iter().rev() {
            if let Some(mv) = self.session.view().moves.iter().find(|known| known.mv == *mv) {
                // In reverse order, so that the best move of a cell is inserted last and stays.
                marks.cells.insert(mv.cell, *value);
            }
        }
        self.show(marks)?;
        for (value, mv) in lines {
            let label = self.label(mv);
            self.output.line(format_args!("  {label:<16} {}", value.words(Tense::Move)))?;
        }
        Ok(())
    }
}
