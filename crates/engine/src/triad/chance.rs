//! Chaos: the card to play is drawn each turn. The exact chances of the results when both players place their cards best.
//!
//! Best are the most points (a win 1, a draw 1/2); of equal points, the most wins. Owning many cards on average is another
//! aim: it chooses another move in one decision of twenty. The search is in `search::draws`.

use super::captures::{Captures, Changing, Fixed};
use super::parallel::in_order;
use super::search::Node;
use super::search::draws::{Draws, Memo, Tally};
use super::solve::Lines;
use crate::analysis::{Analysis, Line};
use crate::error::Error;
use crate::value::{Certainty, Chances, Outcome, Value};
use ::search::Control;
use grid::Game;
use grid::simd::{Isa, dispatch};
use triad::{Deal, Move, Position, Rule};

/// Exact chances as a value. There is an outcome only if luck does not decide.
fn value_of(chances: Chances) -> Value {
    let Chances { win, draw, loss } = chances;
    let outcome = match [loss, draw, win].map(|chance| chance == 1.0) {
        [true, ..] => Some(Outcome::Loss),
        [_, true, _] => Some(Outcome::Draw),
        [.., true] => Some(Outcome::Win),
        _ => None,
    };
    Value { outcome, score: win - loss, margin: None, chances: Some(chances), certainty: Certainty::Proved }
}

/// A margin that is right if players choose their cards, as an estimate of the value under Chaos.
pub(super) fn estimate(margin: f64, nodes: u64) -> Value {
    let certainty = Certainty::Estimated { visits: nodes, error: 1.0 };
    Value { outcome: None, score: margin / 10.0, margin: Some(margin), chances: None, certainty }
}

/// What moves are compared by: the points, then the chance to win. Chances are multiples of 1/14,400, so rounded numbers are
/// equal where fractions differ in the last digit.
fn key(value: &Value) -> (i64, i64) {
    let whole = |share: f64| (share * 1e9).round() as i64;
    (whole(value.score), whole(value.chances.map_or(0.0, |chances| chances.win)))
}

/// The best moves under Chaos: if the mover's card is still to be drawn, the best cells of each card; otherwise the best
/// moves.
#[must_use]
pub fn best_of_each_card(deal: &Deal, position: &Position, lines: &[Line<Move>]) -> Vec<Move> {
    let later = is_drawn_later(deal, position);
    let is_best = |line: &&Line<Move>| {
        let rivals = lines.iter().filter(|other| !later || other.mv.card() == line.mv.card());
        rivals.into_iter().all(|other| key(&other.value) <= key(&line.value))
    };
    lines.iter().filter(is_best).map(|line| line.mv).collect()
}

fn is_drawn_later(deal: &Deal, position: &Position) -> bool {
    deal.setup().rules.is_chaotic(deal.turn(position)) && position.drawn().is_none()
}

/// The chances of the position and of every move, on the threads of the control. If the control stops it, the analysis has
/// the moves finished so far.
pub(super) fn analyse(
    isa: Isa,
    deal: &Deal,
    position: &Position,
    lines: Lines,
    control: &Control<'_>,
) -> Analysis<Move> {
    let rules = deal.setup().rules;
    let question = Question { isa, deal, position, lines, control };
    if rules.has(Rule::Ascension) || rules.has(Rule::Descension) {
        question.analyse(|| Changing::new(deal, position))
    } else if rules.is_basic() {
        question.analyse(|| Fixed::<false>::new(deal, position))
    } else {
        question.analyse(|| Fixed::<true>::new(deal, position))
    }
}

struct Question<'a> {
    isa: Isa,
    deal: &'a Deal,
    position: &'a Position,
    lines: Lines,
    control: &'a Control<'a>,
}

impl Question<'_> {
    fn analyse<C: Captures>(&self, captures: impl Fn() -> C + Sync) -> Analysis<Move> {
        let Self { deal, position, lines, control, .. } = *self;
        let legal: Vec<Move> = deal.moves(position).collect();
        let memo = Memo::new(position.free().len(), control.memory());
        let (mut known, mut nodes) = (Vec::new(), 0);
        let stopped = in_order(
            &legal,
            control,
            || Draws::new(deal, captures(), &memo, control.meter()),
            |draws, mv| self.value_of(draws, *mv),
            |(value, visited)| {
                known.push(Line::new(legal[known.len()], value));
                nodes += visited;
                control.report(known.len() as u64, legal.len() as u64);
                control.report_partial(|| self.in_sequence(known.clone(), false, nodes));
                true
            },
        );
        let mut analysis = self.in_sequence(known, stopped.is_ok(), nodes);
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

    /// The value of a move, and the nodes it took.
    fn value_of<C: Captures>(&self, draws: &mut Draws<'_, C>, mv: Move) -> Result<(Value, u64), Error> {
        let before = draws.meter().nodes();
        let flips = self.deal.flips(self.position, mv);
        let node = Node::new(self.deal, self.position);
        let tally = dispatch!(self.isa.level(), simd => draws.tally_of(simd, node, mv, flips));
        match draws.meter().stopped_by() {
            None => {
                let ways = draws.ways(self.position.free().len() - 1);
                Ok((value_of(chances_of(tally, ways)), draws.meter().nodes() - before))
            }
            Some(stop) => Err(stop.into()),
        }
    }

    /// The moves sorted by their chances, and the chances of the position if all are known.
    fn in_sequence(&self, mut lines: Vec<Line<Move>>, complete: bool, nodes: u64) -> Analysis<Move> {
        // A stable sort: equal moves stay in the order of the rules.
        lines.sort_by_key(|line| std::cmp::Reverse(key(&line.value)));
        let value = if complete { self.value(&lines) } else { Value::UNKNOWN };
        let depth = if complete { self.position.free().len() as u32 } else { 0 };
        Analysis { value, depth, nodes, ..Analysis::of_lines(lines, complete) }
    }

    /// The value of the position from its moves, best first: of the best move, or if the card is drawn later, the mean of
    /// the best moves of all cards.
    fn value(&self, lines: &[Line<Move>]) -> Value {
        if !is_drawn_later(self.deal, self.position) {
            return lines.first().map_or(Value::UNKNOWN, |line| line.value);
        }
        let best = (0..10).filter_map(|card| lines.iter().find(|line| line.mv.card() == card)?.value.chances);
        let best: Vec<Chances> = best.collect();
        let mean = |chance: fn(&Chances) -> f64| best.iter().map(chance).sum::<f64>() / best.len() as f64;
        value_of(Chances { win: mean(|it| it.win), draw: mean(|it| it.draw), loss: mean(|it| it.loss) })
    }
}

fn chances_of(tally: Tally, ways: u32) -> Chances {
    let share = |count: u32| f64::from(count) / f64::from(ways);
    Chances { win: share(tally.wins()), draw: share(tally.draws()), loss: share(ways - tally.wins() - tally.draws()) }
}
