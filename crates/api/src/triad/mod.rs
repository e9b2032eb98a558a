//! Triple Triad: the session, and the verbs that only this game has.
//!
//! | verb | question | answer |
//! |---|---|---|
//! | [`deal()`] | [`DealQuestion`] | [`View`](crate::View) |
//! | [`Session::solve_deal`] | [`SolveDealQuestion`] | [`Analysis`](crate::Analysis) |
//! | [`replay()`] | [`ReplayQuestion`] | [`ReplayAnswer`] |
//! | [`advise()`] | [`AdviseQuestion`] | [`AdviseAnswer`] |
//! | [`log`] | [`LoggedGame`]s | [`LogAnswer`]s |
//! | [`cards`] | [`CardsQuestion`] | [`CardsAnswer`] |
//! | [`npcs`] | [`NpcsQuestion`] | [`NpcsAnswer`] |
//! | [`DeckQuestion::read`], [`DeckTask::solve`] | [`DeckQuestion`] | [`DeckAnswer`] |
//! | [`draft()`] | [`DraftQuestion`] | [`DraftAnswer`] |
//! | [`verify_deck`] | a file | [`VerifyDeckAnswer`] |
//! | [`rules`] | none | [`RulesAnswer`] |
//!
//! Every verb that reads cards takes a [`Book`]: the built-in list, or your own.

mod advise;
mod deal;
mod deck;
mod draft;
mod lists;
mod opponent;
mod replay;
mod session;
mod solve;
mod view;

pub use ::triad::{Deal, Edition, Element, HAND, Position, Rule, Rules, Setup, rank_symbol};
pub use advise::{
    AdviseAnswer, AdviseQuestion, Aim, AtMost, Guaranteed, HiddenCell, HiddenGame, LogAnswer, LoggedGame, ModelChances,
    MoveMeasures, PositionMeasures, SwapText, advise, log,
};
pub use deal::{
    CardRef, DealQuestion, MoveText, deal, move_label, player_letter, position_text, read_edition, read_games,
    read_player, read_position, read_rules,
};
pub use deck::{
    DeckAnswer, DeckGame, DeckQuestion, DeckTask, DeckWorth, ExpectedPoints, HiddenDeck, MissingCard, OwnedCard,
    VerifyDeckAnswer, rate_deck,
};
#[cfg(feature = "files")]
pub use deck::{DeckFiles, verify_deck};
pub use draft::{DraftAnswer, DraftQuestion, PickWorth, draft};
pub use engine::triad::cards::{self as card_lists, Book, MatchKind, NpcBook};
pub use engine::triad::deck::{DeckProgress, DeckStatus, Unranked};
pub use engine::triad::{Lines, NamedDeal, TriadError, trade};
pub use lists::{
    CardInfo, CardsAnswer, CardsQuestion, NpcInfo, NpcsAnswer, NpcsQuestion, RuleInfo, RulesAnswer, cards, npcs, rules,
};
pub use opponent::{Opponent, OpponentQuestion};
pub use replay::{ReplayAnswer, ReplayFlip, ReplayMove, ReplayQuestion, replay};
pub use session::Session;
pub use solve::{SolveDealQuestion, SolveWanted, solve_many};
pub use view::{counters_text, view};

use crate::fault::Fault;

/// Converts a Triple Triad error into a fault.
fn fault(error: TriadError) -> Fault {
    engine::Error::from(error).into()
}
