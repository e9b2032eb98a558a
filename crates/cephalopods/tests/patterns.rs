//! Boards by pattern: every board has an index and every index its board, and moving 64 boards at once gives the same as the
//! naive model on each.

use grid::simd::fearless_simd::Simd;
use grid::simd::{Isa, dispatch};
use grid::{Rng, Sym};
use ninefold_cephalopods::kernel::columns::{BOARDS, Children, Columns};
use ninefold_cephalopods::pattern::{self, Change, Pattern, PatternPlace};
use ninefold_cephalopods::{Board, tables};
use oracle::cephalopods as naive;

/// A random board with dice on exactly these cells.
fn draw(rng: &mut Rng, cells: &[u8]) -> Board {
    let mut board = [0; 9];
    cells.iter().for_each(|&cell| board[usize::from(cell)] = 1 + rng.below(6) as u8);
    Board::from_cells(board).unwrap()
}

#[test]
fn every_board_has_a_place_and_every_place_a_board() {
    let mut rng = Rng::new(1);
    for number in 0..pattern::PATTERNS {
        let pattern = &pattern::ALL[number];
        for _ in 0..300 {
            let board = draw(&mut rng, pattern.occupied());
            let place = PatternPlace::of(board).unwrap();
            assert_eq!(place.pattern, number, "{board}");
            assert!(usize::from(place.index) < pattern.indices(), "{board}");
            assert_eq!(pattern.board(place.index, board.rank()), Some(board.map(place.sym)), "{board}");
            for sym in Sym::ALL {
                let image = PatternPlace::of(board.map(sym)).unwrap();
                assert_eq!((image.pattern, image.index), (number, place.index), "{board} {sym:?}");
            }
        }
    }
    assert_eq!(PatternPlace::of(Board::from_cells([1, 2, 3, 4, 0, 5, 6, 1, 2]).unwrap()), None);
}

#[test]
fn an_index_that_no_board_has_is_none() {
    let two = &pattern::ALL[Pattern::of(grid::cells! { x . x / . . . / . . . })];
    assert_eq!(two.board(0, 1), None, "no pips are left for the first die");
    assert_eq!(two.board(0, 8), None, "seven are");
    assert_eq!(two.board(6, 8), None, "no die has seven");
    assert!(two.board(5, 12).is_some());
    assert_eq!(pattern::ALL[0].board(0, 0), Some(Board::EMPTY));
    assert_eq!(pattern::ALL[0].board(0, 1), None);
}

/// A child with at most seven dice: pattern and index.
type Reached = (usize, u16);

/// The children by the naive model: by one move, by the double moves of a board with seven dice, and the values of full boards.
fn model(board: Board) -> (Vec<Reached>, Vec<Reached>, Vec<[u32; 8]>) {
    let (mut singles, mut doubles, mut full) = (Vec::new(), Vec::new(), Vec::new());
    let reached = |board: Board| PatternPlace::of(board).map(|place| (place.pattern, place.index));
    for mv in naive::moves(&board.cells()) {
        let child = Board::from_cells(mv.after).unwrap();
        match reached(child) {
            Some(place) => singles.push(place),
            None => {
                for mv in naive::moves(&child.cells()) {
                    let end = Board::from_cells(mv.after).unwrap();
                    match reached(end) {
                        Some(place) => doubles.push(place),
                        None => full.push(tables::value_images(end.bits())),
                    }
                }
            }
        }
    }
    singles.sort_unstable();
    doubles.sort_unstable();
    (singles, doubles, full)
}

fn sum(values: impl Iterator<Item = [u32; 8]>) -> [u32; 8] {
    values.fold([0; 8], |sum, values| std::array::from_fn(|lane| sum[lane].wrapping_add(values[lane])))
}

/// The children by the kernel, sorted for each board.
struct Made {
    singles: Vec<Vec<Reached>>,
    doubles: Vec<Vec<Reached>>,
    filled: Vec<u32>,
}

