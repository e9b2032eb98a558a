//! Plays the same random games on every board and on the naive model, under all combinations of rules of both games.

mod common;

use grid::simd::fearless_simd::prelude::*;
use grid::simd::{Isa, Simd, dispatch};
use grid::{Cell, Game, Player, Rng};
use ninefold_triad::kernel::batch::{Batch, LANES};
use ninefold_triad::kernel::ending::{self, Ending, Last};
use ninefold_triad::kernel::firing::Firing;
use ninefold_triad::kernel::resolved::{Board, Resolver};
use ninefold_triad::kernel::{fast, published, scalar};
use ninefold_triad::{Card, Deal, Move, Position, Rule, Tables, explain};
use oracle::laws::{Model, Plan, position_text};
use oracle::triad::Table;

const GAMES: u32 = 100_000;

#[test]
fn a_hundred_thousand_games_on_three_boards_and_the_naive_one() {
    let isas: Vec<Isa> = Isa::available().collect();
    let games = Plan { seed: 4, games: GAMES }.scaled().games;
    // The tables of a deal cost more than a game, so each deal is played a few times.
    const GAMES_PER_DEAL: u32 = 5;
    for number in (0..games).step_by(GAMES_PER_DEAL as usize) {
        let mut rng = Rng::new(grid::mix(4 ^ u64::from(number)));
        let deal = Deal::new(&common::random_setup(&mut rng)).unwrap();
        for number in number..number + GAMES_PER_DEAL {
            // The published board uses the instruction sets in turn.
            let isa = isas[number as usize % isas.len()];
            dispatch!(isa.level(), simd => game(simd, number, &deal, &mut rng));
        }
    }
}

/// The tables of fifteen cards, ten of which are those of a deal: the same captures, whatever the numbers of the cards.
#[test]
fn tables_of_fifteen_cards_capture_like_those_of_ten() {
    let games = Plan { seed: 5, games: 5_000 }.scaled().games;
    for number in 0..games {
        let mut rng = Rng::new(grid::mix(5 ^ u64::from(number)));
        let setup = common::random_setup(&mut rng);
        let deal = Deal::new(&setup).unwrap();
        // Five other cards between those of A and those of B.
        let kinds = common::random_setup(&mut rng).hands[0];
        let others = kinds.map(|card| Card { element: setup.card(0).element, kind: setup.card(5).kind, ..card });
        let cards = [setup.hands[0], others, setup.hands[1]].concat();
        let tables = Tables::new(setup.rules, &setup.elements, &cards);
        let renumbered = |card: u8| if card < 5 { card } else { card + 5 };
        let wide = |cards: u16| cards & 0x1f | (cards & 0x3e0) << 5;
        let mut position = deal.start();
        while let Some(mv) = rng.pick(deal.moves(&position)) {
            let lying = Cell::ALL.map(|cell| position.card_at(cell).map(renumbered));
            let level = lying.into_iter().flatten().map(|card| tables.step(card)).sum();
            let board = fast::Board::of(|cell| lying[cell.index()]);
            let enemy = wide(fast::enemy(position.own(), deal.turn(&position)));
            let same = Move::new(renumbered(mv.card()), mv.cell());
            let neighbours = board.neighbours(mv.cell());
            let rank = fast::Rank::of(&tables, level);
            let flips = rank.flips(fast::Special::new(setup.rules), &board, same, neighbours, enemy);
            assert_eq!(flips, wide(deal.flips(&position, mv)), "seed 5, game {number}, {mv}: {position:?}");
            if setup.rules.is_basic() {
                assert_eq!(rank.takes(&board, same, enemy), flips, "seed 5, game {number}, {mv}: {position:?}");
            }
            position = deal.play_unchecked(&position, mv);
        }
    }
}

#[inline(always)]
fn game<S: Simd>(simd: S, number: u32, deal: &Deal, rng: &mut Rng) {
    let mut position = deal.start();
    let mut first = scalar::Board::new(deal, &position);
    let mut second = published::Board::new(deal, &position);
    let mut naive = Table::read(&position_text(deal, &position));
    while let Some(mv) = rng.pick(deal.moves(&position)) {
        let mover = deal.turn(&position);
        let before = naive.board.owners();
        first.place(mv, mover, &mut ());
        second.place(simd, mv, mover);
        naive = naive.after(mv.card().into(), mv.cell().index());
        let explained = explain::explain(deal, &position, mv);
        let flips = deal.flips(&position, mv);
        assert_eq!(explained.iter().count() as u32, flips.count_ones(), "game {number}");
        for flip in explained.iter() {
            let card = position.card_at(flip.cell).unwrap();
            assert!(flips >> card & 1 != 0, "game {number}: {flip:?} of {mv} after {before}");
        }
        position = deal.play_unchecked(&position, mv);
        let fast = Cell::ALL.map(|cell| position.card_at(cell).map(|card| position.owner(card)));
        let text = |owners: [Option<Player>; 9]| -> String {
            owners
                .map(|owner| owner.map_or('.', |owner| if owner == Player::First { 'a' } else { 'b' }))
                .iter()
                .collect()
        };
        let owners = naive.board.owners();
        assert_eq!(text(fast), owners, "fast, game {number}, {mv} after {before}: {}", naive.write());
        assert_eq!(text(Cell::ALL.map(|cell| first.owner(cell))), owners, "scalar, game {number}");
        assert_eq!(text(Cell::ALL.map(|cell| second.owner(cell))), owners, "published, game {number}");
        // A board built from the position equals the board that was played.
        if rng.below(9) == 0 {
            first = scalar::Board::new(deal, &position);
            second = published::Board::new(deal, &position);
        }
    }
    assert_eq!(position.free().len(), 0);
    assert_eq!(i64::from(position.score()), i64::from(naive.score()));
    assert!(!deal.is_legal(&position, Move::new(0, Cell::CENTRE)));
}

