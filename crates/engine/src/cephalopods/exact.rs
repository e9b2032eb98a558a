//! Exact mode: how many sequences there are, how long they are, where they end, and their sum without any modulus.
//!
//! The same graph as `scratch`, walked forwards with 128-bit counts of the ways into each board, by moves to go and by the
//! image in which the board is met. The empty board has 4 * 10^34 games, so counts and sums of single digits fit 128
//! bits; the sum of the values needs about 145 and is put together in decimal.

use super::graph::{Bucket, Graph, Question, Targets, Window};
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
        let question = Question { root, depth: depth.min(LONGEST), barrier: usize::MAX, lengths: true };
        let mut walk = Walk { depth: question.depth, lists: Default::default(), ends };
        let mut one = [0; 8];
        one[sym.inverse().index()] = 1;
        walk.lists[root.rank() as usize & 1][root.dice() as usize].push(one);
        let mut visit = |bucket: &Bucket, targets: Targets<'_>| walk.add(bucket, targets);
        let mut window = Window::default();
        let mut sink = |bucket| window.add(bucket, &mut visit);
        dispatch!(isa.level(), simd => Graph::default().walk(simd, question, &mut sink));
        ends = walk.ends;
    }
    ends.into_exact(finals)
}

/// The counts on the way, as `scratch` has them.
struct Walk {
    depth: u32,
    lists: [[Vec<[u128; 8]>; 9]; 2],
    ends: Ends,
}

impl Walk {
    fn add(&mut self, bucket: &Bucket, targets: Targets<'_>) {
        let list = std::mem::take(&mut self.lists[bucket.rank & 1][bucket.dice]);
        for target in targets.into_iter().flatten() {
            self.lists[target.rank & 1][target.dice].resize(target.slots, [0; 8]);
        }
        let (mut edges, mut slots) = (bucket.edges.iter(), &list[..]);
        for node in &bucket.nodes {
            let skipped = node.ways.trailing_zeros();
            let (own, rest) = slots.split_at((32 - node.ways.leading_zeros() - skipped) as usize);
            slots = rest;
            let occurs = || own.iter().zip(skipped..).filter(|(_, captures)| node.ways >> captures & 1 == 1);
            for (counts, captures) in occurs() {
                let moves = bucket.moves - captures;
                // The next move is the last one: by the depth, or because it fills the board.
                if moves == 1 || node.edges() == 0 {
                    let board = Board::from_bits_unchecked(node.board());
                    for mv in Moves::of(board) {
                        let end = cephalopods::Contest.play_unchecked(&board, mv);
                        for image in Sym::ALL {
                            self.ends.add(end.map(image), self.depth - moves + 1, counts[image.index()]);
                        }
                    }
                }
            }
            for edge in edges.by_ref().take(node.edges()) {
                let Some(target) = targets[edge.kind()] else { continue };
                let list = &mut self.lists[target.rank & 1][target.dice];
                for (from, captures) in occurs().filter(|(_, captures)| bucket.moves - captures > 1) {
                    let captures = captures + u32::from(edge.kind() != 0);
                    let to = &mut list[target.starts[edge.child()].wrapping_add(captures) as usize];
                    for image in 0..8 {
                        to[ORDER[edge.sym()][image] as usize] += from[image];
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
