//! Judges a position, or all children of a position at once.

use super::local::{FIRST_UNDECIDED, LOST, LocalBoard, Numbering};
use super::{Network, OUTPUT_UNIT, Row, UNIT, WIDTH};
use grid::Cell;
use grid::simd::Simd;
use search::best_first::{Judge, Judged};
use std::sync::Arc;
use uttt::{Move, Next, Position, Rule, Uttt};

/// No board is forced.
const ANY: usize = 9;

impl Network {
    /// The share of a win for the side to move, from 0 to 1: the definition, which [`Judge::judge`] computes faster. The game
    /// must not be over.
    #[must_use]
    pub fn value<R: Rule>(&self, position: &Position) -> f32 {
        let boards = Numbering::get().boards(position, position.mover());
        let next = match position.next() {
            Next::Board(board) => board.index(),
            Next::Any | Next::Over => ANY,
        };
        let mut sum = self.sum(&boards);
        add(&mut sum, self.forced_row(&boards, next));
        win_share(self.logit(&sum, head::<R>(next)))
    }

    #[inline(always)]
    fn sum(&self, boards: &[LocalBoard; 9]) -> Row {
        let mut sum = self.bias;
        for (place, &board) in boards.iter().enumerate() {
            add(&mut sum, self.row(place, board));
        }
        sum
    }

    #[inline(always)]
    fn row(&self, place: usize, board: LocalBoard) -> &Row {
        &self.rows[place * super::LOCAL_BOARDS + usize::from(board)]
    }

    #[inline(always)]
    fn forced_row(&self, boards: &[LocalBoard; 9], next: usize) -> &Row {
        match boards.get(next) {
            Some(&board) => &self.forced[next * super::LOCAL_BOARDS + usize::from(board)],
            None => &self.any,
        }
    }

    /// The last layer: clipped units times weights.
    #[inline(always)]
    fn logit(&self, sum: &Row, head: usize) -> i32 {
        let mut logit = 0;
        for (&unit, &weight) in sum.iter().zip(&self.output[head]) {
            logit += i32::from(unit.clamp(0, UNIT as i16)) * i32::from(weight);
        }
        logit + self.output_bias[head]
    }
}

#[inline(always)]
fn add(sum: &mut Row, row: &Row) {
    for (unit, &more) in sum.iter_mut().zip(row) {
        *unit = unit.wrapping_add(more);
    }
}

#[inline(always)]
fn subtract(sum: &mut Row, row: &Row) {
    for (unit, &less) in sum.iter_mut().zip(row) {
        *unit = unit.wrapping_sub(less);
    }
}

#[inline(always)]
const fn head<R: Rule>(next: usize) -> usize {
    if R::MORE_BOARDS_WIN { 10 + next } else { next }
}

/// The logistic function of a logit, by additions, multiplications and one division that are the same on every machine; at
/// most 0.00002 off.
#[inline(always)]
fn win_share(logit: i32) -> f32 {
    // 2^-t with t = |logit| * log2(e), split into a whole power and a polynomial of the rest.
    let power = (logit.unsigned_abs() as f32 * (std::f32::consts::LOG2_E / (UNIT * OUTPUT_UNIT) as f32)).min(60.0);
    let whole = (power + 0.5) as u32;
    // Between -1/2 and 1/2.
    let x = power - whole as f32;
    let part = ((((0.009_618_1 * x - 0.055_504_1) * x + 0.240_226_5) * x - std::f32::consts::LN_2) * x) + 1.0;
    let small = part * f32::from_bits((127 - whole) << 23);
    let share = 1.0 / (1.0 + small);
    if logit >= 0 { share } else { 1.0 - share }
}

/// The move that is judged, and what it leads to.
struct After {
    board: LocalBoard,
    result: Option<i8>,
    next: usize,
}

