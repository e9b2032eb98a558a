//! The headline figures of `ninefold bench`: for each thing worth knowing the naive model, the write-up's form and ours,
//! timed in turns in one run, so that the ratios hold on a noisy machine too.

mod cephalopods;
pub(crate) mod triad;
mod uttt;

use crate::Round;
use grid::simd::Isa;
use std::time::{Duration, Instant};

/// Whose way of doing it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The model on plain arrays that everything is tested against.
    Naive,
    /// As one of the three write-ups, or most contestants, did it.
    WriteUp,
    /// Ours.
    Ours,
}

/// One way to do the work of a contest.
pub struct Contender {
    /// What it is called.
    pub name: &'static str,
    /// Whose it is.
    pub role: Role,
    /// The work; its items are those of the contest.
    pub round: Round,
}

/// The same work done in several ways.
pub struct Contest {
    /// The game.
    pub game: &'static str,
    /// What is counted: `placements`.
    pub items: &'static str,
    /// The ways, the naive first.
    pub contenders: Vec<Contender>,
}

/// What a contender came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed {
    /// What it is called.
    pub name: &'static str,
    /// Whose it is.
    pub role: Role,
    /// Items in a second, of its quickest round.
    pub rate: f64,
    /// How many times as fast as the first contender.
    pub against_naive: f64,
    /// How many times as fast as the quickest of the write-up's; nothing if there is none.
    pub against_writeup: Option<f64>,
}

/// Every contest on an instruction set.
#[must_use]
pub fn contests(isa: Isa) -> Vec<Contest> {
    [triad::contests(isa), uttt::contests(isa), cephalopods::contests(isa)].into_iter().flatten().collect()
}

impl Contest {
    /// Times the contenders in turns until `time` is up, at least three turns each.
    ///
    /// # Panics
    /// If an answer is wrong: a fast wrong answer has no price.
    pub fn run(&mut self, time: Duration) -> Vec<Speed> {
        let start = Instant::now();
        let mut best = vec![Duration::MAX; self.contenders.len()];
        let mut turns = 0;
        while turns < 3 || start.elapsed() < time {
            for (contender, best) in self.contenders.iter_mut().zip(&mut best) {
                let start = Instant::now();
                let answer = (contender.round.work)();
                *best = start.elapsed().min(*best);
                assert_eq!(answer, contender.round.expected, "{} {}", self.game, contender.name);
            }
            turns += 1;
        }
        let rate = |number: usize| self.contenders[number].round.items as f64 / best[number].as_secs_f64().max(1e-9);
        let of_writeup = (0..best.len()).filter(|number| self.contenders[*number].role == Role::WriteUp).map(rate);
        let writeup = of_writeup.fold(None, |most: Option<f64>, rate| Some(most.map_or(rate, |most| most.max(rate))));
        let speed = |(number, contender): (usize, &Contender)| Speed {
            name: contender.name,
            role: contender.role,
            rate: rate(number),
            against_naive: rate(number) / rate(0),
            against_writeup: writeup.map(|writeup| rate(number) / writeup),
        };
        self.contenders.iter().enumerate().map(speed).collect()
    }
}

/// A contender whose work is a function of nothing.
fn contender(
    name: &'static str,
    role: Role,
    items: usize,
    expected: u64,
    work: impl FnMut() -> u64 + 'static,
) -> Contender {
    Contender { name, role, round: Round { items, expected, work: Box::new(work) } }
}
