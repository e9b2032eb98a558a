//! Random questions against a hidden hand, and their comparison with the naive model.
#![allow(dead_code, reason = "each test file uses a part of it")]

#[path = "../../../triad/tests/common/mod.rs"]
mod common;

use grid::{Game, Player, Rng};
use ninefold_engine::triad::advise::{
    Advice, Aim, Bounds, Chances, HiddenDeal, HiddenMove, HiddenPosition, HiddenSetup, Measures, Query, Side, advise,
};
use ninefold_engine::{Control, Outcome};
use oracle::triad::hidden::{self, HiddenTable, Model};
use triad::{Card, Deal, Rule, Setup};

/// A position of a hidden deal with its text for the naive model.
pub(crate) struct Question {
    pub(crate) deal: HiddenDeal,
    pub(crate) position: HiddenPosition,
    pub(crate) text: String,
}

/// A deal with a few worlds. Some cards are equal, within a hand or over both hands.
pub(crate) fn random_deal(rng: &mut Rng) -> HiddenSetup {
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

/// The same deal if Chaos draws the cards of both players, or of one.
pub(crate) fn with_chaos(mut setup: HiddenSetup, rng: &mut Rng) -> HiddenSetup {
    let sides = [(Rule::OrderA, Rule::ChaosA), (Rule::OrderB, Rule::ChaosB)];
    let drawn = [&sides[..], &sides[..], &sides[..1], &sides[1..]][rng.below(4) as usize];
    for (order, chaos) in drawn {
        setup.rules = setup.rules.set(*order, false).with(*chaos);
    }
    setup
}

pub(crate) fn joined<T: ToString>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    if items.is_empty() { "-".to_owned() } else { items.join(separator) }
}

pub(crate) fn hand_text(hand: &[Card]) -> String {
    joined(hand, ",")
}

