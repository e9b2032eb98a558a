//! The memory of the proof table: zeroed cache lines.
//!
//! With files and a real operating system it is an anonymous map in huge pages, since every probe of a large table misses.
//! Without them (wasm) it comes from the heap.

use search::OutOfMemory;
use std::sync::atomic::AtomicU64;

/// Words of a cache line.
pub(super) const LINE_WORDS: usize = 8;
/// Bytes of a cache line.
pub(super) const LINE_BYTES: usize = 8 * LINE_WORDS;

/// A cache line.
pub(super) type Line = [AtomicU64; LINE_WORDS];
const _: () = assert!(size_of::<Line>() == LINE_BYTES);

#[cfg(all(feature = "files", not(target_arch = "wasm32")))]
mod backing {
    use super::{LINE_BYTES, Line, OutOfMemory};
    use memmap2::MmapMut;
    use zerocopy::FromBytes;

    pub(in super::super) struct Memory(MmapMut);

    impl Memory {
        /// Zeroed lines. The system gives the memory as it is written.
        pub(in super::super) fn new(lines: usize) -> Result<Self, OutOfMemory> {
            let bytes = lines.saturating_mul(LINE_BYTES);
            let map = MmapMut::map_anon(bytes).map_err(|_| OutOfMemory { bytes })?;
            // Only a hint: without huge pages the table is slower, not wrong.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            Ok(Self(map))
        }

        pub(in super::super) fn lines(&mut self) -> &mut [Line] {
            // An anonymous map begins on a page, and its length is a number of whole lines.
            <[Line]>::mut_from_bytes(&mut self.0).expect("whole, aligned lines")
        }
    }
}

#[cfg(not(all(feature = "files", not(target_arch = "wasm32"))))]
mod backing {
    use super::{AtomicU64, LINE_BYTES, LINE_WORDS, Line, OutOfMemory};
    use zerocopy::FromZeros;

    pub(in super::super) struct Memory {
        words: Box<[AtomicU64]>,
        /// Where the first whole cache line begins.
        first: usize,
        lines: usize,
    }

    impl Memory {
        /// Zeroed lines.
        pub(in super::super) fn new(lines: usize) -> Result<Self, OutOfMemory> {
            let error = OutOfMemory { bytes: lines.saturating_mul(LINE_BYTES) };
            // One line more than needed, minus a word: the first whole line begins within the first eight words.
            let count =
                lines.checked_mul(LINE_WORDS).and_then(|words| words.checked_add(LINE_WORDS - 1)).ok_or(error)?;
            let words = <[AtomicU64]>::new_box_zeroed_with_elems(count).map_err(|_| error)?;
            let first = words.as_ptr().align_offset(LINE_BYTES);
            assert!(first < LINE_WORDS, "a line begins within the first eight words");
            Ok(Self { words, first, lines })
        }

        pub(in super::super) fn lines(&mut self) -> &mut [Line] {
            let words = &mut self.words[self.first..self.first + self.lines * LINE_WORDS];
            words.as_chunks_mut::<LINE_WORDS>().0
        }
    }
}

pub(super) use backing::Memory;
