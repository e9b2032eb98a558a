//! The position in 40 bytes, as in the article "Efficient representation of Ultimate Tic Tac Toe". It is copied, never changed
//! in place.

use crate::Rule;
use crate::moves::{Move, MoveSet};
use crate::tables::{DECIDED, NEXT, SECOND_MOVES, STONES, stones_key};
use core::fmt;
use grid::{Cell, CellSet, Player};

/// A position of Ultimate Tic-Tac-Toe.
///
/// ```text
/// boards        a b c      one row of boards is one word per player, nine bits per board:
///               d e f
///               g h i      bit  26 ....... 18 17 ....... 9 8 ........ 0
///                               board c, f, i board b, e, h board a, d, g
///
/// bytes  0..24  rows    three rows of boards, for each the first player's word, then the second's
///       24..28  boards  two sets of nine bits: won by the first player, won by the second; a drawn board is in both
///       28      next    0..=8 the forced board, 9 any board, 10 the game is over
///       29      mover   0 first (X), 1 second (O)
///       32..40  hash    updated by every move
/// ```
///
/// ```
/// use grid::{Cell, CellSet, Game, Notation, Player};
/// use ninefold_uttt::{Next, Standard, Uttt};
/// let game = Uttt::<Standard>::default();
/// let position = game.play_unchecked(&game.start(), game.read_move(&game.start(), "ei")?);
/// assert_eq!(position.stones(Player::First, Cell::CENTRE), CellSet::of(Cell::at(2, 2)));
/// assert_eq!(position.next(), Next::Board(Cell::at(2, 2)));
/// assert_eq!(size_of_val(&position), 40);
/// # Ok::<(), grid::TextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C)]
pub struct Position {
    pub(crate) rows: [[u32; 2]; 3],
    pub(crate) boards: [u16; 2],
    pub(crate) next: u8,
    pub(crate) mover: u8,
    pub(crate) hash: u64,
}

const _: () = assert!(size_of::<Position>() == 40);

/// The mover may play in any open board.
pub(crate) const ANY: u8 = 9;
/// The game is over.
pub(crate) const OVER: u8 = 10;

/// The state of a local board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Local {
    /// Nobody has a line, and at least one square is empty.
    #[default]
    Undecided,
    /// Won by the player who made the first line.
    Won(Player),
    /// Full without a line.
    Drawn,
}

/// Where the next move must be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// In this board.
    Board(Cell),
    /// In any open board.
    Any,
    /// Nowhere: the game is over.
    Over,
}

impl Position {
    /// The position before the first move.
    pub const START: Self = Self { rows: [[0; 2]; 3], boards: [0; 2], next: ANY, mover: 0, hash: NEXT[ANY as usize] };

    /// The squares of `board` that the player has marked.
    #[inline]
    #[must_use]
    pub const fn stones(&self, player: Player, board: Cell) -> CellSet {
        CellSet::from_bits(self.local(player as usize, board.index()))
    }

    #[inline]
    pub(crate) const fn local(&self, player: usize, board: usize) -> u16 {
        (self.rows[board / 3][player] >> (9 * (board % 3))) as u16 & 0x1ff
    }

    /// The boards that the player has won.
    #[inline]
    #[must_use]
    pub const fn won(&self, player: Player) -> CellSet {
        CellSet::from_bits(self.boards[player as usize] & !self.boards[1 - player as usize])
    }

    /// The boards that are full without a line.
    #[inline]
    #[must_use]
    pub const fn drawn(&self) -> CellSet {
        CellSet::from_bits(self.boards[0] & self.boards[1])
    }

    /// The state of a board.
    #[must_use]
    pub const fn board(&self, board: Cell) -> Local {
        match (self.boards[0] >> board.index() & 1, self.boards[1] >> board.index() & 1) {
            (0, 0) => Local::Undecided,
            (1, 0) => Local::Won(Player::First),
            (0, _) => Local::Won(Player::Second),
            _ => Local::Drawn,
        }
    }

    /// Where the next move must be made.
    #[inline]
    #[must_use]
    pub const fn next(&self) -> Next {
        match Cell::new(self.next as usize) {
            Some(board) => Next::Board(board),
            None if self.next == ANY => Next::Any,
            None => Next::Over,
        }
    }

    /// The side to move. In a finished game, the side that would move next.
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> Player {
        if self.mover == 0 { Player::First } else { Player::Second }
    }