#[test]
fn thirty_two_games_at_once_end_as_each_alone() {
    let mut rng = Rng::new(32);
    let mut played = 0;
    let deals = Plan { seed: 32, games: 1000 }.scaled().games;
    while played < deals {
        let mut setup = common::random_setup(&mut rng);
        setup.rules = setup.rules.set(Rule::OrderA, false).set(Rule::OrderB, false);
        let deal = Deal::new(&setup).unwrap();
        let batch = Batch::new(&deal);
        let mut order = Cell::ALL;
        for at in (1..9).rev() {
            order.swap(at, rng.below(at as u32 + 1) as usize);
        }
        let mut cards = [[0; LANES]; 9];
        let mut scores = [0; LANES];
        for lane in 0..LANES {
            let mut position = deal.start();
            for (turn, cell) in order.into_iter().enumerate() {
                let mv = rng.pick(deal.moves(&position).filter(|mv| mv.cell() == cell).collect::<Vec<_>>().into_iter());
                cards[turn][lane] = mv.unwrap().card();
                position = deal.play_unchecked(&position, mv.unwrap());
            }
            scores[lane] = position.score() as u8;
        }
        for isa in Isa::available() {
            assert_eq!(
                dispatch!(isa.level(), simd => batch.play(simd, &order, &cards)),
                scores,
                "{isa}, deal {played}"
            );
        }
        played += 1;
    }
}

/// The number of cards the mover can guarantee, by plain minimax.
fn most(deal: &Deal, position: &Position) -> u32 {
    let mover = deal.turn(position);
    let mine = |position: &Position| {
        if mover == Player::First { position.score() } else { 10 - position.score() }
    };
    let values = deal.moves(position).map(|mv| {
        let next = deal.play_unchecked(position, mv);
        if next.free().is_empty() { mine(&next) } else { 10 - most(deal, &next) }
    });
    values.max().unwrap()
}

/// A position with three cards to play, before and after the sixth card, and the input of the kernel.
struct Ended {
    before: Position,
    mv: Move,
    position: Position,
    last: Last,
    /// The opener's cards.
    mine: u16,
}

impl Ended {
    fn random(deal: &Deal, rng: &mut Rng) -> Self {
        let mut before = deal.start();
        for _ in 0..5 {
            before = deal.play_unchecked(&before, rng.pick(deal.moves(&before)).unwrap());
        }
        let mv = rng.pick(deal.moves(&before)).unwrap();
        let position = deal.play_unchecked(&before, mv);
        let opener = deal.setup().first;
        let five = |player: Player| deal.hand(&position, player) >> if player == Player::First { 0 } else { 5 };
        let last = Last { free: position.free(), ours: five(opener), theirs: five(opener.other()) };
        Self { before, mv, position, last, mine: owned(deal, &position) }
    }
}

/// The opener's cards.
fn owned(deal: &Deal, position: &Position) -> u16 {
    if deal.setup().first == Player::First { position.own() } else { position.own() ^ 0x3ff }
}

#[test]
fn the_last_three_cards_at_once_are_the_best_of_all_games() {
    let mut rng = Rng::new(24);
    for number in 0..(Plan { seed: 24, games: 2000 }.scaled().games) {
        let mut setup = common::random_setup(&mut rng);
        for rule in [Rule::Same, Rule::Plus, Rule::Ascension, Rule::Descension, Rule::OrderA, Rule::OrderB] {
            setup.rules = setup.rules.set(rule, false);
        }
        let deal = Deal::new(&setup).unwrap();
        let resolver = Resolver::new(&deal);
        let ending = Ending::new(&deal, &resolver);
        let Ended { before, mv, position, last, mine } = Ended::random(&deal, &mut rng);
        let wanted = most(&deal, &position);
        for (board, before) in [(Board::new(&resolver, &position), None), (Board::new(&resolver, &before), Some(mv))] {
            for isa in Isa::available() {
                let counted = dispatch!(isa.level(), simd => {
                    let ends = ending.ends(simd, &board, &resolver, before, last);
                    ending::most(simd, ends.map(|ends| ends.end(simd, mine).count_ones()))
                });
                assert_eq!(u32::from(counted), wanted, "{isa}, seed 24, deal {number}");
            }
        }
    }
}

