//! The best deck of a small collection, from the definitions: every legal deck is made, and every one of its games counts.

/// A question about decks of Final Fantasy XIV. What a card is, the model need not know.
#[derive(Clone, Debug)]
pub struct Decks<Card> {
    /// The collection: different cards, each with its stars.
    pub cards: Vec<(Card, u32)>,
    /// Every hand that the opponent may hold.
    pub hands: Vec<[Card; 5]>,
    /// Whether my cards are played in the order of the deck.
    pub ordered: bool,
    /// Whether each player gives a random card to the other before the game.
    pub swapped: bool,
}

/// One game: my cards, the opponent's cards, and whether I start.
pub type Game<Card> = ([Card; 5], [Card; 5], bool);

impl<Card: Copy> Decks<Card> {
    /// Every legal deck: five cards, at most one of them with five stars, at most two with four or five. If the order
    /// matters, every order of them.
    #[must_use]
    pub fn legal(&self) -> Vec<[Card; 5]> {
        let mut decks = vec![Vec::new()];
        for _ in 0..5 {
            let mut longer = Vec::new();
            for deck in decks {
                for next in 0..self.cards.len() {
                    let is_new = !deck.contains(&next);
                    let is_in_turn = self.ordered || deck.iter().all(|before| *before < next);
                    if is_new && is_in_turn {
                        longer.push([deck.clone(), vec![next]].concat());
                    }
                }
            }
            decks = longer;
        }
        let with_stars = |deck: &[usize], least: u32| deck.iter().filter(|card| self.cards[**card].1 >= least).count();
        decks.retain(|deck| with_stars(deck, 5) <= 1 && with_stars(deck, 4) <= 2);
        decks.into_iter().map(|deck| std::array::from_fn(|place| self.cards[deck[place]].0)).collect()
    }

    /// The games of a deck: every hand, every exchange, both starts.
    #[must_use]
    pub fn games(&self, deck: [Card; 5]) -> Vec<Game<Card>> {
        let mut games = Vec::new();
        for hand in &self.hands {
            for i_start in [true, false] {
                if !self.swapped {
                    games.push((deck, *hand, i_start));
                    continue;
                }
                for mine in 0..5 {
                    for theirs in 0..5 {
                        let (mut deck, mut hand) = (deck, *hand);
                        (deck[mine], hand[theirs]) = (hand[theirs], deck[mine]);
                        games.push((deck, hand, i_start));
                    }
                }
            }
        }
        games
    }

    /// The most half-points of any deck: two for a win and one for a draw. `result` tells what I get in a game. A deck is
    /// left as soon as its other games cannot make it better than the best before it.
    pub fn best(&self, mut result: impl FnMut(&Game<Card>) -> u32) -> Option<u32> {
        let mut best = None;
        for deck in self.legal() {
            let games = self.games(deck);
            let mut points = 2 * games.len() as u32;
            for game in &games {
                points -= 2 - result(game);
                if best.is_some_and(|best| points <= best) {
                    break;
                }
            }
            best = best.max(Some(points));
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The strength of a card is its number, and the stronger hand wins.
    #[test]
    fn decks_of_numbers() {
        let cards = [(9, 5), (8, 5), (7, 4), (6, 4), (3, 3), (2, 1), (1, 1)].to_vec();
        let mut decks = Decks { cards, hands: vec![[5, 5, 4, 3, 3]], ordered: false, swapped: false };
        // The three low cards, and two of the four others, but not both of five stars.
        assert_eq!(decks.legal().len(), 5);
        let strength = |hand: &[i32; 5]| hand.iter().sum::<i32>();
        let result = |(mine, theirs, i_start): &Game<i32>| {
            let margin = strength(mine) + i32::from(*i_start) - strength(theirs);
            if margin > 1 { 2 } else { u32::from(margin == 1) }
        };
        // 9 + 7 + 3 + 2 + 1 = 22 against 20: I win both games.
        assert_eq!(decks.best(result), Some(4));
        // 22 against 21: I win if I start, and draw otherwise.
        decks.hands = vec![[5, 5, 4, 4, 3]];
        assert_eq!(decks.best(result), Some(3));
        (decks.ordered, decks.swapped) = (true, true);
        assert_eq!((decks.legal().len(), decks.games([1, 2, 3, 4, 5]).len()), (5 * 120, 50));
        decks.cards.truncate(4);
        assert_eq!(decks.best(result), None);
    }
}
