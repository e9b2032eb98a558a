//! Ctrl-C: the first one asks the search to stop, so that what it has found is told; the second ends the program.

use crate::failure::Failure;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// The exit code of a program that was interrupted.
pub(crate) const EXIT_CODE: u8 = 130;

/// The flag that the first interrupt raises. Whoever asks for it must look at it and end soon.
pub(crate) fn flag() -> Arc<AtomicBool> {
    FLAG.clone()
}

/// Ends the command if there was an interrupt; to be called once what is known has been told.
pub(crate) fn check() -> Result<(), Failure> {
    if FLAG.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}

static FLAG: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
    let raised = Arc::new(AtomicBool::new(false));
    let flag = raised.clone();
    std::thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                flag.store(true, Ordering::Relaxed);
            }
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(EXIT_CODE.into());
            }
        });
    });
    raised
});
