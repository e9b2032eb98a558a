//! The deck optimiser against full enumeration, its laws, and its proofs.

#![allow(missing_docs, reason = "a test")]

use grid::simd::Isa;
use grid::{Game as _, Player, Rng};
use ninefold_engine::triad::advise::{HiddenDeal, HiddenSetup, Query, Side, advise};
use ninefold_engine::triad::cards::{
    Book, Collection, DeckTable, Hand, HandCard, Holder, NpcBook, Standing, check_deck, roulette_rules,
};
use ninefold_engine::triad::deck::{
    BestDeck, DeckStatus, Lottery, Opponent, Options, Pool, State, Unranked, additions, optimise, optimise_expected,
    rate, rate_expected, verify,
};
use ninefold_engine::triad::{Lines, Solver};
use oracle::triad::deck::Decks;
use search::Control;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use triad::{Card, Deal, Edition, Rule, Rules, Setup};

/// Rules of all kinds: with and without bounds, with an order, with swaps.
const RULES: [&str; 10] = [
    "-",
    "reverse",
    "three-open",
    "fallen-ace",
    "order",
    "same",
    "same,plus",
    "ascension",
    "sudden-death,plus",
    "reverse,fallen-ace",
];

fn book() -> &'static Book {
    Book::built_in(Edition::Ff14)
}

fn rules(text: &str) -> Rules {
    Rules::read(text, Edition::Ff14).unwrap()
}

/// Different random cards.
fn cards(rng: &mut Rng, count: usize) -> Vec<HandCard> {
    let mut cards: Vec<HandCard> = Vec::new();
    while cards.len() < count {
        let card = HandCard::of(&book().cards()[rng.below(464) as usize]);
        if !cards.contains(&card) {
            cards.push(card);
        }
    }
    cards
}

fn collection(cards: &[HandCard]) -> Collection {
    Collection::of(cards.iter().map(|card| (card.clone(), 1)))
}

fn opponent(rng: &mut Rng, text: &str, hands: usize) -> Opponent {
    let hand = |rng: &mut Rng| -> [Card; 5] { std::array::from_fn(|at| cards(rng, 5)[at].card) };
    Opponent::new(rules(text), (0..hands).map(|_| hand(rng)).collect()).unwrap()
}

fn best(opponent: &Opponent, pool: &Pool) -> (BestDeck, State) {
    optimise(Isa::detect(), opponent, pool, Options::default(), &Control::new()).unwrap()
}

/// The most half-points of any legal deck, by the naive model of decks. A game is solved by the plain solver: the model knows
/// no faster way from the empty board.
fn enumerated(opponent: &Opponent, cards: &[HandCard]) -> Option<u32> {
    let owned = cards.iter().map(|card| (card.card, card.known.as_ref().map_or(0, |known| u32::from(known.grade))));
    let rules = opponent.rules();
    let decks = Decks {
        cards: owned.collect(),
        hands: opponent.hands().to_vec(),
        ordered: rules.has(Rule::OrderA),
        swapped: rules.has(Rule::Swap),
    };
    let mut solver = Solver::default();
    decks.best(|(mine, theirs, i_start)| {
        let first = if *i_start { Player::First } else { Player::Second };
        let deal = Deal::new(&Setup { first, ..Setup::new(rules, *mine, *theirs) }).unwrap();
        let mut mover_owns = |cards| solver.can_own(&deal, &deal.start(), cards, &Control::new()).unwrap();
        let (wins, holds) = (mover_owns(6), mover_owns(5));
        match (first, wins, holds) {
            (Player::First, true, _) | (Player::Second, _, false) => 2,
            (_, false, true) => 1,
            _ => 0,
        }
    })
}

/// A random opponent and a random collection. Every other opponent is strong, so that not every best deck is perfect.
fn question(seed: u64, count: usize, text: &str) -> (Opponent, Vec<HandCard>, String) {
    let mut rng = Rng::new(seed);
    let mut opponent = opponent(&mut rng, text, 1);
    if seed % 2 == 1 {
        let strong: Vec<Card> = book().cards().iter().filter(|card| card.grade >= 4).map(|card| card.card).collect();
        let hand = std::array::from_fn(|_| strong[rng.below(strong.len() as u32) as usize]);
        opponent = Opponent::new(rules(text), vec![hand]).unwrap();
    }
    (opponent, cards(&mut rng, count), format!("seed {seed}, rules {text}, {count} cards"))
}

