//! The text forms: two for a move and two for a position.
//!
//! ```text
//! move      f4   file a to i from the left, rank 1 to 9 from the bottom, as on the edges of a drawn board; for people
//!           ei   letters of the board and of the square in it, both row by row from the top; for data and JSON
//! ```
//!
//! The second character is a digit in the first form and a letter in the second, so no text is ambiguous. Both are read
//! wherever a move is read.
//!
//! ```text
//! compact  X;@........;........./....X..../...       who moves; nine boards; their squares, board by board
//! FEN      9/9/9/9/4x4/9/9/9/9 O 1 e5                rows from the top; who moves; ply; last move
//! ```
//!
//! Compact: a board is `.` undecided, `X` or `O` won, `#` drawn, `@` undecided and forced. Under the open rule a won
//! board can be forced: it is then written `x` or `o`.
//! FEN: the ply is the number of stones, or 0 where it was not counted. The last move gives the forced board; `-` or
//! `0000` means a free move. If both players have a line in one board (open rule), the squares do not show who won it, so
//! a fifth field gives the nine boards as in the compact form.

use crate::setup::{Accept, Setup, SetupPart};
use crate::{Local, Move, Next, Position, Rule, Uttt};
use core::fmt;
use grid::{Cell, CellSet, Game, Notation, Player, TextError};

const LETTERS: [char; 2] = ['X', 'O'];

impl Move {
    /// The move as file and rank: the form for people.
    #[must_use]
    pub const fn algebraic(self) -> Algebraic {
        Algebraic(self)
    }
}

/// Two letters: board, square.
impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |cell: Cell| (b'a' + cell.index() as u8) as char;
        write!(out, "{}{}", letter(self.board()), letter(self.square()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// A [`Move`] that prints as file and rank.
#[derive(Clone, Copy, Debug)]
pub struct Algebraic(Move);

impl fmt::Display for Algebraic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, column) = self.0.row_and_column();
        write!(out, "{}{}", (b'a' + column as u8) as char, 9 - row)
    }
}

/// Reads both forms: `f4` and `ei`.
impl core::str::FromStr for Move {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut symbols = text.char_indices();
        let (_, first) = symbols.next().ok_or(TextError::new(0, "a move such as e5, or two letters such as ee"))?;
        let letter = |symbol: char| Cell::new((symbol.to_ascii_lowercase() as usize).wrapping_sub('a' as usize));
        let board = letter(first).ok_or(TextError::new(0, "a letter from a to i"))?;
        let (at, second) = symbols.next().ok_or(TextError::new(text.len(), "a digit from 1 to 9, or a letter"))?;
        if let Some((at, _)) = symbols.next() {
            return Err(TextError::new(at, "the end of the move"));
        }
        let by_rank = || Self::at(9_usize.wrapping_sub(second.to_digit(10)? as usize), board.index());
        letter(second)
            .map(|square| Self::new(board, square))
            .or_else(by_rank)
            .ok_or(TextError::new(at, "a digit from 1 to 9, or a letter from a to i"))
    }
}

fn board_symbol(position: &Position, board: Cell, forced: bool) -> char {
    match position.board(board) {
        Local::Undecided if forced => '@',
        Local::Undecided => '.',
        Local::Won(player) if forced => LETTERS[player as usize].to_ascii_lowercase(),
        Local::Won(player) => LETTERS[player as usize],
        Local::Drawn => '#',
    }
}

pub(crate) fn write_compact(position: &Position, out: &mut dyn fmt::Write) -> fmt::Result {
    write!(out, "{};", LETTERS[position.mover() as usize])?;
    for board in Cell::ALL {
        out.write_char(board_symbol(position, board, position.next() == Next::Board(board)))?;
    }
    for board in Cell::ALL {
        out.write_char(if board.index() == 0 { ';' } else { '/' })?;
        for square in Cell::ALL {
            out.write_char(square_symbol(position, Move::new(board, square)).unwrap_or('.'))?;
        }
    }
    Ok(())
}

fn square_symbol(position: &Position, mv: Move) -> Option<char> {
    let marked = |player| position.stones(player, mv.board()).contains(mv.square());
    [Player::First, Player::Second].into_iter().find(|&player| marked(player)).map(|player| LETTERS[player as usize])
}

