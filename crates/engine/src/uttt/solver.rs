//! The exact solver: the value of a position, the best moves, the value of every move, the principal variation.

use super::Rules;
use super::proof::{Autosave, ProofSearch};
use super::table::ProofTable;
use crate::analysis::Analysis;
use crate::error::Error;
use crate::value::Value;
use grid::simd::Isa;
use search::Control;
use uttt::kernel::Lanes;
use uttt::{Accept, Move, Position};

/// Solves positions of one rule. What it finds out about one position helps with the next.
///
/// A call that is stopped keeps what it has found out: the same call goes on from there.
///
/// ```
/// use ninefold_engine::uttt::{Accept, Rules, Solver};
/// use ninefold_engine::{Control, Outcome};
/// let mut solver = Solver::new(Rules::Standard, 1 << 20)?;
/// let text = "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....";
/// let position = Rules::Standard.read(text, Accept::Reachable).unwrap();
/// let solution = solver.solve(&position, &Control::new());
/// assert_eq!((solution.value.outcome, solution.complete), (Some(Outcome::Draw), true));
/// assert_eq!(solution.optimal().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["ig"]);
/// # Ok::<(), ninefold_engine::Error>(())
/// ```
pub struct Solver {
    pub(super) rules: Rules,
    isa: Isa,
    pub(super) table: ProofTable,
    pub(super) autosave: Option<Autosave>,
}

impl Solver {
    /// A solver with an empty table of at most this number of bytes. Everything else takes kilobytes.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(rules: Rules, memory: usize) -> Result<Self, Error> {
        Ok(Self { rules, isa: Isa::detect(), table: ProofTable::new(memory)?, autosave: None })
    }

    /// Uses this instruction set instead of the machine's best.
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// The rule.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Writes the whole table now; otherwise the system clears it page by page during the search. Call it before the
    /// first search: what is known is forgotten.
    pub fn prepare(&mut self) {
        self.table.clear();
    }

    /// The value and every best move. `complete` tells whether both are known; the lines are the best moves.
    pub fn solve(&mut self, position: &Position, control: &Control<'_>) -> Analysis<Move> {
        self.analyse(position, false, control)
    }

    /// The value of every move, as far as the control goes. The lines are all legal moves.
    pub fn analyse_moves(&mut self, position: &Position, control: &Control<'_>) -> Analysis<Move> {
        self.analyse(position, true, control)
    }

    fn analyse(&mut self, position: &Position, every_move: bool, control: &Control<'_>) -> Analysis<Move> {
        let call = control.part();
        let found = with_rule!(self.rules, R => self.search::<R>(&call).solve(position, every_move));
        Analysis { nodes: call.nodes(), ..found }
    }

    /// The value without any move. `complete` tells whether it is known.
    pub fn solve_value(&mut self, position: &Position, control: &Control<'_>) -> Analysis<Move> {
        let call = control.part();
        let value = self.value(position, &call).unwrap_or(Value::UNKNOWN);
        Analysis { value, nodes: call.nodes(), ..Analysis::of_lines(Vec::new(), value.outcome.is_some()) }
    }

    /// The value alone.
    ///
    /// # Errors
    /// If the control stops the search.
    pub fn value(&mut self, position: &Position, control: &Control<'_>) -> Result<Value, Error> {
        Ok(with_rule!(self.rules, R => self.search::<R>(control).value(&Lanes::new::<R>(position)))?)
    }

    /// The principal variation to the end of the game. Of several best moves the first.
    ///
    /// # Errors
    /// If the control stops the search.
    pub fn line(&mut self, position: &Position, control: &Control<'_>) -> Result<Vec<Move>, Error> {
        Ok(with_rule!(self.rules, R => self.search::<R>(control).line(position))?)
    }

    pub(super) fn search<'a, R: uttt::Rule>(&'a mut self, control: &'a Control<'a>) -> ProofSearch<'a, R> {
        ProofSearch::new(self.isa, &mut self.table, self.autosave.as_ref(), control)
    }
}

/// Nodes visited to solve three fixed endgames under both closed rules: the same on every instruction set, and different as
/// soon as the rules, the order of moves, the static tests or the search change.
///
/// # Panics
/// If there is no memory for a table of 1 MiB.
#[must_use]
pub fn signature(isa: Isa) -> u64 {
    const ENDGAMES: [&str; 3] = [
        "X;..@OOXO..;...X.X.XO/O....OX.O/..O.X.X../.O.XOO.OO/O.OO..O../.X.XX.XX./X.OXXOOOO/O...XOX../.X.XX.X..",
        "O;X.XOOX..O;..X..X..X/O.X....X./..XOOX..X/.XO..O..O/OOO.X..../X.X.XOO.X/O..X..X../......O../..OX.O..O",
        "X;@X.XOX.X.;....XO.OX/...O.OXXX/O.OOXX.../XX.OX...X/OOO....O./.O.XXX.OX/X.....O../.X..XO.X./.OXO.O..O",
    ];
    let control = Control::new();
    for rules in [Rules::Standard, Rules::CodinGame] {
        let mut solver = Solver::new(rules, 1 << 20).expect("1 MiB").with_isa(isa);
        for text in ENDGAMES {
            let position = rules.read(text, Accept::Reachable).expect("a position");
            solver.solve(&position, &control);
        }
    }
    control.nodes()
}
