//! Cards, moves and deals: reads text or JSON into types, once.

use super::{fault, view};
use crate::fault::Fault;
use crate::json::read_json;
use crate::session::in_moves;
use crate::view::View;
use engine::triad::cards::{Book, Hand, HandCard, Holder, check_deck, fold};
use engine::triad::{NamedDeal, TriadError};
use grid::{Game, Notation, Player};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use triad::{Card, Deal, Edition, Element, HAND, Kind, Move, Position, Rule, RuleFault, Rules, Setup};

/// A card: its number in the list, a text as on the command line, or its sides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a card: a number, a name, or an object with sides (and element or type)"
)]
pub enum CardRef {
    /// The number of the card; in a move, the place in the hand.
    Number(u16),
    /// A name, `#12` or `8A32`.
    Text(String),
    /// What is printed on it.
    Printed {
        /// Top, right, bottom, left; 10 for an A.
        sides: [u8; 4],
        /// Final Fantasy VIII: 1 Fire, 2 Ice, 4 Thunder, 8 Earth, 16 Poison, 32 Wind, 64 Water, 128 Holy; 0 for none.
        #[serde(default)]
        element: u8,
        /// Final Fantasy XIV: 1 Society, 2 Primal, 3 Scion, 4 Garlean; 0 for none.
        #[serde(default, rename = "type")]
        kind: u8,
    },
}

impl CardRef {
    /// Finds the card.
    ///
    /// # Errors
    /// If there is no such card, or its sides, element or type are invalid.
    pub fn resolve(&self, book: &Book) -> Result<HandCard, TriadError> {
        match self {
            Self::Number(id) => book.numbered(*id),
            Self::Text(text) => book.card(text),
            Self::Printed { sides, element, kind } => {
                let mut card = Card::new(*sides).ok_or_else(|| {
                    let at = sides.iter().position(|side| !(1..=10).contains(side)).unwrap_or_default();
                    TriadError::Side { sides: *sides, at }
                })?;
                if *element != 0 {
                    let found = Element::from_mask(*element).filter(|_| book.edition() == Edition::Ff8);
                    card.element = Some(found.ok_or(TriadError::Mark { what: "element", number: *element })?);
                }
                if *kind != 0 {
                    let found = Kind::ALL.get(usize::from(*kind) - 1).filter(|_| book.edition() == Edition::Ff14);
                    card.kind = Some(*found.ok_or(TriadError::Mark { what: "type", number: *kind })?);
                }
                Ok(HandCard { known: None, card })
            }
        }
    }

    /// The name of the card as the question gives it.
    pub(super) fn name_of(&self, card: &HandCard) -> String {
        match self {
            Self::Text(text) => text.trim().to_owned(),
            Self::Number(id) => format!("#{id}"),
            Self::Printed { .. } => card.name(),
        }
    }

    /// The name of the card in an error about a move.
    fn name(&self) -> String {
        match self {
            Self::Text(text) => text.trim().to_owned(),
            Self::Number(place) => format!("card {place}"),
            Self::Printed { .. } => "the card".to_owned(),
        }
    }
}

/// A move of a deal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MoveText {
    /// `A` or `B`.
    pub player: String,
    /// The place in the player's hand, 0 to 4, or the card.
    pub card: CardRef,
    /// 0 to 8, row by row.
    pub cell: u32,
}

impl MoveText {
    /// A move of this player.
    #[must_use]
    pub fn new(player: &str, card: CardRef, cell: u32) -> Self {
        Self { player: player.to_owned(), card, cell }
    }

    /// Reads the move.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn read(&self, game: &NamedDeal, position: &Position) -> Result<Move, TriadError> {
        let player = read_player(&self.player)?;
        let dealt = NamedDeal::dealt_to(player);
        let cards: Vec<u8> = match &self.card {
            CardRef::Number(place) if usize::from(*place) < HAND => vec![dealt.start + *place as u8],
            CardRef::Number(place) => return Err(TriadError::UnknownPlace { place: *place }),
            CardRef::Printed { .. } => return Err(TriadError::SidesInMove),
            CardRef::Text(text) => {
                let text = text.trim();
                let id = text.strip_prefix('#').and_then(|id| id.parse().ok());
                let is_it = |card: &u8| {
                    let number = usize::from(*card);
                    fold(&game.names[number]) == fold(text)
                        || fold(&game.cards[number].name()) == fold(text)
                        || game.deal.setup().card(number).to_string().eq_ignore_ascii_case(text)
                        || id.is_some() && game.cards[number].known.as_ref().map(|known| known.id) == id
                };
                dealt.filter(is_it).collect()
            }
        };
        game.check_move(position, player, &cards, &self.card.name(), self.cell)
    }
}