/// Compares the optimiser with full enumeration. Returns the best deck; none if there is no legal one.
fn agrees(seed: u64, count: usize, text: &str) -> Option<(Opponent, Pool, BestDeck, State)> {
    let (opponent, cards, at) = question(seed, count, text);
    let expected = enumerated(&opponent, &cards);
    let Ok(pool) = Pool::new(Edition::Ff14, &collection(&cards), &[]) else {
        assert_eq!(expected, None, "{at}: there is a legal deck");
        return None;
    };
    let (best, state) = best(&opponent, &pool);
    assert_eq!(Some(best.points), expected, "{at}");
    assert_ne!(best.status, DeckStatus::BestKnown, "{at}");
    assert_eq!(best.bound, best.points, "{at}");
    assert_eq!(check_deck(Edition::Ff14, &best.deck, Holder::Player), Ok(()), "{at}");
    let played = rate(Isa::detect(), &opponent, &best.deck.each_ref().map(|card| card.card), &Control::new()).unwrap();
    assert_eq!(played, best.points, "{at}: the deck has its points");
    Some((opponent, pool, best, state))
}

#[test]
fn the_best_deck_is_that_of_full_enumeration() {
    for (seed, text) in (0..).zip(RULES) {
        // The order of the cards makes 120 times as many decks.
        let Some((opponent, pool, best, state)) = agrees(seed, if text == "order" { 5 } else { 8 }, text) else {
            continue;
        };
        let (state, opponent, pool) = State::read(&state.write(&opponent, &pool)).unwrap();
        let checked = verify(Isa::detect(), &state, &opponent, &pool, &Control::new()).unwrap();
        let found = (best.points, best.bound, best.status);
        assert_eq!((checked.points, checked.bound, checked.status), found, "seed {seed}, rules {text}");
    }
    agrees(100, 5, "swap");
}

#[test]
#[ignore = "takes most of an hour; `cargo xtask decks --enumerate` runs it"]
fn two_hundred_collections_of_twelve_cards() {
    let mut perfect = 0;
    for (seed, text) in (1000..).zip(RULES.into_iter().cycle().take(200)) {
        let found = agrees(seed, if text == "order" { 8 } else { 12 }, text);
        perfect += u32::from(found.is_some_and(|(_, _, best, _)| best.status == DeckStatus::Perfect));
        println!("seed {seed}, {text}: agrees; {perfect} perfect so far");
    }
}

/// The value of a deal of two-faced cards is at least that of each deal it stands for.
#[test]
fn two_faced_cards_bound_real_ones() {
    let mut rng = Rng::new(5);
    let (mut solver, control) = (Solver::default(), Control::new());
    for round in 0..16 {
        let rules = rules(["-", "reverse"][round % 2]);
        let decks: [[Card; 5]; 3] = std::array::from_fn(|_| std::array::from_fn(|at| cards(&mut rng, 5)[at].card));
        let theirs: [Card; 5] = std::array::from_fn(|at| cards(&mut rng, 5)[at].card);
        let face = |best: fn(u8, u8) -> u8| -> [Card; 5] {
            std::array::from_fn(|at| {
                let sides = |side: usize| decks.iter().map(|deck| deck[at].sides[side]).reduce(best).unwrap();
                Card::new(std::array::from_fn(sides)).unwrap()
            })
        };
        let (high, low) = (face(u8::max), face(u8::min));
        let (strong, weak) = if round % 2 == 0 { (high, low) } else { (low, high) };
        for first in [Player::First, Player::Second] {
            let setup = |hand: [Card; 5]| Setup { first, ..Setup::new(rules, hand, theirs) };
            let mut value = |deal: &Deal| {
                let value = solver.value(deal, &deal.start(), &control).unwrap();
                if first == Player::First { value } else { 10 - value }
            };
            let bound = value(&Deal::two_faced(&setup(strong), &setup(weak)).unwrap());
            for deck in &decks {
                let real = value(&Deal::new(&setup(*deck)).unwrap());
                assert!(real <= bound, "round {round}, {first:?}: {real} > {bound}");
                let same = Deal::two_faced(&setup(*deck), &setup(*deck)).unwrap();
                assert_eq!(value(&same), real, "equal faces are the plain card");
            }
        }
    }
}

