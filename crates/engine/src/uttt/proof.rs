//! One call on the solver: it turns a question about a position into questions for the prover and shares out the work.
//!
//! ```text
//! value        does the mover win? does the other side? (neither: a draw)
//! best moves   for each move: is the position after it won for us (in a won position), or lost (in a drawn one)?
//! reply        one move that reaches the mover's goal
//! ```
//!
//! Every question gets a short proof on the caller's thread first. Most need no more, and starting threads costs more than
//! such a proof. What is left goes to all threads, in parts between two saves if the state is saved regularly.

use super::prover::{Busy, Prover, by_masks};
use super::table::{ProofTable, Shared};
use super::work_queue::{Answers, Enough, Notice, Question, WorkQueue};
use crate::analysis::{Analysis, Line};
use crate::value::{Outcome, Value};
use grid::simd::Isa;
use grid::{Game, Versus};
use search::{Control, Stop};
use std::marker::PhantomData;
use std::path::PathBuf;
use std::time::Duration;
use uttt::kernel::Lanes;
use uttt::{Move, Position, Rule, Uttt};

/// Nodes of a short proof, less than some ten milliseconds.
pub(super) const SHORT_PROOF: u64 = (1 << 16) - 1;

/// Where the state is saved during a search, and how often.
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "nothing is saved without files"))]
pub(super) struct Autosave {
    pub(super) path: PathBuf,
    pub(super) interval: Duration,
}

/// One call on a solver.
pub(super) struct ProofSearch<'a, R: Rule> {
    isa: Isa,
    table: &'a mut ProofTable,
    control: &'a Control<'a>,
    autosave: Option<&'a Autosave>,
    /// When the state was last saved, in time since the call began.
    saved: Duration,
    busy: Busy,
    rule: PhantomData<R>,
}

impl<'a, R: Rule> ProofSearch<'a, R> {
    pub(super) fn new(
        isa: Isa,
        table: &'a mut ProofTable,
        autosave: Option<&'a Autosave>,
        control: &'a Control<'a>,
    ) -> Self {
        let (busy, saved) = (Busy::new(), control.elapsed());
        Self { isa, table, control, autosave, saved, busy, rule: PhantomData }
    }

    /// The value and the best moves; with `every_move` the value of every move, as far as the control goes.
    pub(super) fn solve(&mut self, position: &Position, every_move: bool) -> Analysis<Move> {
        if let Some(result) = Uttt::<R>::GAME.result(position) {
            return Analysis::over(Value::proved(Outcome::of(result * position.mover().sign())));
        }
        let moves: Vec<Move> = position.moves::<R>().collect();
        let value = self.value(&Lanes::new::<R>(position)).unwrap_or(Value::UNKNOWN);
        let (outcomes, complete) = match value.outcome {
            Some(outcome) => self.outcomes(position, &moves, outcome, every_move),
            None => (vec![None; moves.len()], false),
        };
        let is_best = |outcome: Option<Outcome>| outcome.is_some() && outcome == value.outcome;
        let mut lines: Vec<_> = moves
            .into_iter()
            .zip(outcomes)
            .filter(|&(_, outcome)| every_move || is_best(outcome))
            .map(|(mv, outcome)| Line::new(mv, self.value_of_move(position, mv, outcome)))
            .collect();
        // Stable: equal moves stay in the order of the rules.
        lines.sort_by(|a, b| b.value.score.total_cmp(&a.value.score));
        Analysis { value, ..Analysis::of_lines(lines, complete) }
    }

    /// The value of a position.
    pub(super) fn value(&mut self, position: &Lanes) -> Result<Value, Stop> {
        if let Some(outcome) = outcome_by_masks::<R>(position) {
            return Ok(Value::proved(outcome));
        }
        let questions = both_attacks(position).map(|attacker| Question { position: *position, attacker });
        let answers = self.ask(&questions, |answers| settled(answers).is_some());
        let outcome = settled(&answers).ok_or_else(|| self.stopped())?;
        Ok(Value::certain(outcome, self.table.certainty()))
    }

    /// The principal variation to the end of the game: of several best moves the first.
    pub(super) fn line(&mut self, position: &Position) -> Result<Vec<Move>, Stop> {
        let game = Uttt::<R>::GAME;
        let mut position = *position;
        let mut line = Vec::new();
        while !game.is_over(&position) {
            let us = position.mover() as usize;
            let value = self.value(&Lanes::new::<R>(&position))?;
            let mv = match value.outcome {
                Some(Outcome::Win) => self.reply(&position, us)?,
                Some(Outcome::Draw) => self.reply(&position, 1 - us)?,
                _ => position.moves::<R>().next().ok_or_else(|| self.stopped())?,
            };
            line.push(mv);
            position = game.play_unchecked(&position, mv);
        }
        Ok(line)
    }

