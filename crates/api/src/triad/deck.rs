//! Decks: the best one of a collection against an opponent, and checks of what is known about decks.

use super::advise::{PositionMeasures, write as write_measures};
use super::deal::{CardRef, read_edition, read_rules};
use super::fault;
use super::opponent::{OpponentQuestion, resolve};
use crate::fault::Fault;
use crate::limits::Limits;
use engine::triad::TriadError;
use engine::triad::cards::{Book, Collection, Hand, HandCard, Npc, NpcBook};
use engine::triad::deck::{
    Addition, BestDeck, DeckProgress, DeckStatus, Expected, ExpectedDeck, GameResult, Hidden, Lottery, Opponent,
    Options, Pool, State, Unranked, additions, optimise, optimise_expected, rate, rate_expected,
};
#[cfg(feature = "files")]
use engine::triad::deck::{Verified, verify};
use engine::{Chances, Control, Outcome, Progress};
use grid::Player;
use grid::simd::Isa;
use serde::{Deserialize, Serialize};
#[cfg(feature = "files")]
use std::path::Path;
use triad::{Card, Edition, HAND, Rules};

/// A card that is owned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OwnedCard {
    /// The card.
    pub card: CardRef,
    /// The number of copies; 1 if left out.
    #[serde(default = "one")]
    pub count: u32,
}

const fn one() -> u32 {
    1
}

/// Which deck is best against an opponent?
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct DeckQuestion {
    /// `ff8` or `ff14`; `ff14` if left out.
    #[serde(alias = "edition", skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The opponent.
    pub opponent: OpponentQuestion,
    /// Names of rules. They are added to the rules of an opponent with a name.
    pub rules: Vec<String>,
    /// The cards to choose from; all cards of the game if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owned: Option<Vec<OwnedCard>>,
    /// Cards that must be in the deck.
    pub locked: Vec<CardRef>,
    /// A deck that the answer must not be worse than.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck: Option<Vec<CardRef>>,
    /// Chooses the random restarts.
    pub seed: u64,
    /// How many of the decks with equal points are compared for a hidden hand; 4 if left out, 0 for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finalists: Option<u32>,
    /// What the search may spend.
    pub limits: Limits,
}

/// The best deck found, and what is known about it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DeckAnswer {
    /// The five cards; under Order in the order of play.
    pub deck: Vec<String>,
    /// 1 for a win, 1/2 for a draw, over all games: every hand, both starts, hands open, perfect play. Expected points if luck
    /// decides.
    pub points: f64,
    /// The number of games.
    pub of: u32,
    /// The model behind expected points, under Chaos and Roulette.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<ExpectedPoints>,
    /// `perfect`: it wins every game. `proved`: no deck of the collection is better. `best-known`: no better deck was found.
    pub status: DeckStatus,
    /// No deck of the collection has more points.
    pub bound: f64,
    /// Sets of decks that are not refuted.
    pub open_boxes: usize,
    /// Whether it is shown that no exchange of a single card is better.
    pub no_exchange_is_better: bool,
    /// The rules in force.
    pub rules: String,
    /// Every game. Empty if points are estimated.
    pub games: Vec<DeckGame>,
    /// What the deck does when the opponent's hand is hidden. Left out if it was not computed: on demand, under Swap, and if luck
    /// decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden: Option<HiddenDeck>,
    /// Cards that are not owned and would make this deck better, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingCard>,
    /// Games that were tested; decks if luck decides.
    pub tests: u64,
    /// Seconds.
    pub seconds: f64,
}

/// A game of a deck.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DeckGame {
    /// The opponent's hand, before a swap.
    pub hand: Vec<String>,
    /// `me` or `opponent`.
    pub first: String,
    /// The card that I give and the card that I get, under Swap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swap: Option<[String; 2]>,
    /// For me; left out if luck decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Outcome>,
    /// For me, if luck decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chances: Option<Chances>,
    /// My cards minus the opponent's at the end; left out under Swap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i32>,
}

