//! Compares the Cephalopods engines with the method of most contestants, as ratios within one run on one thread:
//! `cargo run --release -p ninefold-bench --example cephalopods [TABLE]`. TABLE is a file from
//! `ninefold cephalopods table build --file TABLE`.
//!
//! There are two rivals. Both are a breadth-first search by layers, with a map from canonical board to the counts of its eight
//! images and a multiplicative hasher. The plain rival is what most contestants wrote: loops over neighbours and over eight
//! images of nine cells. The other one uses our move tables and canonical form, which is more than the public entries had, so
//! that only the search methods are compared.

use cephalopods::{Board, Contest, tables};
use engine::Control;
use engine::cephalopods::{Cache, PathSum, Table};
use grid::simd::Isa;
use grid::{Game, Notation, Rng};
use oracle::cephalopods::vectors::{self, Vector};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["cold", engine] => cold(engine),
        [] => compare(None),
        [table] => compare(Some(Path::new(table))),
        _ => {
            eprintln!("cephalopods [TABLE]");
            std::process::exit(2);
        }
    }
}

/// A multiplicative hasher, as in fast maps with integer keys.
#[derive(Default)]
struct Fast(u64);

impl Hasher for Fast {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(u32::from(byte)));
    }

    fn write_u32(&mut self, word: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

type Layer = HashMap<u32, [u32; 8], BuildHasherDefault<Fast>>;

fn layered(board: Board, depth: u32) -> u32 {
    let (root, sym) = board.canonical();
    let (mut layer, mut next) = (Layer::default(), Layer::default());
    let mut counts = [0; 8];
    counts[sym.inverse().index()] = 1;
    layer.insert(root.bits(), counts);
    let mut sum = 0u32;
    let mut finish = |bits: u32, counts: &[u32; 8]| {
        let values = tables::value_images(bits);
        sum = (0..8).fold(sum, |sum, image| sum.wrapping_add(counts[image].wrapping_mul(values[image])));
    };
    for _ in 0..depth {
        for (&bits, counts) in &layer {
            let board = Board::from_bits_unchecked(bits);
            if board.is_full() {
                finish(bits, counts);
                continue;
            }
            for mv in Contest.moves(&board) {
                let (child, sym) = Contest.play_unchecked(&board, mv).canonical();
                let into = next.entry(child.bits()).or_default();
                for (image, &order) in cephalopods::kernel::ORDER.0[sym.index()].iter().enumerate() {
                    into[order as usize] = into[order as usize].wrapping_add(counts[image]);
                }
            }
        }
        std::mem::swap(&mut layer, &mut next);
        next.clear();
    }
    layer.iter().for_each(|(&bits, counts)| finish(bits, counts));
    sum & ((1 << 30) - 1)
}

/// The neighbours of each cell.
const BESIDE: [&[usize]; 9] =
    [&[1, 3], &[0, 2, 4], &[1, 5], &[0, 4, 6], &[1, 3, 5, 7], &[2, 4, 8], &[3, 7], &[4, 6, 8], &[5, 7]];

/// The eight symmetries, as the target of each cell: four turns, and the mirror image of each.
const IMAGES: [[usize; 9]; 8] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    [2, 5, 8, 1, 4, 7, 0, 3, 6],
    [8, 7, 6, 5, 4, 3, 2, 1, 0],
    [6, 3, 0, 7, 4, 1, 8, 5, 2],
    [2, 1, 0, 5, 4, 3, 8, 7, 6],
    [8, 5, 2, 7, 4, 1, 6, 3, 0],
    [6, 7, 8, 3, 4, 5, 0, 1, 2],
    [0, 3, 6, 1, 4, 7, 2, 5, 8],
];

fn image(board: u32, to: &[usize; 9]) -> u32 {
    (0..9).fold(0, |image, cell| image | (board >> (3 * cell) & 7) << (3 * to[cell]))
}

fn value(board: u32) -> u32 {
    (0..9).fold(0, |value, cell| 10 * value + (board >> (3 * cell) & 7))
}

