//! The work queue: questions for the prover that are asked together, and how threads share them.
//!
//! A thread takes the open question with the fewest threads at it. As long as there are as many questions as threads, each
//! thread has its own proof, which costs no more than it would alone; a thread that is done helps with another question.

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

/// True once the known answers settle the question; the rest can be dropped.
pub(super) type Enough = fn(&[Option<bool>]) -> bool;

/// What threads see of a question while they work on it. It changes seldom, so reading it costs nothing.
#[derive(Default)]
pub(super) struct Notice {
    /// Raised when nobody needs the answer any more.
    pub(super) closed: AtomicBool,
    /// How many threads work on it.
    pub(super) threads: AtomicUsize,
}

/// Questions under search.
pub(super) struct WorkQueue<'a> {
    questions: &'a [Question],
    enough: Enough,
    notices: Vec<Notice>,
    answers: Mutex<Answers>,
}

impl<'a> WorkQueue<'a> {
    pub(super) fn new(questions: &'a [Question], answers: Answers, enough: Enough) -> Self {
        let notice = |answer: &Option<bool>| Notice { closed: answer.is_some().into(), ..Notice::default() };
        let notices = answers.iter().map(notice).collect();
        Self { questions, enough, notices, answers: Mutex::new(answers) }
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_done(&self) -> bool {
        (self.enough)(&self.answers())
    }

    pub(super) fn into_answers(self) -> Answers {
        self.answers.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers questions until they are enough, or until the prover gives up one that is still open. The prover gets the
    /// question and its notice.
    pub(super) fn work(&self, mut prove: impl FnMut(&Question, &Notice) -> Option<bool>) {
        while let Some(number) = self.take() {
            let notice = &self.notices[number];
            let answer = prove(&self.questions[number], notice);
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
        let open = (0..self.questions.len()).filter(|&number| answers[number].is_none());
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
