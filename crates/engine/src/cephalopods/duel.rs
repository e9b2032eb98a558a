//! Perfect play of the two-player game on 3x3, by retrograde analysis.
//!
//! Who owns which die does not change what may be played, only who wins. So the graph is that of the uncoloured boards, and
//! each canonical board carries one bit for every way to colour it: a set of 512 bits.
//!
//! ```text
//! bit m of win(b)    the player to move wins b when the dice on the cells m are his
//!                    m runs over all sets of nine cells; empty cells are of no account, their bits agree
//!
//! after a move to the child x with its new die on cell c, the other player moves and owns what is not in m, but not c:
//!
//!     win(b)[m]  =  some child x is lost for its mover:  not safe(x)[~m without c]
//!     win(b)     =  reverse( OR over children of  fixed(c, ~safe(x)) )      ~m is position 511 - m: the set reversed
//! ```
//!
//! Captured dice need no care: their cells are empty in the child, so its bits agree there whoever owned them. The child's
//! set is stored for its canonical form; seen from the parent it is permuted like the nine index bits, which is at most
//! nine exchanges of index bits. *Safe* is "does not lose"; without draws it is the same as win and is not stored.
//!
//! A question is answered from the boards below it, found and solved when first asked: from the empty board 532,354
//! boards (34 MB, twice that where draws exist); most positions of a game under way, a few thousand.

use super::analysis::{Analysis, Analyst, MoveValue};
use super::reach::{Layer, Reach};
use cephalopods::{Aim, Board, Duel, Move, Stand};
use grid::simd::{Isa, Simd, dispatch};
use grid::{CellSet, Game, Notation, Player, Sym, Versus};
use search::OutOfMemory;
use std::time::Instant;

/// One bit for each of the 512 sets of cells.
type Set = [u64; 8];

const ALL: Set = [u64::MAX; 8];

