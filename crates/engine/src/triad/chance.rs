//! Chaos: the card to play is drawn each turn. The exact mean of the cards a player owns at the end, when both players place
//! their cards so as to own as many as possible on average.
//!
//! Expectimax. If the mover's card is drawn, the value of a position is the mean over his hand of the best cell for each
//! card; otherwise it is the best of all moves. Every player ends with at least one card (the last one played, the one
//! never played), so each card not yet looked at contributes between 1 and 9. A mean that cannot reach the window any more
//! within these bounds is not finished (*star1*).
//!
//! Price: 58 million nodes for one first move when both hands are drawn (`bench/LOG.md`).

use super::parallel::in_order;
use super::solve::Lines;
use crate::analysis::{Analysis, Line};
use crate::value::{Certainty, Value};
use ::search::{Control, Meter};
use grid::{CellSet, Game, Player};
use triad::kernel::fast::{Board, Rank, Special};
use triad::{Deal, Move, Position};

/// Means are sums of at most nine fractions. Two means that differ by less than this are equal.
const CLOSE: f64 = 1e-9;

/// Bounds of the number of cards that a player owns at the end.
const LEAST: f64 = 1.0;
const MOST: f64 = 9.0;

/// A mean margin as a value. There is no outcome, because luck decides.
pub(super) fn mean(margin: f64, certainty: Certainty) -> Value {
    Value { outcome: None, score: margin / 10.0, margin: Some(margin), chances: None, certainty }
}

/// The best moves under Chaos: if the mover's card is still to be drawn, the best cells of each card; otherwise the moves
/// with the highest mean.
#[must_use]
pub fn best_of_each_card(deal: &Deal, position: &Position, lines: &[Line<Move>]) -> Vec<Move> {
    let by_card = best_by_card(lines);
    let most = by_card.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let is_drawn_later = is_drawn_later(deal, position);
    let is_best = |line: &&Line<Move>| {
        let wanted = if is_drawn_later { by_card[usize::from(line.mv.card())] } else { most };
        line.value.margin.is_some_and(|margin| wanted - margin < CLOSE)
    };
    lines.iter().filter(is_best).map(|line| line.mv).collect()
}

/// The highest margin of each card.
fn best_by_card(lines: &[Line<Move>]) -> [f64; 10] {
    let mut by_card = [f64::NEG_INFINITY; 10];
    for line in lines {
        let best = &mut by_card[usize::from(line.mv.card())];
        *best = best.max(line.value.margin.unwrap_or(f64::NEG_INFINITY));
    }
    by_card
}

fn is_drawn_later(deal: &Deal, position: &Position) -> bool {
    deal.setup().rules.is_chaotic(deal.turn(position)) && position.drawn().is_none()
}

/// The mean of the position and of every move, on the threads of the control. If the control stops it, the analysis has
/// the moves finished so far.
pub(super) fn analyse(deal: &Deal, position: &Position, lines: Lines, control: &Control<'_>) -> Analysis<Move> {
    if position.free().is_empty() {
        let margin = 2.0 * f64::from(position.score()) - 10.0;
        return Analysis::over(mean(margin * f64::from(deal.turn(position).sign()), Certainty::Proved));
    }
    let legal: Vec<Move> = deal.moves(position).collect();
    let (mut known, mut nodes) = (Vec::new(), 0);
    let work = |(): &mut (), mv: &Move| {
        let next = deal.play_unchecked(position, *mv);
        let mut draws = Draws::new(deal, &next, control.meter());
        let value = draws.value(Turn::new(deal, &next), 0.0, 10.0);
        match draws.meter.stopped_by() {
            None => Ok((10.0 - value, draws.meter.nodes())),
            Some(stop) => Err(stop.into()),
        }
    };
    let stopped = in_order(
        &legal,
        control,
        || (),
        work,
        |(cards, visited)| {
            known.push(Line::new(legal[known.len()], mean(2.0 * cards - 10.0, Certainty::Proved)));
            nodes += visited;
            control.report(known.len() as u64, legal.len() as u64);
            control.report_partial(|| in_sequence(deal, position, known.clone(), false, nodes));
            true
        },
    );
    let mut analysis = in_sequence(deal, position, known, stopped.is_ok(), nodes);
    match lines {
        Lines::All => {}
        Lines::None => analysis.lines.clear(),
        Lines::Optimal => {
            let best = best_of_each_card(deal, position, &analysis.lines);
            analysis.lines.retain(|line| best.contains(&line.mv));
        }
        Lines::Best => analysis.lines.truncate(1),
    }
    if analysis.lines.is_empty() && lines != Lines::None {
        // There must be a move, even if nothing is known of it.
        analysis.lines.extend(legal.first().map(|mv| Line::new(*mv, Value::UNKNOWN)));
    }
    analysis
}

