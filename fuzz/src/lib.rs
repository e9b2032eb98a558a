//! **The fuzz targets.** A target turns bytes into one call of a reader, a decoder or an engine, and checks the result.
//!
//! **This room** has one function per target. `targets/` has one program per function, which cargo-fuzz builds.
//! **It may not** be needed by anything else, nor change what it tests. A finding is fixed where it was made and gets a test
//! there.
//! **Go next** to `docs/testing.md` for how to run the targets.
//!
//! | file | targets |
//! |---|---|
//! | `positions` | the text of positions and moves; the rules against the naive models |
//! | `questions` | JSON questions, deals, HTTP requests |
//! | `protocol` | lines of the engine protocol |
//! | `arena` | records and openings of matches |
//! | `files` | card files, certificates, states, tables |
//! | `engines` | path sums and solvers against each other and against the naive models |

pub mod arena;
#[path = "../../crates/triad/tests/common/mod.rs"]
mod deals;
pub mod engines;
mod failure;
pub mod files;
mod output;
pub mod positions;
pub mod protocol;
pub mod questions;

use std::borrow::Cow;

/// The bytes of an input, decoded from the front. Numbers are 0 after the end.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or_default()
    }

    fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    fn word(&mut self) -> u64 {
        (0..8).fold(0, |word, _| word << 8 | u64::from(self.byte()))
    }

    /// Everything that is left as text. Bytes that are not UTF-8 become replacement characters.
    fn text(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.0)
    }
}
