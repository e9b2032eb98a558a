//! The game that a question describes: every fact is checked against the others.

use super::super::deal::{CardRef, cell_elements, read_edition, read_rules};
use super::super::fault;
use super::super::opponent::{Opponent, OpponentQuestion};
use super::{AdviseQuestion, SwapText};
use crate::fault::Fault;
use engine::Outcome;
use engine::triad::TriadError;
use engine::triad::advise::{self, HiddenDeal, HiddenMove, HiddenPosition, HiddenSetup, Side};
use engine::triad::cards::{Book, Hand, HandCard, Holder, NpcBook, check_deck};
use grid::Cell;
use triad::{Card, Edition, HAND, Rule, Rules};

/// A game against a hidden hand that was read from a question.
pub struct HiddenGame {
    pub(super) deal: HiddenDeal,
    /// Before the moves, and the moves.
    pub(super) start: HiddenPosition,
    pub(super) moves: Vec<HiddenMove>,
    pub(super) position: HiddenPosition,
    /// My cards, after Swap, and their names as the question gives them.
    hand: Hand,
    names: [String; HAND],
    pub(super) opponent: Opponent,
    rules: Rules,
}

impl AdviseQuestion {
    /// Reads the game. Uses the built-in cards and opponents where there is no other list.
    ///
    /// # Errors
    /// If a field is wrong or two facts contradict each other; the fault names both.
    pub fn read(&self, book: Option<&Book>, npcs: Option<&NpcBook>) -> Result<HiddenGame, Fault> {
        let edition = self.game.as_deref().map_or(Ok(Edition::Ff14), read_edition).map_err(fault)?;
        let book = book.unwrap_or_else(|| Book::built_in(edition));
        if edition != book.edition() {
            return Err(fault(TriadError::OtherCards { game: edition, cards: book.edition() }));
        }
        let mut opponent = self.opponent.read(book, npcs.unwrap_or_else(|| NpcBook::built_in()))?;
        let rules = self.rules(&opponent, edition)?;
        let cards = |error| Fault { field: "hand".to_owned(), ..fault(error) };
        let hand = self.hand.iter().map(|card| card.resolve(book)).collect::<Result<Vec<_>, _>>().map_err(cards)?;
        let size = |found: Vec<HandCard>| cards(TriadError::HandSize { found: found.len() });
        let mut hand = Hand::try_from(hand).map_err(size)?;
        check_deck(edition, &hand, Holder::Npc).map_err(cards)?;
        let mut names: [String; HAND] = std::array::from_fn(|place| self.hand[place].name_of(&hand[place]));
        self.exchange(rules, book, (&mut hand, &mut names), &mut opponent)?;
        let (sides, moves) = self.turns()?;
        let setup = HiddenSetup {
            rules,
            elements: cell_elements(self.cell_elements.as_deref()).map_err(fault)?,
            hand: hand.each_ref().map(|card| card.card),
            worlds: opponent.hands.iter().map(|hand| hand.each_ref().map(|card| card.card)).collect(),
            first: sides,
            known_order: opponent.known_order,
        };
        let deal = HiddenDeal::new(&setup).and_then(|deal| deal.replaying(self.replays)).map_err(fault)?;
        let position = deal.start();
        let mut game = HiddenGame { deal, start: position, moves: Vec::new(), position, hand, names, opponent, rules };
        for (number, card) in self.seen.iter().enumerate() {
            let blame = |error| Fault { field: format!("seen[{number}]"), ..game.fault(error) };
            let card = card.resolve(book).map_err(blame)?;
            let place =
                game.place_of(&card, "seen").map_err(|message| Fault::question(format!("seen[{number}]"), message))?;
            game.position = game.deal.see(&game.position, place).map_err(blame)?;
        }
        game.start = game.position;
        for (number, played) in moves.iter().enumerate() {
            let mv = game.read_move(number, played, book)?;
            let played = game.deal.play(&game.position, mv);
            let wrong = |error| format!("move {}: {}", number + 1, game.fault(error).message);
            game.position = played.map_err(|error| Fault::question(format!("moves[{number}]"), wrong(error)))?;
            game.moves.push(mv);
        }
        if let Some(card) = &self.drawn {
            let wrong = |message: String| Fault::question("drawn", message);
            let card = card.name_of(&card.resolve(book).map_err(|error| wrong(error.to_string()))?);
            let place = game.my_card(&card, book).map_err(wrong)?;
            let drawn = game.deal.draw(&game.position, place);
            game.position = drawn.map_err(|error| wrong(game.fault(error).message))?;
        }
        Ok(game)
    }

