//! Ctrl-C: the first stops the search, which then prints what it has found; the second ends the program.

use crate::failure::Failure;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// The exit code after an interrupt.
pub(crate) const EXIT_CODE: u8 = 130;

/// The flag that the first Ctrl-C raises. A caller must check it and end soon, because Ctrl-C no longer ends the
/// program.
pub(crate) fn flag() -> Arc<AtomicBool> {
    FLAG.clone()
}

/// Fails if there was an interrupt. Call it after the results are printed.
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