impl Position {
    /// Writes the FEN that UGI engines use.
    ///
    /// The position does not store its last move. The text names the first stone that explains the forced board; only the
    /// square of that stone within its board is significant. If no stone explains it, the text names a square that would.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_fen(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        for row in 0..9 {
            if row > 0 {
                out.write_char('/')?;
            }
            let mut empty = 0;
            for column in 0..9 {
                let symbol = Move::at(row, column).and_then(|mv| square_symbol(self, mv));
                if symbol.is_some() && empty > 0 {
                    write!(out, "{empty}")?;
                }
                empty = if symbol.is_some() { 0 } else { empty + 1 };
                if let Some(symbol) = symbol {
                    out.write_char(symbol.to_ascii_lowercase())?;
                }
            }
            if empty > 0 {
                write!(out, "{empty}")?;
            }
        }
        write!(out, " {} {} ", LETTERS[self.mover() as usize], self.ply())?;
        match self.next() {
            Next::Board(square) => {
                let explains = |board: &Cell| self.stones(self.mover().other(), *board).contains(square);
                let board = Cell::ALL.into_iter().find(explains).unwrap_or(square);
                write!(out, "{}", Move::new(board, square).algebraic())?;
            }
            Next::Any | Next::Over => out.write_char('-')?,
        }
        let both = |board| [Player::First, Player::Second].iter().all(|&player| self.stones(player, board).has_line());
        if Cell::ALL.into_iter().any(both) {
            out.write_char(' ')?;
            Cell::ALL.into_iter().try_for_each(|board| out.write_char(board_symbol(self, board, false)))?;
        }
        Ok(())
    }

    /// The position after a move of the standard rule, in either notation.
    ///
    /// ```
    /// use ninefold_uttt::Position;
    /// let position = Position::START.play("e5")?.play("ea")?;
    /// assert_eq!(position.ply(), 2);
    /// assert!(position.play("e5").is_err());
    /// # Ok::<(), grid::TextError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not a move, or the move is not legal.
    pub fn play(&self, text: &str) -> Result<Self, TextError> {
        let game = Uttt::<crate::Standard>::GAME;
        Ok(game.play_unchecked(self, game.read_move(self, text)?))
    }

    /// Reads either form.
    ///
    /// # Errors
    /// At the first wrong character.
    pub fn read<R: Rule>(text: &str, accept: Accept) -> Result<Self, TextError> {
        if text.as_bytes().get(1) == Some(&b';') {
            read_compact::<R>(text, accept)
        } else {
            read_fen::<R>(text, accept)
        }
    }
}

fn player_of(symbol: u8) -> Option<Player> {
    match symbol {
        b'X' => Some(Player::First),
        b'O' => Some(Player::Second),
        _ => None,
    }
}

fn read_board_symbol(symbol: u8, at: usize) -> Result<(Local, bool), TextError> {
    let won = |forced| player_of(symbol.to_ascii_uppercase()).map(|player| (Local::Won(player), forced));
    match symbol {
        b'.' => Some((Local::Undecided, false)),
        b'@' => Some((Local::Undecided, true)),
        b'#' => Some((Local::Drawn, false)),
        b'X' | b'O' => won(false),
        b'x' | b'o' => won(true),
        _ => None,
    }
    .ok_or(TextError::new(at, "one of . X O # @ for a board"))
}

