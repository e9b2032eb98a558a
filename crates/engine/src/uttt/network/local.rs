//! Local boards by number, as one player sees them: the input of the network.

use grid::{Cell, CellSet, Player, Sym};
use std::sync::LazyLock;
use uttt::Position;
use uttt::kernel::board_number;

/// How many different local boards there are: three decided ones and 11,093 undecided ones.
pub const LOCAL_BOARDS: usize = 11_096;

/// The number of a local board as the viewer sees it. Decided boards lose their stones: they no longer matter.
///
/// ```text
/// 0 won   1 lost   2 drawn   3.. undecided, in the order of the viewer's stones, then of the other's
/// ```
pub type LocalBoard = u16;

/// Won by the viewer.
pub const WON: LocalBoard = 0;
/// Won by the other side.
pub const LOST: LocalBoard = 1;
/// Full without a line.
pub const DRAWN: LocalBoard = 2;
/// The first undecided board: lower numbers are decided.
pub const FIRST_UNDECIDED: LocalBoard = 3;

#[derive(Debug)]
struct Numbers {
    /// By [`board_number`].
    by_stones: Box<[LocalBoard; 19683]>,
    /// The stones of each number: the viewer's, the other's. Meaningless for decided boards.
    stones: Vec<[CellSet; 2]>,
}

static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| {
    let mut by_stones = Box::new([0; 19683]);
    let mut stones = vec![[CellSet::EMPTY; 2]; usize::from(FIRST_UNDECIDED)];
    for ours in (0..512).map(CellSet::from_bits) {
        for theirs in (0..512).map(CellSet::from_bits).filter(|theirs| (ours & *theirs).is_empty()) {
            let number = match (ours.has_line(), theirs.has_line()) {
                (true, _) => WON,
                (_, true) => LOST,
                _ if ours.len() + theirs.len() == 9 => DRAWN,
                _ => {
                    stones.push([ours, theirs]);
                    (stones.len() - 1) as LocalBoard
                }
            };
            by_stones[board_number(ours, theirs)] = number;
        }
    }
    Numbers { by_stones, stones }
});

/// Numbers local boards: two loads and a third that depends on them.
#[derive(Clone, Copy, Debug)]
pub struct Numbering(&'static Numbers);

impl Numbering {
    /// The table, made at the first call.
    #[must_use]
    pub fn get() -> Self {
        Self(&NUMBERS)
    }

    /// The number of a board by its stones.
    #[inline(always)]
    #[must_use]
    pub fn of(self, ours: CellSet, theirs: CellSet) -> LocalBoard {
        self.0.by_stones[board_number(ours, theirs)]
    }

    /// All nine boards of a position as a player sees them. Not for the rule in which won boards stay open.
    #[inline(always)]
    #[must_use]
    pub fn boards(self, position: &Position, viewer: Player) -> [LocalBoard; 9] {
        Cell::ALL.map(|board| self.of(position.stones(viewer, board), position.stones(viewer.other(), board)))
    }

    /// The image of a board under a symmetry.
    #[must_use]
    pub fn image(self, board: LocalBoard, sym: Sym) -> LocalBoard {
        if board < FIRST_UNDECIDED {
            return board;
        }
        let [ours, theirs] = self.0.stones[usize::from(board)].map(|stones| sym.set(stones));
        self.of(ours, theirs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_that_many_boards() {
        let numbers = Numbering::get();
        assert_eq!(numbers.0.stones.len(), LOCAL_BOARDS);
        for (number, [ours, theirs]) in numbers.0.stones.iter().enumerate().skip(FIRST_UNDECIDED.into()) {
            assert_eq!(usize::from(numbers.of(*ours, *theirs)), number);
        }
        for sym in Sym::ALL {
            let mut images: Vec<_> = (0..LOCAL_BOARDS as u16).map(|board| numbers.image(board, sym)).collect();
            images.sort_unstable();
            assert!(images.into_iter().eq(0..LOCAL_BOARDS as u16), "a symmetry is a bijection");
        }
    }
}