    /// The rules in force: those of the question, of the opponent, and of Roulette.
    fn rules(&self, opponent: &Opponent, edition: Edition) -> Result<Rules, Fault> {
        let names: Vec<&str> =
            self.rules.iter().map(|name| name.trim()).filter(|name| !matches!(*name, "" | "-")).collect();
        let own = opponent.npc.iter().flat_map(|npc| npc.rules.iter().map(String::as_str));
        let all: Vec<&str> = own.chain(names).collect();
        let is = |name: &str, rule: Rule| name.eq_ignore_ascii_case(rule.name());
        let spins = all.iter().filter(|name| is(name, Rule::Roulette)).count();
        let blame = |error| Fault { field: "roulette".to_owned(), ..fault(error) };
        if spins != self.roulette.len() {
            let message = if spins == 0 {
                "roulette is not in force, so it brought no rule".to_owned()
            } else {
                let word = if spins == 1 { "rule" } else { "rules" };
                format!("say which {word} Roulette brought, {spins} in all; {} given", self.roulette.len())
            };
            return Err(Fault::question("roulette", message));
        }
        let before: Vec<&str> = all.into_iter().filter(|name| !is(name, Rule::Roulette)).collect();
        let rules = read_rules(&before, edition).map_err(fault)?;
        let mut with = rules;
        for name in &self.roulette {
            let brought = read_rules(std::slice::from_ref(name), edition).map_err(blame)?;
            let both: Vec<&str> = before.iter().copied().chain(self.roulette.iter().map(String::as_str)).collect();
            if brought == Rules::preset(edition) {
                return Err(Fault::question("roulette", format_args!("\"{name}\" is not a rule that Roulette brings")));
            }
            with = read_rules(&both, edition).map_err(blame)?;
        }
        Ok(with)
    }

    /// Exchanges the cards of Swap, in my hand and in every hand of the opponent that has the card.
    fn exchange(
        &self,
        rules: Rules,
        book: &Book,
        (hand, names): (&mut Hand, &mut [String; HAND]),
        opponent: &mut Opponent,
    ) -> Result<(), Fault> {
        let Some(SwapText { gave, got }) = &self.swap else {
            if rules.has(Rule::Swap) {
                return Err(Fault::question("swap", "Swap is in force: say which card you gave and which you got"));
            }
            return Ok(());
        };
        if !rules.has(Rule::Swap) {
            return Err(Fault::question("swap", "Swap is not in force: add it to the rules"));
        }
        let read = |card: &CardRef, field: &str| {
            card.resolve(book).map_err(|error| Fault { field: format!("swap.{field}"), ..fault(error) })
        };
        let (mine, theirs) = (read(gave, "gave")?, read(got, "got")?);
        let Some(place) = hand.iter().position(|card| card.card == mine.card) else {
            return Err(Fault::question("swap.gave", format_args!("{} is not in your hand", mine.name())));
        };
        opponent.hands.retain(|hand| hand.iter().any(|card| card.card == theirs.card));
        if opponent.hands.is_empty() {
            return Err(Fault::question("swap.got", format_args!("no possible hand holds {}", theirs.name())));
        }
        for hand in &mut opponent.hands {
            let at = hand.iter().position(|card| card.card == theirs.card).unwrap_or_default();
            hand[at] = mine.clone();
        }
        names[place] = got.name_of(&theirs);
        hand[place] = theirs;
        Ok(())
    }

    /// Who starts, and the moves.
    fn turns(&self) -> Result<(Side, Vec<Played>), Fault> {
        let mut moves = Vec::with_capacity(self.moves.len());
        for (number, text) in self.moves.iter().enumerate() {
            let wrong = || {
                let form = "expected a move such as me:Titan@4 or opponent:Ifrit@0";
                Fault::question(format!("moves[{number}]"), format_args!("move {}, \"{text}\": {form}", number + 1))
            };
            let (side, rest) = text.split_once(':').ok_or_else(wrong)?;
            let (card, cell) = rest.rsplit_once('@').ok_or_else(wrong)?;
            let cell = cell.trim().parse().map_err(|_| wrong())?;
            moves.push(Played { side: read_side(side).ok_or_else(wrong)?, card: card.trim().to_owned(), cell });
        }
        let first = match (&self.first, moves.first()) {
            (Some(first), _) => read_side(first)
                .ok_or_else(|| Fault::question("first", format_args!("\"{first}\" is neither me nor opponent")))?,
            (None, first) => first.map_or(Side::Me, |played| played.side),
        };
        Ok((first, moves))
    }
}

/// A move as its text names it.
struct Played {
    side: Side,
    card: String,
    cell: u32,
}

/// Reads `me` or `opponent`.
fn read_side(text: &str) -> Option<Side> {
    match text.trim().to_ascii_lowercase().as_str() {
        "me" | "m" => Some(Side::Me),
        "opponent" | "o" => Some(Side::Opponent),
        _ => None,
    }
}

/// Writes a side: `me` or `opponent`.
pub(super) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Me => "me",
        Side::Opponent => "opponent",
    }
}

