//! The kernels of `grid`: win test, bucket probe, symmetry, lanes.

use crate::{Kernel, Round};
use grid::simd::{self, Isa, Simd, dispatch, scalar};
use grid::{CellSet, Rng, Sym, lanes, spiral};
use std::hint::black_box;

const ITEMS: usize = 4096;
const NINE_LANES: u64 = 0o777_777_777;

pub(super) const KERNELS: &[Kernel] = &[
    Kernel { name: "grid/has_line_each", by_level: true, prepare: has_line_each },
    Kernel { name: "grid/has_line(table)", by_level: false, prepare: has_line_table },
    Kernel { name: "grid/matches", by_level: true, prepare: matches },
    Kernel { name: "grid/least_image(lanes)", by_level: false, prepare: least_by_lanes },
    Kernel { name: "grid/least_image(spiral)", by_level: false, prepare: least_by_spiral },
    Kernel { name: "grid/add_saturate", by_level: false, prepare: add_saturate },
];

fn sets() -> (Vec<CellSet>, u64) {
    let mut rng = Rng::new(1);
    let sets: Vec<_> = (0..ITEMS).map(|_| CellSet::from_bits(rng.next_word() as u16)).collect();
    let won = sets.iter().filter(|set| set.has_line_scalar()).count() as u64;
    (sets, won)
}

fn has_line_each(isa: Isa) -> Round {
    let (sets, expected) = sets();
    let mut won = vec![false; ITEMS];
    let work = move || {
        dispatch!(isa.level(), simd => simd::has_line_each(simd, black_box(&sets), &mut won));
        black_box(&won).iter().map(|&won| u64::from(won)).sum()
    };
    Round { items: ITEMS, expected, work: Box::new(work) }
}

fn has_line_table(_: Isa) -> Round {
    let (sets, expected) = sets();
    let work = move || black_box(&sets).iter().map(|set| u64::from(set.has_line())).sum();
    Round { items: ITEMS, expected, work: Box::new(work) }
}

/// Half of the probes hit, each at a random index.
fn matches(isa: Isa) -> Round {
    let mut rng = Rng::new(2);
    let probes: Vec<([u64; 4], u64)> = (0..ITEMS)
        .map(|_| {
            let words = std::array::from_fn(|_| rng.next_word());
            let wanted = if rng.below(2) == 0 { words[rng.below(4) as usize] } else { rng.next_word() };
            (words, wanted)
        })
        .collect();
    let expected = probes.iter().map(|&(words, wanted)| u64::from(scalar::matches(words, wanted))).sum();
    let work = move || dispatch!(isa.level(), simd => probe_each(simd, black_box(&probes)));
    Round { items: ITEMS, expected, work: Box::new(work) }
}

#[inline(always)]
fn probe_each<S: Simd>(simd: S, probes: &[([u64; 4], u64)]) -> u64 {
    probes.iter().map(|&(words, wanted)| u64::from(simd::matches(simd, words, wanted))).sum()
}

fn words(seed: u64) -> Vec<u64> {
    let mut rng = Rng::new(seed);
    (0..ITEMS).map(|_| rng.next_word() & NINE_LANES).collect()
}

fn least(image: impl Fn(Sym) -> u64) -> u64 {
    Sym::ALL.into_iter().map(image).fold(u64::MAX, u64::min)
}

fn least_by_array(word: u64) -> u64 {
    let values: [u64; 9] = std::array::from_fn(|cell| word >> (3 * cell) & 7);
    least(|sym| sym.array(values).into_iter().rev().fold(0, |word, value| word * 8 + value))
}

fn least_by_lanes(_: Isa) -> Round {
    let words = words(3);
    let expected = words.iter().fold(0, |sum, &word| sum ^ least_by_array(word));
    let work = move || black_box(&words).iter().fold(0, |sum, &word| sum ^ least(|sym| sym.lanes::<3>(word)));
    Round { items: ITEMS, expected, work: Box::new(work) }
}

/// The smallest ring, not the smallest word: the spiral has its own order.
fn least_by_spiral(_: Isa) -> Round {
    let words = words(4);
    let by_definition = |word: u64| least(|sym| spiral::ring::<3>(sym.lanes::<3>(word)));
    let expected = words.iter().fold(0, |sum, &word| sum ^ by_definition(word));
    let images = |word: u64| {
        let (ring, mirrored) = (spiral::ring::<3>(word), spiral::mirrored_ring::<3>(word));
        least(|sym| spiral::turned::<3>(if sym.is_mirrored() { mirrored } else { ring }, u32::from(sym.turns())))
    };
    let work = move || black_box(&words).iter().fold(0, |sum, &word| sum ^ images(word));
    Round { items: ITEMS, expected, work: Box::new(work) }
}

fn add_saturate(_: Isa) -> Round {
    let pairs: Vec<_> = words(5).into_iter().zip(words(6)).collect();
    let lane = |x: u64, y: u64, at: u32| ((x >> at & 7) + (y >> at & 7)).min(7) << at;
    let by_definition = |x, y| (0..9).map(|cell| lane(x, y, 3 * cell)).sum::<u64>();
    let expected = pairs.iter().fold(0, |sum, &(x, y)| sum ^ by_definition(x, y));
    let work = move || black_box(&pairs).iter().fold(0, |sum, &(x, y)| sum ^ lanes::add_saturate::<3>(x, y));
    Round { items: ITEMS, expected, work: Box::new(work) }
}
