//! Ultimate Tic-Tac-Toe on plain arrays, from the rule text.
//!
//! Each square of a global board holds a local board. A player marks a square; its position in the local board selects the
//! local board in which the opponent must play next. Three in a row wins a local board for good; three won boards in a row win
//! the game.

use crate::laws::{Model, position_text};
use grid::{Cell, Facts, Game, Notation, Player, Sym, Symmetric, TextError, Versus, mix};
use std::fmt;

/// The three rule variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// A decided board is closed. A player sent to a closed board may move anywhere. No global line is a draw.
    Standard,
    /// Like the standard rule, but without a global line the player with more won boards wins.
    CodinGame,
    /// A won board stays open until it is full; moves there have no effect. Only a full board frees the move.
    Open,
}

/// The state of a local board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Local {
    /// Nobody has a line, and at least one square is empty.
    Undecided,
    /// Won by the player who made the first line.
    Won(Player),
    /// Full without a line.
    Drawn,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// `squares[board][square]`.
    pub squares: [[Option<Player>; 9]; 9],
    /// The state of each board.
    pub boards: [Local; 9],
    /// The forced board; `None` for a free move.
    pub forced: Option<usize>,
    /// The side to move.
    pub mover: Player,
}

/// The rules as a game.
#[derive(Clone, Copy, Debug)]
pub struct Uttt(pub Rule);

pub(crate) const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

pub(crate) fn has_line(player: Player, squares: &[Option<Player>; 9]) -> bool {
    LINES.iter().any(|line| line.iter().all(|&square| squares[square] == Some(player)))
}

/// A square as the edges of a drawn board name it: files a to i from the left, ranks 9 to 1 from the top.
pub fn square_name(board: usize, square: usize) -> String {
    let files = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let ranks = ["9", "8", "7", "6", "5", "4", "3", "2", "1"];
    let column = board % 3 * 3 + square % 3;
    let row = board / 3 * 3 + square / 3;
    format!("{}{}", files[column], ranks[row])
}

impl State {
    /// Number of squares that the player has marked.
    pub fn stones(&self, player: Player) -> usize {
        self.squares.iter().flatten().filter(|square| **square == Some(player)).count()
    }

    /// Number of boards that the player has won.
    pub fn boards_won(&self, player: Player) -> usize {
        self.boards.iter().filter(|board| **board == Local::Won(player)).count()
    }

    /// The player with three boards in a row.
    pub fn global_line(&self) -> Option<Player> {
        let owners = self.boards.map(|board| if let Local::Won(player) = board { Some(player) } else { None });
        [Player::First, Player::Second].into_iter().find(|&player| has_line(player, &owners))
    }
}

impl Uttt {
    /// Whether a move in this board is still possible.
    pub fn is_playable(&self, state: &State, board: usize) -> bool {
        let full = state.squares[board].iter().all(Option::is_some);
        match self.0 {
            Rule::Standard | Rule::CodinGame => state.boards[board] == Local::Undecided,
            Rule::Open => !full,
        }
    }

    /// The legal moves as (board, square), in order.
    pub fn legal(&self, state: &State) -> Vec<(usize, usize)> {
        let mut moves = Vec::new();
        if state.global_line().is_some() {
            return moves;
        }
        for board in 0..9 {
            let allowed = state.forced.is_none_or(|forced| forced == board);
            if allowed && self.is_playable(state, board) {
                moves.extend((0..9).filter(|&square| state.squares[board][square].is_none()).map(|s| (board, s)));
            }
        }
        moves
    }

    /// The position after a mark.
    pub fn after(&self, state: &State, board: usize, square: usize) -> State {
        let mut next = *state;
        next.squares[board][square] = Some(state.mover);
        if next.boards[board] == Local::Undecided {
            if has_line(state.mover, &next.squares[board]) {
                next.boards[board] = Local::Won(state.mover);
            } else if next.squares[board].iter().all(Option::is_some) {
                next.boards[board] = Local::Drawn;
            }
        }
        let goes_on = next.global_line().is_none();
        next.forced = if goes_on && self.is_playable(&next, square) { Some(square) } else { None };
        next.mover = state.mover.other();
        next
    }

