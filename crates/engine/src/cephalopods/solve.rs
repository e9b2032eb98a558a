//! The two-player game solved backwards: for each canonical board, the set of all ways to own its dice that win.
//!
//! Who owns what matters only to the end, so the graph is the contest's: below each board hangs one bit per subset of
//! its dice (the mover's), 512 bits at most. A move turns the mover's set `m` into the opponent's set
//! `occupied - captured - m`: the new die is the mover's, whoever owned the dice it captured.

use super::graph::Graph;
use cephalopods::kernel::images;
use cephalopods::{Aim, Board, Duel, LONGEST, Move, Stand};
use grid::simd::{Isa, dispatch};
use grid::{CellSet, Game, Sym};
use serde::Serialize;

/// What a position is worth to the player who moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Worth {
    /// The opponent wins against any play.
    Lost,
    /// Neither can win against best play.
    Drawn,
    /// The mover wins against any play.
    Won,
}

impl Worth {
    /// The same position for the other player.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Lost => Self::Won,
            Self::Drawn => Self::Drawn,
            Self::Won => Self::Lost,
        }
    }

    fn of(result: i32) -> Self {
        match result {
            1.. => Self::Won,
            0 => Self::Drawn,
            _ => Self::Lost,
        }
    }
}

/// A position and all its moves, solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Solution {
    /// What the position is worth to the player who moves; of a full board, to the player who would.
    pub worth: Worth,
    /// Every legal move and its worth to the mover, best first, equal ones in the order of the rules.
    pub moves: Vec<(String, Worth)>,
    /// How many canonical boards were solved, each for all owners of its dice.
    pub boards: u64,
}

/// 512 bits: for each subset of the cells, whether its owner wins (or does not lose) when moving.
type Sets = [u64; 8];

fn has(sets: &Sets, set: CellSet) -> bool {
    sets[set.index() / 64] >> (set.index() % 64) & 1 != 0
}

/// The boards below one board, solved for one aim.
#[derive(Debug)]
pub struct Solver {
    aim: Aim,
    graph: Graph,
    /// By rank and dice, by number: who wins, and who does not lose.
    solved: Vec<[Vec<[Sets; 2]>; 9]>,
    root: Board,
}

impl Solver {
    /// Solves every position that `board` can lead to, whoever owns its dice. At most half a million boards, 70 MB.
    #[must_use]
    pub fn new(isa: Isa, aim: Aim, board: Board) -> Self {
        let root = board.canonical().0;
        let mut solver = Self { aim, graph: Graph::default(), solved: Vec::new(), root };
        if !root.is_full() {
            dispatch!(isa.level(), simd => solver.graph.explore(simd, root, LONGEST, usize::MAX));
            solver.solve_all();
        }
        solver
    }

    fn solve_all(&mut self) {
        self.solved.resize_with(56, Default::default);
        for rank in (self.graph.first_rank..=self.graph.last_rank).rev() {
            for dice in 0..9 {
                let bucket = self.graph.bucket(rank, dice);
                let mut edges = &bucket.edges[..];
                let mut solved = Vec::with_capacity(bucket.nodes.len());
                for node in &bucket.nodes {
                    let (own, rest) = edges.split_at(node.edges());
                    edges = rest;
                    let children = own.iter().map(|edge| {
                        let (rank, dice) =
                            if edge.kind() == 0 { (rank + 1, dice + 1) } else { (rank, dice - edge.kind()) };
                        (&self.solved[rank][dice][edge.child()], Sym::ALL[edge.sym()])
                    });
                    solved.push(self.solve(Board::from_bits_unchecked(node.board()), children));
                }
                self.solved[rank][dice] = solved;
            }
        }
    }

    /// All subsets of one board's dice.
    fn solve<'a>(&self, board: Board, children: impl Iterator<Item = (&'a [Sets; 2], Sym)>) -> [Sets; 2] {
        let occupied = board.occupied();
        let (mut wins, mut holds) = ([0; 8], [0; 8]);
        let mut steps = images::steps(board.bits());
        let mut any_child = false;
        for ((child, sym), mv) in children.zip(steps.by_ref()) {
            any_child = true;
            let [they_win, they_hold] = child;
            let left = occupied - mv.captured();
            each_subset(occupied, |ours| {
                let theirs = sym.set(left - ours);
                let bit = 1 << (ours.index() % 64);
                if !has(they_hold, theirs) {
                    wins[ours.index() / 64] |= bit;
                }
                if !has(they_win, theirs) {
                    holds[ours.index() / 64] |= bit;
                }
            });
        }
        if !any_child && let Some(mv) = images::steps(board.bits()).next() {
            // The one move fills the board.
            let end = cephalopods::Contest.play_unchecked(&board, mv);
            each_subset(occupied, |ours| {
                let result = self.aim.judge(end, ours.with(mv.cell()));
                wins[ours.index() / 64] |= u64::from(result > 0) << (ours.index() % 64);
                holds[ours.index() / 64] |= u64::from(result >= 0) << (ours.index() % 64);
            });
        }
        [wins, holds]
    }

    /// What a position is worth to its mover, if its board is one of those solved.
    #[must_use]
    pub fn worth(&self, stand: &Stand) -> Option<Worth> {
        let (board, sym) = stand.board().canonical();
        if board.is_full() {
            return Some(Worth::of(self.aim.judge(stand.board(), stand.ours())));
        }
        let (rank, dice) = (board.rank() as usize, board.dice() as usize);
        let nodes = &self.graph.bucket_checked(rank, dice)?.nodes;
        let number = nodes.iter().position(|node| node.board() == board.bits())?;
        let [wins, holds] = &self.solved[rank][dice][number];
        let ours = sym.set(stand.ours());
        Some(match (has(wins, ours), has(holds, ours)) {
            (true, _) => Worth::Won,
            (_, true) => Worth::Drawn,
            _ => Worth::Lost,
        })
    }

    /// The position and each of its moves, if its board is one of those solved.
    #[must_use]
    pub fn solution(&self, stand: &Stand) -> Option<Solution> {
        let duel = Duel { aim: self.aim };
        let mut moves: Vec<(Move, Worth)> = Vec::new();
        for mv in duel.moves(stand) {
            moves.push((mv, self.worth(&duel.play_unchecked(stand, mv))?.reversed()));
        }
        // A stable sort: equal moves stay in the order of the rules.
        moves.sort_by_key(|&(_, worth)| std::cmp::Reverse(worth));
        let moves = moves.into_iter().map(|(mv, worth)| (mv.to_string(), worth)).collect();
        let boards = if self.root.is_full() { 0 } else { self.graph.size().boards };
        Some(Solution { worth: self.worth(stand)?, moves, boards })
    }
}

fn each_subset(of: CellSet, mut each: impl FnMut(CellSet)) {
    let mut set = of.bits();
    loop {
        each(CellSet::from_bits(set));
        if set == 0 {
            return;
        }
        set = (set - 1) & of.bits();
    }
}

/// Solves one position.
#[must_use]
pub fn solve(isa: Isa, aim: Aim, stand: &Stand) -> Solution {
    let solver = Solver::new(isa, aim, stand.board());
    let unsolved = Solution { worth: Worth::Drawn, moves: Vec::new(), boards: 0 };
    // The root and its children are always among the boards solved.
    solver.solution(stand).unwrap_or(unsolved)
}
