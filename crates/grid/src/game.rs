//! The traits of a game, split so that a type implements only what its game supports.
//!
//! A *game* is a value that holds the rules. It is zero-sized if the rules need no data; in Triple Triad it holds the tables
//! of the ten cards. A *position* is a few words that are cheap to copy. The games differ, so there is one trait per
//! property:
//!
//! | trait | property | tic-tac-toe | UTTT | Triple Triad | Cephalopods, contest | Cephalopods, two players |
//! |---|---|---|---|---|---|---|
//! | [`Game`] | moves, play, hash | yes | yes | yes | yes | yes |
//! | [`Versus`] | two players, one result | yes | yes | no: Chaos draws cards | no: it is counted, not won | yes |
//! | [`ExactKey`] | a key without collisions in 64 bits | yes | no: 3^81 boards | yes | yes | yes |
//! | [`Symmetric`] | the eight symmetries | yes | yes | no: a card has an up side | yes | yes |
//! | [`Notation`] | text in and out | yes | yes | yes | yes | yes |
//!
//! Nothing here evaluates, undoes, allocates or has a default that panics.

use crate::{Sym, TextError};
use core::fmt;

/// One of the two players. The first player makes the first move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The player who moves first: X, Blue, A.
    First,
    /// The player who moves second: O, Red, B.
    Second,
}

impl Player {
    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// `+1` for the first player, `-1` for the second. Converts a score for the first player into one for this player.
    #[inline]
    #[must_use]
    pub const fn sign(self) -> i32 {
        match self {
            Self::First => 1,
            Self::Second => -1,
        }
    }
}

/// Constants of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The name of the game.
    pub name: &'static str,
    /// Upper bound on the number of moves in a game.
    pub longest_game: u32,
    /// Upper bound on the number of legal moves in a position.
    pub most_moves: u32,
}

/// The rules of a game.
///
/// Required methods come first. The provided methods follow from them. Override a provided method only for speed: the laws in
/// `oracle` check it against the definition given here.
pub trait Game {
    /// The state: a plain value that is copied and never changed in place.
    type Position: Copy + Eq + fmt::Debug;
    /// A move, without its position.
    type Move: Copy + Eq + fmt::Debug;
    /// The legal moves of one position, in a fixed order that is part of the contract.
    type Moves: ExactSizeIterator<Item = Self::Move> + Clone;

    /// The constants of this game.
    const FACTS: Facts;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// Every legal move. Empty exactly when the game is over.
    fn moves(&self, position: &Self::Position) -> Self::Moves;

    /// The position after `mv`, which must be one of [`moves`](Self::moves). For any other move the result is an arbitrary
    /// position or a panic, never undefined behaviour.
    #[must_use]
    fn play_unchecked(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// A 64-bit hash. Equal positions have equal hashes; different positions may collide.
    fn hash(&self, position: &Self::Position) -> u64;

    // ---- provided ----

    /// Whether `mv` is legal.
    #[inline]
    fn is_legal(&self, position: &Self::Position, mv: Self::Move) -> bool {
        self.moves(position).any(|legal| legal == mv)
    }

    /// The position after `mv`; `None` if the move is illegal.
    #[inline]
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Option<Self::Position> {
        self.is_legal(position, mv).then(|| self.play_unchecked(position, mv))
    }

    /// Whether the game has ended.
    #[inline]
    fn is_over(&self, position: &Self::Position) -> bool {
        self.moves(position).len() == 0
    }
}

/// A two-player zero-sum game with perfect information and no luck.
pub trait Versus: Game {
    /// Every result lies in `-BEST..=BEST`.
    const BEST: i32;

    /// The side to move. In a finished game, the side that would move next.
    fn mover(&self, position: &Self::Position) -> Player;

    /// The result for the first player; `None` while the game goes on. Positive for a win, zero for a draw; the absolute
    /// value is the margin.
    fn result(&self, position: &Self::Position) -> Option<i32>;
}

/// A game whose positions have an injective key of at most 64 bits, so that a table lookup is exact.
pub trait ExactKey: Game {
    /// Keys are below `2^KEY_BITS`.
    const KEY_BITS: u32;

    /// The key. Equal keys mean equal positions.
    fn key(&self, position: &Self::Position) -> u64;
}

/// A game whose rules are invariant under the eight symmetries of the square.
pub trait Symmetric: Game<Position: Ord> {
    /// The image of a position under `sym`.
    #[must_use]
    fn map(&self, position: &Self::Position, sym: Sym) -> Self::Position;

    /// The image of a move under `sym`. Playing and mapping commute.
    #[must_use]
    fn map_move(&self, mv: Self::Move, sym: Sym) -> Self::Move;

    // ---- provided ----

    /// The smallest of the eight images, and a symmetry that maps the position to it.
    fn canonical(&self, position: &Self::Position) -> (Self::Position, Sym) {
        let mut best = (*position, Sym::IDENTITY);
        for sym in Sym::ALL {
            let image = self.map(position, sym);
            if image < best.0 {
                best = (image, sym);
            }
        }
        best
    }
}

/// A game whose positions and moves have a text form that round-trips.
pub trait Notation: Game {
    /// Writes a position as one line of text.
    fn write_position(&self, position: &Self::Position, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Reads a position from one line of text. The error points at the wrong character.
    fn read_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// Writes a move of `position`.
    fn write_move(&self, position: &Self::Position, mv: Self::Move, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Reads a move of `position` and checks that it is legal there.
    fn read_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError>;
}
