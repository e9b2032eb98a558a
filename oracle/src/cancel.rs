//! How soon a call ends after its cancel flag is raised, by processor time: what other programs do does not count. Linux
//! only, where `/proc` tells the processor time of another thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// What a call may still spend after its flag is raised. We aim at 100 ms of a quiet machine; here the code has its debug
/// assertions, other tests run beside it, and a shared core may be much slower than its clock says.
const PATIENCE: Duration = Duration::from_millis(300);

fn processor_time(thread: &Path) -> Duration {
    let text = std::fs::read_to_string(thread.join("schedstat")).expect("a count of processor time");
    Duration::from_nanos(text.split(' ').next().and_then(|word| word.parse().ok()).expect("nanoseconds"))
}

/// Makes a call, raises its flag from a second thread after `delay`, and checks that the call goes on for less than 300 ms
/// of its thread's processor time. A call that may take less than the delay must repeat itself until the flag is raised.
///
/// # Panics
/// If the call ends before the flag is raised, or too late.
pub fn cancelled<T>(name: &str, delay: Duration, call: impl FnOnce(Arc<AtomicBool>) -> T) -> T {
    let process = PathBuf::from(format!("/proc/{}", std::process::id()));
    let this = std::fs::read_link("/proc/thread-self").expect("Linux");
    let thread = process.join("task").join(this.file_name().expect("a number"));
    let flag = Arc::new(AtomicBool::new(false));
    let (result, raised) = std::thread::scope(|scope| {
        let raiser = scope.spawn(|| {
            std::thread::sleep(delay);
            flag.store(true, Relaxed);
            // Read after the flag is raised: a busy machine may stop this thread at any point.
            processor_time(&thread)
        });
        let result = call(flag.clone());
        assert!(flag.load(Relaxed), "{name}: the call ended by itself");
        (result, raiser.join().expect("a thread that only sleeps"))
    });
    let spent = processor_time(&thread).saturating_sub(raised);
    assert!(spent < PATIENCE, "{name}: {spent:?} after the flag was raised");
    result
}
