//! Questions for the prover that are asked together, and how threads share them out.
//!
//! A thread takes the open question with the fewest threads at it. As long as there are as many questions as threads, each
//! thread has a proof of its own that costs no more than it would alone; who is done helps with another.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
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

/// What threads see of a question while they are at it. It changes seldom, so to look costs nothing.
#[derive(Default)]
pub(super) struct Notice {
    /// Raised when nobody needs the answer any more.
    pub(super) closed: AtomicBool,
    /// How many are at it.
    pub(super) threads: AtomicUsize,
}

/// Questions under search.
pub(super) struct Questions<'a> {
    asked: &'a [Question],
    enough: Enough,
    notices: Vec<Notice>,
    answers: Mutex<Answers>,
}

impl<'a> Questions<'a> {
    pub(super) fn new(asked: &'a [Question], answers: Answers, enough: Enough) -> Self {
        let notice = |answer: &Option<bool>| Notice { closed: answer.is_some().into(), ..Notice::default() };
        let notices = answers.iter().map(notice).collect();
        Self { asked, enough, notices, answers: Mutex::new(answers) }
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn are_done(&self) -> bool {
        (self.enough)(&self.answers())
    }

    pub(super) fn into_answers(self) -> Answers {
        self.answers.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers questions until they are enough or the prover, which gets the question and its notice, gives up one that is
    /// still open.
    pub(super) fn work(&self, mut prove: impl FnMut(&Question, &Notice) -> Option<bool>) {
        while let Some(number) = self.take() {
            let notice = &self.notices[number];
            let answer = prove(&self.asked[number], notice);
            let gave_up = answer.is_none() && !notice.closed.load(Relaxed);
            self.give(number, answer);
            if gave_up {
                return;
            }
        }
    }

    fn take(&self) -> Option<usize> {
        let answers = self.answers();
        if (self.enough)(&answers) {
            return None;
        }
        let open = (0..self.asked.len()).filter(|&number| answers[number].is_none());
        let number = open.min_by_key(|&number| self.notices[number].threads.load(Relaxed))?;
        self.notices[number].threads.fetch_add(1, Relaxed);
        Some(number)
    }

    fn give(&self, number: usize, answer: Option<bool>) {
        let mut answers = self.answers();
        self.notices[number].threads.fetch_sub(1, Relaxed);
        if answer.is_some() {
            answers[number] = answer;
            self.notices[number].closed.store(true, Relaxed);
        }
        if (self.enough)(&answers) {
            self.notices.iter().for_each(|notice| notice.closed.store(true, Relaxed));
        }
    }
}
