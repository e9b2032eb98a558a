//! The deck optimiser against full enumeration, its laws, and its proofs.

#![allow(missing_docs, reason = "a test")]

use grid::simd::Isa;
use grid::{Game as _, Player, Rng};
use ninefold_engine::triad::Solver;
use ninefold_engine::triad::cards::{
    Book, Collection, DeckTable, Hand, HandCard, Holder, NpcBook, Standing, check_deck,
};
use ninefold_engine::triad::deck::{
    BestDeck, DeckStatus, Opponent, Options, Pool, State, Unranked, additions, optimise, rate, verify,
};
use search::Control;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use triad::{Card, Deal, Edition, Rules, Setup};

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

/// The highest half-points of any legal deck: every deck in every order that matters, every game by its exact value.
fn enumerated(opponent: &Opponent, cards: &[HandCard]) -> Option<u32> {
    let mut best = None;
    for choice in (0u32..1 << cards.len()).filter(|choice| choice.count_ones() == 5) {
        let chosen: Vec<HandCard> =
            (0..cards.len()).filter(|at| choice >> at & 1 != 0).map(|at| cards[at].clone()).collect();
        if check_deck(Edition::Ff14, &chosen, Holder::Player).is_err() {
            continue;
        }
        let printed: [Card; 5] = std::array::from_fn(|at| chosen[at].card);
        let orders = if opponent.is_ordered() { permutations(&printed) } else { vec![printed] };
        for deck in orders {
            best = best.max(Some(rate(Isa::detect(), opponent, &deck, &Control::new()).unwrap()));
        }
    }
    best
}

fn permutations(cards: &[Card; 5]) -> Vec<[Card; 5]> {
    let mut found = Vec::new();
    for number in 0..3125usize {
        let places: [usize; 5] = std::array::from_fn(|at| number / 5usize.pow(at as u32) % 5);
        if (0..5).all(|place| places.contains(&place)) {
            found.push(places.map(|place| cards[place]));
        }
    }
    found
}

/// Compares the optimiser with full enumeration, and checks its proof.
fn agrees(seed: u64, count: usize, text: &str, hands: usize) {
    let mut rng = Rng::new(seed);
    let (opponent, cards) = (opponent(&mut rng, text, hands), cards(&mut rng, count));
    let at = format!("seed {seed}, rules {text}, {count} cards");
    let expected = enumerated(&opponent, &cards);
    let Ok(pool) = Pool::new(Edition::Ff14, &collection(&cards), &[]) else {
        assert_eq!(expected, None, "{at}: there is a legal deck");
        return;
    };
    let (best, state) = best(&opponent, &pool);
    assert_eq!(Some(best.points), expected, "{at}");
    assert_ne!(best.status, DeckStatus::BestKnown, "{at}");
    assert_eq!(best.bound, best.points, "{at}");
    assert_eq!(check_deck(Edition::Ff14, &best.deck, Holder::Player), Ok(()), "{at}");
    let played = rate(Isa::detect(), &opponent, &best.deck.each_ref().map(|card| card.card), &Control::new()).unwrap();
    assert_eq!(played, best.points, "{at}: the deck has its points");
    let (state, opponent, pool) = State::read(&state.write(&opponent, &pool)).unwrap();
    let checked = verify(Isa::detect(), &state, &opponent, &pool, &Control::new()).unwrap();
    assert_eq!((checked.points, checked.bound, checked.status), (best.points, best.bound, best.status), "{at}");
}

#[test]
fn the_best_deck_is_that_of_full_enumeration() {
    for (seed, text) in (0..).zip(RULES) {
        // The order of the cards makes 120 times as many decks.
        agrees(seed, if text == "order" { 5 } else { 8 }, text, 1);
    }
    agrees(100, 5, "swap", 1);
}

/// Takes more than half an hour: `cargo test -p ninefold-engine --test triad_deck -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn two_hundred_collections_of_twelve_cards() {
    for (seed, text) in (1000..).zip(RULES.into_iter().cycle().take(200)) {
        agrees(seed, if text == "order" { 7 } else { 12 }, text, 1);
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
        ("chaos", Unranked::Chaos),
        ("roulette,same", Unranked::Roulette),
        ("random", Unranked::Random),
        ("draft", Unranked::Draft),
    ] {
        assert_eq!(Unranked::of(rules(text)), Some(reason));
        assert!(Opponent::new(rules(text), vec![[Card::new([1; 4]).unwrap(); 5]]).is_err());
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

/// The five cards of a perfect deck and 55 random ones. Takes about a minute.
#[test]
#[ignore = "takes a minute"]
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
