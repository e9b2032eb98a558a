//! Checks the laws of `oracle` and the naive model on random deals under all combinations of rules.

mod common;

use grid::{Game, Player, Rng};
use ninefold_triad::{Deal, Rule, Setup};
use oracle::laws::{self, Plan};
use oracle::triad::Table;

fn deals(seed: u64, number: u32) -> impl Iterator<Item = (u64, Setup)> {
    let mut rng = Rng::new(seed);
    let number = Plan { seed, games: number }.scaled().games;
    (0..number).map(move |_| (rng.next_word(), common::random_setup(&mut rng)))
}

#[test]
fn every_deal_obeys_the_law() {
    for (seed, setup) in deals(41, 400) {
        let plan = Plan { seed, games: 3 };
        let deal = Deal::new(&setup).unwrap();
        laws::rules(&deal, plan);
        laws::exact_key(&deal, plan);
    }
}

#[test]
fn chaos_is_lawful_too() {
    for (seed, setup) in deals(42, 100) {
        let rules = setup.rules.set(Rule::OrderA, false).set(Rule::OrderB, false);
        if !Rule::ChaosA.is_of(rules.edition()) {
            continue;
        }
        let setup = Setup { rules: rules.with(Rule::ChaosA).with(Rule::ChaosB), ..setup };
        let deal = Deal::new(&setup).unwrap();
        laws::rules(&deal, Plan { seed, games: 2 });
        laws::exact_key(&deal, Plan { seed, games: 2 });
        // Only the drawn card can be played, and the text shows it.
        let start = deal.start();
        let card = if setup.first == Player::First { 2 } else { 7 };
        let drawn = deal.draw(&start, card).unwrap();
        assert!(deal.moves(&drawn).all(|mv| mv.card() == card) && deal.moves(&drawn).len() == 9);
        assert!(laws::position_text(&deal, &drawn).ends_with(&card.to_string()));
        assert_eq!(deal.draw(&start, (card + 5) % 10), None, "the other player's card");
    }
}

#[test]
fn the_naive_model_plays_the_same_games() {
    for (seed, setup) in deals(43, 2000) {
        let deal = Deal::new(&setup).unwrap();
        // The result is the margin: cards of A less cards of B.
        laws::against_model::<_, Table>(&deal, Plan { seed, games: 5 }, |deal, position| {
            deal.is_over(position).then(|| 2 * position.score() as i32 - 10)
        });
    }
}
