//! The three rule variants as types, so that the compiler specialises every function and no move tests the rule at run time.

use core::fmt::Debug;

/// The differences between the rule variants.
pub trait Rule: Copy + Default + Debug + Send + Sync + 'static {
    /// The name, as `--rule` takes it.
    const NAME: &'static str;
    /// Whether moves in a won board stay legal until it is full. They do not change its winner.
    const WON_BOARDS_STAY_OPEN: bool;
    /// Whether the player with more won boards wins a game that ends without a global line.
    const MORE_BOARDS_WIN: bool;
}

/// A decided board is closed. A player sent to a closed board may move anywhere. Without a global line the game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Standard;

impl Rule for Standard {
    const NAME: &'static str = "standard";
    const WON_BOARDS_STAY_OPEN: bool = false;
    const MORE_BOARDS_WIN: bool = false;
}

/// The same moves as [`Standard`]. Without a global line the player with more won boards wins.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CodinGame;

impl Rule for CodinGame {
    const NAME: &'static str = "codingame";
    const WON_BOARDS_STAY_OPEN: bool = false;
    const MORE_BOARDS_WIN: bool = true;
}

/// A won board stays open until it is full. A player sent to a full board may move anywhere. Without a global line the game
/// is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Open;

impl Rule for Open {
    const NAME: &'static str = "open";
    const WON_BOARDS_STAY_OPEN: bool = true;
    const MORE_BOARDS_WIN: bool = false;
}