/// A card that is better on every side can be the worse one, so strong faces alone are no bound.
#[test]
fn a_stronger_card_can_be_worse() {
    let hand = |text: &str| -> [Card; 5] {
        let cards: Vec<Card> = text.split(' ').map(|card| Card::read(card, Edition::Ff14).unwrap()).collect();
        cards.try_into().unwrap()
    };
    let value = |mine: &str| {
        let setup = Setup::new(rules("-"), hand(mine), hand("3939 8686 8417 7842 5178"));
        let deal = Deal::new(&Setup { first: Player::Second, ..setup }).unwrap();
        10 - Solver::default().value(&deal, &deal.start(), &Control::new()).unwrap()
    };
    assert_eq!((value("4883 2767 8178 7982 A7A6"), value("4883 3868 8178 7982 A7A6")), (6, 5));
}

#[test]
fn one_more_card_never_lowers_the_result() {
    for (seed, text) in (200..).zip(["-", "same", "reverse"]) {
        let mut rng = Rng::new(seed);
        let (opponent, cards) = (opponent(&mut rng, text, 1), cards(&mut rng, 8));
        let mut before = 0;
        for count in 5..=cards.len() {
            let Ok(pool) = Pool::new(Edition::Ff14, &collection(&cards[..count]), &[]) else { continue };
            let (best, _) = best(&opponent, &pool);
            assert!(best.points >= before, "seed {seed}: {} cards have {} after {before}", count, best.points);
            before = best.points;
        }
    }
}

#[test]
fn locked_cards_stay_and_a_given_deck_is_never_lost() {
    let mut rng = Rng::new(300);
    let (opponent, cards) = (opponent(&mut rng, "same", 1), cards(&mut rng, 9));
    let low: Vec<HandCard> =
        cards.iter().filter(|card| card.known.as_ref().is_some_and(|known| known.grade < 4)).cloned().collect();
    let pool = Pool::new(Edition::Ff14, &collection(&cards), &low[..2]).unwrap();
    let (found, _) = best(&opponent, &pool);
    assert!(low[..2].iter().all(|card| found.deck.contains(card)));
    // A search that is cancelled at once gives the deck it started from, or a better one.
    let pool = Pool::new(Edition::Ff14, &collection(&cards), &[]).unwrap();
    let (perfect, _) = best(&opponent, &pool);
    let cancelled = Control::new().cancel(Arc::new(AtomicBool::new(true)));
    let options = Options { deck: Some(perfect.deck.clone()), ..Options::default() };
    let (kept, _) = optimise(Isa::detect(), &opponent, &pool, options, &cancelled).unwrap();
    assert_eq!((&kept.deck, kept.points), (&perfect.deck, perfect.points));
    let foreign: Hand = std::array::from_fn(|at| HandCard::of(&book().cards()[at]));
    let options = Options { deck: Some(foreign), ..Options::default() };
    let refused = optimise(Isa::detect(), &opponent, &pool, options, &Control::new()).unwrap_err().to_string();
    assert!(refused.starts_with("the collection has 0 of "), "{refused}");
}

