//! Puzzles: positions in which exactly one move wins, or exactly one move draws and all others lose, proved by the solver.
//!
//! ```text
//! game      a few random moves, then a shallow alpha-beta against itself, with a random move now and then
//! position  from the end of the game back to the first one that the solver does not prove within a small limit
//! puzzle    the value has one best move, and no symmetric image of the position was a puzzle before
//! grade     how many plies alpha-beta has to look ahead until it finds the move and keeps it
//! ```
//!
//! The two hardest puzzles of a game are kept, because neighbouring positions of a game make similar puzzles.

use super::alphabeta::TableSearch;
use super::player::MoveSearch;
use super::{Rules, Solver};
use crate::error::Error;
use crate::value::Outcome;
use grid::simd::Isa;
use grid::{Game, Rng, Sym, Symmetric, TextError};
use search::{Control, Stop};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use uttt::{Accept, Move, Position, Rule, Uttt};

/// The depth of the deepest search that grades.
const DEEPEST: u32 = 8;
/// The grade of a puzzle that not even this search finds.
pub const HARDEST: u32 = DEEPEST + 1;
/// Nodes of the proof of one position, some hundredths of a second.
const PROOF_NODES: u64 = 1 << 16;
/// Random moves at the start of a game.
const OPENING: usize = 4;
/// One move in this number is random after that.
const RANDOM_MOVE: u32 = 8;
/// Plies that the players of the games look ahead.
const PLAYING_DEPTH: u32 = 3;
/// With fewer legal moves there is little to find.
const LEAST_MOVES: usize = 4;
const PER_GAME: usize = 2;
const SEARCH_BYTES: usize = 1 << 20;

/// A position with one best move.
///
/// As text: position, move, outcome and grade, separated by spaces.
///
/// ```
/// use ninefold_engine::uttt::{Puzzle, Rules};
/// let text = "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO.... ig draw 3";
/// let puzzle = Puzzle::read(Rules::Standard, text)?;
/// assert_eq!((puzzle.mv.to_string().as_str(), puzzle.grade), ("ig", 3));
/// assert_eq!(puzzle.to_string(), text);
/// # Ok::<(), grid::TextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The position.
    pub position: Position,
    /// The only best move.
    pub mv: Move,
    /// What it achieves: a win, or a draw where every other move loses.
    pub outcome: Outcome,
    /// From 1 (found by looking one ply ahead) to [`HARDEST`].
    pub grade: u32,
}

impl Puzzle {
    /// Reads a line. Whether it is true is for [`holds`](Self::holds) to say.
    ///
    /// # Errors
    /// With the character that is wrong.
    pub fn read(rules: Rules, line: &str) -> Result<Self, TextError> {
        let mut rest = line;
        let mut word = || {
            let start = rest.trim_start();
            let (word, after) = start.split_at(start.find(' ').unwrap_or(start.len()));
            let at = line.len() - start.len();
            rest = after;
            (at, word)
        };
        let within = |at: usize| move |error: TextError| TextError::new(at + error.at, error.expected);
        let (at, text) = word();
        let position = rules.read(text, Accept::Reachable).map_err(within(at))?;
        let (at, text) = word();
        let mv = rules.read_move(&position, text).map_err(within(at))?;
        let outcome = match word() {
            (_, "win") => Outcome::Win,
            (_, "draw") => Outcome::Draw,
            (at, _) => return Err(TextError::new(at, "win or draw")),
        };
        let (at, text) = word();
        let grade = text.parse().ok().filter(|grade| (1..=HARDEST).contains(grade));
        let grade = grade.ok_or(TextError::new(at, "a grade from 1 to 9"))?;
        match word() {
            (_, "") => Ok(Self { position, mv, outcome, grade }),
            (at, _) => Err(TextError::new(at, "the end of the line")),
        }
    }

    /// Proves the puzzle again: whether the move is the only one with the best outcome. The grade is not looked at.
    ///
    /// # Errors
    /// If the control stops the proof.
    pub fn holds(&self, solver: &mut Solver, control: &Control<'_>) -> Result<bool, Error> {
        let found = solver.solve(&self.position, control);
        if !found.complete {
            return Err(Error::Stopped(control.stop().unwrap_or(Stop::Memory)));
        }
        Ok(found.value.outcome == Some(self.outcome) && found.optimal().eq([self.mv]))
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = if self.outcome == Outcome::Win { "win" } else { "draw" };
        write!(out, "{:?} {} {outcome} {}", self.position, self.mv, self.grade)
    }
}

