//! What can be asked about Triple Triad and what comes back: plain types, the same for the command line, a file, the page.

use super::cards::{Book, CardRef, Hand, HandCard, Holder, check_deck, fold};
use grid::{Cell, Game, Notation, Player};
use serde::{Deserialize, Serialize};
use triad::{Deal, Edition, Element, HAND, Move, Position, Rules, Setup};

/// A request that cannot be carried out, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct RequestError(pub String);

fn refuse<T>(message: impl Into<String>) -> Result<T, RequestError> {
    Err(RequestError(message.into()))
}

/// A move as it is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveText {
    /// `A` or `B`.
    pub player: String,
    /// The place in the player's hand, 0 to 4, or the card.
    pub card: CardRef,
    /// 0 to 8, row by row.
    pub cell: u32,
}

/// A deal and the moves made so far.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameText {
    /// `ff8` unless said otherwise.
    #[serde(default)]
    pub game: Option<String>,
    /// Names of rules.
    #[serde(default)]
    pub rules: Vec<String>,
    /// The element of each cell, as the game's mask; none if left out.
    #[serde(default)]
    pub cell_elements: Option<Vec<u32>>,
    /// Five cards.
    pub hand_a: Vec<CardRef>,
    /// Five cards.
    pub hand_b: Vec<CardRef>,
    /// Who opens; if left out, who makes the first of the moves, or `a`.
    #[serde(default)]
    pub first: Option<String>,
    /// The moves made so far.
    #[serde(default)]
    pub moves: Vec<MoveText>,
}

/// A deal that can be played, with the names of its cards.
#[derive(Clone, Debug)]
pub struct Match {
    /// The deal.
    pub deal: Deal,
    /// What to call the ten cards.
    pub names: [String; 10],
    /// The ten cards.
    pub cards: [HandCard; 10],
}

fn hand(cards: &[CardRef], whose: char, book: &Book) -> Result<Hand, RequestError> {
    let named = |fault: &dyn std::fmt::Display| RequestError(format!("hand {whose}: {fault}"));
    let found = cards.iter().map(|card| card.resolve(book)).collect::<Result<Vec<HandCard>, _>>();
    let hand = Hand::try_from(found.map_err(|fault| named(&fault))?);
    let hand = hand.map_err(|found| named(&format_args!("a hand has five cards; this one has {}", found.len())))?;
    // Limits by stars are asked for by themselves, for opponents have none.
    check_deck(book.edition(), &hand, Holder::Npc).map_err(|fault| named(&fault))?;
    Ok(hand)
}

/// Reads a game's name.
///
/// # Errors
/// If no game has it.
pub fn read_edition(name: &str) -> Result<Edition, RequestError> {
    let edition = Edition::from_name(&name.trim().to_lowercase());
    edition.ok_or(RequestError(format!("no game is called \"{name}\": there are ff8 and ff14")))
}

/// Reads a player's name.
///
/// # Errors
/// If it is neither a nor b.
pub fn read_player(name: &str) -> Result<Player, RequestError> {
    match name.trim() {
        "a" | "A" => Ok(Player::First),
        "b" | "B" => Ok(Player::Second),
        _ => refuse(format!("no player is called \"{name}\": there are a and b")),
    }
}

/// `a` or `b`.
#[must_use]
pub const fn player_letter(player: Player) -> char {
    match player {
        Player::First => 'a',
        Player::Second => 'b',
    }
}

/// Reads names of rules.
///
/// # Errors
/// If a rule is unknown, belongs to the other game or contradicts another.
pub fn read_rules(names: &[String], edition: Edition) -> Result<Rules, RequestError> {
    let mut rules = Rules::preset(edition);
    // Nothing, or `-`, by itself is no rule.
    let is_none = |name: &&str| names.len() == 1 && matches!(*name, "" | "-");
    for name in names.iter().map(|name| name.trim()).filter(|name| !is_none(name)) {
        rules = rules.apply(name).map_err(|fault| match fault {
            triad::RuleFault::Unknown => {
                let known: Vec<&str> =
                    triad::Rule::all().filter(|rule| rule.is_of(edition)).map(triad::Rule::name).collect();
                RequestError(format!("no rule is called \"{name}\"; {edition} has {}", known.join(", ")))
            }
            fault => RequestError(fault.to_string()),
        })?;
    }
    match rules.fault() {
        Some(fault) => refuse(fault.to_string()),
        None => Ok(rules),
    }
}

