//! Many items on several threads, with results in the order of the items.

use super::solve::Solver;
use crate::error::Error;
use ::search::Control;
use grid::simd::Isa;
#[cfg(feature = "threads")]
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Works on many items with [`Control::thread_count`] threads and gives the results to `each` in the order of the items.
/// Each thread has a solver of its own and takes the next item when it is done, because deals differ tenfold in cost. With
/// one thread nothing is spawned.
///
/// It ends early when `each` returns false.
///
/// # Errors
/// The first error of an item, or the reason why the control stopped the call. The results of all items before it have
/// been given to `each`.
pub fn solve_each<T: Sync, R: Send>(
    isa: Isa,
    items: &[T],
    control: &Control<'_>,
    work: impl Fn(&mut Solver, &T) -> Result<R, Error> + Sync,
    each: impl FnMut(R) -> bool,
) -> Result<(), Error> {
    in_order(items, control, || Solver::new(isa), work, each)
}

/// The same with any state per thread.
pub(super) fn in_order<T: Sync, S, R: Send>(
    items: &[T],
    control: &Control<'_>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> Result<R, Error> + Sync,
    mut each: impl FnMut(R) -> bool,
) -> Result<(), Error> {
    #[cfg(feature = "threads")]
    if control.thread_count().min(items.len()) > 1 {
        return on_threads(items, control, &state, &work, each);
    }
    let mut state = state();
    for item in items {
        control.check()?;
        if !each(work(&mut state, item)?) {
            break;
        }
    }
    Ok(())
}

#[cfg(feature = "threads")]
fn on_threads<T: Sync, S, R: Send>(
    items: &[T],
    control: &Control<'_>,
    state: &(impl Fn() -> S + Sync),
    work: &(impl Fn(&mut S, &T) -> Result<R, Error> + Sync),
    mut each: impl FnMut(R) -> bool,
) -> Result<(), Error> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (sender, results) = std::sync::mpsc::channel();
        let mut started = 0;
        for _ in 0..control.thread_count().min(items.len()) {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            let worker = move || {
                let mut state = state();
                while !is_over.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = control.check().map_err(Error::from).and_then(|()| work(&mut state, item));
                    let failed = result.is_err();
                    // The receiver is gone once the call is over.
                    let _ = sender.send((at, result));
                    if failed {
                        break;
                    }
                }
            };
            if let Ok(_thread) = std::thread::Builder::new().spawn_scoped(scope, worker.clone()) {
                started += 1;
            } else if started == 0 {
                worker();
                break;
            }
        }
        drop(sender);
        // Results that came before those of earlier items.
        let (mut early, mut given) = (std::collections::BTreeMap::new(), 0);
        for (at, result) in results {
            early.insert(at, result);
            while let Some(result) = early.remove(&given) {
                given += 1;
                let ended = result.map(|result| !each(result));
                if !matches!(ended, Ok(false)) {
                    is_over.store(true, Ordering::Relaxed);
                    return ended.map(|_| ());
                }
            }
        }
        Ok(())
    })
}

/// The results of all items.
pub(super) fn collect<T: Sync, R: Send>(
    isa: Isa,
    items: &[T],
    control: &Control<'_>,
    work: impl Fn(&mut Solver, &T) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let mut results = Vec::with_capacity(items.len());
    solve_each(isa, items, control, work, |result| {
        results.push(result);
        true
    })?;
    Ok(results)
}
