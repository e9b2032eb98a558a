//! The adviser where luck goes on during the game: Chaos, and draws that are replayed.

mod hidden;

extern crate triad as ninefold_triad;

use grid::{Game, Player, Rng};
use hidden::{LEFT, Question, compare, open_position, random_deal, random_question, with_chaos};
use ninefold_engine::Control;
use ninefold_engine::triad::advise::{Aim, Chances, HiddenDeal, HiddenSetup, Query, Side, advise};
use ninefold_engine::triad::{Lines, Solver, TriadError};
use oracle::laws::Plan;
use oracle::triad::hidden::HiddenTable;
use std::cell::RefCell;
use std::collections::BTreeMap;
use triad::{Card, Deal, Edition, HAND, Rule, Rules, Setup};

#[test]
fn every_measure_under_chaos_is_the_naive_one() {
    let questions = Plan { seed: 23, games: 2000 }.scaled().games;
    let mut compared = 0;
    for number in 0..questions {
        let mut rng = Rng::new(grid::mix(23 ^ u64::from(number) << 8));
        let mut setup = random_deal(&mut rng);
        while setup.rules.edition() != Edition::Ff14 {
            setup = random_deal(&mut rng);
        }
        let setup = with_chaos(setup, &mut rng);
        let question = random_question(setup, LEFT[number as usize % 20], &mut rng);
        let aim = if rng.below(2) == 0 { Aim::Points } else { Aim::Win };
        compared += compare(&question, number, aim, &HiddenTable::read(&question.text));
    }
    assert!(compared > 2 * questions, "{compared} positions of {questions} questions");
}

/// A card of the naive model as a card of the game.
fn card_of(card: &oracle::triad::Card, edition: Edition) -> Card {
    let sides: String = card.sides.iter().map(|side| format!("{side:X}")).collect();
    let suffix = match edition {
        Edition::Ff8 => "fitepwah".chars().nth(card.element.trailing_zeros() as usize),
        Edition::Ff14 => card.kind.checked_sub(1).and_then(|kind| "spcg".chars().nth(kind)),
    };
    Card::read(&format!("{sides}{}", suffix.map(String::from).unwrap_or_default()), edition).unwrap()
}

#[test]
fn replayed_draws_are_worth_what_the_open_game_is() {
    let (mut compared, mut different) = (0, 0);
    let questions = Plan { seed: 24, games: 60 }.scaled().games;
    for number in 0..questions {
        let mut rng = Rng::new(grid::mix(24 ^ u64::from(number) << 8));
        let mut setup = random_deal(&mut rng);
        // Under Order the naive model would have to know the order of the new hands.
        for rule in [Rule::Elemental, Rule::OrderA, Rule::OrderB] {
            setup.rules = setup.rules.set(rule, false);
        }
        setup.rules = setup.rules.with(Rule::SuddenDeath);
        setup.elements = [None; 9];
        let question = random_question(setup, [1, 2, 2, 3][number as usize % 4], &mut rng);
        let plain = advise(&question.deal, &question.position, &Query::default(), &Control::new());
        let Question { deal, position, text } = question;
        let deal = deal.replaying(1).unwrap();
        let setup = deal.setup().clone();
        let rules = setup.rules;
        let known = RefCell::new(BTreeMap::new());
        let replay = move |mine: &[oracle::triad::Card], his: &[oracle::triad::Card]| {
            let key = format!("{mine:?} {his:?}");
            if let Some(result) = known.borrow().get(&key) {
                return *result;
            }
            let hand = |cards: &[oracle::triad::Card]| -> [Card; HAND] {
                let cards: Vec<Card> = cards.iter().map(|card| card_of(card, rules.edition())).collect();
                cards.try_into().unwrap()
            };
            let hands = [hand(mine), hand(his)];
            let first = if setup.first == Side::Me { Player::Second } else { Player::First };
            let open = Deal::new(&Setup { rules, elements: [None; 9], hands, first }).unwrap();
            let cards = Solver::default().value(&open, &open.start(), &Control::new()).unwrap() as i32 - 5;
            let result = (if first == Player::First { cards } else { -cards }).signum();
            known.borrow_mut().insert(key, result);
            result
        };
        let naive = HiddenTable::read(&text).replaying(std::rc::Rc::new(replay));
        let question = Question { deal, position, text };
        compared += compare(&question, number, Aim::Points, &naive);
        let replayed = advise(&question.deal, &question.position, &Query::default(), &Control::new());
        different += u32::from(replayed.moves != plain.moves || replayed.position != plain.position);
    }
    assert!(compared > 60 && different > 10, "{different} of {compared} positions are worth something else");
    for (rules, edition, error) in
        [("elemental", Edition::Ff8, TriadError::ReplayElements), ("chaos", Edition::Ff14, TriadError::ReplayDraws)]
    {
        let hand = [Card::new([1, 2, 3, 4]).unwrap(); HAND];
        let rules = Rules::read(rules, edition).unwrap();
        let worlds = vec![hand];
        let setup = HiddenSetup { rules, elements: [None; 9], hand, worlds, first: Side::Me, known_order: false };
        assert_eq!(HiddenDeal::new(&setup).unwrap().replaying(1).unwrap_err(), error);
    }
}

#[test]
fn one_world_under_chaos_is_the_open_game_under_chaos() {
    for number in 0..24 {
        let mut rng = Rng::new(grid::mix(25 ^ number << 8));
        let mut setup = random_deal(&mut rng);
        while setup.rules.edition() != Edition::Ff14 {
            setup = random_deal(&mut rng);
        }
        setup.rules = setup.rules.set(Rule::OrderA, false).set(Rule::OrderB, false);
        setup.rules = setup.rules.with(Rule::ChaosA).with(Rule::ChaosB);
        setup.worlds.truncate(1);
        let question = random_question(setup.clone(), 5 + number as usize % 2, &mut rng);
        let advice = advise(&question.deal, &question.position, &Query::default(), &Control::new());
        let first = if setup.first == Side::Me { Player::First } else { Player::Second };
        let hands = [setup.hand, setup.worlds[0]];
        let open = Deal::new(&Setup { rules: setup.rules, elements: setup.elements, hands, first }).unwrap();
        let at = open_position(&open, &question.text);
        let analysis = Solver::default().analyse(&open, &at, Lines::All, &Control::new());
        let is_equal = |advised: Option<Chances>, open: ninefold_engine::Chances, is_mine: bool| {
            let (win, loss) = if is_mine { (open.win, open.loss) } else { (open.loss, open.win) };
            let advised = advised.unwrap();
            (advised.win - win).abs() < 1e-12 && (advised.loss - loss).abs() < 1e-12
        };
        let is_mine = question.deal.turn(&question.position) == Side::Me;
        assert!(
            is_equal(advice.position.careful, analysis.value.chances.unwrap(), is_mine),
            "seed 25, question {number}: {:?}, open {:?}: {}",
            advice.position.careful,
            analysis.value.chances,
            question.text
        );
        for mv in &advice.moves {
            let is_it = |line: &&ninefold_engine::Line<triad::Move>| {
                (line.mv.card(), line.mv.cell()) == (mv.mv.card, mv.mv.cell)
            };
            let line = analysis.lines.iter().find(is_it).unwrap();
            assert!(is_equal(mv.careful, line.value.chances.unwrap(), true), "seed 25, question {number}: {:?}", mv.mv);
        }
    }
}
