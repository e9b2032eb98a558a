//! The signature of the solver: one node count that changes whenever the search changes.

use super::cards::{Book, Dealer, Holder};
use super::named_deal::NamedDeal;
use super::solve::Solver;
use ::search::Control;
use grid::Game;
use grid::simd::Isa;
use triad::{Edition, Rules, Setup};

/// The nodes of the solver over fixed deals of several rule mixes: the same number on every instruction set, and another
/// number whenever the search changes.
#[must_use]
pub fn signature(isa: Isa) -> u64 {
    let mut solver = Solver::new(isa);
    let control = Control::new();
    let mixes = [
        (Edition::Ff8, ""),
        (Edition::Ff8, "same,plus"),
        (Edition::Ff8, "same,same-wall,plus"),
        (Edition::Ff14, "reverse,fallen-ace"),
        (Edition::Ff14, "ascension,same"),
        (Edition::Ff14, "order,plus"),
    ];
    for (seed, (edition, rules)) in mixes.into_iter().enumerate() {
        let book = Book::built_in(edition);
        let mut dealer = Dealer::new(seed as u64);
        let mut hand = || dealer.hand(book, 1..=10, Holder::Player).expect("the lists have more than five cards");
        let hands = [hand(), hand()];
        let rules = Rules::read(rules, edition).expect("rules of the game");
        let cards = hands[0].each_ref().map(|card| card.card);
        let dealt = NamedDeal::deal(Setup::new(rules, cards, cards), hands).expect("built-in cards");
        solver.value(&dealt.deal, &dealt.deal.start(), &control).expect("no limit");
    }
    control.nodes()
}
