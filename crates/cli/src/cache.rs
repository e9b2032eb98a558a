//! The folder of this program in the user's cache.

use std::path::PathBuf;

/// What to do where there is none.
pub(crate) const MISSING: &str = "no cache folder: set HOME or XDG_CACHE_HOME to an absolute path";

/// The folder. As the XDG specification says, a variable that is empty or relative counts as not set.
pub(crate) fn folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?;
    Some(cache.join("ninefold"))
}

/// Where exact advice before the first card is kept.
pub(crate) fn advice() -> Option<PathBuf> {
    Some(folder()?.join("advice"))
}
