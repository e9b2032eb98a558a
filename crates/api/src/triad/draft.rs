//! Draft: which of the offered cards to take.

use super::deal::{CardRef, read_edition, read_rules};
use super::fault;
use super::opponent::{OpponentQuestion, resolve};
use crate::fault::Fault;
use crate::limits::Limits;
use engine::Control;
use engine::triad::TriadError;
use engine::triad::cards::{Book, HandCard, NpcBook};
use engine::triad::draft::{Draft, Pick};
use serde::{Deserialize, Serialize};
use triad::Edition;

/// Which of the offered cards to take?
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct DraftQuestion {
    /// `ff8` or `ff14`; `ff14` if left out.
    #[serde(alias = "edition", skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Names of rules.
    pub rules: Vec<String>,
    /// The cards that you took before.
    pub taken: Vec<CardRef>,
    /// The cards to choose from.
    pub offered: Vec<CardRef>,
    /// The opponent; if left out, he drafts too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<OpponentQuestion>,
    /// How many games each card plays; 100 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// Seed of the games.
    pub seed: u64,
    /// What the advice may spend.
    pub limits: Limits,
}

/// The offered cards, best first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DraftAnswer {
    /// The card to take.
    pub best: String,
    /// Every offered card.
    pub picks: Vec<PickWorth>,
    /// Games that each card played.
    pub games: u32,
    /// Whether every game that can come was played: at the last pick, against an opponent with known hands.
    pub exact: bool,
    /// Whether as many games were played as were asked for.
    pub complete: bool,
    /// Seconds used.
    pub seconds: f64,
}

/// What an offered card is worth. Later picks are the best of three random cards by their sum; hands are open, both play
/// perfectly.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PickWorth {
    /// The card, as the question named it.
    pub card: String,
    /// Points of a game on average: a win 1, a draw 1/2.
    pub points: f64,
    /// One standard error of the points; left out if they are exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The share of games won.
    pub win: f64,
    /// The share of games drawn.
    pub draw: f64,
    /// The share of games lost.
    pub loss: f64,
}

/// Games of each card if the question does not say.
const GAMES: u32 = 100;

/// Ranks the offered cards.
///
/// # Errors
/// If the question is wrong, the fault names the field; or if the limits allow no game.
pub fn draft(
    question: &DraftQuestion,
    book: Option<&Book>,
    npcs: Option<&NpcBook>,
    control: &Control<'_>,
) -> Result<DraftAnswer, Fault> {
    let edition = question.game.as_deref().map_or(Ok(Edition::Ff14), read_edition).map_err(fault)?;
    let book = book.unwrap_or_else(|| Book::built_in(edition));
    if edition != book.edition() {
        return Err(fault(TriadError::OtherCards { game: edition, cards: book.edition() }));
    }
    let npcs = npcs.unwrap_or_else(|| NpcBook::built_in());
    let opponent = question.opponent.as_ref().map(|opponent| opponent.read(book, npcs)).transpose()?;
    let own = opponent.iter().flat_map(|opponent| opponent.npc.iter()).flat_map(|npc| npc.rules.iter().cloned());
    let given = question.rules.iter().filter(|rule| !matches!(rule.trim(), "" | "-")).cloned();
    let rules = read_rules(&own.chain(given).collect::<Vec<_>>(), edition).map_err(fault)?;
    let taken = resolve(&question.taken, book, "taken")?;
    let offered = resolve(&question.offered, book, "offered")?;
    let hands = opponent.map_or_else(Vec::new, |opponent| opponent.hands);
    let games = question.games.unwrap_or(GAMES);
    let begun = control.elapsed();
    let draft = Draft { book, rules, taken: &taken, offered: &offered, hands: &hands, games, seed: question.seed };
    let found = draft.advise(control).map_err(|error| match Fault::from(error) {
        fault if matches!(fault.field.as_str(), "hand" | "card") => Fault { field: "offered".to_owned(), ..fault },
        fault => fault,
    })?;
    let worth = |pick: &Pick| {
        let shares = pick.results.map(|count| f64::from(count) / f64::from(pick.results.iter().sum::<u32>()));
        let name = |card: &HandCard| question.offered[pick.offered].name_of(card);
        PickWorth {
            card: name(&offered[pick.offered]),
            points: pick.points(),
            error: (!found.exact).then(|| pick.error()),
            win: shares[0],
            draw: shares[1],
            loss: shares[2],
        }
    };
    let picks: Vec<PickWorth> = found.picks.iter().map(worth).collect();
    Ok(DraftAnswer {
        best: picks[0].card.clone(),
        games: found.picks[0].results.iter().sum(),
        picks,
        exact: found.exact,
        complete: found.complete,
        seconds: control.elapsed().saturating_sub(begun).as_secs_f64(),
    })
}
