//! Triple Triad: placements per second on each board.

use super::{Contest, Role, contender};
use grid::simd::{Isa, Simd, dispatch};
use grid::{Cell, Game, Player, Rng};
use oracle::triad as naive;
use std::hint::black_box;
use std::rc::Rc;
use triad::kernel::batch::{Batch, LANES};
use triad::kernel::fast::{Board, Rank, enemy};
use triad::kernel::{published, scalar};
use triad::{Card, Deal, Edition, Move, Rules, Setup};

pub(crate) const GAMES: usize = 1024;

pub(crate) fn deal() -> Deal {
    let hand = |cards: [[u8; 4]; 5]| cards.map(|sides| Card { sides, element: None, kind: None });
    let a = hand([[10, 4, 6, 9], [9, 6, 2, 8], [5, 3, 2, 6], [1, 4, 1, 5], [7, 3, 8, 4]]);
    let b = hand([[4, 10, 2, 9], [6, 9, 2, 3], [2, 6, 7, 8], [5, 1, 1, 3], [8, 8, 3, 6]]);
    Deal::new(&Setup::new(Rules::preset(Edition::Ff8), a, b)).expect("a deal")
}

/// Random games. The games of one vector share the order of the cells.
pub(crate) fn games(deal: &Deal) -> Vec<[Move; 9]> {
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

/// Number of cells for which `of` holds. Every board must reach the same sum for the first player's cards.
fn owned(of: impl Fn(Cell) -> bool) -> u64 {
    Cell::ALL.into_iter().filter(|cell| of(*cell)).count() as u64
}

pub(crate) fn on_naive(deal: &Deal, games: &[[Move; 9]]) -> u64 {
    let mut sum = 0;
    for game in games {
        let mut board = naive::Board { rules: naive::Rules::FF8, elements: [0; 9], cells: [None; 9] };
        let mut owner = 'A';
        for mv in game {
            let card = deal.setup().card(mv.card().into());
            board.place(
                mv.cell().index(),
                naive::Card { sides: card.sides.map(i32::from), element: 0, kind: 0 },
                owner,
            );
            owner = if owner == 'A' { 'B' } else { 'A' };
        }
        sum += board.owners().matches('A').count() as u64;
    }
    sum
}

pub(crate) fn on_scalar(deal: &Deal, games: &[[Move; 9]]) -> u64 {
    let empty = scalar::Board::new(deal, &deal.start());
    let mut sum = 0;
    for game in games {
        let mut board = empty.clone();
        let mut mover = deal.setup().first;
        for mv in game {
            board.place(*mv, mover, &mut ());
            mover = mover.other();
        }
        sum += owned(|cell| board.owner(cell) == Some(Player::First));
    }
    sum
}

#[inline(always)]
pub(crate) fn on_published<S: Simd>(simd: S, deal: &Deal, games: &[[Move; 9]]) -> u64 {
    let empty = published::Board::new(deal, &deal.start());
    let mut sum = 0;
    for game in games {
        let mut board = empty.clone();
        let mut mover = deal.setup().first;
        for mv in game {
            board.place(simd, *mv, mover);
            mover = mover.other();
        }
        sum += owned(|cell| board.owner(cell) == Some(Player::First));
    }
    sum
}

#[inline(always)]
pub(crate) fn on_fast<S: Simd>(_: S, deal: &Deal, games: &[[Move; 9]]) -> u64 {
    let empty = Board::new(&deal.start());
    let rank = Rank::new(deal, 0);
    let mut sum = 0;
    for game in games {
        let mut board = empty;
        let mut own = deal.start().own();
        let mut mover = deal.setup().first;
        for mv in game {
            own ^= rank.takes(&board, *mv, enemy(own, mover));
            board.lay(*mv);
            mover = mover.other();
        }
        sum += u64::from(own.count_ones());
    }
    sum
}

pub(crate) type Group = ([Cell; 9], [[u8; LANES]; 9]);

#[inline(always)]
pub(crate) fn on_batch<S: Simd>(simd: S, batch: &Batch, groups: &[Group]) -> u64 {
    let mut sum = 0;
    for (order, cards) in groups {
        for score in batch.play(simd, order, cards) {
            sum += u64::from(score);
        }
    }
    sum
}

/// The games grouped by vector.
pub(crate) fn groups(games: &[[Move; 9]]) -> Vec<Group> {
    let group = |group: &[[Move; 9]]| -> Group {
        let cards = std::array::from_fn(|turn| std::array::from_fn(|lane| group[lane][turn].card()));
        (group[0].map(Move::cell), cards)
    };
    games.chunks(LANES).map(group).collect()
}

pub(super) fn contests(isa: Isa) -> Vec<Contest> {
    let deal = Rc::new(deal());
    let games = Rc::new(games(&deal));
    let batch = Batch::new(&deal);
    let groups = groups(&games);
    let level = isa.level();
    let expected = on_naive(&deal, &games);
    let on = |name, role, work: fn(Isa, &Deal, &[[Move; 9]]) -> u64| {
        let (deal, games) = (deal.clone(), games.clone());
        contender(name, role, 9 * GAMES, expected, move || work(isa, &deal, black_box(&games)))
    };
    let contenders = vec![
        on("naive model", Role::Naive, |_, deal, games| on_naive(deal, games)),
        on("published, scalar", Role::WriteUp, |_, deal, games| on_scalar(deal, games)),
        on(
            "published, branchless in vectors",
            Role::WriteUp,
            |isa, deal, games| dispatch!(isa.level(), simd => on_published(simd, deal, games)),
        ),
        on(
            "capture tables of the deal",
            Role::Ours,
            |isa, deal, games| dispatch!(isa.level(), simd => on_fast(simd, deal, games)),
        ),
        contender(
            "32 games in vector lanes",
            Role::Ours,
            9 * GAMES,
            expected,
            move || dispatch!(level, simd => on_batch(simd, &batch, black_box(&groups))),
        ),
    ];
    vec![Contest { game: "Triple Triad", items: "placements", contenders }]
}
