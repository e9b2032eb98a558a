//! The question to the adviser and its answer.

use super::position::HiddenMove;
use crate::value::Outcome;

/// What I maximise against a random or greedy opponent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Aim {
    /// A win counts 1, a draw 1/2. Of equal points, more wins.
    #[default]
    Points,
    /// Wins, and of equal chances to win, draws.
    Win,
}

impl Aim {
    /// Chances as numbers to compare: better chances have a larger pair. Chances that differ by less than 1e-9 are equal.
    pub(super) fn rank(self, chances: Chances) -> (i64, i64) {
        let whole = |share: f64| (share * 1e9).round() as i64;
        match self {
            Self::Points => (whole(chances.win + chances.draw / 2.0), whole(chances.win)),
            Self::Win => (whole(chances.win), whole(chances.draw)),
        }
    }
}

/// What is asked. [`certain`](Measures::certain) and the guaranteed numbers are always computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Query {
    /// What is maximised against a random or greedy opponent.
    pub aim: Aim,
    /// Whether to compute the chances against random play, and under Chaos against a careful opponent.
    pub random: bool,
    /// Whether to compute the chances against greedy play.
    pub greedy: bool,
    /// With more than [`EXACT_CELLS`] empty cells: how many of the opponent's replies to each move are solved. The
    /// chances then have an error, unless all replies are solved. `None`: all of them.
    pub replies: Option<u32>,
    /// Selects the replies.
    pub seed: u64,
}

/// With at most this many empty cells the chances are always exact.
pub const EXACT_CELLS: usize = 7;

impl Default for Query {
    fn default() -> Self {
        Self { aim: Aim::Points, random: true, greedy: false, replies: None, seed: 0 }
    }
}

/// Chances of my results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// I win.
    pub win: f64,
    /// A draw.
    pub draw: f64,
    /// I lose.
    pub loss: f64,
    /// One standard error, the largest of the three; `None` if the chances are exact.
    pub error: Option<f64>,
}

/// What is known of a number: it is at least `low` and at most `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds<T> {
    /// Proved lower bound.
    pub low: T,
    /// Proved upper bound.
    pub high: T,
}

impl<T: Copy + PartialEq> Bounds<T> {
    /// A known number.
    #[must_use]
    pub const fn exact(value: T) -> Self {
        Self { low: value, high: value }
    }

    /// Whether the number is known.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }
}

/// The measures of a position or of a move. Each has a model of its own, and they are never mixed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measures {
    /// The result against perfect play that I can force in every world left. Under Chaos, whatever is drawn for both.
    pub certain: Bounds<Outcome>,
    /// In how many of the worlds left one strategy wins against the best defence. Under Chaos, whatever is drawn for both.
    pub win: Bounds<u32>,
    /// In how many of the worlds left one strategy does not lose against the best defence. This may be another strategy.
    pub not_lose: Bounds<u32>,
    /// Against an opponent who plays a random card on a random cell.
    pub random: Option<Chances>,
    /// Under Chaos: the opponent's card is drawn at random, and he places it where it costs me most, knowing no more than I
    /// do. None if his cards are not drawn.
    pub careful: Option<Chances>,
    /// Against an opponent who plays the move that leaves him the most cards, one of the best at random. The worlds left
    /// count as equally likely now: what was played before is no evidence. Under Chaos he places the card that is drawn so.
    pub greedy: Option<Chances>,
}

/// The measures of one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveAdvice {
    /// The move.
    pub mv: HiddenMove,
    /// Its measures.
    pub measures: Measures,
}

/// The measures of a move can be read as fields of the move.
impl std::ops::Deref for MoveAdvice {
    type Target = Measures;

    fn deref(&self) -> &Measures {
        &self.measures
    }
}

/// The answer of the adviser.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The number of worlds left.
    pub worlds: usize,
    /// The measures of the position itself.
    pub position: Measures,
    /// My moves, best first: by certain, then by guaranteed wins, then by not losing, then by the aim against random play,
    /// then in the order of the rules. Under Chaos careful comes before random; if my card is still to be drawn, the moves
    /// are grouped by card. Empty if the opponent is to move.
    pub moves: Vec<MoveAdvice>,
    /// Whether everything that was asked is known, or estimated from as many replies as were asked for.
    pub complete: bool,
    /// Nodes visited.
    pub nodes: u64,
}
