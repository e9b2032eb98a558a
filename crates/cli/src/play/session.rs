//! One game with its history, so that moves can be undone and redone.

use super::record::Step;
use super::{Choice, Dealt, Humans, Table};
use crate::draw::Marks;
use crate::failure::Failure;
use api::{BoardView, CardView, Fault, GameName, Played, PositionQuestion, View};
use grid::Rng;

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
        let mut session = Self::empty(table, humans);
        session.begin()?;
        Ok(session)
    }

    /// Continues a saved game.
    pub(super) fn load(table: Box<dyn Table>, humans: Humans, steps: &[Step], cards: &[u16]) -> Result<Self, Failure> {
        let mut session = Self::empty(table, humans);
        let first = steps.first().ok_or_else(|| Failure::Usage("the saved game has no position".to_owned()))?;
        session.table.resume(&first.position, cards)?;
        for (number, step) in steps.iter().enumerate() {
            let entry = session.restored(step);
            let wrong = |fault: Fault| Failure::Usage(format!("step {} of the saved game: {fault}", number + 1));
            session.history.push(entry.map_err(wrong)?);
        }
        session.at = session.history.len() - 1;
        Ok(session)
    }

    fn empty(mut table: Box<dyn Table>, humans: Humans) -> Self {
        let open_boards = table.session().base().rule.as_deref() == Some("open");
        Self { table, history: Vec::new(), at: 0, humans, open_boards }
    }

    /// The entry of a saved step, checked against the last entry.
    fn restored(&mut self, step: &Step) -> Result<HistoryEntry, Fault> {
        let dealt = |notes| Dealt { position: step.position.clone(), notes };
        match (&step.mv, self.history.last()) {
            (None, None) => self.entry(dealt(Vec::new()), None, 0),
            (None, Some(before)) if before.view.result.is_some() => {
                let round = before.round + 1;
                self.entry(dealt(Vec::new()), None, round)
            }
            (Some(mv), Some(before)) => {
                let (who, round, before) = (super::mover(&before.view), before.round, before.view.clone());
                let (played, after) = self.played(&before, mv)?;
                let entry = self.entry(dealt(flips(&before, &played)), Some((played, who)), round)?;
                if !is_equal_but_for_luck(&after, &entry.view) {
                    return Err(Fault::question("history", "the position does not follow from the move"));
                }
                Ok(entry)
            }
            _ => Err(Fault::question("history", "the move is missing, or the first position has one")),
        }
    }

    /// The game as it is saved, up to the present position.
    pub(super) fn steps(&self) -> Vec<Step> {
        let step = |entry: &HistoryEntry| Step {
            mv: entry.played.as_ref().map(|(played, _)| played.mv.clone()),
            position: entry.view.position.clone(),
        };
        self.past().iter().map(step).collect()
    }

    pub(super) fn cards(&self) -> Vec<u16> {
        self.table.cards()
    }

    /// The game and its options.
    pub(super) fn game(&mut self) -> (GameName, api::Options) {
        let session = self.table.session();
        (session.game(), session.base().clone())
    }

    /// Replaces the present game with a new one.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        let dealt = self.table.begin()?;
        let entry = self.entry(dealt, None, 0)?;
        (self.history, self.at) = (vec![entry], 0);
        Ok(())
    }

    fn entry(&mut self, dealt: Dealt, played: Option<(Played, String)>, round: u32) -> Result<HistoryEntry, Fault> {
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

    /// The marks that depend on the rules alone.
    pub(super) fn marks(&self) -> Marks {
        Marks { open_boards: self.open_boards, hidden: self.hidden(), ..Marks::default() }
    }

    /// Under Three Open, a person sees three cards of the opponent until the others are played.
    fn hidden(&self) -> Vec<u8> {
        let opponent = match self.humans {
            Humans::First => 5..10,
            Humans::Second => 0..5,
            Humans::Both | Humans::Nobody => return Vec::new(),
        };
        let BoardView::Triad { rules, cards, .. } = &self.view().board else { return Vec::new() };
        if !rules.iter().any(|rule| rule == "three-open") {
            return Vec::new();
        }
        // Chosen by the cards alone, so that the same two stay hidden for the whole game.
        let seed = cards.iter().flat_map(|card| card.sides).fold(0, |seed, side| grid::mix(seed ^ u64::from(side)));
        let mut rng = Rng::new(seed);
        let mut hand: Vec<u8> = opponent.collect();
        while hand.len() > 2 {
            let shown = rng.pick(0..hand.len()).unwrap_or_default();
            hand.remove(shown);
        }
        hand
    }

    pub(super) fn is_over(&self) -> bool {
        self.view().result.is_some()
    }

    /// Whether another game follows, because this result does not count.
    pub(super) fn is_followed(&self) -> bool {
        self.now().next.is_some()
    }

    /// The choice that a person has to make after the end.
    pub(super) fn question(&self) -> Option<String> {
        self.now().choice.as_ref().map(Choice::question)
    }

    /// Chooses an item by its number, from 1. Returns the note about it.
    pub(super) fn choose(&mut self, text: &str) -> Result<String, String> {
        let entry = &mut self.history[self.at];
        let Some(choice) = &mut entry.choice else { return Err("there is nothing to choose".to_owned()) };
        let number = text.trim().parse().ok().filter(|number| (1..=choice.among.len()).contains(number));
        let Some(number) = number else { return Err(format!("a number from 1 to {}", choice.among.len())) };
        let note = format!("{} {}", choice.verb, choice.among.remove(number - 1));
        choice.count -= 1;
        if choice.count == 0 {
            entry.choice = None;
        }
        entry.notes.push(note.clone());
        Ok(note)
    }

    /// Whether a person has to move.
    pub(super) fn is_human(&self) -> bool {
        !self.is_over() && self.humans.plays(self.view().mover)
    }

    /// Plays a move in the session's notation.
    pub(super) fn play(&mut self, mv: &str) -> Result<(), Fault> {
        let before = self.view().clone();
        let (played, _) = self.played(&before, mv)?;
        let dealt = Dealt { position: played.position.clone(), notes: flips(&before, &played) };
        let entry = self.entry(dealt, Some((played, super::mover(&before))), self.now().round)?;
        self.push(entry);
        Ok(())
    }

    /// A move and the view after it.
    fn played(&mut self, before: &View, mv: &str) -> Result<(Played, View), Fault> {
        let mut question = PositionQuestion::at(before.position.as_str());
        question.moves = vec![mv.to_owned()];
        let answer = self.table.session().play(&question)?;
        let played = answer.played.into_iter().next();
        Ok((played.ok_or_else(|| Fault::question("moves", "no move was played"))?, answer.view))
    }

    /// Plays a move as a person types it.
    pub(super) fn play_typed(&mut self, text: &str) -> Result<(), String> {
        let mv = self.table.read_move(self.view(), text)?;
        self.play(&mv).map_err(|fault| fault.message)
    }

    fn push(&mut self, entry: HistoryEntry) {
        self.history.truncate(self.at + 1);
        self.history.push(entry);
        self.at += 1;
    }

    /// Starts the deciding game.
    pub(super) fn start_next(&mut self) -> Result<(), Failure> {
        let Some(dealt) = self.now().next.clone() else { return Ok(()) };
        let round = self.now().round + 1;
        let entry = self.entry(dealt, None, round)?;
        self.push(entry);
        Ok(())
    }

    /// Goes back to the last position in which a person had to move, or back by one position if no person plays.
    /// Returns false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let wanted = |entry: &HistoryEntry| self.counts(entry);
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
        let step = ahead.iter().position(|entry| self.counts(entry)).unwrap_or(ahead.len() - 1);
        self.at += step + 1;
        true
    }

    fn counts(&self, entry: &HistoryEntry) -> bool {
        self.humans == Humans::Nobody || (entry.view.result.is_none() && self.humans.plays(entry.view.mover))
    }
}

/// Whether two views show the same position, except for the card that Chaos has drawn.
fn is_equal_but_for_luck(left: &View, right: &View) -> bool {
    let board = |view: &View| {
        let mut board = view.board.clone();
        if let BoardView::Triad { cards, .. } = &mut board {
            cards.iter_mut().for_each(|card: &mut CardView| card.playable = false);
        }
        board
    };
    (left.mover, left.ply, left.result) == (right.mover, right.ply, right.result) && board(left) == board(right)
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
