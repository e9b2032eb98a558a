//! A whole game as one line of text: the interface between the naive model and the fast one.
//!
//! ```text
//! game rules elements hand-a hand-b cells owners mover
//! ff8 same,plus ....f.... 8A32,1234,5555f,6666,7777 1111,2222,3333,4444,5555 ..3.7.... ..a.b.... a
//! ```
//!
//! Cards 0 to 4 were dealt to a, cards 5 to 9 to b.

use super::{Board, Card, Placed, Rules};
use crate::laws::Model;
use std::collections::BTreeMap;

/// The board, the ten cards and their places.
#[derive(Clone, Debug)]
pub struct Table {
    /// The first five fields of the text, which no move changes.
    deal: String,
    /// The board.
    pub board: Board,
    /// The ten cards.
    pub cards: Vec<Card>,
    /// The card on each cell.
    pub lying: [Option<usize>; 9],
    /// The side to move, 'a' or 'b'.
    pub mover: char,
    /// The card that Chaos drew for the mover.
    drawn: Option<usize>,
    /// The players who must play their cards in order.
    ordered: String,
}

pub(super) fn rules_of(game: &str, names: &str) -> (Rules, String) {
    let mut rules = if game == "ff8" { Rules::FF8 } else { Rules::FF14 };
    let mut ordered = String::new();
    for name in names.split(',') {
        match name {
            "same" => rules.same = true,
            "same-wall" => rules.same_wall = true,
            "plus" => rules.plus = true,
            "elemental" => rules.elemental = true,
            "reverse" => rules.reverse = true,
            "fallen-ace" => rules.fallen_ace = true,
            "ascension" => rules.ascension = true,
            "descension" => rules.descension = true,
            "same-takes-weaker" => rules.same_takes_weaker = true,
            "no-same-takes-weaker" => rules.same_takes_weaker = false,
            "plus-one-sum" => rules.plus_one_sum = true,
            "no-plus-one-sum" => rules.plus_one_sum = false,
            "basic-chains" => rules.basic_chains = true,
            "no-basic-chains" => rules.basic_chains = false,
            "ace-chains" => rules.ace_chains = true,
            "no-combo" => rules.combo = false,
            "order" => ordered = "ab".to_owned(),
            "order-a" => ordered.push('a'),
            "order-b" => ordered.push('b'),
            _ => {}
        }
    }
    (rules, ordered)
}

pub(super) fn card_of(game: &str, text: &str) -> Card {
    let symbols: Vec<char> = text.chars().collect();
    let side = |at: usize| symbols[at].to_digit(16).expect("a side") as i32;
    let mut card = Card { sides: [side(0), side(1), side(2), side(3)], element: 0, kind: 0 };
    if let Some(symbol) = symbols.get(4) {
        if game == "ff8" {
            card.element = element_of(*symbol);
        } else {
            card.kind = 1 + "spcg".find(*symbol).expect("a type");
        }
    }
    card
}

pub(super) fn element_of(symbol: char) -> u8 {
    if symbol == '.' { 0 } else { 1 << "fitepwah".find(symbol).expect("an element") }
}

impl Table {
    fn holder(card: usize) -> char {
        if card < 5 { 'a' } else { 'b' }
    }

    fn hand(&self, player: char) -> Vec<usize> {
        (0..10).filter(|card| Self::holder(*card) == player && !self.lying.contains(&Some(*card))).collect()
    }

    /// Number of cards that a owns.
    #[must_use]
    pub fn score(&self) -> i32 {
        let on_board = self.board.cells.iter().flatten().filter(|placed| placed.owner == 'a').count();
        (on_board + self.hand('a').len()) as i32
    }

    /// The cards that may be played now.
    #[must_use]
    pub fn playable(&self) -> Vec<usize> {
        let hand = self.hand(self.mover);
        match self.drawn {
            Some(card) => vec![card],
            None if self.ordered.contains(self.mover) => hand.into_iter().take(1).collect(),
            None => hand,
        }
    }

    /// The table after one move.
    #[must_use]
    pub fn after(&self, card: usize, cell: usize) -> Self {
        let mut next = self.clone();
        next.board.place(cell, self.cards[card], self.mover);
        next.lying[cell] = Some(card);
        next.mover = if self.mover == 'a' { 'b' } else { 'a' };
        next.drawn = None;
        next
    }

    /// Number of cards that a owns at the end with best play of both, by exhaustive search.
    #[must_use]
    pub fn value(&self) -> i32 {
        let mut values = Vec::new();
        for cell in (0..9).filter(|cell| self.lying[*cell].is_none()) {
            for card in self.playable() {
                values.push(self.after(card, cell).value());
            }
        }
        let best = if self.mover == 'a' { values.into_iter().max() } else { values.into_iter().min() };
        best.unwrap_or(self.score())
    }

