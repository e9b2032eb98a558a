//! What happens before the first move: random hands, elements of cells, Swap, Roulette, Draft; and what Chaos draws.

use super::book::Book;
use super::collection::Collection;
use super::hand::{Hand, HandCard, Holder, check_deck};
use super::npcs::Npc;
use crate::triad::error::TriadError;
use grid::Rng;
use std::ops::RangeInclusive;
use triad::{Edition, Element, HAND, Rules};

/// Deals by a seed: the same seed gives the same deal.
#[derive(Clone, Debug)]
pub struct Dealer(Rng);

/// How often a hand is dealt again if it breaks the limits of decks, before the cards are said to allow none. A list that
/// has a legal hand gives one within a few dozen tries; this number takes a millisecond.
const TRIES: usize = 10_000;

/// How many cards Draft offers at a time. No source gives the number; the rule only says that cards are chosen from those
/// offered.
const OFFERED: usize = 3;

/// PuPu, which Final Fantasy VIII never deals to an opponent.
const PUPU: u16 = 47;

/// The rules that Roulette can draw. Random and Draft are missing: they would replace hands that were chosen.
const DRAWN_BY_ROULETTE: [&str; 12] = [
    "all-open",
    "three-open",
    "same",
    "plus",
    "reverse",
    "fallen-ace",
    "ascension",
    "descension",
    "order",
    "chaos",
    "sudden-death",
    "swap",
];

/// The rules that Roulette may bring, equally likely: those that do not contradict the rules in force. Each with its name and
/// all rules then in force.
#[must_use]
pub fn roulette_rules(rules: Rules) -> Vec<(&'static str, Rules)> {
    let possible = DRAWN_BY_ROULETTE.into_iter().filter_map(|name| Some((name, rules.apply(name).ok()?)));
    possible.filter(|(_, with)| *with != rules && with.fault().is_none()).collect()
}

impl Dealer {
    /// The dealer of that seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }

    /// Five different cards of a list with levels (or stars) in those bounds, within the limits of the game.
    ///
    /// # Errors
    /// If there are not five.
    pub fn hand(&mut self, book: &Book, grades: RangeInclusive<u8>, holder: Holder) -> Result<Hand, TriadError> {
        let is_dealt = |id: u16| book.edition() == Edition::Ff14 || holder == Holder::Player || id != PUPU;
        let cards = book.cards().iter().filter(|card| grades.contains(&card.grade) && is_dealt(card.id));
        self.five(book.edition(), cards.map(HandCard::of).collect(), holder)
    }

    /// Five cards of a collection, each copy equally likely, within the limits of the game.
    ///
    /// # Errors
    /// If no five of them make a deck.
    pub fn owned(&mut self, edition: Edition, collection: &Collection) -> Result<Hand, TriadError> {
        let copies = collection.cards().flat_map(|(card, count)| (0..count).map(|_| card.clone()));
        self.five(edition, copies.collect(), Holder::Player)
    }

    fn five(&mut self, edition: Edition, mut cards: Vec<HandCard>, holder: Holder) -> Result<Hand, TriadError> {
        let fault = TriadError::TooFewCards { cards: cards.len() };
        if cards.len() < HAND {
            return Err(fault);
        }
        for _ in 0..TRIES {
            for at in 0..HAND {
                let rest = (cards.len() - at) as u32;
                cards.swap(at, at + self.0.below(rest) as usize);
            }
            if check_deck(edition, &cards[..HAND], holder).is_ok() {
                cards.truncate(HAND);
                return Hand::try_from(cards).map_err(|_| fault);
            }
        }
        Err(fault)
    }

    /// Draft: three different cards to choose from, each of which is legal with the cards taken so far.
    ///
    /// # Errors
    /// If there are not three.
    pub fn offer(
        &mut self,
        book: &Book,
        grades: RangeInclusive<u8>,
        taken: &[HandCard],
    ) -> Result<[HandCard; OFFERED], TriadError> {
        let joins = |card: &HandCard| {
            let with = [taken, std::slice::from_ref(card)].concat();
            !taken.contains(card) && check_deck(book.edition(), &with, Holder::Player).is_ok()
        };
        let cards = book.cards().iter().filter(|card| grades.contains(&card.grade)).map(HandCard::of);
        let mut cards: Vec<HandCard> = cards.filter(joins).collect();
        let fault = TriadError::TooFewCards { cards: cards.len() };
        if cards.len() < OFFERED {
            return Err(fault);
        }
        for at in 0..OFFERED {
            let rest = (cards.len() - at) as u32;
            cards.swap(at, at + self.0.below(rest) as usize);
        }
        cards.truncate(OFFERED);
        cards.try_into().map_err(|_| fault)
    }

    /// Finishes a draft: of each three cards the one with the highest sum of sides.
    ///
    /// # Errors
    /// If there are not enough cards.
    pub fn drafted(&mut self, book: &Book, grades: RangeInclusive<u8>, taken: &[HandCard]) -> Result<Hand, TriadError> {
        let mut taken = taken.to_vec();
        while taken.len() < HAND {
            let strength = |card: &HandCard| card.card.sides.iter().map(|side| u32::from(*side)).sum::<u32>();
            let offer = self.offer(book, grades.clone(), &taken)?;
            taken.extend(offer.into_iter().max_by_key(strength));
        }
        let found = taken.len();
        Hand::try_from(taken).map_err(|_| TriadError::TooFewCards { cards: found })
    }

