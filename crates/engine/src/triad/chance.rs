//! Chaos: the card to play is drawn each turn. Exact expectation of the cards A owns at the end, both players placing
//! their cards so as to own as many as possible on average.
//!
//! Expectimax by exact means. Whoever's card is drawn has the mean over his hand of the best cell for each card; the
//! others the best of all. Every player ends with one card at least (the last one laid, the one never laid), so a mean
//! that can no more reach the window, whatever the cards not looked at give between 1 and 9, is not finished (*star1*).

use super::solve::{Solver, solve_each};
use grid::simd::Isa;
use grid::{CellSet, Game, Player};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use triad::kernel::fast::{Board, Rank, Special};
use triad::{Deal, Move, Position};

/// A position under Chaos.
#[derive(Clone, PartialEq, Debug)]
pub struct ChanceSolution {
    /// The mean of the cards A owns at the end; nothing if it was not finished.
    pub expected: Option<f64>,
    /// The same for every move, in the order of the rules; for the first of them only if it was not finished.
    pub moves: Vec<(Move, f64)>,
    /// The best of these moves: of all, or of each card where the mover's card is still to be drawn.
    pub best: Vec<Move>,
    /// Positions looked at.
    pub nodes: u64,
}

/// Means are sums of at most nine fractions: what is closer than this is equal.
const CLOSE: f64 = 1e-9;

/// The least and the most cards a player can end with.
const LEAST: f64 = 1.0;
const MOST: f64 = 9.0;

/// The mean of the cards A owns at the end.
#[must_use]
pub fn expected(deal: &Deal, position: &Position) -> f64 {
    let forever = AtomicBool::new(false);
    chances(Isa::detect(), Some(NonZero::<usize>::MIN), deal, position, &forever, |_, _| {})
        .expected
        .unwrap_or_default()
}

/// The mean for the position and for every move, on `threads` or all cores, until `cancel` is raised. `progress` is told how
/// many of how many moves are done.
#[must_use]
pub fn chances(
    isa: Isa,
    threads: Option<NonZero<usize>>,
    deal: &Deal,
    position: &Position,
    cancel: &AtomicBool,
    mut progress: impl FnMut(usize, usize),
) -> ChanceSolution {
    let mover = deal.turn(position);
    let absolute = |value: f64| if mover == Player::First { value } else { 10.0 - value };
    let all: Vec<Move> = deal.moves(position).collect();
    if all.is_empty() {
        let expected = Some(position.score().into());
        return ChanceSolution { expected, moves: Vec::new(), best: Vec::new(), nodes: 0 };
    }
    let mut values = Vec::new();
    let mut nodes = 0;
    let work = |_: &mut Solver, mv: &Move| {
        let next = deal.play_unchecked(position, *mv);
        let mut draws = Draws::new(deal, &next, cancel);
        let value = draws.value(Turn::new(deal, &next), 0.0, 10.0);
        (!draws.cancelled).then_some((10.0 - value, draws.nodes))
    };
    solve_each(isa, threads, &all, cancel, work, |answer| {
        let Some((value, looked_at)) = answer else { return false };
        values.push(value);
        nodes += looked_at;
        progress(values.len(), all.len());
        true
    });
    let legal = &all[..values.len()];
    // The best cell for each card.
    let mut by_card = [f64::NEG_INFINITY; 10];
    for (mv, value) in legal.iter().zip(&values) {
        let best = &mut by_card[usize::from(mv.card())];
        *best = best.max(*value);
    }
    let is_drawn = deal.setup().rules.is_chaotic(mover) && position.drawn().is_none();
    let playable: Vec<f64> = by_card.into_iter().filter(|value| value.is_finite()).collect();
    let most = playable.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let value = if is_drawn { playable.iter().sum::<f64>() / playable.len() as f64 } else { most };
    let wanted = |mv: Move| if is_drawn { by_card[usize::from(mv.card())] } else { most };
    let best = legal.iter().zip(&values).filter(|(mv, value)| wanted(**mv) - **value < CLOSE).map(|(mv, _)| *mv);
    ChanceSolution {
        expected: (legal.len() == all.len()).then(|| absolute(value)),
        best: best.collect(),
        nodes,
        moves: legal.iter().zip(&values).map(|(mv, value)| (*mv, absolute(*value))).collect(),
    }
}

/// What changes from turn to turn.
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
    /// A card that was drawn is not looked at: only the positions that are asked about have one.
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
    nodes: u64,
    cancel: &'a AtomicBool,
    /// From then on no value means anything.
    cancelled: bool,
}

/// How many positions are looked at between two looks at the flag.
const BREATH: u64 = 1 << 14;

impl<'a> Draws<'a> {
    fn new(deal: &'a Deal, position: &Position, cancel: &'a AtomicBool) -> Self {
        let board = Board::new(position);
        Self { deal, special: Special::of(deal), board, nodes: 0, cancel, cancelled: false }
    }

    /// What the mover owns at the end on average; outside of the window only on which side of it.
    fn value(&mut self, turn: Turn, low: f64, high: f64) -> f64 {
        if turn.free.is_empty() {
            return turn.mine.count_ones().into();
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(BREATH) {
            self.cancelled |= self.cancel.load(Ordering::Relaxed);
        }
        if self.cancelled {
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
