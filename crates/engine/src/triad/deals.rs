//! What happens before the first card: hands by chance.

use super::catalogue::Catalogue;
use grid::Rng;
use triad::HAND;

/// Two hands of different cards by name, for a seed; in ff14 within the limits of decks by stars.
#[must_use]
pub fn deal_random(catalogue: &Catalogue, seed: u64) -> [Vec<String>; 2] {
    let mut rng = Rng::new(seed);
    let limited = catalogue.edition() == triad::Edition::Ff14;
    let mut dealt: Vec<u32> = Vec::new();
    [(); 2].map(|()| {
        let mut hand = Vec::new();
        let (mut fives, mut fours) = (0, 0);
        // A catalogue of a user's own may be too small for two hands; then the hand stays short and is refused later.
        for _ in 0..10_000 {
            let Some(card) = rng.pick(catalogue.cards().iter()) else { return hand };
            if hand.len() == HAND {
                break;
            }
            let (five, four) = (i32::from(card.level >= 5), i32::from(card.level >= 4));
            let allowed = !limited || fives + five <= 1 && fours + four <= 2;
            if allowed && !dealt.contains(&card.id) {
                (fives, fours) = (fives + five, fours + four);
                dealt.push(card.id);
                hand.push(card.name.clone());
            }
        }
        hand
    })
}