/// A deal, and the moves made so far.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DealQuestion {
    /// `ff8` or `ff14`; `ff8` if left out.
    #[serde(default, alias = "edition", skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Names of rules.
    #[serde(default)]
    pub rules: Vec<String>,
    /// The element of each cell, as a number like that of a card; no elements if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell_elements: Option<Vec<u32>>,
    /// Five cards.
    pub hand_a: Vec<CardRef>,
    /// Five cards.
    pub hand_b: Vec<CardRef>,
    /// Who plays the first card; if left out, the player of the first move, or `a`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The moves made so far.
    #[serde(default)]
    pub moves: Vec<MoveText>,
}

impl DealQuestion {
    /// The game.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn edition(&self) -> Result<Edition, Fault> {
        self.game.as_deref().map_or(Ok(Edition::Ff8), read_edition).map_err(fault)
    }

    /// The deal before its moves. Uses the built-in cards if `book` is `None`.
    ///
    /// # Errors
    /// If a field is wrong; the fault names it.
    pub fn deal(&self, book: Option<&Book>) -> Result<NamedDeal, Fault> {
        let edition = self.edition()?;
        let book = book.unwrap_or_else(|| Book::built_in(edition));
        if edition != book.edition() {
            return Err(fault(TriadError::OtherCards { game: edition, cards: book.edition() }));
        }
        let rules = read_rules(&self.rules, edition).map_err(fault)?;
        let of = |cards, player| read_hand(cards, book).map_err(|error| fault(error.in_hand(player)));
        let hands = [of(&self.hand_a, Player::First)?, of(&self.hand_b, Player::Second)?];
        let first = match (&self.first, self.moves.first()) {
            (Some(first), _) => read_player(first).map_err(fault)?,
            (None, Some(mv)) => read_player(&mv.player).map_err(|error| in_moves(0)(fault(error)))?,
            (None, None) => Player::First,
        };
        let elements = cell_elements(self.cell_elements.as_deref()).map_err(fault)?;
        // The setup takes its hands from the named cards.
        let blank = hands[0].each_ref().map(|card| card.card);
        let setup = Setup { elements, first, ..Setup::new(rules, blank, blank) };
        NamedDeal::deal(setup, hands).map_err(fault)
    }

    /// The deal and the position after its moves.
    ///
    /// # Errors
    /// If a field is wrong; the fault names it.
    pub fn read(&self, book: Option<&Book>) -> Result<(NamedDeal, Position), Fault> {
        let game = self.deal(book)?;
        let mut position = game.deal.start();
        for number in 0..self.moves.len() {
            let mv = self.move_at(number, &game, &position)?;
            position = game.deal.play_unchecked(&position, mv);
        }
        Ok((game, position))
    }

    /// Reads one of the moves.
    pub(super) fn move_at(&self, number: usize, game: &NamedDeal, position: &Position) -> Result<Move, Fault> {
        self.moves[number].read(game, position).map_err(|error| {
            let message = format!("move {}: {error}", number + 1);
            Fault { message, ..in_moves(number)(fault(error)) }
        })
    }
}

/// Reads the elements of the nine cells from their numbers.
pub(super) fn cell_elements(masks: Option<&[u32]>) -> Result<[Option<Element>; 9], TriadError> {
    let mut elements = [None; 9];
    let Some(masks) = masks else { return Ok(elements) };
    if masks.len() != elements.len() {
        return Err(TriadError::ElementCount { found: masks.len() });
    }
    for (element, mask) in elements.iter_mut().zip(masks).filter(|(_, mask)| **mask != 0) {
        let found = u8::try_from(*mask).ok().and_then(Element::from_mask);
        *element = Some(found.ok_or(TriadError::UnknownElement { mask: *mask })?);
    }
    Ok(elements)
}

/// Reads a hand of five cards. Limits by stars do not apply, because opponents have none.
fn read_hand(cards: &[CardRef], book: &Book) -> Result<Hand, TriadError> {
    let found = cards.iter().map(|card| card.resolve(book)).collect::<Result<Vec<HandCard>, _>>()?;
    let hand = Hand::try_from(found).map_err(|found| TriadError::HandSize { found: found.len() })?;
    check_deck(book.edition(), &hand, Holder::Npc)?;
    Ok(hand)
}

/// The view of a deal after its moves.
///
/// # Errors
/// If a field is wrong; the fault names it.
pub fn deal(question: &DealQuestion, book: Option<&Book>) -> Result<View, Fault> {
    let (game, position) = question.read(book)?;
    Ok(view(&game, &position))
}