/// What a move leads to. `boards` are the boards before it as the opponent sees them.
#[inline(always)]
fn after<R: Rule>(
    numbers: Numbering,
    position: &Position,
    boards: &[LocalBoard; 9],
    board: Cell,
    square: Cell,
) -> After {
    let us = position.mover();
    let ours = position.stones(us, board).with(square);
    let changed = numbers.of(position.stones(us.other(), board), ours);
    let is_closed = |place: usize| if place == board.index() { changed } else { boards[place] } < FIRST_UNDECIDED;
    let mut result = None;
    if changed < FIRST_UNDECIDED {
        let won = if changed == LOST { position.won(us).with(board) } else { position.won(us) };
        if won.has_line() {
            result = Some(1);
        } else if (0..9).all(is_closed) {
            let more = won.len() as i32 - position.won(us.other()).len() as i32;
            result = Some(if R::MORE_BOARDS_WIN { more.signum() as i8 } else { 0 });
        }
    }
    let next = if is_closed(square.index()) { ANY } else { square.index() };
    After { board: changed, result, next }
}

/// A network as the judge of a tree search.
#[derive(Clone, Debug)]
pub struct NetworkJudge(pub Arc<Network>);

impl<R: Rule> Judge<Uttt<R>> for NetworkJudge {
    #[inline(always)]
    fn pack(&self, mv: Move) -> u8 {
        (mv.board().index() << 4 | mv.square().index()) as u8
    }

    #[inline(always)]
    fn unpack(&self, mv: u8) -> Move {
        Move::new(Cell::ALL[usize::from(mv >> 4)], Cell::ALL[usize::from(mv & 15)])
    }

    #[inline(always)]
    fn judge<S: Simd>(&self, _: S, _: &Uttt<R>, position: &Position, children: &mut Vec<Judged>) {
        self.0.judge_children::<R>(position, children);
    }
}

impl Network {
    /// Every legal move in the order of the rules, with the value of what it leads to for the side that makes it.
    #[inline(always)]
    pub(in crate::uttt) fn judge_children<R: Rule>(&self, position: &Position, children: &mut Vec<Judged>) {
        children.clear();
        let network = self;
        let numbers = Numbering::get();
        // After the move the opponent is to move: all boards as he sees them.
        let boards = numbers.boards(position, position.mover().other());
        let sum = network.sum(&boards);
        let (mut without, mut without_board) = (sum, None);
        for mv in position.moves::<R>() {
            let place = mv.board().index();
            let after = after::<R>(numbers, position, &boards, mv.board(), mv.square());
            let packed = (place << 4 | mv.square().index()) as u8;
            if let Some(result) = after.result {
                let value = f32::from(result + 1) / 2.0;
                children.push(Judged { mv: packed, value, result: after.result, frees: false });
                continue;
            }
            if without_board != Some(place) {
                (without, without_board) = (sum, Some(place));
                subtract(&mut without, network.row(place, boards[place]));
            }
            let forced = match after.next {
                ANY => &network.any,
                next if next == place => &network.forced[next * super::LOCAL_BOARDS + usize::from(after.board)],
                next => &network.forced[next * super::LOCAL_BOARDS + usize::from(boards[next])],
            };
            let mut units = [0; WIDTH];
            let rows = without.iter().zip(network.row(place, after.board)).zip(forced);
            for (unit, ((&rest, &own), &forced)) in units.iter_mut().zip(rows) {
                *unit = rest.wrapping_add(own).wrapping_add(forced);
            }
            let value = 1.0 - win_share(network.logit(&units, head::<R>(after.next)));
            children.push(Judged { mv: packed, value, result: None, frees: after.next == ANY });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_the_logistic_function() {
        let mut before = -1.0;
        for logit in (-2_000_000..2_000_000).step_by(777) {
            let exact = 1.0 / (1.0 + (-f64::from(logit) / f64::from(UNIT * OUTPUT_UNIT)).exp());
            let share = win_share(logit);
            assert!((f64::from(share) - exact).abs() < 2e-5, "{logit}: {share} {exact}");
            assert!(share >= before - 2e-5, "it rises");
            before = share;
        }
    }
}
