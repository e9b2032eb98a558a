//! The thread that searches, so that the main loop never waits for a search.

use super::Event;
use api::{
    AnalyseQuestion, Analysis, ChooseQuestion, Control, Fault, FaultKind, Limits, Options, PerftAnswer, PerftQuestion,
    PositionQuestion, Progress, STRONGEST, Session, SolveQuestion,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};

/// A job for the thread. Jobs run in order.
pub(super) enum Job {
    /// Set the options of the game. The session of the main loop has accepted them.
    Set(Options),
    /// Clear the memory of the last game.
    Forget,
    /// Do the work that would make the first answer slow, then signal.
    Prepare(Limits, Sender<()>),
    /// Search for a move.
    Search(Search),
    /// Count sequences of moves.
    Count {
        /// The number of the question.
        number: u64,
        position: String,
        depth: u32,
        cancel: Arc<AtomicBool>,
    },
}

/// A search job.
pub(super) struct Search {
    /// The number of the question.
    pub(super) number: u64,
    pub(super) position: String,
    pub(super) limits: Limits,
    pub(super) level: u32,
    pub(super) seed: u64,
    pub(super) lines: usize,
    /// The moves to choose from; empty for all legal moves.
    pub(super) listed: Vec<String>,
    /// Whether to prove the value.
    pub(super) solve: bool,
    /// Whether the opening book may answer.
    pub(super) book: bool,
    pub(super) cancel: Arc<AtomicBool>,
}

/// Starts the thread with its own session. `open` creates a session.
pub(super) fn start(
    open: impl Fn() -> Box<dyn Session> + Send + 'static,
    events: SyncSender<Event>,
) -> std::io::Result<Sender<Job>> {
    let (sender, jobs) = channel();
    let serve = move || {
        // Sent however the thread ends, so that the loop never waits in vain.
        let _end = End(events.clone());
        work(&open, &jobs, &events);
    };
    std::thread::Builder::new().name("engine".to_owned()).spawn(serve)?;
    Ok(sender)
}

struct End(SyncSender<Event>);

impl Drop for End {
    fn drop(&mut self) {
        let _ = self.0.send(Event::WorkerGone);
    }
}

fn work(open: &dyn Fn() -> Box<dyn Session>, jobs: &Receiver<Job>, events: &SyncSender<Event>) {
    let mut session = open();
    for job in jobs {
        let sent = match job {
            Job::Set(options) => {
                // Cannot fail: the session of the main loop accepted the same options.
                let _ = session.set_base(&options);
                Ok(())
            }
            Job::Forget => {
                let base = session.base().clone();
                session = open();
                let _ = session.set_base(&base);
                Ok(())
            }
            Job::Prepare(limits, done) => {
                session.prepare(&limits.apply(Control::new()));
                // Fails only if the main loop has ended.
                let _ = done.send(());
                Ok(())
            }
            Job::Search(search) => {
                let number = search.number;
                let result = find(session.as_mut(), search, events);
                events.send(Event::Found { number, result })
            }
            Job::Count { number, position, depth, cancel } => {
                let mut question = PerftQuestion::at(position);
                question.depth = depth;
                let result = match session.perft(&question, &Control::new().cancel(cancel)) {
                    Ok(PerftAnswer { leaves, moves, .. }) => Ok(Some((leaves, moves))),
                    Err(fault) if fault.kind == FaultKind::Stopped => Ok(None),
                    Err(fault) => Err(fault),
                };
                events.send(Event::Counted { number, result })
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

fn find(
    session: &mut dyn Session,
    search: Search,
    events: &SyncSender<Event>,
) -> Result<(Option<String>, Option<Box<Analysis>>), Fault> {
    let Search { number, position, limits, level, seed, lines, listed, solve, book, cancel } = search;
    let progress = |progress: &Progress<'_>| {
        if let Some(analysis) = progress.partial::<Analysis>() {
            let analysis = Box::new(restricted(analysis.clone(), &listed));
            let _ = events.send(Event::Progress { number, analysis });
        }
    };
    let control = limits.apply(Control::new().cancel(cancel).progress(&progress));
    if book
        && level == STRONGEST
        && let Some(mv) = session.book_move(&PositionQuestion::at(position.as_str()))?
    {
        return Ok((Some(mv), None));
    }
    // A weaker player sends no analysis, because it would be that of the full engine.
    if level < STRONGEST {
        let mut question = ChooseQuestion::at(position.clone());
        (question.level, question.seed, question.limits) = (level, seed, limits.clone());
        let mv = session.choose(&question, &control)?.mv;
        if listed.is_empty() || mv.as_ref().is_some_and(|mv| listed.contains(mv)) {
            return Ok((mv, None));
        }
    }
    // The values of all moves, to find the best of those that are listed.
    let every_move = !listed.is_empty();
    let analysis = if solve {
        let mut question = SolveQuestion::at(position);
        (question.limits, question.all_moves) = (limits, every_move || lines > 1);
        session.solve(&question, &control)?
    } else {
        let mut question = AnalyseQuestion::at(position);
        (question.limits, question.lines) = (limits, (!every_move).then_some(lines));
        session.analyse(&question, &control)?
    };
    let analysis = restricted(analysis, &listed);
    let shown = (level == STRONGEST).then(|| Box::new(analysis.clone()));
    Ok((analysis.best, shown))
}

/// An analysis with the listed moves alone, if there are any.
fn restricted(mut analysis: Analysis, listed: &[String]) -> Analysis {
    if !listed.is_empty() {
        analysis.lines.retain(|line| listed.contains(&line.mv));
        analysis.best = analysis.lines.first().map(|line| line.mv.clone());
    }
    analysis
}
