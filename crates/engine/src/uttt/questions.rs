//! Questions for the prover that are asked together, and how threads share them out.
//!
//! A thread takes the open question with the fewest threads at it. As long as there are as many questions as threads, each
//! thread has a proof of its own that costs no more than it would alone; who is done helps with another.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use uttt::kernel::Lanes;

/// Does the attacker win?
pub(super) struct Question {
    pub(super) position: Lanes,
    pub(super) attacker: usize,
}

/// What is known of each question.
pub(super) type Answers = Vec<Option<bool>>;

/// Says that the answers known do, so that those missing are not needed.
pub(super) type Enough = fn(&[Option<bool>]) -> bool;

/// Questions under search.
pub(super) struct Questions<'a> {
    asked: &'a [Question],
    enough: Enough,
    /// Raised when nobody needs the answer any more.
    closed: Vec<AtomicBool>,
    state: Mutex<State>,
}

struct State {
    answers: Answers,
    threads: Vec<usize>,
}

impl<'a> Questions<'a> {
    pub(super) fn new(asked: &'a [Question], answers: Answers, enough: Enough) -> Self {
        let closed = answers.iter().map(|answer| AtomicBool::new(answer.is_some())).collect();
        let threads = vec![0; asked.len()];
        Self { asked, enough, closed, state: Mutex::new(State { answers, threads }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn are_done(&self) -> bool {
        (self.enough)(&self.state().answers)
    }

    pub(super) fn into_answers(self) -> Answers {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).answers
    }

    /// Answers questions until they are enough or the prover, which gets the question and the flag that closes it, gives
    /// up one that is still open.
    pub(super) fn work(&self, mut prove: impl FnMut(&Question, &AtomicBool) -> Option<bool>) {
        while let Some(number) = self.take() {
            let answer = prove(&self.asked[number], &self.closed[number]);
            let gave_up = answer.is_none() && !self.closed[number].load(Relaxed);
            self.give(number, answer);
            if gave_up {
                return;
            }
        }
    }

    fn take(&self) -> Option<usize> {
        let state = &mut *self.state();
        if (self.enough)(&state.answers) {
            return None;
        }
        let open = (0..self.asked.len()).filter(|&number| state.answers[number].is_none());
        let number = open.min_by_key(|&number| state.threads[number])?;
        state.threads[number] += 1;
        Some(number)
    }

    fn give(&self, number: usize, answer: Option<bool>) {
        let state = &mut *self.state();
        state.threads[number] -= 1;
        if answer.is_some() {
            state.answers[number] = answer;
            self.closed[number].store(true, Relaxed);
        }
        if (self.enough)(&state.answers) {
            self.closed.iter().for_each(|closed| closed.store(true, Relaxed));
        }
    }
}