#[test]
fn a_search_resumes_where_it_stopped_and_repeats_by_its_seed() {
    let mut rng = Rng::new(400);
    let (opponent, cards) = (opponent(&mut rng, "-", 1), cards(&mut rng, 9));
    let pool = Pool::new(Edition::Ff14, &collection(&cards), &[]).unwrap();
    let whole = best(&opponent, &pool);
    assert_eq!(whole.0, best(&opponent, &pool).0, "the same seed does the same");
    let (mut options, mut rounds) = (Options::default(), 0);
    let resumed = loop {
        let limited = Control::new().node_limit(400_000);
        let (found, state) = optimise(Isa::detect(), &opponent, &pool, options.clone(), &limited).unwrap();
        rounds += 1;
        if found.status != DeckStatus::BestKnown {
            break found;
        }
        assert!(rounds < 1000, "the search does not end");
        let (state, other, cards) = State::read(&state.write(&opponent, &pool)).unwrap();
        assert!(State::is_same_question((&other, &cards), (&opponent, &pool)));
        options.state = Some(state);
    };
    assert_eq!((resumed.points, resumed.bound, resumed.status), (whole.0.points, whole.0.bound, whole.0.status));
    let threads = Control::new().threads(3);
    let (on_three, _) = optimise(Isa::detect(), &opponent, &pool, Options::default(), &threads).unwrap();
    assert_eq!((on_three.points, on_three.status), (resumed.points, resumed.status));
}

#[test]
fn a_proof_that_claims_too_much_is_refused() {
    let mut rng = Rng::new(17);
    let (opponent, cards) = (opponent(&mut rng, "-", 2), cards(&mut rng, 9));
    let pool = Pool::new(Edition::Ff14, &collection(&cards), &[]).unwrap();
    let (found, state) = best(&opponent, &pool);
    assert_eq!(found.status, DeckStatus::Proved, "the test needs a deck that is not perfect");
    let text = state.write(&opponent, &pool);
    let check = |text: &str| {
        let (state, opponent, pool) = State::read(text)?;
        verify(Isa::detect(), &state, &opponent, &pool, &Control::new())
    };
    assert_eq!(check(&text).unwrap().status, DeckStatus::Proved);
    let closed: Vec<&str> = text.lines().filter(|line| line.starts_with("closed ")).collect();
    let without = text.replacen(&format!("{}\n", closed[0]), "", 1);
    let refused = check(&without).unwrap_err().to_string();
    assert!(refused.contains("no box has the deck"), "{refused}");
    let lowered = text.replacen(closed[0], &format!("{} 0000", closed[0].rsplit_once(' ').unwrap().0), 1);
    // A box whose deck loses every game may claim that.
    if lowered != text {
        let refused = check(&lowered).unwrap_err().to_string();
        assert!(refused.contains("is better than it says"), "{refused}");
    }
    for (from, to) in
        [("closed ", "close "), ("game ff14", "game ff15"), ("best ", "best 99 "), ("hand ", "hand Z"), (":1", ":9")]
    {
        assert!(check(&text.replacen(from, to, 1)).is_err(), "{from} -> {to}");
    }
    for cut in (0..text.len()).step_by(7) {
        // A cut text is refused or claims less; it never panics.
        let _ = State::read(&text[..cut]);
    }
}

#[test]
fn what_cannot_be_ranked_or_made_is_told() {
    for (text, reason) in [
        ("chaos", Unranked::Luck),
        ("roulette,same", Unranked::Luck),
        ("random", Unranked::Random),
        ("draft", Unranked::Draft),
    ] {
        assert_eq!(Unranked::of(rules(text)), Some(reason));
        let hands = vec![[Card::new([1; 4]).unwrap(); 5]];
        assert!(Opponent::new(rules(text), hands.clone()).is_err());
        assert_eq!(Lottery::new(rules(text), hands).is_ok(), reason == Unranked::Luck);
    }
    assert!(Opponent::new(rules("-"), Vec::new()).is_err());
    let of_stars = |stars: u8, count: usize| -> Vec<HandCard> {
        book().cards().iter().filter(|card| card.grade == stars).take(count).map(HandCard::of).collect()
    };
    let few = [of_stars(5, 3), of_stars(4, 3), of_stars(1, 2)].concat();
    let refused = Pool::new(Edition::Ff14, &collection(&few), &[]).unwrap_err().to_string();
    assert!(refused.starts_with("these 8 cards make no deck; it needs 1 more of three stars or fewer"), "{refused}");
    let refused = Pool::new(Edition::Ff14, &collection(&of_stars(1, 9)), &of_stars(2, 1)).unwrap_err().to_string();
    assert!(refused.contains("the collection has 0 of "), "{refused}");
}

