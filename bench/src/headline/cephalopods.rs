//! Cephalopods: answers to a contest test per second.

use super::{Contest, Role, contender};
use cephalopods::Board;
use engine::Control;
use engine::cephalopods::{Cache, PathSum};
use grid::simd::Isa;
use oracle::cephalopods as naive;
use std::collections::HashMap;
use std::hint::black_box;

/// The ninth test of the contest. The naive model with memoisation can answer it too.
const CELLS: [u8; 9] = [0, 0, 4, 0, 2, 4, 1, 3, 4];
const DEPTH: u32 = 40;
const ANSWER: u64 = 521_112_022;

pub(super) fn contests(isa: Isa) -> Vec<Contest> {
    let board = Board::from_cells(CELLS).expect("digits from 0 to 6");
    let mut cache = Cache::new(isa);
    let mut path_sum = PathSum::new(isa);
    let contenders = vec![
        contender("naive model with memoisation", Role::Naive, 1, ANSWER, || {
            u64::from(naive::tally(black_box(&CELLS), DEPTH, &mut HashMap::new()).sum())
        }),
        contender("published, depth first with a cache", Role::WriteUp, 1, ANSWER, move || {
            cache.sum(black_box(board), DEPTH, &Control::new()).map_or(0, u64::from)
        }),
        contender("path sum, each board once", Role::Ours, 1, ANSWER, move || {
            path_sum.sum(black_box(board), DEPTH, &Control::new()).map_or(0, u64::from)
        }),
    ];
    vec![Contest { game: "Cephalopods", items: "answers of the contest's ninth test", contenders }]
}