/// The model behind expected points, and how sure they are.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ExpectedPoints {
    /// `both place best`: hands are open, what luck brings is equally likely, and both players place their cards best.
    pub model: String,
    /// The chances of one game, over all hands and both starts.
    pub chances: Chances,
    /// Whether they are exact; if not, `error` says how far off the points may be.
    pub exact: bool,
    /// One standard error of the points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The exact points of one game, as in `17/32`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
    /// Games with all that luck may bring, but for the draws of Chaos, that were solved.
    pub solved: usize,
    /// All such games.
    pub trials: usize,
}

/// What a deck does when the opponent's hand is hidden.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HiddenDeck {
    /// If I start.
    pub me: PositionMeasures,
    /// If the opponent starts.
    pub opponent: PositionMeasures,
}

/// A card that would help.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MissingCard {
    /// The card.
    pub card: String,
    /// The card of the deck whose place it takes.
    pub replaces: String,
    /// The points of the deck with it.
    pub points: f64,
    /// The opponents who give it.
    pub npcs: Vec<String>,
}

/// The files of a question about decks.
#[cfg(feature = "files")]
#[derive(Clone, Copy, Default, Debug)]
pub struct DeckFiles<'a> {
    /// The state: read if it is there, written at the end.
    pub resume: Option<&'a Path>,
    /// The proof: written at the end.
    pub proof: Option<&'a Path>,
}

/// A question as types.
pub struct DeckTask {
    /// The opponent's number, if he has a name.
    pub npc: Option<u16>,
    /// The rules in force.
    pub rules: Rules,
    against: Against,
    hands: Vec<Hand>,
    pool: Pool,
    is_all: bool,
    deck: Option<Hand>,
    seed: u64,
    finalists: usize,
    book: Book,
}

/// Whom a deck plays against.
enum Against {
    Opponent(Opponent),
    /// Luck decides.
    Lottery(Lottery),
}

impl Against {
    fn new(rules: Rules, hands: Vec<[Card; HAND]>) -> Result<Self, TriadError> {
        match Unranked::of(rules) {
            Some(Unranked::Luck) => Lottery::new(rules, hands).map(Self::Lottery),
            _ => Opponent::new(rules, hands).map(Self::Opponent),
        }
    }
}

/// How many decks of equal points are compared for a hidden hand, if the question does not say.
const FINALISTS: u32 = 4;

impl DeckQuestion {
    /// The opponent, his rules and why decks are not ranked against him; none if they are, or if he has no name.
    ///
    /// # Errors
    /// If there is no such opponent or rule.
    pub fn unranked(&self) -> Result<Option<(u16, Rules, Unranked)>, Fault> {
        let Some(npc) = self.opponent.npc(NpcBook::built_in())? else { return Ok(None) };
        let rules = self.rules(Some(npc), Edition::Ff14)?;
        let reason = Unranked::of(rules).filter(|reason| *reason != Unranked::Luck);
        Ok(reason.map(|reason| (npc.id, rules, reason)))
    }

