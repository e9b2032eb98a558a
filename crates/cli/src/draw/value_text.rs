//! A value as text for people: won, drawn or lost if it is certain, a number if it is estimated.

use api::{Analysis, Certainty, Line, Outcome, Value};
use ratatui::style::{Color, Style};
use std::cmp::Ordering;

/// A value for people, from the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ValueText(Value);

/// The wording of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tense {
    /// For a player: wins, draws, loses.
    Side,
    /// For a move: won, drawn, lost.
    Move,
    /// For several moves: win, draw, lose.
    Moves,
}

impl From<&Line> for ValueText {
    fn from(line: &Line) -> Self {
        Self(line.value())
    }
}

impl From<&Analysis> for ValueText {
    fn from(found: &Analysis) -> Self {
        Self(found.value())
    }
}

impl ValueText {
    /// Three or four characters: `W`, `D` or `L` if certain (with the margin in cards), the chance to win where luck decides,
    /// otherwise the points.
    pub(crate) fn short(&self) -> String {
        let letter = self.0.outcome.map(|outcome| ["L", "D", "W"][outcome as usize]);
        if let (None, Some(chances)) = (letter, self.0.chances) {
            return format!("{}%", percent(chances.win));
        }
        match (letter, self.0.margin) {
            (Some(letter), Some(margin)) if margin != 0.0 => format!("{letter}{margin:+.0}"),
            (Some(letter), _) => letter.to_owned(),
            (None, Some(margin)) => format!("{margin:+.1}"),
            (None, None) => self.points(),
        }
    }

    /// The score in points from -99 to +99, as the page shows it. Only a certain result would be 100.
    fn points(&self) -> String {
        let points = (self.0.score * 100.0).round().clamp(-99.0, 99.0) as i32;
        if points == 0 { "0".to_owned() } else { format!("{points:+}") }
    }

    /// A full phrase, such as `wins by 4, exact` or `+12, estimated`.
    pub(crate) fn words(&self, tense: Tense) -> String {
        // A proof that rests on a hash is not called exact.
        let sure = match self.0.certainty {
            Certainty::Proved | Certainty::Certified => "exact",
            Certainty::Hashed { .. } => "solved",
            Certainty::Estimated { .. } => "estimated",
        };
        let words = match tense {
            Tense::Side => ["loses", "draws", "wins"],
            Tense::Move => ["lost", "drawn", "won"],
            Tense::Moves => ["lose", "draw", "win"],
        };
        if let (None, Some(chances)) = (self.0.outcome, self.0.chances) {
            return format!(
                "{} {} %, {} {} %, {sure}",
                words[2],
                percent(chances.win),
                words[1],
                percent(chances.draw)
            );
        }
        match (self.0.outcome, self.0.margin) {
            (Some(outcome), Some(margin)) if margin != 0.0 => {
                format!("{} by {}, {sure}", words[outcome as usize], margin.abs())
            }
            (Some(outcome), _) => format!("{}, {sure}", words[outcome as usize]),
            (None, Some(margin)) => format!("{margin:+.1} cards on average, {sure}"),
            (None, None) => format!("{}, {sure}", self.points()),
        }
    }

    /// Compares two values, by the margin if there is one.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let key = |value: &Self| value.0.margin.unwrap_or(value.0.score);
        key(self).total_cmp(&key(other))
    }

    pub(super) fn style(&self) -> Style {
        let sign = self.0.outcome.map_or(self.0.score, Outcome::score);
        Style::new().fg(match sign {
            sign if sign > 0.1 => Color::Green,
            sign if sign < -0.1 => Color::LightRed,
            _ => Color::Yellow,
        })
    }
}

/// A chance in percent. Only a certain result would be 0 or 100.
fn percent(chance: f64) -> u32 {
    if chance == 0.0 { 0 } else { (chance * 100.0).round().clamp(1.0, 99.0) as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use api::Chances;

    #[test]
    fn what_is_proved_is_a_letter_and_what_is_judged_a_number() {
        let value =
            |outcome, certainty, score, margin| ValueText(Value { outcome, score, margin, chances: None, certainty });
        let (proved, estimated) = (Certainty::Proved, Certainty::Estimated { visits: 9, error: 0.3 });
        let won = value(Some(Outcome::Win), proved, 1.0, None);
        assert_eq!((won.short().as_str(), won.words(Tense::Side).as_str()), ("W", "wins, exact"));
        let judged = value(None, estimated, -0.125, None);
        assert_eq!((judged.short().as_str(), judged.words(Tense::Move).as_str()), ("-13", "-13, estimated"));
        let sure = value(None, estimated, 0.9999, None);
        assert_eq!((sure.short().as_str(), sure.words(Tense::Move).as_str()), ("+99", "+99, estimated"));
        let even = value(None, estimated, -0.001, None);
        assert_eq!((even.short().as_str(), even.words(Tense::Side).as_str()), ("0", "0, estimated"));
        let cards = value(Some(Outcome::Loss), proved, -1.0, Some(-4.0));
        assert_eq!((cards.short().as_str(), cards.words(Tense::Move).as_str()), ("L-4", "lost by 4, exact"));
        let mean = value(None, estimated, 0.2, Some(2.0));
        assert_eq!(
            (mean.short().as_str(), mean.words(Tense::Side).as_str()),
            ("+2.0", "+2.0 cards on average, estimated")
        );
        let mut luck = value(None, proved, 0.3, None);
        luck.0.chances = Some(Chances { win: 0.6, draw: 0.1, loss: 0.3 });
        assert_eq!((luck.short().as_str(), luck.words(Tense::Side).as_str()), ("60%", "wins 60 %, draws 10 %, exact"));
        assert_eq!((won.order(&judged), cards.order(&mean)), (Ordering::Greater, Ordering::Less));
    }
}