/// A position with `left` empty cells by random play, in which one card may have been seen.
pub(crate) fn random_question(setup: HiddenSetup, left: usize, rng: &mut Rng) -> Question {
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

pub(crate) fn is_close(chances: Option<Chances>, naive: hidden::Chances) -> bool {
    let chances = chances.unwrap();
    let sum = chances.win + chances.draw + chances.loss;
    chances.error.is_none()
        && (chances.win - naive.win).abs() < 1e-9
        && (chances.draw - naive.draw).abs() < 1e-9
        && (sum - 1.0).abs() < 1e-9
}

pub(crate) fn check(measures: &Measures, naive: &HiddenTable, aim: Aim, context: &str) {
    assert_eq!(measures.certain, Bounds::exact(Outcome::of(naive.certain())), "certain: {context}");
    assert_eq!(measures.win, Bounds::exact(naive.guaranteed(1) as u32), "guaranteed to win: {context}");
    assert_eq!(measures.not_lose, Bounds::exact(naive.guaranteed(0) as u32), "guaranteed not to lose: {context}");
    let aim = if aim == Aim::Points { hidden::Aim::Points } else { hidden::Aim::Win };
    let random = naive.chances(Model::Random, aim);
    assert!(is_close(measures.random, random), "random: {:?}, naive {random:?}: {context}", measures.random);
    if measures.careful.is_some() {
        let careful = naive.chances(Model::Careful, aim);
        assert!(is_close(measures.careful, careful), "careful: {:?}, naive {careful:?}: {context}", measures.careful);
    }
    let greedy = naive.chances(Model::Greedy, aim);
    assert!(is_close(measures.greedy, greedy), "greedy: {:?}, naive {greedy:?}: {context}", measures.greedy);
}

/// What must hold of every complete answer.
pub(crate) fn check_laws(advice: &Advice, context: &str) {
    assert!(advice.complete, "{context}");
    let all = advice.worlds as u32;
    for measures in advice.moves.iter().map(|mv| &mv.measures).chain([&advice.position]) {
        assert!(measures.certain.is_exact() && measures.win.is_exact() && measures.not_lose.is_exact(), "{context}");
        assert_eq!(measures.certain.low == Outcome::Win, measures.win.low == all, "{context}");
        assert_eq!(measures.certain.low >= Outcome::Draw, measures.not_lose.low == all, "{context}");
        assert!(measures.win.low <= measures.not_lose.low, "{context}");
    }
    let rank = |measures: &Measures| (measures.certain.low, measures.win.low, measures.not_lose.low);
    // If my card is still to be drawn, each card has its own order.
    for moves in advice.moves.chunk_by(|one, other| one.mv.card == other.mv.card) {
        assert!(moves.is_sorted_by_key(|mv| std::cmp::Reverse(rank(mv))), "{context}");
    }
}

/// Compares every measure of a question with the naive model. Returns how many positions were compared.
pub(crate) fn compare(question: &Question, number: u32, aim: Aim, naive: &HiddenTable) -> u32 {
    let Question { deal, position, text } = question;
    let query = Query { aim, greedy: true, ..Query::default() };
    let threads = if number.is_multiple_of(8) { 2 } else { 1 };
    let advice = advise(deal, position, &query, &Control::new().threads(threads));
    check_laws(&advice, text);
    let context = format!("question {number}: {text}");
    assert!(deal.worlds_left(position).eq(naive.worlds_left()), "{context}");
    assert_eq!(advice.worlds, naive.worlds_left().len(), "{context}");
    assert_eq!(advice.position.careful.is_some(), deal.is_drawn(Side::Opponent), "{context}");
    check(&advice.position, naive, aim, &context);
    if position.free().is_empty() || deal.turn(position) == Side::Opponent {
        assert!(advice.moves.is_empty());
        return 1;
    }
    let listed = |advice: &Advice| {
        let mut moves: Vec<(usize, usize)> =
            advice.moves.iter().map(|mv| (mv.mv.card.into(), mv.mv.cell.index())).collect();
        moves.sort_unstable();
        moves
    };
    let mut legal = naive.my_moves();
    legal.sort_unstable();
    assert_eq!(listed(&advice), legal, "{context}");
    for mv in &advice.moves {
        let after = naive.after_mine(mv.mv.card.into(), mv.mv.cell.index());
        check(mv, &after, aim, &format!("{:?}, {context}", mv.mv));
    }
    if deal.is_drawn(Side::Me) {
        // A card that is drawn has the same moves as before, and the position is worth the best of them.
        let card = advice.moves[0].mv.card;
        let told = advise(deal, &deal.draw(position, card).unwrap(), &query, &Control::new());
        let of_card: Vec<_> = advice.moves.iter().filter(|mv| mv.mv.card == card).copied().collect();
        assert_eq!(told.moves, of_card, "{context}");
        assert_eq!(told.position.win, of_card.iter().map(|mv| mv.win).max_by_key(|win| win.low).unwrap(), "{context}");
    } else {
        assert_eq!(advice.position.win.low, advice.moves.iter().map(|mv| mv.win.low).max().unwrap(), "{context}");
    }
    1 + legal.len() as u32
}

/// The number of empty cells of a question: one in twenty has five, three in twenty have four.
pub(crate) const LEFT: [usize; 20] = [5, 4, 4, 4, 3, 3, 3, 3, 2, 2, 1, 3, 3, 2, 2, 3, 3, 2, 1, 0];

/// The position of an open deal after the moves of a question.
pub(crate) fn open_position(open: &Deal, text: &str) -> triad::Position {
    let mut at = open.start();
    let moves = text.rsplit(' ').next().unwrap();
    for mv in moves.split(',').filter(|mv| *mv != "-") {
        let (card, cell) = mv.split_once('@').unwrap();
        let is_it =
            |mv: &triad::Move| open.setup().card(mv.card().into()).to_string() == card && mv.cell().to_string() == cell;
        let mv = open.moves(&at).find(is_it).unwrap();
        at = open.play_unchecked(&at, mv);
    }
    at
}