    /// Reads the question. Uses the built-in lists where none is given; `owned` replaces the cards of the question.
    ///
    /// # Errors
    /// If a field is wrong; the fault names it.
    pub fn read(
        &self,
        book: Option<&Book>,
        npcs: Option<&NpcBook>,
        owned: Option<&Collection>,
    ) -> Result<DeckTask, Fault> {
        let edition = self.game.as_deref().map_or(Ok(Edition::Ff14), read_edition).map_err(fault)?;
        let book = book.unwrap_or_else(|| Book::built_in(edition));
        if edition != book.edition() {
            return Err(fault(TriadError::OtherCards { game: edition, cards: book.edition() }));
        }
        let npc = self.opponent.npc(npcs.unwrap_or_else(|| NpcBook::built_in()))?;
        if npc.is_some() && edition != Edition::Ff14 {
            return Err(Fault::question("opponent.npc", "the list of opponents is that of ff14"));
        }
        let rules = self.rules(npc, edition)?;
        let hands = self.opponent.hands(book, npc)?;
        let printed = hands.iter().map(|hand| hand.each_ref().map(|card| card.card)).collect();
        let against = Against::new(rules, printed).map_err(fault)?;
        let locked = resolve(&self.locked, book, "locked")?;
        let listed = self.owned.as_ref().map(|owned| collection(owned, book)).transpose()?;
        let pool = match owned.or(listed.as_ref()) {
            Some(owned) => Pool::new(edition, owned, &locked),
            None => Pool::all(book, &locked),
        };
        let pool = pool.map_err(|error| Fault::question(if locked.is_empty() { "owned" } else { "locked" }, error))?;
        let deck = self.deck.as_ref().map(|deck| resolve(deck, book, "deck")).transpose()?;
        let size = |deck: Vec<HandCard>| TriadError::HandSize { found: deck.len() };
        let deck = deck.map(|deck| Hand::try_from(deck).map_err(|deck| Fault::question("deck", size(deck))));
        Ok(DeckTask {
            npc: npc.map(|npc| npc.id),
            rules,
            against,
            hands,
            pool,
            is_all: owned.is_none() && self.owned.is_none(),
            deck: deck.transpose()?,
            seed: self.seed,
            finalists: self.finalists.unwrap_or(FINALISTS).min(64) as usize,
            book: book.clone(),
        })
    }

    fn rules(&self, npc: Option<&Npc>, edition: Edition) -> Result<Rules, Fault> {
        let own = npc.map(|npc| npc.rules.clone()).unwrap_or_default();
        let added = self.rules.iter().filter(|rule| !matches!(rule.trim(), "" | "-")).cloned();
        read_rules(&own.into_iter().chain(added).collect::<Vec<_>>(), edition).map_err(fault)
    }
}

fn collection(owned: &[OwnedCard], book: &Book) -> Result<Collection, Fault> {
    let mut cards: Vec<(HandCard, u32)> = Vec::new();
    for (at, owned) in owned.iter().enumerate() {
        let field = format!("owned[{at}]");
        let card = owned.card.resolve(book).map_err(|error| Fault::question(field.clone(), error))?;
        if cards.iter().any(|(other, _)| *other == card) {
            return Err(Fault::question(field, TriadError::ListedTwice { name: card.name() }));
        }
        if !(1..=100).contains(&owned.count) {
            return Err(Fault::question(field, TriadError::Count { most: 100 }));
        }
        cards.push((card, owned.count));
    }
    Ok(Collection::of(cards))
}

/// Half-points as points.
fn points(half: u32) -> f64 {
    f64::from(half) / 2.0
}

impl DeckTask {
    /// Starts from this deck if it is a legal one of the collection, and from none otherwise.
    pub fn start_from(&mut self, deck: Hand) {
        if self.pool.has(&deck) {
            self.deck.get_or_insert(deck);
        }
    }

