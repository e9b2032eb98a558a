//! The adviser for hidden hands against the naive information-set solver, its laws, and what it refuses.

#[path = "../../triad/tests/common/mod.rs"]
mod common;

extern crate triad as ninefold_triad;

use grid::{Cell, Game, Player, Rng};
use ninefold_engine::triad::advise::{
    Advice, Aim, Bounds, Chances, HiddenDeal, HiddenMove, HiddenPosition, HiddenSetup, Measures, Query, Side, advise,
};
use ninefold_engine::triad::{Lines, Solver, TriadError};
use ninefold_engine::{Control, Outcome};
use oracle::laws::Plan;
use oracle::triad::hidden::{self, HiddenTable, Model};
use triad::{Card, Deal, Edition, HAND, Rule, Rules, Setup};

/// A position of a hidden deal with its text for the naive model.
struct Question {
    deal: HiddenDeal,
    position: HiddenPosition,
    text: String,
}

/// A deal with a few worlds. Some cards are equal, within a hand or over both hands.
fn random_deal(rng: &mut Rng) -> HiddenSetup {
    let Setup { rules, elements, hands: [hand, first_world], first } = common::random_setup(rng);
    let mut pool = first_world.to_vec();
    while pool.len() < 6 + rng.below(3) as usize {
        let mut card = match rng.below(4) {
            0 => pool[rng.below(5) as usize],
            1 => hand[rng.below(5) as usize],
            _ => common::random_setup(rng).hands[0][0],
        };
        (card.element, card.kind) = (pool[0].element, pool[0].kind);
        pool.push(card);
    }
    let mut worlds = vec![first_world];
    for _ in 0..rng.below(5) {
        let mut left = pool.clone();
        worlds.push(std::array::from_fn(|_| left.swap_remove(rng.below(left.len() as u32) as usize)));
    }
    let first = if first == Player::First { Side::Me } else { Side::Opponent };
    HiddenSetup { rules, elements, hand, worlds, first, known_order: rng.below(2) == 0 }
}

fn joined<T: ToString>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    if items.is_empty() { "-".to_owned() } else { items.join(separator) }
}

fn hand_text(hand: &[Card]) -> String {
    joined(hand, ",")
}

/// A position with `left` empty cells by random play, in which one card may have been seen.
fn random_question(setup: HiddenSetup, left: usize, rng: &mut Rng) -> Question {
    let deal = HiddenDeal::new(&setup).unwrap();
    let mut position = deal.start();
    let (mut seen, mut moves) = (Vec::new(), Vec::new());
    if rng.below(3) == 0 {
        let card = rng.below(deal.opponent_cards().len() as u32) as u8;
        let value = deal.opponent_cards()[usize::from(card)];
        position = deal.see(&position, card).unwrap();
        // The second of two equal cards means both.
        let equal = deal.opponent_cards()[..=usize::from(card)].iter().filter(|other| **other == value).count();
        seen = vec![value; equal];
    }
    while position.free().len() > left {
        let mut mv = rng.pick(deal.moves(&position).into_iter()).unwrap();
        let card = if deal.turn(&position) == Side::Me {
            // The text names a card by its sides, which means the first of equal cards.
            let value = setup.hand[usize::from(mv.card)];
            let is_free = |place: &u8| {
                let mv = HiddenMove { card: *place, cell: mv.cell };
                setup.hand[usize::from(*place)] == value && deal.play(&position, mv).is_ok()
            };
            mv.card = (0..5).find(is_free).unwrap();
            value
        } else {
            deal.opponent_cards()[usize::from(mv.card)]
        };
        position = deal.play(&position, mv).unwrap();
        moves.push(format!("{card}@{}", mv.cell));
    }
    let elements: String =
        setup.elements.iter().map(|element| element.map_or('.', |element| element.letter())).collect();
    let text = format!(
        "{} {} {elements} {} {} {} {} {} {}",
        setup.rules.edition(),
        setup.rules,
        hand_text(&setup.hand),
        joined(setup.worlds.iter().map(|world| hand_text(world)), "/"),
        if setup.known_order { "known" } else { "unknown" },
        if setup.first == Side::Me { "me" } else { "opponent" },
        hand_text(&seen),
        joined(moves, ","),
    );
    Question { deal, position, text }
}

