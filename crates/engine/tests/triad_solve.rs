//! The solver against the naive model: every rule mix, late positions, every move; and the same nodes on every
//! instruction set.

#[path = "../../triad/tests/common/mod.rs"]
mod common;

extern crate triad as ninefold_triad;

use grid::simd::Isa;
use grid::{Game, Player, Rng};
use ninefold_engine::triad::cards::Book;
use ninefold_engine::triad::{Replays, Solver, chances, expected};
use oracle::laws::{Model, Plan, position_text};
use oracle::triad::Table;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use triad::{Card, Deal, Edition, Position, Rule, Rules, Setup};

/// A position with `left` empty cells, by random play.
fn random_position(deal: &Deal, left: usize, rng: &mut Rng) -> Position {
    let mut position = deal.start();
    while position.free().len() > left {
        let mv = rng.pick(deal.moves(&position)).unwrap();
        position = deal.play_unchecked(&position, mv);
    }
    position
}

#[test]
fn every_move_of_late_positions_has_the_naive_value() {
    let mut solvers: Vec<Solver> = Isa::available().map(Solver::new).collect();
    let games = Plan { seed: 7, games: 1500 }.scaled().games;
    for number in 0..games {
        let mut rng = Rng::new(grid::mix(7 ^ u64::from(number)));
        let deal = Deal::new(&common::random_setup(&mut rng)).unwrap();
        let position = random_position(&deal, 1 + number as usize % 4, &mut rng);
        let text = position_text(&deal, &position);
        let naive = Table::read(&text);
        let value = naive.value();
        let mut nodes = Vec::new();
        for solver in &mut solvers {
            let solution = solver.solve(&deal, &position);
            assert_eq!(solution.value as i32, value, "seed 7, game {number}: {text}");
            nodes.push((solution.nodes, solution.moves));
            // The line is legal and ends with the value.
            let end = solution.line.iter().fold(position, |position, mv| deal.play(&position, *mv).unwrap());
            assert_eq!((end.free().len(), end.score()), (0, solution.value), "seed 7, game {number}: {text}");
        }
        for mv in &nodes[0].1 {
            let after = naive.after(mv.mv.card().into(), mv.mv.cell().index());
            assert_eq!(mv.value as i32, after.value(), "seed 7, game {number}, {}: {text}", mv.mv);
        }
        assert!(nodes.iter().all(|other| *other == nodes[0]), "the same nodes everywhere: {text}");
    }
}

#[test]
fn chaos_has_the_naive_expectation() {
    for number in 0..60 {
        let mut rng = Rng::new(grid::mix(9 ^ number));
        let setup = common::random_setup(&mut rng);
        if !Rule::ChaosA.is_of(setup.rules.edition()) {
            continue;
        }
        let rules = setup.rules.set(Rule::OrderA, false).set(Rule::OrderB, false).with(Rule::ChaosA);
        let (rules, names) = if number % 2 == 0 { (rules, "a") } else { (rules.with(Rule::ChaosB), "ab") };
        let deal = Deal::new(&Setup { rules, ..setup }).unwrap();
        let position = random_position(&deal, 4, &mut rng);
        let naive = Table::read(&position_text(&deal, &position)).chaotic_value(names);
        assert!((expected(&deal, &position) - naive).abs() < 1e-9, "seed 9, game {number}");
        // Every move, and the same with a card drawn.
        let solution = chances(Isa::detect(), None, &deal, &position, &AtomicBool::new(false), |_, _| {});
        assert_eq!(solution.moves.len(), deal.moves(&position).len());
        let table = Table::read(&position_text(&deal, &position));
        for (mv, value) in &solution.moves {
            let after = table.after(mv.card().into(), mv.cell().index()).chaotic_value(names);
            assert!((value - after).abs() < 1e-9, "seed 9, game {number}, {mv}");
        }
        assert!(solution.best.iter().all(|mv| solution.moves.iter().any(|known| known.0 == *mv)));
        let card = (0..10).find(|card| deal.hand(&position, deal.turn(&position)) >> card & 1 != 0).unwrap();
        if let Some(drawn) = deal.draw(&position, card) {
            let naive = Table::read(&position_text(&deal, &drawn)).chaotic_value(names);
            assert!((expected(&deal, &drawn) - naive).abs() < 1e-9, "seed 9, game {number}, {card} drawn");
        }
    }
}

/// The replays played already, by hands, opener and rounds left; and the ten cards in the order of the first deal, which is
/// their order in every hand.
struct Known {
    results: BTreeMap<String, u32>,
    cards: Vec<Card>,
}

