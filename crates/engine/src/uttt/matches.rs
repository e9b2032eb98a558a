//! Matches between two requests: which of two ways to think is better, and by how much.

use super::play::{Engine, Request};
use super::{Rules, with_rule};
use grid::simd::Isa;
use grid::{Game, Rng};
use std::io;
use uttt::Uttt;

/// One side of a match.
#[derive(Clone, Debug)]
pub struct Side {
    /// How it thinks.
    pub request: Request,
    /// See [`Engine::set_exploration`].
    pub exploration: f32,
}

/// Plays `count` games between two sides, colours swapped, from random openings of four moves; the score of the first.
/// Each pair of games has the same opening and new engines.
///
/// # Errors
/// If there is no memory.
pub fn match_of(
    rules: Rules,
    sides: [&Side; 2],
    count: u32,
    memory: usize,
    seed: u64,
    mut tell: impl FnMut(Tally),
) -> io::Result<Tally> {
    with_rule!(rules, R => {
        let game = Uttt::<R>::GAME;
        let mut tally = Tally::default();
        for number in 0..count {
            let mut rng = Rng::new(grid::mix(seed ^ u64::from(number / 2)));
            let mut position = game.start();
            for _ in 0..4 {
                if let Some(mv) = rng.pick(game.moves(&position)) {
                    position = game.play_unchecked(&position, mv);
                }
            }
            let mut engines = [
                Engine::new(rules, memory, Isa::detect(), u64::from(number))?,
                Engine::new(rules, memory, Isa::detect(), u64::from(number) + 1)?,
            ];
            for (engine, side) in engines.iter_mut().zip(sides) {
                engine.set_exploration(side.exploration);
            }
            let swapped = number % 2 == 1;
            while !game.is_over(&position) {
                let side = (position.mover() as usize) ^ usize::from(swapped);
                let Some(mv) = engines[side].choose(&position, &sides[side].request) else { break };
                position = game.play_unchecked(&position, mv);
            }
            let result = grid::Versus::result(game, &position).unwrap_or(0) * if swapped { -1 } else { 1 };
            match result {
                1 => tally.won += 1,
                0 => tally.drawn += 1,
                _ => tally.lost += 1,
            }
            tell(tally);
        }
        Ok(tally)
    })
}

/// What a match came to, for the first side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

impl Tally {
    /// The share of points.
    #[must_use]
    pub fn score(self) -> f64 {
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from((self.won + self.drawn + self.lost).max(1))
    }
}
