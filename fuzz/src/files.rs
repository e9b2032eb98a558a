//! Card files, certificates, states of the solver, tables of sums.

use crate::Input;
use api::Control;
use cephalopods::Board;
use engine::Outcome;
use engine::cephalopods::{PathSum, Table, table};
use engine::store::{HEADER_BYTES, Kind};
use engine::triad::cards::{Book, Collection, NpcBook};
use engine::uttt::{Accept, Rules, Solver};
use grid::simd::Isa;
use ninefold_triad::Edition;
use oracle::uttt_proof;
use std::cell::RefCell;
use std::fs::{self, File};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// A temporary file of this process. `cargo xtask fuzz` chooses the folder and removes it.
pub(crate) fn scratch_file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("ninefold-fuzz-{}-{name}", std::process::id()))
}

/// The bytes of a file: as they are, or as the body of a file whose seal is right, so that the reader of the body sees them.
fn sealed(kind: Kind, is_sealed: bool, body: &[u8]) -> Vec<u8> {
    if !is_sealed {
        return body.to_vec();
    }
    let mut file = [0; HEADER_BYTES].to_vec();
    file.extend(body);
    file[..8].copy_from_slice(&kind.name);
    file[8..12].copy_from_slice(&kind.version.to_le_bytes());
    file[16..24].copy_from_slice(&(body.len() as u64).to_le_bytes());
    file[24..28].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    let own = crc32fast::hash(&[&file[..12], &file[16..28]].concat());
    file[12..16].copy_from_slice(&own.to_le_bytes());
    file
}

/// Lists of cards, of opponents and collections. A list that was read can be written and read again.
pub fn card_file(data: &[u8]) {
    let mut input = Input(data);
    let form = input.below(3);
    let text = input.text();
    let book = Book::built_in(if text.len() % 2 == 0 { Edition::Ff8 } else { Edition::Ff14 });
    match form {
        0 => {
            if let Ok(book) = Book::read(&text, "a file") {
                let again = Book::read(&book.write(), "a file").expect("a list of our own");
                assert_eq!(again.cards(), book.cards());
                assert_eq!(again.write(), book.write());
            }
        }
        1 => {
            if let Ok(npcs) = NpcBook::read(&text, "a file", Book::built_in(Edition::Ff14)) {
                let again = NpcBook::read(&npcs.write(), "a file", Book::built_in(Edition::Ff14));
                assert_eq!(again.expect("a list of our own").npcs(), npcs.npcs());
                assert!(npcs.npcs().iter().all(|npc| npc.hands().len() == npc.hand_count()));
            }
        }
        _ => {
            if let Ok(collection) = Collection::read(&text, "a file", book) {
                let written: String =
                    collection.cards().map(|(card, count)| format!("{},{count}\n", card.name())).collect();
                assert_eq!(Collection::read(&written, "a file", book), Ok(collection), "{written}");
            }
        }
    }
}

/// The body of a certificate. What the checker accepts is what the solver finds.
pub fn certificate(data: &[u8]) {
    let Ok(verified) = uttt_proof::verify(data) else { return };
    let rules = Rules::ALL[verified.rule as usize];
    let Ok(position) = rules.read(&verified.position, Accept::Playable) else { return };
    let mut solver = Solver::new(rules, 1 << 20).expect("1 MiB");
    if let Ok(value) = solver.value(&position, &Control::new().node_limit(100_000)) {
        assert_eq!(value.outcome, Some(Outcome::of(verified.value)), "{}", verified.position);
    }
}

/// The saved state of a search. A state that was resumed is saved and resumed unchanged.
pub fn solver_state(data: &[u8]) {
    const KIND: Kind = Kind { name: *b"utttproo", words: "", version: 2 };
    let mut input = Input(data);
    let (rules, is_sealed) = (Rules::ALL[input.below(3)], input.below(8) > 0);
    let path = scratch_file("state");
    let resume = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("a temporary file");
        let mut solver = Solver::new(rules, 1 << 10).expect("1 KiB");
        solver.resume(&path).ok()?;
        solver.save(&path).expect("a temporary file");
        Some(fs::read(&path).expect("the file that was saved"))
    };
    if let Some(saved) = resume(&sealed(KIND, is_sealed, input.0)) {
        assert_eq!(resume(&saved).as_ref(), Some(&saved));
    }
}

