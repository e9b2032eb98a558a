//! One game at the table: every position so far, so that moves can be undone and redone.

use super::{Choice, Dealt, Humans, Table};
use crate::failure::Failure;
use api::{BoardView, Fault, Played, PositionQuestion, View};

/// A position of the game and how it came about.
pub(super) struct Stand {
    pub(super) view: View,
    /// The move that led here, and who made it.
    pub(super) played: Option<(Played, String)>,
    /// What the move did, what was dealt or drawn, what follows.
    pub(super) notes: Vec<String>,
    /// The game that follows this end, if the result does not count.
    next: Option<Dealt>,
    /// What a person may still choose.
    choice: Option<Choice>,
    /// How many games of the same match came before.
    round: u32,
}

/// A game.
pub(super) struct Session {
    table: Box<dyn Table>,
    history: Vec<Stand>,
    at: usize,
    pub(super) humans: Humans,
    open_boards: bool,
}

impl Session {
    /// A game from its beginning.
    pub(super) fn new(table: Box<dyn Table>, humans: Humans) -> Result<Self, Failure> {
        let mut table = table;
        let open_boards = table.session().base().rule.as_deref() == Some("open");
        let mut session = Self { table, history: Vec::new(), at: 0, humans, open_boards };
        session.begin()?;
        Ok(session)
    }

    /// A new game in place of the present one.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        let dealt = self.table.begin()?;
        let stand = self.stand(dealt, None, 0)?;
        (self.history, self.at) = (vec![stand], 0);
        Ok(())
    }

    fn stand(&mut self, dealt: Dealt, played: Option<(Played, String)>, round: u32) -> Result<Stand, Fault> {
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
        Ok(Stand { view, played, notes, next, choice, round })
    }

    fn now(&self) -> &Stand {
        &self.history[self.at]
    }

    /// The present position.
    pub(super) fn view(&self) -> &View {
        &self.now().view
    }

    /// The positions up to the present one.
    pub(super) fn past(&self) -> &[Stand] {
        &self.history[..=self.at]
    }

    /// The move that led here.
    pub(super) fn last(&self) -> Option<&Played> {
        self.now().played.as_ref().map(|(played, _)| played)
    }

    pub(super) fn title(&self) -> String {
        self.table.title()
    }

    pub(super) fn how_to_move(&self) -> &'static str {
        self.table.how_to_move()
    }

    /// Ultimate Tic-Tac-Toe: decided boards go on.
    pub(super) fn has_open_boards(&self) -> bool {
        self.open_boards
    }

    pub(super) fn is_over(&self) -> bool {
        self.view().result.is_some()
    }

    /// Whether another game decides.
    pub(super) fn goes_on(&self) -> bool {
        self.now().next.is_some()
    }

    /// What a person may choose after the end.
    pub(super) fn question(&self) -> Option<String> {
        self.now().choice.as_ref().map(Choice::question)
    }

    /// Takes the thing of a number from 1; what there is to say about it.
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

    /// Whether a person is to move.
    pub(super) fn is_human(&self) -> bool {
        !self.is_over() && self.humans.plays(self.view().mover)
    }

    /// Plays a move in the form of the session.
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

    fn push(&mut self, stand: Stand) {
        self.history.truncate(self.at + 1);
        self.history.push(stand);
        self.at += 1;
    }

    /// Begins the game that decides.
    pub(super) fn go_on(&mut self) -> Result<(), Failure> {
        let Some(dealt) = self.now().next.clone() else { return Ok(()) };
        let round = self.now().round + 1;
        let stand = self.stand(dealt, None, round)?;
        self.push(stand);
        Ok(())
    }

    /// Back to the last position in which a person was to move; one position back if people do not play. False if there
    /// is none.
    pub(super) fn undo(&mut self) -> bool {
        let wanted = |stand: &Stand| self.counts(stand);
        match self.history[..self.at].iter().rposition(wanted) {
            Some(at) => {
                self.at = at;
                true
            }
            None => false,
        }
    }

    /// Redo. False if nothing was undone.
    pub(super) fn redo(&mut self) -> bool {
        let ahead = &self.history[self.at + 1..];
        if ahead.is_empty() {
            return false;
        }
        let step = ahead.iter().position(|stand| self.counts(stand)).unwrap_or(ahead.len() - 1);
        self.at += step + 1;
        true
    }

    fn counts(&self, stand: &Stand) -> bool {
        self.humans == Humans::Nobody || (stand.view.result.is_none() && self.humans.plays(stand.view.mover))
    }
}

/// What a move took and why, a line each.
fn flips(before: &View, played: &Played) -> Vec<String> {
    let told = |flip: &api::Flip| match &before.board {
        BoardView::Triad { cells, cards, .. } => {
            let card = cells[flip.cell].and_then(|card| cards.get(usize::from(card)));
            let name = card.map_or("a card", |card| card.name.as_str());
            format!("takes {name} at {}: {}", flip.cell, flip.cause)
        }
        _ => flip.cause.clone(),
    };
    let mut told: Vec<String> = played.flips.iter().map(told).collect();
    // Dice taken by one sum have one cause.
    told.dedup();
    told
}