    /// Number of sequences of `depth` moves.
    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.legal(state).iter().map(|&(board, square)| self.perft(&self.after(state, board, square), depth - 1)).sum()
    }

    /// The exact value for the side to move by exhaustive search: 1 win, 0 draw, -1 loss.
    pub fn value(&self, state: &State) -> i32 {
        if let Some(result) = self.result(state) {
            return result * state.mover.sign();
        }
        let mut best = -1;
        for (board, square) in self.legal(state) {
            best = best.max(-self.value(&self.after(state, board, square)));
            if best == 1 {
                break;
            }
        }
        best
    }
}

impl Game for Uttt {
    type Position = State;
    type Move = (usize, usize);
    type Moves = std::vec::IntoIter<(usize, usize)>;

    const FACTS: Facts = Facts { name: "Ultimate Tic-Tac-Toe", longest_game: 81, most_moves: 81 };

    fn start(&self) -> State {
        State { squares: [[None; 9]; 9], boards: [Local::Undecided; 9], forced: None, mover: Player::First }
    }

    fn moves(&self, state: &State) -> Self::Moves {
        self.legal(state).into_iter()
    }

    fn play_unchecked(&self, state: &State, (board, square): (usize, usize)) -> State {
        self.after(state, board, square)
    }

    fn hash(&self, state: &State) -> u64 {
        let mut digest = mix(state.forced.unwrap_or(9) as u64 * 2 + (state.mover == Player::First) as u64);
        for board in 0..9 {
            for square in state.squares[board] {
                digest = mix(digest ^ square.map_or(0, |player| player as u64 + 1));
            }
            digest = mix(digest ^ u64::from(state.boards[board] == Local::Won(Player::First)));
        }
        digest
    }
}

impl Versus for Uttt {
    const BEST: i32 = 1;

    fn mover(&self, state: &State) -> Player {
        state.mover
    }

    fn result(&self, state: &State) -> Option<i32> {
        if let Some(winner) = state.global_line() {
            return Some(winner.sign());
        }
        if (0..9).any(|board| self.is_playable(state, board)) {
            return None;
        }
        let [first, second] = [Player::First, Player::Second].map(|player| state.boards_won(player));
        Some(match self.0 {
            Rule::Standard | Rule::Open => 0,
            Rule::CodinGame if first > second => 1,
            Rule::CodinGame if first < second => -1,
            Rule::CodinGame => 0,
        })
    }
}

impl Symmetric for Uttt {
    fn map(&self, state: &State, sym: Sym) -> State {
        State {
            squares: sym.array(state.squares.map(|board| sym.array(board))),
            boards: sym.array(state.boards),
            forced: state.forced.map(|board| sym.cell(Cell::ALL[board]).index()),
            mover: state.mover,
        }
    }

    fn map_move(&self, (board, square): (usize, usize), sym: Sym) -> (usize, usize) {
        (sym.cell(Cell::ALL[board]).index(), sym.cell(Cell::ALL[square]).index())
    }
}

/// A position under one rule as a [`Model`]. `RULE`: 0 standard, 1 CodinGame, 2 open.
#[derive(Clone, Copy, Debug)]
pub struct Ruled<const RULE: usize>(pub State);

impl<const RULE: usize> Ruled<RULE> {
    /// The rule.
    pub const GAME: Uttt = Uttt([Rule::Standard, Rule::CodinGame, Rule::Open][RULE]);
}

impl<const RULE: usize> Model for Ruled<RULE> {
    fn read(text: &str) -> Self {
        Self(Self::GAME.read_position(text).expect("a position"))
    }

    fn write(&self) -> String {
        position_text(&Self::GAME, &self.0)
    }

    fn moves(&self) -> Vec<String> {
        let text = |mv| {
            let mut text = String::new();
            Self::GAME.write_move(&self.0, mv, &mut text).map(|()| text).expect("writing to a string never fails")
        };
        Self::GAME.moves(&self.0).map(text).collect()
    }

