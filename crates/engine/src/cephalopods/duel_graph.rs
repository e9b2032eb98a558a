//! The graph of the two-player game: every canonical board that can be reached from given boards, each found once, with the
//! moves between them.
//!
//! Boards are found in the order (pips ascending, dice descending). Every move follows that order, so in the reverse order
//! everything below a board comes before it. The graph can be extended: boards that it has already never lead to new ones.

use super::reserve;
use crate::error::Error;
use cephalopods::{Board, Contest, MOST};
use grid::{Game, Sym};
use search::{Control, OutOfMemory, Stop};

/// A move between canonical boards.
///
/// ```text
/// bit  2..0     the symmetry that takes the child to its canonical form
///      6..3     the cell of the new die, in the parent's canonical form
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
    /// Each board with its edges; everything below a board comes before it.
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
pub(super) struct DuelGraph {
    boards: Vec<Board>,
    /// Open addressing: the low half is the board, the high half its number plus one; zero in an empty slot.
    slots: Vec<u64>,
}

impl DuelGraph {
    /// The boards, by number.
    pub(super) fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        4 * self.boards.capacity() + 8 * self.slots.capacity()
    }

    /// The number of a canonical board, if it was found.
    #[inline]
    pub(super) fn number(&self, board: Board) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.slot(board)];
        (slot != 0).then(|| (slot >> 32) as usize - 1)
    }

    /// The slot that holds the board, or the empty slot where it belongs.
    #[inline(always)]
    fn slot(&self, board: Board) -> usize {
        // The top bits of the product depend on all bits of the board.
        let shift = 64 - self.slots.len().trailing_zeros();
        let mut at = (u64::from(board.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize;
        while self.slots[at] != 0 && self.slots[at] as u32 != board.bits() {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    /// The number of a canonical board, and whether it is new. The caller has reserved room.
    #[inline]
    fn insert(&mut self, board: Board) -> (usize, bool) {
        let at = self.slot(board);
        if self.slots[at] != 0 {
            return ((self.slots[at] >> 32) as usize - 1, false);
        }
        self.boards.push(board);
        self.slots[at] = u64::from(board.bits()) | (self.boards.len() as u64) << 32;
        (self.boards.len() - 1, true)
    }

    /// Makes room for this many more boards, so that at least half of the slots stay empty.
    #[inline]
    fn reserve(&mut self, additional: usize) -> Result<(), OutOfMemory> {
        reserve(&mut self.boards, additional)?;
        if 2 * (self.boards.len() + additional) >= self.slots.len() { self.grow(additional) } else { Ok(()) }
    }

    #[cold]
    fn grow(&mut self, additional: usize) -> Result<(), OutOfMemory> {
        let capacity = (4 * (self.boards.len() + additional)).next_power_of_two().max(1024);
        self.slots = super::zeroed(capacity)?;
        self.fill_slots();
        Ok(())
    }

    fn fill_slots(&mut self) {
        for number in 0..self.boards.len() {
            let at = self.slot(self.boards[number]);
            self.slots[at] = u64::from(self.boards[number].bits()) | (number as u64 + 1) << 32;
        }
    }

    /// Forgets all boards from that number on.
    pub(super) fn truncate(&mut self, count: usize) {
        self.boards.truncate(count);
        self.slots.fill(0);
        self.fill_slots();
    }

    /// Finds every board that can be reached from the canonical boards `roots` and is not known yet. A board is a node of the
    /// control.
    ///
    /// # Errors
    /// If the control stops the call or there is no memory. The graph is then as it was.
    pub(super) fn extend(
        &mut self,
        roots: impl IntoIterator<Item = Board>,
        control: &Control<'_>,
    ) -> Result<Layer, Error> {
        let known = self.boards.len();
        let layer = self.find(roots, control);
        if layer.is_err() {
            self.truncate(known);
        }
        layer
    }

    fn find(&mut self, roots: impl IntoIterator<Item = Board>, control: &Control<'_>) -> Result<Layer, Error> {
        let mut meter = control.meter();
        // By pips, then by dice: the numbers of boards that wait for expansion.
        let mut waiting = vec![<[Vec<u32>; 10]>::default(); 55];
        let add = |graph: &mut Self, waiting: &mut Vec<[Vec<u32>; 10]>, board: Board| {
            let (number, is_new) = graph.insert(board);
            if is_new {
                waiting[board.rank() as usize][board.dice() as usize].push(number as u32);
            }
            number
        };
        for root in roots {
            self.reserve(1)?;
            add(self, &mut waiting, root);
        }
        let mut layer = Layer::default();
        for rank in 0..waiting.len() {
            for dice in (0..10).rev() {
                for number in std::mem::take(&mut waiting[rank][dice]) {
                    if !meter.pay() {
                        return Err(meter.stopped_by().unwrap_or(Stop::Nodes).into());
                    }
                    self.reserve(MOST)?;
                    reserve(&mut layer.edges, MOST)?;
                    reserve(&mut layer.boards, 1)?;
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
        Ok(layer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_found_once_from_the_empty_board() {
        let (mut graph, control) = (DuelGraph::default(), Control::new());
        let layer = graph.extend([Board::EMPTY], &control).unwrap();
        let full = graph.boards().iter().filter(|board| board.is_full()).count();
        assert_eq!((graph.boards().len(), full, layer.edges.len()), (532_354, 5_611, 1_821_239));
        let mut seen = vec![false; graph.boards().len()];
        for (number, edges) in layer.in_order_of_solving() {
            assert!(edges.iter().all(|edge| seen[edge.child()]), "children come first");
            assert!(!std::mem::replace(&mut seen[number], true));
        }
        assert!(seen.iter().all(|&seen| seen));
        for &board in graph.boards().to_vec().iter().step_by(5003) {
            assert!(graph.extend([board], &control).unwrap().boards.is_empty(), "{board}");
        }
    }

    #[test]
    fn a_stopped_extension_leaves_the_graph_as_it_was() {
        let mut graph = DuelGraph::default();
        let board = Board::from_cells([5, 0, 1, 0, 6, 0, 3, 0, 2]).unwrap().canonical().0;
        graph.extend([board], &Control::new()).unwrap();
        let known = graph.boards().to_vec();
        let stopped = graph.extend([Board::EMPTY], &Control::new().node_limit(5000));
        assert!(matches!(stopped, Err(Error::Stopped(Stop::Nodes))));
        assert_eq!(graph.boards(), known);
        assert!(known.iter().enumerate().all(|(number, board)| graph.number(*board) == Some(number)));
        assert_eq!(graph.number(Board::EMPTY), None);
    }
}
