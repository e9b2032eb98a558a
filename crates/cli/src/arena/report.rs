//! The text of a match for people: a line per game, the running score, the result.

use super::elo::Elo;
use super::player::Pace;
use super::record::{Reason, Record};
use super::sprt::{Hypothesis, SprtState};
use super::tally::{Forfeits, Summary};
use crate::count::count;
use std::fmt::Write;

/// A game in one line.
pub(super) fn game(record: &Record) -> String {
    let (winner, loser) = match record.points {
        1.0 => ("A won", 'B'),
        0.5 => ("drawn", '-'),
        _ => ("B won", 'A'),
    };
    let detail = &record.detail;
    let reason = match record.reason {
        Reason::Board => String::new(),
        Reason::Proved => ", proved".to_owned(),
        Reason::Time => format!(": {loser} exceeded its time"),
        Reason::Illegal => format!(": {loser} made the illegal move {detail}"),
        Reason::Crash => format!(": the program of {loser} failed: {detail}"),
        Reason::Resign => format!(": {loser} resigned"),
        Reason::Agreed => ", both scores even".to_owned(),
    };
    let first = record.first.to_ascii_uppercase();
    let moves = count(record.moves.len() as u64, "move", "moves");
    format!("game {}: {first} first, {moves}, {winner}{reason}", record.game)
}

impl std::fmt::Display for Pace {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Move(time) => write!(out, "{time:?} per move"),
            Self::Clock(base, increment) => write!(out, "{base:?}+{increment:?} per game"),
            Self::Nodes(nodes) => write!(out, "{} per move", count(*nodes, "node", "nodes")),
        }
    }
}

/// The difference and its interval.
fn elo(elo: &Elo) -> String {
    if elo.los.is_none() {
        return "Elo: unknown until both games of a pair are played".to_owned();
    }
    let number = |value: Option<f64>, open: &str| value.map_or_else(|| open.to_owned(), |value| format!("{value:+.1}"));
    let infinite = if elo.elo_high.is_none() { "+inf" } else { "-inf" };
    let (low, high) = (number(elo.elo_low, "-inf"), number(elo.elo_high, "+inf"));
    format!("Elo: {} (95 %: {low} to {high})", number(elo.elo, infinite))
}

/// A probability in percent. Nothing is rounded to 0 or 100: no match proves that.
fn percent(share: f64) -> String {
    match share {
        0.9995.. => "above 99.9 %".to_owned(),
        0.0005.. => format!("{:.1} %", 100.0 * share),
        _ => "below 0.1 %".to_owned(),
    }
}

/// The running score in one line.
pub(super) fn score(summary: &Summary<'_>) -> String {
    let Summary { games, wins, draws, losses, score, .. } = summary;
    let games = count(*games, "game", "games");
    let mut text = format!("score after {games}: +{wins} ={draws} -{losses} ({:.1} %)", 100.0 * score);
    if summary.elo.los.is_some() {
        let _ = write!(text, ", {}", elo(&summary.elo));
    }
    if let Some(SprtState { llr, lower, upper, .. }) = summary.sprt {
        let _ = write!(text, ", LLR: {llr:.2} ({lower:.2}, {upper:.2})");
    }
    text
}

fn forfeits(forfeits: Forfeits) -> String {
    let named = [(forfeits.time, "on time"), (forfeits.illegal, "by an illegal move"), (forfeits.crash, "by a crash")];
    let parts: Vec<String> =
        named.into_iter().filter(|(count, _)| *count > 0).map(|(count, how)| format!("{count} {how}")).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

fn sprt(state: &SprtState) -> String {
    let SprtState { elo0, elo1, llr, lower, upper, accepted } = state;
    let verdict = match accepted {
        Some(Hypothesis::H0) => format!("H0 accepted: {elo0} Elo is more likely than {elo1}"),
        Some(Hypothesis::H1) => format!("H1 accepted: {elo1} Elo is more likely than {elo0}"),
        None => "not decided; more games are needed".to_owned(),
    };
    format!("SPRT: LLR: {llr:.2} ({lower:.2}, {upper:.2}) [{elo0}, {elo1}], {verdict}")
}

/// The result of the match.
pub(super) fn summary(summary: &Summary<'_>, game: &str, pace: Pace) -> String {
    let Summary { a, b, games, wins, draws, losses, .. } = summary;
    let points = *wins as f64 + *draws as f64 / 2.0;
    let los = summary.elo.los.map_or_else(String::new, |los| format!(", LOS: {}", percent(los)));
    let mut text = format!(
        "A  {a}\nB  {b}\n{game}, {pace}\n\
         Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points} ({:.1} %)\n\
         {}{los}, DrawRatio: {:.1} %\n\
         Ptnml(0-2): {:?}\n\
         Forfeits: A {}; B {}",
        100.0 * summary.score,
        elo(&summary.elo),
        100.0 * summary.draw_ratio,
        summary.pairs,
        forfeits(summary.forfeits.a),
        forfeits(summary.forfeits.b),
    );
    if let Some(state) = &summary.sprt {
        text += "\n";
        text += &sprt(state);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_probability_is_rounded_to_certainty() {
        assert_eq!(percent(1.0), "above 99.9 %");
        assert_eq!(percent(0.999_4), "99.9 %");
        assert_eq!(percent(0.0), "below 0.1 %");
        assert_eq!(percent(0.5), "50.0 %");
    }

    #[test]
    fn an_open_interval_says_so() {
        use super::super::elo::Pairs;
        assert!(elo(&Pairs([0, 0, 0, 0, 2]).elo()).starts_with("Elo: +inf (95 %: -"));
        assert!(elo(&Pairs([0, 0, 0, 0, 2]).elo()).ends_with(" to +inf)"));
        assert!(elo(&Pairs([2, 0, 0, 0, 0]).elo()).starts_with("Elo: -inf (95 %: -inf to +"));
        assert!(elo(&Pairs::default().elo()).contains("unknown"));
    }
}