/// The puzzles that come with the program, for the standard rule. `ninefold uttt puzzles --check` proves them again.
///
/// # Panics
/// If the file was damaged before the program was compiled.
#[must_use]
pub fn shipped() -> Vec<Puzzle> {
    let lines = include_str!("../../data/uttt/puzzles.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| Puzzle::read(Rules::Standard, line).expect("a puzzle per line")).collect()
}

/// Makes puzzles, one after the other, the same for the same seed.
pub struct Puzzles {
    isa: Isa,
    rng: Rng,
    solver: Solver,
    /// One image of every position that was a puzzle.
    met: HashSet<Position>,
    waiting: Vec<Puzzle>,
}

impl Puzzles {
    /// Puzzles under a rule. `memory` is for the solver, in bytes.
    ///
    /// # Errors
    /// If there is no memory for the solver.
    pub fn new(rules: Rules, seed: u64, memory: usize) -> Result<Self, Error> {
        let solver = Solver::new(rules, memory)?;
        Ok(Self { isa: Isa::detect(), rng: Rng::new(seed), solver, met: HashSet::new(), waiting: Vec::new() })
    }

    /// Uses this instruction set instead of the machine's best.
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { isa, solver: self.solver.with_isa(isa), ..self }
    }

    /// The next puzzle.
    ///
    /// # Errors
    /// If the control stops the work, or there is not enough memory.
    pub fn make(&mut self, control: &Control<'_>) -> Result<Puzzle, Error> {
        loop {
            if let Some(puzzle) = self.waiting.pop() {
                return Ok(puzzle);
            }
            with_rule!(self.solver.rules(), R => self.play_a_game::<R>(control))?;
        }
    }

    fn play_a_game<R: Rule>(&mut self, control: &Control<'_>) -> Result<(), Error> {
        let positions = self.game::<R>(control)?;
        let mut found = Vec::new();
        // Earlier positions take longer to prove. After the first that takes too long the rest is not tried.
        for position in positions.iter().rev() {
            let proof = control.part().node_limit(PROOF_NODES);
            let solved = self.solver.solve(position, &proof);
            stopped(control)?;
            if !solved.complete {
                break;
            }
            let mut best = solved.optimal();
            let only = best.next().filter(|_| best.next().is_none());
            drop(best);
            let (Some(mv), Some(outcome @ (Outcome::Win | Outcome::Draw))) = (only, solved.value.outcome) else {
                continue;
            };
            if position.moves::<R>().len() < LEAST_MOVES || !self.met.insert(least_image::<R>(position)) {
                continue;
            }
            let grade = grade::<R>(position, mv, self.isa, control)?;
            found.push(Puzzle { position: *position, mv, outcome, grade });
        }
        found.sort_by_key(|puzzle| Reverse(puzzle.grade));
        found.truncate(PER_GAME);
        found.reverse();
        self.waiting = found;
        Ok(())
    }

    /// The positions of a game of a weak player against itself, without the last one, which is over.
    fn game<R: Rule>(&mut self, control: &Control<'_>) -> Result<Vec<Position>, Error> {
        let game = Uttt::<R>::GAME;
        let mut search = TableSearch::<R>::new(None, SEARCH_BYTES)?;
        let (mut position, mut positions) = (game.start(), Vec::new());
        while !game.is_over(&position) {
            let is_random = positions.len() < OPENING || self.rng.below(RANDOM_MOVE) == 0;
            let mv = if is_random {
                self.rng.pick(position.moves::<R>())
            } else {
                search.search(&position, 1, &control.part().depth_limit(PLAYING_DEPTH), self.isa).best()
            };
            stopped(control)?;
            // A search that was not stopped names a move.
            let Some(mv) = mv else { break };
            positions.push(position);
            position = game.play_unchecked(&position, mv);
        }
        Ok(positions)
    }
}

fn stopped(control: &Control<'_>) -> Result<(), Error> {
    control.stop().map_or(Ok(()), |stop| Err(Error::Stopped(stop)))
}

/// How many plies alpha-beta has to look ahead from the position to find the move and to keep it when it looks further.
fn grade<R: Rule>(position: &Position, mv: Move, isa: Isa, control: &Control<'_>) -> Result<u32, Error> {
    let mut search = TableSearch::<R>::new(None, SEARCH_BYTES)?;
    let mut grade = 1;
    for depth in 1..=DEEPEST {
        let found = search.search(position, 1, &control.part().depth_limit(depth), isa);
        stopped(control)?;
        if found.best() != Some(mv) {
            grade = depth + 1;
        }
    }
    Ok(grade)
}

/// The same for all symmetric images of a position.
fn least_image<R: Rule>(position: &Position) -> Position {
    let images = Sym::ALL.into_iter().map(|sym| Uttt::<R>::GAME.map(position, sym));
    images.min().unwrap_or(*position)
}