    /// Finds the best deck. The progress callback of the control gets partial answers of type [`DeckProgress`].
    ///
    /// # Errors
    /// If the deck of the question is not a legal one of the collection, or a file is damaged, of another question, or cannot
    /// be written.
    pub fn solve(
        &self,
        isa: Isa,
        #[cfg(feature = "files")] files: DeckFiles<'_>,
        control: &Control<'_>,
    ) -> Result<DeckAnswer, Fault> {
        let begun = control.elapsed();
        let seconds = || control.elapsed().saturating_sub(begun).as_secs_f64();
        let pass_on = |progress: &Progress<'_>| control.pass_on(progress, progress.partial::<DeckProgress>());
        let part = control.part().progress(&pass_on);
        let mut options = Options { seed: self.seed, deck: self.deck.clone(), state: None, finalists: self.finalists };
        let opponent = match &self.against {
            Against::Opponent(opponent) => opponent,
            Against::Lottery(lottery) => {
                #[cfg(feature = "files")]
                if files.resume.or(files.proof).is_some() {
                    let field = if files.resume.is_some() { "resume" } else { "proof" };
                    return Err(Fault::question(field, "if luck decides, there is no proof and no state to keep"));
                }
                let found = optimise_expected(isa, lottery, &self.pool, &options, &part)?;
                return Ok(self.expected_answer(&found, seconds()));
            }
        };
        #[cfg(feature = "files")]
        if let Some(path) = files.resume.filter(|path| path.exists()) {
            let (state, other, pool) = State::load(path)?;
            if !State::is_same_question((&other, &pool), (opponent, &self.pool)) {
                let message = format!("{}: {}", path.display(), TriadError::StateQuestion);
                return Err(Fault::question("resume", message));
            }
            options.state = Some(state);
        }
        let (best, state) = optimise(isa, opponent, &self.pool, options, &part)?;
        #[cfg(feature = "files")]
        for path in files.resume.into_iter().chain(files.proof) {
            state.save(path, opponent, &self.pool)?;
        }
        #[cfg(not(feature = "files"))]
        drop::<State>(state);
        let missing = if best.status == DeckStatus::Perfect || self.is_all {
            Vec::new()
        } else {
            additions(isa, opponent, &self.pool, &best.deck, &self.book, control)?
        };
        Ok(self.answer(&best, &missing, seconds()))
    }

    fn answer(&self, best: &BestDeck, missing: &[Addition], seconds: f64) -> DeckAnswer {
        DeckAnswer {
            deck: best.deck.iter().map(HandCard::name).collect(),
            points: points(best.points),
            of: best.most / 2,
            expected: None,
            status: best.status,
            bound: points(best.bound),
            open_boxes: best.open_boxes,
            no_exchange_is_better: best.no_exchange_is_better,
            rules: self.rules.to_string(),
            games: best.games.iter().map(|result| self.game(&best.deck, result)).collect(),
            hidden: best.hidden.as_ref().map(hidden_deck),
            missing: missing.iter().take(MOST_MISSING).map(|addition| self.missing(addition)).collect(),
            tests: best.tests,
            seconds,
        }
    }

    fn expected_answer(&self, found: &ExpectedDeck, seconds: f64) -> DeckAnswer {
        let of = 2 * self.hands.len() as u32;
        let Expected { chances, error, fraction, solved, trials } = found.expected;
        let game = |game: &engine::triad::deck::ExpectedGame| DeckGame {
            hand: self.hands[game.hand].iter().map(HandCard::name).collect(),
            first: first_name(game.first).to_owned(),
            swap: None,
            result: None,
            chances: Some(game.chances),
            margin: None,
        };
        DeckAnswer {
            deck: found.deck.iter().map(HandCard::name).collect(),
            points: f64::from(of) * found.expected.points(),
            of,
            expected: Some(ExpectedPoints {
                model: "both place best".to_owned(),
                chances,
                exact: error.is_none(),
                error: error.map(|error| f64::from(of) * error),
                fraction: fraction.map(|[points, of]| format!("{points}/{of}")),
                solved,
                trials,
            }),
            status: DeckStatus::BestKnown,
            bound: f64::from(of),
            open_boxes: 0,
            no_exchange_is_better: false,
            rules: self.rules.to_string(),
            games: found.games.iter().map(game).collect(),
            hidden: None,
            missing: Vec::new(),
            tests: found.decks,
            seconds,
        }
    }

    fn game(&self, deck: &Hand, result: &GameResult) -> DeckGame {
        let hand = &self.hands[result.game.hand];
        let swap = |[mine, theirs]: [u8; 2]| [deck[usize::from(mine)].name(), hand[usize::from(theirs)].name()];
        DeckGame {
            hand: hand.iter().map(HandCard::name).collect(),
            first: first_name(result.game.first).to_owned(),
            swap: result.game.swap.map(swap),
            result: Some(result.outcome),
            chances: None,
            margin: result.margin,
        }
    }

