//! The three rules as types, so that a choice of rule is made by the compiler and never in the middle of a move.

use core::fmt::Debug;

/// What the rules differ in.
pub trait Rule: Copy + Default + Debug + Send + Sync + 'static {
    /// The name, as `--rule` takes it.
    const NAME: &'static str;
    /// Whether a won board may be played in until it is full. Playing there has no effect on who won it.
    const WON_BOARDS_STAY_OPEN: bool;
    /// Whether more won boards win a game that ends without a global line.
    const MORE_BOARDS_WIN: bool;
}

/// A finished board is closed, being sent to one frees the move, no line is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Standard;

impl Rule for Standard {
    const NAME: &'static str = "standard";
    const WON_BOARDS_STAY_OPEN: bool = false;
    const MORE_BOARDS_WIN: bool = false;
}

/// The same tree of moves; at its end, without a line, more boards won wins.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CodinGame;

impl Rule for CodinGame {
    const NAME: &'static str = "codingame";
    const WON_BOARDS_STAY_OPEN: bool = false;
    const MORE_BOARDS_WIN: bool = true;
}

/// A won board may be played in until it is full; only a full board frees the move; no line is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Open;

impl Rule for Open {
    const NAME: &'static str = "open";
    const WON_BOARDS_STAY_OPEN: bool = true;
    const MORE_BOARDS_WIN: bool = false;
}
