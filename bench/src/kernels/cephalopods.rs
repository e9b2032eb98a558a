//! The kernels of `cephalopods`: the published methods and ours.

use crate::{Kernel, Round};
use cephalopods::kernel::columns::{BOARDS, Children, Columns};
use cephalopods::kernel::{images, published};
use cephalopods::pattern::{self, Pattern, PatternPlace};
use cephalopods::{Board, Contest, MOST};
use grid::simd::fearless_simd::Simd;
use grid::simd::{Isa, dispatch};
use grid::{Game, Rng, Sym};
use std::hint::black_box;

const ITEMS: usize = 4096;

pub(super) const KERNELS: &[Kernel] = &[
    Kernel { name: "cephalopods/canonical(published)", by_level: true, prepare: canonical_published },
    Kernel { name: "cephalopods/canonical(images)", by_level: true, prepare: canonical_images },
    Kernel { name: "cephalopods/children(published)", by_level: true, prepare: children_published },
    Kernel { name: "cephalopods/children(images)", by_level: true, prepare: children_images },
    Kernel { name: "cephalopods/children(columns)", by_level: true, prepare: children_columns },
    Kernel { name: "cephalopods/children+canonical(published)", by_level: true, prepare: both_published },
    Kernel { name: "cephalopods/probe(published)", by_level: true, prepare: probe },
];

/// Random boards that are not full, with three empty cells of nine on average.
fn boards() -> Vec<Board> {
    let mut rng = Rng::new(1);
    std::iter::repeat_with(|| {
        let cells = std::array::from_fn(|_| if rng.below(3) == 0 { 0 } else { 1 + rng.below(6) as u8 });
        Board::from_cells(cells).expect("digits from 0 to 6")
    })
    .filter(|board| !board.is_full())
    .take(ITEMS)
    .collect()
}

fn after(board: Board) -> impl Iterator<Item = Board> {
    Contest.moves(&board).map(move |mv| Contest.play_unchecked(&board, mv))
}

fn round(expected: u64, work: impl FnMut(&[Board]) -> u64 + 'static) -> Round {
    let (boards, mut work) = (boards(), work);
    Round { items: ITEMS, expected, work: Box::new(move || work(black_box(&boards))) }
}

/// The published method orders boards by the spiral, so its smallest image differs from ours.
fn canonical_published(isa: Isa) -> Round {
    let ring = |board: &Board| grid::spiral::ring::<3>(u64::from(board.bits()));
    let least = |board: &Board| Sym::ALL.map(|sym| board.map(sym)).into_iter().min_by_key(ring).expect("eight images");
    let expected = boards().iter().map(|board| u64::from(least(board).bits())).sum();
    round(expected, move |boards| dispatch!(isa.level(), simd => each(simd, boards, canonical_of_published)))
}

fn canonical_images(isa: Isa) -> Round {
    let least = |board: &Board| Sym::ALL.map(|sym| board.map(sym).bits()).into_iter().fold(u32::MAX, u32::min);
    let expected = boards().iter().map(|board| u64::from(least(board))).sum();
    round(expected, move |boards| dispatch!(isa.level(), simd => each(simd, boards, canonical_of_images)))
}

fn children_published(isa: Isa) -> Round {
    let expected = boards().iter().flat_map(|&board| after(board)).map(|child| u64::from(child.bits())).sum();
    round(expected, move |boards| dispatch!(isa.level(), simd => each(simd, boards, children_of_published)))
}

/// The children with their canonical forms.
fn children_images(isa: Isa) -> Round {
    let expected =
        boards().iter().flat_map(|&board| after(board)).map(|child| u64::from(child.canonical().0.bits())).sum();
    round(expected, move |boards| dispatch!(isa.level(), simd => each(simd, boards, children_of_images)))
}

/// The indices of the children, 64 boards of one pattern and one total number of pips at a time.
fn children_columns(isa: Isa) -> Round {
    let cells = [0, 1, 3, 5, 6, 7];
    let mut rng = Rng::new(3);
    let boards: Vec<Board> = std::iter::repeat_with(|| {
        let mut board = [0; 9];
        cells.iter().for_each(|&cell: &usize| board[cell] = 1 + rng.below(6) as u8);
        Board::from_cells(board).expect("digits from 0 to 6")
    })
    .filter(|board| board.rank() == PIPS)
    .take(ITEMS)
    .collect();
    let place = |board: Board| PatternPlace::of(board).expect("at most seven dice");
    let index = |board: Board| u64::from(place(board).index);
    let expected = boards.iter().flat_map(|&board| after(board)).map(index).sum();
    let pattern = &pattern::ALL[place(boards[0]).pattern];
    let indices: Vec<u16> = boards.iter().map(|&board| place(board).index).collect();
    let work = move || dispatch!(isa.level(), simd => children_side_by_side(simd, pattern, black_box(&indices)));
    Round { items: ITEMS, expected, work: Box::new(work) }
}

