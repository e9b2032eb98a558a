//! Everything that can be wrong with cards, hands, deals, moves and card files: one enum for Triple Triad.

use super::deck::Unranked;
use grid::{Cell, Player, TextError};
use triad::{Card, Edition, RuleFault, SetupFault};

/// Why something about Triple Triad is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum TriadError {
    // A text or number that is not a card.
    #[error("no card of {edition} is called \"{text}\"{}", suggestion(nearest))]
    UnknownName { edition: Edition, text: String, nearest: Vec<String> },
    #[error("no card of {edition} has the number {text}: they go from #{lowest} to #{highest}")]
    UnknownNumber { edition: Edition, text: String, lowest: u16, highest: u16 },
    #[error("the sides \"{text}\", character {}: expected {}", fault.at + 1, fault.expected)]
    Sides { text: String, fault: TextError },
    #[error("side {} of {sides:?}: expected a number from 1 to 10", at + 1)]
    Side { sides: [u8; 4], at: usize },
    #[error("{number} is no {what} of this game")]
    Mark { what: &'static str, number: u8 },
    #[error("a card is missing")]
    MissingCard,

    // Cards that are not a hand.
    #[error("card {number} of the hand: {error}")]
    HandCard { number: usize, error: Box<TriadError> },
    #[error("a hand has five cards; this one has {found}")]
    HandSize { found: usize },
    #[error("{name} is in the hand twice: {reason}")]
    HandTwice { name: String, reason: &'static str },
    #[error("a deck holds at most {most} of {stars} stars; this one holds {}", names.join(", "))]
    Stars { most: &'static str, stars: &'static str, names: Vec<String> },
    #[error("the collection has {owned} of {name}; the hand holds {held}")]
    NotOwned { name: String, owned: u32, held: u32 },
    #[error("no five of these {cards} cards make a deck")]
    TooFewCards { cards: usize },
    #[error("{}", no_deck(*cards, *more, *edition))]
    NoDeck { cards: usize, more: usize, edition: Edition },
    #[error("the draft is over after five cards; {taken} are taken")]
    DraftOver { taken: usize },
    #[error("{rule} brings more luck into the game: a pick cannot be ranked under it")]
    DraftWith { rule: &'static str },
    #[error("a deck has five cards; {found} are locked")]
    LockedCount { found: usize },
    #[error("hand {}: {error}", letter(*player))]
    Hand { player: Player, error: Box<TriadError> },

    // A deal that cannot be played.
    #[error("no game is called \"{name}\": there are ff8 and ff14")]
    UnknownGame { name: String },
    #[error("the game is {game}, but the cards are those of {cards}")]
    OtherCards { game: Edition, cards: Edition },
    #[error("no rule is called \"{name}\"; {edition} has {}", known.join(", "))]
    UnknownRule { name: String, edition: Edition, known: Vec<&'static str> },
    #[error("{0}")]
    Rules(RuleFault),
    #[error("{0}")]
    Setup(SetupFault),
    #[error("{found} elements of cells: there are nine cells")]
    ElementCount { found: usize },
    #[error("no element has the mask {mask}")]
    UnknownElement { mask: u32 },
    #[error("no player is called \"{name}\": there are a and b")]
    UnknownPlayer { name: String },

    // An opponent against whom decks are not ranked.
    #[error("{0}; decks are not ranked under this rule")]
    Unranked(Unranked),
    #[error("{found} hands of the opponent: expected 1 to {most}")]
    HandCount { found: usize, most: usize },

    #[error("the deck lacks the locked card {name}")]
    LockedMissing { name: String },

    // A state of the deck optimiser.
    #[error("line {line} of the state is not of the format")]
    StateLine { line: usize },
    #[error("the best deck of the state is not a legal deck of its cards")]
    StateDeck,
    #[error("a box of the state is not one of its question")]
    StateBox,
    #[error("the state is of another question: the cards, hands, rules and locked cards must be the same")]
    StateQuestion,
    #[error("the proof does not hold: a game of the box of clusters {groups:?} is better than it says")]
    ProofBox { groups: Vec<u32> },
    #[error("the proof does not hold: no box has the deck {deck}")]
    ProofGap { deck: String },

    // A move that cannot be made.
    #[error("the game is over")]
    GameOver,
    #[error("{} cannot play {card}: it is the other player's turn", letter(*player))]
    OtherTurn { player: Player, card: String },
    #[error("there is no cell {cell}: 0 to 8")]
    UnknownCell { cell: u32 },
    #[error("a hand has the places 0 to 4, not {place}")]
    UnknownPlace { place: u16 },
    #[error("a card of a move is a place in the hand or a name")]
    SidesInMove,
    #[error("{card} is not in the hand of {}", letter(*player))]
    NotInHand { player: Player, card: String },
    #[error("{card} of {} was played already", letter(*player))]
    PlayedAlready { player: Player, card: String },
    #[error("cell {cell} is occupied: {card} lies there")]
    Occupied { cell: Cell, card: String },
    #[error("{card} is not the card that {} must play now", letter(*player))]
    OtherCard { player: Player, card: String },

    // A deal with a hidden hand.
    #[error("no card is drawn for you now: that happens under chaos, on your turn")]
    NothingDrawn,
    #[error("the opponent has no possible hand")]
    NoWorlds,
    #[error("{found} possible hands: at most {most} are supported")]
    TooManyWorlds { found: usize, most: usize },
    #[error("the possible hands have {found} different cards: at most {most} are supported")]
    TooManyCards { found: usize, most: usize },
    #[error("possible hand {number}: {error}")]
    World { number: usize, error: Box<TriadError> },
    #[error("the opponent may hold {count} cards, numbered from 0; there is no card {place}")]
    UnknownOpponentCard { place: u8, count: usize },
    #[error("no possible hand holds {card} together with {}", texts(shown))]
    NoWorldHolds { card: Card, shown: Vec<Card> },

    // Replays that luck decides.
    #[error("sudden-death under elemental: every replay has new elements by chance, so its value is not known")]
    ReplayElements,
    #[error("sudden-death under chaos: cards are drawn by chance, so there is no result to look ahead to")]
    ReplayDraws,

    // A file of cards, opponents or a collection.
    #[error("{}: {error}", place(origin, *line))]
    File {
        /// The name of the file.
        origin: String,
        /// The line, counted from 1; 0 if the file as a whole is wrong.
        line: usize,
        /// What is wrong there.
        error: Box<TriadError>,
    },
    #[error("this is not text in UTF-8")]
    NotUtf8,
    #[error("expected \"{kind} 1\": this is not such a file")]
    FileKind { kind: &'static str },
    #[error("version {found} of the format; this program reads version 1")]
    FileVersion { found: String },
    #[error("expected \"key: value\", or an empty line before the columns")]
    FileHead,
    #[error("expected {expected} in the head")]
    FileGame { expected: &'static str },
    #[error("adds-to is \"{found}\": it can only be built-in")]
    FileAddsTo { found: String },
    #[error("no key of the head is called \"{name}\": expected {known}{}", suggestion(nearest))]
    UnknownKey { name: String, nearest: Vec<String>, known: String },
    #[error("the key {name} is given twice")]
    KeyTwice { name: String },
    #[error("no column is called \"{name}\": expected {allowed}{}", suggestion(nearest))]
    UnknownColumn { name: String, nearest: Vec<String>, allowed: String },
    #[error("the column {name} is given twice")]
    ColumnTwice { name: String },
    #[error("{found} values where the columns are {wanted}")]
    ValueCount { found: usize, wanted: usize },
    #[error("the file ends after {found} rows; its head says {stated}")]
    RowCount { found: usize, stated: String },
    #[error("the file ends within this line")]
    CutLine,
    #[error("a quote is not closed")]
    OpenQuote,
    #[error("expected a comma after the closing quote")]
    NoComma,
    #[error("{column} is \"{text}\": expected a number from {low} to {high}")]
    NumberOutside { column: &'static str, text: String, low: u16, high: u16 },
    #[error("{mark} is \"{word}\": expected nothing or {}", known.join(", "))]
    UnknownMark { mark: &'static str, word: String, known: Vec<&'static str> },
    #[error("the number {number} is already that of {name}")]
    NumberTaken { number: u16, name: String },
    #[error("there is already a card called {name}")]
    NameTaken { name: String },
    #[error("there are no {what} in it")]
    EmptyFile { what: &'static str },
    #[error("the {what} has no name")]
    NoName { what: &'static str },
    #[error("{name} or the number {number} is there already")]
    NpcTaken { name: String, number: u16 },
    #[error("{column}: no card of ff14 has the number {number}")]
    NpcCard { column: &'static str, number: String },
    #[error("{rule}: {fault}")]
    NpcRule { rule: String, fault: RuleFault },
    #[error("{fixed} fixed and {variable} variable cards do not make a hand of five")]
    NpcHand { fixed: usize, variable: usize },
    #[error("expected a count from 1 to {most}")]
    Count { most: u32 },
    #[error("\"{text}\" is not a count from 1 to {most}")]
    NotACount { text: String, most: u32 },
    #[error("expected {expected}, not {found}")]
    CollectionText { expected: &'static str, found: String },
    #[error("the file ends within a list or a table")]
    CollectionEnd,
    #[error("the opponent #{npc} is there twice with the same rules")]
    DeckTwice { npc: u16 },
    #[error("{column} is \"{text}\": expected points such as 19 or 19.5")]
    DeckPoints { column: &'static str, text: String },
    #[error("{column} is \"{text}\": expected a number such as 12.345")]
    ExpectedPoints { column: &'static str, text: String },
    #[error("no status is called \"{word}\"")]
    DeckStatus { word: String },
    #[error("points, bound and status contradict each other")]
    DeckContradiction,
    #[error("{name} is listed twice")]
    ListedTwice { name: String },
}

impl TriadError {
    /// The field of a question about a deal that is to blame.
    #[must_use]
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Hand { player, .. } => hand(*player),
            Self::Setup(SetupFault::Side { card, .. } | SetupFault::ForeignMark { card }) => {
                hand(if *card < triad::HAND { Player::First } else { Player::Second })
            }
            Self::Setup(SetupFault::ElementWithoutRule { .. })
            | Self::ElementCount { .. }
            | Self::UnknownElement { .. } => "cell_elements",
            Self::Setup(SetupFault::Rules(_))
            | Self::Unranked(_)
            | Self::DraftWith { .. }
            | Self::Rules(_)
            | Self::UnknownRule { .. } => "rules",
            Self::DraftOver { .. } => "taken",
            Self::UnknownGame { .. } | Self::OtherCards { .. } => "game",
            Self::UnknownPlayer { .. } => "first",
            Self::GameOver
            | Self::OtherTurn { .. }
            | Self::UnknownCell { .. }
            | Self::UnknownPlace { .. }
            | Self::SidesInMove
            | Self::NotInHand { .. }
            | Self::PlayedAlready { .. }
            | Self::Occupied { .. }
            | Self::OtherCard { .. } => "move",
            Self::NothingDrawn => "drawn",
            Self::NoWorlds | Self::TooManyWorlds { .. } | Self::TooManyCards { .. } | Self::World { .. } => "opponent",
            Self::UnknownOpponentCard { .. } | Self::NoWorldHolds { .. } => "seen",
            Self::ReplayElements | Self::ReplayDraws => "replays",
            Self::HandCard { .. }
            | Self::HandSize { .. }
            | Self::HandTwice { .. }
            | Self::Stars { .. }
            | Self::NotOwned { .. }
            | Self::TooFewCards { .. } => "hand",
            Self::UnknownName { .. }
            | Self::UnknownNumber { .. }
            | Self::Sides { .. }
            | Self::Side { .. }
            | Self::Mark { .. }
            | Self::MissingCard => "card",
            _ => "cards",
        }
    }

    /// The same error, found in the hand of a player.
    #[must_use]
    pub fn in_hand(self, player: Player) -> Self {
        Self::Hand { player, error: Box::new(self) }
    }
}

const fn hand(player: Player) -> &'static str {
    match player {
        Player::First => "hand_a",
        Player::Second => "hand_b",
    }
}

/// `a` or `b`.
const fn letter(player: Player) -> char {
    match player {
        Player::First => 'a',
        Player::Second => 'b',
    }
}

fn texts(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(", ")
}

fn no_deck(cards: usize, more: usize, edition: Edition) -> String {
    let kind = match edition {
        Edition::Ff8 => "",
        Edition::Ff14 => {
            " of three stars or fewer: a deck holds at most one card of five stars and two of four or five"
        }
    };
    let cards =
        if cards == 1 { "this 1 card makes no deck".to_owned() } else { format!("these {cards} cards make no deck") };
    format!("{cards}; it needs {more} more{kind}")
}

fn place(origin: &str, line: usize) -> String {
    if line == 0 { origin.to_owned() } else { format!("{origin}, line {line}") }
}

fn suggestion(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        [only] => format!("; did you mean {only}?"),
        [most @ .., last] => format!("; did you mean {} or {last}?", most.join(", ")),
    }
}
