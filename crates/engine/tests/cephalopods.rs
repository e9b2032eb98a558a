//! The engines of Cephalopods against the vectors, the naive model and each other.

use cephalopods::{Board, Contest};
use grid::simd::Isa;
use grid::{Notation, Rng};
use ninefold_engine::cephalopods::table::{self, Table};
use ninefold_engine::cephalopods::{Cache, Scratch, exact};
use oracle::cephalopods::vectors;
use std::collections::HashMap;

fn board(text: &str) -> Board {
    Contest.read_position(text).unwrap()
}

fn emulated() -> bool {
    std::env::var_os("NINEFOLD_EMULATED").is_some()
}

/// Any board at all, more often with many dice so that questions stay small, and any depth.
fn question(rng: &mut Rng) -> (Board, u32) {
    let empty = rng.below(3);
    let cells = std::array::from_fn(|_| if rng.below(9) < empty { 0 } else { rng.below(7) as u8 });
    (Board::from_cells(cells).unwrap(), rng.below(64))
}

#[test]
fn scratch_gives_every_vector() {
    let mut scratch = Scratch::new(Isa::detect());
    let mut checked = 0;
    for vector in vectors::load().all() {
        // The boards of one die are 2160 large questions: every seventh depth of every board.
        if vector.name.starts_with("one die") && (vector.depth % 7 != 3 || emulated()) {
            continue;
        }
        assert_eq!(scratch.sum(board(&vector.board), vector.depth), vector.expected, "{vector:?}");
        checked += 1;
    }
    assert!(checked > 400);
    assert!(scratch.bytes() < 256 << 20, "{} bytes", scratch.bytes());
}

#[test]
fn every_instruction_set_gives_the_official_answers() {
    for isa in Isa::available() {
        let (mut scratch, mut cache) = (Scratch::new(isa), Cache::new(isa));
        for vector in vectors::load().official_public_tests {
            assert_eq!(scratch.sum(board(&vector.board), vector.depth), vector.expected, "scratch {isa} {vector:?}");
            if !emulated() || vector.depth < 20 {
                assert_eq!(cache.sum(board(&vector.board), vector.depth), vector.expected, "cache {isa} {vector:?}");
            }
        }
    }
}

#[test]
fn the_three_engines_agree_on_random_questions() {
    // The write-up's cache takes seconds for a board of few pips and a great depth, so those are left to the vectors.
    let (seed, count, from) = (3, if emulated() { 100 } else { 2000 }, 28);
    let mut rng = Rng::new(seed);
    let mut questions: Vec<Vec<(Board, u32, u32)>> = vec![Vec::new(); 55];
    let (mut scratch, mut cache) = (Scratch::new(Isa::detect()), Cache::new(Isa::detect()));
    for number in 0..count {
        let (board, depth) = question(&mut rng);
        if board.rank() < from {
            continue;
        }
        let sum = scratch.sum(board, depth);
        assert_eq!(cache.sum(board, depth), sum, "seed {seed}, question {number}: {board} {depth}");
        questions[board.rank() as usize].push((board, depth, sum));
    }
    // The table is the whole table, but only one rank of it is kept at a time.
    let mut compared = 0;
    let built =
        table::build(Isa::detect(), 2, table::ALL_RANKS << from & table::ALL_RANKS, &mut |_, _| {}, &mut |slab| {
            let entries: HashMap<u32, (u32, u8)> =
                slab.boards.iter().copied().zip(slab.entries.iter().copied()).collect();
            for &(board, depth, sum) in &questions[slab.rank as usize] {
                let (canonical, sym) = board.canonical();
                let Some(&(start, length)) = entries.get(&canonical.bits()).filter(|_| depth > 0) else { continue };
                let entry = slab.values[(start + depth.min(u32::from(length)) - 1) as usize];
                assert_eq!(entry[sym.inverse().index()] & ((1 << 30) - 1), sum, "seed {seed}: {board} {depth}");
                compared += 1;
            }
            Ok::<(), ()>(())
        });
    assert!(built.is_ok());
    assert!(compared * 8 > count, "{compared}");
}

#[test]
fn a_table_file_answers_and_stops_questions_from_below() {
    let folder = std::env::temp_dir().join(format!("ninefold-table-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("table");
    let ranks = 1 << 33 | 1 << 37 | 1 << 40;
    let mut last = (0, 0);
    let built = table::write(&path, Isa::detect(), 2, ranks, &mut |done, all| last = (done, all)).unwrap();
    assert_eq!(last.0, last.1);
    let table = Table::open(&path, true).unwrap();
    assert_eq!((table.ranks(), table.size()), (ranks, built));
    let mut scratch = Scratch::new(Isa::detect());
    let mut rng = Rng::new(5);
    let mut looked_up = 0;
    for _ in 0..3000 {
        let (board, depth) = question(&mut rng);
        let sum = scratch.sum(board, depth);
        assert_eq!(table.sum(&mut scratch, board, depth), sum, "{board} {depth}");
        looked_up += u32::from(depth > 0 && !board.is_full() && table.lookup(board, depth).is_some());
    }
    assert!(looked_up > 20, "{looked_up}");
    // A flipped bit and a lost end are both refused.
    let whole = std::fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    assert!(Table::from_bytes(&path, flipped).unwrap_err().to_string().contains("checksum"));
    let cut = whole[..whole.len() - 40].to_vec();
    assert!(Table::from_bytes(&path, cut).unwrap_err().to_string().contains("damaged"));
    drop(table);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn exact_counts_are_exact() {
    for vector in vectors::load().all().iter().filter(|vector| vector.paths.is_some()) {
        if emulated() && vector.depth > 8 || vector.name.starts_with("empty") && vector.depth > 22 {
            continue;
        }
        let exact = exact::count(Isa::detect(), board(&vector.board), vector.depth, 3);
        assert_eq!(Some(exact.games.to_string()), vector.paths, "{vector:?}");
        assert_eq!(exact.sum_modulo, vector.expected, "{vector:?}");
        assert!(vector.exact_sum.as_ref().is_none_or(|sum| *sum == exact.sum), "{vector:?}");
        assert!(vector.unique_final.is_none_or(|count| count == exact.final_boards), "{vector:?}");
        assert_eq!(exact.lengths.iter().sum::<u128>(), exact.games);
    }
}
