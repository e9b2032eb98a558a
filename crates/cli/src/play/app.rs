//! The state of the full screen, without a terminal: what is shown, and what every key and click does.

use super::session::Session;
use super::thinker::{Answer, Task, Thinker};
use super::{Strength, without_player};
use crate::draw::{self, Marks, Spot, Tense, ValueText};
use crate::failure::Failure;
use api::{Analysis, BoardView, MoveView, STRONGEST};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::Rect;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What to do after a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    Stay,
    Quit,
    Interrupted,
    /// Ctrl-Z: give the terminal back until the shell continues the program.
    Suspend,
}

/// Where things were drawn, for the mouse.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Places {
    pub(super) board: Rect,
    /// Whether the board was drawn compact.
    pub(super) compact: bool,
    /// The captures to choose from, one per line.
    pub(super) choices: Rect,
}

/// The state of the screen.
pub(super) struct App {
    pub(super) session: Session,
    thinker: Thinker,
    pub(super) strength: Strength,
    pub(super) cursor: usize,
    /// Triple Triad: the selected card.
    card: Option<u8>,
    /// Cephalopods: the selected capture, if the cell under the cursor has several.
    pub(super) choosing: Option<usize>,
    pub(super) evaluating: bool,
    /// The analysis of the present position.
    pub(super) analysis: Option<Analysis>,
    /// Whether `analysis` is final.
    complete: bool,
    hint: Option<MoveView>,
    wants_hint: bool,
    /// After undo and redo the engine waits until the user continues.
    pub(super) paused: bool,
    pub(super) help: bool,
    pub(super) message: String,
    pub(super) places: Places,
    since: Instant,
}

impl App {
    pub(super) fn new(session: Session, thinker: Thinker, strength: Strength) -> Self {
        let mut app = Self {
            session,
            thinker,
            strength,
            cursor: 0,
            card: None,
            choosing: None,
            evaluating: false,
            analysis: None,
            complete: false,
            hint: None,
            wants_hint: false,
            paused: false,
            help: false,
            message: String::new(),
            places: Places::default(),
            since: Instant::now(),
        };
        let (rows, columns) = draw::cells(app.session.view());
        app.cursor = rows / 2 * columns + columns / 2;
        app.turn();
        app
    }

    pub(super) fn is_thinking(&self) -> bool {
        self.thinker.is_busy()
    }

    /// How long the engine has been thinking.
    pub(super) fn thinking_time(&self) -> Duration {
        self.since.elapsed()
    }

