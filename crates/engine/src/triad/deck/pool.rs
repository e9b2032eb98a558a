//! The cards that a deck may be made of, and the limits it has to keep.

use crate::triad::cards::{Book, Collection, Hand, HandCard, Holder, check_deck};
use crate::triad::error::TriadError;
use triad::{Card, Edition, HAND};

/// A deck by the numbers of its cards in the pool. Under Order it is the order of play.
pub(super) type Picks = [u16; HAND];

/// Classes of stars: a deck has at most one card of class 2, and at most two of classes 1 and 2 together.
pub(super) const CLASSES: usize = 3;

/// The cards of a collection, and those that must be in the deck.
#[derive(Clone, Debug)]
pub struct Pool {
    edition: Edition,
    cards: Vec<HandCard>,
    /// How many copies of each card a deck may hold, beyond the locked ones.
    free: Vec<u8>,
    locked: Vec<u16>,
}

impl Pool {
    /// The cards of a collection; `locked` cards are in every deck.
    ///
    /// # Errors
    /// If a locked card is not owned, the locked cards break the limits of decks, or no legal deck can be made.
    pub fn new(edition: Edition, collection: &Collection, locked: &[HandCard]) -> Result<Self, TriadError> {
        let (cards, counts): (Vec<HandCard>, Vec<u32>) =
            collection.cards().map(|(card, count)| (card.clone(), count)).unzip();
        let mut pool = Self { edition, free: Vec::new(), locked: Vec::new(), cards };
        pool.free = (0..pool.cards.len()).map(|card| pool.most_copies(card).min(counts[card] as usize) as u8).collect();
        for card in locked {
            let at = pool.cards.iter().position(|other| other == card);
            let at = at.filter(|at| pool.free[*at] > 0);
            let held = locked.iter().filter(|other| *other == card).count() as u32;
            let refused = || TriadError::NotOwned { name: card.name(), owned: collection.count(card), held };
            let at = at.ok_or_else(refused)?;
            pool.free[at] -= 1;
            pool.locked.push(at as u16);
        }
        if locked.len() > HAND {
            return Err(TriadError::LockedCount { found: locked.len() });
        }
        check_deck(edition, locked, Holder::Player)?;
        if pool.patterns().is_empty() {
            return Err(pool.missing());
        }
        Ok(pool)
    }

