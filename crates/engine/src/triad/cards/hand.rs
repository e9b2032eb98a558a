//! Hands as people write them, and the limits of decks.
//!
//! | game | a deck |
//! |---|---|
//! | ff8 | at most one copy of each rare card (levels 8 to 10) |
//! | ff14 | five different cards, at most one of five stars and at most two of four or five; opponents have no limit of stars |
//!
//! A card given by its sides has no name, so these limits do not apply to it.

use super::book::{Book, KnownCard};
use crate::triad::error::TriadError;
use triad::{Card, Edition, HAND};

/// A card of a hand: one with a name, or just sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandCard {
    /// Which card of the list it is, if it was named.
    pub known: Option<KnownCard>,
    /// What is printed on it.
    pub card: Card,
}

impl HandCard {
    /// A card of the list.
    #[must_use]
    pub fn of(known: &KnownCard) -> Self {
        Self { known: Some(known.clone()), card: known.card }
    }

    /// Its name, or its sides if it has none.
    #[must_use]
    pub fn name(&self) -> String {
        self.known.as_ref().map_or_else(|| self.card.to_string(), |known| known.name.clone())
    }
}

/// Five cards.
pub type Hand = [HandCard; HAND];

/// Whose hand it is. Opponents of the game have fewer limits than players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// A player, bound by the limits.
    Player,
    /// An opponent of the game's own.
    Npc,
}

/// Reads five cards separated by commas, as in `Squall, Ifrit, #12, 8A32, Fujin, Raijin`. A name may contain a comma.
///
/// ```
/// use ninefold_engine::triad::cards::{Book, Holder, read_hand};
/// use triad::Edition;
/// let book = Book::built_in(Edition::Ff8);
/// let hand = read_hand(book, "squall, IFRIT, #12, 8A32, Fujin, Raijin", Holder::Player).unwrap();
/// assert_eq!(hand[4].name(), "Fujin, Raijin");
/// let fault = read_hand(book, "Sqall,Ifrit,Shiva,Zell,Rinoa", Holder::Player).unwrap_err();
/// assert_eq!(fault.to_string(), "card 1 of the hand: no card of ff8 is called \"Sqall\"; did you mean Squall?");
/// ```
///
/// # Errors
/// The card that is wrong, or what is wrong with the five.
pub fn read_hand(book: &Book, text: &str, holder: Holder) -> Result<Hand, TriadError> {
    let card = |(at, text): (usize, String)| {
        book.card(&text).map_err(|error| TriadError::HandCard { number: at + 1, error: Box::new(error) })
    };
    let cards = split_hand(book, text).into_iter().enumerate().map(card).collect::<Result<Vec<_>, _>>()?;
    let hand = Hand::try_from(cards).map_err(|cards| TriadError::HandSize { found: cards.len() })?;
    check_deck(book.edition(), &hand, holder)?;
    Ok(hand)
}

/// Splits the text of a hand at its commas, but not within a name that contains one.
#[must_use]
pub fn split_hand(book: &Book, text: &str) -> Vec<String> {
    let pieces: Vec<&str> = text.split(',').collect();
    let longest = book.cards().iter().map(|card| card.name.matches(',').count() + 1).max().unwrap_or(1);
    let mut texts = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let is_name = |count: &usize| {
            let known = book.by_name(&pieces[at..at + count].join(","));
            known.is_some_and(|known| known.name.matches(',').count() + 1 == *count)
        };
        let count = (2..=longest.min(pieces.len() - at)).rev().find(is_name).unwrap_or(1);
        texts.push(pieces[at..at + count].join(",").trim().to_owned());
        at += count;
    }
    texts
}

/// From this level on Final Fantasy VIII has a single copy of each card.
const RARE_LEVEL: u8 = 8;

