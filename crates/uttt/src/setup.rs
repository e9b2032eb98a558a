//! An unchecked position, and the checks that turn it into a [`Position`].

use crate::position::{ANY, OVER};
use crate::{Local, Position, Rule};
use core::fmt;
use grid::{Cell, CellSet, Player, TextError};

/// An unchecked position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The marked squares by player and board.
    pub stones: [[CellSet; 9]; 2],
    /// The state of each board.
    pub boards: [Local; 9],
    /// The forced board; `None` for a free move.
    pub forced: Option<Cell>,
    /// Who moves.
    pub mover: Player,
}

/// Which positions are accepted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Accept {
    /// Positions that a game can reach, as far as the number of stones, the last move and the lines of closed boards tell.
    #[default]
    Reachable,
    /// All positions from which play can continue, reachable or not.
    Playable,
}

/// The part of a setup that is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupPart {
    /// The side to move.
    Mover,
    /// The forced board.
    Next,
    /// The state of a board.
    Board(Cell),
    /// A square of a board.
    Square(Cell, Cell),
}

/// Why a setup is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// The part that is wrong.
    pub place: SetupPart,
    /// What was expected.
    pub expected: &'static str,
}

impl fmt::Display for SetupError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "expected {}", self.expected)
    }
}

impl core::error::Error for SetupError {}

impl SetupError {
    /// The error at the byte at which the text has this part.
    pub(crate) fn at(self, byte_of: impl Fn(SetupPart) -> usize) -> TextError {
        TextError::new(byte_of(self.place), self.expected)
    }
}

const PLAYERS: [Player; 2] = [Player::First, Player::Second];

impl Setup {
    /// The board before the first move.
    pub const START: Self =
        Self { stones: [[CellSet::EMPTY; 9]; 2], boards: [Local::Undecided; 9], forced: None, mover: Player::First };

    /// The checked position.
    ///
    /// # Errors
    /// At the first part that is inconsistent or, if only reachable positions are accepted, shows that no game reaches this
    /// position.
    pub fn position<R: Rule>(&self, accept: Accept) -> Result<Position, SetupError> {
        let fault = |place, expected| Err(SetupError { place, expected });
        let reachable = accept == Accept::Reachable;
        for board in Cell::ALL {
            self.check_board::<R>(board, reachable)?;
        }
        let mut position = Position { mover: self.mover as u8, ..Position::START };
        for board in Cell::ALL {
            for player in PLAYERS {
                let stones = u32::from(self.stones[player as usize][board.index()].bits());
                position.rows[board.row()][player as usize] |= stones << (9 * board.column());
                let marked =
                    self.boards[board.index()] == Local::Won(player) || self.boards[board.index()] == Local::Drawn;
                position.boards[player as usize] |= u16::from(marked) << board.index();
            }
        }
        let open = position.open_boards::<R>();
        let lines = PLAYERS.map(|player| position.won(player).has_line());
        let over = lines[0] || lines[1] || open.is_empty();
        if let Some(forced) = self.forced {
            if over {
                return fault(SetupPart::Next, "no forced board: the game is over");
            }
            if !open.contains(forced) {
                return fault(SetupPart::Next, "a forced board that is open");
            }
        }
        if let [true, true] = lines {
            debug_assert!(!position.won(Player::Second).is_empty());
            let board = position.won(Player::Second).first().unwrap_or(Cell::CENTRE);
            return fault(SetupPart::Board(board), "a global line of one player, not of both");
        }
        position.next = if over { OVER } else { self.forced.map_or(ANY, |board| board.index() as u8) };
        position.hash = position.hash_from_scratch::<R>();
        if reachable {
            self.check_history(&position, lines, open)?;
        }
        Ok(position)
    }

    /// Checks that the state of a board agrees with its squares.
    fn check_board<R: Rule>(&self, board: Cell, reachable: bool) -> Result<(), SetupError> {
        let [first, second] = [0, 1].map(|player| self.stones[player][board.index()]);
        let fault = |expected| Err(SetupError { place: SetupPart::Board(board), expected });
        if let Some(square) = (first & second).first() {
            return Err(SetupError { place: SetupPart::Square(board, square), expected: "a square marked once" });
        }
        let full = first | second == CellSet::ALL;
        match (self.boards[board.index()], first.has_line(), second.has_line()) {
            (Local::Won(Player::First), false, _) => fault("anything but X: X has no line in this board"),
            (Local::Won(Player::Second), _, false) => fault("anything but O: O has no line in this board"),
            (Local::Won(_), true, true) if reachable && !R::WON_BOARDS_STAY_OPEN => {
                fault("a line of one player: a won board is closed (--lenient takes it)")
            }
            (Local::Won(_), _, _) => Ok(()),
            (_, true, true) => fault("X or O: both have a line in this board, one was first"),
            (_, true, _) => fault("X: X has a line in this board"),
            (_, _, true) => fault("O: O has a line in this board"),
            (Local::Undecided, ..) if full => fault("#: this board is full"),
            (Local::Drawn, ..) if !full => fault(". or @: this board is not full"),
            _ => Ok(()),
        }
    }

    /// Necessary conditions for a reachable position: the players alternated, some last move explains the forced board, and
    /// the winner of a finished game moved last.
    fn check_history(&self, position: &Position, lines: [bool; 2], open: CellSet) -> Result<(), SetupError> {
        let fault = |place, expected| Err(SetupError { place, expected });
        let [first, second] = self.stones.map(|boards| boards.iter().map(|board| board.len()).sum::<usize>());
        let them = self.mover.other();
        match self.mover {
            Player::First if first != second => {
                return fault(SetupPart::Mover, "as many X as O when X moves (--lenient takes it)");
            }
            Player::Second if first != second + 1 => {
                return fault(SetupPart::Mover, "one X more than O when O moves (--lenient takes it)");
            }
            _ => {}
        }
        if lines[self.mover as usize] {
            return fault(SetupPart::Mover, "the loser on the move: the winner moved last (--lenient takes it)");
        }
        let sent: CellSet =
            Cell::ALL.into_iter().filter(|&to| self.stones[them as usize].iter().any(|s| s.contains(to))).collect();
        match self.forced {
            Some(board) if !sent.contains(board) => {
                fault(SetupPart::Next, "a board some stone of the other side sends to (--lenient takes it)")
            }
            None if position.next == ANY && first + second > 0 && (sent - open).is_empty() => {
                fault(SetupPart::Next, "a forced board (@): no stone frees the move (--lenient takes it)")
            }
            _ => Ok(()),
        }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        let mut setup = Self { mover: position.mover(), ..Self::START };
        for board in Cell::ALL {
            for player in PLAYERS {
                setup.stones[player as usize][board.index()] = position.stones(player, board);
            }
            setup.boards[board.index()] = position.board(board);
        }
        if let crate::Next::Board(board) = position.next() {
            setup.forced = Some(board);
        }
        setup
    }
}