/// Expected points under Roulette are the mean over the rules that may come, by the definition. Order excludes Chaos.
#[test]
fn expected_points_are_the_mean_over_what_luck_brings() {
    let mut rng = Rng::new(500);
    let (theirs, owned) = (cards(&mut rng, 5), cards(&mut rng, 7));
    let theirs: [Card; 5] = std::array::from_fn(|at| theirs[at].card);
    let pool = Pool::new(Edition::Ff14, &collection(&owned), &[]).unwrap();
    let lottery = Lottery::new(rules("order,roulette"), vec![theirs]).unwrap();
    let (isa, control) = (Isa::detect(), Control::new());
    let found = optimise_expected(isa, &lottery, &pool, &Options::default(), &control).unwrap();
    assert_eq!(check_deck(Edition::Ff14, &found.deck, Holder::Player), Ok(()));
    let mine = found.deck.each_ref().map(|card| card.card);
    let (mut solver, mut sum, mut count) = (Solver::default(), 0.0, 0);
    for (_, then) in roulette_rules(rules("order,roulette")) {
        count += 1;
        let decks = Decks { cards: Vec::new(), hands: vec![theirs], ordered: true, swapped: then.has(Rule::Swap) };
        let games = decks.games(mine);
        for (mine, theirs, i_start) in &games {
            let first = if *i_start { Player::First } else { Player::Second };
            let setup = Setup { first, ..Setup::new(then.set(Rule::OrderB, false), *mine, *theirs) };
            let deal = Deal::new(&setup).unwrap();
            let cards = solver.value(&deal, &deal.start(), &control).unwrap();
            let margin = if *i_start { 2 * cards as i32 - 10 } else { 10 - 2 * cards as i32 };
            sum += f64::from(1 + margin.signum()) / 2.0 / games.len() as f64;
        }
    }
    assert!(count >= 9, "{count} rules");
    let [points, of] = found.expected.fraction.unwrap();
    assert!((points as f64 / of as f64 - sum / f64::from(count)).abs() < 1e-9, "{points}/{of}, {sum} of {count}");
    assert!((found.expected.points() - sum / f64::from(count)).abs() < 1e-9);
    assert_eq!((found.expected.error, found.expected.solved), (None, lottery.trials()));
    let mean = found.games.iter().map(|game| game.chances.win + game.chances.draw / 2.0).sum::<f64>() / 2.0;
    assert!((mean - found.expected.points()).abs() < 1e-9, "the games have the same mean");
    assert_eq!(rate_expected(isa, &lottery, &pool, &found.deck, &control).unwrap(), found.expected);
    // A deck that was given is never lost.
    let options = Options { deck: Some(found.deck.clone()), seed: 9, ..Options::default() };
    let again = optimise_expected(isa, &lottery, &pool, &options, &control).unwrap();
    assert!(again.expected.points() >= found.expected.points() - 1e-9);
}

/// Under Chaos a trial is the chance that the solver finds. An estimate has an error.
#[test]
fn expected_points_under_chaos_are_chances() {
    let mut rng = Rng::new(501);
    let (theirs, owned) = (cards(&mut rng, 5), cards(&mut rng, 7));
    let theirs: [Card; 5] = std::array::from_fn(|at| theirs[at].card);
    let pool = Pool::new(Edition::Ff14, &collection(&owned), &[]).unwrap();
    let lottery = Lottery::new(rules("chaos"), vec![theirs]).unwrap();
    let (deck, control) =
        (best(&Opponent::new(rules("-"), vec![theirs]).unwrap(), &pool).0.deck, Control::new().threads(2));
    let found = rate_expected(Isa::detect(), &lottery, &pool, &deck, &control).unwrap();
    let mut mean = 0.0;
    for first in [Player::First, Player::Second] {
        let setup = Setup { first, ..Setup::new(rules("chaos"), deck.each_ref().map(|card| card.card), theirs) };
        let deal = Deal::new(&setup).unwrap();
        let value = Solver::default().solve(&deal, &deal.start(), Lines::None, &control).value;
        let chances = if first == Player::First { value } else { value.reversed() }.chances.unwrap();
        mean += (chances.win + chances.draw / 2.0) / 2.0;
    }
    assert!((found.points() - mean).abs() < 1e-9, "{found:?}, {mean}");
    let limited = Control::new().node_limit(1000);
    let stopped = optimise_expected(Isa::detect(), &lottery, &pool, &Options::default(), &limited);
    assert!(matches!(stopped, Err(ninefold_engine::Error::Stopped(_))), "no trial is solved");
}

