//! The thread that searches, so that the one that listens never waits for a search.

use super::Event;
use engine::desk::{Analysis, Desk, Fault, GameName, Request};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::time::{Duration, Instant};

/// What the thread is asked to do, in order.
pub(super) enum Job {
    /// Set an option of the desk; it was accepted by another desk before.
    Set(&'static str, String),
    /// Do what would make the first answer slow, then say so.
    Prepare(Sender<()>),
    /// Look for a move.
    Search(Search),
    /// Count sequences of moves.
    Count {
        /// Which question this is.
        number: u64,
        position: String,
        depth: u32,
        cancel: Arc<AtomicBool>,
    },
}

/// A question for a move.
pub(super) struct Search {
    /// Which question this is.
    pub(super) number: u64,
    pub(super) position: String,
    pub(super) request: Request,
}

/// How often the progress of a search is told, unless it has come a move deeper.
const TICK: Duration = Duration::from_millis(100);

/// Takes a desk to a thread of its own.
pub(super) fn start(desk: Box<dyn Desk>, events: SyncSender<Event>) -> Sender<Job> {
    let (sender, jobs) = channel();
    std::thread::spawn(move || {
        // Told however the thread ends, so that nobody waits for an answer that will not come.
        let _end = End(events.clone());
        work(desk, &jobs, &events);
    });
    sender
}

struct End(SyncSender<Event>);

impl Drop for End {
    fn drop(&mut self) {
        let _ = self.0.send(Event::WorkerGone);
    }
}

fn work(mut desk: Box<dyn Desk>, jobs: &Receiver<Job>, events: &SyncSender<Event>) {
    for job in jobs {
        let told = match job {
            Job::Set(name, value) => {
                // The listening desk took the same value.
                let _ = desk.set(name, &value);
                Ok(())
            }
            Job::Prepare(done) => {
                desk.prepare();
                // Whoever asked may have gone.
                let _ = done.send(());
                Ok(())
            }
            Job::Search(search) => {
                let number = search.number;
                let result = find(desk.as_mut(), search, events);
                events.send(Event::Found { number, result })
            }
            Job::Count { number, position, depth, cancel } => {
                let mut tell = |mv: &str, leaves: u64| {
                    let mv = mv.to_owned();
                    let _ = events.send(Event::Counted { number, mv, leaves });
                };
                let result = divide(desk.as_ref(), &position, depth, &cancel, &mut tell);
                events.send(Event::CountEnded { number, result })
            }
        };
        if told.is_err() {
            return;
        }
    }
}

fn find(
    desk: &mut dyn Desk,
    search: Search,
    events: &SyncSender<Event>,
) -> Result<(Option<String>, Option<Analysis>), Fault> {
    let Search { number, position, request } = search;
    // A weaker player does not say what the strongest one sees.
    if request.level < Request::STRONGEST {
        return desk.choose(&position, &request).map(|best| (best, None));
    }
    let mut last = (Instant::now(), 0);
    let mut progress = |analysis: &Analysis| {
        if last.0.elapsed() >= TICK || analysis.depth > last.1 {
            last = (Instant::now(), analysis.depth);
            let _ = events.send(Event::Progress { number, analysis: analysis.clone() });
        }
    };
    let analysis = desk.analyse(&position, &request, &mut progress)?;
    Ok((analysis.best.clone(), Some(analysis)))
}

/// The leaves below each move of a position, told one by one, and their sum; nothing if it was cancelled.
fn divide(
    desk: &dyn Desk,
    position: &str,
    depth: u32,
    cancel: &AtomicBool,
    tell: &mut dyn FnMut(&str, u64),
) -> Result<Option<u64>, Fault> {
    let Some(below) = depth.checked_sub(1) else { return Ok(Some(1)) };
    let mut sum = 0_u64;
    for mv in desk.look(position)?.moves {
        let next = desk.play(position, &mv.mv)?.position;
        let Some(leaves) = count(desk, &next, below, cancel)? else { return Ok(None) };
        tell(&mv.mv, leaves);
        sum += leaves;
    }
    Ok(Some(sum))
}

/// The desk counts without looking up, so it only gets what takes a few milliseconds.
fn count(desk: &dyn Desk, position: &str, depth: u32, cancel: &AtomicBool) -> Result<Option<u64>, Fault> {
    if cancel.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let at_once = if desk.game() == GameName::Uttt { 6 } else { 3 };
    if depth <= at_once {
        return desk.perft(position, depth).map(Some);
    }
    divide(desk, position, depth, cancel, &mut |_, _| {})
}
