//! The advice on a pick of Draft.

use engine::Control;
use engine::triad::TriadError;
use engine::triad::cards::{Book, HandCard, NpcBook};
use engine::triad::deck::{Opponent, rate};
use engine::triad::draft::{Draft, Pick};
use grid::simd::Isa;
use ninefold_engine as engine;
use triad::{Edition, Rules};

fn cards(ids: &[u16]) -> Vec<HandCard> {
    ids.iter().map(|id| HandCard::of(Book::built_in(Edition::Ff14).by_id(*id).unwrap())).collect()
}

fn draft<'a>(rules: &str, taken: &'a [HandCard], offered: &'a [HandCard]) -> Draft<'a> {
    let rules = Rules::read(rules, Edition::Ff14).unwrap();
    Draft { book: Book::built_in(Edition::Ff14), rules, taken, offered, hands: &[], games: 4, seed: 1 }
}

#[test]
fn the_last_pick_against_known_hands_is_exact() {
    let book = Book::built_in(Edition::Ff14);
    let npc = NpcBook::built_in().npc("Flichoirel").unwrap();
    let hands: Vec<_> = npc.hands().into_iter().map(|ids| npc.cards(book, &ids).try_into().unwrap()).collect();
    let hands = &hands[..4];
    let printed = hands.iter().map(|hand: &engine::triad::cards::Hand| hand.each_ref().map(|card| card.card)).collect();
    let (taken, offered) = (cards(&[20, 33, 48, 71]), cards(&[93, 1, 55]));
    for rules in ["", "same,plus", "reverse"] {
        let asked = Draft { hands, ..draft(rules, &taken, &offered) };
        let found = asked.advise(&Control::new()).unwrap();
        assert!(found.exact && found.complete);
        let opponent = Opponent::new(asked.rules, Vec::clone(&printed)).unwrap();
        for pick in &found.picks {
            let mut deck = taken.clone();
            deck.push(offered[pick.offered].clone());
            let deck: Vec<_> = deck.iter().map(|card| card.card).collect();
            let half = rate(Isa::detect(), &opponent, &deck.try_into().unwrap(), &Control::new()).unwrap();
            assert!((pick.points() * 8.0 - f64::from(half) / 2.0).abs() < 1e-9, "{rules}: {pick:?} {half}");
        }
        assert!(found.picks.is_sorted_by(|one, other| one.points() >= other.points()));
    }
}

#[test]
fn an_early_pick_is_a_sample_that_depends_on_the_seed_alone() {
    let offered = cards(&[1, 2, 3]);
    let asked = draft("", &[], &offered);
    let found = asked.advise(&Control::new()).unwrap();
    assert!(found.complete && !found.exact);
    assert_eq!(found, asked.advise(&Control::new()).unwrap());
    assert!(found.picks.iter().all(|pick| pick.results.iter().sum::<u32>() == 4));
    // Whatever comes, aces on all sides are never worse than ones.
    let text = |sides| HandCard { known: None, card: triad::Card::new(sides).unwrap() };
    let offered = [text([1; 4]), text([10; 4])];
    let found = Draft { games: 12, ..draft("", &cards(&[10, 11, 12]), &offered) }.advise(&Control::new()).unwrap();
    assert_eq!(found.picks[0].offered, 1, "{found:?}");
    // The games until the limit count.
    let taken = cards(&[10, 11, 12]);
    let slow = Draft { games: u32::MAX, ..draft("", &taken, &offered) };
    let cut = slow.advise(&Control::new().node_limit(2_000_000)).unwrap();
    assert!(!cut.complete && cut.picks[0].results.iter().sum::<u32>() > 0);
    assert!(slow.advise(&Control::new().node_limit(1)).is_err());
}

#[test]
fn points_and_error_of_a_pick() {
    let pick = Pick { offered: 0, results: [3, 2, 5] };
    // By hand: values 1 (3 times), 1/2 (2 times), 0 (5 times).
    assert!((pick.points() - 0.4).abs() < 1e-12);
    let variance: f64 = (3.0 * 0.36 + 2.0 * 0.01 + 5.0 * 0.16) / 10.0;
    assert!((pick.error() - (variance / 10.0).sqrt()).abs() < 1e-12);
}

#[test]
fn what_cannot_be_ranked_is_refused() {
    let (offered, five) = (cards(&[1, 2]), cards(&[1, 2, 3, 4, 5]));
    let refused = |draft: Draft<'_>| draft.advise(&Control::new()).unwrap_err().to_string();
    assert_eq!(refused(draft("chaos", &[], &offered)), TriadError::DraftWith { rule: "chaos" }.to_string());
    assert!(refused(draft("swap", &[], &offered)).contains("swap"));
    assert!(refused(draft("", &five, &offered)).contains("over after five cards"));
    assert!(refused(draft("", &[], &[])).contains("missing"));
    assert!(refused(draft("", &cards(&[1]), &cards(&[1]))).contains("twice"));
}