/// Decks of equal points are compared by the adviser.
#[test]
fn finalists_are_compared_for_a_hidden_hand() {
    let mut rng = Rng::new(600);
    let hand = |rng: &mut Rng| -> [Card; 5] { std::array::from_fn(|_| cards(rng, 1)[0].card) };
    let first = hand(&mut rng);
    let hands = (0..3)
        .map(|at| std::array::from_fn(|place| if place == 4 { cards(&mut rng, 9)[at].card } else { first[place] }));
    let opponent = Opponent::new(rules("-"), hands.collect()).unwrap();
    let cards = cards(&mut rng, 10);
    let pool = Pool::new(Edition::Ff14, &collection(&cards), &[]).unwrap();
    let (plain, _) = best(&opponent, &pool);
    let options = Options { finalists: 4, ..Options::default() };
    let (found, state) = optimise(Isa::detect(), &opponent, &pool, options, &Control::new()).unwrap();
    assert_eq!((found.points, found.bound, found.status), (plain.points, plain.bound, plain.status));
    let measures = |deck: &Hand, first: Side| {
        let setup = HiddenSetup {
            rules: opponent.rules(),
            elements: [None; 9],
            hand: deck.each_ref().map(|card| card.card),
            worlds: opponent.hands().to_vec(),
            first,
            known_order: false,
        };
        let deal = HiddenDeal::new(&setup).unwrap();
        let query = Query { random: false, ..Query::default() };
        let found = advise(&deal, &deal.start(), &query, &Control::new()).position;
        (found.certain, found.win, found.not_lose)
    };
    let hidden = found.hidden.unwrap();
    for (measured, first) in hidden.iter().zip([Side::Me, Side::Opponent]) {
        assert_eq!((measured.certain, measured.win, measured.not_lose), measures(&found.deck, first));
        assert!(measured.random.is_some_and(|chances| chances.win > 0.0));
    }
    let key = |deck: &Hand| {
        let [mine, his] = [measures(deck, Side::Me), measures(deck, Side::Opponent)];
        (mine.0.low as u32 + his.0.low as u32, mine.1.low + his.1.low, mine.2.low + his.2.low)
    };
    assert!(key(&found.deck) >= key(&plain.deck), "the comparison does not make the deck worse");
    assert_eq!(verify(Isa::detect(), &state, &opponent, &pool, &Control::new()).unwrap().deck, found.deck);
}

/// The number of decks is that of `check_deck`, with copies in the older game.
#[test]
fn decks_are_counted() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let cards = cards(&mut rng, 9);
        let legal = (0u32..1 << 9).filter(|choice| choice.count_ones() == 5).filter(|choice| {
            let chosen: Vec<HandCard> = (0..9).filter(|at| choice >> at & 1 != 0).map(|at| cards[at].clone()).collect();
            check_deck(Edition::Ff14, &chosen, Holder::Player).is_ok()
        });
        let legal = legal.count() as u64;
        let counted = Pool::new(Edition::Ff14, &collection(&cards), &[]).map_or(0, |pool| pool.deck_count());
        assert_eq!(counted, legal, "seed {seed}");
    }
    let eight = Book::built_in(Edition::Ff8);
    // Three of one card and two each of two others, at most five: 3+2+0, 3+1+1, 3+0+2, 2+2+1, 2+1+2, 1+2+2.
    let mine = Collection::read("Geezard,3\nFunguar,2\nBite Bug,2\n", "mine", eight).unwrap();
    assert_eq!(Pool::new(Edition::Ff8, &mine, &[]).unwrap().deck_count(), 6);
}

