//! What a move or a position is worth, for people: won, drawn or lost where it is proved, a number where it is judged.

use engine::desk::{Analysis, Line, Outcome};
use ratatui::style::{Color, Style};

/// A value, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Worth {
    outcome: Option<Outcome>,
    exact: bool,
    score: f64,
    margin: Option<f64>,
}

/// How a result is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tense {
    /// Of a side: wins, draws, loses.
    Side,
    /// Of a move: won, drawn, lost.
    Move,
}

impl From<&Line> for Worth {
    fn from(line: &Line) -> Self {
        Self { outcome: line.outcome, exact: line.exact, score: line.score, margin: line.margin }
    }
}

impl From<&Analysis> for Worth {
    fn from(found: &Analysis) -> Self {
        Self { outcome: found.outcome, exact: found.exact, score: found.score, margin: found.margin }
    }
}

impl Worth {
    /// Three characters or four: `W`, `D`, `L` if proved (with the margin in cards), else from -99 to +99.
    pub(crate) fn short(&self) -> String {
        let letter = self.outcome.map(|outcome| ["L", "D", "W"][outcome as usize]);
        match (letter, self.margin) {
            (Some(letter), Some(margin)) if margin != 0.0 => format!("{letter}{margin:+.0}"),
            (Some(letter), _) => letter.to_owned(),
            (None, Some(margin)) => format!("{margin:+.1}"),
            (None, None) => format!("{:+.0}", (self.score * 99.0).clamp(-99.0, 99.0)),
        }
    }

    /// As in `wins by 4, exact` or `+0.12, estimated`.
    pub(crate) fn words(&self, tense: Tense) -> String {
        let sure = if self.exact { "exact" } else { "estimated" };
        let words = match tense {
            Tense::Side => ["loses", "draws", "wins"],
            Tense::Move => ["lost", "drawn", "won"],
        };
        match (self.outcome, self.margin) {
            (Some(outcome), Some(margin)) if margin != 0.0 => {
                format!("{} by {}, {sure}", words[outcome as usize], margin.abs())
            }
            (Some(outcome), _) => format!("{}, {sure}", words[outcome as usize]),
            (None, Some(margin)) => format!("{margin:+.2} cards on average, {sure}"),
            (None, None) => format!("{:+.2}, {sure}", self.score),
        }
    }

    /// Better than another, by the margin where there is one.
    pub(crate) fn is_above(&self, other: &Self) -> bool {
        let key = |worth: &Self| worth.margin.unwrap_or(worth.score);
        key(self) > key(other)
    }

    pub(super) fn style(&self) -> Style {
        let sign = self.outcome.map_or(self.score, Outcome::score);
        Style::new().fg(match sign {
            sign if sign > 0.1 => Color::Green,
            sign if sign < -0.1 => Color::LightRed,
            _ => Color::Yellow,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_proved_is_a_letter_and_what_is_judged_a_number() {
        let worth = |outcome, exact, score, margin| Worth { outcome, exact, score, margin };
        let won = worth(Some(Outcome::Win), true, 1.0, None);
        assert_eq!((won.short().as_str(), won.words(Tense::Side).as_str()), ("W", "wins, exact"));
        let judged = worth(None, false, -0.125, None);
        assert_eq!((judged.short().as_str(), judged.words(Tense::Move).as_str()), ("-12", "-0.12, estimated"));
        let cards = worth(Some(Outcome::Loss), true, -1.0, Some(-4.0));
        assert_eq!((cards.short().as_str(), cards.words(Tense::Move).as_str()), ("L-4", "lost by 4, exact"));
        let mean = worth(None, true, 0.2, Some(2.0));
        assert_eq!(
            (mean.short().as_str(), mean.words(Tense::Side).as_str()),
            ("+2.0", "+2.00 cards on average, exact")
        );
        assert!(won.is_above(&judged) && !cards.is_above(&mean));
    }
}
