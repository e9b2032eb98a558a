//! One deal, the same random games on every board: placements a second, each answer checked against the others.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use grid::simd::{Isa, Simd, dispatch};
use grid::{Cell, Game, Rng};
use ninefold_triad::kernel::batch::{Batch, LANES};
use ninefold_triad::kernel::fast::{Board, Rank, enemy};
use ninefold_triad::kernel::{bordered, scalar};
use ninefold_triad::{Card, Deal, Edition, Move, Rules, Setup};
use std::hint::black_box;

const GAMES: usize = 1024;

fn deal() -> Deal {
    let hand = |cards: [&str; 5]| cards.map(|card| Card::read(card, Edition::Ff8).expect("a card"));
    let (a, b) = (["A469", "9628", "5326", "1415", "7384"], ["4A29", "6923", "2678", "5113", "8836"]);
    Deal::new(&Setup::new(Rules::preset(Edition::Ff8), hand(a), hand(b))).expect("a deal")
}

/// Games in groups of 32 with one order of cells, as moves.
fn games(deal: &Deal) -> Vec<[Move; 9]> {
    let mut rng = Rng::new(5);
    let mut games = Vec::new();
    for _ in 0..GAMES / LANES {
        let mut order = Cell::ALL;
        for at in (1..9).rev() {
            order.swap(at, rng.below(at as u32 + 1) as usize);
        }
        for _ in 0..LANES {
            let mut position = deal.start();
            games.push(order.map(|cell| {
                let moves: Vec<Move> = deal.moves(&position).filter(|mv| mv.cell() == cell).collect();
                let mv = rng.pick(moves.into_iter()).expect("a card");
                position = deal.play_unchecked(&position, mv);
                mv
            }));
        }
    }
    games
}

fn on_scalar(deal: &Deal, games: &[[Move; 9]]) -> u64 {
    let empty = scalar::Board::new(deal, &deal.start());
    let mut sum = 0;
    for game in games {
        let mut board = empty.clone();
        let mut mover = deal.setup().first;
        for mv in game {
            board.place(*mv, mover, &mut ());
            mover = mover.other();
        }
        sum += Cell::ALL.into_iter().filter(|cell| board.owner(*cell) == Some(grid::Player::First)).count() as u64;
    }
    sum
}

#[inline(always)]
fn on_bordered<S: Simd>(simd: S, deal: &Deal, games: &[[Move; 9]]) -> u64 {
    let empty = bordered::Board::new(deal, &deal.start());
    let mut sum = 0;
    for game in games {
        let mut board = empty.clone();
        let mut mover = deal.setup().first;
        for mv in game {
            board.place(simd, *mv, mover);
            mover = mover.other();
        }
        sum += Cell::ALL.into_iter().filter(|cell| board.owner(*cell) == Some(grid::Player::First)).count() as u64;
    }
    sum
}

#[inline(always)]
fn on_fast<S: Simd>(_: S, deal: &Deal, games: &[[Move; 9]]) -> u64 {
    let empty = Board::new(&deal.start());
    let rank = Rank::new(deal, 0);
    let mut sum = 0;
    for game in games {
        let mut board = empty;
        let mut own = deal.start().own();
        let mut mover = deal.setup().first;
        for mv in game {
            own ^= rank.basic(*mv, board.neighbours(mv.cell()), enemy(own, mover));
            board.lay(*mv);
            mover = mover.other();
        }
        sum += u64::from(own.count_ones());
    }
    sum
}

#[inline(always)]
fn on_batch<S: Simd>(simd: S, batch: &Batch, lanes: &[([Cell; 9], [[u8; LANES]; 9])]) -> u64 {
    // A loop and not an iterator: a closure does not inherit the instruction set.
    let mut sum = 0;
    for (order, cards) in lanes {
        for score in batch.play(simd, order, cards) {
            sum += u64::from(score);
        }
    }
    sum
}

fn boards(criterion: &mut Criterion) {
    let deal = deal();
    let games = games(&deal);
    let batch = Batch::new(&deal);
    let lanes: Vec<([Cell; 9], [[u8; LANES]; 9])> = games
        .chunks(LANES)
        .map(|group| {
            let cards = std::array::from_fn(|turn| std::array::from_fn(|lane| group[lane][turn].card()));
            (group[0].map(Move::cell), cards)
        })
        .collect();
    let level = Isa::detect().level();
    // B's card that is never laid is not on the boards and not A's, so all four count the same.
    let wanted = on_scalar(&deal, &games);
    assert_eq!(dispatch!(level, simd => on_bordered(simd, &deal, &games)), wanted);
    assert_eq!(dispatch!(level, simd => on_fast(simd, &deal, &games)), wanted);
    assert_eq!(dispatch!(level, simd => on_batch(simd, &batch, &lanes)), wanted);

    let mut group = criterion.benchmark_group("triad place");
    group.throughput(Throughput::Elements(9 * GAMES as u64));
    group.bench_function("scalar", |bench| bench.iter(|| on_scalar(&deal, black_box(&games))));
    group.bench_function("bordered", |bench| {
        bench.iter(|| dispatch!(level, simd => on_bordered(simd, &deal, black_box(&games))));
    });
    group.bench_function("fast", |bench| {
        bench.iter(|| dispatch!(level, simd => on_fast(simd, &deal, black_box(&games))));
    });
    group.bench_function("batch", |bench| {
        bench.iter(|| dispatch!(level, simd => on_batch(simd, &batch, black_box(&lanes))));
    });
    group.finish();
}

criterion_group!(benches, boards);
criterion_main!(benches);