const PIPS: u32 = 18;

#[inline(always)]
fn children_side_by_side<S: Simd>(simd: S, pattern: &Pattern, indices: &[u16]) -> u64 {
    simd.vectorize(
        #[inline(always)]
        || {
            let (mut columns, mut children, mut sum) = (Columns::default(), Children::default(), 0);
            for indices in indices.as_chunks::<BOARDS>().0 {
                columns.indices = *indices;
                columns.read::<6>(PIPS as usize, BOARDS);
                let mut captured = 0;
                for change in pattern.moves() {
                    let mut from = if change.taken().is_empty() {
                        !std::mem::take(&mut captured)
                    } else {
                        columns.at_most(simd, change.taken(), change.limit, BOARDS)
                    };
                    captured |= if change.taken().is_empty() { 0 } else { from };
                    columns.children::<S, 6>(simd, change.images(), BOARDS, 0, &mut children);
                    while from != 0 {
                        sum += u64::from(children.indices[from.trailing_zeros() as usize % BOARDS]);
                        from &= from - 1;
                    }
                }
            }
            sum
        },
    )
}

fn both_published(isa: Isa) -> Round {
    let expected = boards()
        .iter()
        .flat_map(|&board| after(board))
        .map(|child| dispatch!(Isa::Scalar.level(), simd => u64::from(published::canonical(simd, child).0.bits())))
        .sum();
    round(expected, move |boards| dispatch!(isa.level(), simd => each(simd, boards, both_of_published)))
}

#[inline(always)]
fn each<S: Simd>(simd: S, boards: &[Board], work: impl Fn(S, Board) -> u64) -> u64 {
    simd.vectorize(
        #[inline(always)]
        || boards.iter().map(|&board| work(simd, board)).sum(),
    )
}

#[inline(always)]
fn canonical_of_published<S: Simd>(simd: S, board: Board) -> u64 {
    u64::from(published::canonical(simd, board).0.bits())
}

#[inline(always)]
fn canonical_of_images<S: Simd>(simd: S, board: Board) -> u64 {
    u64::from(images::canonical(simd, board).0.bits())
}

#[inline(always)]
fn children_of_published<S: Simd>(simd: S, board: Board) -> u64 {
    let mut out = [0; MOST + 4];
    let count = published::children(simd, board, &mut out);
    out[..count].iter().map(|&child| u64::from(child)).sum()
}

#[inline(always)]
fn children_of_images<S: Simd>(simd: S, board: Board) -> u64 {
    let mut out = [images::Child::default(); MOST];
    let count = images::children(simd, board.bits(), &mut out);
    out[..count].iter().map(|child| u64::from(child.board())).sum()
}

#[inline(always)]
fn both_of_published<S: Simd>(simd: S, board: Board) -> u64 {
    let mut out = [0; MOST + 4];
    let count = published::children(simd, board, &mut out);
    let canonical = |&child: &u32| canonical_of_published(simd, Board::from_bits_unchecked(child));
    out[..count].iter().map(canonical).sum()
}

/// Half of the probes hit.
fn probe(isa: Isa) -> Round {
    let mut rng = Rng::new(2);
    let probes: Vec<([u32; 8], u32)> = (0..ITEMS)
        .map(|_| {
            let keys: [u32; 8] = std::array::from_fn(|_| 1 + rng.below(u32::MAX - 1));
            let key = if rng.below(2) == 0 { keys[rng.below(8) as usize] } else { 1 + rng.below(u32::MAX - 1) };
            (keys, key)
        })
        .collect();
    let plain = |(keys, key): &([u32; 8], u32)| {
        let found = keys.iter().position(|known| known == key);
        found.or(keys.iter().position(|known| known < key)).unwrap_or(0) as u64
    };
    let expected = probes.iter().map(plain).sum();
    let work = move || dispatch!(isa.level(), simd => probe_each(simd, black_box(&probes)));
    Round { items: ITEMS, expected, work: Box::new(work) }
}

#[inline(always)]
fn probe_each<S: Simd>(simd: S, probes: &[([u32; 8], u32)]) -> u64 {
    simd.vectorize(
        #[inline(always)]
        || {
            let place = |(keys, key): &([u32; 8], u32)| published::probe(simd, keys, *key).unwrap_or_else(|free| free);
            probes.iter().map(|probe| place(probe) as u64).sum()
        },
    )
}
