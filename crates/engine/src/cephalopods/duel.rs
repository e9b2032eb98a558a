//! Perfect play of the two-player game on 3x3, by retrograde analysis.
//!
//! The owners of the dice decide who wins, but not which moves are legal. So the graph is that of the boards without owners, and
//! each canonical board carries one bit for every way to colour it: a set of 512 bits.
//!
//! ```text
//! bit m of win(b)    the player to move wins b when the dice on the cells m are his
//!                    m runs over all sets of nine cells; empty cells do not matter: their bits agree
//!
//! after a move to the child x with its new die on cell c, the other player moves and owns what is not in m, but not c:
//!
//!     win(b)[m]  =  some child x is lost for its mover:  not safe(x)[~m without c]
//!     win(b)     =  reverse( OR over children of  fixed(c, ~safe(x)) )      ~m is position 511 - m: the set reversed
//! ```
//!
//! Captured dice need no care: their cells are empty in the child, so its bits agree there whoever owned them. The child's
//! set is stored for its canonical form. The parent sees it permuted like the nine index bits, which takes at most nine
//! exchanges of index bits. *Safe* means "does not lose"; without draws it equals win and is not stored.
//!
//! A question is answered from the boards below it, which are found and solved when first needed. Price: from the empty board
//! 532,354 boards, 34 MB (twice that where draws exist) and a third of a second; from most positions of a game under way a few
//! thousand boards.

use super::duel_graph::{DuelGraph, Layer};
use super::reserve;
use crate::analysis::{Analysis, Line};
use crate::error::Error;
use crate::value::{Outcome, Value};
use cephalopods::{Aim, Board, Duel, DuelPosition, Move};
use grid::simd::{Isa, Simd, dispatch};
use grid::{CellSet, Game, Sym};
use search::{Control, Stop};

/// One bit for each of the 512 sets of cells.
type Set = [u64; 8];

const ALL: Set = [u64::MAX; 8];

/// Exchanges two bits of the index. Bits 0 to 5 are within a word, 6 to 8 in the number of the word.
#[inline(always)]
fn exchanged<const LOW: usize, const HIGH: usize>(set: Set) -> Set {
    let mut out = set;
    if HIGH < 6 {
        // Bits whose index has LOW set and HIGH clear move up, and their partners move down.
        let (shift, mask) = ((1 << HIGH) - (1 << LOW), HAS[LOW % 6] & !HAS[HIGH % 6]);
        for word in &mut out {
            let moving = (*word ^ *word >> shift) & mask;
            *word ^= moving ^ moving << shift;
        }
    } else if LOW < 6 {
        let (shift, mask) = (1 << LOW, HAS[LOW % 6]);
        for word in (0..8).filter(|word| word >> (HIGH - 6) & 1 == 0) {
            let other = word | 1 << (HIGH - 6);
            out[word] = set[word] & !mask | (set[other] & !mask) << shift;
            out[other] = set[other] & mask | (set[word] & mask) >> shift;
        }
    } else {
        for (word, moved) in out.iter_mut().enumerate() {
            let (low, high) = (word >> (LOW - 6) & 1, word >> (HIGH - 6) & 1);
            let from = word & !(1 << (LOW - 6)) & !(1 << (HIGH - 6)) | low << (HIGH - 6) | high << (LOW - 6);
            *moved = set[from];
        }
    }
    out
}

/// The positions within a word whose index has this bit.
const HAS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

#[inline(always)]
fn transposed(set: Set) -> Set {
    exchanged::<5, 7>(exchanged::<2, 6>(exchanged::<1, 3>(set)))
}

#[inline(always)]
fn mirrored(set: Set) -> Set {
    exchanged::<6, 8>(exchanged::<3, 5>(exchanged::<0, 2>(set)))
}

#[inline(always)]
fn upside_down(set: Set) -> Set {
    exchanged::<2, 8>(exchanged::<1, 7>(exchanged::<0, 6>(set)))
}

