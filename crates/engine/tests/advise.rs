//! The adviser for hidden hands against the naive information-set solver, its laws, and what it refuses.

mod hidden;

extern crate triad as ninefold_triad;

use grid::{Cell, Player, Rng};
use hidden::{LEFT, Question, check_laws, compare, open_position, random_deal, random_question};
use ninefold_engine::triad::advise::{
    Advice, Aim, Bounds, Chances, HiddenDeal, HiddenMove, HiddenPosition, HiddenSetup, Measures, Query, Side, advise,
};
use ninefold_engine::triad::{Lines, Solver, TriadError};
use ninefold_engine::{Control, Outcome};
use oracle::laws::Plan;
use oracle::triad::hidden::HiddenTable;
use triad::{Card, Deal, Edition, HAND, Rule, Rules, Setup};

#[test]
fn every_measure_is_the_naive_one() {
    let questions = Plan { seed: 16, games: 2400 }.scaled().games;
    let mut compared = 0;
    for number in 0..questions {
        let mut rng = Rng::new(grid::mix(16 ^ u64::from(number) << 8));
        let setup = random_deal(&mut rng);
        let question = random_question(setup, LEFT[number as usize % 20], &mut rng);
        let aim = if rng.below(2) == 0 { Aim::Points } else { Aim::Win };
        compared += compare(&question, number, aim, &HiddenTable::read(&question.text));
    }
    assert!(compared > 2 * questions, "{compared} positions of {questions} questions");
}

/// A position of a deal with more empty cells than the naive model can search.
fn early_question(number: u64, seed: u64, left: usize) -> Question {
    let mut rng = Rng::new(grid::mix(seed ^ number << 8));
    let setup = random_deal(&mut rng);
    random_question(setup, left, &mut rng)
}

/// Only what is played perfectly.
const PERFECT: Query = Query { aim: Aim::Points, random: false, greedy: false, replies: None, seed: 0 };

/// The outcome of each of my moves in one world with open hands, by place and cell; of the position if it is not my turn.
fn open_outcomes(question: &Question, world: usize) -> Vec<((usize, usize), Outcome)> {
    // The open game is that of a deal with one world, brought to the same position by the text of the question.
    let Question { deal, position, text } = question;
    let setup = deal.setup();
    let mut rules = setup.rules;
    if !setup.known_order {
        rules = rules.set(Rule::OrderB, false);
    }
    let first = if setup.first == Side::Me { Player::First } else { Player::Second };
    let open = Deal::new(&Setup { rules, elements: setup.elements, hands: [setup.hand, setup.worlds[world]], first });
    let open = open.unwrap();
    let at = open_position(&open, text);
    let mut solver = Solver::default();
    if deal.turn(position) == Side::Opponent {
        let cards = solver.value(&open, &at, &Control::new()).unwrap() as i32;
        return vec![((0, 0), Outcome::of(5 - cards))];
    }
    let analysis = solver.analyse(&open, &at, Lines::All, &Control::new());
    let outcome = |line: &ninefold_engine::Line<triad::Move>| {
        ((line.mv.card().into(), line.mv.cell().index()), line.value.outcome.unwrap())
    };
    analysis.lines.iter().map(outcome).collect()
}

#[test]
fn nothing_is_better_than_with_open_hands() {
    for number in 0..60 {
        let question = early_question(number, 17, 5 + number as usize % 2);
        let Question { deal, position, text } = &question;
        let advice = advise(deal, position, &PERFECT, &Control::new());
        check_laws(&advice, text);
        let mut reached = std::collections::BTreeMap::<(usize, usize), [u32; 2]>::new();
        for world in deal.worlds_left(position) {
            for (mv, outcome) in open_outcomes(&question, world) {
                let counts = reached.entry(mv).or_default();
                counts[0] += u32::from(outcome == Outcome::Win);
                counts[1] += u32::from(outcome >= Outcome::Draw);
            }
        }
        if deal.turn(position) == Side::Opponent {
            assert!(advice.position.win.low <= reached[&(0, 0)][0], "seed 17, question {number}: {text}");
            assert!(advice.position.not_lose.low <= reached[&(0, 0)][1], "seed 17, question {number}: {text}");
        }
        for mv in &advice.moves {
            let [win, not_lose] = reached[&(mv.mv.card.into(), mv.mv.cell.index())];
            assert!(
                mv.win.low <= win && mv.not_lose.low <= not_lose,
                "seed 17, question {number}, {:?}: {text}",
                mv.mv
            );
        }
    }
}