/// The rival as most contestants wrote it. It uses nothing from this project.
struct Plain {
    /// The product of two symmetries.
    after: [[usize; 8]; 8],
}

impl Plain {
    fn new() -> Self {
        let after = |first: usize, second: usize| {
            let both: [usize; 9] = std::array::from_fn(|cell| IMAGES[second][IMAGES[first][cell]]);
            IMAGES.iter().position(|image| *image == both).expect("the symmetries form a group")
        };
        Self { after: std::array::from_fn(|first| std::array::from_fn(|second| after(first, second))) }
    }

    /// The smallest of the eight images, and the symmetry that maps it back to the board.
    fn canonical(board: u32) -> (u32, usize) {
        let (mut least, mut way) = (u32::MAX, 0);
        for (number, to) in IMAGES.iter().enumerate() {
            let image = image(board, to);
            if image < least {
                (least, way) = (image, number);
            }
        }
        // Only the quarter turns are not their own inverses.
        (least, if way == 1 || way == 3 { 4 - way } else { way })
    }

    fn children(board: u32, mut each: impl FnMut(u32)) {
        for cell in (0..9).filter(|cell| board >> (3 * cell) & 7 == 0) {
            let mut captured = false;
            let (mut dice, mut count) = ([0; 4], 0);
            for &other in BESIDE[cell] {
                if board >> (3 * other) & 7 != 0 {
                    dice[count] = other;
                    count += 1;
                }
            }
            for choice in 3u32..1 << count {
                if choice.is_power_of_two() {
                    continue;
                }
                let (mut sum, mut after) = (0, board);
                for (place, other) in dice[..count].iter().enumerate() {
                    if choice >> place & 1 == 1 {
                        sum += board >> (3 * other) & 7;
                        after &= !(7 << (3 * other));
                    }
                }
                if sum <= 6 {
                    captured = true;
                    each(after | sum << (3 * cell));
                }
            }
            if !captured {
                each(board | 1 << (3 * cell));
            }
        }
    }

    fn is_full(board: u32) -> bool {
        (0..9).all(|cell| board >> (3 * cell) & 7 != 0)
    }

    fn sum(&self, board: u32, depth: u32) -> u32 {
        let (mut layer, mut next) = (Layer::default(), Layer::default());
        let mut sum = 0u32;
        let (root, way) = Self::canonical(board);
        let mut counts = [0; 8];
        counts[way] = 1;
        layer.insert(root, counts);
        let mut finish = |board: u32, counts: &[u32; 8]| {
            for (to, &count) in IMAGES.iter().zip(counts).filter(|(_, count)| **count != 0) {
                sum = sum.wrapping_add(count.wrapping_mul(value(image(board, to))));
            }
        };
        for _ in 0..depth {
            for (&board, counts) in &layer {
                if Self::is_full(board) {
                    finish(board, counts);
                    continue;
                }
                Self::children(board, |child| {
                    let (child, way) = Self::canonical(child);
                    let into = next.entry(child).or_default();
                    for (image, count) in counts.iter().enumerate() {
                        let into = &mut into[self.after[way][image]];
                        *into = into.wrapping_add(*count);
                    }
                });
            }
            std::mem::swap(&mut layer, &mut next);
            next.clear();
        }
        layer.iter().for_each(|(&board, counts)| finish(board, counts));
        sum & ((1 << 30) - 1)
    }
}

fn naive(board: Board, depth: u32) -> u32 {
    oracle::cephalopods::tally(&board.cells(), depth, &mut HashMap::new()).sum()
}

fn board(vector: &Vector) -> Board {
    Contest.read_position(&vector.board).expect("the committed vectors")
}

/// An engine, by name.
type Engine<'a> = (&'a str, &'a mut dyn FnMut(Board, u32) -> u32);