/// The ranks of the table under test.
const RANKS: table::Ranks = 0b11111 << 44;
const BLOCK: usize = 4096;
const TRAILER: usize = 32;

/// A table on disk of which a few bytes are changed, and the same table as it should be.
struct Damaged {
    path: PathBuf,
    file: File,
    whole: Table,
    path_sum: PathSum,
    bytes: Vec<u8>,
    /// Header, values, index of the boards, index of the words, block sums and trailer.
    areas: [Range<usize>; 5],
    /// The bytes that were changed, and what they were.
    changes: Vec<(usize, u8)>,
}

impl Damaged {
    fn new() -> Self {
        let path = scratch_file("table");
        table::write(&path, Isa::detect(), RANKS, &Control::new()).expect("a temporary file");
        let file = File::options().write(true).open(&path).expect("the file that was written");
        let bytes = fs::read(&path).expect("the file that was written");
        let whole = Table::from_bytes(&path, bytes.clone()).expect("the file that was written");
        let size = whole.size();
        let boards = HEADER_BYTES + 32 * size.entries as usize;
        let words = boards + 5 * size.boards as usize;
        let sums = (words..).find(|end| end + 4 * (end - HEADER_BYTES).div_ceil(BLOCK) + TRAILER == bytes.len());
        let sums = sums.expect("every block has a sum");
        let areas = [0..HEADER_BYTES, HEADER_BYTES..boards, boards..words, words..sums, sums..bytes.len()];
        Self { path, file, whole, path_sum: PathSum::new(Isa::detect()), bytes, areas, changes: Vec::new() }
    }

    fn change(&mut self, at: usize, byte: u8) {
        self.changes.push((at, self.bytes[at]));
        self.bytes[at] = byte;
        self.file.write_all_at(&[byte], at as u64).expect("a temporary file");
    }

    /// Makes the sum of a block right again.
    fn forge(&mut self, at: usize) {
        let sums = self.areas[4].start;
        let block = (at - HEADER_BYTES) / BLOCK;
        let start = HEADER_BYTES + block * BLOCK;
        let sum = crc32fast::hash(&self.bytes[start..(start + BLOCK).min(sums)]);
        for (number, byte) in sum.to_le_bytes().into_iter().enumerate() {
            self.change(sums + 4 * block + number, byte);
        }
    }

    fn restore(&mut self) {
        for (at, byte) in std::mem::take(&mut self.changes).into_iter().rev() {
            self.bytes[at] = byte;
            self.file.write_all_at(&[byte], at as u64).expect("a temporary file");
        }
    }
}

/// A table with a few changed bytes. A sum is right or refused. If the checksums were made right again, nothing panics.
pub fn sum_table(data: &[u8]) {
    thread_local! {
        static DAMAGED: RefCell<Damaged> = RefCell::new(Damaged::new());
    }
    DAMAGED.with_borrow_mut(|damaged| {
        let mut input = Input(data);
        let mut is_forged = false;
        for _ in 0..input.below(4) {
            let (area, word, byte) = (damaged.areas[input.below(5)].clone(), input.word(), input.byte());
            let at = area.start + (word % area.len() as u64) as usize;
            damaged.change(at, byte);
            if input.below(2) == 1 && (HEADER_BYTES..damaged.areas[4].start).contains(&at) {
                damaged.forge(at);
                is_forged = true;
            }
        }
        if let Ok(table) = Table::open(&damaged.path) {
            for _ in 0..4 {
                let cells = std::array::from_fn(|_| 6 - input.below(8).min(6) as u8);
                let (board, depth) = (Board::from_cells(cells).expect("a board"), input.byte().into());
                let (found, sum) = (table.lookup(board, depth), damaged.whole.lookup(board, depth));
                if let (Ok(Some(found)), false) = (&found, is_forged) {
                    assert_eq!(sum.ok(), Some(Some(*found)), "{board} {depth}");
                }
                if board.rank() > 40 {
                    let _ = table.sum(&mut damaged.path_sum, board, depth, &Control::new());
                }
            }
        }
        damaged.restore();
    });
}
