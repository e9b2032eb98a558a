//! What the engine prints: moves in the chosen style, `info` lines, the board.

use crate::draw;
use api::{Analysis, BoardView, Certainty, Die, GameName, Line, Outcome, View};
use std::fmt::Write;

/// How moves of Ultimate Tic-Tac-Toe are written. Both styles can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// File and rank of the whole board (`e5`), like other public engines of this protocol.
    Algebraic,
    /// Letters of board and square (`ee`).
    Letters,
}

impl Style {
    pub(super) const NAMED: [(&'static str, Self); 2] = [("algebraic", Self::Algebraic), ("letters", Self::Letters)];

    /// Writes a move of `api` in this style.
    pub(crate) fn write(self, game: GameName, mv: &str) -> String {
        self.line(game, &[mv.to_owned()])
    }

    fn line(self, game: GameName, moves: &[String]) -> String {
        if (self, game) == (Self::Algebraic, GameName::Uttt) { draw::algebraic(moves) } else { moves.join(" ") }
    }
}

/// An estimate from fewer playouts is not shown: the mean of one is a win, a draw or a loss, and tells nothing.
const LEAST_VISITS: u64 = 8;

/// `cp` and an integer from -1000 (lost) to 1000 (won), then a word if the value is certain; nothing if the value rests on
/// too few playouts. A space follows.
fn score(line: &Line) -> String {
    if let (None, Certainty::Estimated { visits, .. }) = (line.outcome, line.certainty)
        && visits < LEAST_VISITS
    {
        return String::new();
    }
    let certain = match (line.outcome, line.certainty.is_certain()) {
        (Some(Outcome::Win), _) => " win",
        (Some(Outcome::Draw), _) => " draw",
        (Some(Outcome::Loss), _) => " loss",
        (None, true) => " exact",
        (None, false) => "",
    };
    // Adding zero turns -0 into 0.
    let margin = line.margin.map_or_else(String::new, |margin| format!(" margin {}", margin + 0.0));
    format!("score cp {:.0}{certain}{margin} ", (line.score * 1000.0).clamp(-1000.0, 1000.0).round() + 0.0)
}

/// One `info` line per best move, at most `most`; a line without a move if none is known yet.
pub(super) fn info(analysis: &Analysis, game: GameName, most: usize, style: Style) -> Vec<String> {
    let rate = if analysis.seconds > 0.0 { analysis.nodes as f64 / analysis.seconds } else { 0.0 };
    let cost = format!("nodes {} nps {rate:.0} time {:.0}", analysis.nodes, analysis.seconds * 1000.0);
    if analysis.lines.is_empty() {
        return vec![format!("info {cost}")];
    }
    let info_line = |(number, line): (usize, &Line)| {
        let multipv = if most > 1 { format!(" multipv {}", number + 1) } else { String::new() };
        let depth = analysis.depth.max(line.line.len() as u32);
        format!("info depth {depth}{multipv} {}{cost} pv {}", score(line), style.line(game, &line.line))
    };
    analysis.lines.iter().take(most).enumerate().map(info_line).collect()
}

/// An `info string` message: one line of limited length, without line breaks.
pub(super) fn message(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let shown: String = line.chars().map(|c| if c.is_control() { '?' } else { c }).take(300).collect();
    format!("info string {shown}")
}

/// The answer to `d`.
pub(super) fn board(view: &View, style: Style) -> String {
    let mut text = String::new();
    let game = match &view.board {
        BoardView::Uttt { squares, boards, .. } => {
            for (row, squares) in squares.as_bytes().chunks(9).enumerate() {
                let _ = write!(text, "{} ", 9 - row);
                for (column, square) in squares.iter().enumerate() {
                    let gap = if column % 3 == 0 { " " } else { "" };
                    let _ = write!(text, "{gap}{}", char::from(*square));
                }
                let _ = if row % 3 == 1 { writeln!(text, "   {}", &boards[row - 1..row + 2]) } else { writeln!(text) };
                text.push_str(if row % 3 == 2 { "\n" } else { "" });
            }
            text.push_str("   abc def ghi\n");
            GameName::Uttt
        }
        BoardView::Cephalopods { columns, dice, .. } => {
            for row in dice.chunks(*columns) {
                let symbol = |die: &Option<Die>| match die {
                    None => '.',
                    Some(die) if die.owner == 1 => char::from(b'0' + die.pips),
                    Some(die) => char::from(b'a' + die.pips - 1),
                };
                let _ = writeln!(text, "{}", row.iter().map(symbol).collect::<String>());
            }
            GameName::Cephalopods
        }
        BoardView::Triad { cells, cards, .. } => {
            for row in cells.chunks(3) {
                let card = |cell: &Option<u8>| match cell {
                    None => "-".to_owned(),
                    Some(card) => {
                        let card_view = &cards[usize::from(*card)];
                        format!("{card}{}:{}", [' ', 'a', 'b'][card_view.owner as usize], card_view.name)
                    }
                };
                let _ = writeln!(text, "{}", row.iter().map(card).collect::<Vec<_>>().join(" | "));
            }
            for (number, card) in cards.iter().enumerate().filter(|(_, card)| !card.laid) {
                let _ = writeln!(text, "{number} {}: {}", ["", "a", "b"][card.owner as usize], card.name);
            }
            GameName::Triad
        }
    };
    let moves: Vec<String> = view.moves.iter().map(|mv| style.write(game, &mv.mv)).collect();
    let _ = writeln!(text, "position {}", view.position);
    if let Some(fen) = &view.fen {
        let _ = writeln!(text, "fen {fen}");
    }
    let _ = write!(text, "moves {}\n{}", moves.join(" "), view.status);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_as_wanted() {
        assert_eq!(Style::Algebraic.write(GameName::Uttt, "ee"), "e5");
        assert_eq!(Style::Algebraic.write(GameName::Uttt, "aa"), "a9");
        assert_eq!(Style::Letters.write(GameName::Uttt, "ee"), "ee");
        assert_eq!(Style::Algebraic.write(GameName::Cephalopods, "4x13"), "4x13");
        assert_eq!(Style::Algebraic.write(GameName::Triad, "3@4"), "3@4");
    }

    fn line(score: f64, outcome: Option<Outcome>, certainty: &str) -> Line {
        let outcome = serde_json::to_string(&outcome).unwrap();
        let text = format!(
            r#"{{"move":"ee","label":"ee","outcome":{outcome},"score":{score:?},"margin":null,"chances":null,"certainty":{certainty},"line":["ee"]}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn scores_say_what_is_certain() {
        let (estimated, proved) = (r#"{"kind":"estimated","visits":9,"error":0.3}"#, r#"{"kind":"proved"}"#);
        let with_margin = |margin: f64, mut line: Line| {
            line.margin = Some(margin);
            line
        };
        assert_eq!(score(&line(0.1234, None, estimated)), "score cp 123 ");
        assert_eq!(score(&line(-0.0001, None, estimated)), "score cp 0 ");
        assert_eq!(score(&line(1.0, Some(Outcome::Win), proved)), "score cp 1000 win ");
        assert_eq!(score(&line(0.0, Some(Outcome::Draw), proved)), "score cp 0 draw ");
        let lost = with_margin(-4.0, line(-1.0, Some(Outcome::Loss), proved));
        assert_eq!(score(&lost), "score cp -1000 loss margin -4 ");
        assert_eq!(score(&with_margin(-0.0, line(0.0, None, estimated))), "score cp 0 margin 0 ");
        assert_eq!(
            score(&line(1.0, None, r#"{"kind":"estimated","visits":7,"error":0.4}"#)),
            "",
            "seven lucky playouts"
        );
        assert_eq!(score(&line(0.25, None, proved)), "score cp 250 exact ");
    }

    #[test]
    fn a_message_is_one_harmless_line() {
        assert_eq!(message("bad\r\nbestmove e5"), "info string bad");
        assert_eq!(message("bad\u{0}\u{7}"), "info string bad??");
        assert!(message(&"x".repeat(5000)).len() < 400);
    }
}