impl GameText {
    /// Which game it is.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn edition(&self) -> Result<Edition, RequestError> {
        self.game.as_deref().map_or(Ok(Edition::Ff8), read_edition)
    }

    /// The deal, checked.
    ///
    /// # Errors
    /// What is wrong, by its name.
    pub fn deal(&self, book: &Book) -> Result<Match, RequestError> {
        let edition = self.edition()?;
        if edition != book.edition() {
            return refuse(format!("the game is {edition}, but the cards are those of {}", book.edition()));
        }
        let rules = read_rules(&self.rules, edition)?;
        let (a, b) = (hand(&self.hand_a, 'a', book)?, hand(&self.hand_b, 'b', book)?);
        let mut setup = Setup::new(rules, a.each_ref().map(|card| card.card), b.each_ref().map(|card| card.card));
        let first = self.first.as_ref().or(self.moves.first().map(|mv| &mv.player));
        setup.first = first.map_or(Ok(Player::First), |name| read_player(name))?;
        if let Some(elements) = &self.cell_elements {
            if elements.len() != 9 {
                return refuse(format!("{} elements of cells: there are nine cells", elements.len()));
            }
            for (cell, mask) in elements.iter().enumerate().filter(|(_, mask)| **mask != 0) {
                let element = u8::try_from(*mask).ok().and_then(Element::from_mask);
                setup.elements[cell] = Some(element.ok_or(RequestError(format!("no element has the mask {mask}")))?);
            }
        }
        let deal = Deal::new(&setup).map_err(|fault| RequestError(fault.to_string()))?;
        let [a0, a1, a2, a3, a4] = a;
        let [b0, b1, b2, b3, b4] = b;
        Ok(Match::new(deal, [a0, a1, a2, a3, a4, b0, b1, b2, b3, b4]))
    }
}

impl Match {
    /// A deal of those cards.
    #[must_use]
    pub fn new(deal: Deal, cards: [HandCard; 10]) -> Self {
        let plain = cards.each_ref().map(HandCard::name);
        // The second of a name in a hand is `Geezard (2)`, so that every move has a text of its own.
        let names = std::array::from_fn(|number: usize| {
            let hand = number / HAND * HAND;
            let before = plain[hand..number].iter().filter(|name| **name == plain[number]).count();
            if before == 0 { plain[number].clone() } else { format!("{} ({})", plain[number], before + 1) }
        });
        Self { deal, names, cards }
    }

    /// A deal whose cards are called by their sides, or by their names where the list has exactly these sides.
    #[must_use]
    pub fn unnamed(deal: Deal) -> Self {
        Self::named(deal, &[])
    }

    /// The same, but cards with the sides of one of these are called by its name.
    #[must_use]
    pub fn named(deal: Deal, named: &[HandCard]) -> Self {
        let book = Book::built_in(deal.setup().rules.edition());
        // Cards with the same sides and other names go by each of the names once.
        let mut named: Vec<Option<&HandCard>> = named.iter().map(Some).collect();
        let cards = std::array::from_fn(|number| {
            let card = deal.setup().card(number);
            if let Some(known) = named.iter_mut().find(|known| known.is_some_and(|known| known.card == card)) {
                return known.take().map_or(HandCard { known: None, card }, HandCard::clone);
            }
            let known = book.cards().iter().find(|known| known.card == card);
            known.map_or(HandCard { known: None, card }, HandCard::of)
        });
        Self::new(deal, cards)
    }