/// The moves sorted by their means, and the mean of the position if all are known.
fn in_sequence(
    deal: &Deal,
    position: &Position,
    mut lines: Vec<Line<Move>>,
    complete: bool,
    nodes: u64,
) -> Analysis<Move> {
    let by_card = best_by_card(&lines);
    let playable = by_card.into_iter().filter(|margin| margin.is_finite());
    let margin = if is_drawn_later(deal, position) {
        playable.clone().sum::<f64>() / playable.count().max(1) as f64
    } else {
        playable.fold(f64::NEG_INFINITY, f64::max)
    };
    // A stable sort: equal moves stay in the order of the rules.
    lines.sort_by(|a, b| b.value.margin.unwrap_or(0.0).total_cmp(&a.value.margin.unwrap_or(0.0)));
    let value = if complete { mean(margin, Certainty::Proved) } else { Value::UNKNOWN };
    let depth = if complete { position.free().len() as u32 } else { 0 };
    Analysis { value, depth, nodes, ..Analysis::of_lines(lines, complete) }
}

/// Everything about a position that changes from turn to turn.
#[derive(Clone, Copy)]
struct Turn {
    mover: Player,
    /// The cards the mover owns.
    mine: u16,
    unlaid: u16,
    free: CellSet,
    level: u8,
}

const ALL: u16 = 0x3ff;

impl Turn {
    /// Ignores a drawn card: only the root can have one, and its moves are searched one by one.
    fn new(deal: &Deal, position: &Position) -> Self {
        let mover = deal.turn(position);
        Self {
            mover,
            mine: if mover == Player::First { position.own() } else { position.own() ^ ALL },
            unlaid: ALL & !position.lying(),
            free: position.free(),
            level: deal.level(position),
        }
    }
}

struct Draws<'a> {
    deal: &'a Deal,
    special: Special,
    board: Board,
    meter: Meter<'a>,
}

impl<'a> Draws<'a> {
    fn new(deal: &'a Deal, position: &Position, meter: Meter<'a>) -> Self {
        Self { deal, special: Special::of(deal), board: Board::new(position), meter }
    }

    /// The mean of the cards the mover owns at the end if it lies within the window, otherwise a bound. Once the meter has
    /// stopped, values mean nothing and every call returns at once.
    fn value(&mut self, turn: Turn, low: f64, high: f64) -> f64 {
        if turn.free.is_empty() {
            return turn.mine.count_ones().into();
        }
        if !self.meter.pay() {
            return high;
        }
        let rules = self.deal.setup().rules;
        let hand = turn.unlaid & if turn.mover == Player::First { 0x1f } else { 0x3e0 };
        let ordered = rules.is_ordered(turn.mover);
        let playable = if ordered { hand & hand.wrapping_neg() } else { hand };
        let cards = (0..10).filter(|card| playable >> card & 1 != 0);
        if !rules.is_chaotic(turn.mover) {
            let mut best = f64::NEG_INFINITY;
            for card in cards {
                best = best.max(self.of_card(turn, card, low.max(best), high));
                if best >= high {
                    break;
                }
            }
            return best;
        }
        let number = f64::from(playable.count_ones());
        let (mut sum, mut rest) = (0.0, number);
        for card in cards {
            rest -= 1.0;
            let (low, high) = (low * number - sum - MOST * rest, high * number - sum - LEAST * rest);
            let value = self.of_card(turn, card, low, high);
            sum += value;
            if value <= low {
                return (sum + MOST * rest) / number;
            }
            if value >= high {
                return (sum + LEAST * rest) / number;
            }
        }
        sum / number
    }

    /// The best cell for one card.
    fn of_card(&mut self, turn: Turn, card: u8, low: f64, high: f64) -> f64 {
        let rank = Rank::new(self.deal, turn.level);
        let mut best = f64::NEG_INFINITY;
        for cell in turn.free {
            let mv = Move::new(card, cell);
            let neighbours = self.board.neighbours(cell);
            let mine = turn.mine | rank.flips(self.special, &self.board, mv, neighbours, ALL ^ turn.mine);
            let next = Turn {
                mover: turn.mover.other(),
                mine: ALL ^ mine,
                unlaid: turn.unlaid & !(1 << card),
                free: turn.free - CellSet::of(cell),
                level: turn.level + self.deal.step(card),
            };
            let value = if next.free.is_empty() {
                f64::from(mine.count_ones())
            } else {
                self.board.lay(mv);
                let value = 10.0 - self.value(next, 10.0 - high, 10.0 - low.max(best));
                self.board.lift(mv);
                value
            };
            best = best.max(value);
            if best >= high {
                break;
            }
        }
        best
    }
}
