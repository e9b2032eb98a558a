//! The contest's paste-ready file: a small engine, and the results of one rank of boards packed into its source.
//!
//! ```text
//! value     the digits of one cell summed over all final boards, modulo 2^30: two characters of 15 bits
//! board     one value for each class of cells under the board's own symmetries: 3, 4, 5, 6 or 9 of nine
//! order     boards in the order in which the file generates them again, then moves to go, then cells; no key is stored
//! ```
//!
//! The sums come from an engine of their own, layer by layer over the graph of all boards below the rank. That is slow, but it
//! shares nothing with the file's engine, and it keeps the nine digits apart, which the symmetries need.
//!
//! Price: rank 5 from depth 20 on has 84,052 of 100,000 units, 198 boards and 32,634 values.

use super::duel_graph::DuelGraph;
use super::{HIGHEST_RANK, QuestionError};
use crate::error::Error;
use crate::source_file::{character, filled};
use cephalopods::Board;
use grid::{Cell, Sym};
use search::Control;

pub use crate::source_file::LIMIT;

/// The greatest depth of the contest's questions.
pub const DEEPEST: u32 = 40;

/// What goes into the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The number of pips of the boards whose results are hard-coded.
    pub rank: u32,
    /// The least number of moves to go for which they are; the greatest is [`DEEPEST`].
    pub min_depth: u32,
}

impl Default for Request {
    /// The choice of the contest's write-up.
    fn default() -> Self {
        Self { rank: 5, min_depth: 20 }
    }
}

/// The file, and what is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The source.
    pub source: String,
    /// Its length in UTF-16 units.
    pub units: usize,
    /// The number of hard-coded boards.
    pub boards: usize,
    /// The number of values they take.
    pub values: usize,
}

const TEMPLATE: &str = include_str!("bundle/contest.rs.txt");

/// The canonical boards of a rank, in the order of the file: the last cell changes fastest.
fn boards(rank: u32) -> Vec<Board> {
    fn place(cells: &mut [u8; 9], cell: usize, left: u32, out: &mut Vec<Board>) {
        if cell == 9 {
            let board = Board::from_cells(*cells).filter(|board| board.canonical().0 == *board && left == 0);
            out.extend(board);
            return;
        }
        for pips in left.saturating_sub(6 * (8 - cell as u32))..=left.min(6) {
            cells[cell] = pips as u8;
            place(cells, cell + 1, left - pips, out);
        }
    }
    let mut out = Vec::new();
    place(&mut [0; 9], 0, rank, &mut out);
    out
}

/// The first cell of each class of cells that the board's own symmetries exchange.
fn distinct_cells(board: Board) -> impl Iterator<Item = Cell> {
    let own: Vec<Sym> = Sym::ALL.into_iter().filter(|&sym| board.map(sym) == board).collect();
    Cell::ALL.into_iter().filter(move |&cell| own.iter().all(|sym| sym.cell(cell) >= cell))
}

/// The file for a request.
///
/// A node of the control is a board of the graph; its listener hears how many depths are done.
///
/// # Errors
/// If there are no such boards or depths, the file would be longer than the contest allows, the control stops the call, or
/// there is no memory.
pub fn bundle(request: Request, control: &Control<'_>) -> Result<Bundle, Error> {
    let Request { rank, min_depth } = request;
    if rank > HIGHEST_RANK {
        return Err(QuestionError::BundleRank { rank }.into());
    }
    if !(1..=DEEPEST).contains(&min_depth) {
        return Err(QuestionError::BundleDepth { depth: min_depth }.into());
    }
    let boards = boards(rank);
    let a_depth: usize = boards.iter().map(|&board| distinct_cells(board).count()).sum();
    // The length of the engine itself, with two digits for each number.
    let engine = source(99, 99, "").encode_utf16().count();
    let depths = (DEEPEST - min_depth + 1) as usize;
    let units = engine + 2 * a_depth * depths;
    if units > LIMIT {
        let room = (LIMIT - engine) / (2 * a_depth);
        let fitting = (room > 0).then(|| DEEPEST + 1 - room as u32);
        return Err(QuestionError::BundleTooLarge { units, rank, fitting }.into());
    }
    let text = packed(&boards, &digit_sums(&boards, min_depth, control)?);
    let source = source(rank, min_depth, &text);
    let units = source.encode_utf16().count();
    Ok(Bundle { source, units, boards: boards.len(), values: a_depth * depths })
}

/// The sums of every board as text.
fn packed(boards: &[Board], sums: &[DigitSums]) -> String {
    let mut text = String::new();
    for (&board, sums) in boards.iter().zip(sums) {
        let cells: Vec<usize> = distinct_cells(board).map(Cell::index).collect();
        for value in sums.iter().flat_map(|nine| cells.iter().map(|&cell| nine[cell] % (1 << 30))) {
            text.extend([character(value >> 15), character(value % (1 << 15))]);
        }
    }
    text
}

/// The template with its three constants replaced.
fn source(rank: u32, least: u32, data: &str) -> String {
    let data = format!("\"{data}\"");
    filled(TEMPLATE, &[("RANK", rank.to_string()), ("LEAST", least.to_string()), ("DATA", data)])
}

/// The digit sums of the nine cells over all final boards, modulo 2^32, by number of moves to go from `least` on.
type DigitSums = Vec<[u32; 9]>;

