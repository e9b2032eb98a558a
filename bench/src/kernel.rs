//! What a counted kernel is.

use grid::simd::Isa;

/// A kernel whose instructions are counted.
pub struct Kernel {
    /// The room and the verb, in one word without spaces: `grid/matches`.
    pub name: &'static str,
    /// Whether it is compiled for each level, or is the same on all.
    pub by_level: bool,
    /// Makes the input and hands back the work.
    pub prepare: fn(Isa) -> Round,
}

/// One round of work over an input made beforehand.
pub struct Round {
    /// How many items a round works on.
    pub items: usize,
    /// The answer, found another way.
    pub expected: u64,
    /// The work. It must pass its input through [`black_box`](std::hint::black_box), or the compiler does it only once.
    pub work: Box<dyn FnMut() -> u64>,
}

impl Kernel {
    /// The levels at which there is something to count on this machine.
    #[must_use]
    pub fn levels(&self) -> Vec<Isa> {
        if self.by_level { Isa::available().collect() } else { vec![Isa::Scalar] }
    }

    /// Does the work `rounds` times and returns how many items a round has.
    ///
    /// # Panics
    /// If an answer is wrong: a fast wrong answer has no price.
    #[must_use]
    pub fn run(&self, isa: Isa, rounds: usize) -> usize {
        let mut round = (self.prepare)(isa);
        for _ in 0..rounds {
            assert_eq!((round.work)(), round.expected, "{} at {isa}", self.name);
        }
        round.items
    }
}
