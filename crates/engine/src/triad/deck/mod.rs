//! The deck optimiser: which five cards of a collection are best against an opponent, and what is proved about them.
//!
//! The best deck has the most points over all hands of the opponent and both starts, hands open, against perfect play: a win
//! counts 1 and a draw 1/2. Decks of equal points are compared for a hidden hand: what is certain, then what is guaranteed,
//! then the chances against random play. After that the deck with fewer rare cards is better.
//!
//! Under Chaos and Roulette luck decides games. There a deck is worth its expected points ([`Lottery`]).
//!
//! | file | contents |
//! |---|---|
//! | `opponent` | [`Opponent`]: the games that a deck plays; the exact test of a game |
//! | `pool` | [`Pool`]: the cards to choose from, and the limits of decks |
//! | `judge` | the exact results of a deck, and which of two decks is better |
//! | `climb` | random restarts |
//! | `boxes` | sets of decks that one bound refutes |
//! | `hidden` | decks of equal points compared for a hidden hand |
//! | `expected`, `race` | [`Lottery`], [`optimise_expected()`]: expected points under Chaos and Roulette |
//! | `optimise` | [`optimise()`]: restarts, exchanges and boxes on all threads |
//! | `additions` | [`additions()`]: cards outside the collection that would help |
//! | `state`, `verify` | [`State`]: a search to be resumed, and a proof; [`verify()`] checks it |

mod additions;
mod boxes;
mod climb;
mod expected;
mod hidden;
mod judge;
mod opponent;
mod optimise;
mod pool;
mod race;
mod state;
mod verify;

use super::cards::Hand;
use crate::value::Outcome;
pub use additions::{Addition, additions};
pub use expected::{Expected, ExpectedDeck, ExpectedGame, Lottery, optimise_expected, rate_expected};
pub use hidden::Hidden;
pub use opponent::{Game, Opponent, Unranked};
pub use optimise::optimise;
pub use pool::Pool;
use serde::{Deserialize, Serialize};
pub use state::State;
pub use verify::{rate, verify};

/// How good a deck is known to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DeckStatus {
    /// No better deck is known.
    BestKnown,
    /// Nothing in the collection is better.
    Proved,
    /// It wins every game.
    Perfect,
}

impl DeckStatus {
    /// All three.
    pub const ALL: [Self; 3] = [Self::BestKnown, Self::Proved, Self::Perfect];

    /// The name in texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BestKnown => "best-known",
            Self::Proved => "proved",
            Self::Perfect => "perfect",
        }
    }
}

/// How to search.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Chooses the restarts.
    pub seed: u64,
    /// A deck that the result must not be worse than.
    pub deck: Option<Hand>,
    /// Where an earlier search of the same question stopped.
    pub state: Option<State>,
    /// How many decks of equal points are compared for a hidden hand. It takes seconds; 0 leaves it out.
    pub finalists: usize,
}

/// What a game of the deck comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The game.
    pub game: Game,
    /// For the owner of the deck.
    pub outcome: Outcome,
    /// His cards minus those of the opponent. None under Swap, where there are 25 times as many games.
    pub margin: Option<i32>,
}

/// The best deck found. Points are half-points.
#[derive(Clone, PartialEq, Debug)]
pub struct BestDeck {
    /// The cards; under Order in the order of play.
    pub deck: Hand,
    /// Every game.
    pub games: Vec<GameResult>,
    /// Two for a win, one for a draw.
    pub points: u32,
    /// Two for each game.
    pub most: u32,
    /// No deck of the collection has more.
    pub bound: u32,
    /// What is known.
    pub status: DeckStatus,
    /// Boxes that are not refuted.
    pub open_boxes: usize,
    /// Whether every exchange of one card was tried and is not better.
    pub no_exchange_is_better: bool,
    /// What it does when the opponent's hand is hidden, if that was asked for and is defined.
    pub hidden: Option<Hidden>,
    /// Null-window tests of games.
    pub tests: u64,
    /// Restarts.
    pub restarts: u64,
}

/// The partial answer of a search. Points are half-points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeckProgress {
    /// Of the best deck so far.
    pub points: u32,
    /// Two for each game.
    pub most: u32,
    /// No deck has more.
    pub bound: u32,
    /// Boxes that are not refuted.
    pub open_boxes: usize,
    /// Null-window tests of games.
    pub tests: u64,
}

/// What a checked proof shows. Points are half-points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The best deck.
    pub deck: Hand,
    /// Its points.
    pub points: u32,
    /// Two for each game.
    pub most: u32,
    /// No deck of the collection has more.
    pub bound: u32,
    /// What is shown.
    pub status: DeckStatus,
    /// The number of boxes that were checked.
    pub boxes: usize,
}