fn read_compact<R: Rule>(text: &str, accept: Accept) -> Result<Position, TextError> {
    let bytes = text.as_bytes();
    let symbol = |at: usize, expected| bytes.get(at).copied().ok_or(TextError::new(text.len(), expected));
    let mut setup = Setup::START;
    setup.mover = player_of(symbol(0, "X or O")?).ok_or(TextError::new(0, "X or O, the side to move"))?;
    for board in Cell::ALL {
        let at = 2 + board.index();
        let (local, forced) = read_board_symbol(symbol(at, "nine boards")?, at)?;
        setup.boards[board.index()] = local;
        if forced && setup.forced.replace(board).is_some() {
            return Err(TextError::new(at, "one forced board and no more"));
        }
    }
    for board in Cell::ALL {
        let at = 11 + 10 * board.index();
        let separator = if board.index() == 0 { b';' } else { b'/' };
        if symbol(at, "nine boards of nine squares")? != separator {
            return Err(TextError::new(
                at,
                if board.index() == 0 { "; after the boards" } else { "/ between two boards" },
            ));
        }
        for square in Cell::ALL {
            let at = at + 1 + square.index();
            match symbol(at, "nine boards of nine squares")? {
                b'.' => {}
                mark => {
                    let player = player_of(mark).ok_or(TextError::new(at, "X, O or . for a square"))?;
                    let stones = &mut setup.stones[player as usize][board.index()];
                    *stones = stones.with(square);
                }
            }
        }
    }
    if text.len() > 101 {
        return Err(TextError::new(101, "the end of the position"));
    }
    setup.position::<R>(accept).map_err(|error| {
        error.at(|place| match place {
            SetupPart::Mover => 0,
            SetupPart::Next => 2 + setup.forced.map_or(0, Cell::index),
            SetupPart::Board(board) => 2 + board.index(),
            SetupPart::Square(board, square) => 12 + 10 * board.index() + square.index(),
        })
    })
}

/// A word of the text and the byte at which it starts.
fn word(text: &str, number: usize) -> Option<(usize, &str)> {
    let word = text.split_ascii_whitespace().nth(number)?;
    Some((word.as_ptr() as usize - text.as_ptr() as usize, word))
}

fn read_fen<R: Rule>(text: &str, accept: Accept) -> Result<Position, TextError> {
    let missing = |expected| TextError::new(text.len(), expected);
    let mut setup = Setup::START;
    let mut squares = [[0; 9]; 9];
    let (start, rows) = word(text, 0).ok_or(missing("a position: X;@........;... or a FEN"))?;
    let (mut row, mut column) = (0, 0);
    for (at, symbol) in rows.bytes().enumerate() {
        let at = at + start;
        match symbol {
            b'/' if column == 9 && row < 8 => (row, column) = (row + 1, 0),
            b'/' => return Err(TextError::new(at, "nine rows of nine squares")),
            b'1'..=b'9' if column + usize::from(symbol - b'0') <= 9 => column += usize::from(symbol - b'0'),
            b'1'..=b'9' => return Err(TextError::new(at, "no more than nine squares in a row")),
            _ => {
                let player = player_of(symbol.to_ascii_uppercase());
                let player = player.ok_or(TextError::new(at, "x, o, / or a number of empty squares"))?;
                let mv = Move::at(row, column).ok_or(TextError::new(at, "no more than nine squares in a row"))?;
                let stones = &mut setup.stones[player as usize][mv.board().index()];
                *stones = stones.with(mv.square());
                squares[row][column] = at;
                column += 1;
            }
        }
    }
    if (row, column) != (8, 9) {
        return Err(TextError::new(start + rows.len(), "nine rows of nine squares"));
    }
    let (mover_at, mover) = word(text, 1).ok_or(missing("X or O, the side to move"))?;
    setup.mover = match mover {
        "X" | "x" => Player::First,
        "O" | "o" => Player::Second,
        _ => return Err(TextError::new(mover_at, "X or O, the side to move")),
    };
    let (ply_at, ply) = word(text, 2).ok_or(missing("the number of moves made"))?;
    if ply.len() > 9 || ply.bytes().any(|digit| !digit.is_ascii_digit()) {
        return Err(TextError::new(ply_at, "the number of moves made"));
    }
    let stones: usize = setup.stones.iter().flatten().map(|stones| stones.len()).sum();
    // Some programs write 0 in every position.
    if accept == Accept::Reachable && !matches!(ply.parse::<usize>(), Ok(count) if count == stones || count == 0) {
        return Err(TextError::new(ply_at, "the number of stones on the board (--lenient takes it)"));
    }
    let (last_at, last) = word(text, 3).ok_or(missing("the last move, or -"))?;
    let boards = word(text, 4);
    if let Some((at, _)) = word(text, 5) {
        return Err(TextError::new(at, "the end of the position"));
    }
    decide_boards(&mut setup, boards, text.len())?;
    if !matches!(last, "-" | "0000") {
        let mv: Move = last.parse().map_err(|error: TextError| error.shifted(last_at))?;
        if !last.as_bytes()[1].is_ascii_digit() {
            return Err(TextError::new(last_at + 1, "a digit from 1 to 9"));
        }
        if accept == Accept::Reachable
            && !setup.stones[setup.mover.other() as usize][mv.board().index()].contains(mv.square())
        {
            return Err(TextError::new(last_at, "a square of the side that moved last (--lenient takes it)"));
        }
        setup.forced = Some(mv.square());
        // The move is free if the target board is closed or the game is over. Only the checked position tells.
        if let Ok(position) = (Setup { forced: None, ..setup }).position::<R>(Accept::Playable)
            && (position.next() == Next::Over || !position.open_boards::<R>().contains(mv.square()))
        {
            setup.forced = None;
        }
    }
    setup.position::<R>(accept).map_err(|error| {
        error.at(|place| match place {
            SetupPart::Mover => mover_at,
            SetupPart::Next => last_at,
            SetupPart::Board(board) => {
                let marked = setup.stones[0][board.index()] | setup.stones[1][board.index()];
                marked.first().map_or(last_at, |square| {
                    let (row, column) = Move::new(board, square).row_and_column();
                    squares[row][column]
                })
            }
            SetupPart::Square(board, square) => {
                let (row, column) = Move::new(board, square).row_and_column();
                squares[row][column]
            }
        })
    })
}

