//! Every canonical board within reach of given boards, each found once, with the moves between them.
//!
//! Boards are found in the order (pips ascending, dice descending), which no move goes against, so the reverse of the
//! order found is an order in which everything below a board comes before it. Reaches can be extended: what was known
//! stays known, and never leads to anything new.

use cephalopods::{Board, Contest};
use grid::{Game, Sym};

/// A move between canonical boards.
///
/// ```text
/// bit  2..0     the symmetry that takes the child to its canonical form
///      6..3     the cell of the new die, as the parent's canonical form has it
///     31..7     the number of the child
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge(u32);

impl Edge {
    fn new(child: usize, cell: usize, sym: Sym) -> Self {
        Self((child as u32) << 7 | (cell as u32) << 3 | sym.index() as u32)
    }

    /// The number of the child.
    #[inline(always)]
    pub(super) fn child(self) -> usize {
        (self.0 >> 7) as usize
    }

    /// The cell of the new die.
    #[inline(always)]
    pub(super) fn cell(self) -> usize {
        (self.0 >> 3 & 15) as usize
    }

    /// The symmetry that takes the child to its canonical form.
    #[inline(always)]
    pub(super) fn sym(self) -> Sym {
        Sym::ALL[(self.0 & 7) as usize]
    }
}

/// The boards that one extension added, in the order found, and their edges one after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// The number of a board and how many edges it has; a full board has none.
    pub(super) boards: Vec<(u32, u8)>,
    /// The edges of all of them.
    pub(super) edges: Vec<Edge>,
}

impl Layer {
    /// Each board with its edges, everything below a board before it.
    pub(super) fn in_order_of_solving(&self) -> impl Iterator<Item = (usize, &[Edge])> {
        let mut end = self.edges.len();
        self.boards.iter().rev().map(move |&(number, count)| {
            let start = end - usize::from(count);
            let edges = &self.edges[start..end];
            end = start;
            (number as usize, edges)
        })
    }
}

/// The boards found so far and their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    boards: Vec<Board>,
    /// Open addressing: the board and, above it, its number plus one; zero where there is none.
    slots: Vec<u64>,
}

impl Reach {
    /// The boards, by number.
    pub(super) fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// The bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        4 * self.boards.capacity() + 8 * self.slots.capacity()
    }

    /// The number of a canonical board, if it was found.
    #[inline]
    pub(super) fn number(&self, board: Board) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.place(board)];
        (slot != 0).then(|| (slot >> 32) as usize - 1)
    }

    /// The slot that holds the board, or the empty one that would.
    #[inline(always)]
    fn place(&self, board: Board) -> usize {
        // The top bits of the product are the good ones.
        let shift = 64 - self.slots.len().trailing_zeros();
        let mut at = (u64::from(board.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize;
        while self.slots[at] != 0 && self.slots[at] as u32 != board.bits() {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    /// The number of a canonical board, and whether it is new.
    #[inline]
    fn insert(&mut self, board: Board) -> (usize, bool) {
        if 2 * self.boards.len() >= self.slots.len() {
            self.grow();
        }
        let at = self.place(board);
        if self.slots[at] != 0 {
            return ((self.slots[at] >> 32) as usize - 1, false);
        }
        self.boards.push(board);
        self.slots[at] = u64::from(board.bits()) | (self.boards.len() as u64) << 32;
        (self.boards.len() - 1, true)
    }

    #[cold]
    fn grow(&mut self) {
        let capacity = (4 * self.boards.len()).next_power_of_two().max(1024);
        let old = std::mem::replace(&mut self.slots, vec![0; capacity]);
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            let at = self.place(Board::from_bits_unchecked(slot as u32));
            self.slots[at] = slot;
        }
    }

    /// Finds everything within reach of the canonical boards `roots` that was not known yet.
    pub(super) fn extend(&mut self, roots: impl IntoIterator<Item = Board>) -> Layer {
        // By pips, then by dice: the numbers of boards still to be expanded.
        let mut waiting = vec![<[Vec<u32>; 10]>::default(); 55];
        let add = |reach: &mut Self, waiting: &mut Vec<[Vec<u32>; 10]>, board: Board| {
            let (number, is_new) = reach.insert(board);
            if is_new {
                waiting[board.rank() as usize][board.dice() as usize].push(number as u32);
            }
            number
        };
        for root in roots {
            add(self, &mut waiting, root);
        }
        let mut layer = Layer::default();
        for rank in 0..waiting.len() {
            for dice in (0..10).rev() {
                for number in std::mem::take(&mut waiting[rank][dice]) {
                    let board = self.boards[number as usize];
                    let before = layer.edges.len();
                    for mv in Contest.moves(&board) {
                        let (child, sym) = Contest.play_unchecked(&board, mv).canonical();
                        let child = add(self, &mut waiting, child);
                        layer.edges.push(Edge::new(child, mv.cell().index(), sym));
                    }
                    layer.boards.push((number, (layer.edges.len() - before) as u8));
                }
            }
        }
        layer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_the_empty_board_everything_is_found_once_and_nothing_again() {
        let mut reach = Reach::default();
        let layer = reach.extend([Board::EMPTY]);
        let full = reach.boards().iter().filter(|board| board.is_full()).count();
        assert_eq!((reach.boards().len(), full, layer.edges.len()), (532_354, 5_611, 1_821_239));
        let mut seen = vec![false; reach.boards().len()];
        for (number, edges) in layer.in_order_of_solving() {
            assert!(edges.iter().all(|edge| seen[edge.child()]), "children come first");
            assert!(!std::mem::replace(&mut seen[number], true));
        }
        assert!(seen.iter().all(|&seen| seen));
        for &board in reach.boards().to_vec().iter().step_by(5003) {
            assert!(reach.extend([board]).boards.is_empty(), "{board}");
        }
    }
}
