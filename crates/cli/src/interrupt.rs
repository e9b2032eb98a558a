//! Signals: the one place where INT, TERM and HUP become "stop, save, print the best so far".
//!
//! The first signal raises a flag that every long call reads. The command then saves and prints what it has, and ends with
//! 128 plus the number of the signal: 130, 143 or 129. The second signal ends the program at once. While the program only
//! waits for a line of input, the first one does.
//!
//! A HUP that is ignored at the start stays ignored, as `nohup` wants it.

use crate::failure::Failure;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Ctrl-C.
const INTERRUPT: i32 = 2;

/// The flag that the first signal raises. From now on the caller must check it and end soon, because a signal no longer
/// ends the program.
pub(crate) fn flag() -> Arc<AtomicBool> {
    FLAG.clone()
}

/// Fails if there was a signal. Call it after the results are printed.
pub(crate) fn check() -> Result<(), Failure> {
    match CAUGHT.load(Ordering::SeqCst) {
        0 => Ok(()),
        signal => Err(Failure::Interrupted { signal }),
    }
}

/// The failure of a command that the user interrupted by a key.
pub(crate) fn by_key() -> Failure {
    Failure::Interrupted { signal: INTERRUPT }
}

/// The exit code after a signal.
pub(crate) fn exit_code(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(1)
}

/// Calls `action` at the first signal, on another thread; at once if there was one.
pub(crate) fn on_first(action: impl FnOnce() + Send + 'static) {
    let _ = flag();
    let mut actions = lock();
    if check().is_err() {
        action();
    } else {
        actions.push(Box::new(action));
    }
}

/// Waits for a line of input, by `read`. A signal meanwhile ends the program: nothing is lost, since all results so far are
/// printed.
pub(crate) fn while_waiting<T>(read: impl FnOnce() -> T) -> Result<T, Failure> {
    // The flag is checked after this is set, and the signal's thread does the opposite, so one of them sees the other.
    WAITING.store(true, Ordering::SeqCst);
    let result = check().map(|()| read());
    WAITING.store(false, Ordering::SeqCst);
    result
}

/// Ends the program because of the signal that was received.
fn end_now() -> ! {
    std::process::exit(exit_code(CAUGHT.load(Ordering::SeqCst)).into());
}

/// The first signal; 0 if there was none.
static CAUGHT: AtomicI32 = AtomicI32::new(0);
static WAITING: AtomicBool = AtomicBool::new(false);
static ACTIONS: Mutex<Vec<Box<dyn FnOnce() + Send>>> = Mutex::new(Vec::new());

fn lock() -> std::sync::MutexGuard<'static, Vec<Box<dyn FnOnce() + Send>>> {
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

static FLAG: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
    let flag = Arc::new(AtomicBool::new(false));
    watch(flag.clone());
    flag
});

fn received(signal: i32, flag: &AtomicBool) {
    if CAUGHT.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_err() {
        end_now();
    }
    flag.store(true, Ordering::Relaxed);
    let actions = std::mem::take(&mut *lock());
    let nobody_acts = actions.is_empty();
    actions.into_iter().for_each(|action| action());
    if nobody_acts && WAITING.load(Ordering::SeqCst) {
        end_now();
    }
}

/// Starts the thread that receives signals. If that fails, a signal ends the program in the ordinary way.
#[cfg(unix)]
fn watch(flag: Arc<AtomicBool>) {
    use tokio::signal::unix::{Signal, SignalKind, signal};
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    // The handlers are in place when this function returns, so that no signal is missed.
    let guard = runtime.enter();
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let kinds = kinds.into_iter().filter(|kind| *kind != SignalKind::hangup() || !hangup_is_ignored());
    let signals: Vec<(i32, Signal)> =
        kinds.filter_map(|kind| Some((kind.as_raw_value(), signal(kind).ok()?))).collect();
    drop(guard);
    let watch = move || {
        runtime.block_on(async {
            let mut tasks = tokio::task::JoinSet::new();
            for (number, mut signal) in signals {
                let flag = flag.clone();
                tasks.spawn(async move {
                    while signal.recv().await.is_some() {
                        received(number, &flag);
                    }
                });
            }
            while tasks.join_next().await.is_some() {}
        });
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(watch);
}

/// Whether the program was started with HUP ignored. Where the system does not say, HUP is left alone.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // Bit 0 is signal 1.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & 1 == 1)
}

#[cfg(not(unix))]
fn watch(flag: Arc<AtomicBool>) {
    let _ = std::thread::Builder::new().spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        while runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            received(INTERRUPT, &flag);
        }
    });
}
