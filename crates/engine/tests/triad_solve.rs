//! The solver against the naive model: every rule mix, late positions, every move; and the same nodes on every
//! instruction set.

#[path = "../../triad/tests/common/mod.rs"]
mod common;

extern crate triad as ninefold_triad;

use grid::simd::Isa;
use grid::{Game, Player, Rng};
use ninefold_engine::triad::cards::Book;
use ninefold_engine::triad::{Lines, Replays, Solver, best_of_each_card, solve_each};
use ninefold_engine::{Analysis, Certainty, Clock, Control, Error, Outcome, Progress, Stop, Value};
use oracle::laws::{Model, Plan, position_text};
use oracle::triad::Table;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use triad::{Card, Deal, Edition, Move, Position, Rule, Rules, Setup};

/// A position with `left` empty cells, by random play.
fn random_position(deal: &Deal, left: usize, rng: &mut Rng) -> Position {
    let mut position = deal.start();
    while position.free().len() > left {
        let mv = rng.pick(deal.moves(&position)).unwrap();
        position = deal.play_unchecked(&position, mv);
    }
    position
}

/// The principal variation is legal and ends with the value.
fn check_line(deal: &Deal, position: &Position, analysis: &Analysis<Move>, text: &str) {
    let line = &analysis.lines[0];
    assert_eq!(line.line[0], line.mv, "{text}");
    let end = line.line.iter().fold(*position, |position, mv| deal.play(&position, *mv).unwrap());
    let margin = (2 * end.score() as i32 - 10) * deal.turn(position).sign();
    assert_eq!((end.free().len(), Some(f64::from(margin))), (0, analysis.value.margin), "{text}");
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
        let margin = |cards: i32| f64::from((2 * cards - 10) * deal.turn(&position).sign());
        let mut analyses = Vec::new();
        for solver in &mut solvers {
            let control = Control::new();
            let analysis = solver.analyse(&deal, &position, Lines::All, &control);
            assert_eq!(analysis.nodes, control.nodes());
            assert_eq!(analysis.value.margin, Some(margin(value)), "seed 7, game {number}: {text}");
            assert_eq!(analysis.value.outcome, Some(Outcome::of(margin(value) as i32)));
            assert_eq!((analysis.complete, analysis.value.certainty), (true, Certainty::Proved));
            let cards = solver.value(&deal, &position, &control).unwrap() as i32;
            assert_eq!(Some(f64::from(2 * cards - 10)), analysis.value.margin);
            check_line(&deal, &position, &analysis, &text);
            for lines in [Lines::Best, Lines::Optimal] {
                let best = solver.analyse(&deal, &position, lines, &control);
                check_line(&deal, &position, &best, &text);
                let wanted = if lines == Lines::Best { 1 } else { analysis.optimal().count() };
                assert_eq!((best.value, best.complete), (analysis.value, true), "{lines:?}: {text}");
                assert!(best.optimal().eq(analysis.optimal().take(wanted)), "{lines:?}: {text}");
                assert_eq!(best.lines.len(), wanted, "{lines:?}: {text}");
            }
            analyses.push(analysis);
        }
        for line in &analyses[0].lines {
            let after = naive.after(line.mv.card().into(), line.mv.cell().index());
            assert_eq!(line.value.margin, Some(margin(after.value())), "seed 7, game {number}, {}: {text}", line.mv);
        }
        assert!(analyses.iter().all(|other| *other == analyses[0]), "the same on every instruction set: {text}");
    }
}