    /// A random hand of an opponent; none if the list does not have its cards.
    pub fn npc_hand(&mut self, book: &Book, npc: &Npc) -> Option<Hand> {
        let ids = self.0.pick(npc.hands().into_iter())?;
        npc.cards(book, &ids).try_into().ok()
    }

    /// The elements of the cells: each cell has one of the eight with a chance of 30 %.
    pub fn elements(&mut self) -> [Option<Element>; 9] {
        std::array::from_fn(|_| {
            let is_there = self.0.below(100) < 30;
            is_there.then(|| Element::ALL[self.0.below(8) as usize])
        })
    }

    /// Swap: the hands exchange a random card each. Returns the places of the two cards.
    pub fn swap(&mut self, hands: &mut [Hand; 2]) -> [usize; 2] {
        let [of_a, of_b] = [0; 2].map(|_: usize| self.0.below(HAND as u32) as usize);
        let [a, b] = hands;
        std::mem::swap(&mut a[of_a], &mut b[of_b]);
        [of_a, of_b]
    }

    /// Roulette: one more random rule that does not contradict those in force. Returns its name.
    pub fn roulette(&mut self, rules: &mut Rules) -> Option<&'static str> {
        let (name, with) = self.0.pick(roulette_rules(*rules).into_iter())?;
        *rules = with;
        Some(name)
    }

    /// Chaos: a random card of a hand given as bits.
    pub fn draw(&mut self, hand: u16) -> Option<u8> {
        let cards: Vec<u8> = (0..10).filter(|card| hand >> card & 1 != 0).collect();
        self.0.pick(cards.into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_keep_the_limits_and_repeat_by_their_seed() {
        for edition in Edition::ALL {
            let book = Book::built_in(edition);
            let mut five_stars = 0;
            for seed in 0..200 {
                let hand = Dealer::new(seed).hand(book, 1..=10, Holder::Player).unwrap();
                assert_eq!(hand, Dealer::new(seed).hand(book, 1..=10, Holder::Player).unwrap());
                assert_eq!(check_deck(edition, &hand, Holder::Player), Ok(()), "seed {seed}");
                for (at, card) in hand.iter().enumerate() {
                    assert!(!hand[..at].contains(card), "seed {seed}");
                    five_stars += usize::from(card.known.as_ref().unwrap().grade == 5);
                }
            }
            assert!(five_stars > 0);
        }
    }

    #[test]
    fn levels_bound_a_hand() {
        let book = Book::built_in(Edition::Ff8);
        let hand = Dealer::new(3).hand(book, 2..=2, Holder::Npc).unwrap();
        assert!(hand.iter().all(|card| card.known.as_ref().unwrap().grade == 2));
        assert_eq!(Dealer::new(3).hand(book, 11..=12, Holder::Npc), Err(TriadError::TooFewCards { cards: 0 }));
        let book = Book::built_in(Edition::Ff14);
        let refused = Dealer::new(3).hand(book, 5..=5, Holder::Player);
        assert_eq!(refused, Err(TriadError::TooFewCards { cards: 68 }));
        assert!(Dealer::new(3).hand(book, 5..=5, Holder::Npc).is_ok());
    }

    #[test]
    fn three_cells_in_ten_have_an_element() {
        let mut dealer = Dealer::new(7);
        let laid: usize = (0..1000).map(|_| dealer.elements().iter().flatten().count()).sum();
        assert!((2550..2850).contains(&laid), "{laid} of 9000");
    }

    #[test]
    fn roulette_never_contradicts() {
        for seed in 0..100 {
            let mut rules = Rules::read("three-open,ascension,roulette", Edition::Ff14).unwrap();
            let before = rules;
            let name = Dealer::new(seed).roulette(&mut rules).unwrap();
            assert_eq!(rules.fault(), None, "seed {seed}");
            assert_eq!((before.apply(name), name != "all-open" && name != "descension"), (Ok(rules), true));
        }
    }

    #[test]
    fn what_draft_offers_can_be_taken() {
        let book = Book::built_in(Edition::Ff14);
        for seed in 0..100 {
            let mut dealer = Dealer::new(seed);
            let mut taken = Vec::new();
            while taken.len() < HAND {
                let offer = dealer.offer(book, 1..=5, &taken).unwrap();
                for (at, card) in offer.iter().enumerate() {
                    let with = [&taken[..], std::slice::from_ref(card)].concat();
                    assert_eq!(check_deck(Edition::Ff14, &with, Holder::Player), Ok(()), "seed {seed}");
                    assert!(!offer[..at].contains(card), "seed {seed}: offered twice");
                }
                taken.push(offer[seed as usize % OFFERED].clone());
            }
            let hand = Dealer::new(seed).drafted(book, 1..=5, &[]).unwrap();
            assert_eq!(check_deck(Edition::Ff14, &hand, Holder::Player), Ok(()), "seed {seed}");
        }
        assert_eq!(Dealer::new(1).offer(book, 6..=7, &[]), Err(TriadError::TooFewCards { cards: 0 }));
    }

    #[test]
    fn a_swap_moves_one_card_each_way() {
        let book = Book::built_in(Edition::Ff14);
        let mut dealer = Dealer::new(5);
        let before = [(); 2].map(|()| dealer.hand(book, 1..=3, Holder::Player).unwrap());
        let mut after = before.clone();
        let [of_a, of_b] = dealer.swap(&mut after);
        assert_eq!((&after[0][of_a], &after[1][of_b]), (&before[1][of_b], &before[0][of_a]));
        let moved = |hand: usize| (0..HAND).filter(|at| after[hand][*at] != before[hand][*at]).count();
        assert_eq!((moved(0), moved(1)), (1, 1));
    }
}