#[test]
fn where_same_and_plus_do_not_fire_the_ends_are_bounds() {
    let mut rng = Rng::new(25);
    let (mut exact, mut fired, mut more) = (0, 0, 0);
    for number in 0..(Plan { seed: 25, games: 2000 }.scaled().games) {
        let mut setup = common::random_setup(&mut rng);
        for rule in [Rule::Ascension, Rule::Descension, Rule::OrderA, Rule::OrderB] {
            setup.rules = setup.rules.set(rule, false);
        }
        setup.rules = setup.rules.with(if number % 2 == 0 { Rule::Same } else { Rule::Plus });
        let deal = Deal::new(&setup).unwrap();
        let resolver = Resolver::new(&deal);
        let (ending, firing) = (Ending::new(&deal, &resolver), Firing::new(&deal, &resolver));
        let Ended { position, last, mine, .. } = Ended::random(&deal, &mut rng);
        let board = Board::new(&resolver, &position);
        let cells: Vec<Cell> = position.free().into_iter().collect();
        let fires = [0, 1, 2].map(|at| board.special(&resolver, cells[at]));
        let cards = |hand: u16, base: u8| -> Vec<u8> {
            (0..5).filter(|card| hand >> card & 1 != 0).map(|card| card + base).collect()
        };
        let opener = 5 * u8::from(deal.setup().first == Player::Second);
        let (ours, theirs) = (cards(last.ours, opener), cards(last.theirs, 5 - opener));
        for isa in Isa::available() {
            let lanes = dispatch!(isa.level(), simd => {
                let ends = ending.ends(simd, &board, &resolver, None, last);
                let fires = firing.fires(simd, &board, last, fires);
                [0, 1, 2].map(|at| {
                    [ends[at].end(simd, mine), fires[at].first, fires[at].reply, fires[at].last].map(|lanes| {
                        let mut array: [u16; 8] = [0; 8];
                        lanes.store_slice(&mut array);
                        array
                    })
                })
            });
            for (at, others) in [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])] {
                for lane in 0..8 {
                    let (half, card, other) = (lane / 4, lane / 2 % 2, lane % 2);
                    let line = [
                        Move::new(ours[card], cells[at]),
                        Move::new(theirs[other], cells[others[half]]),
                        Move::new(ours[1 - card], cells[others[1 - half]]),
                    ];
                    let end = line.iter().fold(position, |position, mv| deal.play(&position, *mv).unwrap());
                    let end = owned(&deal, &end);
                    let [basic, first, reply, last] = lanes[at].map(|lanes| lanes[lane]);
                    let context = format!("{isa}, seed 25, deal {number}, {line:?}");
                    if reply == 0 {
                        assert_eq!(basic & !end, 0, "at least: {context}");
                    }
                    if first | last == 0 {
                        assert_eq!(end & !basic, 0, "at most: {context}");
                    }
                    exact += u32::from(first | reply | last == 0);
                    fired += u32::from(first | reply | last != 0);
                    more += u32::from(end != basic);
                }
            }
        }
    }
    // Some lines are exact, some are not, and the inexact ones often differ from the basic rule.
    assert!(exact > fired / 2 && more > fired / 10, "{exact} exact, {fired} inexact, {more} differ");
}

/// What a new card changes on other cells can be read from the board before it was played.
#[test]
fn a_new_card_adds_what_its_neighbours_see() {
    let mut rng = Rng::new(26);
    for number in 0..(Plan { seed: 26, games: 500 }.scaled().games) {
        let mut setup = common::random_setup(&mut rng);
        for rule in [Rule::Ascension, Rule::Descension] {
            setup.rules = setup.rules.set(rule, false);
        }
        setup.rules = setup.rules.with(if number % 2 == 0 { Rule::Same } else { Rule::Plus });
        let deal = Deal::new(&setup).unwrap();
        let resolver = Resolver::new(&deal);
        let mut position = deal.start();
        while let Some(mv) = rng.pick(deal.moves(&position)) {
            let next = deal.play_unchecked(&position, mv);
            let [before, after] = [position, next].map(|position| Board::new(&resolver, &position));
            for cell in next.free() {
                let context = format!("seed 26, deal {number}: {mv}, then {cell}");
                let beside = before.special_beside(&resolver, cell, mv);
                assert_eq!(before.special(&resolver, cell) | beside, after.special(&resolver, cell), "{context}");
                for player in [Player::First, Player::Second] {
                    let hand = deal.hand(&next, player);
                    let half = usize::from(player != setup.first);
                    let mut lanes: [u16; 8] = [0; 8];
                    dispatch!(Isa::detect().level(), simd => after.takes_by(simd, cell, half).store_slice(&mut lanes));
                    for card in (0..10).filter(|card| hand >> card & 1 != 0) {
                        let reply = Move::new(card, cell);
                        let takes = before.takes(reply) | resolver.takes_back(mv, reply);
                        assert_eq!(takes, after.takes(reply), "{context}, {reply}");
                        assert_eq!(lanes[usize::from(card) % 5], takes, "{context}, {reply}");
                    }
                }
            }
            position = next;
        }
    }
}