#[test]
fn chaos_has_the_naive_chances() {
    let mut luck = 0;
    for number in 0..200 {
        let mut rng = Rng::new(grid::mix(9 ^ number));
        let setup = common::random_setup(&mut rng);
        if !Rule::ChaosA.is_of(setup.rules.edition()) {
            continue;
        }
        let rules = setup.rules.set(Rule::OrderA, false).set(Rule::OrderB, number % 3 == 0);
        let (rules, names) = match number % 3 {
            0 => (rules.with(Rule::ChaosA), "a"),
            1 => (rules.with(Rule::ChaosA).with(Rule::ChaosB), "ab"),
            _ => (rules.with(Rule::ChaosB), "b"),
        };
        let deal = Deal::new(&Setup { rules, ..setup }).unwrap();
        let position = random_position(&deal, 1 + number as usize % 5, &mut rng);
        let table = Table::read(&position_text(&deal, &position));
        let is_naive = |value: &Value, table: &Table| {
            let [win, draw, loss] = table.chances(names);
            let [win, loss] = if deal.turn(&position) == Player::First { [win, loss] } else { [loss, win] };
            let chances = value.chances.unwrap();
            assert_eq!(value.outcome.is_some(), [chances.win, chances.draw, chances.loss].contains(&1.0));
            assert!((value.score - (chances.win - chances.loss)).abs() < 1e-12 && value.margin.is_none());
            [(chances.win, win), (chances.draw, draw), (chances.loss, loss)].iter().all(|(a, b)| (a - b).abs() < 1e-9)
        };
        let mut analyses = Vec::new();
        for isa in Isa::available() {
            let mut solver = Solver::new(isa);
            let analysis = solver.analyse(&deal, &position, Lines::All, &Control::new());
            assert!(is_naive(&analysis.value, &table), "seed 9, game {number}: {:?}", analysis.value);
            assert_eq!(analysis.value.certainty, Certainty::Proved);
            luck += u32::from(analysis.value.outcome.is_none());
            // On two threads, and to the same digits.
            let shared = solver.solve(&deal, &position, Lines::All, &Control::new().threads(2));
            assert_eq!((shared.value, shared.lines), (analysis.value, analysis.lines.clone()));
            // Every move, and the same with a card drawn.
            assert_eq!(analysis.lines.len(), deal.moves(&position).len());
            for line in &analysis.lines {
                let after = table.after(line.mv.card().into(), line.mv.cell().index());
                assert!(is_naive(&line.value, &after), "seed 9, game {number}, {}", line.mv);
            }
            let best = best_of_each_card(&deal, &position, &analysis.lines);
            assert!(best.contains(&analysis.best().unwrap()));
            let card = (0..10).find(|card| deal.hand(&position, deal.turn(&position)) >> card & 1 != 0).unwrap();
            if let Some(drawn) = deal.draw(&position, card) {
                let naive = Table::read(&position_text(&deal, &drawn));
                let analysis = solver.analyse(&deal, &drawn, Lines::Best, &Control::new());
                assert!(is_naive(&analysis.value, &naive), "seed 9, game {number}, {card} drawn");
            }
            analyses.push(analysis);
        }
        assert!(analyses.iter().all(|other| *other == analyses[0]), "the same on every instruction set");
    }
    assert!(luck > 100, "luck decides in {luck} positions only");
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
            let control = Control::new().threads(2);
            let replays = Replays::new(Isa::detect(), &deal, rounds, &control).unwrap();
            let analysis = Solver::default().solve_with(&deal, &position, &replays, Lines::All, &control);
            let outcome = |result: u32| Some(Outcome::of((result as i32 - 5) * deal.turn(&position).sign()));
            let result = repeated(&deal, &position, rounds, [0, 10], &mut known);
            assert_eq!(analysis.value.outcome, outcome(result), "seed 11, game {number}, {rounds} replays: {text}");
            for line in &analysis.lines {
                let result = repeated(&deal, &deal.play_unchecked(&position, line.mv), rounds, [0, 10], &mut known);
                assert_eq!(line.value.outcome, outcome(result), "game {number}, {rounds} replays, {}: {text}", line.mv);
            }
            if rounds <= 1 {
                let naive = 5 + 5 * Table::read(&text).repeated(rounds, -1, 1, &mut BTreeMap::new());
                assert_eq!(result as i32, naive, "naive, seed 11, game {number}, {rounds} replays: {text}");
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
    assert!(include_str!("../../../bench/signature.txt").contains(&format!("triad {wanted}\n")), "{wanted}");
    for isa in Isa::available() {
        assert_eq!(ninefold_engine::triad::signature(isa), wanted, "{isa}");
    }
}

/// Raises the cancel flag in the middle of a call.
fn cancelled<R>(name: &str, call: impl FnOnce(&Control<'_>) -> R) -> R {
    oracle::cancel::cancelled(name, Duration::from_millis(15), |flag| call(&Control::new().cancel(flag)))
}

#[test]
fn a_raised_flag_stops_every_long_call() {
    let deal = |rules: &str, seed| {
        let book = Book::built_in(Edition::Ff14);
        let mut rng = Rng::new(seed);
        let mut hand = || std::array::from_fn(|_| book.cards()[rng.below(60) as usize].card);
        Deal::new(&Setup::new(Rules::read(rules, Edition::Ff14).unwrap(), hand(), hand())).unwrap()
    };
    let slow = deal("ascension,same,plus", 1);
    let start = slow.start();
    let mut solver = Solver::default();
    let value = cancelled("value", |control| solver.value(&slow, &start, control));
    assert!(matches!(value, Err(Error::Stopped(Stop::Cancelled))), "{value:?}");
    // Nothing of the stopped search stays in the table.
    let whole = Solver::default().analyse(&slow, &start, Lines::All, &Control::new());
    for lines in [Lines::Best, Lines::Optimal, Lines::All] {
        let analysis = cancelled("analyse", |control| solver.analyse(&slow, &start, lines, control));
        assert!(!analysis.complete && analysis.nodes >= 20_000 && !analysis.lines.is_empty());
        for line in analysis.lines.iter().filter(|line| line.value.outcome.is_some()) {
            assert_eq!(whole.lines.iter().find(|known| known.mv == line.mv).unwrap().value, line.value);
        }
    }
    assert_eq!(solver.analyse(&slow, &start, Lines::All, &Control::new()), whole);
    let chaos = deal("chaos", 2);
    let analysis = cancelled("chaos", |control| solver.solve(&chaos, &start, Lines::All, control));
    assert!(!analysis.complete && analysis.value.margin.is_none() && !analysis.lines.is_empty());
    let replays = cancelled("replays", |control| Replays::new(Isa::detect(), &deal("plus", 3), 5, control));
    assert!(matches!(replays, Err(Error::Stopped(Stop::Cancelled))));
}

#[test]
fn a_node_limit_is_exact_and_leaves_a_move() {
    let deal = Deal::new(&common::random_setup(&mut Rng::new(5))).unwrap();
    let mut solver = Solver::default();
    for nodes in [0, 1, 100, 5_000] {
        let control = Control::new().node_limit(nodes);
        let analysis = solver.analyse(&deal, &deal.start(), Lines::All, &control);
        assert_eq!((analysis.nodes, analysis.complete), (nodes, false));
        assert!(deal.is_legal(&deal.start(), analysis.best().unwrap()));
    }
}

#[test]
fn a_partial_analysis_follows_each_move() {
    let deal = Deal::new(&common::random_setup(&mut Rng::new(6))).unwrap();
    let whole = Solver::default().analyse(&deal, &deal.start(), Lines::All, &Control::new());
    static NOW: AtomicU64 = AtomicU64::new(0);
    // The clock jumps at every look, so nothing is throttled.
    let clock = Clock::new(|| Duration::from_millis(100 * NOW.fetch_add(1, Ordering::Relaxed)));
    let heard = std::sync::Mutex::new(Vec::new());
    let listener = |progress: &Progress<'_>| {
        heard.lock().unwrap().extend(progress.partial::<Analysis<Move>>().cloned());
    };
    let control = Control::new().clock(clock).progress(&listener);
    assert_eq!(Solver::default().analyse(&deal, &deal.start(), Lines::All, &control), whole);
    let heard = heard.into_inner().unwrap();
    assert_eq!(heard.len(), whole.lines.len());
    for (number, partial) in heard.iter().enumerate() {
        assert_eq!((partial.lines.len(), partial.complete), (number + 1, false));
        assert!(partial.lines.iter().all(|line| whole.lines.iter().any(|known| known.value == line.value)));
    }
}

#[test]
fn many_deals_come_back_in_their_order_on_any_number_of_threads() {
    let deals: Vec<Deal> = (0..12).map(|seed| Deal::new(&common::random_setup(&mut Rng::new(seed))).unwrap()).collect();
    let solve = |control: &Control<'_>, most: usize| {
        let mut values = Vec::new();
        let work = |solver: &mut Solver, deal: &Deal| solver.value(deal, &deal.start(), control);
        let result = solve_each(Isa::detect(), &deals, control, work, |value| {
            values.push(value);
            values.len() < most
        });
        (values, result)
    };
    let (wanted, result) = solve(&Control::new(), usize::MAX);
    assert!(result.is_ok() && wanted.len() == deals.len());
    for threads in [2, 5] {
        let (values, result) = solve(&Control::new().threads(threads), usize::MAX);
        assert!(result.is_ok() && values == wanted, "{threads} threads");
        let (values, result) = solve(&Control::new().threads(threads), 3);
        assert!(result.is_ok() && values == wanted[..3], "{threads} threads");
        let (values, result) = solve(&Control::new().threads(threads).node_limit(150_000), usize::MAX);
        assert!(matches!(result, Err(Error::Stopped(Stop::Nodes))), "{threads} threads");
        assert_eq!(values, wanted[..values.len()]);
    }
}
