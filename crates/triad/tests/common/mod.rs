//! Random deals under all combinations of rules of both games.

use grid::{Player, Rng};
use ninefold_triad::{Card, Edition, Element, Kind, Rule, Rules, Setup};

/// A random deal in which the rare rules fire often: half of the deals use only a few ranks.
pub(crate) fn random_setup(rng: &mut Rng) -> Setup {
    let edition = Edition::ALL[rng.below(2) as usize];
    let mut rules = Rules::preset(edition);
    for rule in Rule::all().filter(|rule| rule.is_of(edition)) {
        let dealt = matches!(
            rule,
            Rule::Open | Rule::ThreeOpen | Rule::SuddenDeath | Rule::Random | Rule::Swap | Rule::Draft | Rule::Roulette
        );
        let chaotic = matches!(rule, Rule::ChaosA | Rule::ChaosB);
        if rule.is_switch() {
            // In one deal of eight a switch is set at random.
            rules = if rng.below(8) == 0 { rules.set(rule, rng.below(2) == 0) } else { rules };
        } else if !dealt && !chaotic && rng.below(2) == 0 {
            let order = matches!(rule, Rule::OrderA | Rule::OrderB);
            rules = if order && rng.below(4) != 0 { rules } else { rules.with(rule) };
        }
    }
    if rules.has(Rule::Ascension) {
        rules = rules.set(Rule::Descension, false);
    }
    let narrow = rng.below(2) == 0;
    let low = rng.below(8);
    let mut card = || {
        let mut side = || {
            let rank = if narrow { low + rng.below(3) } else { rng.below(10) };
            if rng.below(8) == 0 { 10 } else { 1 + rank.min(9) as u8 }
        };
        let mut card = Card::new([side(), side(), side(), side()]).expect("sides from 1 to 10");
        match edition {
            Edition::Ff8 => card.element = Element::ALL.get(rng.below(12) as usize).copied(),
            Edition::Ff14 => card.kind = Kind::ALL.get(rng.below(6) as usize).copied(),
        }
        card
    };
    let hands = [[card(), card(), card(), card(), card()], [card(), card(), card(), card(), card()]];
    let elements = std::array::from_fn(|_| {
        if rules.has(Rule::Elemental) { Element::ALL.get(rng.below(20) as usize).copied() } else { None }
    });
    let first = if rng.below(2) == 0 { Player::First } else { Player::Second };
    Setup { rules, elements, hands, first }
}
