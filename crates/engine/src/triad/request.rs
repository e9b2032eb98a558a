//! What can be asked about Triple Triad and what comes back: plain types, the same for the command line, a file, the page.

use super::catalogue::Catalogue;
use grid::{Cell, Game, Notation, Player};
use serde::{Deserialize, Serialize};
use triad::{Card, Deal, Edition, Element, HAND, Kind, Move, Position, Rules, Setup};

/// A request that cannot be carried out, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct RequestError(pub String);

fn refuse<T>(message: impl Into<String>) -> Result<T, RequestError> {
    Err(RequestError(message.into()))
}

/// A card as it is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CardText {
    /// The game's number.
    Id(u32),
    /// A name, `#id`, or sides as in `8A32` with the letter of an element or type.
    Text(String),
    /// Sides, with the game's mask of an element or number of a type.
    Sides {
        /// Top, right, bottom, left.
        sides: Vec<u32>,
        /// 0 none, 1 Fire, 2 Ice, 4 Thunder, 8 Earth, 16 Poison, 32 Wind, 64 Water, 128 Holy.
        #[serde(default)]
        element: u32,
        /// 0 none, 1 Society, 2 Primal, 3 Scion, 4 Garlean.
        #[serde(default, rename = "type")]
        kind: u32,
    },
}

/// A move as it is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveText {
    /// `A` or `B`.
    pub player: String,
    /// The place in the player's hand, 0 to 4, or the card.
    pub card: CardText,
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
    pub hand_a: Vec<CardText>,
    /// Five cards.
    pub hand_b: Vec<CardText>,
    /// Who opens, `a` unless said otherwise.
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
    /// The game's numbers of the ten cards, where they have one.
    pub ids: [Option<u32>; 10],
    /// Stars or level of the ten cards, where known.
    pub levels: [Option<u8>; 10],
}

/// A card that was found.
#[derive(Clone, Debug)]
struct Found {
    card: Card,
    name: String,
    id: Option<u32>,
    level: Option<u8>,
}

fn find(text: &CardText, catalogue: &Catalogue) -> Result<Found, RequestError> {
    let edition = catalogue.edition();
    let known = |entry: &super::catalogue::Entry| Found {
        card: entry.card,
        name: entry.name.clone(),
        id: Some(entry.id),
        level: Some(entry.level),
    };
    let unnamed = |card: Card| Found { card, name: card.to_string(), id: None, level: None };
    match text {
        CardText::Id(id) => match catalogue.by_id(*id) {
            Some(entry) => Ok(known(entry)),
            None => refuse(format!("no card of {edition} has the number {id}")),
        },
        CardText::Sides { sides, element, kind } => {
            let Ok::<[u32; 4], _>(sides) = sides.clone().try_into() else {
                return refuse(format!("a card has four sides, not {}", sides.len()));
            };
            if let Some(side) = sides.iter().find(|side| !(1..=10).contains(*side)) {
                return refuse(format!("a side of {side}: sides are 1 to 10"));
            }
            let mut card = Card { sides: sides.map(|side| side as u8), element: None, kind: None };
            if *element != 0 {
                let found = u8::try_from(*element).ok().and_then(Element::from_mask);
                card.element = Some(found.ok_or(RequestError(format!("no element has the mask {element}")))?);
            }
            if *kind != 0 {
                let found = Kind::ALL.get(*kind as usize - 1).copied();
                card.kind = Some(found.ok_or(RequestError(format!("no type has the number {kind}")))?);
            }
            Ok(unnamed(card))
        }
        CardText::Text(text) => {
            let text = text.trim();
            if let Some(id) = text.strip_prefix('#') {
                return match id.parse() {
                    Ok(id) => find(&CardText::Id(id), catalogue),
                    Err(_) => refuse(format!("\"{text}\": after # stands the number of a card")),
                };
            }
            if let Some(entry) = catalogue.by_name(text) {
                return Ok(known(entry));
            }
            let sides = text.chars().take(4).filter(|c| c.is_ascii_digit() || matches!(c, 'A' | 'a')).count();
            if sides == 4 || !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) {
                return match Card::read(text, edition) {
                    Ok(card) => Ok(unnamed(card)),
                    Err(fault) => refuse(format!("the card \"{text}\" {fault}")),
                };
            }
            refuse(format!(
                "no card of {edition} is called \"{text}\"; nearest: {}",
                catalogue.nearest(text, 3).join(", ")
            ))
        }
    }
}

