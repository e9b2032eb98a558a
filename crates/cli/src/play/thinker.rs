//! The engine on a thread of its own: asked by messages, stopped by a flag, so that nobody ever waits for it.

use super::Strength;
use crate::failure::Failure;
use api::{Analysis, Control, Progress, STRONGEST};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

/// What the engine is to do with a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Task {
    /// Choose a move, at its level.
    Move,
    /// Advise one, as well as it can.
    Hint,
    /// Value every move.
    Evaluate,
}

struct Job {
    number: u64,
    task: Task,
    position: String,
    strength: Strength,
    stop: Arc<AtomicBool>,
}

/// What the engine says.
pub(super) struct Answer {
    /// Of which question.
    pub(super) number: u64,
    pub(super) task: Task,
    /// The move it made.
    pub(super) mv: Option<String>,
    /// What it thinks of the position.
    pub(super) analysis: Option<Analysis>,
    /// Why there is no answer.
    pub(super) fault: Option<String>,
    /// Whether this is its last word.
    pub(super) is_last: bool,
}

/// The way to the engine.
pub(super) struct Thinker {
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
    stop: Arc<AtomicBool>,
    /// The question that is open; answers to earlier ones no longer matter.
    number: u64,
    is_busy: bool,
}

impl Thinker {
    /// Starts the thread.
    pub(super) fn new(mut session: Box<dyn api::Session>) -> Result<Self, Failure> {
        let (jobs, inbox) = channel::<Job>();
        let (outbox, answers) = channel();
        let work = move || {
            session.prepare(&Control::new());
            while let Ok(mut job) = inbox.recv() {
                // Only the latest question counts.
                while let Ok(later) = inbox.try_recv() {
                    job = later;
                }
                let last = answer(session.as_mut(), &job, &outbox);
                if outbox.send(last).is_err() {
                    return;
                }
            }
        };
        let started = std::thread::Builder::new().name("engine".to_owned()).spawn(work);
        started.map_err(|error| Failure::Run(format!("the engine's thread: {error}")))?;
        Ok(Self { jobs, answers, stop: Arc::default(), number: 0, is_busy: false })
    }

    /// Asks; whatever was asked before is dropped.
    pub(super) fn ask(&mut self, task: Task, position: &str, strength: &Strength) {
        self.drop_question();
        let (position, strength, stop) = (position.to_owned(), strength.clone(), self.stop.clone());
        let job = Job { number: self.number, task, position, strength, stop };
        // If the engine is gone, so is the other end of the answers, which `poll` tells.
        let _ = self.jobs.send(job);
        self.is_busy = true;
    }

    /// Whatever was asked no longer matters.
    pub(super) fn drop_question(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.stop = Arc::default();
        self.number += 1;
        self.is_busy = false;
    }

    /// Whether a question is open.
    pub(super) fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// The next word about the open question, if there is one yet.
    pub(super) fn poll(&mut self) -> Result<Option<Answer>, Failure> {
        loop {
            match self.answers.try_recv() {
                Ok(answer) if answer.number != self.number => {}
                Ok(answer) => return Ok(Some(self.heard(answer))),
                Err(TryRecvError::Empty) => return Ok(None),
                Err(TryRecvError::Disconnected) => return Err(gone()),
            }
        }
    }

    /// The same, waiting for it; for tests.
    #[cfg(test)]
    pub(super) fn wait(&mut self, time: std::time::Duration) -> Result<Option<Answer>, Failure> {
        use std::sync::mpsc::RecvTimeoutError;
        loop {
            match self.answers.recv_timeout(time) {
                Ok(answer) if answer.number != self.number => {}
                Ok(answer) => return Ok(Some(self.heard(answer))),
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }

    fn heard(&mut self, answer: Answer) -> Answer {
        self.is_busy &= !answer.is_last;
        answer
    }
}

fn gone() -> Failure {
    Failure::Run("the engine has failed".to_owned())
}

/// Carries out one task; partial results are sent at once.
fn answer(session: &mut dyn api::Session, job: &Job, outbox: &Sender<Answer>) -> Answer {
    let Job { number, task, position, strength, stop } = job;
    let word = |analysis, is_last| Answer { number: *number, task: *task, mv: None, analysis, fault: None, is_last };
    let progress = |progress: &Progress<'_>| {
        if let (Task::Evaluate, Some(so_far)) = (task, progress.partial::<Analysis>()) {
            // Nobody listens any more if this fails; the last word will find out.
            let _ = outbox.send(word(Some(so_far.clone()), false));
        }
    };
    let control = strength.limits.apply(Control::new().cancel(stop.clone()).progress(&progress));
    let found = if *task == Task::Move && strength.level < STRONGEST {
        // A weak player's view of the position is no advice.
        session.choose(&strength.choose(position), &control).map(|answer| Answer { mv: answer.mv, ..word(None, true) })
    } else {
        let lines = if *task == Task::Evaluate { None } else { Some(3) };
        let found = session.analyse(&strength.analyse(position, lines), &control);
        found.map(|found| Answer { mv: found.best.clone(), ..word(Some(found), true) })
    };
    found.unwrap_or_else(|fault| Answer { fault: Some(fault.message), ..word(None, true) })
}