/// The set of a canonical board, seen by the board that `sym` takes there: position `m` holds what `sym.set(m)` held.
#[inline(always)]
fn seen_before(sym: Sym, set: Set) -> Set {
    // A turn is a transposition and then a mirror; its inverse is the reverse.
    match sym.index() {
        0 => set,
        1 => transposed(mirrored(set)),
        2 => mirrored(upside_down(set)),
        3 => transposed(upside_down(set)),
        4 => mirrored(set),
        5 => transposed(mirrored(upside_down(set))),
        6 => upside_down(set),
        _ => transposed(set),
    }
}

/// Copies the values of the indices without `cell` to those with it.
#[inline(always)]
fn fixed(cell: usize, set: Set) -> Set {
    // One form for all cells: the first six copy bits within a word, the others copy words.
    let (mask, shift, word_bit) = if cell < 6 { (!HAS[cell], 1 << cell, 0) } else { (u64::MAX, 0, 1 << (cell - 6)) };
    std::array::from_fn(|word| {
        let kept = set[word & !word_bit] & mask;
        kept | kept << shift
    })
}

#[inline(always)]
fn reversed(set: Set) -> Set {
    std::array::from_fn(|word| set[7 - word].reverse_bits())
}

/// For a full board: the sets of cells with which the mover wins, and with which he does not lose.
fn judged(aim: Aim, board: Board) -> [Set; 2] {
    let mut sets = [[0; 8]; 2];
    for mine in 0..512 {
        let result = aim.judge(board, CellSet::from_bits(mine as u16));
        sets[0][mine / 64] |= u64::from(result > 0) << (mine % 64);
        sets[1][mine / 64] |= u64::from(result >= 0) << (mine % 64);
    }
    sets
}

/// Solves positions under one rule, and remembers what it solved.
///
/// ```
/// use cephalopods::{Aim, Duel};
/// use grid::Notation;
/// use ninefold_engine::{Control, Outcome, cephalopods::duel::Solver};
/// let mut solver = Solver::new(Aim::Majority, grid::simd::Isa::detect());
/// // One empty cell between a 6 and a 5: no capture, and the last die decides.
/// let position = Duel::default().read_position(".6566ffff:B").unwrap();
/// assert_eq!(solver.value(&position, &Control::new())?, Outcome::Win);
/// # Ok::<(), ninefold_engine::Error>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    duel: Duel,
    isa: Isa,
    graph: DuelGraph,
    win: Vec<Set>,
    /// Empty where there are no draws: it would repeat `win`.
    safe: Vec<Set>,
    /// The values of full boards, by which cells show a six; only the sixes rule looks at the dice.
    full: Vec<[Set; 2]>,
}

impl Solver {
    /// Above this many boards, the solver forgets everything before it solves something new. No question needs as many.
    const MOST_BOARDS: usize = 1 << 20;

    /// A solver that knows nothing yet.
    #[must_use]
    pub fn new(aim: Aim, isa: Isa) -> Self {
        let kinds: u16 = if aim == Aim::Sixes { 512 } else { 1 };
        let full = (0..kinds).map(|sixes| {
            let shown = grid::Cell::ALL.map(|cell| if CellSet::from_bits(sixes).contains(cell) { 6 } else { 1 });
            judged(aim, Board::from_cells(shown).expect("ones and sixes"))
        });
        let full = full.collect();
        Self { duel: Duel { aim }, isa, graph: DuelGraph::default(), win: Vec::new(), safe: Vec::new(), full }
    }

    /// The rules it solves under.
    #[must_use]
    pub fn duel(&self) -> &Duel {
        &self.duel
    }

    /// How many boards are solved.
    #[must_use]
    pub fn boards(&self) -> usize {
        self.graph.boards().len()
    }

