//! A hand-made evaluation: how likely each board, and so each global line, falls to either side.
//!
//! The chance of a local board is that of filling its empty squares by tossing a coin for each, in random order; it comes
//! from a table indexed by the whole board. A global line counts the product of the chances of its boards.

use grid::{Cell, CellSet, LINES, Player};
use search::Evaluator;
use std::sync::LazyLock;
use uttt::kernel::board_number;
use uttt::{Local, Move, Next, Position, Rule, Uttt};

/// The evaluator. Its scale: a won game is 10,000.
#[derive(Clone, Copy, Default, Debug)]
pub struct HandMade;

/// Points for a certain global line, for a certain board, for a free move.
const LINE: f32 = 4000.0;
const BOARD: f32 = 150.0;
const FREE_MOVE: f32 = 250.0;

/// For each board, the chances that the first and that the second player wins it. 154 KiB.
static CHANCES: LazyLock<Vec<[f32; 2]>> = LazyLock::new(|| {
    let mut chances = vec![[0.0; 2]; 3_usize.pow(9)];
    // One more stone makes a larger number, so counting down meets every successor of a board before the board.
    for number in (0..chances.len()).rev() {
        let digit = |cell: &Cell| number / 3_usize.pow(cell.index() as u32) % 3;
        let of = |digit_of: usize| Cell::ALL.into_iter().filter(|cell| digit(cell) == digit_of).collect::<CellSet>();
        let (free, first, second) = (of(0), of(1), of(2));
        chances[number] = match (first.has_line(), second.has_line()) {
            (true, _) => [1.0, 0.0],
            (_, true) => [0.0, 1.0],
            _ if free.is_empty() => [0.0, 0.0],
            _ => {
                let mut sum = [0.0; 2];
                for cell in free {
                    let after = [
                        chances[board_number(first.with(cell), second)],
                        chances[board_number(first, second.with(cell))],
                    ];
                    sum = [sum[0] + after[0][0] + after[1][0], sum[1] + after[0][1] + after[1][1]];
                }
                sum.map(|sum| sum / (2 * free.len()) as f32)
            }
        };
    }
    chances
});

impl<R: Rule> Evaluator<Uttt<R>> for HandMade {
    type State = ();
    const SCALE: i32 = 10_000;

    #[inline]
    fn state(&self, _: &Uttt<R>, _: &Position) {}

    #[inline]
    fn state_after(&self, _: &Uttt<R>, (): &(), _: &Position, _: Move, _: &Position) {}

    #[inline]
    fn evaluate(&self, _: &Uttt<R>, position: &Position, (): &()) -> i32 {
        let table = &**CHANCES;
        let chances = Cell::ALL.map(|board| match position.board(board) {
            Local::Won(Player::First) => [1.0, 0.0],
            Local::Won(Player::Second) => [0.0, 1.0],
            Local::Drawn => [0.0, 0.0],
            Local::Undecided => {
                table[board_number(position.stones(Player::First, board), position.stones(Player::Second, board))]
            }
        });
        let lines = |player: usize| -> f32 {
            let line = |line: &CellSet| line.into_iter().map(|board| chances[board.index()][player]).product::<f32>();
            LINES.iter().map(line).sum()
        };
        let boards = |player: usize| -> f32 { chances.iter().map(|chance| chance[player]).sum() };
        let board = if R::MORE_BOARDS_WIN { 3.0 * BOARD } else { BOARD };
        let points = LINE * (lines(0) - lines(1)) + board * (boards(0) - boards(1));
        let sign = position.mover().sign() as f32;
        let free = if position.next() == Next::Any { FREE_MOVE } else { 0.0 };
        (sign * points + free) as i32
    }

    /// First moves that win a board, then moves that block one; last moves that leave the other side a free choice.
    #[inline]
    fn urgency(&self, _: &Uttt<R>, position: &Position, mv: Move) -> i32 {
        let (us, them) = (position.mover(), position.mover().other());
        let completes = |player, board| position.stones(player, board).completing();
        let open = position.open_boards::<R>();
        let mut urgency = 0;
        if completes(us, mv.board()).contains(mv.square()) {
            urgency += 8;
        }
        if completes(them, mv.board()).contains(mv.square()) {
            urgency += 3;
        }
        if !open.contains(mv.square()) {
            urgency -= 6;
        } else {
            let free = !(position.stones(us, mv.square()) | position.stones(them, mv.square()));
            if !(completes(them, mv.square()) & free).is_empty() {
                urgency -= 4;
            }
        }
        urgency
    }
}