/// Sets the state of each board from its squares, or from the fifth field where the squares are ambiguous.
fn decide_boards(setup: &mut Setup, field: Option<(usize, &str)>, end: usize) -> Result<(), TextError> {
    for board in Cell::ALL {
        let [first, second] = [0, 1].map(|player| setup.stones[player][board.index()]);
        setup.boards[board.index()] = match (first.has_line(), second.has_line()) {
            (true, true) if field.is_none() => {
                return Err(TextError::new(end, "the nine boards as . X O #: in one of them both have a line"));
            }
            (true, _) => Local::Won(Player::First),
            (_, true) => Local::Won(Player::Second),
            _ if first | second == CellSet::ALL => Local::Drawn,
            _ => Local::Undecided,
        };
    }
    let Some((start, field)) = field else { return Ok(()) };
    if field.len() != 9 {
        let end = field.char_indices().nth(9).map_or(field.len(), |(at, _)| at);
        return Err(TextError::new(start + end, "nine boards, each one of . X O #"));
    }
    for (board, symbol) in Cell::ALL.into_iter().zip(field.bytes()) {
        let at = start + board.index();
        let (local, forced) = read_board_symbol(symbol, at)?;
        if forced {
            return Err(TextError::new(at, "one of . X O #: the last move tells the forced board"));
        }
        setup.boards[board.index()] = local;
    }
    Ok(())
}

/// Under the standard rule, in either notation.
impl core::str::FromStr for Position {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::read::<crate::Standard>(text, Accept::Reachable)
    }
}

impl<R: Rule> Notation for Uttt<R> {
    fn write_position(&self, position: &Position, out: &mut dyn fmt::Write) -> fmt::Result {
        write_compact(position, out)
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        Position::read::<R>(text, Accept::Reachable)
    }

    fn write_move(&self, _: &Position, mv: Move, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{mv}")
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        let mv = text.parse()?;
        if self.is_legal(position, mv) {
            return Ok(mv);
        }
        // The second character names the square within the board in two letters, and the rank in file and rank.
        let by_rank = text.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        let wrong_board = |wanted: Cell| usize::from(by_rank && wanted.column() == mv.board().column());
        let (at, expected) = match position.next() {
            Next::Over => (0, "no move: the game is over"),
            Next::Board(board) if board != mv.board() => (wrong_board(board), "a move in the forced board"),
            _ if !position.open_boards::<R>().contains(mv.board()) => (0, "a move in a board that is open"),
            _ => (usize::from(!by_rank), "an empty square"),
        };
        Err(TextError::new(at, expected))
    }
}
