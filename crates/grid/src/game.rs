//! What every game promises: small traits, cut so that a type never claims what its game cannot do.
//!
//! A *game* here is the rules (a value; zero-sized when the rules need no data, a table of card comparisons in Triple
//! Triad) and a *position* is a few words that can be copied. The games are not alike, and the traits say so:
//!
//! | trait | promise | tic-tac-toe | UTTT | Triple Triad | Cephalopods, contest | Cephalopods, two players |
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

/// One of the two players. The first is the one who opens the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The player who moves first: X, Blue, A.
    First,
    /// The player who answers: O, Red, B.
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

    /// `+1` for the first player, `-1` for the second: turns a score for the first into one for this player.
    #[inline]
    #[must_use]
    pub const fn sign(self) -> i32 {
        match self {
            Self::First => 1,
            Self::Second => -1,
        }
    }
}

/// The facts about a game that a program needs before the first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The name of the game, as the rules call it.
    pub name: &'static str,
    /// No game has more moves than this.
    pub longest_game: u32,
    /// No position has more moves than this.
    pub most_moves: u32,
}

/// The rules of a game.
///
/// Required methods come first; the provided ones below them follow from those and are not meant to be overridden
/// except for speed, in which case the law book of `oracle` holds them to the definitions given here.
pub trait Game {
    /// The state: a plain value, never changed in place.
    type Position: Copy + Eq + fmt::Debug;
    /// A move, without the position it is played in.
    type Move: Copy + Eq + fmt::Debug;
    /// The legal moves of one position, in a fixed order that is part of the contract.
    type Moves: ExactSizeIterator<Item = Self::Move> + Clone;

    /// The facts about this game.
    const FACTS: Facts;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// Every legal move. Empty exactly when the game is over.
    fn moves(&self, position: &Self::Position) -> Self::Moves;

    /// The position after `mv`. The caller promises that `mv` is one of [`moves`](Self::moves); for any other move the
    /// result is some position or a panic, never undefined behaviour.
    #[must_use]
    fn play_unchecked(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// A 64-bit digest. Equal positions have equal hashes; unequal ones may collide.
    fn hash(&self, position: &Self::Position) -> u64;

    // ---- provided ----

    /// Whether `mv` may be played now.
    #[inline]
    fn is_legal(&self, position: &Self::Position, mv: Self::Move) -> bool {
        self.moves(position).any(|legal| legal == mv)
    }

    /// The position after `mv`, or `None` if the rules forbid it.
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

/// A game of two players with open cards and no luck, in which one side's gain is the other's loss.
pub trait Versus: Game {
    /// Every result lies in `-BEST..=BEST`.
    const BEST: i32;

    /// Who moves next. In a finished game, who would.
    fn mover(&self, position: &Self::Position) -> Player;

    /// The result for the first player, or `None` while the game goes on: positive when the first player has won, zero
    /// for a draw, and as large as the margin by which the game was won.
    fn result(&self, position: &Self::Position) -> Option<i32>;
}

/// A game whose positions have an injective key of at most 64 bits, so that a table can hold them without any doubt.
pub trait ExactKey: Game {
    /// Keys are below `2^KEY_BITS`.
    const KEY_BITS: u32;

    /// The key. Equal keys mean equal positions.
    fn key(&self, position: &Self::Position) -> u64;
}

/// A game that looks the same from all eight sides of the board.
pub trait Symmetric: Game<Position: Ord> {
    /// The position seen through `sym`.
    #[must_use]
    fn map(&self, position: &Self::Position, sym: Sym) -> Self::Position;

    /// The move seen through `sym`: playing and mapping commute.
    #[must_use]
    fn map_move(&self, mv: Self::Move, sym: Sym) -> Self::Move;

    // ---- provided ----

    /// The least of the eight images, and a symmetry that leads to it.
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
    /// Writes the one-line form of a position.
    fn write_position(&self, position: &Self::Position, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Reads the one-line form; the error points at the character that is wrong.
    fn read_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// Writes a move of `position`.
    fn write_move(&self, position: &Self::Position, mv: Self::Move, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Reads a move of `position` and checks that it is legal there.
    fn read_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError>;
}