#[test]
fn one_world_is_the_open_game() {
    for number in 0..60 {
        let mut rng = Rng::new(grid::mix(18 ^ number << 8));
        let setup = random_deal(&mut rng);
        let setup = HiddenSetup { worlds: setup.worlds[..1].to_vec(), ..setup };
        let question = random_question(setup, 4 + number as usize % 3, &mut rng);
        let Question { deal, position, text } = &question;
        let advice = advise(deal, position, &PERFECT, &Control::new());
        check_laws(&advice, text);
        let open = open_outcomes(&question, 0);
        if deal.turn(position) == Side::Opponent {
            assert_eq!(advice.position.certain, Bounds::exact(open[0].1), "seed 18, question {number}: {text}");
        }
        for mv in &advice.moves {
            let found = open.iter().find(|(at, _)| *at == (mv.mv.card.into(), mv.mv.cell.index())).unwrap();
            assert_eq!(mv.certain, Bounds::exact(found.1), "seed 18, question {number}, {:?}: {text}", mv.mv);
        }
    }
}

#[test]
fn the_order_of_worlds_and_of_my_cards_does_not_matter() {
    for number in 0..40 {
        let mut rng = Rng::new(grid::mix(19 ^ number << 8));
        let mut setup = random_deal(&mut rng);
        setup.rules = setup.rules.set(Rule::OrderA, false);
        let mut turned = setup.clone();
        turned.worlds.reverse();
        turned.hand.rotate_left(2);
        if !setup.known_order {
            turned.worlds.iter_mut().for_each(|world| world.rotate_left(1));
        }
        let question = random_question(setup.clone(), 5, &mut rng);
        let other = HiddenDeal::new(&turned).unwrap();
        let mut position = other.start();
        let fields: Vec<&str> = question.text.split(' ').collect();
        let place = |cards: &[Card], text: &str, deal: &HiddenDeal, position: &HiddenPosition, cell: Cell| {
            let is_it = |place: &u8| {
                let legal = deal.play(position, HiddenMove { card: *place, cell }).is_ok();
                cards[usize::from(*place)].to_string() == text && legal
            };
            (0..cards.len() as u8).find(is_it).unwrap()
        };
        let mut seen: Vec<u8> = Vec::new();
        for card in fields[7].split(',').filter(|card| *card != "-") {
            let cards = other.opponent_cards();
            let is_it = |at: &u8| cards[usize::from(*at)].to_string() == card && !seen.contains(at);
            seen.push((0..cards.len() as u8).find(is_it).unwrap());
            position = other.see(&position, seen[seen.len() - 1]).unwrap();
        }
        for mv in fields[8].split(',').filter(|mv| *mv != "-") {
            let (card, cell) = mv.split_once('@').unwrap();
            let cell = Cell::new(cell.parse().unwrap()).unwrap();
            let cards = if other.turn(&position) == Side::Me { &turned.hand[..] } else { other.opponent_cards() };
            let card = place(cards, card, &other, &position, cell);
            position = other.play(&position, HiddenMove { card, cell }).unwrap();
        }
        let query = Query { greedy: true, ..Query::default() };
        let one = advise(&question.deal, &question.position, &query, &Control::new());
        let two = advise(&other, &position, &query, &Control::new().threads(2));
        assert_eq!(one.worlds, two.worlds, "{}", question.text);
        let key = |measures: &Measures| {
            let chances = [measures.random, measures.greedy].map(|chances| (chances.unwrap().win * 1e9).round());
            format!("{:?} {:?} {:?} {chances:?}", measures.certain, measures.win, measures.not_lose)
        };
        assert_eq!(key(&one.position), key(&two.position), "seed 19, question {number}: {}", question.text);
        for mv in &one.moves {
            let card = setup.hand[usize::from(mv.mv.card)];
            let is_it = |other: &&ninefold_engine::triad::advise::MoveAdvice| {
                turned.hand[usize::from(other.mv.card)] == card && other.mv.cell == mv.mv.cell
            };
            let same = two.moves.iter().find(is_it).unwrap();
            assert_eq!(key(mv), key(same), "seed 19, question {number}, {:?}: {}", mv.mv, question.text);
        }
    }
}

