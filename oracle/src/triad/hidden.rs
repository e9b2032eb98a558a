//! A game against a hidden hand, from the definitions: every possible hand is kept, with its chance.
//!
//! ```text
//! game rules elements hand worlds order first seen moves
//! ff14 same,plus ......... 8A32,1234,5555,6666,7777 1111,2222,3333,4444,5555/1111,2222,3333,4444,6666 unknown me 1111 8A32@4,1111@0
//! ```
//!
//! `hand` is mine, `worlds` are the hands that the opponent may hold. `order` is `known` if each of them is in playing
//! order. `seen` and `moves` are `-` if there are none; the cards of moves are written by their sides.
//!
//! Under Chaos luck draws the card of each turn. Perfect play then means: the result that is reached whatever is drawn.

use super::text::{card_of, element_of, rules_of};
use super::{Board, Card};
use std::collections::BTreeSet;
use std::rc::Rc;

/// One possible hand of the opponent.
#[derive(Clone, Debug)]
struct World {
    /// Its number, as listed.
    number: usize,
    /// The cards not yet played, in order.
    left: Vec<Card>,
    /// The chance that the opponent holds it and has played as he did, if he plays at random. Not normalised.
    weight: f64,
}

/// What a draw is worth to me if the game is replayed with my cards and his: 1 a win, 0 a draw, -1 a loss.
pub type Replay = dyn Fn(&[Card], &[Card]) -> i32;

/// What is known in the middle of a game.
#[derive(Clone)]
pub struct HiddenTable {
    board: Board,
    /// My cards not yet played, with their places in the hand.
    hand: Vec<(usize, Card)>,
    worlds: Vec<World>,
    /// How many worlds were listed.
    listed: usize,
    is_my_turn: bool,
    i_am_ordered: bool,
    he_is_ordered: bool,
    my_card_is_drawn: bool,
    his_card_is_drawn: bool,
    /// If draws are replayed.
    replay: Option<Rc<Replay>>,
}

/// What is maximised against an opponent who does not play perfectly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Wins and half of the draws; of equal points, more wins.
    Points,
    /// Wins, then draws.
    Win,
}

/// How the opponent plays who does not play perfectly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// A random card on a random cell.
    Random,
    /// The move that captures the most cards, one of the best at random. Under Chaos, the best cells of the drawn card.
    Greedy,
    /// Under Chaos: the drawn card where it costs me most, if he knows no more than I do.
    Careful,
}

/// Chances of a win and of a draw.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// I win.
    pub win: f64,
    /// Neither wins.
    pub draw: f64,
}

impl Chances {
    fn is_better(self, other: Self, aim: Aim) -> bool {
        let (mine, theirs) = match aim {
            Aim::Points => ((self.win + self.draw / 2.0, self.win), (other.win + other.draw / 2.0, other.win)),
            Aim::Win => ((self.win, self.draw), (other.win, other.draw)),
        };
        // Equal fractions may differ in the last digits.
        if (mine.0 - theirs.0).abs() > 1e-11 { mine.0 > theirs.0 } else { mine.1 > theirs.1 + 1e-11 }
    }

    /// Whether the opponent prefers these chances of mine. Of equal points he too likes a win and a loss better than two
    /// draws.
    fn costs_more(self, other: Self, aim: Aim) -> bool {
        let points = |chances: Self| chances.win + chances.draw / 2.0;
        match aim {
            Aim::Points if (points(self) - points(other)).abs() <= 1e-11 => self.is_better(other, aim),
            _ => other.is_better(self, aim),
        }
    }
}

