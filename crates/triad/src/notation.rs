//! The text of a position: rules, elements, hands, board with owners and side to move on one line.
//!
//! ```text
//! ff8 same,plus ....f.... 8A32,1234,5555f,6666,7777 1111,2222,3333,4444,5555 ..3.7.... ..a.b.... a
//! game  rules   elements  the five cards of a       the five cards of b      cells     owners  mover
//! ```
//!
//! | field | text |
//! |---|---|
//! | game | `ff8` or `ff14` |
//! | rules | names separated by commas, or `-` |
//! | elements | nine of `.` `f` `i` `t` `e` `p` `w` `a` `h`: fire, ice, thunder, earth, poison, wind, water, holy |
//! | hands | five cards each: sides top, right, bottom, left with A for 10, then the letter of an element or a type (`s` Society, `p` Primal, `c` Scion, `g` Garlean) |
//! | cells | nine of `.` or the card on the cell: 0 to 4 of a's hand, 5 to 9 of b's |
//! | owners | nine of `.`, `a`, `b` |
//! | mover | `a` or `b`; under Chaos the drawn card may follow, as in `a3` |
//!
//! A card that is not on the board is still in its hand. Who made the first move follows from the mover and the number of
//! cards on the board.

use crate::Deal;
use crate::card::{Card, Edition, Element};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;
use crate::setup::{HAND, Setup};
use core::fmt;
use grid::{Cell, Game, Player, TextError};

const fn letter(player: Player) -> char {
    match player {
        Player::First => 'a',
        Player::Second => 'b',
    }
}

/// Writes a position.
pub(crate) fn write(deal: &Deal, position: &Position, out: &mut dyn fmt::Write) -> fmt::Result {
    let setup = deal.setup();
    write!(out, "{} {} ", setup.rules.edition(), setup.rules)?;
    for element in setup.elements {
        out.write_char(element.map_or('.', Element::letter))?;
    }
    for hand in &setup.hands {
        for (at, card) in hand.iter().enumerate() {
            write!(out, "{}{card}", if at == 0 { ' ' } else { ',' })?;
        }
    }
    out.write_char(' ')?;
    for cell in Cell::ALL {
        out.write_char(position.card_at(cell).map_or('.', |card| (b'0' + card) as char))?;
    }
    out.write_char(' ')?;
    for cell in Cell::ALL {
        out.write_char(position.card_at(cell).map_or('.', |card| letter(position.owner(card))))?;
    }
    write!(out, " {}", letter(deal.turn(position)))?;
    position.drawn().map_or(Ok(()), |card| write!(out, "{card}"))
}

/// Splits a line into fields and remembers the byte at which each begins.
struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Fields<'a> {
    fn next(&mut self, expected: &'static str) -> Result<(usize, &'a str), TextError> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty());
        let rest = rest.ok_or(TextError::new(self.text.len(), expected))?;
        let field = rest.split(' ').next().unwrap_or(rest);
        let start = self.at;
        self.at += field.len() + 1;
        Ok((start, field))
    }

    fn nine(&mut self, expected: &'static str) -> Result<(usize, [char; 9]), TextError> {
        let (start, field) = self.next(expected)?;
        let mut symbols = field.char_indices();
        let mut nine = ['.'; 9];
        for symbol in &mut nine {
            *symbol = symbols.next().ok_or(TextError::new(start + field.len(), expected))?.1;
        }
        match symbols.next() {
            Some((at, _)) => Err(TextError::new(start + at, expected)),
            None if field.is_ascii() => Ok((start, nine)),
            None => Err(TextError::new(start, expected)),
        }
    }

    fn hand(&mut self, edition: Edition) -> Result<[Card; HAND], TextError> {
        let (start, field) = self.next("a hand of five cards")?;
        let mut cards = field.split(',');
        let mut at = start;
        let mut hand = [Card { sides: [1; 4], element: None, kind: None }; HAND];
        for card in &mut hand {
            let text = cards.next().ok_or(TextError::new(start + field.len(), "five cards"))?;
            *card = Card::read(text, edition).map_err(|fault| fault.shifted(at))?;
            at += text.len() + 1;
        }
        match cards.next() {
            Some(_) => Err(TextError::new(at, "five cards and no more")),
            None => Ok(hand),
        }
    }
}