fn made<S: Simd, const DICE: usize>(simd: S, columns: &Columns, pattern: &Pattern, boards: &[Board]) -> Made {
    let count = boards.len();
    let mut made = Made { singles: vec![vec![]; count], doubles: vec![vec![]; count], filled: vec![0; count] };
    let all = if count == BOARDS { !0 } else { (1 << count) - 1 };
    let push = |change: &Change, from: u64, list: &mut [Vec<Reached>]| {
        let mut children = Children::default();
        columns.children::<S, DICE>(simd, change.images(), count, 7, &mut children);
        for at in (0..count).filter(|at| from >> at & 1 == 1) {
            list[at].push((change.to.into(), children.indices[at]));
            assert_eq!(children.tags[at] & 0x1f_ffff, 7);
            assert_eq!((children.tags[at] >> 26) as usize, at);
            assert!(change.images().iter().any(|image| u32::from(image.sym) == children.tags[at] >> 21 & 7));
        }
    };
    let (mut calm, mut captured) = ([0; 9], 0);
    for change in pattern.moves() {
        if change.taken().is_empty() {
            calm[usize::from(change.cell)] = all & !captured;
            captured = 0;
            if DICE < pattern::MOST_DICE {
                push(change, calm[usize::from(change.cell)], &mut made.singles);
            }
        } else {
            let can = all & columns.at_most(simd, change.taken(), change.limit, count);
            captured |= can;
            push(change, can, &mut made.singles);
        }
    }
    let mut fills = [calm[0], calm[1]];
    for change in pattern.doubles() {
        let first = 1 - usize::from(change.cell);
        let can = calm[first] & columns.at_most(simd, change.taken(), change.limit, count);
        fills[first] &= !can;
        push(change, can, &mut made.doubles);
    }
    if DICE == pattern::MOST_DICE {
        made.filled = (0..count).map(|at| fills.iter().filter(|fills| *fills >> at & 1 == 1).count() as u32).collect();
    }
    made.singles.iter_mut().chain(&mut made.doubles).for_each(|list| list.sort_unstable());
    made
}

fn side_by_side<S: Simd, const DICE: usize>(simd: S, pattern: &Pattern, pips: u32, boards: &[Board]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut columns = Columns::default();
            for (index, board) in columns.indices.iter_mut().zip(boards) {
                *index = PatternPlace::of(*board).unwrap().index;
            }
            columns.read::<DICE>(pips as usize, boards.len());
            let made = made::<S, DICE>(simd, &columns, pattern, boards);
            let models: Vec<_> = boards.iter().map(|board| model(*board)).collect();
            columns.add_up_children::<S, DICE>(simd, pattern, boards.len());
            for (at, board) in boards.iter().enumerate() {
                let (singles, doubles, full) = &models[at];
                assert_eq!((&made.singles[at], &made.doubles[at]), (singles, doubles), "{board}");
                let after = naive::moves(&board.cells()).into_iter().map(|mv| Board::from_cells(mv.after).unwrap());
                let expected = sum(after.map(|child| tables::value_images(child.bits())));
                assert_eq!(<[u32; 8]>::from(columns.total(simd, at)), expected, "{board}");
                if DICE == pattern::MOST_DICE {
                    assert_eq!(made.filled[at] as usize, full.len(), "{board}");
                    for value in full {
                        assert_eq!(<[u32; 8]>::from(columns.filled(simd, pattern, at)), *value, "{board}");
                    }
                }
            }
            if DICE < pattern::MOST_DICE {
                return;
            }
            columns.add_up_doubles(simd, pattern, boards.len());
            for (at, board) in boards.iter().enumerate() {
                let placed = naive::moves(&board.cells()).into_iter().filter(|mv| mv.captured.is_empty());
                let ends = placed.flat_map(|mv| naive::moves(&mv.after));
                let expected = sum(ends.map(|mv| tables::value_images(Board::from_cells(mv.after).unwrap().bits())));
                assert_eq!(<[u32; 8]>::from(columns.total(simd, at)), expected, "two moves of {board}");
            }
        },
    );
}

/// Boards of every pattern, in full and partial groups, on every instruction set, against the naive model.
#[test]
fn boards_side_by_side_move_as_one_by_one() {
    let draws = if std::env::var_os("NINEFOLD_EMULATED").is_some() { 60 } else { 600 };
    let mut rng = Rng::new(2);
    for pattern in &pattern::ALL {
        let drawn: Vec<Board> = (0..draws).map(|_| draw(&mut rng, pattern.occupied())).collect();
        for pips in 0..=42 {
            let boards = drawn.iter().filter(|board| board.rank() == pips);
            // In canonical form, so that the values of the images agree.
            let boards: Vec<Board> = boards.map(|board| board.map(PatternPlace::of(*board).unwrap().sym)).collect();
            for boards in boards.chunks(BOARDS) {
                for isa in Isa::available() {
                    dispatch!(isa.level(), simd => match pattern.dice {
                        0 => side_by_side::<_, 0>(simd, pattern, pips, boards),
                        1 => side_by_side::<_, 1>(simd, pattern, pips, boards),
                        2 => side_by_side::<_, 2>(simd, pattern, pips, boards),
                        3 => side_by_side::<_, 3>(simd, pattern, pips, boards),
                        4 => side_by_side::<_, 4>(simd, pattern, pips, boards),
                        5 => side_by_side::<_, 5>(simd, pattern, pips, boards),
                        6 => side_by_side::<_, 6>(simd, pattern, pips, boards),
                        _ => side_by_side::<_, 7>(simd, pattern, pips, boards),
                    });
                }
            }
        }
    }
}
