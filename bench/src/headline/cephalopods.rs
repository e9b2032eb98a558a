//! Cephalopods: answers of the contest a second.

use super::{Contest, Role, contender};
use cephalopods::Board;
use engine::Control;
use engine::cephalopods::{Cache, PathSum};
use grid::simd::Isa;
use oracle::cephalopods as naive;
use std::collections::HashMap;
use std::hint::black_box;

/// The ninth test of the contest: the naive model, which remembers what it has seen, answers it in a moment too.
const CELLS: [u8; 9] = [0, 0, 4, 0, 2, 4, 1, 3, 4];
const DEPTH: u32 = 40;
const ANSWER: u64 = 521_112_022;
const UNLIMITED: &str = "nothing stops the call";

pub(super) fn contests(isa: Isa) -> Vec<Contest> {
    let board = Board::from_cells(CELLS).unwrap_or_default();
    let mut cache = Cache::new(isa);
    let mut path_sum = PathSum::new(isa);
    let contenders = vec![
        contender("naive model with a memory", Role::Naive, 1, ANSWER, || {
            u64::from(naive::tally(black_box(&CELLS), DEPTH, &mut HashMap::new()).sum())
        }),
        contender("write-up, depth first with a cache", Role::WriteUp, 1, ANSWER, move || {
            u64::from(cache.sum(black_box(board), DEPTH, &Control::new()).expect(UNLIMITED))
        }),
        contender("every board once", Role::Ours, 1, ANSWER, move || {
            u64::from(path_sum.sum(black_box(board), DEPTH, &Control::new()).expect(UNLIMITED))
        }),
    ];
    vec![Contest { game: "Cephalopods", items: "answers of the contest's ninth test", contenders }]
}
