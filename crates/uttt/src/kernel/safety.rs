//! Safe moves by masks: those after which the opponent cannot win the game with his next move.

use crate::Rule;
use crate::kernel::Lanes;
use grid::{Cell, CellSet};

impl Lanes {
    /// The critical boards: those in which the player could win the game with one move.
    #[inline(always)]
    #[must_use]
    pub fn critical<R: Rule>(&self, player: usize) -> CellSet {
        let mut critical = CellSet::EMPTY;
        for board in self.winning_boards(player) {
            if !self.winning_squares::<R>(player, board).is_empty() {
                critical = critical.with(board);
            }
        }
        critical
    }

    /// The squares of `board` that the mover can mark without letting the opponent win the game with his next move.
    /// `critical` are the opponent's critical boards. The mover himself must not be able to win the game in this board.
    ///
    /// ```text
    /// A stone on square s changes the opponent's chances only in this board, and sends him to board s.
    ///   disarming   s occupies his only winning square here, or wins the board: this board is no longer critical
    ///   closing     s wins or fills the board: a stone that points back to this board frees the move
    /// unsafe        board s is still critical, or s frees the move and some board is still critical
    /// ```
    ///
    /// 14 operations for a board that is not critical. The test is exact: every move it drops loses at once. Measured as
    /// part of the solver, instructions per position: 2413.15 scalar, 2304.85 v3 (`uttt/solve` in `bench/counts.txt`).
    #[inline(always)]
    #[must_use]
    pub fn safe_squares<R: Rule>(&self, board: Cell, critical: CellSet) -> CellSet {
        let free = self.free(board);
        if critical.is_empty() {
            return free;
        }
        let (us, here) = (self.mover(), CellSet::of(board));
        let ours = self.winning_squares::<R>(us, board);
        let closing = if self.free_count(board.index()) == 1 {
            free
        } else if R::WON_BOARDS_STAY_OPEN {
            CellSet::EMPTY
        } else {
            ours
        };
        // The losing squares if the boards of `still` stay critical.
        let freeing = !self.open() | here & closing;
        let losing = |still: CellSet| if still.is_empty() { still } else { still | freeing };
        if !critical.contains(board) {
            return free - losing(critical);
        }
        let theirs = self.winning_squares::<R>(1 - us, board);
        let disarming = ours | if theirs.len() == 1 { theirs } else { CellSet::EMPTY };
        (free & (disarming - losing(critical - here))) | (free - disarming - losing(critical))
    }
}