fn hand(cards: &[CardText], whose: char, catalogue: &Catalogue) -> Result<[Found; HAND], RequestError> {
    if cards.len() != HAND {
        return refuse(format!("hand {whose} has {} cards: a hand has five", cards.len()));
    }
    let mut found = Vec::new();
    for text in cards {
        found.push(find(text, catalogue).map_err(|fault| RequestError(format!("hand {whose}: {fault}")))?);
    }
    for (at, one) in found.iter().enumerate() {
        // A deck of ff14 has five different cards; in ff8 there is one of each rare card in the world.
        let unique = catalogue.edition() == Edition::Ff14 || one.level.is_some_and(|level| level >= 8);
        if unique && one.id.is_some() && found[..at].iter().any(|other| other.id == one.id) {
            return refuse(format!("hand {whose} has {} twice", one.name));
        }
    }
    found.try_into().map_err(|_| RequestError("five cards".to_owned()))
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
    for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty() && *name != "-") {
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
    pub fn deal(&self, catalogue: &Catalogue) -> Result<Match, RequestError> {
        let edition = self.edition()?;
        if edition != catalogue.edition() {
            return refuse(format!("the game is {edition}, but the cards are those of {}", catalogue.edition()));
        }
        let rules = read_rules(&self.rules, edition)?;
        let (a, b) = (hand(&self.hand_a, 'a', catalogue)?, hand(&self.hand_b, 'b', catalogue)?);
        let mut setup = Setup::new(rules, a.each_ref().map(|found| found.card), b.each_ref().map(|found| found.card));
        setup.first = self.first.as_deref().map_or(Ok(Player::First), read_player)?;
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
        let found: Vec<Found> = a.into_iter().chain(b).collect();
        Ok(Match {
            deal,
            names: std::array::from_fn(|card| found[card].name.clone()),
            ids: std::array::from_fn(|card| found[card].id),
            levels: std::array::from_fn(|card| found[card].level),
        })
    }
}

impl Match {
    /// A deal whose cards are called by their sides, or by their names where the catalogue has exactly these sides.
    #[must_use]
    pub fn unnamed(deal: Deal) -> Self {
        let catalogue = Catalogue::embedded(deal.setup().rules.edition());
        let known = |card: usize| catalogue.cards().iter().find(|entry| entry.card == deal.setup().card(card));
        Self {
            names: std::array::from_fn(|card| {
                known(card).map_or_else(|| deal.setup().card(card).to_string(), |entry| entry.name.clone())
            }),
            ids: std::array::from_fn(|card| known(card).map(|entry| entry.id)),
            levels: std::array::from_fn(|card| known(card).map(|entry| entry.level)),
            deal,
        }
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
            CardText::Id(place) if (*place as usize) < HAND => vec![base + *place as usize],
            CardText::Id(place) => return refuse(format!("a hand has the places 0 to 4, not {place}")),
            CardText::Text(text) => {
                let text = text.trim();
                let is = |card: &usize| {
                    let id = text.strip_prefix('#').and_then(|id| id.parse().ok());
                    self.names[*card].eq_ignore_ascii_case(text)
                        || self.deal.setup().card(*card).to_string().eq_ignore_ascii_case(text)
                        || id.is_some() && self.ids[*card] == id
                };
                (base..base + HAND).filter(is).collect()
            }
            CardText::Sides { .. } => return refuse("a card of a move is a place in the hand or a name"),
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

    fn card_text(&self, card: &CardText) -> String {
        match card {
            CardText::Text(text) => text.trim().to_owned(),
            CardText::Id(place) => format!("card {place}"),
            CardText::Sides { .. } => "the card".to_owned(),
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

    /// Checks the limits of decks by stars for one player: five different cards, at most one of five stars and at most
    /// two of four or more.
    ///
    /// # Errors
    /// Which limit is broken.
    pub fn check_deck(&self, player: Player) -> Result<(), RequestError> {
        let base = if player == Player::First { 0 } else { HAND };
        let stars =
            |least: u8| self.levels[base..base + HAND].iter().flatten().filter(|level| **level >= least).count();
        let letter = player_letter(player);
        if self.deal.setup().rules.edition() == Edition::Ff8 {
            return refuse("ff8 has no limits of decks");
        }
        if stars(5) > 1 {
            return refuse(format!("hand {letter} has {} cards of five stars: at most one is allowed", stars(5)));
        }
        if stars(4) > 2 {
            return refuse(format!(
                "hand {letter} has {} cards of four stars or more: at most two are allowed",
                stars(4)
            ));
        }
        Ok(())
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
