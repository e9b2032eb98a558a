//! The layout for search: nine 16-bit lanes per player and the number of free squares per board, in one cache line.
//!
//! ```text
//! play   set the bit of the square in the mover's lane; subtract one from the board's count of free squares
//!        if the move wins or fills the board: update won boards, open boards and the result
//!        forced board = the square's board if it is open, otherwise any
//! ```
//!
//! Compared with the 40 bytes of [`Position`], no board must be shifted out of a row, the number of moves is a four-bit lane,
//! and one bit tells under every rule whether a board is open. The cost is 24 more bytes to copy.
//!
//! Measured, instructions per move played (`uttt/perft(lanes)` in `bench/counts.txt`): 84.16 scalar, 73.74 v3. The 40-byte
//! position needs 200.86 and 187.12 (`uttt/perft(position)`).

use crate::position::{ANY, OVER, Position};
use crate::tables::{DECIDED, NEXT, NIBBLES, SECOND_MOVES, STONES, stones_key};
use crate::{Move, Rule};
use grid::{Cell, CellSet, Player};

/// A position for search.
///
/// ```text
/// bytes  0..36  stones  9 x 16 bits of the first player, 9 x 16 bits of the second
///       36..40  won     boards of the first player, of the second
///       40..42  open    boards in which a move may still be made
///       42      next    0..=8 the forced board, 9 any board, 10 the game is over
///       43      mover   0 first, 1 second
///       44..48  alive   boards that the first player has won or can still win, then the same for the second
///       48..56  free    nine lanes of four bits: empty squares of each open board
///       56..64  hash    the same as the position's
/// ```
///
/// ```
/// use grid::Game;
/// use ninefold_uttt::{Position, Standard, Uttt, kernel::Lanes};
/// let game = Uttt::<Standard>::default();
/// let lanes = Lanes::new::<Standard>(&game.start());
/// assert_eq!(lanes.empties(), 81);
/// let mv = "ee".parse()?;
/// let next = lanes.after::<Standard>(mv);
/// assert_eq!(next.hash(), game.hash(&game.play_unchecked(&game.start(), mv)));
/// # Ok::<(), grid::TextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Lanes {
    pub(crate) stones: [[u16; 9]; 2],
    pub(crate) won: [u16; 2],
    pub(crate) open: u16,
    pub(crate) next: u8,
    pub(crate) mover: u8,
    pub(crate) alive: [u16; 2],
    pub(crate) free: u64,
    pub(crate) hash: u64,
}

const _: () = assert!(size_of::<Lanes>() == 64);