    /// A move of the position, checked.
    ///
    /// # Errors
    /// What forbids it.
    pub fn read_move(&self, position: &Position, mv: &MoveText) -> Result<Move, RequestError> {
        let player = read_player(&mv.player)?;
        let letter = player_letter(player);
        if position.free().is_empty() {
            return refuse("the game is over");
        }
        if self.deal.turn(position) != player {
            return refuse(format!("{letter} cannot play {}: it is the other player's turn", self.card_text(&mv.card)));
        }
        let cell = Cell::new(mv.cell as usize).ok_or(RequestError(format!("there is no cell {}: 0 to 8", mv.cell)))?;
        let base = if player == Player::First { 0 } else { HAND };
        let in_hand = |card: usize| self.deal.hand(position, player) >> card & 1 != 0;
        let wanted: Vec<usize> = match &mv.card {
            CardRef::Number(place) if (*place as usize) < HAND => vec![base + *place as usize],
            CardRef::Number(place) => return refuse(format!("a hand has the places 0 to 4, not {place}")),
            CardRef::Text(text) => {
                let text = text.trim();
                let is = |card: &usize| {
                    let id = text.strip_prefix('#').and_then(|id| id.parse().ok());
                    fold(&self.names[*card]) == fold(text)
                        || fold(&self.cards[*card].name()) == fold(text)
                        || self.deal.setup().card(*card).to_string().eq_ignore_ascii_case(text)
                        || id.is_some() && self.cards[*card].known.as_ref().map(|known| known.id) == id
                };
                (base..base + HAND).filter(is).collect()
            }
            CardRef::Printed { .. } => return refuse("a card of a move is a place in the hand or a name"),
        };
        if wanted.is_empty() {
            return refuse(format!("{} is not in the hand of {letter}", self.card_text(&mv.card)));
        }
        let Some(card) = wanted.into_iter().find(|card| in_hand(*card)) else {
            return refuse(format!("{} of {letter} was played already", self.card_text(&mv.card)));
        };
        if let Some(lies) = position.card_at(cell) {
            return refuse(format!("cell {cell} is occupied: {} lies there", self.names[usize::from(lies)]));
        }
        if self.deal.playable(position) >> card & 1 == 0 {
            return refuse(format!("{} is not the card that {letter} must play now", self.names[card]));
        }
        Ok(Move::new(card as u8, cell))
    }

    fn card_text(&self, card: &CardRef) -> String {
        match card {
            CardRef::Text(text) => text.trim().to_owned(),
            CardRef::Number(place) => format!("card {place}"),
            CardRef::Printed { .. } => "the card".to_owned(),
        }
    }

    /// The position after moves from the start.
    ///
    /// # Errors
    /// At the first move that is forbidden.
    pub fn after(&self, moves: &[MoveText]) -> Result<Position, RequestError> {
        let mut position = self.deal.start();
        for (number, text) in moves.iter().enumerate() {
            let mv = self
                .read_move(&position, text)
                .map_err(|fault| RequestError(format!("move {}: {fault}", number + 1)))?;
            position = self.deal.play_unchecked(&position, mv);
        }
        Ok(position)
    }

    /// A move for people and files: `a:Squall@5`.
    #[must_use]
    pub fn move_text(&self, mv: Move) -> String {
        let letter = if usize::from(mv.card()) < HAND { 'a' } else { 'b' };
        format!("{letter}:{}@{}", self.names[usize::from(mv.card())], mv.cell())
    }

    /// The one-line text of a position.
    #[must_use]
    pub fn position_text(&self, position: &Position) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.deal.write_position(position, &mut text);
        text
    }

    /// Holds the hand of one player to the limits of decks.
    ///
    /// # Errors
    /// Which limit is broken.
    pub fn check_deck(&self, player: Player) -> Result<(), RequestError> {
        let base = if player == Player::First { 0 } else { HAND };
        let checked = check_deck(self.deal.setup().rules.edition(), &self.cards[base..base + HAND], Holder::Player);
        checked.map_err(|fault| RequestError(format!("hand {}: {fault}", player_letter(player))))
    }
}

/// The form of a file of games.
#[derive(Deserialize)]
struct GameFile {
    games: Vec<GameText>,
}

/// Reads a file with `"games": [...]`.
///
/// # Errors
/// Where the text is not in that form, by line and column.
pub fn read_games(text: &str) -> Result<Vec<GameText>, RequestError> {
    let file: GameFile = serde_json::from_str(text).map_err(|fault| RequestError(fault.to_string()))?;
    Ok(file.games)
}