impl HiddenTable {
    /// Reads the text above and plays its moves.
    ///
    /// # Panics
    /// If the text is wrong.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let [game, rules, elements, hand, worlds, order, first, seen, moves] = fields[..] else {
            panic!("nine fields")
        };
        let is_drawn = |player: &str| rules.split(',').any(|rule| rule == "chaos" || rule == player);
        let (my_card_is_drawn, his_card_is_drawn) = (is_drawn("chaos-a"), is_drawn("chaos-b"));
        let (rules, ordered) = rules_of(game, rules);
        let cards = |text: &str| -> Vec<Card> { text.split(',').map(|card| card_of(game, card)).collect() };
        let mut board = Board { rules, elements: [0; 9], cells: [None; 9] };
        for (cell, symbol) in elements.chars().enumerate() {
            board.elements[cell] = element_of(symbol);
        }
        let world = |(number, text): (usize, &str)| World { number, left: cards(text), weight: 1.0 };
        let worlds: Vec<World> = worlds.split('/').enumerate().map(world).collect();
        let mut table = Self {
            board,
            hand: cards(hand).into_iter().enumerate().collect(),
            listed: worlds.len(),
            worlds,
            is_my_turn: first == "me",
            i_am_ordered: ordered.contains('a'),
            he_is_ordered: ordered.contains('b') && order == "known",
            my_card_is_drawn,
            his_card_is_drawn,
            replay: None,
        };
        if seen != "-" {
            // Each card that was seen is another card of the hand.
            let seen = cards(seen);
            let count = |list: &[Card], card: Card| list.iter().filter(|other| **other == card).count();
            table.worlds.retain(|world| seen.iter().all(|card| count(&world.left, *card) >= count(&seen, *card)));
        }
        if moves != "-" {
            for mv in moves.split(',') {
                let (card, cell) = mv.split_once('@').expect("card@cell");
                let (card, cell) = (card_of(game, card), cell.parse().expect("a cell"));
                table = if table.is_my_turn {
                    let place = table.hand.iter().find(|held| held.1 == card).expect("a card of mine").0;
                    table.after_mine(place, cell)
                } else {
                    let likely = |world: &World| table.likelihood(world, card, cell, Model::Random);
                    table.after_reply(card, cell, &likely)
                };
            }
        }
        table
    }

    /// The same table if draws are replayed.
    #[must_use]
    pub fn replaying(self, replay: Rc<Replay>) -> Self {
        Self { replay: Some(replay), ..self }
    }

    /// Whether it is my turn.
    #[must_use]
    pub fn is_my_turn(&self) -> bool {
        self.is_my_turn
    }

    /// The numbers of the worlds left.
    #[must_use]
    pub fn worlds_left(&self) -> Vec<usize> {
        self.worlds.iter().map(|world| world.number).collect()
    }

    fn free(&self) -> Vec<usize> {
        (0..9).filter(|cell| self.board.cells[*cell].is_none()).collect()
    }

    /// How many cards I own.
    fn score(&self) -> usize {
        self.board.cells.iter().flatten().filter(|placed| placed.owner == 'a').count() + self.hand.len()
    }

    /// My moves: places in the hand and cells.
    #[must_use]
    pub fn my_moves(&self) -> Vec<(usize, usize)> {
        let held = if self.i_am_ordered { &self.hand[..1] } else { &self.hand[..] };
        held.iter().flat_map(|(place, _)| self.free().into_iter().map(|cell| (*place, cell))).collect()
    }

    /// The moves among which I choose: of each card that may be drawn, or all together if I choose the card.
    fn my_choices(&self) -> Vec<Vec<(usize, usize)>> {
        if !self.my_card_is_drawn {
            return vec![self.my_moves()];
        }
        let of_card = |place: usize| self.free().into_iter().map(move |cell| (place, cell)).collect();
        self.hand.iter().map(|(place, _)| of_card(*place)).collect()
    }

    /// My result at the end if he held this hand: 1, 0 or -1.
    fn result(&self, world: &World) -> i32 {
        let owned = |by: char| self.board.cells.iter().flatten().filter(move |placed| placed.owner == by);
        match (self.score(), &self.replay) {
            (0..=4, _) => -1,
            (6.., _) => 1,
            (_, None) => 0,
            (_, Some(replay)) => {
                let mine: Vec<Card> = owned('a').map(|it| it.card).chain(self.hand.iter().map(|held| held.1)).collect();
                let his: Vec<Card> = owned('b').map(|it| it.card).chain(world.left.iter().copied()).collect();
                replay(&mine, &his)
            }
        }
    }

    /// The table after a move of mine.
    ///
    /// # Panics
    /// If the card was played.
    #[must_use]
    pub fn after_mine(&self, place: usize, cell: usize) -> Self {
        let mut next = self.clone();
        let at = next.hand.iter().position(|held| held.0 == place).expect("a card in my hand");
        let (_, card) = next.hand.remove(at);
        next.board.place(cell, card, 'a');
        next.is_my_turn = false;
        next
    }

    /// The cards that a world may play now.
    fn playable<'a>(&self, world: &'a World) -> &'a [Card] {
        if self.he_is_ordered { &world.left[..1] } else { &world.left[..] }
    }

    /// The moves that some world allows.
    fn replies(&self) -> Vec<(Card, usize)> {
        let mut cards: Vec<Card> = Vec::new();
        for world in &self.worlds {
            for card in self.playable(world) {
                if !cards.contains(card) {
                    cards.push(*card);
                }
            }
        }
        cards.into_iter().flat_map(|card| self.free().into_iter().map(move |cell| (card, cell))).collect()
    }

    /// How many cards a move of the opponent captures.
    fn captures(&self, card: Card, cell: usize) -> usize {
        self.board.clone().place(cell, card, 'b').len()
    }

    /// The chance that a world makes this move.
    fn likelihood(&self, world: &World, card: Card, cell: usize, model: Model) -> f64 {
        let mut all = Vec::new();
        for held in self.playable(world) {
            for cell in self.free() {
                all.push((*held, cell));
            }
        }
        if model == Model::Greedy && self.his_card_is_drawn {
            // Every card is drawn with the same chance, and then goes to one of its own best cells.
            let most = self.free().into_iter().map(|cell| self.captures(card, cell)).max();
            let best: Vec<usize> =
                self.free().into_iter().filter(|cell| Some(self.captures(card, *cell)) == most).collect();
            let drawn = self.playable(world).iter().filter(|held| **held == card).count() as f64;
            let chance = drawn / self.playable(world).len() as f64;
            return if best.contains(&cell) { chance / best.len() as f64 } else { 0.0 };
        }
        if model == Model::Greedy {
            let most = all.iter().map(|(card, cell)| self.captures(*card, *cell)).max();
            all.retain(|(card, cell)| Some(self.captures(*card, *cell)) == most);
        }
        all.iter().filter(|mv| **mv == (card, cell)).count() as f64 / all.len() as f64
    }

    /// The table after a move of the opponent: the worlds that allow it, each times its likelihood.
    fn after_reply(&self, card: Card, cell: usize, likelihood: &dyn Fn(&World) -> f64) -> Self {
        let mut next = self.clone();
        next.worlds.clear();
        for world in &self.worlds {
            if self.playable(world).contains(&card) {
                let mut world = World { weight: world.weight * likelihood(world), ..world.clone() };
                let at = world.left.iter().position(|held| *held == card).expect("a card of this world");
                world.left.remove(at);
                next.worlds.push(world);
            }
        }
        next.board.place(cell, card, 'b');
        next.is_my_turn = true;
        next
    }

    /// The result in every world, 1, 0 or -1, if both play perfectly and the opponent may play any card that some world left
    /// holds, and whatever is drawn.
    #[must_use]
    pub fn certain(&self) -> i32 {
        if self.free().is_empty() {
            return self.worlds.iter().map(|world| self.result(world)).min().expect("a world");
        }
        if self.is_my_turn {
            let after = |(place, cell)| self.after_mine(place, cell).certain();
            let best = |moves: Vec<(usize, usize)>| moves.into_iter().map(after).max().expect("a move");
            return self.my_choices().into_iter().map(best).min().expect("a card");
        }
        let after = |(card, cell)| self.after_reply(card, cell, &|_| 1.0).certain();
        self.replies().into_iter().map(after).min().expect("a reply")
    }

    /// Every set of worlds in which some strategy of mine reaches at least `target`, whatever the opponent plays and
    /// whatever is drawn.
    fn sets(&self, target: i32) -> BTreeSet<Vec<bool>> {
        let mut all = vec![false; self.listed];
        for world in &self.worlds {
            all[world.number] = true;
        }
        if self.free().is_empty() {
            let mut set = vec![false; self.listed];
            for world in &self.worlds {
                set[world.number] = self.result(world) >= target;
            }
            return BTreeSet::from([set]);
        }
        if self.is_my_turn {
            let mut sets = BTreeSet::from([all]);
            for moves in self.my_choices() {
                let after = |(place, cell)| self.after_mine(place, cell).sets(target);
                let of_card: BTreeSet<Vec<bool>> = moves.into_iter().flat_map(after).collect();
                let mut combined = BTreeSet::new();
                for one in &of_card {
                    for other in &sets {
                        combined.insert((0..self.listed).map(|number| one[number] && other[number]).collect());
                    }
                }
                sets = combined;
            }
            return sets;
        }
        let mut sets = BTreeSet::from([all]);
        for (card, cell) in self.replies() {
            let next = self.after_reply(card, cell, &|_| 1.0);
            let concerned = next.worlds_left();
            let mut combined = BTreeSet::new();
            for after in next.sets(target) {
                for before in &sets {
                    // A world that cannot make this reply does not care what I would answer.
                    let good = |number: usize| before[number] && (after[number] || !concerned.contains(&number));
                    combined.insert((0..self.listed).map(good).collect());
                }
            }
            sets = combined;
        }
        sets
    }

    /// The largest number of worlds in which one strategy reaches at least `target` (1 a win, 0 a draw) against the best
    /// defence, whatever is drawn.
    #[must_use]
    pub fn guaranteed(&self, target: i32) -> usize {
        let size = |set: Vec<bool>| set.into_iter().filter(|held| *held).count();
        self.sets(target).into_iter().map(size).max().unwrap_or(0)
    }

    /// My chances against an opponent of this model, if I play as well as possible for the aim. Against a greedy opponent the
    /// worlds left count as equally likely now.
    #[must_use]
    pub fn chances(&self, model: Model, aim: Aim) -> Chances {
        let mut table = self.clone();
        if model == Model::Greedy {
            for world in &mut table.worlds {
                world.weight = 1.0;
            }
        }
        let all: f64 = table.worlds.iter().map(|world| world.weight).sum();
        let chances = table.weighted(model, aim);
        Chances { win: chances.win / all, draw: chances.draw / all }
    }

    /// The same, times the weights of the worlds.
    fn weighted(&self, model: Model, aim: Aim) -> Chances {
        if self.free().is_empty() {
            let all = |result: i32| {
                self.worlds.iter().filter(|world| self.result(world) == result).map(|world| world.weight).sum()
            };
            return Chances { win: all(1), draw: all(0) };
        }
        if self.is_my_turn {
            let choices = self.my_choices();
            let mut sum = Chances { win: 0.0, draw: 0.0 };
            for moves in &choices {
                let mut best: Option<Chances> = None;
                for (place, cell) in moves {
                    let chances = self.after_mine(*place, *cell).weighted(model, aim);
                    if best.is_none_or(|best| chances.is_better(best, aim)) {
                        best = Some(chances);
                    }
                }
                let best = best.expect("a move");
                sum = Chances { win: sum.win + best.win, draw: sum.draw + best.draw };
            }
            let cards = choices.len() as f64;
            return Chances { win: sum.win / cards, draw: sum.draw / cards };
        }
        let mut sum = Chances { win: 0.0, draw: 0.0 };
        if model == Model::Careful {
            let mut cards: Vec<Card> = Vec::new();
            for (card, _) in self.replies() {
                if !cards.contains(&card) {
                    cards.push(card);
                }
            }
            for card in cards {
                let drawn = |world: &World| {
                    let held = self.playable(world);
                    held.iter().filter(|it| **it == card).count() as f64 / held.len() as f64
                };
                let mut worst: Option<Chances> = None;
                for cell in self.free() {
                    let chances = self.after_reply(card, cell, &drawn).weighted(model, aim);
                    if worst.is_none_or(|worst| chances.costs_more(worst, aim)) {
                        worst = Some(chances);
                    }
                }
                let worst = worst.expect("a cell");
                sum = Chances { win: sum.win + worst.win, draw: sum.draw + worst.draw };
            }
            return sum;
        }
        for (card, cell) in self.replies() {
            let mut next = self.after_reply(card, cell, &|world| self.likelihood(world, card, cell, model));
            next.worlds.retain(|world| world.weight > 0.0);
            if !next.worlds.is_empty() {
                let chances = next.weighted(model, aim);
                sum = Chances { win: sum.win + chances.win, draw: sum.draw + chances.draw };
            }
        }
        sum
    }
}