/// Reads a position and its deal.
///
/// ```
/// use grid::Notation;
/// use ninefold_triad::{Deal, notation};
/// let line = "ff8 same,plus ......... 8A32,1234,5555f,6666,7777 1111,2222,3333,4444,5555 ..3.7.... ..a.b.... a";
/// let (setup, position) = notation::read(line).unwrap();
/// let deal = Deal::new(&setup).unwrap();
/// let mut text = String::new();
/// deal.write_position(&position, &mut text).unwrap();
/// assert_eq!(text, line);
/// ```
///
/// # Errors
/// At the first wrong character.
pub fn read(text: &str) -> Result<(Setup, Position), TextError> {
    let mut fields = Fields { text, at: 0 };
    let (at, name) = fields.next("ff8 or ff14")?;
    let edition = Edition::from_name(name).ok_or(TextError::new(at, "ff8 or ff14"))?;
    let (rules_at, names) = fields.next("rules, or - for none")?;
    let rules = Rules::read(names, edition).map_err(|fault| fault.shifted(rules_at))?;
    let (elements_at, symbols) = fields.nine("nine elements, or a . for none")?;
    let mut elements = [None; 9];
    for (cell, symbol) in symbols.into_iter().enumerate() {
        elements[cell] = match symbol {
            '.' => None,
            _ => Some(Element::from_letter(symbol).ok_or(TextError::new(elements_at + cell, "an element or ."))?),
        };
    }
    let hands = [fields.hand(edition)?, fields.hand(edition)?];
    let (cells_at, symbols) = fields.nine("nine cells, each a card or a .")?;
    let (owners_at, owners) = fields.nine("nine owners, each a, b or a .")?;
    let (mover_at, mover) = fields.next("the side to move")?;
    if fields.at <= text.len() {
        return Err(TextError::new(fields.at - 1, "nothing after the side to move"));
    }

    let mut cells = [None; 9];
    let (mut lying, mut own) = (0u16, 0u16);
    for (cell, (symbol, owner)) in symbols.into_iter().zip(owners).enumerate() {
        let Some(card) = symbol.to_digit(10) else {
            if symbol != '.' {
                return Err(TextError::new(cells_at + cell, "a card from 0 to 9, or ."));
            }
            if owner != '.' {
                return Err(TextError::new(owners_at + cell, "a . for an empty cell"));
            }
            continue;
        };
        if lying >> card & 1 != 0 {
            return Err(TextError::new(cells_at + cell, "each card once"));
        }
        match owner {
            'a' => own |= 1 << card,
            'b' => {}
            _ => return Err(TextError::new(owners_at + cell, "the owner of this card, a or b")),
        }
        lying |= 1 << card;
        cells[cell] = Some(card as u8);
    }
    let mut letters = mover.chars();
    let player = match letters.next() {
        Some('a') => Player::First,
        Some('b') => Player::Second,
        _ => return Err(TextError::new(mover_at, "the side to move, a or b")),
    };
    let laid = lying.count_ones();
    let first = if laid % 2 == 0 { player } else { player.other() };
    let by_a = (lying & 0x1f).count_ones();
    let wanted = if first == Player::First { laid.div_ceil(2) } else { laid / 2 };
    if by_a != wanted {
        return Err(TextError::new(cells_at, "as many cards of each hand as turns were taken"));
    }
    let setup = Setup { rules, elements, hands, first };
    if let Err(fault) = setup.check() {
        let (at, expected) = match fault {
            crate::setup::SetupFault::ElementWithoutRule { cell } => {
                (elements_at + cell, "no element without the rule")
            }
            _ => (rules_at, "rules and cards that go together"),
        };
        return Err(TextError::new(at, expected));
    }
    let mut drawn = None;
    if let Some(symbol) = letters.next() {
        let hand = if player == Player::First { 0x1f } else { 0x3e0 } & !lying;
        let card = symbol.to_digit(10).filter(|card| laid < 9 && rules.is_chaotic(player) && hand >> card & 1 != 0);
        drawn = Some(card.ok_or(TextError::new(mover_at + 1, "a card of the mover, drawn under chaos"))? as u8);
    }
    if letters.next().is_some() {
        return Err(TextError::new(mover_at + 2, "nothing after the drawn card"));
    }
    Ok((setup, Position::from_parts(cells, own | 0x1f & !lying, drawn)))
}

/// Reads `card@cell` and checks that the move is legal.
pub(crate) fn read_move(deal: &Deal, position: &Position, text: &str) -> Result<Move, TextError> {
    let (card, cell) = text.split_once('@').ok_or(TextError::new(0, "card@cell, as in 3@4"))?;
    let digit = |text: &str| (text.len() == 1).then(|| text.parse::<u8>().ok()).flatten();
    let card_number = digit(card).ok_or(TextError::new(0, "a card from 0 to 9"))?;
    let cell = digit(cell).and_then(|cell| Cell::new(cell.into()));
    let cell = cell.ok_or(TextError::new(card.len() + 1, "a cell from 0 to 8"))?;
    if deal.playable(position) >> card_number & 1 == 0 {
        return Err(TextError::new(0, "a card that the mover may play now"));
    }
    let mv = Move::new(card_number, cell);
    if deal.is_legal(position, mv) { Ok(mv) } else { Err(TextError::new(card.len() + 1, "an empty cell")) }
}