/// A deal in which each side has at most two choices of a card, so that eight empty cells are quickly solved.
fn small_deal(rng: &mut Rng) -> HiddenSetup {
    let mut setup = random_deal(rng);
    while setup.rules.edition() != Edition::Ff14 {
        setup = random_deal(rng);
    }
    setup.rules = setup.rules.with(Rule::OrderA).with(Rule::OrderB);
    HiddenSetup { first: Side::Opponent, known_order: true, ..setup }
}

#[test]
fn chances_from_some_replies_are_near_the_exact_ones() {
    let (mut within, mut all) = (0, 0);
    for number in 0..6 {
        let mut rng = Rng::new(grid::mix(20 ^ number << 8));
        let setup = small_deal(&mut rng);
        let question = random_question(setup, 8, &mut rng);
        let Question { deal, position, text } = &question;
        let ask = |replies| {
            let query = Query { greedy: true, replies, seed: number, ..Query::default() };
            advise(deal, position, &query, &Control::new().threads(2))
        };
        let exact = ask(None);
        check_laws(&exact, text);
        let few = ask(Some(3));
        assert_eq!(few.moves, ask(Some(3)).moves, "the same for the same seed: {text}");
        for mv in &exact.moves {
            assert_eq!((mv.random.unwrap().error, mv.greedy.unwrap().error), (None, None), "{text}");
            // The same as the position after the move, which has few enough cells to be solved at once.
            let after = deal.play(position, mv.mv).unwrap();
            let query = Query { greedy: true, ..Query::default() };
            let after = advise(deal, &after, &query, &Control::new()).position;
            let is_near = |one: Option<Chances>, other: Option<Chances>| {
                (one.unwrap().win - other.unwrap().win).abs() < 1e-9
                    && (one.unwrap().draw - other.unwrap().draw).abs() < 1e-9
            };
            assert!(is_near(mv.random, after.random) && is_near(mv.greedy, after.greedy), "{:?}: {text}", mv.mv);
            let few = few.moves.iter().find(|other| other.mv == mv.mv).unwrap();
            for (estimate, exact) in [(few.random, mv.random), (few.greedy, mv.greedy)] {
                let error = estimate.unwrap().error.unwrap_or(1e-9);
                all += 1;
                within += u32::from((estimate.unwrap().win - exact.unwrap().win).abs() <= 3.0 * error);
            }
        }
    }
    assert!(within * 10 >= all * 9, "{within} of {all} estimates are within three errors");
}

#[test]
fn a_stopped_search_gives_true_bounds() {
    for number in 0..30 {
        let question = early_question(number, 21, 6);
        let Question { deal, position, text } = &question;
        let whole = advise(deal, position, &PERFECT, &Control::new());
        for nodes in [0, 1, 3_000, 20_000] {
            let part = advise(deal, position, &PERFECT, &Control::new().node_limit(nodes));
            let pairs = part.moves.iter().map(|mv| {
                let exact = whole.moves.iter().find(|other| other.mv == mv.mv).unwrap();
                (mv.measures, exact.measures)
            });
            for (part, exact) in pairs.chain([(part.position, whole.position)]) {
                let is_within = |part: Bounds<u32>, exact: Bounds<u32>| part.low <= exact.low && exact.low <= part.high;
                assert!(part.certain.low <= exact.certain.low && exact.certain.low <= part.certain.high, "{text}");
                assert!(is_within(part.win, exact.win) && is_within(part.not_lose, exact.not_lose), "{text}");
            }
            assert!(part.complete || nodes < 20_000 || part.nodes >= 20_000, "{text}");
        }
        let cancelled = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let none = advise(deal, position, &Query::default(), &Control::new().cancel(cancelled));
        assert!(!none.complete && none.position.random.is_none(), "{text}");
    }
}

