//! The description of a kernel whose instructions are counted.

use grid::simd::Isa;

/// A kernel whose instructions are counted.
pub struct Kernel {
    /// Crate and function, without spaces: `grid/matches`.
    pub name: &'static str,
    /// Whether it is compiled separately for each level.
    pub by_level: bool,
    /// Prepares the input and returns the work.
    pub prepare: fn(Isa) -> Round,
}

/// One round of work over a prepared input.
pub struct Round {
    /// Number of items per round.
    pub items: usize,
    /// The right answer, computed in another way.
    pub expected: u64,
    /// The work. It must pass its input through [`black_box`](std::hint::black_box); otherwise the compiler may do it once.
    pub work: Box<dyn FnMut() -> u64>,
}

impl Kernel {
    /// The levels to count on this machine.
    #[must_use]
    pub fn levels(&self) -> Vec<Isa> {
        if self.by_level { Isa::available().collect() } else { vec![Isa::Scalar] }
    }

    /// Does the work `rounds` times and returns the number of items per round.
    ///
    /// # Panics
    /// If an answer is wrong.
    #[must_use]
    pub fn run(&self, isa: Isa, rounds: usize) -> usize {
        let mut round = (self.prepare)(isa);
        for _ in 0..rounds {
            assert_eq!((round.work)(), round.expected, "{} at {isa}", self.name);
        }
        round.items
    }
}
