//! One game with its history, so that moves can be undone and redone.

use super::{Choice, Dealt, Humans, Table};
use crate::failure::Failure;
use api::{BoardView, Fault, Played, PositionQuestion, View};

/// One entry of the history.
pub(super) struct HistoryEntry {
    pub(super) view: View,
    /// The move that led here, and who made it.
    pub(super) played: Option<(Played, String)>,
    /// Notes: captures, deals, drawn cards, what follows.
    pub(super) notes: Vec<String>,
    /// The next game, if this result does not count.
    next: Option<Dealt>,
    /// A choice that a person still has to make.
    choice: Option<Choice>,
    /// Number of earlier games of the same match.
    round: u32,
}

pub(super) struct Session {
    table: Box<dyn Table>,
    history: Vec<HistoryEntry>,
    at: usize,
    pub(super) humans: Humans,
    open_boards: bool,
}

impl Session {
    /// Starts a game.
    pub(super) fn new(table: Box<dyn Table>, humans: Humans) -> Result<Self, Failure> {
        let mut table = table;
        let open_boards = table.session().base().rule.as_deref() == Some("open");
        let mut session = Self { table, history: Vec::new(), at: 0, humans, open_boards };
        session.begin()?;
        Ok(session)
    }

    /// Replaces the present game with a new one.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        let dealt = self.table.begin()?;
        let stand = self.stand(dealt, None, 0)?;
        (self.history, self.at) = (vec![stand], 0);
        Ok(())
    }

    fn stand(&mut self, dealt: Dealt, played: Option<(Played, String)>, round: u32) -> Result<HistoryEntry, Fault> {
        let Dealt { mut position, mut notes } = dealt;
        if let Some(drawn) = self.table.luck(&position) {
            position = drawn.position;
            notes.extend(drawn.notes);
        }
        let view = self.table.session().look(&PositionQuestion::at(position.as_str()))?;
        let (mut next, mut choice) = (None, None);
        if view.result.is_some() {
            let after = self.table.after(&position, round, self.humans);
            notes.extend(after.notes);
            (next, choice) = (after.next, after.choice);
        }
        Ok(HistoryEntry { view, played, notes, next, choice, round })
    }

    fn now(&self) -> &HistoryEntry {
        &self.history[self.at]
    }

    /// The present position.
    pub(super) fn view(&self) -> &View {
        &self.now().view
    }

    /// The positions up to the present one.
    pub(super) fn past(&self) -> &[HistoryEntry] {
        &self.history[..=self.at]
    }

    /// The last move.
    pub(super) fn last(&self) -> Option<&Played> {
        self.now().played.as_ref().map(|(played, _)| played)
    }

    pub(super) fn title(&self) -> String {
        self.table.title()
    }

    pub(super) fn how_to_move(&self) -> &'static str {
        self.table.how_to_move()
    }

    /// Ultimate Tic-Tac-Toe: whether decided boards stay playable.
    pub(super) fn has_open_boards(&self) -> bool {
        self.open_boards
    }

    pub(super) fn is_over(&self) -> bool {
        self.view().result.is_some()
    }

    /// Whether another game follows, because this result does not count.
    pub(super) fn goes_on(&self) -> bool {
        self.now().next.is_some()
    }

    /// The choice that a person has to make after the end.
    pub(super) fn question(&self) -> Option<String> {
        self.now().choice.as_ref().map(Choice::question)
    }

    /// Chooses an item by its number, from 1. Returns the note about it.
    pub(super) fn choose(&mut self, text: &str) -> Result<String, String> {
        let stand = &mut self.history[self.at];
        let Some(choice) = &mut stand.choice else { return Err("there is nothing to choose".to_owned()) };
        let number = text.trim().parse().ok().filter(|number| (1..=choice.among.len()).contains(number));
        let Some(number) = number else { return Err(format!("a number from 1 to {}", choice.among.len())) };
        let note = format!("{} {}", choice.verb, choice.among.remove(number - 1));
        choice.count -= 1;
        if choice.count == 0 {
            stand.choice = None;
        }
        stand.notes.push(note.clone());
        Ok(note)
    }

    /// Whether a person has to move.
    pub(super) fn is_human(&self) -> bool {
        !self.is_over() && self.humans.plays(self.view().mover)
    }

    /// Plays a move in the session's notation.
    pub(super) fn play(&mut self, mv: &str) -> Result<(), Fault> {
        let mut question = PositionQuestion::at(self.view().position.as_str());
        question.moves = vec![mv.to_owned()];
        let answer = self.table.session().play(&question)?;
        let Some(played) = answer.played.into_iter().next() else {
            return Err(Fault::question("moves", "no move was played"));
        };
        let before = self.view();
        let who = before.players[before.mover as usize - 1].clone();
        let notes = flips(before, &played);
        let dealt = Dealt { position: played.position.clone(), notes };
        let stand = self.stand(dealt, Some((played, who)), self.now().round)?;
        self.push(stand);
        Ok(())
    }

    /// Plays a move as a person types it.
    pub(super) fn play_typed(&mut self, text: &str) -> Result<(), String> {
        let mv = self.table.read_move(self.view(), text)?;
        self.play(&mv).map_err(|fault| fault.message)
    }

    fn push(&mut self, stand: HistoryEntry) {
        self.history.truncate(self.at + 1);
        self.history.push(stand);
        self.at += 1;
    }

    /// Starts the deciding game.
    pub(super) fn go_on(&mut self) -> Result<(), Failure> {
        let Some(dealt) = self.now().next.clone() else { return Ok(()) };
        let round = self.now().round + 1;
        let stand = self.stand(dealt, None, round)?;
        self.push(stand);
        Ok(())
    }

    /// Goes back to the last position in which a person had to move, or back by one position if no person plays.
    /// Returns false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let wanted = |stand: &HistoryEntry| self.counts(stand);
        match self.history[..self.at].iter().rposition(wanted) {
            Some(at) => {
                self.at = at;
                true
            }
            None => false,
        }
    }

    /// Redoes what was undone. Returns false if there is nothing to redo.
    pub(super) fn redo(&mut self) -> bool {
        let ahead = &self.history[self.at + 1..];
        if ahead.is_empty() {
            return false;
        }
        let step = ahead.iter().position(|stand| self.counts(stand)).unwrap_or(ahead.len() - 1);
        self.at += step + 1;
        true
    }

    fn counts(&self, stand: &HistoryEntry) -> bool {
        self.humans == Humans::Nobody || (stand.view.result.is_none() && self.humans.plays(stand.view.mover))
    }
}

/// The captures of a move with their reasons, one per line.
fn flips(before: &View, played: &Played) -> Vec<String> {
    let describe = |flip: &api::Flip| match &before.board {
        BoardView::Triad { cells, cards, .. } => {
            let card = cells[flip.cell].and_then(|card| cards.get(usize::from(card)));
            let name = card.map_or("a card", |card| card.name.as_str());
            format!("takes {name} at {}: {}", flip.cell, flip.cause)
        }
        _ => flip.cause.clone(),
    };
    let mut lines: Vec<String> = played.flips.iter().map(describe).collect();
    // Dice captured by one sum share one reason.
    lines.dedup();
    lines
}
