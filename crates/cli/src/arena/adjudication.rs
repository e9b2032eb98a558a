//! Rules that end a game by the scores that the players report: resigning, and agreeing to a draw.
//!
//! A score is the `score cp` of the engine protocol: an integer from -1000 (lost) to 1000 (won) for the side to move.
//! A move without a score interrupts every count. CodinGame bots and built-in players below full strength report none.

use super::record::Reason;

/// The end of the scale.
const MOST: f64 = 1000.0;

/// A player loses after this number of its moves in a row with a score of at most `-score`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Resign {
    moves: u32,
    score: i32,
}

/// A game is drawn after this number of moves in a row by each player with a score from `-score` to `score`, but not
/// before `after` moves of the whole game, including the opening.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Draw {
    moves: u32,
    score: i32,
    after: u32,
}

fn count(value: Option<f64>, name: &str, least: f64) -> Result<u32, String> {
    let value = value.filter(|value| value.fract() == 0.0 && (least..=1000.0).contains(value));
    value.map(|value| value as u32).ok_or_else(|| format!("expected {name}=NUMBER, a number from {least} to 1000"))
}

fn score(value: Option<f64>, least: f64) -> Result<i32, String> {
    let value = value.filter(|value| value.fract() == 0.0 && (least..=MOST).contains(value));
    value.map(|value| value as i32).ok_or_else(|| format!("expected score=NUMBER, a number from {least} to {MOST}"))
}

/// Reads `moves=3,score=900`.
pub(super) fn resign(text: &str) -> Result<Resign, String> {
    let [moves, limit] = super::spec::numbers(text, ["moves", "score"])?;
    Ok(Resign { moves: count(moves, "moves", 1.0)?, score: score(limit, 1.0)? })
}

/// Reads `moves=8,score=20,after=40`.
pub(super) fn draw(text: &str) -> Result<Draw, String> {
    let [moves, limit, after] = super::spec::numbers(text, ["moves", "score", "after"])?;
    Ok(Draw { moves: count(moves, "moves", 1.0)?, score: score(limit, 0.0)?, after: count(after, "after", 0.0)? })
}

/// The rules of a match.
#[derive(Clone, Copy, Default)]
pub(super) struct Rules {
    pub(super) resign: Option<Resign>,
    pub(super) draw: Option<Draw>,
}

impl Rules {
    /// The rules as part of the terms of a record.
    pub(super) fn text(self) -> String {
        let resign = self.resign.map(|Resign { moves, score }| format!(" resign moves={moves},score={score}"));
        let draw =
            self.draw.map(|Draw { moves, score, after }| format!(" draw moves={moves},score={score},after={after}"));
        resign.unwrap_or_default() + &draw.unwrap_or_default()
    }

    /// Starts to count for a game.
    pub(super) fn watch(self) -> Watch {
        Watch { rules: self, losing: [0; 2], even: [0; 2] }
    }
}

/// Counts the scores of one game.
pub(super) struct Watch {
    rules: Rules,
    losing: [u32; 2],
    even: [u32; 2],
}

impl Watch {
    /// Counts a move by player 0 or 1, after which `ply` moves are made. Returns the result for the first player if a
    /// rule ends the game.
    pub(super) fn see(&mut self, mover: usize, score: Option<i32>, ply: u32) -> Option<(i32, Reason)> {
        if let Some(rule) = self.rules.resign {
            let loses = score.is_some_and(|score| score <= -rule.score);
            self.losing[mover] = if loses { self.losing[mover] + 1 } else { 0 };
            if self.losing[mover] >= rule.moves {
                return Some((if mover == 0 { -1 } else { 1 }, Reason::Resign));
            }
        }
        if let Some(rule) = self.rules.draw {
            if score.is_some_and(|score| score.abs() <= rule.score) {
                self.even[mover] += 1;
            } else {
                self.even = [0; 2];
            }
            if ply >= rule.after && self.even.iter().all(|moves| *moves >= rule.moves) {
                return Some((0, Reason::Agreed));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_resigns_after_enough_lost_moves_in_a_row() {
        let rules = Rules { resign: Some(resign("score=900,moves=2").unwrap()), draw: None };
        let mut watch = rules.watch();
        assert_eq!(watch.see(1, Some(-950), 1), None);
        assert_eq!(watch.see(0, Some(-950), 2), None, "each player has its own count");
        assert_eq!(watch.see(1, Some(-899), 3), None);
        assert_eq!(watch.see(1, Some(-900), 5), None);
        assert_eq!(watch.see(1, None, 7), None, "a move without a score interrupts");
        assert_eq!(watch.see(1, Some(-1000), 9), None);
        assert_eq!(watch.see(1, Some(-1000), 11), Some((1, Reason::Resign)));
        assert_eq!(rules.text(), " resign moves=2,score=900");
        assert_eq!(Rules::default().watch().see(0, Some(-1000), 80), None, "off by default");
    }

    #[test]
    fn a_game_is_drawn_when_both_scores_stay_even() {
        let rules = Rules { resign: None, draw: Some(draw("moves=2,score=10,after=6").unwrap()) };
        let mut watch = rules.watch();
        for ply in 1..6 {
            assert_eq!(watch.see(ply as usize % 2, Some(if ply % 2 == 0 { 10 } else { -10 }), ply), None);
        }
        assert_eq!(watch.see(0, Some(0), 6), Some((0, Reason::Agreed)));
        let mut watch = rules.watch();
        for (ply, score) in [(11, 0), (12, 0), (13, 0), (14, 11), (15, 0), (16, 0), (17, 0)] {
            assert_eq!(watch.see(ply as usize % 2, Some(score), ply), None, "{ply}");
        }
        assert_eq!(watch.see(0, Some(-3), 18), Some((0, Reason::Agreed)));
        assert_eq!(rules.text(), " draw moves=2,score=10,after=6");
    }

    #[test]
    fn rules_that_make_no_sense_are_refused() {
        for wrong in
            ["", "moves=3", "score=3", "moves=0,score=9", "moves=1,score=0", "moves=1.5,score=9", "moves=1,score=1001"]
        {
            assert!(resign(wrong).is_err(), "{wrong}");
        }
        for wrong in
            ["moves=3,score=5", "moves=3,score=-1,after=0", "moves=3,score=5,after=-1", "moves=3,score=5,until=1"]
        {
            assert!(draw(wrong).is_err(), "{wrong}");
        }
    }
}
