//! Checks the tables and bit tricks of `grid` against their plain definitions, exhaustively where possible.

use ninefold_grid::simd::{self, Isa, dispatch, scalar};
use ninefold_grid::{
    BORDERED, BORDERED_SLOTS, Cell, CellSet, Direction, LINES, Rng, Sym, TextError, cells, lanes, mix, spiral,
    zobrist_keys,
};
use proptest::prelude::*;

fn every_set() -> impl Iterator<Item = CellSet> {
    (0..512).map(CellSet::from_bits)
}

#[test]
fn neighbours_follow_from_rows_and_columns() {
    let steps = [(-1, 0), (0, 1), (1, 0), (0, -1)];
    for cell in Cell::ALL {
        for (direction, (down, right)) in Direction::ALL.into_iter().zip(steps) {
            let (row, column) = (cell.row() as i32 + down, cell.column() as i32 + right);
            let inside = (0..3).contains(&row) && (0..3).contains(&column);
            let expected = inside.then(|| Cell::at(row as usize, column as usize));
            assert_eq!(cell.neighbour(direction), expected);
            if let Some(next) = expected {
                assert_eq!(next.neighbour(direction.opposite()), Some(cell));
                assert!(CellSet::beside(cell).contains(next));
            }
        }
        assert_eq!(
            CellSet::beside(cell).len(),
            Direction::ALL.iter().filter(|&&d| cell.neighbour(d).is_some()).count()
        );
    }
}

#[test]
fn the_bordered_board_is_the_published_one() {
    let published = [
        [9, 1, 3, 18],
        [10, 2, 4, 0],
        [11, 12, 5, 1],
        [0, 4, 6, 19],
        [1, 5, 7, 3],
        [2, 13, 8, 4],
        [3, 7, 15, 20],
        [4, 8, 16, 6],
        [5, 14, 17, 7],
    ];
    assert_eq!(BORDERED, published);
    let mut met = [0; BORDERED_SLOTS];
    BORDERED.iter().flatten().for_each(|&slot| met[slot as usize] += 1);
    assert!(met[9..].iter().all(|&times| times == 1), "each virtual slot borders one cell");
}

#[test]
fn sets_behave_as_sets() {
    for a in every_set() {
        let list: Vec<_> = Cell::ALL.into_iter().filter(|&cell| a.contains(cell)).collect();
        assert_eq!(a.into_iter().collect::<Vec<_>>(), list);
        assert_eq!(a.into_iter().len(), list.len());
        assert_eq!(a.len(), list.len());
        assert_eq!(a.first(), list.first().copied());
        assert_eq!(list.iter().copied().collect::<CellSet>(), a);
        assert_eq!(a.is_empty(), list.is_empty());
        assert_eq!(CellSet::drawn(&format!("{a:?}"), 'x'), a);
        for b in every_set().step_by(7) {
            for cell in Cell::ALL {
                let (in_a, in_b) = (a.contains(cell), b.contains(cell));
                assert_eq!((a | b).contains(cell), in_a || in_b);
                assert_eq!((a & b).contains(cell), in_a && in_b);
                assert_eq!((a - b).contains(cell), in_a && !in_b);
                assert_eq!((a ^ b).contains(cell), in_a != in_b);
                assert_eq!((!a).contains(cell), !in_a);
            }
            assert_eq!(a.is_within(b), (a - b).is_empty());
            let assigned = |assign: fn(&mut CellSet, CellSet)| {
                let mut set = a;
                assign(&mut set, b);
                set
            };
            assert_eq!(assigned(|a, b| *a |= b), a | b);
            assert_eq!(assigned(|a, b| *a &= b), a & b);
            assert_eq!(assigned(|a, b| *a -= b), a - b);
        }
    }
}

/// The rule itself: three in a row, in a column, or on a diagonal.
fn three_in_a_row(set: CellSet) -> bool {
    let has = |row, column| set.contains(Cell::at(row, column));
    (0..3).any(|row| (0..3).all(|column| has(row, column)))
        || (0..3).any(|column| (0..3).all(|row| has(row, column)))
        || (0..3).all(|step| has(step, step))
        || (0..3).all(|step| has(step, 2 - step))
}

#[test]
fn the_win_test_is_the_same_three_ways_and_on_every_level() {
    let sets: Vec<_> = every_set().collect();
    let expected: Vec<_> = sets.iter().map(|&set| three_in_a_row(set)).collect();
    for (&set, &won) in sets.iter().zip(&expected) {
        assert_eq!(set.has_line(), won, "table {set:?}");
        assert_eq!(set.has_line_scalar(), won, "scalar {set:?}");
        let completing: CellSet =
            (!set).into_iter().filter(|&c| LINES.iter().any(|l| l.contains(c) && l.is_within(set.with(c)))).collect();
        assert_eq!(set.completing(), completing);
    }
    let mut out = vec![false; sets.len()];
    scalar::has_line_each(&sets, &mut out);
    assert_eq!(out, expected);
    for isa in Isa::available() {
        out.fill(false);
        dispatch!(isa.level(), simd => simd::has_line_each(simd, &sets, &mut out));
        assert_eq!(out, expected, "{isa}");
        let one_by_one: Vec<_> =
            dispatch!(isa.level(), simd => sets.iter().map(|&s| simd::has_line(simd, s)).collect());
        assert_eq!(one_by_one, expected, "{isa}");
    }
}