    /// Number of stones on the board.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.rows.iter().flatten().map(|word| word.count_ones()).sum()
    }

    /// The boards in which a move may still be made.
    #[inline]
    #[must_use]
    pub fn open_boards<R: Rule>(&self) -> CellSet {
        if R::WON_BOARDS_STAY_OPEN {
            let full = |board: &Cell| self.local(0, board.index()) | self.local(1, board.index()) == 0x1ff;
            Cell::ALL.into_iter().filter(|board| !full(board)).collect()
        } else {
            !CellSet::from_bits(self.boards[0] | self.boards[1])
        }
    }

    /// Number of squares that may still be marked.
    #[must_use]
    pub fn empties<R: Rule>(&self) -> u32 {
        let [first, second] = [0, 1].map(|player| move |board: Cell| self.local(player, board.index()));
        self.open_boards::<R>().into_iter().map(|board| (!(first(board) | second(board)) & 0x1ff).count_ones()).sum()
    }

    /// The legal moves.
    #[inline]
    #[must_use]
    pub fn moves<R: Rule>(&self) -> MoveSet {
        let boards = match self.next {
            ANY => self.open_boards::<R>(),
            OVER => CellSet::EMPTY,
            forced => {
                debug_assert!(forced < 9);
                CellSet::from_bits(1 << forced)
            }
        };
        let free = |row: usize| !(self.rows[row][0] | self.rows[row][1]);
        MoveSet::new([free(0), free(1), free(2)], boards)
    }

    /// The position after a legal move. For any other move the result is arbitrary.
    #[inline(always)]
    #[must_use]
    pub(crate) fn after<R: Rule>(&self, mv: Move, has_line: impl Fn(CellSet) -> bool) -> Self {
        self.after_judged::<R>(mv, &has_line, |_, ours, theirs| {
            (has_line(CellSet::from_bits(ours)), ours | theirs == 0x1ff)
        })
    }

    /// The same with both tests of the local board in one call: `judge(mover, ours, theirs)` returns whether the mover has a
    /// line and whether the board is full.
    #[inline(always)]
    pub(crate) fn after_judged<R: Rule>(
        &self,
        mv: Move,
        has_line: impl Fn(CellSet) -> bool,
        judge: impl Fn(usize, u16, u16) -> (bool, bool),
    ) -> Self {
        let (board, square) = (mv.board().index(), mv.square().index());
        let (us, them) = (self.mover as usize, 1 - self.mover as usize);
        let mut next = *self;
        next.mover ^= 1;
        next.rows[board / 3][us] |= 1 << (9 * (board % 3) + square);
        next.hash ^= STONES[board][1 << square].rotate_left(32 * us as u32) ^ SECOND_MOVES ^ NEXT[self.next as usize];
        let (ours, theirs) = (next.local(us, board), next.local(them, board));
        let decided = R::WON_BOARDS_STAY_OPEN && (self.boards[0] | self.boards[1]) >> board & 1 != 0;
        let (line, full) = judge(us, ours, theirs);
        let won = !decided && line;
        let mut over = false;
        if won {
            next.boards[us] |= 1 << board;
            next.hash ^= DECIDED[board][us];
            over = has_line(CellSet::from_bits(next.boards[us] & !next.boards[them]));
        } else if full && !decided {
            next.boards[0] |= 1 << board;
            next.boards[1] |= 1 << board;
            next.hash ^= DECIDED[board][2];
        }
        if full || won && !R::WON_BOARDS_STAY_OPEN {
            let [first, second] = if us == 0 { [ours, theirs] } else { [theirs, ours] };
            next.hash ^= stones_key(board, first, second);
        }
        next.next = next.destination::<R>(square, over);
        next.hash ^= NEXT[next.next as usize];
        next
    }

    /// The value of `next` after a move on `square`.
    #[inline(always)]
    fn destination<R: Rule>(&self, square: usize, over: bool) -> u8 {
        let (sent_is_open, any_is_open) = if R::WON_BOARDS_STAY_OPEN {
            let sent = self.local(0, square) | self.local(1, square) != 0x1ff;
            (sent, sent || !self.open_boards::<R>().is_empty())
        } else {
            let closed = self.boards[0] | self.boards[1];
            (closed >> square & 1 == 0, closed != 0x1ff)
        };
        match (over || !any_is_open, sent_is_open) {
            (true, _) => OVER,
            (_, true) => square as u8,
            _ => ANY,
        }
    }

    /// The hash from its definition: stones of open boards, state of decided boards, forced board and mover.
    #[must_use]
    pub(crate) fn hash_from_scratch<R: Rule>(&self) -> u64 {
        let mut hash = NEXT[self.next as usize] ^ if self.mover == 0 { 0 } else { SECOND_MOVES };
        let open = self.open_boards::<R>();
        for board in Cell::ALL {
            let index = board.index();
            if open.contains(board) {
                hash ^= stones_key(index, self.local(0, index), self.local(1, index));
            }
            hash ^= match self.board(board) {
                Local::Undecided => 0,
                Local::Won(player) => DECIDED[index][player as usize],
                Local::Drawn => DECIDED[index][2],
            };
        }
        hash
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::notation::write_compact(self, out)
    }
}