#[test]
fn a_small_memory_gives_the_same_answers() {
    let question = early_question(3, 26, 6);
    let ask = |control: Control<'_>| {
        let advice = advise(&question.deal, &question.position, &Query::default(), &control.threads(2));
        assert!(advice.complete);
        (advice.position, advice.moves)
    };
    assert_eq!(ask(Control::new().memory_limit(1)), ask(Control::new()), "{}", question.text);
}

#[test]
fn partial_answers_go_out() {
    let question = early_question(3, 22, 6);
    let partial = std::sync::Mutex::new(Vec::<Advice>::new());
    let listener = |progress: &ninefold_engine::Progress<'_>| {
        partial.lock().unwrap().extend(progress.partial::<Advice>().cloned());
    };
    let control = Control::new().progress(&listener);
    let advice = advise(&question.deal, &question.position, &PERFECT, &control);
    let partial = partial.into_inner().unwrap();
    assert!(advice.complete && !partial.is_empty() && partial.iter().all(|part| !part.complete));
}

/// Five cards with these sides.
fn hand(sides: [&str; HAND]) -> [Card; HAND] {
    sides.map(|sides| Card::read(sides, Edition::Ff14).unwrap())
}

fn setup() -> HiddenSetup {
    HiddenSetup {
        rules: Rules::preset(Edition::Ff14),
        elements: [None; 9],
        hand: hand(["1234", "2345", "3456", "4567", "5678"]),
        worlds: vec![
            hand(["1111", "2222", "3333", "4444", "5555"]),
            hand(["1111", "2222", "3333", "6666", "7777"]),
            hand(["1111", "2222", "4444", "6666", "6666"]),
        ],
        first: Side::Opponent,
        known_order: false,
    }
}

#[test]
fn wrong_deals_are_refused() {
    let refused = |change: &dyn Fn(&mut HiddenSetup)| {
        let mut setup = setup();
        change(&mut setup);
        HiddenDeal::new(&setup).unwrap_err()
    };
    assert_eq!(refused(&|setup| setup.worlds.clear()), TriadError::NoWorlds);
    let many = refused(&|setup| setup.worlds = vec![setup.worlds[0]; 65]);
    assert_eq!(many, TriadError::TooManyWorlds { found: 65, most: 64 });
    let cards = refused(&|setup| setup.worlds.push(hand(["8111", "8222", "8333", "8444", "8555"])));
    assert_eq!(cards, TriadError::TooManyCards { found: 13, most: 10 });
    let world = refused(&|setup| setup.worlds[1][4].sides[0] = 11);
    assert!(matches!(world, TriadError::World { number: 2, .. }), "{world}");
    let mine = refused(&|setup| setup.hand[0].sides[0] = 0);
    assert!(matches!(mine, TriadError::Setup(_)), "{mine}");
    assert!(matches!(refused(&|setup| setup.rules = setup.rules.with(Rule::SameWall)), TriadError::Setup(_)));
    // Ten cards: 6666 counts twice, because one hand holds two.
    let mut ten = setup();
    ten.worlds.push(hand(["8111", "8222", "1111", "2222", "3333"]));
    assert_eq!(HiddenDeal::new(&ten).unwrap().opponent_cards().len(), 10);
}