/// Sudden Death by the rule's own words on the deal: 10 for a win of A, 5 for a draw, 0 for a loss.
fn repeated(deal: &Deal, position: &Position, rounds: u32, window: [u32; 2], known: &mut Known) -> u32 {
    if position.free().is_empty() {
        let score = position.score();
        if score != 5 || rounds == 0 {
            return [0, 5, 10][usize::from(score >= 5) + usize::from(score > 5)];
        }
        let setup = deal.setup();
        let of = |player| {
            let cards = (0..10).filter(|card| position.owner(*card) == player).map(|card| setup.card(card.into()));
            let mut cards: Vec<Card> = cards.collect();
            cards.sort_by_key(|card| known.cards.iter().position(|first| first == card));
            <[Card; 5]>::try_from(cards).unwrap()
        };
        let again = Setup { hands: [of(Player::First), of(Player::Second)], first: setup.first.other(), ..*setup };
        let name = format!("{again:?} {rounds}");
        if let Some(result) = known.results.get(&name) {
            return *result;
        }
        let again = Deal::new(&again).unwrap();
        let result = repeated(&again, &again.start(), rounds - 1, [0, 10], known);
        known.results.insert(name, result);
        return result;
    }
    let [mut low, mut high] = window;
    for mv in deal.moves(position) {
        let result = repeated(deal, &deal.play_unchecked(position, mv), rounds, [low, high], known);
        match deal.turn(position) {
            Player::First => low = low.max(result),
            Player::Second => high = high.min(result),
        }
        if low >= high {
            return result;
        }
    }
    if deal.turn(position) == Player::First { low } else { high }
}

#[test]
fn replays_of_draws_are_the_games_that_the_rule_tells() {
    let (mut decided, mut deep) = ([0; 4], None);
    for number in 0..32 {
        let mut rng = Rng::new(grid::mix(11 ^ number));
        // In order, so that every game can be played to its end.
        let rules = ["order", "order,same,plus", "order,reverse,plus", "order,ascension"][number as usize % 4];
        let rules = Rules::read(&format!("{rules},sudden-death"), Edition::Ff14).unwrap();
        let book = Book::built_in(Edition::Ff14);
        let mut cards: Vec<Card> = book.cards().iter().take(80).map(|known| known.card).collect();
        let mut hand = || std::array::from_fn(|_| cards.swap_remove(rng.below(cards.len() as u32) as usize));
        let setup = Setup::new(rules, hand(), hand());
        let first = if rng.below(2) == 0 { setup.first } else { setup.first.other() };
        let deal = Deal::new(&Setup { first, ..setup }).unwrap();
        // The replays begin with an empty board in any case.
        let position = random_position(&deal, 3 + number as usize % 2, &mut rng);
        let text = position_text(&deal, &position);
        let mut results = [0; 4];
        let mut known = Known { results: BTreeMap::new(), cards: (0..10).map(|card| setup.card(card)).collect() };
        for rounds in 0..=3 {
            // From the second round on each is up to 252 whole games: once, and where the first end was a draw.
            if rounds > 1 && (results[0] != 5 || *deep.get_or_insert(number) != number) {
                break;
            }
            let replays = Replays::new(Isa::detect(), None, &deal, rounds, &AtomicBool::new(false)).unwrap().unwrap();
            let solution = Solver::default().solve_with(&deal, &position, &replays);
            let result = repeated(&deal, &position, rounds, [0, 10], &mut known);
            assert_eq!(solution.value, result, "seed 11, game {number}, {rounds} replays: {text}");
            for mv in &solution.moves {
                let result = repeated(&deal, &deal.play_unchecked(&position, mv.mv), rounds, [0, 10], &mut known);
                assert_eq!(mv.value, result, "seed 11, game {number}, {rounds} replays, {}: {text}", mv.mv);
            }
            if rounds <= 1 {
                let naive = 5 + 5 * Table::read(&text).repeated(rounds, -1, 1, &mut BTreeMap::new());
                assert_eq!(solution.value as i32, naive, "naive, seed 11, game {number}, {rounds} replays: {text}");
            }
            results[rounds as usize] = result;
            decided[rounds as usize] += u32::from(results[0] == 5 && result != 5);
        }
    }
    assert!(decided[1] > 0 && deep.is_some(), "replays change nothing: {decided:?}");
}

#[test]
fn the_signature_is_the_same_everywhere() {
    let wanted = ninefold_engine::triad::signature(Isa::Scalar);
    assert!(wanted > 100_000);
    for isa in Isa::available() {
        assert_eq!(ninefold_engine::triad::signature(isa), wanted, "{isa}");
    }
}