    /// Every card of a list, as many copies as a deck may hold.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn all(book: &Book, locked: &[HandCard]) -> Result<Self, TriadError> {
        Self::new(book.edition(), &Collection::all(book), locked)
    }

    /// The pool of these cards, each with its copies and how many of them are locked.
    pub(super) fn of_parts(edition: Edition, parts: Vec<(HandCard, u8, usize)>) -> Result<Self, TriadError> {
        let locked = parts.iter().flat_map(|(card, _, locked)| vec![card.clone(); *locked]).collect::<Vec<_>>();
        let owned = parts.into_iter().map(|(card, copies, _)| (card, u32::from(copies)));
        Self::new(edition, &Collection::of(owned), &locked)
    }

    /// The pool with one copy of each card of the list that it lacks, and the number of the first such card.
    pub(super) fn with_missing(&self, book: &Book) -> (Self, usize) {
        let mut pool = self.clone();
        let missing = book.cards().iter().map(HandCard::of).filter(|card| !self.cards.contains(card));
        pool.cards.extend(missing);
        pool.free.resize(pool.cards.len(), 1);
        (pool, self.cards.len())
    }

    fn most_copies(&self, card: usize) -> usize {
        let copies: Vec<HandCard> = vec![self.cards[card].clone(); HAND];
        (1..=HAND).rev().find(|count| check_deck(self.edition, &copies[..*count], Holder::Player).is_ok()).unwrap_or(1)
    }

    /// What a collection needs before it has a legal deck.
    pub(super) fn missing(&self) -> TriadError {
        let [low, four, five] = self.sizes().map(|(_, copies)| copies);
        let usable = low + (four + five.min(1)).min(2) + self.locked.len();
        TriadError::NoDeck { cards: self.cards.len(), more: HAND.saturating_sub(usable).max(1), edition: self.edition }
    }

    /// By class: the free cards, and their copies.
    fn sizes(&self) -> [(usize, usize); CLASSES] {
        std::array::from_fn(|class| {
            let cards = (0..self.cards.len()).filter(|card| self.free[*card] > 0 && self.class(*card as u16) == class);
            cards.fold((0, 0), |(cards, copies), card| (cards + 1, copies + usize::from(self.free[card])))
        })
    }

    /// The edition.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// The cards.
    #[must_use]
    pub fn cards(&self) -> &[HandCard] {
        &self.cards
    }

    /// The cards that are in every deck.
    pub(super) fn locked(&self) -> &[u16] {
        &self.locked
    }

    /// How many copies of a card a deck may hold beyond the locked ones.
    pub(super) fn free(&self, card: u16) -> u8 {
        self.free[usize::from(card)]
    }

    /// The class of stars.
    pub(super) fn class(&self, card: u16) -> usize {
        let grade = self.cards[usize::from(card)].known.as_ref().map_or(0, |known| known.grade);
        match (self.edition, grade) {
            (Edition::Ff14, 5) => 2,
            (Edition::Ff14, 4) => 1,
            _ => 0,
        }
    }

    /// How many cards of each class the free places can hold.
    pub(super) fn patterns(&self) -> Vec<[u8; CLASSES]> {
        let places = HAND.saturating_sub(self.locked.len());
        let locked = |class| self.locked.iter().filter(|card| self.class(**card) == class).count();
        let (four, five) = (locked(1), locked(2));
        let copies = self.sizes().map(|(_, copies)| copies);
        let mut patterns = Vec::new();
        for high in (0..=1usize).rev().filter(|high| high + five <= 1 && *high <= places) {
            for middle in
                (0..=2usize).rev().filter(|middle| middle + high + four + five <= 2 && middle + high <= places)
            {
                let counts = [places - high - middle, middle, high];
                if counts.iter().zip(copies).all(|(count, copies)| *count <= copies) {
                    patterns.push(counts.map(|count| count as u8));
                }
            }
        }
        patterns
    }

    /// Whether a deck keeps the limits and holds the locked cards.
    pub(super) fn is_legal(&self, picks: &Picks) -> bool {
        let count = |cards: &[u16], card: u16| cards.iter().filter(|other| **other == card).count();
        let has_locked = self.locked.iter().all(|card| count(picks, *card) >= count(&self.locked, *card));
        let in_copies = |card: &u16| count(picks, *card) <= self.copies(*card) as usize;
        let of = |class| picks.iter().filter(|card| self.class(**card) == class).count();
        has_locked && picks.iter().all(in_copies) && of(2) <= 1 && of(1) + of(2) <= 2
    }

    /// The numbers of the cards of a deck.
    ///
    /// # Errors
    /// If a card is not in the pool, a locked one is missing, or the deck breaks the limits.
    pub(super) fn checked(&self, hand: &Hand) -> Result<Picks, TriadError> {
        check_deck(self.edition, hand, Holder::Player)?;
        let count = |card: &HandCard| hand.iter().filter(|other| *other == card).count() as u32;
        let mut picks = [0; HAND];
        for (pick, card) in picks.iter_mut().zip(hand) {
            let at = self.cards.iter().position(|other| other == card);
            let refused = || TriadError::NotOwned { name: card.name(), owned: 0, held: count(card) };
            *pick = at.ok_or_else(refused)? as u16;
        }
        if let Some(card) = self.locked.iter().find(|card| !picks.contains(card)) {
            return Err(TriadError::LockedMissing { name: self.cards[usize::from(*card)].name() });
        }
        match hand.iter().zip(picks).find(|(card, pick)| count(card) > self.copies(*pick)) {
            Some((card, pick)) => {
                Err(TriadError::NotOwned { name: card.name(), owned: self.copies(pick), held: count(card) })
            }
            None => Ok(picks),
        }
    }

    /// Whether five cards are a legal deck of the pool.
    #[must_use]
    pub fn has(&self, hand: &Hand) -> bool {
        self.checked(hand).is_ok()
    }

    /// How many copies of a card a deck may hold.
    pub(super) fn copies(&self, card: u16) -> u32 {
        u32::from(self.free(card)) + self.locked.iter().filter(|other| **other == card).count() as u32
    }

    /// The cards of a deck.
    pub(super) fn hand(&self, picks: &Picks) -> Hand {
        picks.map(|card| self.cards[usize::from(card)].clone())
    }

    /// What is printed on the cards of a deck.
    pub(super) fn printed(&self, picks: &Picks) -> [Card; HAND] {
        picks.map(|card| self.cards[usize::from(card)].card)
    }

    /// A number that is larger for rarer decks: first the cards of the highest grade count, then those of the next.
    pub(super) fn rarity(&self, picks: &Picks) -> i64 {
        let grade = |card: u16| self.cards[usize::from(card)].known.as_ref().map_or(0, |known| known.grade);
        picks.iter().map(|card| 6i64.pow(u32::from(grade(*card)))).sum()
    }

    /// The number of legal decks, without regard to order; the largest number if it does not fit.
    #[must_use]
    pub fn deck_count(&self) -> u64 {
        let of_class = |class: usize, places: u8| {
            let mut ways = [1u64, 0, 0, 0, 0, 0];
            let cards = (0..self.cards.len()).filter(|card| self.class(*card as u16) == class);
            for copies in cards.map(|card| usize::from(self.free[card])) {
                for places in (1..=HAND).rev() {
                    for taken in 1..=copies.min(places) {
                        ways[places] = ways[places].saturating_add(ways[places - taken]);
                    }
                }
            }
            ways[usize::from(places)]
        };
        let of_pattern = |pattern: [u8; CLASSES]| {
            (0..CLASSES).fold(1u64, |ways, class| ways.saturating_mul(of_class(class, pattern[class])))
        };
        self.patterns().into_iter().fold(0u64, |sum, pattern| sum.saturating_add(of_pattern(pattern)))
    }
}