/// The sum of nine lanes of four bits, none above 9.
#[inline(always)]
pub(crate) const fn sum_nibbles(free: u64) -> u32 {
    let pairs = (free & 0x0f0f_0f0f_0f0f_0f0f) + (free >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    (pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

/// The result of a finished game, given the won boards.
#[inline(always)]
pub(crate) fn result_of<R: Rule>(won: [u16; 2]) -> i32 {
    let [first, second] = won.map(CellSet::from_bits);
    match (first.has_line(), second.has_line()) {
        (true, _) => 1,
        (_, true) => -1,
        _ if R::MORE_BOARDS_WIN => (first.len() as i32 - second.len() as i32).signum(),
        _ => 0,
    }
}

impl Lanes {
    /// The position in this layout.
    #[must_use]
    pub fn new<R: Rule>(position: &Position) -> Self {
        let mut lanes = Self::bare::<R>(position);
        lanes.alive = [0, 1].map(|us| {
            let winnable = |board: &Cell| (!lanes.stones(1 - us, *board)).has_line();
            (lanes.undecided().into_iter().filter(winnable).collect::<CellSet>() | lanes.won(us)).bits()
        });
        lanes
    }

    /// The same without the live boards, for random playouts, which do not need them.
    #[inline]
    #[must_use]
    pub fn bare<R: Rule>(position: &Position) -> Self {
        let open = position.open_boards::<R>().bits();
        let mut lanes = Self {
            stones: [0, 1].map(|player| core::array::from_fn(|board| position.local(player, board))),
            won: [Player::First, Player::Second].map(|player| position.won(player).bits()),
            open,
            next: position.next,
            mover: position.mover,
            alive: [0; 2],
            free: 0,
            hash: position.hash,
        };
        for board in 0..9 {
            let count = u64::from(lanes.free_squares(board).count_ones());
            lanes.free |= (count * u64::from(open >> board & 1)) << (4 * board);
        }
        lanes
    }

    /// The boards that are not decided yet.
    #[inline(always)]
    pub(crate) const fn undecided(&self) -> CellSet {
        CellSet::from_bits(self.open & !(self.won[0] | self.won[1]))
    }

    /// Converts back to the 40-byte position. Not for hot code.
    #[must_use]
    pub fn position(&self) -> Position {
        let drawn = !self.open & !(self.won[0] | self.won[1]) & 0x1ff;
        let mut position = Position {
            rows: [[0; 2]; 3],
            boards: [self.won[0] | drawn, self.won[1] | drawn],
            next: self.next,
            mover: self.mover,
            hash: self.hash,
        };
        for board in 0..9 {
            for player in 0..2 {
                position.rows[board / 3][player] |= u32::from(self.stones[player][board]) << (9 * (board % 3));
            }
        }
        position
    }

    /// The hash, equal to the hash of the [`Position`].
    #[inline]
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The side to move: 0 for the first player, 1 for the second.
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> usize {
        self.mover as usize
    }

    /// Whether the game has ended.
    #[inline]
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.next == OVER
    }

    /// The boards that the player has won.
    #[inline]
    #[must_use]
    pub const fn won(&self, player: usize) -> CellSet {
        CellSet::from_bits(self.won[player])
    }

    /// The live boards of a player: those he has won, and those in which some line has no opposing stone. No continuation
    /// gives him any other board.
    #[inline]
    #[must_use]
    pub const fn alive(&self, player: usize) -> CellSet {
        CellSet::from_bits(self.alive[player])
    }

    /// The boards in which a move may still be made.
    #[inline]
    #[must_use]
    pub const fn open(&self) -> CellSet {
        CellSet::from_bits(self.open)
    }

    /// The squares of `board` that the player has marked.
    #[inline]
    #[must_use]
    pub const fn stones(&self, player: usize, board: Cell) -> CellSet {
        CellSet::from_bits(self.stones[player][board.index()])
    }

    /// The empty squares of a board, open or not.
    #[inline]
    #[must_use]
    pub const fn free(&self, board: Cell) -> CellSet {
        CellSet::from_bits(self.free_squares(board.index()))
    }

    #[inline(always)]
    pub(crate) const fn free_squares(&self, board: usize) -> u16 {
        !(self.stones[0][board] | self.stones[1][board]) & 0x1ff
    }

    /// The boards in which the mover may play; none if the game is over.
    #[inline(always)]
    #[must_use]
    pub const fn playable(&self) -> CellSet {
        CellSet::from_bits(match self.next {
            ANY => self.open,
            OVER => 0,
            forced => {
                debug_assert!(forced < 9);
                1 << forced
            }
        })
    }

    /// Number of squares that may still be marked.
    #[inline(always)]
    #[must_use]
    pub const fn empties(&self) -> u32 {
        sum_nibbles(self.free)
    }

    /// Number of empty squares in the open boards among `boards`.
    #[inline(always)]
    #[must_use]
    pub(crate) fn free_in(&self, boards: u16) -> u32 {
        sum_nibbles(self.free & NIBBLES[boards as usize])
    }

    /// Number of empty squares of an open board; 0 for a closed board.
    #[inline(always)]
    pub(crate) const fn free_count(&self, board: usize) -> u32 {
        debug_assert!(board < 9);
        (self.free >> (4 * board)) as u32 & 0xf
    }

    /// Number of legal moves.
    #[inline(always)]
    #[must_use]
    pub const fn move_count(&self) -> u32 {
        match self.next {
            ANY => self.empties(),
            OVER => 0,
            forced => self.free_count(forced as usize),
        }
    }

    /// The position after a legal move.
    #[inline(always)]
    #[must_use]
    pub fn after<R: Rule>(&self, mv: Move) -> Self {
        if self.closing_squares::<R>(mv.board()).contains(mv.square()) {
            let mut next = *self;
            next.advance::<R, true, true>(mv.board().index(), mv.square().index());
            return next;
        }
        self.after_quiet::<R, true, true>(mv.board().index(), mv.square().index())
    }

    /// The position after a move that neither wins nor fills its board. It needs no test, and all writes depend on the old
    /// position, not on the copy.
    #[inline(always)]
    pub(crate) fn after_quiet<R: Rule, const ALIVE: bool, const HASH: bool>(
        &self,
        board: usize,
        square: usize,
    ) -> Self {
        let us = self.mover as usize;
        let ours = self.stones[us][board] | 1 << square;
        let mut next = *self;
        next.stones[us][board] = ours;
        next.free = self.free - (1 << (4 * board));
        next.mover = self.mover ^ 1;
        next.next = if self.open >> square & 1 != 0 { square as u8 } else { ANY };
        if ALIVE {
            let bit = 1_u16 << board;
            let decided = R::WON_BOARDS_STAY_OPEN && (self.won[0] | self.won[1]) & bit != 0;
            let blocked = !decided && !(!CellSet::from_bits(ours)).has_line();
            next.alive[1 - us] = self.alive[1 - us] & !(u16::from(blocked) << board);
        }
        if HASH {
            next.hash = self.hash
                ^ STONES[board][1 << square].rotate_left(32 * us as u32)
                ^ SECOND_MOVES
                ^ NEXT[self.next as usize]
                ^ NEXT[next.next as usize];
        }
        next
    }

    /// The squares of a board that win or fill it: the moves that [`after_quiet`](Self::after_quiet) cannot play.
    #[inline(always)]
    pub(crate) fn closing_squares<R: Rule>(&self, board: Cell) -> CellSet {
        if self.free_count(board.index()) == 1 {
            self.free(board)
        } else {
            self.winning_squares::<R>(self.mover(), board)
        }
    }

    /// Plays a move in place. `ALIVE`: also updates the live boards. `HASH`: also updates the hash.
    #[inline(always)]
    pub(crate) fn advance<R: Rule, const ALIVE: bool, const HASH: bool>(&mut self, board: usize, square: usize) {
        let us = self.mover as usize;
        let bit = 1_u16 << board;
        self.mover ^= 1;
        self.stones[us][board] |= 1 << square;
        self.free -= 1 << (4 * board);
        if HASH {
            self.hash ^=
                STONES[board][1 << square].rotate_left(32 * us as u32) ^ SECOND_MOVES ^ NEXT[self.next as usize];
        }
        let decided = R::WON_BOARDS_STAY_OPEN && (self.won[0] | self.won[1]) & bit != 0;
        let won = !decided && CellSet::from_bits(self.stones[us][board]).has_line();
        let full = self.free_count(board) == 0;
        let mut over = false;
        if ALIVE && !decided && (won || !(!CellSet::from_bits(self.stones[us][board])).has_line()) {
            self.alive[1 - us] &= !bit;
        }
        if won || full {
            if won {
                self.won[us] |= bit;
                over = CellSet::from_bits(self.won[us]).has_line();
            }
            if full || !R::WON_BOARDS_STAY_OPEN {
                self.open &= !bit;
                self.free &= !(0xf << (4 * board));
            }
            over |= self.open == 0;
            if HASH {
                if won {
                    self.hash ^= DECIDED[board][us];
                } else if !decided {
                    self.hash ^= DECIDED[board][2];
                }
                if full || !R::WON_BOARDS_STAY_OPEN {
                    self.hash ^= stones_key(board, self.stones[0][board], self.stones[1][board]);
                }
            }
        }
        let sent = if self.open >> square & 1 != 0 { square as u8 } else { ANY };
        self.next = if over { OVER } else { sent };
        if HASH {
            self.hash ^= NEXT[self.next as usize];
        }
    }

    /// The result of a finished game: 1 for the first player, -1 for the second, 0 for a draw.
    #[inline]
    #[must_use]
    pub fn result<R: Rule>(&self) -> i32 {
        result_of::<R>(self.won)
    }

    /// The squares of `board` that would win it for the player; none if the board is decided.
    #[inline(always)]
    #[must_use]
    pub fn winning_squares<R: Rule>(&self, player: usize, board: Cell) -> CellSet {
        let decided = R::WON_BOARDS_STAY_OPEN && (self.won[0] | self.won[1]) >> board.index() & 1 != 0;
        if decided {
            return CellSet::EMPTY;
        }
        self.stones(player, board).completing() & self.free(board)
    }

    /// The undecided boards that would each complete a global line of the player.
    #[inline(always)]
    #[must_use]
    pub fn winning_boards(&self, player: usize) -> CellSet {
        self.won(player).completing() & (self.open() - self.won(1 - player))
    }
}
