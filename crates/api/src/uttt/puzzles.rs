//! Puzzles: made, listed, and proved again.

use super::{Rules, text};
use crate::fault::{Fault, FaultKind};
use crate::limits::Limits;
use crate::options::{Options, choice};
use engine::uttt::puzzles::{HARDEST, shipped};
use engine::uttt::{Puzzles, Solver};
use engine::{Control, Error, Outcome};
use grid::simd::Isa;
use serde::{Deserialize, Serialize};

/// Memory for the solver, in bytes: puzzles are late in the game.
const MEMORY: usize = 16 << 20;
/// The most puzzles of one question.
pub const MOST_PUZZLES: u32 = 100_000;
/// No grade makes up more than one part in this number, so that easy puzzles do not crowd out hard ones.
const GRADE_SHARE: u32 = 5;

/// Which positions have exactly one best move?
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct PuzzlesQuestion {
    /// The rule.
    pub options: Options,
    /// What the work may cost.
    pub limits: Limits,
    /// Number of puzzles.
    pub count: u32,
    /// The seed of the games. The same seed gives the same puzzles.
    pub seed: u64,
}

impl Default for PuzzlesQuestion {
    fn default() -> Self {
        Self { options: Options::default(), limits: Limits::default(), count: 10, seed: 1 }
    }
}

/// A position in which exactly one move wins, or exactly one draws and all others lose.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Puzzle {
    /// The position.
    pub position: String,
    /// The move, as `play` takes it.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move for people.
    pub label: String,
    /// What the move achieves: `win` or `draw`.
    pub outcome: Outcome,
    /// How hard it is: how many plies a simple search has to look ahead to find the move, from 1 to 9 (9 or more).
    pub grade: u32,
    /// The puzzle as a line of a file: position, move, outcome, grade.
    pub text: String,
}

impl Puzzle {
    fn new(puzzle: &engine::uttt::Puzzle) -> Self {
        Self {
            position: text(&puzzle.position),
            mv: puzzle.mv.to_string(),
            label: puzzle.mv.algebraic().to_string(),
            outcome: puzzle.outcome,
            grade: puzzle.grade,
            text: puzzle.to_string(),
        }
    }
}

/// Puzzles.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PuzzlesAnswer {
    /// The puzzles, in the order in which they were found.
    pub puzzles: Vec<Puzzle>,
    /// Whether there are as many as were asked for. If not, a limit was reached.
    pub complete: bool,
}

/// Makes puzzles from games of a weak player against itself.
///
/// # Errors
/// If the question is wrong or there is not enough memory. A limit only makes the answer shorter.
pub fn puzzles(question: &PuzzlesQuestion, isa: Isa, control: &Control<'_>) -> Result<PuzzlesAnswer, Fault> {
    question.options.only("uttt", &["rule"])?;
    let rules = choice("rule", question.options.rule.as_deref(), &Rules::ALL.map(|rules| (rules.name(), rules)))?;
    if !(1..=MOST_PUZZLES).contains(&question.count) {
        return Err(Fault::question("count", format_args!("count is a number from 1 to {MOST_PUZZLES}")));
    }
    let mut maker = Puzzles::new(rules, question.seed, MEMORY)?.with_isa(isa);
    let most = question.count.div_ceil(GRADE_SHARE);
    let (mut puzzles, mut by_grade) = (Vec::new(), [0; HARDEST as usize + 1]);
    while puzzles.len() < question.count as usize {
        let puzzle = match maker.make(control) {
            Ok(puzzle) => puzzle,
            Err(Error::Stopped(_)) => return Ok(PuzzlesAnswer { puzzles, complete: false }),
            Err(error) => return Err(error.into()),
        };
        let of_grade = &mut by_grade[puzzle.grade as usize];
        if *of_grade < most {
            *of_grade += 1;
            puzzles.push(Puzzle::new(&puzzle));
        }
    }
    Ok(PuzzlesAnswer { puzzles, complete: true })
}

/// The puzzles that come with the program.
#[must_use]
pub fn shipped_puzzles() -> PuzzlesAnswer {
    PuzzlesAnswer { puzzles: shipped().iter().map(Puzzle::new).collect(), complete: true }
}

/// Proves puzzles again, one for each line; empty lines and lines that begin with `#` are left out. Returns their number.
///
/// # Errors
/// If a line is not a puzzle or is not true, or the control stops the proof. The message names the line.
pub fn check_puzzles(rules: Rules, lines: &str, isa: Isa, control: &Control<'_>) -> Result<u64, Fault> {
    let mut solver = Solver::new(rules, MEMORY)?.with_isa(isa);
    let mut count = 0;
    for (number, line) in (1..).zip(lines.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at_line = |mut fault: Fault| {
            fault.message = format!("line {number}: {}", fault.message);
            fault
        };
        let read = engine::uttt::Puzzle::read(rules, line).map_err(|error| Fault::text("puzzle", &error, line));
        let puzzle = read.map_err(at_line)?;
        if !puzzle.holds(&mut solver, control)? {
            let message = format!("line {number}: {} is not the only best move of {:?}", puzzle.mv, puzzle.position);
            return Err(Fault { kind: FaultKind::File, field: "puzzle".to_owned(), message });
        }
        count += 1;
    }
    Ok(count)
}
