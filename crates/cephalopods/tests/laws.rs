//! Cephalopods obeys the laws of `oracle`, and every kernel agrees with the naive model.

use grid::simd::fearless_simd::Simd;
use grid::simd::{Isa, dispatch};
use grid::{Game, Notation, Rng, Versus};
use ninefold_cephalopods::kernel::{Turn, images, published};
use ninefold_cephalopods::{Aim, Board, Contest, Duel, MOST, Setup, tables};
use oracle::cephalopods as naive;
use oracle::laws::{self, Plan};

const PLAN: Plan = Plan { seed: 20_250_301, games: 300 };

#[test]
fn the_contest_game_obeys() {
    let plan = PLAN.scaled();
    laws::rules(&Contest, plan);
    laws::exact_key(&Contest, plan);
    laws::symmetry(&Contest, plan);
    laws::against_model::<_, naive::Contest>(&Contest, plan, |_, _| None);
}

#[test]
fn the_two_player_game_obeys_under_every_aim() {
    let plan = PLAN.scaled();
    for aim in Aim::ALL {
        let duel = Duel { aim };
        laws::rules(&duel, plan);
        laws::versus(&duel, plan);
        laws::exact_key(&duel, plan);
        laws::symmetry(&duel, plan);
        laws::symmetric_result(&duel, plan);
    }
    laws::against_model::<_, naive::Duel<0>>(&Duel { aim: Aim::Majority }, plan, Versus::result);
    laws::against_model::<_, naive::Duel<1>>(&Duel { aim: Aim::Sixes }, plan, Versus::result);
    laws::against_model::<_, naive::Duel<2>>(&Duel { aim: Aim::Misere }, plan, Versus::result);
}

/// Arbitrary boards, reachable or not; half of them have few dice.
fn boards(seed: u64, count: usize) -> impl Iterator<Item = Board> {
    let mut rng = Rng::new(seed);
    std::iter::repeat_with(move || {
        let sparse = rng.below(2) == 0;
        let cells = std::array::from_fn(|_| if sparse && rng.below(2) == 0 { 0 } else { rng.below(7) as u8 });
        Board::from_cells(cells).unwrap()
    })
    .take(count)
}

fn kernels_of<S: Simd>(simd: S, board: Board) {
    simd.vectorize(
        #[inline(always)]
        || {
            let model = naive::moves(&board.cells());
            // Children as the rules list them.
            let listed: Vec<Board> = Contest.moves(&board).map(|mv| Contest.play(&board, mv).unwrap()).collect();
            let expected: Vec<Board> = model.iter().map(|mv| Board::from_cells(mv.after).unwrap()).collect();
            assert_eq!(listed, expected, "{board}");

            let mut children = [images::Child::default(); MOST];
            let count = images::children(simd, board.bits(), &mut children);
            assert_eq!(count, expected.len(), "{board}");
            let mut found: Vec<_> =
                children[..count].iter().map(|child| (child.board(), child.sym(), child.kind())).collect();
            let mut wanted: Vec<_> = model
                .iter()
                .zip(&expected)
                .map(|(mv, child)| {
                    let (canonical, sym) = child.canonical();
                    (canonical.bits(), sym.index(), mv.captured.len().saturating_sub(1))
                })
                .collect();
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{board}");
            let mut sum = [0u32; 8];
            for child in &expected {
                let values = tables::value_images(child.bits());
                sum = std::array::from_fn(|sym| sum[sym].wrapping_add(values[sym]));
            }
            assert_eq!(<[u32; 8]>::from(images::sum_of_children(simd, board.bits())), sum, "{board}");
            assert_eq!(tables::value_images(board.bits())[0], naive::value(&board.cells()));

            let mut out = [0; 20];
            let count = published::children(simd, board, &mut out);
            let mut packed: Vec<u32> = out[..count].to_vec();
            let mut wanted: Vec<u32> = expected.iter().map(|child| child.bits()).collect();
            packed.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(packed, wanted, "published, {board}");

            let (spiral, sym) = published::canonical(simd, board);
            assert_eq!(board.map(sym), spiral);
            assert_eq!(images::canonical(simd, board), board.canonical());
            let least = grid::Sym::ALL.iter().map(|&sym| board.map(sym)).min();
            assert_eq!(Some(board.canonical().0), least);
            let (canonical, to) = board.canonical();
            let seen = Turn::from_canonical(simd, to.index()).of(simd, &tables::value_images(canonical.bits()));
            assert_eq!(<[u32; 8]>::from(seen), tables::value_images(board.bits()), "{board}");
            for sym in grid::Sym::ALL {
                assert_eq!(published::canonical(simd, board.map(sym)).0, spiral, "{board}");
                assert_eq!(tables::value_images(board.bits())[sym.index()], naive::value(&board.map(sym).cells()));
            }
        },
    );
}

