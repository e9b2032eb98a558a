//! The cards by name: the card lists of both games, opponents, collections, hands and the limits of decks.
//!
//! The rules crate knows a card by its sides only. Names, levels and stars change with every patch of a game, so they are
//! data: text files built into the library, or read from a path in the same format.

mod book;
mod collection;
mod collection_text;
mod dealing;
mod deck_table;
mod hand;
mod names;
mod npcs;
mod search;
mod sheet;

pub use book::{Book, KnownCard, mark_of};
pub use collection::Collection;
pub use dealing::{Dealer, roulette_rules};
pub use deck_table::{DeckRow, DeckTable, Standing};
pub use hand::{Hand, HandCard, Holder, check_deck, read_hand, split_hand};
pub use names::{distance, fold, nearest};
pub use npcs::{Npc, NpcBook, hands_of};
pub use search::MatchKind;
