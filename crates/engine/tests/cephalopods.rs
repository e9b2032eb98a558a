//! The engines of Cephalopods against the vectors, the naive model and each other.

use cephalopods::{Board, Contest, tables};
use grid::simd::Isa;
use grid::{Notation, Rng};
use ninefold_engine::cephalopods::table::{self, Table};
use ninefold_engine::cephalopods::{Cache, PathSum, QuestionError, SumEngine, exact, heat};
use ninefold_engine::{Control, Error, Progress, Stop};
use oracle::cephalopods::vectors;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

fn board(text: &str) -> Board {
    Contest.read_position(text).unwrap()
}

fn control() -> Control<'static> {
    Control::new()
}

fn emulated() -> bool {
    std::env::var_os("NINEFOLD_EMULATED").is_some()
}

/// Any board, more often with many dice so that questions stay small, and any depth.
fn question(rng: &mut Rng) -> (Board, u32) {
    let empty = rng.below(3);
    let cells = std::array::from_fn(|_| if rng.below(9) < empty { 0 } else { rng.below(7) as u8 });
    (Board::from_cells(cells).unwrap(), rng.below(64))
}

#[test]
fn path_sum_gives_every_vector() {
    let mut path_sum = PathSum::new(Isa::detect());
    let mut checked = 0;
    for vector in vectors::load().all() {
        // The boards of one die are 2160 large questions: every seventh depth of every board.
        if vector.name.starts_with("one die") && (vector.depth % 7 != 3 || emulated()) {
            continue;
        }
        assert_eq!(
            path_sum.sum(board(&vector.board), vector.depth, &control()).unwrap(),
            vector.expected,
            "{vector:?}"
        );
        checked += 1;
    }
    assert!(checked > 400);
}

#[test]
fn every_instruction_set_gives_the_official_answers() {
    for isa in Isa::available() {
        let (mut path_sum, mut cache) = (PathSum::new(isa), Cache::new(isa));
        for vector in vectors::load().official_public_tests {
            assert_eq!(
                path_sum.sum(board(&vector.board), vector.depth, &control()).unwrap(),
                vector.expected,
                "path sum {isa} {vector:?}"
            );
            if !emulated() || vector.depth < 20 {
                assert_eq!(
                    cache.sum(board(&vector.board), vector.depth, &control()).unwrap(),
                    vector.expected,
                    "cache {isa} {vector:?}"
                );
            }
        }
    }
}

/// A board of few pips: the large questions.
fn large_question(rng: &mut Rng) -> (Board, u32) {
    let cells = std::array::from_fn(|_| if rng.below(2) == 0 { 0 } else { rng.below(4) as u8 });
    (Board::from_cells(cells).unwrap(), rng.below(64))
}

/// All boards are equally likely. Where the write-up's cache would take long, the depth is small.
fn any_question(rng: &mut Rng) -> (Board, u32) {
    let board = Board::from_cells(std::array::from_fn(|_| rng.below(7) as u8)).unwrap();
    (board, rng.below(if board.rank() < 26 { 11 } else { 41 }))
}