    fn missing(&self, addition: &Addition) -> MissingCard {
        let id = addition.card.known.as_ref().map(|known| known.id);
        let gives = |npc: &&Npc| self.book.edition() == Edition::Ff14 && id.is_some_and(|id| npc.rewards.contains(&id));
        MissingCard {
            card: addition.card.name(),
            replaces: addition.replaces.name(),
            points: points(addition.points),
            npcs: NpcBook::built_in().npcs().iter().filter(gives).map(|npc| npc.name.clone()).collect(),
        }
    }
}

/// Who starts, in answers.
fn first_name(first: Player) -> &'static str {
    if first == Player::First { "me" } else { "opponent" }
}

fn hidden_deck([mine, his]: &Hidden) -> HiddenDeck {
    HiddenDeck { me: write_measures(mine), opponent: write_measures(his) }
}

/// How many missing cards are named.
const MOST_MISSING: usize = 5;

/// What a checked proof shows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct VerifyDeckAnswer {
    /// The best deck.
    pub deck: Vec<String>,
    /// 1 for a win, 1/2 for a draw, over all games.
    pub points: f64,
    /// The number of games.
    pub of: u32,
    /// What is shown.
    pub status: DeckStatus,
    /// No deck of the collection has more points.
    pub bound: f64,
    /// The number of boxes that were checked.
    pub boxes: usize,
    /// The rules in force.
    pub rules: String,
}

/// Checks the proof of a file with the plain solver.
///
/// # Errors
/// If the file is missing, damaged or does not prove what it says, or the control stops the check.
#[cfg(feature = "files")]
pub fn verify_deck(isa: Isa, path: &Path, control: &Control<'_>) -> Result<VerifyDeckAnswer, Fault> {
    let (state, opponent, pool) = State::load(path)?;
    let Verified { deck, points: half, most, bound, status, boxes } = verify(isa, &state, &opponent, &pool, control)?;
    Ok(VerifyDeckAnswer {
        deck: deck.iter().map(HandCard::name).collect(),
        points: points(half),
        of: most / 2,
        status,
        bound: points(bound),
        boxes,
        rules: opponent.rules().to_string(),
    })
}

/// What a deck of the built-in cards is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum DeckWorth {
    /// Its half-points.
    Points(u32),
    /// Its expected points over all games.
    Expected(f64),
}

/// The exact worth of a deck against an opponent of the list under his own rules, by the plain solver. Under Chaos and
/// Roulette it takes minutes.
///
/// # Errors
/// If decks are not ranked under the rules, or the control stops the call.
pub fn rate_deck(isa: Isa, npc: &Npc, deck: [u16; HAND], control: &Control<'_>) -> Result<DeckWorth, Fault> {
    let book = Book::built_in(Edition::Ff14);
    let cards = deck.iter().map(|id| book.numbered(*id)).collect::<Result<Vec<HandCard>, _>>().map_err(fault)?;
    let deck = Hand::try_from(cards).map_err(|cards| fault(TriadError::HandSize { found: cards.len() }))?;
    let hand = |ids: &[u16; HAND]| -> Option<[Card; HAND]> {
        ids.iter().map(|id| book.by_id(*id).map(|known| known.card)).collect::<Option<Vec<_>>>()?.try_into().ok()
    };
    let hands: Vec<[Card; HAND]> = npc.hands().iter().filter_map(hand).collect();
    let games = 2.0 * hands.len() as f64;
    match Against::new(npc.rules(), hands).map_err(fault)? {
        Against::Opponent(opponent) => {
            Ok(DeckWorth::Points(rate(isa, &opponent, &deck.map(|card| card.card), control)?))
        }
        Against::Lottery(lottery) => {
            let pool = Pool::all(book, &[]).map_err(fault)?;
            let expected = rate_expected(isa, &lottery, &pool, &deck, control)?;
            match expected.error {
                None => Ok(DeckWorth::Expected(games * expected.points())),
                Some(_) => Err(engine::Error::from(control.stop().unwrap_or(engine::Stop::Time)).into()),
            }
        }
    }
}