/// Milliseconds for all questions in sequence, the minimum of `rounds`. The engines take turns, so that a change in the speed
/// of the machine affects all of them.
fn least_ms(rounds: usize, questions: &[Vector], engines: &mut [Engine<'_>]) -> Vec<f64> {
    let mut least = vec![f64::MAX; engines.len()];
    for _ in 0..rounds {
        for ((name, engine), least) in engines.iter_mut().zip(&mut least) {
            let started = Instant::now();
            for question in questions {
                let answer = engine(black_box(board(question)), black_box(question.depth));
                assert_eq!(answer, question.expected, "{name}, {question:?}");
            }
            *least = least.min(started.elapsed().as_secs_f64() * 1e3);
        }
    }
    least
}

fn largest_official() -> Vector {
    let found = vectors::load().official_public_tests.into_iter().find(|vector| vector.board == "051000401");
    found.expect("the committed vectors")
}

const UNLIMITED: &str = "nothing stops the call";

/// One process, one answer.
fn cold(engine: &str) {
    // Not read from the test vectors: parsing them costs more than the answer.
    let (board, depth) = (Board::from_cells([0, 5, 1, 0, 0, 0, 4, 0, 1]).expect("digits from 0 to 6"), 20);
    let sum = match engine {
        "scratch" => PathSum::new(Isa::detect()).sum(board, depth, &Control::new()).expect(UNLIMITED),
        "cache" => Cache::new(Isa::detect()).sum(board, depth, &Control::new()).expect(UNLIMITED),
        "plain" => Plain::new().sum(board.bits(), depth),
        "layered" => layered(board, depth),
        "nothing" => 0,
        path => Table::open(Path::new(path)).and_then(|table| table.lookup(board, depth)).ok().flatten().unwrap_or(0),
    };
    println!("{sum}");
}

/// Milliseconds for a whole process, the minimum of 40 runs.
fn cold_ms(engine: &str) -> f64 {
    let program = std::env::current_exe().expect("this program");
    let expected = if engine == "nothing" { 0 } else { largest_official().expected };
    let round = || {
        let started = Instant::now();
        let output = Command::new(&program).args(["cold", engine]).output().expect("this program again");
        let ms = started.elapsed().as_secs_f64() * 1e3;
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected.to_string(), "{engine}");
        ms
    };
    std::iter::repeat_with(round).take(40).fold(f64::MAX, f64::min)
}

fn compare(table: Option<&Path>) {
    let isa = Isa::detect();
    let vectors = vectors::load();
    let hard = |name: &str| vec![vectors.hard_cases.iter().find(|case| case.name == name).expect("a vector").clone()];
    let official = vectors.official_public_tests.clone();
    let sets = [
        ("the 12 official tests", official, 40, true),
        ("rank 3, depth 40", hard("rank3_d40"), 10, false),
        ("rank 9, depth 40", hard("rank9_d40"), 10, false),
        ("rank 12, depth 20", hard("rank12_d20"), 10, false),
    ];
    let (mut path_sum, mut two) = (PathSum::new(isa), PathSum::new(isa));
    let mut cache = Cache::new(isa);
    let plain = Plain::new();
    println!(
        "one warm process, {isa}; minimum of several rounds; speed relative to the plain rival and to the one with our kernels"
    );
    for (name, questions, rounds, with_slow) in &sets {
        println!("{name}");
        let mut engines: [Engine<'_>; 4] = [
            ("plain layered search", &mut |board, depth| plain.sum(board.bits(), depth)),
            ("the same with our kernels", &mut layered),
            ("scratch", &mut |board, depth| path_sum.sum(board, depth, &Control::new()).expect(UNLIMITED)),
            ("scratch, two threads", &mut |board, depth| {
                two.sum(board, depth, &Control::new().threads(2)).expect(UNLIMITED)
            }),
        ];
        let least = least_ms(*rounds, questions, &mut engines);
        let row = |engine: &str, ms: f64| {
            println!("  {engine:28}{ms:12.3} ms {:8.2}x {:8.2}x", least[0] / ms, least[1] / ms);
        };
        engines.iter().zip(&least).for_each(|((name, _), ms)| row(name, *ms));
        // The hardest questions overflow the cache and take minutes.
        if *with_slow {
            let mut engines: [Engine<'_>; 2] = [
                ("cache", &mut |board, depth| cache.sum(board, depth, &Control::new()).expect(UNLIMITED)),
                ("naive with a memory", &mut naive),
            ];
            let least = least_ms(1, questions, &mut engines);
            engines.iter().zip(&least).for_each(|((name, _), ms)| row(name, *ms));
        }
    }
    println!("scratch holds {:.1} MB", path_sum.bytes() as f64 / 1e6);

    println!("a whole process for 051000401, depth 20");
    let floor = cold_ms("nothing");
    let (own, lent) = (cold_ms("plain"), cold_ms("layered"));
    let row = |engine: &str, ms: f64| {
        println!(
            "  {engine:28}{ms:12.3} ms {:8.2}x {:8.2}x, less the floor {:8.2}x {:8.2}x",
            own / ms,
            lent / ms,
            (own - floor) / (ms - floor),
            (lent - floor) / (ms - floor)
        );
    };
    println!("  {:28}{floor:12.3} ms", "nothing (the floor)");
    row("plain layered search", own);
    row("the same with our kernels", lent);
    row("scratch", cold_ms("scratch"));
    row("cache", cold_ms("cache"));
    if let Some(path) = table {
        row("table", cold_ms(&path.display().to_string()));
        look_up(path);
    }
}