/// A card on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HiddenCell {
    /// Its name.
    pub name: String,
    /// Its sides, as the command line reads them.
    pub sides: String,
    /// Whether you own it.
    pub mine: bool,
}

impl HiddenGame {
    /// Who is to move, `me` or `opponent`.
    #[must_use]
    pub fn turn(&self) -> &'static str {
        side_name(self.deal.turn(&self.position))
    }

    /// The result for you, if the game is over.
    #[must_use]
    pub fn result(&self) -> Option<Outcome> {
        self.deal.result(&self.position)
    }

    /// The board, row by row.
    #[must_use]
    pub fn cells(&self) -> [Option<HiddenCell>; 9] {
        Cell::ALL.map(|cell| {
            let laid = self.position.at(cell)?;
            let (name, card) = match laid.from {
                Side::Me => (self.names[usize::from(laid.card)].clone(), self.hand[usize::from(laid.card)].card),
                Side::Opponent => {
                    let card = self.deal.opponent_cards()[usize::from(laid.card)];
                    (self.name_of(card), card)
                }
            };
            Some(HiddenCell { name, sides: card.to_string(), mine: laid.owner == Side::Me })
        })
    }

    /// The cards that the side to move may play now, by name.
    #[must_use]
    pub fn playable(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for mv in self.deal.moves(&self.position) {
            let name = match self.deal.turn(&self.position) {
                Side::Me => self.names[usize::from(mv.card)].clone(),
                Side::Opponent => self.name_of(self.deal.opponent_cards()[usize::from(mv.card)]),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Under Sudden Death, the question about the next game after a draw: everybody plays the cards he owns, and the other
    /// player starts. `None` if the game is not a draw or the rule is not in force.
    #[must_use]
    pub fn next_game(&self) -> Option<AdviseQuestion> {
        if self.result() != Some(Outcome::Draw) || !self.rules.has(Rule::SuddenDeath) {
            return None;
        }
        let laid: Vec<_> = Cell::ALL.iter().filter_map(|cell| self.position.at(*cell)).collect();
        let text = |card: &HandCard| CardRef::Text(card.name());
        let card = |laid: &advise::Laid| match laid.from {
            Side::Me => CardRef::Text(self.names[usize::from(laid.card)].clone()),
            Side::Opponent => CardRef::Text(self.name_of(self.deal.opponent_cards()[usize::from(laid.card)])),
        };
        let owned = |side: Side| laid.iter().filter(move |laid| laid.owner == side).map(card);
        let unlaid =
            (0..HAND).filter(|mine| !laid.iter().any(|it| it.from == Side::Me && usize::from(it.card) == *mine));
        let hand: Vec<CardRef> =
            owned(Side::Me).chain(unlaid.map(|mine| CardRef::Text(self.names[mine].clone()))).collect();
        let hands = self.deal.worlds_left(&self.position).map(|world| {
            // The cards of this hand that were not played; equal cards count once each.
            let mut rest = self.opponent.hands[world].to_vec();
            for laid in laid.iter().filter(|laid| laid.from == Side::Opponent) {
                let played = self.deal.opponent_cards()[usize::from(laid.card)];
                if let Some(at) = rest.iter().position(|card| card.card == played) {
                    rest.remove(at);
                }
            }
            owned(Side::Opponent).chain(rest.iter().map(text)).collect()
        });
        let first = match self.deal.setup().first {
            Side::Me => Side::Opponent,
            Side::Opponent => Side::Me,
        };
        let before = [Rule::Swap, Rule::Roulette, Rule::Random, Rule::Draft];
        let rules = Rule::all().filter(|rule| self.rules.has(*rule) && !rule.is_switch() && !before.contains(rule));
        Some(AdviseQuestion {
            game: Some(self.rules.edition().name().to_owned()),
            rules: rules.map(|rule| rule.name().to_owned()).collect(),
            hand,
            opponent: OpponentQuestion { hands: hands.collect(), ..OpponentQuestion::default() },
            first: Some(side_name(first).to_owned()),
            replays: self.deal.replays().saturating_sub(1),
            ..AdviseQuestion::default()
        })
    }

    /// The rules in force, after Roulette.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The opponent and the hands that he could hold at the start.
    #[must_use]
    pub const fn opponent(&self) -> &Opponent {
        &self.opponent
    }

    /// The name of a card of the opponent.
    fn name_of(&self, card: Card) -> String {
        let known = self.opponent.hands.iter().flatten().find(|known| known.card == card);
        known.map_or_else(|| card.to_string(), HandCard::name)
    }

    /// An error of the engine with the names of the cards.
    fn fault(&self, error: TriadError) -> Fault {
        let named = |sides: &str| {
            let all = self.hand.iter().zip(&self.names).map(|(card, name)| (card.card, name.clone()));
            let theirs = self.deal.opponent_cards().iter().map(|card| (*card, self.name_of(*card)));
            let found = all.chain(theirs).find(|(card, _)| card.to_string() == sides);
            found.map_or_else(|| sides.to_owned(), |(_, name)| name)
        };
        let (card, shown) = match &error {
            TriadError::NoWorldHolds { card, shown } => (card, shown),
            TriadError::Occupied { cell, card } => {
                return fault(TriadError::Occupied { cell: *cell, card: named(card) });
            }
            TriadError::PlayedAlready { card, .. } => {
                return Fault::question("moves", format_args!("{} was played already", named(card)));
            }
            TriadError::OtherCard { card, .. } => {
                return Fault::question("moves", format_args!("under Order it is not yet the turn of {}", named(card)));
            }
            _ => return fault(error),
        };
        let names: Vec<String> = shown.iter().map(|card| self.name_of(*card)).collect();
        let card = self.name_of(*card);
        let message = match names.as_slice() {
            [] => format!("no possible hand holds {card}"),
            [other] => format!("no possible hand holds both {card} and {other}, which was shown before"),
            _ => format!("no possible hand holds {card} together with {}, which were shown before", names.join(", ")),
        };
        Fault::question("seen", message)
    }

    /// The place of a card among those the opponent may hold.
    fn place_of(&self, card: &HandCard, what: &str) -> Result<u8, String> {
        let place = self.deal.opponent_cards().iter().position(|other| *other == card.card);
        place.map(|place| place as u8).ok_or_else(|| {
            let cards: Vec<String> = self.deal.opponent_cards().iter().map(|card| self.name_of(*card)).collect();
            format!("{what}: no possible hand of the opponent holds {}; he may hold {}", card.name(), cards.join(", "))
        })
    }

    fn read_move(&self, number: usize, played: &Played, book: &Book) -> Result<HiddenMove, Fault> {
        let Played { side, card, cell } = played;
        let (side, cell) = (*side, *cell);
        let field = format!("moves[{number}]");
        let blame = |message: String| Fault::question(field.clone(), format!("move {}: {message}", number + 1));
        if self.deal.result(&self.position).is_some() {
            return Err(blame("the game is over after nine cards".to_owned()));
        }
        let turn = self.deal.turn(&self.position);
        if side != turn {
            return Err(blame(format!("it is the turn of {}, not of {}", side_name(turn), side_name(side))));
        }
        let Some(cell) = Cell::new(cell as usize) else {
            return Err(blame(format!("there is no cell {cell}: cells are 0 to 8, row by row")));
        };
        let place = match side {
            Side::Me => self.my_card(card, book).map_err(blame)?,
            Side::Opponent => {
                let reference = CardRef::Text(card.to_owned());
                let card = reference.resolve(book).map_err(|error| blame(error.to_string()))?;
                self.place_of(&card, "he cannot play it").map_err(blame)?
            }
        };
        Ok(HiddenMove { card: place, cell })
    }

    /// The place of one of my cards, by its name in the question or any other name.
    fn my_card(&self, card: &str, book: &Book) -> Result<u8, String> {
        let by_name = self.names.iter().position(|name| name.eq_ignore_ascii_case(card));
        let of = |card: &HandCard| self.hand.iter().position(|mine| mine.card == card.card);
        let found = match by_name {
            Some(place) => Some(place),
            None => of(&CardRef::Text(card.to_owned()).resolve(book).map_err(|error| error.to_string())?),
        };
        // Of two equal cards, the one that is still in the hand.
        let found = found.map(|place| self.unplayed_like(place) as u8);
        found.ok_or_else(|| format!("{card} is not in your hand: {}", self.names.join(", ")))
    }

    /// Whether Chaos draws the card of your turn now, and it is not known which.
    #[must_use]
    pub fn is_drawn_later(&self) -> bool {
        let is_my_turn = self.turn() == side_name(Side::Me) && self.result().is_none();
        is_my_turn && self.deal.is_drawn(Side::Me) && self.position.drawn().is_none()
    }

    /// A place with an equal card that was not played yet; the place itself if there is none.
    fn unplayed_like(&self, place: usize) -> usize {
        let laid = |mine: usize| {
            Cell::ALL
                .iter()
                .filter_map(|cell| self.position.at(*cell))
                .any(|laid| laid.from == Side::Me && usize::from(laid.card) == mine)
        };
        let equal = (0..HAND).filter(|other| self.hand[*other].card == self.hand[place].card);
        equal.into_iter().find(|other| !laid(*other)).unwrap_or(place)
    }

    /// The text of one of my moves.
    pub(super) fn move_text(&self, mv: HiddenMove) -> String {
        format!("{}@{}", self.names[usize::from(mv.card)], mv.cell.index())
    }
}