#[test]
fn contradictions_name_both_facts() {
    let deal = HiddenDeal::new(&setup()).unwrap();
    let card = |sides: &str| deal.opponent_cards().iter().position(|card| card.to_string() == sides).unwrap() as u8;
    let start = deal.start();
    let at = |card: u8, cell: usize| HiddenMove { card, cell: Cell::new(cell).unwrap() };
    // 5555 is in the first hand alone, 7777 in the second alone.
    let seen = deal.see(&start, card("5555")).unwrap();
    assert_eq!(deal.worlds_left(&seen).collect::<Vec<_>>(), [0]);
    assert_eq!(deal.see(&seen, card("5555")).unwrap(), seen);
    let error = deal.see(&seen, card("7777")).unwrap_err();
    assert_eq!(error.to_string(), "no possible hand holds 7777 together with 5555");
    assert_eq!(deal.play(&seen, at(card("7777"), 0)).unwrap_err(), error);
    // 3333, 4444 and 6666 exclude each other only together.
    let three = deal.see(&deal.see(&start, card("3333")).unwrap(), card("4444")).unwrap();
    let error = deal.see(&three, card("6666")).unwrap_err();
    assert_eq!(error.to_string(), "no possible hand holds 6666 together with 3333, 4444");
    // The second of two equal cards.
    let both = deal.opponent_cards().iter().rposition(|card| card.to_string() == "6666").unwrap() as u8;
    assert_eq!(deal.worlds_left(&deal.see(&start, both).unwrap()).collect::<Vec<_>>(), [2]);

    let unknown = deal.see(&start, 10).unwrap_err();
    assert!(matches!(unknown, TriadError::UnknownOpponentCard { place: 10, .. }), "{unknown}");
    assert!(matches!(deal.play(&start, at(200, 0)).unwrap_err(), TriadError::UnknownOpponentCard { .. }));
    let one = deal.play(&start, at(card("1111"), 4)).unwrap();
    assert!(matches!(deal.play(&one, at(0, 4)).unwrap_err(), TriadError::Occupied { .. }));
    assert!(matches!(deal.play(&one, at(5, 3)).unwrap_err(), TriadError::UnknownPlace { place: 5 }));
    let two = deal.play(&one, at(0, 3)).unwrap();
    assert!(matches!(deal.play(&two, at(card("1111"), 0)).unwrap_err(), TriadError::PlayedAlready { .. }));
    let three = deal.play(&two, at(card("2222"), 0)).unwrap();
    assert!(matches!(deal.play(&three, at(0, 1)).unwrap_err(), TriadError::PlayedAlready { .. }));
    let mut end = three;
    while let Some(mv) = deal.moves(&end).first() {
        end = deal.play(&end, *mv).unwrap();
    }
    assert!(deal.result(&end).is_some());
    assert_eq!(deal.play(&end, at(0, 0)).unwrap_err(), TriadError::GameOver);
}

#[test]
fn under_order_the_sequence_tells_the_world() {
    let mut setup = setup();
    setup.rules = setup.rules.with(Rule::OrderA).with(Rule::OrderB);
    setup.known_order = true;
    setup.worlds = vec![
        hand(["1111", "2222", "3333", "4444", "5555"]),
        hand(["2222", "1111", "3333", "4444", "5555"]),
        hand(["1111", "2222", "4444", "3333", "5555"]),
    ];
    let deal = HiddenDeal::new(&setup).unwrap();
    let at = |card: u8, cell: usize| HiddenMove { card, cell: Cell::new(cell).unwrap() };
    assert_eq!(deal.moves(&deal.start()).len(), 18);
    let one = deal.play(&deal.start(), at(0, 0)).unwrap();
    assert_eq!(deal.worlds_left(&one).collect::<Vec<_>>(), [0, 2]);
    assert!(matches!(deal.play(&one, at(1, 1)).unwrap_err(), TriadError::OtherCard { .. }));
    let two = deal.play(&one, at(0, 1)).unwrap();
    assert!(matches!(deal.play(&two, at(2, 2)).unwrap_err(), TriadError::OtherCard { .. }));
    let three = deal.play(&two, at(1, 2)).unwrap();
    assert_eq!(deal.worlds_left(&three).count(), 2);
    // If the order is not known, the opponent may play any card.
    let free = HiddenDeal::new(&HiddenSetup { known_order: false, ..setup }).unwrap();
    assert_eq!(free.moves(&free.start()).len(), 45);
}