/// A board and the maximum number of moves.
type Question = (Board, u32);

/// Answers are sums modulo 2^30.
const THIRTY_BITS: u32 = (1 << 30) - 1;

/// The answer of a table that is complete.
fn answer(table: &Table, board: Board, depth: u32) -> u32 {
    table.lookup(board, depth).expect("a sound table").expect("a complete table")
}

/// Nanoseconds per random lookup in a warm table.
fn look_up(path: &Path) {
    let table = Table::open(path).expect("a table");
    let mut rng = Rng::new(1);
    let questions: Vec<Question> = std::iter::repeat_with(|| {
        let cells = std::array::from_fn(|_| rng.below(7) as u8);
        (Board::from_cells(cells).expect("digits from 0 to 6"), 1 + rng.below(61))
    })
    .filter(|(board, _)| !board.is_full())
    .take(1_000_000)
    .collect();
    let expected = questions.iter().fold(0u32, |sum, &(board, depth)| sum.wrapping_add(answer(&table, board, depth)))
        & THIRTY_BITS;
    // Each lookup depends on the previous answer; independent lookups; one call for all.
    let dependent = |questions: &[Question]| {
        questions.iter().fold(0u32, |sum, &(board, depth)| {
            let next = Board::from_bits_unchecked(board.bits() | black_box(sum) & 1 << 30);
            sum.wrapping_add(answer(&table, next, depth)) & THIRTY_BITS
        })
    };
    let one_by_one = |questions: &[Question]| {
        let answers = questions.iter().map(|&(board, depth)| answer(&table, board, depth));
        answers.fold(0u32, u32::wrapping_add) & THIRTY_BITS
    };
    let together = |questions: &[Question]| {
        let answers = table.lookup_all(questions).expect("a sound table");
        answers.into_iter().map(|answer| answer.expect("a complete table")).fold(0u32, u32::wrapping_add) & THIRTY_BITS
    };
    let ns = |engine: &dyn Fn(&[Question]) -> u32| {
        let round = || {
            let started = Instant::now();
            assert_eq!(engine(&questions), expected);
            started.elapsed().as_secs_f64() * 1e9 / questions.len() as f64
        };
        std::iter::repeat_with(round).take(5).fold(f64::MAX, f64::min)
    };
    println!("table, a million random boards that are not full, any depth, ns per lookup:");
    println!("  dependent {:.1}, one by one {:.1}, together {:.1}", ns(&dependent), ns(&one_by_one), ns(&together));
}
