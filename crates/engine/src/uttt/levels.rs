//! The levels of play. Each beats the one below in 60 to 75 games of 100: `cargo run --release -p ninefold-bench --example levels`.

use crate::analysis::Analysis;
use grid::Rng;
use uttt::Move;

/// How strongly a player plays below full strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// The nodes that it may visit.
    pub nodes: u64,
    /// How far it misjudges a move at most, in points of a score from -1 to 1. A move that wins at once is always seen.
    pub noise: f64,
}

/// A level of play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// What people read.
    pub name: &'static str,
    /// None: full strength.
    pub strength: Option<Strength>,
}

const fn level(name: &'static str, nodes: u64, noise: f64) -> Level {
    Level { name, strength: Some(Strength { nodes, noise }) }
}

/// The strongest level of play.
pub const STRONGEST: u32 = LEVELS.len() as u32;

/// The levels from 1 on.
pub const LEVELS: [Level; 10] = [
    level("newcomer", 30, 1.6),
    level("beginner", 30, 0.95),
    level("casual", 30, 0.55),
    level("improver", 30, 0.32),
    level("club player", 30, 0.17),
    level("strong club player", 30, 0.07),
    level("expert", 50, 0.0),
    level("master", 220, 0.0),
    level("grandmaster", 1_200, 0.0),
    Level { name: "full strength", strength: None },
];

impl Level {
    /// The level of that number, from 1 to [`STRONGEST`]; the nearest if there is none.
    #[must_use]
    pub const fn of(number: u32) -> Self {
        let place = if number == 0 {
            0
        } else if number > STRONGEST {
            STRONGEST - 1
        } else {
            number - 1
        };
        LEVELS[place as usize]
    }
}

impl Strength {
    /// The move that looks best when every move is misjudged by a random amount.
    pub(super) fn choose(self, analysis: &Analysis<Move>, seed: u64) -> Option<Move> {
        if self.noise == 0.0 {
            return analysis.best();
        }
        let mut rng = Rng::new(grid::mix(seed));
        // The sum of two uniform numbers: small errors are more likely than large ones.
        let mut error = || f64::from(rng.below(1 << 16) + rng.below(1 << 16)) / f64::from(1 << 16) - 1.0;
        let mut best = None;
        for line in &analysis.lines {
            let wins_now = line.line.len() == 1 && line.value.score >= 1.0;
            let looks = if wins_now { f64::INFINITY } else { line.value.score + self.noise * error() };
            if best.is_none_or(|(_, most)| looks > most) {
                best = Some((line.mv, looks));
            }
        }
        best.map(|(mv, _)| mv)
    }
}