#[test]
fn a_card_that_is_missing_is_found() {
    // The opponent's cards lose against any card of nines.
    let weak = Opponent::new(rules("-"), vec![[Card::new([2; 4]).unwrap(); 5]]).unwrap();
    let ones: Vec<HandCard> = book().cards().iter().filter(|card| card.grade == 1).take(5).map(HandCard::of).collect();
    let pool = Pool::new(Edition::Ff14, &collection(&ones), &[]).unwrap();
    let (found, _) = best(&weak, &pool);
    let helping = additions(Isa::detect(), &weak, &pool, &found.deck, book(), &Control::new()).unwrap();
    assert!(found.status == DeckStatus::Perfect || !helping.is_empty());
    assert!(helping.iter().all(|addition| addition.points > found.points && !ones.contains(&addition.card)));
    assert!(helping.windows(2).all(|pair| pair[0].points >= pair[1].points));
}

/// All 464 cards, and an easy opponent.
#[test]
fn a_perfect_deck_is_found_among_all_cards() {
    let npc = NpcBook::built_in().npc("Baderon").unwrap();
    let hands = npc.hands().iter().map(|hand| hand.map(|id| book().by_id(id).unwrap().card)).collect();
    let opponent = Opponent::new(npc.rules(), hands).unwrap();
    let (found, _) = best(&opponent, &Pool::all(book(), &[]).unwrap());
    assert_eq!((found.status, found.points), (DeckStatus::Perfect, 40));
    assert!(found.games.iter().all(|game| game.margin.is_some_and(|margin| margin > 0)));
}

/// Every fifth perfect row of the built-in table; `cargo xtask decks --verify` solves all rows.
#[test]
fn perfect_rows_of_the_table_win_every_game() {
    let rows = DeckTable::built_in().rows().iter();
    let perfect = rows.filter_map(|row| match row.standing {
        Standing::Deck { deck, most, status: DeckStatus::Perfect, .. } => Some((row.npc, deck, most)),
        _ => None,
    });
    let mut solved = 0;
    for (id, deck, most) in perfect.step_by(5) {
        let npc = NpcBook::built_in().npcs().iter().find(|npc| npc.id == id).unwrap();
        let hands = npc.hands().iter().map(|hand| hand.map(|id| book().by_id(id).unwrap().card)).collect();
        let opponent = Opponent::new(npc.rules(), hands).unwrap();
        let deck: Hand = deck.map(|id| HandCard::of(book().by_id(id).unwrap()));
        assert_eq!(check_deck(Edition::Ff14, &deck, Holder::Player), Ok(()), "{}", npc.name);
        let points = rate(Isa::detect(), &opponent, &deck.map(|card| card.card), &Control::new()).unwrap();
        assert_eq!((points, opponent.most()), (most, most), "{}", npc.name);
        solved += 1;
    }
    assert!(solved >= 5, "{solved} rows");
}

/// The five cards of a perfect deck and 55 random ones.
#[test]
#[ignore = "takes a minute; `cargo xtask decks --enumerate` runs it"]
fn a_perfect_deck_is_found_among_sixty_cards() {
    let npc = NpcBook::built_in().npc("Flichoirel the Lordling").unwrap();
    let hands = npc.hands().iter().map(|hand| hand.map(|id| book().by_id(id).unwrap().card)).collect();
    let opponent = Opponent::new(npc.rules(), hands).unwrap();
    let mut owned: Vec<HandCard> = [404, 269, 117, 87, 93].map(|id| HandCard::of(book().by_id(id).unwrap())).to_vec();
    let mut rng = Rng::new(7);
    while owned.len() < 60 {
        let card = HandCard::of(&book().cards()[rng.below(464) as usize]);
        if !owned.contains(&card) {
            owned.push(card);
        }
    }
    let pool = Pool::new(Edition::Ff14, &collection(&owned), &[]).unwrap();
    let limit = Control::new().threads(2).time_limit(std::time::Duration::from_secs(1800));
    let (found, _) = optimise(Isa::detect(), &opponent, &pool, Options::default(), &limit).unwrap();
    println!("{} of {}: {} tests, {} restarts", found.points, found.most, found.tests, found.restarts);
    assert_eq!((found.status, found.points), (DeckStatus::Perfect, 40));
}
