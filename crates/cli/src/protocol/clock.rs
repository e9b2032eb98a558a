//! Time management: how much of the clock a move may use.

use api::GameName;

/// Time lost between two programs per move, unless an option says otherwise, in milliseconds.
pub(crate) const OVERHEAD_MS: u32 = 5;

/// Rough number of moves that the mover still has to make, after `ply` moves of both.
pub(crate) fn moves_left(game: GameName, ply: u32) -> u32 {
    match game {
        // Games between engines take 40 to 60 moves; the last ones are solved at once.
        GameName::Uttt => (60_u32.saturating_sub(ply) / 2).max(6),
        GameName::Triad => (10_u32.saturating_sub(ply) / 2).max(1),
        // Captures free cells again, so the number of dice says little.
        GameName::Cephalopods => 12,
    }
}

/// An even share of the time left plus most of the increment, at most two thirds of the time left. `overhead` is lost
/// between two programs per move. All times are in milliseconds.
pub(crate) fn share(left: i64, increment: i64, moves_left: u32, overhead: u32) -> u64 {
    let left = left.saturating_sub(overhead.into()).max(1);
    let share = (left / i64::from(moves_left.max(1))).saturating_add(increment.clamp(0, left) / 4 * 3);
    share.clamp(1, (left / 3 * 2).max(1)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_leaves_enough_for_the_rest() {
        assert_eq!(share(60_005, 0, 30, 5), 2000);
        assert_eq!(share(60_005, 1000, 30, 5), 2750);
        assert_eq!(share(0, 0, 30, 5), 1);
        assert_eq!(share(-500, 0, 30, 5), 1);
        assert_eq!(share(100, 5000, 30, 15), 56, "an increment that is not there yet cannot be spent");
        assert_eq!(share(i64::MAX, i64::MAX, 1, 15), (i64::MAX - 15) as u64 / 3 * 2);
        assert_eq!(share(i64::MIN, i64::MIN, 0, u32::MAX), 1);
    }

    #[test]
    fn a_whole_game_fits_into_its_clock() {
        for (game, turns) in [(GameName::Uttt, 41), (GameName::Triad, 5), (GameName::Cephalopods, 20)] {
            for increment in [0, 100] {
                let mut left = 10_000;
                for turn in 0..turns {
                    left -= share(left, increment, moves_left(game, 2 * turn), OVERHEAD_MS) as i64;
                    assert!(left > 0, "{game:?} ran out at move {turn}");
                    left += increment;
                }
            }
        }
    }
}
