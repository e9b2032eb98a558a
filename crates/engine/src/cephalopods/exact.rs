//! Exact mode: how many sequences there are, how long they are, where they end, and their sum without any modulus.
//!
//! The same graph as `scratch`, walked forwards with 128-bit counts of the ways into each board, by moves to go and by the
//! image in which the board is met. The empty board has 4 * 10^34 games, so counts and sums of single digits fit 128
//! bits; the sum of the values needs about 145 and is put together in decimal.

use super::found::{NUMBERS, ODD};
use super::graph::{Bucket, Graph, Question};
use cephalopods::kernel::ORDER;
use cephalopods::{Board, LONGEST, Moves, tables};
use grid::simd::{Isa, dispatch};
use grid::{Game, Sym};
use serde::Serialize;
use std::collections::HashMap;

/// Everything about the sequences of at most so many moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Exact {
    /// How many sequences.
    pub games: u128,
    /// The sum of the values of their final boards, in decimal.
    pub sum: String,
    /// That sum modulo 2^30: the contest's answer.
    pub sum_modulo: u32,
    /// The sum of each cell's digit over the final boards.
    pub digits: [u128; 9],
    /// How many sequences have each length, from 0 moves on.
    pub lengths: Vec<u128>,
    /// How many different final boards.
    pub final_boards: u64,
    /// The final boards and how many sequences end there, most first, equal ones by board; cut to what was asked for.
    pub finals: Vec<(String, u128)>,
}

/// Counts everything. `finals` says how many final boards to list.
#[must_use]
pub fn count(isa: Isa, board: Board, depth: u32, finals: usize) -> Exact {
    let mut ends = Ends::default();
    if depth == 0 || board.is_full() {
        ends.add(board, 0, 1);
    } else {
        let (root, sym) = board.canonical();
        let question = Question { root, depth: depth.min(LONGEST), barrier: usize::MAX };
        let mut one = [0; 8];
        one[sym.inverse().index()] = 1;
        let mut graph = Graph::default();
        dispatch!(isa.level(), simd => graph.walk(simd, question));
        let mut walk = Walk { depth: question.depth, starts: vec![0; NUMBERS], lists: Default::default(), ends };
        let ranks: Vec<&[Bucket]> = graph.buckets().chunk_by(|a, b| a.rank == b.rank).collect();
        walk.reserve(&graph, ranks[0]);
        walk.lists[root.rank() as usize & 1][0] = one;
        for (at, rank) in ranks.iter().enumerate() {
            walk.reserve(&graph, ranks.get(at + 1).copied().unwrap_or_default());
            rank.iter().for_each(|bucket| walk.add(&graph, bucket));
        }
        ends = walk.ends;
    }
    ends.into_exact(finals)
}

/// The counts on the way.
struct Walk {
    depth: u32,
    /// By a board's number: where its counts are in the list of its rank, as [`Graph::lay_out`] notes it.
    starts: Vec<u32>,
    /// By parity of the pips: the counts of the rank that comes up, and of the next.
    lists: [Vec<[u128; 8]>; 2],
    ends: Ends,
}

impl Walk {
    /// Makes room for the counts of a rank.
    fn reserve(&mut self, graph: &Graph, rank: &[Bucket]) {
        let mut slots = 0;
        for bucket in rank {
            graph.lay_out(bucket, &mut self.starts, slots);
            slots += bucket.slots;
        }
        if let Some(bucket) = rank.first() {
            let list = &mut self.lists[bucket.rank & 1];
            list.clear();
            list.resize(slots, [0; 8]);
        }
    }

    fn add(&mut self, graph: &Graph, bucket: &Bucket) {
        let Self { depth, starts, lists, ends } = self;
        let rank = bucket.rank as u32;
        for (numbers, nodes, edges) in graph.blocks(bucket) {
            let numbers: Vec<usize> = numbers.take(nodes.len()).collect();
            for (node, &number) in nodes.iter().zip(&numbers) {
                let start = starts[number];
                for captures in node.captures() {
                    let moves = bucket.moves - captures;
                    // The next move is the last one: by the depth, or because it fills the board.
                    if moves == 1 || node.is_end() {
                        let counts = lists[bucket.rank & 1][start.wrapping_add(rank + captures) as usize];
                        let board = Board::from_bits_unchecked(node.board());
                        for mv in Moves::of(board) {
                            let end = cephalopods::Contest.play_unchecked(&board, mv);
                            for image in Sym::ALL {
                                ends.add(end.map(image), *depth - moves + 1, counts[image.index()]);
                            }
                        }
                    }
                }
            }
            for edge in edges {
                let (from, to) = (starts[numbers[edge.whose()]], starts[edge.child()]);
                let parity = usize::from(edge.child() >= ODD);
                let going_on = nodes[edge.whose()].ways() & bucket.going_on();
                for captures in (0..32).filter(|captures| going_on >> captures & 1 == 1) {
                    let counts = lists[bucket.rank & 1][from.wrapping_add(rank + captures) as usize];
                    let to = &mut lists[parity][to.wrapping_add(rank + captures + 1) as usize];
                    for image in 0..8 {
                        to[ORDER.0[edge.sym()][image] as usize] += counts[image];
                    }
                }
            }
        }
    }
}

#[derive(Default)]
struct Ends {
    boards: HashMap<u32, u128>,
    lengths: Vec<u128>,
}

impl Ends {
    fn add(&mut self, board: Board, length: u32, ways: u128) {
        if ways > 0 {
            *self.boards.entry(board.bits()).or_default() += ways;
            self.lengths.resize(self.lengths.len().max(length as usize + 1), 0);
            self.lengths[length as usize] += ways;
        }
    }

    fn into_exact(self, finals: usize) -> Exact {
        let (mut games, mut digits) = (0, [0; 9]);
        for (&bits, &ways) in &self.boards {
            games += ways;
            let cells = Board::from_bits_unchecked(bits).cells();
            (0..9).for_each(|cell| digits[cell] += ways * u128::from(cells[cell]));
        }
        let sum_modulo = self.boards.iter().fold(0u32, |sum, (&bits, &ways)| {
            sum.wrapping_add((ways as u32).wrapping_mul(tables::value_images(bits)[0]))
        });
        let final_boards = self.boards.len() as u64;
        let mut list: Vec<_> =
            self.boards.into_iter().map(|(bits, ways)| (Board::from_bits_unchecked(bits).to_string(), ways)).collect();
        list.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        list.truncate(finals);
        Exact {
            games,
            sum: decimal(&digits),
            sum_modulo: sum_modulo & ((1 << 30) - 1),
            digits,
            lengths: self.lengths,
            final_boards,
            finals: list,
        }
    }
}

/// `digits[0] * 10^8 + ... + digits[8]` in decimal: schoolbook addition of shifted decimals.
fn decimal(digits: &[u128; 9]) -> String {
    let mut places = vec![0u32; 64];
    for (cell, digit) in digits.iter().enumerate() {
        let mut rest = *digit;
        let mut place = 8 - cell;
        while rest > 0 {
            places[place] += (rest % 10) as u32;
            rest /= 10;
            place += 1;
        }
    }
    for place in 0..places.len() - 1 {
        places[place + 1] += places[place] / 10;
        places[place] %= 10;
    }
    let text: String = places.iter().rev().map(|place| char::from(b'0' + *place as u8)).collect();
    let shown = text.trim_start_matches('0');
    if shown.is_empty() { "0".into() } else { shown.into() }
}