    /// Sudden Death: 1 for a win of a, 0 for a draw, -1 for a loss, if a draw is played again up to `rounds` times. `low` and
    /// `high` are the alpha-beta window. `known` stores the results of replays.
    pub fn repeated(&self, rounds: u32, low: i32, high: i32, known: &mut BTreeMap<String, i32>) -> i32 {
        if !self.lying.contains(&None) {
            if self.score() != 5 || rounds == 0 {
                return (self.score() - 5).signum();
            }
            let again = self.dealt_again();
            let name = format!("{} {} {rounds}", again.deal, again.mover);
            if let Some(result) = known.get(&name) {
                return *result;
            }
            let result = again.repeated(rounds - 1, -1, 1, known);
            known.insert(name, result);
            return result;
        }
        let (mut low, mut high) = (low, high);
        for cell in (0..9).filter(|cell| self.lying[*cell].is_none()) {
            for card in self.playable() {
                let result = self.after(card, cell).repeated(rounds, low, high, known);
                if self.mover == 'a' {
                    low = low.max(result);
                } else {
                    high = high.min(result);
                }
                if low >= high {
                    return result;
                }
            }
        }
        if self.mover == 'a' { low } else { high }
    }

    /// The deal after a draw: each player holds the five cards he owns, the board is empty, and the player who did not play the
    /// last card moves first.
    #[must_use]
    pub fn dealt_again(&self) -> Self {
        let fields: Vec<&str> = self.deal.split(' ').collect();
        let dealt: Vec<&str> = fields[3].split(',').chain(fields[4].split(',')).collect();
        let owner = |card: usize| match self.lying.iter().position(|lying| *lying == Some(card)) {
            Some(cell) => self.board.cells[cell].map(|placed| placed.owner),
            None => Some(Self::holder(card)),
        };
        let hand = |player: char| -> String {
            let cards = (0..10).filter(|card| owner(*card) == Some(player)).map(|card| dealt[card]);
            cards.collect::<Vec<_>>().join(",")
        };
        let [game, rules, elements] = [fields[0], fields[1], fields[2]];
        let empty = ".........";
        Self::read(&format!("{game} {rules} {elements} {} {} {empty} {empty} {}", hand('a'), hand('b'), self.mover))
    }

    /// The chances that A wins, draws and loses when both players place their cards best, if the cards of the players
    /// named in `drawn_for` are drawn. Best are the most points (a win 1, a draw 1/2); of equal points, the most wins.
    pub fn chances(&self, drawn_for: &str) -> [f64; 3] {
        let free: Vec<usize> = (0..9).filter(|cell| self.lying[*cell].is_none()).collect();
        if free.is_empty() {
            return match self.score() {
                6.. => [1.0, 0.0, 0.0],
                5 => [0.0, 1.0, 0.0],
                _ => [0.0, 0.0, 1.0],
            };
        }
        let better = |one: [f64; 3], other: [f64; 3]| {
            let wins = |chances: [f64; 3]| if self.mover == 'a' { chances[0] } else { chances[2] };
            let points = |chances: [f64; 3]| wins(chances) + chances[1] / 2.0;
            let is_close = (points(one) - points(other)).abs() < 1e-9;
            let is_better = if is_close { wins(one) > wins(other) } else { points(one) > points(other) };
            if is_better { one } else { other }
        };
        let best = |values: Vec<[f64; 3]>| values.into_iter().reduce(better).expect("a cell is free");
        let of_card = |card: usize| best(free.iter().map(|cell| self.after(card, *cell).chances(drawn_for)).collect());
        let cards = self.playable();
        let values: Vec<[f64; 3]> = cards.iter().map(|card| of_card(*card)).collect();
        if drawn_for.contains(self.mover) && self.drawn.is_none() {
            std::array::from_fn(|at| values.iter().map(|chances| chances[at]).sum::<f64>() / values.len() as f64)
        } else {
            best(values)
        }
    }
}

impl Model for Table {
    fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let [game, rules, elements, hand_a, hand_b, cells, owners, mover] = fields[..] else { panic!("eight fields") };
        let (rules, ordered) = rules_of(game, rules);
        let cards: Vec<Card> = hand_a.split(',').chain(hand_b.split(',')).map(|card| card_of(game, card)).collect();
        let lying: Vec<Option<usize>> =
            cells.chars().map(|symbol| symbol.to_digit(10).map(|card| card as usize)).collect();
        let mut board = Board { rules, elements: [0; 9], cells: [None; 9] };
        for (cell, (symbol, owner)) in elements.chars().zip(owners.chars()).enumerate() {
            board.elements[cell] = element_of(symbol);
            board.cells[cell] = lying[cell].map(|card| Placed { card: cards[card], owner });
        }
        let mut symbols = mover.chars();
        Self {
            deal: fields[..5].join(" "),
            board,
            cards,
            lying: std::array::from_fn(|cell| lying[cell]),
            mover: symbols.next().expect("a mover"),
            drawn: symbols.next().map(|card| card.to_digit(10).expect("a card") as usize),
            ordered,
        }
    }

    fn write(&self) -> String {
        let cells: String =
            self.lying.iter().map(|card| card.map_or(".".to_owned(), |card| card.to_string())).collect();
        let drawn = self.drawn.map_or(String::new(), |card| card.to_string());
        format!("{} {cells} {} {}{drawn}", self.deal, self.board.owners(), self.mover)
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for cell in (0..9).filter(|cell| self.lying[*cell].is_none()) {
            for card in self.playable() {
                moves.push(format!("{card}@{cell}"));
            }
        }
        moves
    }

    fn play(&self, mv: &str) -> Self {
        let (card, cell) = mv.split_once('@').expect("card@cell");
        self.after(card.parse().expect("a card"), cell.parse().expect("a cell"))
    }

    fn result(&self) -> Option<i32> {
        if self.lying.contains(&None) { None } else { Some(2 * self.score() - 10) }
    }
}