/// 10,000 questions for all three engines. The table is compared while it is built; another test reads it back from a file.
/// 20 large questions, for which the write-up's cache is too slow, go to the other two.
#[test]
fn the_three_engines_agree_on_ten_thousand_random_questions() {
    let (seed, count) = (3, if emulated() { 100 } else { 10_000 });
    let mut rng = Rng::new(seed);
    // By rank, then by canonical board.
    type Asked = HashMap<u32, Vec<(Board, u32, u32)>>;
    let mut questions: Vec<Asked> = vec![HashMap::new(); 55];
    let (mut path_sum, mut cache) = (PathSum::new(Isa::detect()), Cache::new(Isa::detect()));
    let (mut low_ranks, mut looked_up) = (0, 0);
    for number in 0..count + 20 {
        let (board, depth) = if number < count { any_question(&mut rng) } else { large_question(&mut rng) };
        let sum = path_sum.sum(board, depth, &control()).unwrap();
        if number < count {
            assert_eq!(
                cache.sum(board, depth, &control()).unwrap(),
                sum,
                "seed {seed}, question {number}: {board} {depth}"
            );
        }
        low_ranks += u32::from(board.rank() < 14);
        if depth > 0 && !board.is_full() {
            let boards = &mut questions[board.rank() as usize];
            boards.entry(board.canonical().0.bits()).or_default().push((board, depth, sum));
            looked_up += 1;
        } else {
            assert_eq!(sum, board.value() & ((1 << 30) - 1));
        }
    }
    assert!(emulated() || low_ranks >= 8, "{low_ranks}");
    // All ranks of the table are built, and one at a time is in memory.
    let mut compared = 0;
    let mut longest = [[0; 9]; 55];
    let lowest = if emulated() { 33 } else { 0 };
    let ranks = table::ALL_RANKS >> lowest << lowest;
    let built = table::build(Isa::detect(), ranks, &control().threads(2), &mut |slab| {
        let rank = slab.rank as usize;
        for (&canonical, &(start, length)) in slab.boards.iter().zip(&slab.entries) {
            let dice = Board::from_bits(canonical).unwrap().dice() as usize;
            longest[rank][dice] = length.max(longest[rank][dice]);
            for &(board, depth, sum) in questions[rank].get(&canonical).into_iter().flatten() {
                let entry = slab.values[(start + depth.min(u32::from(length)) - 1) as usize];
                let sym = board.canonical().1;
                assert_eq!(entry[sym.inverse().index()] & ((1 << 30) - 1), sum, "seed {seed}: {board} {depth}");
                compared += 1;
            }
        }
        Ok::<(), Error>(())
    });
    if !emulated() {
        assert_eq!(built.unwrap(), table::Built { boards: 3_821_146, entries: 52_270_419 });
        assert_eq!(compared, looked_up);
    }
    // The longest sequences of moves that the path sum assumes are those of the table.
    assert_eq!(longest[lowest..], tables::LONGEST_BY_DICE[lowest..]);
}