    /// Triple Triad: the cards that may be played now.
    fn playable(&self) -> Vec<u8> {
        let mut cards: Vec<u8> = self.session.view().moves.iter().filter_map(|mv| mv.card).collect();
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    /// The moves on a cell: with the selected card, or all captures.
    pub(super) fn moves_at(&self, cell: usize) -> Vec<&MoveView> {
        let moves = self.session.view().moves.iter();
        moves.filter(|mv| mv.cell == cell && (mv.card.is_none() || mv.card == self.card)).collect()
    }

    /// Resets everything about the old position and asks the engine about the new one.
    fn turn(&mut self) {
        self.choosing = None;
        self.analysis = None;
        self.complete = false;
        self.hint = None;
        self.wants_hint = false;
        let playable = self.playable();
        if !self.card.is_some_and(|card| playable.contains(&card)) {
            self.card = playable.first().copied();
        }
        self.follow();
        self.ask();
    }

    /// Moves the cursor to the nearest cell with a legal move, if it is not on one.
    fn follow(&mut self) {
        let (_, columns) = draw::cells(self.session.view());
        let moves = &self.session.view().moves;
        if !self.session.is_human() || moves.iter().any(|mv| mv.cell == self.cursor) {
            return;
        }
        let distance = |cell: usize| {
            let (row, column) = (self.cursor / columns, self.cursor % columns);
            (cell / columns).abs_diff(row).pow(2) + (cell % columns).abs_diff(column).pow(2)
        };
        if let Some(mv) = moves.iter().min_by_key(|mv| distance(mv.cell)) {
            self.cursor = mv.cell;
        }
    }

    /// Asks the engine what the screen needs now.
    fn ask(&mut self) {
        let task = if self.session.is_over() {
            None
        } else if !self.session.is_human() && !self.paused {
            Some(Task::Move)
        } else if self.evaluating && !self.complete {
            Some(Task::Evaluate)
        } else if self.wants_hint {
            Some(Task::Hint)
        } else {
            None
        };
        let Some(task) = task else {
            self.thinker.drop_question();
            return;
        };
        self.since = Instant::now();
        self.thinker.ask(task, &self.session.view().position, &self.strength);
    }

    /// Processes new answers of the engine. Returns false if there were none.
    pub(super) fn listen(&mut self) -> Result<bool, Failure> {
        let mut any = false;
        while let Some(answer) = self.thinker.poll()? {
            self.take(answer);
            any = true;
        }
        Ok(any)
    }

    /// Waits for the final answer to the present question; for tests.
    #[cfg(test)]
    pub(super) fn settle(&mut self) {
        while self.is_thinking() {
            let answer = self.thinker.wait(Duration::from_secs(60)).unwrap();
            self.take(answer.expect("the engine answers within a minute"));
        }
    }

    fn take(&mut self, answer: Answer) {
        if let Some(fault) = answer.fault {
            self.message = fault;
            self.paused = true;
            return;
        }
        if answer.task == Task::Move {
            let Some(mv) = answer.mv else { return };
            let who = super::mover(self.session.view());
            let value_note = answer.analysis.map_or_else(String::new, |found| {
                let value = ValueText::from(&found).words(Tense::Side);
                format!("; {who} {value}")
            });
            match self.session.play(&mv) {
                Ok(()) => {
                    let label = self.session.last().map_or(mv.as_str(), |played| without_player(&played.label));
                    self.message = format!("the engine played {label}{value_note}");
                    self.turn();
                }
                Err(fault) => {
                    self.message = format!("the engine chose {mv}: {fault}");
                    self.paused = true;
                }
            }
            return;
        }
        self.complete |= answer.is_last && answer.task == Task::Evaluate;
        self.analysis = answer.analysis;
        if answer.is_last && self.wants_hint {
            self.advise();
        }
    }

    /// Shows the best known move and moves the cursor to it, unless all moves are equal.
    fn advise(&mut self) {
        self.wants_hint = false;
        let view = self.session.view();
        let Some(found) = &self.analysis else { return };
        let Some(text) = super::hint(view, found) else { return };
        self.message = text;
        if super::all_moves_are_equal(view, found) {
            return;
        }
        let best = view.moves.iter().find(|mv| Some(&mv.mv) == found.best.as_ref());
        let Some(mv) = best.cloned() else { return };
        self.cursor = mv.cell;
        self.card = mv.card;
        let same: Vec<&MoveView> = self.moves_at(mv.cell);
        let at = same.iter().position(|other| other.mv == mv.mv).unwrap_or(0);
        self.choosing = (same.len() > 1 && self.session.is_human()).then_some(at);
        self.hint = Some(mv);
    }

    /// The marks on top of the board.
    pub(super) fn marks(&self) -> Marks {
        let mut marks = Marks {
            cursor: (!self.session.is_over()).then_some(self.cursor),
            card: self.card.filter(|_| self.session.is_human()),
            hint: self.hint.clone(),
            ..self.session.marks()
        };
        if let Some(played) = self.session.last() {
            let before = self.session.past().iter().rev().nth(1);
            let made = before.and_then(|entry| entry.view.moves.iter().find(|mv| mv.mv == played.mv));
            marks.last = made.map(|mv| mv.cell);
            marks.taken = played.flips.iter().map(|flip| flip.cell).collect();
        }
        if let Some(at) = self.choosing {
            marks.taken = self.moves_at(self.cursor).get(at).map_or_else(Vec::new, |mv| mv.captures.clone());
        }
        if !self.evaluating {
            return marks;
        }
        let known: BTreeMap<&str, ValueText> =
            self.analysis.iter().flat_map(|found| &found.lines).map(|line| (line.mv.as_str(), line.into())).collect();
        for mv in &self.session.view().moves {
            let Some(value) = known.get(mv.mv.as_str()) else { continue };
            if mv.card.is_none() || mv.card == self.card {
                keep_best(&mut marks.cells, mv.cell, value);
            }
            if let Some(card) = mv.card {
                keep_best(&mut marks.cards, card, value);
            }
        }
        marks
    }

    /// The value of a move, if it is known and shown.
    pub(super) fn value_of(&self, mv: &MoveView) -> Option<String> {
        let found = self.analysis.as_ref().filter(|_| self.evaluating)?;
        let line = found.lines.iter().find(|line| line.mv == mv.mv)?;
        Some(ValueText::from(line).words(Tense::Move))
    }

    /// The value of the present position, if it is known and shown.
    pub(super) fn value(&self) -> Option<String> {
        let who = super::mover(self.session.view());
        let wanted = self.evaluating || self.hint.is_some();
        let found = self.analysis.as_ref().filter(|found| wanted && !found.lines.is_empty())?;
        Some(format!("{who} {}", ValueText::from(found).words(Tense::Side)))
    }

    /// Handles a key, a click or a change of size.
    pub(super) fn update(&mut self, event: &Event) -> Result<Flow, Failure> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                self.click(mouse.column, mouse.row)?;
                Ok(Flow::Stay)
            }
            _ => Ok(Flow::Stay),
        }
    }

    fn key(&mut self, key: &KeyEvent) -> Result<Flow, Failure> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return Ok(match key.code {
                KeyCode::Char('c') => Flow::Interrupted,
                KeyCode::Char('z') => Flow::Suspend,
                _ => Flow::Stay,
            });
        }
        if key.code == KeyCode::Char('q') {
            return Ok(Flow::Quit);
        }
        if self.help {
            self.help = false;
            return Ok(Flow::Stay);
        }
        match key.code {
            KeyCode::Left | KeyCode::Char('h') => self.step(0, -1),
            KeyCode::Right | KeyCode::Char('l') => self.step(0, 1),
            KeyCode::Up | KeyCode::Char('k') => self.step(-1, 0),
            KeyCode::Down | KeyCode::Char('j') => self.step(1, 0),
            KeyCode::Enter | KeyCode::Char(' ') => self.enter()?,
            KeyCode::Tab => self.next(1),
            KeyCode::BackTab => self.next(-1),
            KeyCode::Esc => self.choosing = None,
            KeyCode::Char(digit @ '1'..='9') => self.number(digit as usize - '1' as usize)?,
            KeyCode::Char('u') => self.travel(Session::undo, "nothing to undo"),
            KeyCode::Char('r') => self.travel(Session::redo, "nothing to redo"),
            KeyCode::Char('i') => self.want_hint(),
            KeyCode::Char('e') => self.toggle_evaluation(),
            KeyCode::Char('+' | '=') => self.set_level(self.strength.level + 1),
            KeyCode::Char('-') => self.set_level(self.strength.level - 1),
            KeyCode::Char('s') => self.swap_sides(),
            KeyCode::Char('n') => {
                self.session.begin()?;
                self.paused = false;
                self.message = "a new game".to_owned();
                self.turn();
            }
            KeyCode::Char('?') => self.help = true,
            _ => {}
        }
        Ok(Flow::Stay)
    }

    fn step(&mut self, down: isize, right: isize) {
        let (rows, columns) = draw::cells(self.session.view());
        let moved = |at: usize, by: isize, size: usize| at.saturating_add_signed(by).min(size - 1);
        self.choosing = None;
        self.cursor = moved(self.cursor / columns, down, rows) * columns + moved(self.cursor % columns, right, columns);
    }

    /// Plays the selected move, or confirms what the game waits for.
    fn enter(&mut self) -> Result<(), Failure> {
        self.message.clear();
        if self.session.is_over() {
            if self.session.is_followed() {
                self.session.start_next()?;
                self.turn();
            } else {
                self.message = "the game is over: n starts a new one, u undoes a move".to_owned();
            }
            return Ok(());
        }
        if !self.session.is_human() {
            if self.paused {
                self.paused = false;
                self.ask();
            } else {
                self.message = "it is the engine's turn".to_owned();
            }
            return Ok(());
        }
        let moves = self.moves_at(self.cursor);
        match (moves.len(), self.choosing) {
            (0, _) => self.message = self.why_not(),
            (1, _) | (_, Some(_)) => {
                let at = self.choosing.unwrap_or(0).min(moves.len() - 1);
                let mv = moves[at].mv.clone();
                self.make(&mv);
            }
            (_, None) => self.choosing = Some(0),
        }
        Ok(())
    }

    fn make(&mut self, mv: &str) {
        match self.session.play(mv) {
            Ok(()) => {
                self.paused = false;
                self.message.clear();
                self.turn();
            }
            Err(fault) => self.message = fault.message,
        }
    }

    fn why_not(&self) -> String {
        let view = self.session.view();
        match &view.board {
            BoardView::Uttt { squares, boards, open } => {
                let board = self.cursor / 27 * 3 + self.cursor % 9 / 3;
                let taken = squares.as_bytes().get(self.cursor).is_some_and(|square| *square != b'.');
                let decided = boards.as_bytes().get(board).is_some_and(|letter| *letter != b'.');
                match (taken, open.as_slice()) {
                    (_, [forced]) if *forced != board => format!("{}: the board within double lines", view.status),
                    (true, _) => "that square is taken".to_owned(),
                    _ if decided => "that board is decided".to_owned(),
                    _ => "no move can be made there".to_owned(),
                }
            }
            BoardView::Triad { .. } => "there is a card already".to_owned(),
            BoardView::Cephalopods { .. } => "there is a die already".to_owned(),
        }
    }

    /// Selects the next card or capture.
    fn next(&mut self, by: isize) {
        let turned = |at: usize, count: usize| (at + count).wrapping_add_signed(by) % count.max(1);
        if let Some(at) = self.choosing {
            self.choosing = Some(turned(at, self.moves_at(self.cursor).len()));
            return;
        }
        let playable = self.playable();
        if let Some(at) = self.card.and_then(|card| playable.iter().position(|other| *other == card)) {
            self.card = Some(playable[turned(at, playable.len())]);
        }
    }

    /// Selects a card or capture by its number, from 0.
    fn number(&mut self, number: usize) -> Result<(), Failure> {
        if self.session.question().is_some() {
            self.message = match self.session.choose(&(number + 1).to_string()) {
                Ok(note) | Err(note) => note,
            };
            return Ok(());
        }
        if self.choosing.is_some() {
            if number < self.moves_at(self.cursor).len() {
                self.choosing = Some(number);
                return self.enter();
            }
            return Ok(());
        }
        let base = if self.session.view().mover == 1 { 0 } else { 5 };
        self.choose_card(base + number as u8);
        Ok(())
    }

    fn choose_card(&mut self, card: u8) {
        let view = self.session.view();
        let BoardView::Triad { cards, .. } = &view.board else { return };
        let mover = if card < 5 { 1 } else { 2 };
        if self.playable().contains(&card) {
            self.card = Some(card);
            self.message.clear();
        } else if cards.get(usize::from(card)).is_some_and(|card| card.laid) {
            self.message = "that card was played already".to_owned();
        } else if card < 10 && mover != view.mover {
            self.message = "that card is the other player's".to_owned();
        } else if card < 10 {
            self.message = "the rules do not let that card be played now".to_owned();
        }
    }

    fn travel(&mut self, go: fn(&mut Session) -> bool, otherwise: &str) {
        self.message.clear();
        if go(&mut self.session) {
            // Otherwise the engine would repeat the undone move at once.
            self.paused = !self.session.is_human() && !self.session.is_over();
            self.turn();
        } else {
            self.message = otherwise.to_owned();
        }
    }

    fn want_hint(&mut self) {
        if !self.session.is_human() {
            self.message = "hints are for your own moves".to_owned();
            return;
        }
        self.wants_hint = true;
        if self.complete {
            self.advise();
        } else if self.evaluating && self.is_thinking() {
            self.message = "the hint comes with the evaluation".to_owned();
        } else {
            self.ask();
        }
    }

    fn toggle_evaluation(&mut self) {
        self.evaluating = !self.evaluating;
        if self.evaluating {
            self.message = "W, D, L: certain win, draw, loss for the side to move; numbers: estimated".to_owned();
        } else {
            self.message.clear();
            self.hint = None;
        }
        if self.session.is_human() || self.paused {
            self.ask();
        }
    }

    fn set_level(&mut self, level: u32) {
        self.strength.level = level.clamp(1, STRONGEST);
        self.message = format!("the engine plays at level {} of {}", self.strength.level, STRONGEST);
    }

    fn swap_sides(&mut self) {
        self.session.humans = self.session.humans.next();
        self.message = self.session.humans.words(&self.session.view().players);
        self.paused = false;
        self.turn();
    }

    fn click(&mut self, x: u16, y: u16) -> Result<(), Failure> {
        if self.help {
            self.help = false;
            return Ok(());
        }
        let Places { board, compact, choices } = self.places;
        let within = |area: Rect| (area.left()..area.right()).contains(&x) && (area.top()..area.bottom()).contains(&y);
        if self.choosing.is_some() && within(choices) {
            return self.number(usize::from(y - choices.top()));
        }
        if !within(board) {
            return Ok(());
        }
        match draw::spot(self.session.view(), compact, x - board.left(), y - board.top()) {
            // A second click on the same cell selects the next capture.
            Some(Spot::Cell(cell)) if self.choosing.is_some() && cell == self.cursor => self.next(1),
            Some(Spot::Cell(cell)) => {
                self.choosing = None;
                self.cursor = cell;
                self.enter()?;
            }
            Some(Spot::Card(card)) => self.choose_card(card),
            // A click on a finished board starts the deciding game.
            None if self.session.is_followed() => self.enter()?,
            None => {}
        }
        Ok(())
    }
}

fn keep_best<K: Ord>(best: &mut BTreeMap<K, ValueText>, key: K, value: &ValueText) {
    let kept = best.entry(key).or_insert(*value);
    if value.order(kept).is_gt() {
        *kept = *value;
    }
}