fn is_close(chances: Option<Chances>, naive: hidden::Chances) -> bool {
    let chances = chances.unwrap();
    let sum = chances.win + chances.draw + chances.loss;
    chances.error.is_none()
        && (chances.win - naive.win).abs() < 1e-9
        && (chances.draw - naive.draw).abs() < 1e-9
        && (sum - 1.0).abs() < 1e-9
}

fn check(measures: &Measures, naive: &HiddenTable, aim: Aim, context: &str) {
    let outcome = Outcome::of(naive.certain() as i32 - 5);
    assert_eq!(measures.certain, Bounds::exact(outcome), "certain: {context}");
    assert_eq!(measures.win, Bounds::exact(naive.guaranteed(6) as u32), "guaranteed to win: {context}");
    assert_eq!(measures.not_lose, Bounds::exact(naive.guaranteed(5) as u32), "guaranteed not to lose: {context}");
    let aim = if aim == Aim::Points { hidden::Aim::Points } else { hidden::Aim::Win };
    let random = naive.chances(Model::Random, aim);
    assert!(is_close(measures.random, random), "random: {:?}, naive {random:?}: {context}", measures.random);
    let greedy = naive.chances(Model::Greedy, aim);
    assert!(is_close(measures.greedy, greedy), "greedy: {:?}, naive {greedy:?}: {context}", measures.greedy);
}

/// What must hold of every complete answer.
fn check_laws(advice: &Advice, context: &str) {
    assert!(advice.complete, "{context}");
    let all = advice.worlds as u32;
    for measures in advice.moves.iter().map(|mv| &mv.measures).chain([&advice.position]) {
        assert!(measures.certain.is_exact() && measures.win.is_exact() && measures.not_lose.is_exact(), "{context}");
        assert_eq!(measures.certain.low == Outcome::Win, measures.win.low == all, "{context}");
        assert_eq!(measures.certain.low >= Outcome::Draw, measures.not_lose.low == all, "{context}");
        assert!(measures.win.low <= measures.not_lose.low, "{context}");
    }
    let rank = |measures: &Measures| (measures.certain.low, measures.win.low, measures.not_lose.low);
    assert!(advice.moves.is_sorted_by_key(|mv| std::cmp::Reverse(rank(mv))), "{context}");
}

#[test]
fn every_measure_is_the_naive_one() {
    let questions = Plan { seed: 16, games: 2400 }.scaled().games;
    let mut moves = 0;
    for number in 0..questions {
        let mut rng = Rng::new(grid::mix(16 ^ u64::from(number) << 8));
        // One in twenty has five empty cells, three in twenty have four.
        let left = [5, 4, 4, 4, 3, 3, 3, 3, 2, 2, 1, 3, 3, 2, 2, 3, 3, 2, 1, 0][number as usize % 20];
        let setup = random_deal(&mut rng);
        let question = random_question(setup, left, &mut rng);
        let Question { deal, position, text } = &question;
        let aim = if rng.below(2) == 0 { Aim::Points } else { Aim::Win };
        let query = Query { aim, greedy: true, ..Query::default() };
        let threads = if number % 8 == 0 { 2 } else { 1 };
        let advice = advise(deal, position, &query, &Control::new().threads(threads));
        check_laws(&advice, text);
        let naive = HiddenTable::read(text);
        assert!(deal.worlds_left(position).eq(naive.worlds_left()), "{text}");
        assert_eq!(advice.worlds, naive.worlds_left().len(), "{text}");
        if left == 0 || deal.turn(position) == Side::Opponent {
            assert!(advice.moves.is_empty());
            check(&advice.position, &naive, aim, &format!("seed 16, question {number}: {text}"));
            moves += 1;
            continue;
        }
        let mut listed: Vec<(usize, usize)> =
            advice.moves.iter().map(|mv| (mv.mv.card.into(), mv.mv.cell.index())).collect();
        listed.sort_unstable();
        let mut legal = naive.my_moves();
        legal.sort_unstable();
        assert_eq!(listed, legal, "{text}");
        // The position has the best of each measure.
        assert_eq!(advice.position.win.low, advice.moves.iter().map(|mv| mv.win.low).max().unwrap());
        for mv in &advice.moves {
            let after = naive.after_mine(mv.mv.card.into(), mv.mv.cell.index());
            check(mv, &after, aim, &format!("seed 16, question {number}, {:?}: {text}", mv.mv));
            moves += 1;
        }
    }
    assert!(moves > 2 * questions, "{moves} moves of {questions} questions");
}