/// The digit sums of each board, up to [`DEEPEST`] moves to go.
fn digit_sums(boards: &[Board], least: u32, control: &Control<'_>) -> Result<Vec<DigitSums>, Error> {
    let mut graph = DuelGraph::default();
    let layer = graph.extend(boards.iter().copied(), control)?;
    let mut now: Vec<[u32; 9]> = graph.boards().iter().map(|board| board.cells().map(u32::from)).collect();
    let mut sums = vec![Vec::new(); boards.len()];
    for depth in 1..=DEEPEST {
        control.report(depth.into(), DEEPEST.into());
        let mut next = now.clone();
        let expanded = layer.in_order_of_solving().filter(|(_, edges)| !edges.is_empty());
        for (count, (number, edges)) in expanded.enumerate() {
            if count % BETWEEN_CHECKS == 0 {
                control.check()?;
            }
            let mut total = [0u32; 9];
            for edge in edges {
                let (child, order) = (&now[edge.child()], &ORDER[edge.sym().index()]);
                total = std::array::from_fn(|cell| total[cell].wrapping_add(child[order[cell]]));
            }
            next[number] = total;
        }
        now = next;
        if depth >= least {
            for (sums, board) in sums.iter_mut().zip(boards) {
                sums.push(now[graph.number(*board).expect("a root is reached")]);
            }
        }
    }
    Ok(sums)
}

/// Boards summed between two looks at the control: about a millisecond.
const BETWEEN_CHECKS: usize = 16_384;

/// By symmetry and cell of a board: the cell of the canonical form to which the symmetry takes it.
const ORDER: [[usize; 9]; 8] = {
    let mut table = [[0; 9]; 8];
    let mut sym = 0;
    while sym < 8 {
        let mut cell = 0;
        while cell < 9 {
            table[sym][cell] = Sym::ALL[sym].cell(Cell::ALL[cell]).index();
            cell += 1;
        }
        sym += 1;
    }
    table
};

/// The file's own code, so that the tests run its decoder.
#[cfg(test)]
#[allow(dead_code, missing_docs, unsafe_code, unreachable_pub, clippy::all)]
#[path = "bundle/contest.rs.txt"]
mod contest;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_files_own_decoder_gives_back_every_value_of_every_board() {
        let ranks: Vec<Vec<Board>> = (0..=6).map(boards).collect();
        let sums = digit_sums(&ranks.concat(), 1, &Control::new()).unwrap();
        let mut sums = sums.as_slice();
        for (rank, boards) in ranks.iter().enumerate() {
            let (own, rest) = sums.split_at(boards.len());
            sums = rest;
            let found = contest::unpack(&packed(boards, own), rank, 1, DEEPEST as usize);
            assert_eq!(found.len(), boards.len());
            for ((board, sums), (bits, values)) in boards.iter().zip(own).zip(&found) {
                assert_eq!(board.bits(), *bits, "rank {rank}");
                let sums: Vec<[u32; 9]> = sums.iter().map(|nine| nine.map(|sum| sum % (1 << 30))).collect();
                assert_eq!(sums, *values, "{board}");
            }
        }
    }

    #[test]
    fn all_nine_kinds_of_symmetry_store_what_they_must() {
        // The symmetries of a board as a set of bits, and how many values it stores.
        let mut kinds: BTreeMap<u8, usize> = BTreeMap::new();
        for board in (0..=9).flat_map(boards).flat_map(|board| Sym::ALL.map(|sym| board.map(sym))) {
            let own =
                Sym::ALL.iter().filter(|&&sym| board.map(sym) == board).fold(0, |all, sym| all | 1 << sym.index());
            let stored: Vec<usize> = distinct_cells(board).map(Cell::index).collect();
            let alike = contest::first_alike(board.bits());
            assert!((0..9).all(|cell| stored.contains(&cell) == (alike[cell] == cell)), "{board}");
            assert_eq!(*kinds.entry(own).or_insert(stored.len()), stored.len(), "{board}");
        }
        let expected = [
            (0b0000_0001, 9), // none
            (0b0000_0101, 5), // half turn
            (0b0001_0001, 6), // mirror
            (0b0010_0001, 6), // mirror, turn
            (0b0100_0001, 6), // upside down
            (0b0101_0101, 4), // mirror, upside down, half turn
            (0b1000_0001, 6), // transposed
            (0b1010_0101, 4), // both diagonals, half turn
            (0b1111_1111, 3), // all
        ];
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn every_character_is_one_unit_and_a_letter() {
        for bits in 0..1 << 15 {
            let shown = character(bits);
            assert_eq!((contest::bits(shown), shown.len_utf16()), (bits, 1));
            assert!(shown.is_alphabetic() || ('\u{4dc0}'..='\u{4dff}').contains(&shown), "{bits}");
        }
    }

    #[test]
    fn no_game_is_longer_than_the_file_believes() {
        for (rank, row) in
            oracle::cephalopods::vectors::load().game_facts.max_remaining_length_by_rank_dice.iter().enumerate()
        {
            for (dice, &longest) in row.iter().enumerate().take(9) {
                assert!(longest <= contest::longest(rank, dice) as i32, "{rank} {dice}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_what_does() {
        let refused = |rank, min_depth| match bundle(Request { rank, min_depth }, &Control::new()) {
            Err(Error::Cephalopods(error)) => error,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(49, 20), QuestionError::BundleRank { rank: 49 });
        assert_eq!(refused(5, 0), QuestionError::BundleDepth { depth: 0 });
        assert_eq!(refused(5, 41), QuestionError::BundleDepth { depth: 41 });
        let QuestionError::BundleTooLarge { fitting: Some(depth), .. } = refused(6, 1) else {
            panic!("something fits")
        };
        assert!(matches!(refused(6, depth - 1), QuestionError::BundleTooLarge { .. }));
        let none = refused(20, 40);
        assert!(matches!(none, QuestionError::BundleTooLarge { fitting: None, .. }));
        assert_eq!((refused(6, 1).field(), none.field()), ("min_depth", "rank"));
    }
}