    /// The bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.graph.bytes() + 64 * (self.win.capacity() + self.safe.capacity()) + 128 * self.full.capacity()
    }

    /// Solves everything below a board, if that is not done yet. A board that is found is a node of the control.
    ///
    /// # Errors
    /// If the control stops the call or there is no memory. What was solved before stays.
    pub fn prepare(&mut self, board: Board, control: &Control<'_>) -> Result<(), Error> {
        let root = board.canonical().0;
        if self.graph.number(root).is_some() {
            return Ok(());
        }
        if self.boards() > Self::MOST_BOARDS {
            *self = Self::new(self.duel.aim, self.isa);
        }
        let known = self.boards();
        let layer = self.graph.extend([root], control)?;
        let solved = self.solve_layer(&layer, control);
        if solved.is_err() {
            self.graph.truncate(known);
            self.win.truncate(known);
            self.safe.truncate(known);
        }
        solved
    }

    fn solve_layer(&mut self, layer: &Layer, control: &Control<'_>) -> Result<(), Error> {
        let (boards, known) = (self.boards(), self.win.len());
        reserve(&mut self.win, boards - known)?;
        self.win.resize(boards, ALL);
        if self.draws() {
            reserve(&mut self.safe, boards - known)?;
            self.safe.resize(boards, ALL);
        }
        dispatch!(self.isa.level(), simd => self.solve(simd, layer, control))?;
        Ok(())
    }

    fn draws(&self) -> bool {
        self.duel.aim == Aim::Sixes
    }

    #[inline(always)]
    fn solve<S: Simd>(&mut self, simd: S, layer: &Layer, control: &Control<'_>) -> Result<(), Stop> {
        let draws = self.draws();
        simd.vectorize(
            #[inline(always)]
            || {
                for (count, (number, edges)) in layer.in_order_of_solving().enumerate() {
                    if count % BETWEEN_CHECKS == BETWEEN_CHECKS - 1 {
                        control.check()?;
                    }
                    if edges.is_empty() {
                        let [win, safe] = self.full[self.kind(self.graph.boards()[number])];
                        self.win[number] = win;
                        if draws {
                            self.safe[number] = safe;
                        }
                        continue;
                    }
                    let lost_in_one = |sets: &[Set]| {
                        let mut some = [0; 8];
                        for edge in edges {
                            let child = fixed(edge.cell(), seen_before(edge.sym(), sets[edge.child()]));
                            some = std::array::from_fn(|word| some[word] | !child[word]);
                        }
                        reversed(some)
                    };
                    if draws {
                        self.safe[number] = lost_in_one(&self.win);
                        self.win[number] = lost_in_one(&self.safe);
                    } else {
                        self.win[number] = lost_in_one(&self.win);
                    }
                }
                Ok(())
            },
        )
    }

    /// The index of a full board in `full`.
    fn kind(&self, board: Board) -> usize {
        let six = |cell: &grid::Cell| board.pips(*cell) == 6;
        let sixes = grid::Cell::ALL.into_iter().filter(six).fold(CellSet::EMPTY, CellSet::with);
        if self.draws() { sixes.index() } else { 0 }
    }

    /// The value for the side to move.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    pub fn value(&mut self, position: &DuelPosition, control: &Control<'_>) -> Result<Outcome, Error> {
        self.prepare(position.board(), control)?;
        let (canonical, sym) = position.board().canonical();
        let number = self.graph.number(canonical).expect("just prepared");
        let index = sym.set(position.ours()).index();
        let has = |sets: &[Set]| sets[number][index / 64] >> (index % 64) & 1 == 1;
        Ok(if has(&self.win) {
            Outcome::Win
        } else if self.draws() && has(&self.safe) {
            Outcome::Draw
        } else {
            Outcome::Loss
        })
    }

    /// Every move with its value for the side that makes it, in the order of the rules.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    pub fn moves(&mut self, position: &DuelPosition, control: &Control<'_>) -> Result<Vec<(Move, Outcome)>, Error> {
        let duel = self.duel;
        let value = |mv: Move| Ok((mv, self.value(&duel.play_unchecked(position, mv), control)?.reversed()));
        duel.moves(position).map(value).collect()
    }

    /// Appends best play of both sides: the first best move, and so on to the end of the game.
    fn play_out(
        &mut self,
        mut position: DuelPosition,
        line: &mut Vec<Move>,
        control: &Control<'_>,
    ) -> Result<(), Error> {
        loop {
            let moves = self.moves(&position, control)?;
            let Some(best) = moves.iter().map(|&(_, value)| value).max() else { return Ok(()) };
            let Some(&(mv, _)) = moves.iter().find(|&&(_, value)| value == best) else { return Ok(()) };
            line.push(mv);
            position = self.duel.play_unchecked(&position, mv);
        }
    }

    /// The value of a position and of every move, with principal variations. If the control stops the solver before it has
    /// the answer, the moves have no values and the analysis is not complete.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn analyse(&mut self, position: &DuelPosition, control: &Control<'_>) -> Result<Analysis<Move>, Error> {
        match self.proved(position, control) {
            Err(Error::Stopped(_)) => {
                let lines = self.duel.moves(position).map(|mv| Line::new(mv, Value::UNKNOWN)).collect();
                Ok(Analysis { nodes: control.nodes(), depth: 0, ..Analysis::of_lines(lines, false) })
            }
            found => found,
        }
    }

    fn proved(&mut self, position: &DuelPosition, control: &Control<'_>) -> Result<Analysis<Move>, Error> {
        let value = self.value(position, control)?;
        let mut moves = self.moves(position, control)?;
        // Stable: moves of equal value stay in the order of the rules.
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        let mut lines = Vec::with_capacity(moves.len());
        for (mv, value) in moves {
            let mut line = Line::new(mv, Value::proved(value));
            self.play_out(self.duel.play_unchecked(position, mv), &mut line.line, control)?;
            lines.push(line);
        }
        let nodes = self.boards() as u64;
        Ok(Analysis { value: Value::proved(value), nodes, ..Analysis::of_lines(lines, true) })
    }
}