#[test]
fn a_table_file_answers_and_stops_questions_from_below() {
    let folder = std::env::temp_dir().join(format!("ninefold-table-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("table");
    let ranks = 1 << 33 | 1 << 37 | 1 << 40;
    let most = AtomicU64::new(0);
    let hear = |progress: &Progress<'_>| {
        assert!(progress.done <= progress.total);
        most.fetch_max(progress.total, Ordering::Relaxed);
    };
    let built = table::write(&path, Isa::detect(), ranks, &control().threads(2).progress(&hear)).unwrap();
    assert!(most.into_inner() > built.boards);
    let table = Table::open(&path).unwrap();
    table.verify(&control()).unwrap();
    let stopped = table.verify(&control().time_limit(std::time::Duration::ZERO));
    assert!(matches!(stopped, Err(Error::Stopped(Stop::Time))));
    assert_eq!((table.ranks(), table.size()), (ranks, built));
    let mut path_sum = PathSum::new(Isa::detect());
    let mut rng = Rng::new(5);
    let mut looked_up = 0;
    let mut asked = Vec::new();
    for _ in 0..3000 {
        let (board, depth) = question(&mut rng);
        let sum = path_sum.sum(board, depth, &control()).unwrap();
        assert_eq!(table.sum(&mut path_sum, board, depth, &control()).unwrap(), sum, "{board} {depth}");
        if depth > 0 && !board.is_full() && table.lookup(board, depth).unwrap().is_some() {
            asked.push((board, depth, sum));
            looked_up += 1;
        }
    }
    assert!(looked_up > 20, "{looked_up}");
    let together: Vec<_> = asked.iter().map(|&(board, depth, _)| (board, depth)).collect();
    let sums: Vec<_> = asked.iter().map(|&(.., sum)| Some(sum)).collect();
    assert_eq!(table.lookup_all(&together).unwrap(), sums);
    // Reading the whole file finds a flipped bit. A lost end is always found.
    let whole = std::fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let refused = Table::from_bytes(&path, flipped).unwrap().verify(&control()).unwrap_err();
    assert!(refused.to_string().contains("checksum of the body"), "{refused}");
    for end in [whole.len() - 40, whole.len() - 1, 100, 31, 0] {
        assert!(Table::from_bytes(&path, whole[..end].to_vec()).is_err(), "{end}");
    }
    // Without reading the whole file, no answer comes from a damaged block: it is right, or an error.
    let mut refused = 0;
    for _ in 0..if emulated() { 3 } else { 40 } {
        let mut bytes = whole.clone();
        // Every block of the values and of the index is damaged with some probability. The file still opens.
        for _ in 0..bytes.len() / 40_000 {
            let at = 32 + rng.below(bytes.len() as u32 - 64 - bytes.len() as u32 / 1000) as usize;
            bytes[at] ^= 1 << rng.below(8);
        }
        let table = Table::from_bytes(&path, bytes).unwrap();
        for &(board, depth, sum) in &asked {
            match table.lookup(board, depth) {
                Ok(answer) => assert_eq!(answer, Some(sum), "{board} {depth}"),
                Err(error) => {
                    assert!(error.to_string().contains("damaged"), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 0);
    // An index that points behind the end of the file is damaged, even if its blocks have the right sums.
    let (starts, words) = (32 * built.entries as usize, 32 * built.entries as usize + 5 * built.boards as usize);
    let summed = words + 16 * 40_353_607_usize.div_ceil(64);
    for behind in [40 * 128, 1 << 31] {
        let mut bytes = whole.clone();
        let (body, sums) = bytes[32..].split_at_mut(summed);
        let wrong = ((summed / 32) as u32 + behind).to_le_bytes();
        body[starts..starts + 4 * built.boards as usize].as_chunks_mut::<4>().0.fill(wrong);
        for (block, sum) in body.chunks(4096).zip(sums.as_chunks_mut::<4>().0) {
            *sum = crc32fast::hash(block).to_le_bytes();
        }
        let table = Table::from_bytes(&path, bytes).unwrap();
        let (board, depth, _) = asked[0];
        let refused = table.lookup(board, depth).unwrap_err().to_string();
        assert!(refused.contains("damaged"), "{refused}");
    }
    drop(table);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Another program may cut a file short while it is mapped. The next question gets an error; the process goes on.
#[test]
fn a_table_that_is_cut_while_it_is_open_is_an_error() {
    let folder = std::env::temp_dir().join(format!("ninefold-cut-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("table");
    table::write(&path, Isa::detect(), 1 << 40, &control()).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    let mut rng = Rng::new(8);
    let (board, depth) = std::iter::repeat_with(|| question(&mut rng)).find(|(board, _)| board.rank() == 40).unwrap();
    let mut path_sum = PathSum::new(Isa::detect());
    let sum = path_sum.sum(board, depth, &control()).unwrap();
    for length in [0, 31, 4096, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole).unwrap();
        let table = Table::open(&path).unwrap();
        assert_eq!(table.sum(&mut path_sum, board, depth, &control()).unwrap(), sum);
        file.set_len(length as u64).unwrap();
        let message = format!("damaged: {length} bytes instead of {}", whole.len());
        let errors = [
            table.sum(&mut path_sum, board, depth, &control()).unwrap_err().to_string(),
            table.lookup_all(&[(board, depth)]).unwrap_err().to_string(),
            table.verify(&control()).unwrap_err().to_string(),
        ];
        for error in errors {
            // `verify` reads the header first.
            assert!(error.contains(&message) || length < 32 && error.contains("whole buffer"), "{error}");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_table_that_cannot_be_written_says_so_and_leaves_nothing() {
    let folder = std::env::temp_dir().join(format!("ninefold-unwritable-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("file"), "no folder").unwrap();
    for path in [folder.join("missing").join("table"), folder.join("file").join("table"), folder.clone()] {
        let error = table::write(&path, Isa::detect(), 1 << 48, &control()).unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()), "{error}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "{error}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn path_sum_stays_below_its_memory_on_every_question() {
    // The boards of each rank that reach most, and two that start with many dice.
    let boards = ["000000000", "000010110", "100111110", "211101111", "131201112", "111101111", "110111111"];
    let depths = if emulated() { &[10][..] } else { &[20, 40, 47, 61, u32::MAX][..] };
    for text in boards {
        for &depth in depths {
            // A new engine for each question, so that the memory of one does not hide that of another.
            let (mut one, mut two) = (PathSum::new(Isa::detect()), PathSum::new(Isa::detect()));
            let threads = control().threads(2);
            let sum = one.sum(board(text), depth, &control()).unwrap();
            // With two threads as well: at depth 40 and 47 the levels are large enough for the second.
            assert_eq!(sum, two.sum(board(text), depth, &threads).unwrap(), "{text} {depth}");
            for engine in [&one, &two] {
                assert!(engine.bytes() <= 64_000_000, "{text} {depth}: {} bytes", engine.bytes());
            }
            assert!(depth < 61 || sum == two.sum(board(text), 61, &threads).unwrap(), "{text}: no sequence is longer");
        }
    }
}

#[test]
fn exact_counts_are_exact() {
    for vector in vectors::load().all().iter().filter(|vector| vector.paths.is_some()) {
        if emulated() && vector.depth > 8 || vector.name.starts_with("empty") && vector.depth > 22 {
            continue;
        }
        let exact = exact::count(board(&vector.board), vector.depth, 3, &control()).unwrap();
        assert_eq!(Some(exact.games.to_string()), vector.paths, "{vector:?}");
        assert_eq!(exact.sum_modulo, vector.expected, "{vector:?}");
        assert!(vector.exact_sum.as_ref().is_none_or(|sum| *sum == exact.sum()), "{vector:?}");
        assert!(vector.unique_final.is_none_or(|count| count == exact.final_boards), "{vector:?}");
        assert_eq!(exact.lengths.iter().sum::<u128>(), exact.games);
    }
}

#[test]
fn exact_counts_list_the_most_frequent_final_boards() {
    let all = exact::count(board("051000401"), 7, usize::MAX, &control()).unwrap();
    assert_eq!(all.finals.len() as u64, all.final_boards);
    assert_eq!(all.finals.iter().map(|(_, count)| count).sum::<u128>(), all.games);
    assert!(all.finals.is_sorted_by(|a, b| (b.1, a.0.value()) < (a.1, b.0.value())));
    for finals in [0, 1, 10] {
        let some = exact::count(board("051000401"), 7, finals, &control()).unwrap();
        assert_eq!(some.finals, all.finals[..finals]);
    }
}

#[test]
fn many_questions_have_the_answers_of_each() {
    let mut rng = Rng::new(11);
    let questions: Vec<_> = (0..50).map(|_| question(&mut rng)).collect();
    let mut path_sum = PathSum::new(Isa::detect());
    let each: Vec<u32> =
        questions.iter().map(|&(board, depth)| path_sum.sum(board, depth, &control()).unwrap()).collect();
    for mut engine in [SumEngine::Scratch(path_sum), SumEngine::Cache(Cache::new(Isa::detect()))] {
        assert_eq!(engine.sums(&questions, &control()).unwrap(), each);
    }
}

#[test]
fn a_stopped_engine_gives_right_answers_afterwards() {
    let (hard, depth) = (board("000010110"), 20);
    let sum = PathSum::new(Isa::detect()).sum(hard, depth, &control()).unwrap();
    let (mut path_sum, mut cache) = (PathSum::new(Isa::detect()), Cache::new(Isa::detect()));
    for nodes in [0, 1, 1000, 5000, 20_000] {
        let limited = || control().node_limit(nodes);
        for stopped in [path_sum.sum(hard, depth, &limited()), cache.sum(hard, depth, &limited())] {
            assert!(matches!(stopped, Err(Error::Stopped(Stop::Nodes))), "{stopped:?}");
        }
        let counted = exact::count(hard, depth, 3, &limited());
        assert!(matches!(counted, Err(Error::Stopped(Stop::Nodes))));
        assert_eq!(path_sum.sum(board("051000401"), 5, &control()).unwrap(), {
            PathSum::new(Isa::detect()).sum(board("051000401"), 5, &control()).unwrap()
        });
    }
    assert_eq!(path_sum.sum(hard, depth, &control()).unwrap(), sum);
    assert_eq!(
        cache.sum(board("051000401"), 20, &control()).unwrap(),
        path_sum.sum(board("051000401"), 20, &control()).unwrap()
    );
}

#[test]
fn a_stopped_build_leaves_no_file() {
    let folder = std::env::temp_dir().join(format!("ninefold-stopped-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for nodes in [0, 100_000] {
        let stopped = table::write(&folder.join("table"), Isa::detect(), 1 << 33, &control().node_limit(nodes));
        assert!(matches!(stopped, Err(Error::Stopped(Stop::Nodes))), "{stopped:?}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }
    let none = table::write(&folder.join("table"), Isa::detect(), 1 << 50, &control());
    assert!(matches!(none, Err(Error::Cephalopods(QuestionError::NoRanks))));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn heat_is_measured_for_every_rank_and_depth() {
    let plan = heat::Plan { last_rank: 3, depths: vec![1, 5], boards: 2, seed: 1 };
    let mut engine = SumEngine::Scratch(PathSum::new(Isa::detect()));
    let times = heat::measure(&mut engine, &plan, &control()).unwrap();
    assert_eq!(times.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2, 2]);
    let wrong = [
        (heat::Plan { last_rank: 49, ..plan.clone() }, "last_rank"),
        (heat::Plan { depths: vec![1, 62], ..plan.clone() }, "depths"),
        (heat::Plan { boards: 0, ..plan.clone() }, "boards"),
    ];
    for (plan, field) in wrong {
        assert_eq!(heat::measure(&mut engine, &plan, &control()).unwrap_err().field(), field);
    }
}
