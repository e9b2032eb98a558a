//! A word that threads share without locks.
//!
//! The code of a table's entry is written against [`Word`], so that its tests can run it on the words of `loom`, which try
//! every order of loads and stores that the memory model allows.

use std::sync::atomic::{AtomicU64, Ordering};

/// An atomic word of 64 bits.
pub trait Word {
    /// Reads the word.
    fn load(&self, order: Ordering) -> u64;
    /// Writes the word.
    fn store(&self, value: u64, order: Ordering);
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn load(&self, order: Ordering) -> u64 {
        self.load(order)
    }

    #[inline(always)]
    fn store(&self, value: u64, order: Ordering) {
        self.store(value, order);
    }
}