#[test]
fn the_probe_is_the_same_on_every_level() {
    for pattern in 0..81_u64 {
        let words = [1, 3, 9, 27].map(|power| mix(pattern / power % 3));
        for wanted in (0..3).map(mix) {
            let expected = scalar::matches(words, wanted);
            for isa in Isa::available() {
                let found = dispatch!(isa.level(), simd => simd::matches(simd, words, wanted));
                assert_eq!(found, expected, "{isa}");
            }
        }
    }
}

#[test]
fn levels_have_names_and_this_machine_has_some() {
    for isa in Isa::ALL {
        assert_eq!(isa.name().parse(), Ok(isa));
    }
    let unknown = "avx9".parse::<Isa>().unwrap_err().to_string();
    assert!(Isa::ALL.iter().all(|isa| unknown.contains(isa.name())), "{unknown}");
    let available: Vec<_> = Isa::available().collect();
    assert_eq!(available[0], Isa::Scalar);
    assert_eq!(available.last(), Some(&Isa::detect()));
    assert!(Isa::Scalar.level().is_fallback());
    if cfg!(target_arch = "x86_64") {
        assert!(Isa::Sse2.is_available() && !Isa::Neon.is_available() && !Isa::Simd128.is_available());
        assert!(!Isa::Sse2.level().is_fallback());
    }
    if cfg!(target_arch = "aarch64") {
        assert_eq!(available, [Isa::Scalar, Isa::Neon]);
        assert!(!Isa::Neon.level().is_fallback());
    }
}

#[test]
fn symmetries_are_the_group_of_the_square() {
    for a in Sym::ALL {
        assert_eq!(Sym::ALL[a.index()], a);
        assert_eq!(Sym::new(a.is_mirrored(), a.turns()), a);
        assert_eq!(a.then(a.inverse()), Sym::IDENTITY);
        assert_eq!(a.inverse().then(a), Sym::IDENTITY);
        assert_eq!(a.then(Sym::IDENTITY), a);
        for b in Sym::ALL {
            for cell in Cell::ALL {
                assert_eq!(a.then(b).cell(cell), b.cell(a.cell(cell)), "{a:?} then {b:?} on {cell}");
            }
            for c in Sym::ALL {
                assert_eq!(a.then(b).then(c), a.then(b.then(c)));
            }
        }
    }
    let images: std::collections::HashSet<_> = Sym::ALL.iter().map(|s| Cell::ALL.map(|c| s.cell(c))).collect();
    assert_eq!(images.len(), 8, "no two symmetries are the same");
}

#[test]
fn the_drawing_of_the_symmetries_is_true() {
    let drawn =
        ["abcdefghi", "gdahebifc", "ihgfedcba", "cfibehadg", "cbafedihg", "ifchebgda", "ghidefabc", "adgbehcfi"];
    let letters: [u8; 9] = *b"abcdefghi";
    for (sym, picture) in Sym::ALL.into_iter().zip(drawn) {
        assert_eq!(sym.array(letters), picture.as_bytes(), "{sym:?}");
    }
    let named = [Sym::TURN, Sym::HALF_TURN, Sym::BACK_TURN, Sym::MIRROR, Sym::UPSIDE_DOWN, Sym::TRANSPOSE];
    assert_eq!(named.map(Sym::index), [1, 2, 3, 4, 6, 7]);
}

#[test]
fn symmetries_keep_neighbours_and_lines() {
    for sym in Sym::ALL {
        for cell in Cell::ALL {
            assert_eq!(sym.set(CellSet::beside(cell)), CellSet::beside(sym.cell(cell)));
        }
        for line in LINES {
            assert!(LINES.contains(&sym.set(line)));
        }
    }
}

#[test]
fn symmetries_act_alike_on_cells_sets_and_arrays() {
    for sym in Sym::ALL {
        for set in every_set() {
            let image: CellSet = set.into_iter().map(|cell| sym.cell(cell)).collect();
            assert_eq!(sym.set(set), image);
            let array = Cell::ALL.map(|cell| set.contains(cell));
            assert_eq!(sym.array(array), Cell::ALL.map(|cell| image.contains(cell)));
        }
    }
}

fn pack<const K: u32>(values: [u64; 9]) -> u64 {
    Cell::ALL.into_iter().fold(0, |word, cell| lanes::set::<K>(word, cell, values[cell.index()]))
}