/// The published probe, slot by slot.
fn plain_probe(keys: &[u32; 8], key: u32) -> Result<usize, usize> {
    let first = |wanted: &dyn Fn(u32) -> bool| keys.iter().position(|&known| wanted(known));
    match first(&|known| known == key) {
        Some(place) => Ok(place),
        None => Err(first(&|known| known == 0).or(first(&|known| known < key)).unwrap_or(0)),
    }
}

#[test]
fn the_probe_of_eight_keys_is_the_plain_one() {
    let mut rng = Rng::new(8);
    for number in 0..5000 {
        // Few different keys, so that all cases occur.
        let keys = std::array::from_fn(|_| rng.below(if number % 2 == 0 { 12 } else { 1 << 31 }) << 1);
        let key = if number % 3 == 0 { keys[rng.below(8) as usize] | 2 } else { 2 + rng.below(u32::MAX - 2) };
        for isa in Isa::available() {
            let found = dispatch!(isa.level(), simd => published::probe(simd, &keys, key));
            assert_eq!(found, plain_probe(&keys, key), "{isa} {keys:?} {key}");
        }
    }
}

#[test]
fn every_kernel_on_every_instruction_set_is_the_naive_model() {
    let (seed, count) = (7, if std::env::var_os("NINEFOLD_EMULATED").is_some() { 300 } else { 6000 });
    for isa in Isa::available() {
        for board in boards(seed, count) {
            dispatch!(isa.level(), simd => kernels_of(simd, board));
        }
    }
}

#[test]
fn no_board_has_more_than_sixteen_moves() {
    let most = boards(11, 200_000).map(|board| Contest.moves(&board).len()).max();
    assert!(most <= Some(16));
    let sixteen = Contest.read_position("101010101").unwrap();
    assert_eq!(Contest.moves(&sixteen).len(), 16);
}

#[test]
fn what_is_wrong_is_pointed_at() {
    let refused = |text: &str| Contest.read_position(text).unwrap_err();
    assert_eq!(refused("00700"), grid::TextError::new(2, "a digit from 0 to 6"));
    assert_eq!(refused("00000"), grid::TextError::new(5, "nine digits"));
    assert_eq!(refused("0000000000"), grid::TextError::new(9, "nine digits and no more"));
    let board = Contest.read_position("110100000").unwrap();
    for (text, at) in [("9", 0), ("0", 0), ("4", 1), ("4y", 1), ("4x", 2), ("4x31", 3), ("4x17", 2), ("5x14", 2)] {
        assert_eq!(Contest.read_move(&board, text).unwrap_err().at, at, "{text}");
    }
    assert_eq!(Contest.read_move(&board, "4x13").unwrap().to_string(), "4x13");
    let fault = Board::try_from(Setup([0, 0, 0, 0, 0, 8, 0, 0, 0])).unwrap_err();
    assert_eq!(fault.to_string(), "row 2, column 3: 8, but a die shows 1 to 6");
}
