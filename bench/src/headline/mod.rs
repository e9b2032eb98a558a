//! The headline figures of `ninefold bench`. Each task is solved by the naive model, by a published method and by ours. The
//! methods are timed in turns within one run, so that the ratios hold on a noisy machine.

mod cephalopods;
mod sample;
pub(crate) mod triad;
mod uttt;

use crate::Round;
use grid::simd::Isa;
pub use sample::Sample;
use std::time::{Duration, Instant};

/// The origin of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The naive model on plain arrays.
    Naive,
    /// A published method: from one of the three articles.
    WriteUp,
    /// The method of this project.
    Ours,
}

/// One method of a contest.
pub struct Contender {
    /// The name of the method.
    pub name: &'static str,
    /// The origin of the method.
    pub role: Role,
    /// The work.
    pub round: Round,
}

/// The same task, solved by several methods.
pub struct Contest {
    /// The game.
    pub game: &'static str,
    /// The unit that is counted: `placements`.
    pub items: &'static str,
    /// The methods, the naive model first.
    pub contenders: Vec<Contender>,
}

/// The measured speed of a method.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed {
    /// The name of the method.
    pub name: &'static str,
    /// The origin of the method.
    pub role: Role,
    /// Items per second in the fastest round.
    pub rate: f64,
    /// Items per second in the median round.
    pub median_rate: f64,
    /// The times of the rounds.
    pub sample: Sample,
    /// Speed relative to the naive model, by the fastest rounds.
    pub against_naive: f64,
    /// Speed relative to the fastest published method; `None` if there is none.
    pub against_writeup: Option<f64>,
}

/// All contests on one instruction set.
#[must_use]
pub fn contests(isa: Isa) -> Vec<Contest> {
    [triad::contests(isa), uttt::contests(isa), cephalopods::contests(isa)].into_iter().flatten().collect()
}

/// Rounds per method at least. The spread of fewer says nothing.
const LEAST_ROUNDS: usize = 5;

impl Contest {
    /// Times the methods in turns until `time` is up, at least five rounds each.
    ///
    /// # Panics
    /// If an answer is wrong.
    pub fn run(&mut self, time: Duration) -> Vec<Speed> {
        let start = Instant::now();
        let mut times = vec![Vec::new(); self.contenders.len()];
        let mut rounds = 0;
        while rounds < LEAST_ROUNDS || start.elapsed() < time {
            for (contender, times) in self.contenders.iter_mut().zip(&mut times) {
                let start = Instant::now();
                let answer = (contender.round.work)();
                times.push(start.elapsed());
                assert_eq!(answer, contender.round.expected, "{} {}", self.game, contender.name);
            }
            rounds += 1;
        }
        let samples: Vec<Sample> = times.iter().map(|times| Sample::new(times)).collect();
        let rate = |number: usize| self.contenders[number].round.items as f64 / samples[number].least;
        let of_writeup = (0..samples.len()).filter(|number| self.contenders[*number].role == Role::WriteUp).map(rate);
        let writeup = of_writeup.fold(None, |most: Option<f64>, rate| Some(most.map_or(rate, |most| most.max(rate))));
        let speed = |(number, contender): (usize, &Contender)| Speed {
            name: contender.name,
            role: contender.role,
            rate: rate(number),
            median_rate: contender.round.items as f64 / samples[number].median,
            sample: samples[number],
            against_naive: rate(number) / rate(0),
            against_writeup: writeup.map(|writeup| rate(number) / writeup),
        };
        self.contenders.iter().enumerate().map(speed).collect()
    }
}

/// A contender from its parts.
fn contender(
    name: &'static str,
    role: Role,
    items: usize,
    expected: u64,
    work: impl FnMut() -> u64 + 'static,
) -> Contender {
    Contender { name, role, round: Round { items, expected, work: Box::new(work) } }
}
