//! Chaos: the card to play is drawn each turn. Exact expectation of the cards A owns at the end, both players placing
//! their cards so as to own as many as possible on average.
//!
//! Every game is played to its end, without cuts: with seven empty cells that is a moment, with all nine it is minutes.

use grid::{Game, Player};
use triad::{Deal, Position};

/// The mean of the cards A owns at the end.
#[must_use]
pub fn expected(deal: &Deal, position: &Position) -> f64 {
    let free = position.free();
    if free.is_empty() {
        return f64::from(position.score());
    }
    let mover = deal.turn(position);
    let better = if mover == Player::First { f64::max } else { f64::min };
    let worst = if mover == Player::First { f64::NEG_INFINITY } else { f64::INFINITY };
    // The best cell for each card that may be played.
    let mut by_card = [worst; 10];
    for mv in deal.moves(position) {
        let value = expected(deal, &deal.play_unchecked(position, mv));
        let best = &mut by_card[usize::from(mv.card())];
        *best = better(*best, value);
    }
    let playable = by_card.into_iter().filter(|value| value.is_finite());
    if deal.setup().rules.is_chaotic(mover) && position.drawn().is_none() {
        let (sum, number) = playable.fold((0.0, 0.0), |(sum, number), value| (sum + value, number + 1.0));
        sum / number
    } else {
        playable.fold(worst, better)
    }
}