/// Checks that the game allows these cards in one deck.
///
/// # Errors
/// The card that is there twice, or the stars that are too many.
pub fn check_deck(edition: Edition, cards: &[HandCard], holder: Holder) -> Result<(), TriadError> {
    let known: Vec<&KnownCard> = cards.iter().filter_map(|card| card.known.as_ref()).collect();
    let twice = |card: &&&KnownCard| known.iter().filter(|other| other.id == card.id).count() > 1;
    let refuse = |card: &&KnownCard, reason| Err(TriadError::HandTwice { name: card.name.clone(), reason });
    match edition {
        Edition::Ff8 => match known.iter().filter(|card| card.grade >= RARE_LEVEL).find(twice) {
            Some(card) => refuse(card, "there is only one of each rare card"),
            None => Ok(()),
        },
        Edition::Ff14 => {
            if let Some(card) = known.iter().find(twice) {
                return refuse(card, "a deck is of five different cards");
            }
            if holder == Holder::Npc {
                return Ok(());
            }
            let of_stars =
                |least| known.iter().filter(|card| card.grade >= least).map(|card| card.name.clone()).collect();
            let (five, four): (Vec<String>, Vec<String>) = (of_stars(5), of_stars(4));
            if five.len() > 1 {
                return Err(TriadError::Stars { most: "one card", stars: "five", names: five });
            }
            if four.len() > 2 {
                return Err(TriadError::Stars { most: "two cards", stars: "four or five", names: four });
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(edition: Edition, text: &str) -> String {
        read_hand(Book::built_in(edition), text, Holder::Player).unwrap_err().to_string()
    }

    #[test]
    fn a_hand_that_is_wrong_says_so() {
        for (edition, text, message) in [
            (Edition::Ff8, "Squall,Ifrit,Shiva,Zell", "a hand has five cards; this one has 4"),
            (Edition::Ff8, "Squall,Ifrit,Shiva,Zell,Rinoa,Irvine", "a hand has five cards; this one has 6"),
            (Edition::Ff8, "Squall,Ifrit,,Zell,Rinoa", "card 3 of the hand: a card is missing"),
            (
                Edition::Ff8,
                "Squall,squall,Shiva,Zell,Rinoa",
                "Squall is in the hand twice: there is only one of each rare card",
            ),
            (
                Edition::Ff8,
                "8032,Ifrit,Shiva,Zell,Rinoa",
                "card 1 of the hand: the sides \"8032\", character 2: expected a side from 1 to 9, or A for 10",
            ),
            (
                Edition::Ff8,
                "81132,Ifrit,Shiva,Zell,Rinoa",
                "card 1 of the hand: the sides \"81132\", character 5: expected four sides and no more, each 1 to 9, or A for 10",
            ),
            (
                Edition::Ff8,
                "#110,Ifrit,Shiva,Zell,Rinoa",
                "card 1 of the hand: no card of ff8 has the number #110: they go from #0 to #109",
            ),
            (
                Edition::Ff14,
                "Dodo,dodo,Bomb,Pudding,Coblyn",
                "Dodo is in the hand twice: a deck is of five different cards",
            ),
        ] {
            assert_eq!(refused(edition, text), message);
        }
    }

    #[test]
    fn a_common_card_may_be_held_twice_in_the_older_game() {
        let book = Book::built_in(Edition::Ff8);
        assert!(read_hand(book, "Geezard,Geezard,Shiva,Zell,Rinoa", Holder::Player).is_ok());
    }

    #[test]
    fn stars_are_limited_for_players_and_not_for_opponents() {
        let book = Book::built_in(Edition::Ff14);
        let of = |stars: u8| book.cards().iter().filter(move |card| card.grade == stars).map(HandCard::of);
        let deck = |five, four, rest| -> Vec<HandCard> {
            of(5).take(five).chain(of(4).take(four)).chain(of(1).take(rest)).collect()
        };
        for five in 0..=5usize {
            for four in 0..=5 - five {
                let cards = deck(five, four, 5 - five - four);
                let allowed = five <= 1 && five + four <= 2;
                assert_eq!(check_deck(Edition::Ff14, &cards, Holder::Player).is_ok(), allowed, "{five} and {four}");
                assert_eq!(check_deck(Edition::Ff14, &cards, Holder::Npc), Ok(()));
            }
        }
        let fault = check_deck(Edition::Ff14, &deck(0, 3, 2), Holder::Player).unwrap_err().to_string();
        assert!(fault.starts_with("a deck holds at most two cards of four or five stars; this one holds "), "{fault}");
    }
}