/// A file of games. Results that a program wrote beside the games are ignored.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameFile {
    #[serde(default, rename = "about")]
    _about: IgnoredAny,
    games: Vec<GameOfFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameOfFile {
    #[serde(default, alias = "edition")]
    game: Option<String>,
    #[serde(default)]
    rules: Vec<String>,
    #[serde(default)]
    cell_elements: Option<Vec<u32>>,
    hand_a: Vec<CardRef>,
    hand_b: Vec<CardRef>,
    #[serde(default)]
    first: Option<String>,
    #[serde(default)]
    moves: Vec<MoveText>,
    #[serde(default, rename = "value")]
    _value: IgnoredAny,
    #[serde(default, rename = "first_moves")]
    _first_moves: IgnoredAny,
    #[serde(default, rename = "owners_after_each_move")]
    _owners: IgnoredAny,
}

/// Reads a JSON text with `"games": [...]`. A game has the fields of a [`DealQuestion`]. The results `value`,
/// `first_moves` and `owners_after_each_move` of a game and the remark `about` of the file are accepted and ignored.
///
/// # Errors
/// If the text does not have this form. The fault gives line and column.
pub fn read_games(text: &str) -> Result<Vec<DealQuestion>, Fault> {
    let file: GameFile = read_json(text.as_bytes())?;
    let question = |game: GameOfFile| {
        let GameOfFile { game, rules, cell_elements, hand_a, hand_b, first, moves, .. } = game;
        DealQuestion { game, rules, cell_elements, hand_a, hand_b, first, moves }
    };
    Ok(file.games.into_iter().map(question).collect())
}

/// Reads the name of a game.
///
/// # Errors
/// If there is no such game.
pub fn read_edition(name: &str) -> Result<Edition, TriadError> {
    let edition = Edition::from_name(&name.trim().to_lowercase());
    edition.ok_or_else(|| TriadError::UnknownGame { name: name.to_owned() })
}

/// Reads the name of a player.
///
/// # Errors
/// If it is neither `a` nor `b`.
pub fn read_player(name: &str) -> Result<Player, TriadError> {
    match name.trim() {
        "a" | "A" => Ok(Player::First),
        "b" | "B" => Ok(Player::Second),
        _ => Err(TriadError::UnknownPlayer { name: name.to_owned() }),
    }
}

/// Writes a player: `a` or `b`.
#[must_use]
pub const fn player_letter(player: Player) -> char {
    match player {
        Player::First => 'a',
        Player::Second => 'b',
    }
}

/// Reads the names of rules. A single empty name or `-` means no rules.
///
/// # Errors
/// If a rule is unknown, belongs to the other game or contradicts another.
pub fn read_rules<S: AsRef<str>>(names: &[S], edition: Edition) -> Result<Rules, TriadError> {
    let mut rules = Rules::preset(edition);
    let is_none = |name: &&str| names.len() == 1 && matches!(*name, "" | "-");
    for name in names.iter().map(|name| name.as_ref().trim()).filter(|name| !is_none(name)) {
        rules = rules.apply(name).map_err(|fault| match fault {
            RuleFault::Unknown => {
                let known = Rule::all().filter(|rule| rule.is_of(edition)).map(Rule::name).collect();
                TriadError::UnknownRule { name: name.to_owned(), edition, known }
            }
            fault => TriadError::Rules(fault),
        })?;
    }
    rules.fault().map_or(Ok(rules), |fault| Err(TriadError::Rules(fault)))
}

/// Reads a position in one line. Its cards are named by `named` or by the built-in list.
///
/// # Errors
/// If the text is wrong; the fault points at the character.
pub fn read_position(text: &str, named: &[HandCard]) -> Result<(NamedDeal, Position), Fault> {
    let text = text.trim();
    let (setup, position) = triad::notation::read(text).map_err(|error| Fault::text("position", &error, text))?;
    let deal = Deal::new(&setup).map_err(|error| Fault::question("position", error))?;
    Ok((NamedDeal::named_by(deal, named), position))
}

/// A move for people, such as `a:Squall@5`.
#[must_use]
pub fn move_label(game: &NamedDeal, mv: Move) -> String {
    let letter = if usize::from(mv.card()) < HAND { 'a' } else { 'b' };
    format!("{letter}:{}@{}", game.names[usize::from(mv.card())], mv.cell())
}

/// Reads a move in its one-word form (`3@4`) or in its form for people (`a:Squall@4`).
pub(super) fn read_move(game: &NamedDeal, position: &Position, text: &str) -> Result<Move, Fault> {
    let text = text.trim();
    if text.contains(':') {
        let mut named = game.deal.moves(position).filter(|mv| move_label(game, *mv).eq_ignore_ascii_case(text));
        return named.next().ok_or_else(|| Fault::question("move", format_args!("`{text}` is not a legal move")));
    }
    game.deal.read_move(position, text).map_err(|error| Fault::text("move", &error, text))
}

/// The one-line text of a position.
#[must_use]
pub fn position_text(game: &NamedDeal, position: &Position) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = game.deal.write_position(position, &mut text);
    text
}
