//! The engine on its own thread. It gets questions as messages and stops by a flag, so the screen never waits for it.

use super::Strength;
use crate::failure::Failure;
use api::{Analysis, Control, Progress, STRONGEST};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

/// A task for the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Task {
    /// Choose a move at the set level.
    Move,
    /// Find the best move at full strength.
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

/// An answer of the engine.
pub(super) struct Answer {
    /// The number of its question.
    pub(super) number: u64,
    pub(super) task: Task,
    /// The chosen move.
    pub(super) mv: Option<String>,
    /// The analysis of the position.
    pub(super) analysis: Option<Analysis>,
    /// Why there is no answer.
    pub(super) fault: Option<String>,
    /// Whether this is the final answer.
    pub(super) is_last: bool,
}

/// The connection to the engine's thread.
pub(super) struct Thinker {
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
    stop: Arc<AtomicBool>,
    /// The number of the current question; answers to earlier ones are dropped.
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
                // Only the latest question matters.
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

    /// Asks a question and drops the previous one.
    pub(super) fn ask(&mut self, task: Task, position: &str, strength: &Strength) {
        self.drop_question();
        let (position, strength, stop) = (position.to_owned(), strength.clone(), self.stop.clone());
        let job = Job { number: self.number, task, position, strength, stop };
        // If the thread has ended, `poll` reports it.
        let _ = self.jobs.send(job);
        self.is_busy = true;
    }

    /// Cancels the current question.
    pub(super) fn drop_question(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.stop = Arc::default();
        self.number += 1;
        self.is_busy = false;
    }

    /// Whether a question is unanswered.
    pub(super) fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// The next answer to the current question, if it has arrived.
    pub(super) fn poll(&mut self) -> Result<Option<Answer>, Failure> {
        loop {
            match self.answers.try_recv() {
                Ok(answer) if answer.number != self.number => {}
                Ok(answer) => return Ok(Some(self.received(answer))),
                Err(TryRecvError::Empty) => return Ok(None),
                Err(TryRecvError::Disconnected) => return Err(thread_failed()),
            }
        }
    }

    /// The same, but waits; for tests.
    #[cfg(test)]
    pub(super) fn wait(&mut self, time: std::time::Duration) -> Result<Option<Answer>, Failure> {
        use std::sync::mpsc::RecvTimeoutError;
        loop {
            match self.answers.recv_timeout(time) {
                Ok(answer) if answer.number != self.number => {}
                Ok(answer) => return Ok(Some(self.received(answer))),
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(thread_failed()),
            }
        }
    }

    fn received(&mut self, answer: Answer) -> Answer {
        self.is_busy &= !answer.is_last;
        answer
    }
}

fn thread_failed() -> Failure {
    Failure::Run("the engine has failed".to_owned())
}

/// Carries out one task and sends partial answers on the way.
fn answer(session: &mut dyn api::Session, job: &Job, outbox: &Sender<Answer>) -> Answer {
    let Job { number, task, position, strength, stop } = job;
    let reply = |analysis, is_last| Answer { number: *number, task: *task, mv: None, analysis, fault: None, is_last };
    let progress = |progress: &Progress<'_>| {
        if let (Task::Evaluate, Some(so_far)) = (task, progress.partial::<Analysis>()) {
            // Fails only if nobody listens any more; sending the final answer detects that.
            let _ = outbox.send(reply(Some(so_far.clone()), false));
        }
    };
    let control = strength.limits.apply(Control::new().cancel(stop.clone()).progress(&progress));
    if *task == Task::Move
        && let Some(mv) = strength.book_move(session, position)
    {
        return Answer { mv: Some(mv), ..reply(None, true) };
    }
    let found = if *task == Task::Move && strength.level < STRONGEST {
        // A weaker player shows no analysis, because its analysis would be that of the full engine.
        session.choose(&strength.choose(position), &control).map(|answer| Answer { mv: answer.mv, ..reply(None, true) })
    } else {
        // A hint needs every move, to tell whether several are equal.
        let lines = if *task == Task::Move { Some(3) } else { None };
        let found = session.analyse(&strength.analyse(position, lines), &control);
        found.map(|found| Answer { mv: found.best.clone(), ..reply(Some(found), true) })
    };
    found.unwrap_or_else(|fault| Answer { fault: Some(fault.message), ..reply(None, true) })
}
