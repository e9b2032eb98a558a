//! What the cards are called: the card lists of both games, opponents, collections, hands and what a deck may hold.
//!
//! The rules crate knows a card by its sides only. Names, levels and stars change with every patch of a game, so they
//! live here as data: text files built into the library, and read from a path in the same form.

mod book;
mod collection;
mod dealing;
mod hand;
mod names;
mod npcs;
mod search;
mod sheet;

pub use book::{Book, CardFault, KnownCard};
pub use collection::Collection;
pub use dealing::{DealFault, Dealer};
pub use hand::{CardRef, Hand, HandCard, HandFault, Holder, check_deck, read_hand, split_hand};
pub use names::{distance, fold, nearest};
pub use npcs::{Npc, NpcBook};
pub use search::{CardAnswer, CardsRequest, CardsResult, Match, NpcAnswer, NpcsRequest, NpcsResult};
pub use sheet::FileFault;