/// Where the bits of the index lie: 0 to 5 within a word, 6 to 8 in the number of the word.
#[inline(always)]
fn exchanged<const LOW: usize, const HIGH: usize>(set: Set) -> Set {
    let mut out = set;
    if HIGH < 6 {
        // Those whose index has LOW set and HIGH clear go up, the others of the pair come down.
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

/// The positions within a word whose index has that bit.
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

/// A canonical board's set as the board sees it that `sym` takes there: position `m` holds what `sym.set(m)` held.
#[inline(always)]
fn seen_before(sym: Sym, set: Set) -> Set {
    // A turn is a transposition and then a mirror; undone, the other way round.
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

/// The set as it is where `cell` is not in the index, at all indices.
#[inline(always)]
fn fixed(cell: usize, set: Set) -> Set {
    // One form for all cells: those within a word copy bits, those above copy words.
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

/// For a full board: the sets of the mover's cells with which he wins, and with which he does not lose.
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
/// use ninefold_engine::cephalopods::duel::Solver;
/// let mut solver = Solver::new(Aim::Majority, grid::simd::Isa::detect());
/// // One empty cell between a 6 and a 5: no capture, and the last die decides.
/// let stand = Duel::default().read_position(".6566ffff:B").unwrap();
/// assert_eq!(solver.value(&stand), 1);
/// ```
#[derive(Debug)]
pub struct Solver {
    duel: Duel,
    isa: Isa,
    reach: Reach,
    win: Vec<Set>,
    /// Empty where there are no draws: it would repeat `win`.
    safe: Vec<Set>,
    /// The verdicts on full boards, by which cells show a six; only the sixes rule looks at the dice.
    full: Vec<[Set; 2]>,
}

impl Solver {
    /// Above this many boards, what was solved is forgotten before something new is. No question needs as many.
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
        Self { duel: Duel { aim }, isa, reach: Reach::default(), win: Vec::new(), safe: Vec::new(), full }
    }

    /// The rules it solves under.
    #[must_use]
    pub fn duel(&self) -> &Duel {
        &self.duel
    }

    /// How many boards are solved.
    #[must_use]
    pub fn boards(&self) -> usize {
        self.reach.boards().len()
    }

    /// The bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.reach.bytes() + 64 * (self.win.capacity() + self.safe.capacity()) + 128 * self.full.capacity()
    }

    /// Solves everything below a board, if that is not done yet.
    pub fn prepare(&mut self, board: Board) {
        let root = board.canonical().0;
        if self.reach.number(root).is_some() {
            return;
        }
        if self.boards() > Self::MOST_BOARDS {
            *self = Self::new(self.duel.aim, self.isa);
        }
        let layer = self.reach.extend([root]);
        self.win.resize(self.reach.boards().len(), ALL);
        if self.draws() {
            self.safe.resize(self.reach.boards().len(), ALL);
        }
        dispatch!(self.isa.level(), simd => self.solve(simd, &layer));
    }

    fn draws(&self) -> bool {
        self.duel.aim == Aim::Sixes
    }

    #[inline(always)]
    fn solve<S: Simd>(&mut self, simd: S, layer: &Layer) {
        let draws = self.draws();
        simd.vectorize(
            #[inline(always)]
            || {
                for (number, edges) in layer.in_order_of_solving() {
                    if edges.is_empty() {
                        let [win, safe] = self.full[self.kind(self.reach.boards()[number])];
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
            },
        );
    }

    /// The index of a full board in `full`.
    fn kind(&self, board: Board) -> usize {
        let six = |cell: &grid::Cell| board.pips(*cell) == 6;
        let sixes = grid::Cell::ALL.into_iter().filter(six).fold(CellSet::EMPTY, CellSet::with);
        if self.draws() { sixes.index() } else { 0 }
    }

    /// The value for the player who moves: 1 won, 0 drawn, -1 lost.
    pub fn value(&mut self, stand: &Stand) -> i32 {
        self.prepare(stand.board());
        let (canonical, sym) = stand.board().canonical();
        let number = self.reach.number(canonical).expect("just prepared");
        let index = sym.set(stand.ours()).index();
        let has = |sets: &[Set]| sets[number][index / 64] >> (index % 64) & 1 == 1;
        if has(&self.win) {
            1
        } else if self.draws() && has(&self.safe) {
            0
        } else {
            -1
        }
    }

    /// Every move with its value for the player who makes it, as generated.
    pub fn moves(&mut self, stand: &Stand) -> Vec<(Move, i32)> {
        let duel = self.duel;
        duel.moves(stand).map(|mv| (mv, -self.value(&duel.play_unchecked(stand, mv)))).collect()
    }

    /// A move that keeps the value, the first of them; none when the game is over.
    pub fn best(&mut self, stand: &Stand) -> Option<Move> {
        let moves = self.moves(stand);
        let most = moves.iter().map(|&(_, value)| value).max()?;
        moves.into_iter().find(|&(_, value)| value == most).map(|(mv, _)| mv)
    }

    /// Everything about a position.
    pub fn analyse(&mut self, stand: &Stand) -> Analysis {
        let start = Instant::now();
        let duel = self.duel;
        let value = self.value(stand);
        let mut moves = self.moves(stand);
        moves.sort_by_key(|&(_, value)| -value);
        let (mut line, mut at) = (Vec::new(), *stand);
        while let Some(mv) = self.best(&at) {
            line.push(mv.to_string());
            at = duel.play_unchecked(&at, mv);
        }
        let mut position = String::new();
        duel.write_position(stand, &mut position).expect("writing to a string never fails");
        Analysis {
            position,
            rule: duel.aim.name(),
            mover: if duel.mover(stand) == Player::First { 'A' } else { 'B' },
            value: f64::from(value),
            exact: true,
            best: line.first().cloned(),
            moves: moves
                .into_iter()
                .map(|(mv, value)| MoveValue { text: mv.to_string(), value: f64::from(value), exact: true })
                .collect(),
            line,
            nodes: self.boards() as u64,
            seconds: start.elapsed().as_secs_f64(),
        }
    }
}

impl Analyst for Solver {
    type Rules = Duel;

    fn rules(&self) -> &Duel {
        &self.duel
    }

    fn columns(&self) -> usize {
        3
    }

    fn analyse(&mut self, stand: &Stand) -> Result<Analysis, OutOfMemory> {
        Ok(Self::analyse(self, stand))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grid::{Cell, Rng};

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

    #[test]
    fn forgetting_changes_nothing() {
        let mut solver = Solver::new(Aim::Sixes, Isa::detect());
        let stand = Duel { aim: Aim::Sixes }.read_position("5.a.6.c.2:A").unwrap();
        let known = solver.analyse(&stand);
        solver = Solver::new(Aim::Sixes, Isa::detect());
        let mut again = solver.analyse(&stand);
        again.seconds = known.seconds;
        assert_eq!(again, known);
    }
}