/// Boards solved between two looks at the control: a fraction of a millisecond.
const BETWEEN_CHECKS: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use grid::{Cell, Notation, Rng};

    #[test]
    fn sets_turn_like_their_indices() {
        let mut rng = Rng::new(5);
        let set: Set = std::array::from_fn(|_| rng.next_word());
        let has = |set: &Set, index: usize| set[index / 64] >> (index % 64) & 1;
        for mine in 0..512u16 {
            let cells = CellSet::from_bits(mine);
            for sym in Sym::ALL {
                let expected = has(&set, sym.set(cells).index());
                assert_eq!(has(&seen_before(sym, set), cells.index()), expected, "{sym:?} {mine}");
            }
            for cell in Cell::ALL {
                let expected = has(&set, cells.without(cell).index());
                assert_eq!(has(&fixed(cell.index(), set), cells.index()), expected, "{cell:?} {mine}");
            }
            assert_eq!(has(&reversed(set), cells.index()), has(&set, (!cells).index()));
        }
    }

    /// A solver that was stopped, and stopped again at another point, gives the same analysis as a new one.
    #[test]
    fn a_stopped_solver_forgets_what_it_did_not_finish() {
        let duel = Duel { aim: Aim::Sixes };
        let mut solver = Solver::new(Aim::Sixes, Isa::detect());
        let late = duel.read_position("5.a.6.c.2:A").unwrap();
        let known = solver.analyse(&late, &Control::new()).unwrap();
        let boards = solver.boards();
        for nodes in [1, 1000, 100_000] {
            let stopped = solver.analyse(&duel.start(), &Control::new().node_limit(nodes)).unwrap();
            assert!(!stopped.complete && stopped.lines.len() == 9 && stopped.value == Value::UNKNOWN);
            assert_eq!(solver.boards(), boards);
        }
        assert_eq!(solver.analyse(&late, &Control::new()).unwrap(), known);
        let early = duel.read_position("..a.6....:A").unwrap();
        let fresh = Solver::new(Aim::Sixes, Isa::detect()).analyse(&early, &Control::new()).unwrap();
        let found = solver.analyse(&early, &Control::new()).unwrap();
        assert_eq!((found.value, found.lines), (fresh.value, fresh.lines));
    }
}