    /// A move that reaches the mover's goal (attack or defence); the position must already be decided in the mover's
    /// favour.
    pub(super) fn reply(&mut self, position: &Position, attacker: usize) -> Result<Move, Stop> {
        let lanes = Lanes::new::<R>(position);
        let wanted = lanes.mover() == attacker;
        let step = self.control.part();
        let alone = Notice::default();
        let mut prover = Prover::<R, false>::new(self.table.share(), step.meter(), &alone, &self.busy, attacker);
        let known = |prover: &Prover<'_, R, false>| {
            position.moves::<R>().find(|&mv| prover.known(&lanes.after::<R>(mv)) == Some(wanted))
        };
        if let Some(mv) = known(&prover) {
            return Ok(mv);
        }
        // The table has lost the answer: prove the position once more, which leaves its best move there.
        prover.prove_again(self.isa, &lanes);
        let found = known(&prover);
        drop(prover);
        self.table.count(step.nodes());
        if let Some(mv) = found {
            return Ok(mv);
        }
        for mv in position.moves::<R>() {
            let question = Question { position: lanes.after::<R>(mv), attacker };
            match self.ask(&[question], |answers| answers[0].is_some())[0] {
                Some(answer) if answer == wanted => return Ok(mv),
                Some(_) => {}
                None => break,
            }
        }
        Err(self.stopped())
    }

    pub(super) fn control(&self) -> &'a Control<'a> {
        self.control
    }

    fn stopped(&self) -> Stop {
        // A question stays open only if the control stopped it. If not even that is so, a false hit of the table has
        // contradicted itself; more memory is what helps.
        self.control.stop().unwrap_or(Stop::Memory)
    }

    /// The outcomes of the moves, given that of the position, and whether all that were wanted are known. A move of a won
    /// position that does not win is drawn or lost; which of the two is found out only for `every_move`.
    fn outcomes(
        &mut self,
        position: &Position,
        moves: &[Move],
        outcome: Outcome,
        every_move: bool,
    ) -> (Vec<Option<Outcome>>, bool) {
        let lanes = Lanes::new::<R>(position);
        let us = lanes.mover();
        let all_known: Enough = |answers| !answers.contains(&None);
        let after = |attacker: usize| move |&mv: &Move| Question { position: lanes.after::<R>(mv), attacker };
        let attacker = match outcome {
            Outcome::Win => us,
            Outcome::Draw => 1 - us,
            Outcome::Loss => return (vec![Some(Outcome::Loss); moves.len()], true),
        };
        let questions: Vec<_> = moves.iter().map(after(attacker)).collect();
        let answers = self.ask(&questions, all_known);
        let complete = all_known(&answers);
        let of_answer = |attacker_wins: bool| match (outcome, attacker_wins) {
            (Outcome::Win, true) => Some(Outcome::Win),
            (Outcome::Win, false) => None,
            (_, true) => Some(Outcome::Loss),
            (_, false) => Some(Outcome::Draw),
        };
        let mut outcomes: Vec<_> = answers.into_iter().map(|answer| answer.and_then(of_answer)).collect();
        if !(every_move && complete) {
            return (outcomes, complete);
        }
        let open: Vec<usize> = (0..moves.len()).filter(|&number| outcomes[number].is_none()).collect();
        let questions: Vec<_> = open.iter().map(|&number| after(1 - us)(&moves[number])).collect();
        let answers = self.ask(&questions, all_known);
        for (&number, answer) in open.iter().zip(&answers) {
            outcomes[number] = answer.map(|lost| if lost { Outcome::Loss } else { Outcome::Draw });
        }
        (outcomes, all_known(&answers))
    }

    fn value_of_move(&self, position: &Position, mv: Move, outcome: Option<Outcome>) -> Value {
        let Some(outcome) = outcome else { return Value::UNKNOWN };
        let by_masks = outcome_by_masks::<R>(&Lanes::new::<R>(position).after::<R>(mv));
        debug_assert!(by_masks.is_none_or(|theirs| theirs.reversed() == outcome), "the masks agree with the table");
        if by_masks.is_some() { Value::proved(outcome) } else { Value::certain(outcome, self.table.certainty()) }
    }

    /// Answers questions until they are enough or the control stops: one thread in their order, several side by side.
    fn ask(&mut self, questions: &[Question], enough: Enough) -> Answers {
        let mut answers: Answers = vec![None; questions.len()];
        while !enough(&answers)
            && let Some(first) = answers.iter().position(Option::is_none)
        {
            let question = &questions[first];
            self.table.make_room(SHORT_PROOF);
            let short = self.control.part().node_limit(SHORT_PROOF);
            answers[first] = prove_alone::<R>(self.isa, self.table.share(), &self.busy, question, &short);
            self.table.count(short.nodes());
            if answers[first].is_some() {
                continue;
            }
            if self.control.stop().is_some() {
                break;
            }
            if self.control.thread_count() > 1 && cfg!(feature = "threads") {
                let queue = WorkQueue::new(questions, answers, enough);
                self.in_parts(|search, part| {
                    search.share_out(&queue, part);
                    queue.is_done()
                });
                answers = queue.into_answers();
            } else {
                self.in_parts(|search, part| {
                    answers[first] = prove_alone::<R>(search.isa, search.table.share(), &search.busy, question, part);
                    answers[first].is_some()
                });
            }
            if self.control.stop().is_some() {
                break;
            }
        }
        answers
    }

    /// Runs a step until it is done or the control stops it. In between the table grows and the state is saved, when that
    /// is due.
    fn in_parts(&mut self, mut step: impl FnMut(&mut Self, &Control<'_>) -> bool) {
        loop {
            self.table.make_room(SHORT_PROOF);
            let room = self.table.room();
            let mut part = self.control.part().node_limit(room.unwrap_or(u64::MAX));
            if let Some(left) = self.until_save() {
                part = part.time_limit(left);
            }
            let done = step(self, &part);
            self.table.count(part.nodes());
            if done || self.control.stop().is_some() || part.stop().is_none() {
                return;
            }
            if self.until_save() == Some(Duration::ZERO) {
                self.save();
            }
        }
    }

    /// The time until the state is saved next; `None` if it is not saved.
    fn until_save(&self) -> Option<Duration> {
        let autosave = self.autosave?;
        Some((self.saved + autosave.interval).saturating_sub(self.control.elapsed()))
    }

    /// Saves the state. The threads have stopped, so no entry is half written; the search goes on from the table.
    fn save(&mut self) {
        #[cfg(feature = "files")]
        if let Some(autosave) = self.autosave {
            // It is tried again after the next interval.
            let _ = super::state::write(&autosave.path, R::NAME, self.table);
        }
        self.saved = self.control.elapsed();
    }

    /// Works on the queue with all threads, this one included.
    fn share_out(&mut self, queue: &WorkQueue<'_>, part: &Control<'_>) {
        let (isa, busy, table) = (self.isa, &self.busy, self.table.share());
        let work = || {
            queue.work(|question, notice| {
                let Question { position, attacker } = question;
                Prover::<R, true>::new(table, part.meter(), notice, busy, *attacker).prove(isa, position)
            });
        };
        #[cfg(feature = "threads")]
        std::thread::scope(|scope| {
            for _ in 1..part.thread_count() {
                // Without another thread the work takes longer and gives the same answer.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        #[cfg(not(feature = "threads"))]
        work();
    }
}

/// Proves on this thread alone; `None` if the control stopped it.
fn prove_alone<R: Rule>(
    isa: Isa,
    table: Shared<'_>,
    busy: &Busy,
    question: &Question,
    control: &Control<'_>,
) -> Option<bool> {
    let alone = Notice::default();
    Prover::<R, false>::new(table, control.meter(), &alone, busy, question.attacker).prove(isa, &question.position)
}

/// The mover's attack, then the other side's.
fn both_attacks(position: &Lanes) -> [usize; 2] {
    [position.mover(), 1 - position.mover()]
}

/// The outcome that the answers to both attacks settle: one side wins, or neither does.
fn settled(answers: &[Option<bool>]) -> Option<Outcome> {
    match answers {
        [Some(true), _] => Some(Outcome::Win),
        [_, Some(true)] => Some(Outcome::Loss),
        [Some(false), Some(false)] => Some(Outcome::Draw),
        _ => None,
    }
}

fn outcome_by_masks<R: Rule>(position: &Lanes) -> Option<Outcome> {
    settled(&both_attacks(position).map(|attacker| by_masks::<R>(position, attacker)))
}