fn check_lanes<const K: u32>(seed: u64) {
    let limit = (1 << K) - 1;
    let mut rng = Rng::new(seed);
    let values: [u64; 9] = std::array::from_fn(|_| rng.next_word() & limit);
    let others: [u64; 9] = std::array::from_fn(|_| rng.next_word() & limit);
    let (x, y) = (pack::<K>(values), pack::<K>(others));
    assert_eq!(Cell::ALL.map(|cell| lanes::get::<K>(x, cell)), values);
    for sym in Sym::ALL {
        assert_eq!(sym.lanes::<K>(x), pack::<K>(sym.array(values)), "{sym:?}");
        let ring = if sym.is_mirrored() { spiral::mirrored_ring::<K>(x) } else { spiral::ring::<K>(x) };
        let turned = spiral::turned::<K>(ring, u32::from(sym.turns()));
        assert_eq!(spiral::word::<K>(turned, x), pack::<K>(sym.array(values)), "spiral {sym:?}");
    }
    let zip = |f: fn(u64, u64, u64) -> u64| {
        pack::<K>(std::array::from_fn(|cell| f(values[cell], others[cell], (1 << K) - 1)))
    };
    assert_eq!(lanes::add_saturate::<K>(x, y), zip(|a, b, limit| (a + b).min(limit)));
    assert_eq!(lanes::zero_mask::<K>(x & y), {
        pack::<K>(std::array::from_fn(|cell| if values[cell] & others[cell] == 0 { limit / 2 + 1 } else { 0 }))
    });
    let below: CellSet = Cell::ALL.into_iter().filter(|c| values[c.index()] < others[c.index()]).collect();
    let tops = pack::<K>(Cell::ALL.map(|c| if below.contains(c) { limit / 2 + 1 } else { 0 }));
    assert_eq!(lanes::cells_of::<K>(tops), below);
    assert_eq!(lanes::mask::<K>(below), pack::<K>(Cell::ALL.map(|c| if below.contains(c) { limit } else { 0 })));
}

proptest! {
    #[test]
    fn lanes_are_nine_small_numbers(seed: u64) {
        check_lanes::<2>(seed);
        check_lanes::<3>(seed);
        check_lanes::<4>(seed);
        check_lanes::<5>(seed);
        check_lanes::<6>(seed);
        check_lanes::<7>(seed);
    }
}

/// Dice use three-bit lanes: every pair of values, in every lane, next to every neighbour value.
#[test]
fn three_bit_lanes_exhaustively() {
    for a in 0..8_u64 {
        for b in 0..8 {
            for beside in 0..8 {
                let (x, y) = (lanes::splat::<3>(beside), lanes::splat::<3>(7 - beside));
                for cell in Cell::ALL {
                    let (x, y) = (lanes::set::<3>(x, cell, a), lanes::set::<3>(y, cell, b));
                    assert_eq!(lanes::get::<3>(lanes::add_saturate::<3>(x, y), cell), (a + b).min(7));
                    assert_eq!(lanes::get::<3>(lanes::zero_mask::<3>(x), cell), if a == 0 { 4 } else { 0 });
                }
            }
        }
    }
}

#[test]
fn the_ring_runs_round_the_board() {
    for (place, &cell) in spiral::RING.iter().enumerate() {
        let next = spiral::RING[(place + 1) % 8];
        assert!(CellSet::beside(Cell::ALL[cell]).contains(Cell::ALL[next]));
        assert_eq!(Sym::TURN.cell(Cell::ALL[cell]).index(), spiral::RING[(place + 2) % 8]);
    }
}

#[test]
fn keys_differ_and_seeds_repeat() {
    const KEYS: [u64; 1000] = zobrist_keys(1);
    let distinct: std::collections::HashSet<_> = KEYS.into_iter().collect();
    assert_eq!(distinct.len(), KEYS.len());
    assert_eq!(zobrist_keys::<3>(9), zobrist_keys::<3>(9));
    assert_ne!(zobrist_keys::<3>(9), zobrist_keys::<3>(10));
    let mut rng = Rng::new(5);
    let mut met = [0; 10];
    (0..10_000).for_each(|_| met[rng.below(10) as usize] += 1);
    assert!(met.iter().all(|times| (800..1200).contains(times)), "{met:?}");
    assert_eq!(Rng::new(1).pick(std::iter::empty::<u8>()), None);
}

#[test]
fn a_fault_is_shown_under_its_character() {
    let fault = TextError::new(4, "a digit");
    assert_eq!(fault.shifted(2).at, 6);
    assert_eq!(fault.pointing_into("äb\tx").to_string(), "expected a digit\n  äb\u{fffd}x\n     ^");
    assert_eq!(cells! { x . . / ... / ... }.bits(), 1);
}
