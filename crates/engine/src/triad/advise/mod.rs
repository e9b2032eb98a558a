//! The adviser for hidden hands: what can I be sure of when I do not know the opponent's cards?
//!
//! The opponent holds one of several hands, the *worlds*. Five measures, each with its own model of the opponent:
//!
//! | measure | opponent | result |
//! |---|---|---|
//! | certain | perfect | win, draw or loss, whatever hand he holds |
//! | guaranteed | perfect, and knows everything | in how many worlds one fixed strategy wins; does not lose |
//! | random | plays a random card on a random cell | chances of a win, a draw, a loss |
//! | careful | under Chaos: places the drawn card where it costs me most, knowing no more than I do | the same |
//! | greedy | plays what leaves him the most cards now | the same |
//!
//! To solve each world by itself and to vote for a move is not a measure: in each world another follow-up may win, and I
//! cannot tell the worlds apart when I choose it. Certain wins are the case in which one strategy wins in all worlds, and no
//! strategy wins in more worlds than can be won openly.
//!
//! | file | contents |
//! |---|---|
//! | `deal`, `position` | [`HiddenDeal`], [`HiddenPosition`], [`HiddenMove`]: the rules |
//! | `answer` | [`Query`], [`Advice`]: the question and the answer |
//! | `plan`, `subject` | [`advise`]: what is computed, in which order |
//! | `open` | the open game in each world: upper bounds |
//! | `beliefs`, `node`, `firing`, `last_three` | what all searches share |
//! | `certain`, `guaranteed`, `random`, `greedy` | one search per measure; `random` has careful too |
//! | `replays` | what a draw is worth if it is replayed |
//! | `estimate` | chances from some of the replies |
//! | `kept` | [`advise_kept`]: answers before the first card, kept in a folder |
//! | `models` | which model explains the moves of an opponent |
//!
//! Under Chaos certain and guaranteed hold whatever is drawn, for both sides.
//!
//! Memory: 8 MiB per thread, the largest of the tables of the searches, of which a thread has one at a time; and the capture
//! tables of at most 15 cards: 16 KiB, under Ascension and Descension with Plus up to 6.3 MB. A memory limit of the control
//! makes the tables smaller, down to 1.3 MiB per thread.

mod answer;
mod beliefs;
mod certain;
mod deal;
mod estimate;
mod firing;
mod greedy;
mod guaranteed;
#[cfg(feature = "files")]
mod kept;
mod last_three;
mod models;
mod node;
mod open;
mod plan;
mod position;
mod random;
mod replays;
mod subject;

pub use answer::{Advice, Aim, Bounds, Chances, EXACT_CELLS, Measures, MoveAdvice, Query};
pub use deal::{HiddenDeal, HiddenSetup, MOST_OPPONENT_CARDS, MOST_WORLDS, Side};
#[cfg(feature = "files")]
pub use kept::advise_kept;
pub use models::{Model, SLIPS, likelihoods};
pub use plan::advise;
pub use position::{HiddenMove, HiddenPosition, Laid};