    fn play(&self, mv: &str) -> Self {
        let mv = Self::GAME.read_move(&self.0, mv).expect("a legal move");
        Self(Self::GAME.play_unchecked(&self.0, mv))
    }

    fn result(&self) -> Option<i32> {
        Self::GAME.result(&self.0)
    }
}

/// The compact form `X;@........;........./...`: who moves, the nine boards, the 81 squares. A board shows `.` while it
/// is undecided, `X` or `O` when won, `#` when drawn; the forced board shows `@` instead of `.`, and `x` or `o` instead
/// of `X` or `O` (a won board can be forced under the open rule only).
impl Notation for Uttt {
    fn write_position(&self, state: &State, out: &mut dyn fmt::Write) -> fmt::Result {
        let letter = |player| if player == Player::First { 'X' } else { 'O' };
        write!(out, "{};", letter(state.mover))?;
        for board in 0..9 {
            let forced = state.forced == Some(board);
            out.write_char(match state.boards[board] {
                Local::Undecided if forced => '@',
                Local::Undecided => '.',
                Local::Won(player) if forced => letter(player).to_ascii_lowercase(),
                Local::Won(player) => letter(player),
                Local::Drawn => '#',
            })?;
        }
        for board in 0..9 {
            out.write_char(if board == 0 { ';' } else { '/' })?;
            for square in state.squares[board] {
                out.write_char(square.map_or('.', letter))?;
            }
        }
        Ok(())
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let mut state = self.start();
        let symbols: Vec<char> = text.chars().collect();
        if symbols.len() != 101 || !text.is_ascii() {
            return Err(TextError::new(text.len().min(101), "101 characters"));
        }
        let player = |symbol| match symbol {
            'X' | 'x' => Some(Player::First),
            'O' | 'o' => Some(Player::Second),
            _ => None,
        };
        state.mover = player(symbols[0]).ok_or(TextError::new(0, "X or O"))?;
        for board in 0..9 {
            let symbol = symbols[2 + board];
            state.boards[board] = match symbol {
                '.' | '@' => Local::Undecided,
                '#' => Local::Drawn,
                _ => Local::Won(player(symbol).ok_or(TextError::new(2 + board, "one of . X O # @ x o"))?),
            };
            if matches!(symbol, '@' | 'x' | 'o') {
                state.forced = Some(board);
            }
            for square in 0..9 {
                state.squares[board][square] = player(symbols[12 + 10 * board + square]);
            }
        }
        Ok(state)
    }

    fn write_move(&self, _: &State, (board, square): (usize, usize), out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{}{}", (b'a' + board as u8) as char, (b'a' + square as u8) as char)
    }

    fn read_move(&self, state: &State, text: &str) -> Result<(usize, usize), TextError> {
        self.legal(state)
            .into_iter()
            .find(|&(board, square)| text.bytes().eq([b'a' + board as u8, b'a' + square as u8]))
            .ok_or(TextError::new(0, "a legal move"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perft_is_the_published_one() {
        let text = include_str!("../data/uttt_perft.json");
        let data: serde_json::Value = serde_json::from_str(text).unwrap();
        let counts = |value: &serde_json::Value| -> Vec<u64> {
            value.as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect()
        };
        let check = |rule, name: &str| {
            let game = Uttt(rule);
            for (depth, leaves) in counts(&data["start"][name]["startpos"]).into_iter().enumerate().take(6) {
                assert_eq!(game.perft(&game.start(), depth as u32), leaves, "{rule:?}, depth {depth}");
            }
        };
        check(Rule::Standard, "standard_closed_board");
        check(Rule::CodinGame, "standard_closed_board");
        check(Rule::Open, "won_boards_stay_playable_until_full");
        let game = Uttt(Rule::Standard);
        for entry in data["suite"].as_array().unwrap() {
            let state = game.read_position(entry["pos"].as_str().unwrap()).unwrap();
            for (depth, leaves) in counts(&entry["perft"]).into_iter().enumerate().take(5) {
                assert_eq!(game.perft(&state, depth as u32), leaves, "{}, depth {depth}", entry["pos"]);
            }
        }
    }
}
