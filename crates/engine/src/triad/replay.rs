//! Games played over move by move: who owns what after each, and why.
//!
//! ```
//! use ninefold_engine::triad::{cards::Book, replay::{ReplayFile, ReplayOptions}};
//! let text = r#"{"games": [{
//!     "game": "ff8", "rules": ["Same"],
//!     "hand_a": ["1171", "7117", "1111", "1111", "1111"], "hand_b": ["1711", "1111", "1111", "1111", "1111"],
//!     "moves": [{"player": "A", "card": 0, "cell": 1}, {"player": "B", "card": 0, "cell": 3}, {"player": "A", "card": 1, "cell": 4}]
//! }]}"#;
//! let file: ReplayFile = serde_json::from_str(text).unwrap();
//! let result = file.games[0].replay(Book::built_in, &ReplayOptions { explain: true }).unwrap();
//! assert_eq!(result.owners_after_each_move, [".A.......", ".A.B.....", ".A.AA...."]);
//! assert_eq!(result.flips_of_each_move.unwrap()[2][0].cause, "Same 7=7 up, left");
//! ```

use super::cards::{Book, CardFault, CardRef, Hand, HandCard};
use super::session::{MoveFault, Session, letter};
use grid::Player;
use serde::{Deserialize, Serialize};
use triad::{Edition, Element, HAND, RuleFault, Rules, SetupFault};

/// A file of games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReplayFile {
    /// The games.
    pub games: Vec<ReplayRequest>,
}

/// One game: its rules, hands and moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReplayRequest {
    /// `ff8` or `ff14`.
    pub game: String,
    /// The rules, by name.
    #[serde(default)]
    pub rules: Vec<String>,
    /// The element of each cell as a bit, 0 for none; Final Fantasy VIII only.
    #[serde(default)]
    pub cell_elements: Vec<u8>,
    /// Five cards.
    pub hand_a: Vec<CardRef>,
    /// Five cards.
    pub hand_b: Vec<CardRef>,
    /// The moves, in their order; who makes the first one opens.
    pub moves: Vec<ReplayMove>,
}

/// One move of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReplayMove {
    /// `A` or `B`.
    pub player: String,
    /// The card, 0 to 4 of that player's hand.
    pub card: usize,
    /// The cell, 0 to 8 row by row.
    pub cell: usize,
}

/// What is wanted besides the owners.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
pub struct ReplayOptions {
    /// Every flip with its cause.
    pub explain: bool,
}

/// A game played over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReplayResult {
    /// `ff8` or `ff14`.
    pub game: String,
    /// After each move the owner of each cell, row by row: `A`, `B` or `.`.
    pub owners_after_each_move: Vec<String>,
    /// How many of the ten cards A owns after the last move, hands included.
    pub score_a: u32,
    /// How many B owns.
    pub score_b: u32,
    /// For each move the cards it took, in the order of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flips_of_each_move: Option<Vec<Vec<FlipAnswer>>>,
}

/// A card that was taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FlipAnswer {
    /// The cell it lies on.
    pub cell: usize,
    /// The card: its name, or its sides if it has none.
    pub card: String,
    /// Why, as in `Same 7=7 up, left`, `Plus 12 up, right`, `8>3 down` or `Combo from cell 4, 9>2`.
    pub cause: String,
}

/// Why a game cannot be played over.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ReplayFault {
    #[error("the game is \"{0}\": expected ff8 or ff14")]
    Game(String),
    #[error("rule \"{name}\": {fault}")]
    Rule { name: String, fault: RuleFault },
    #[error("cell_elements has {0} numbers: expected nine")]
    ElementCount(usize),
    #[error("cell {cell}: {mask} is no element")]
    Element { cell: usize, mask: u8 },
    #[error("hand_{hand} has {found} cards: expected five")]
    HandSize { hand: char, found: usize },
    #[error("hand_{hand}, card {card}: {fault}")]
    Card { hand: char, card: usize, fault: CardFault },
    #[error(transparent)]
    Setup(#[from] SetupFault),
    #[error("move {number}: the player is \"{text}\": expected A or B")]
    Player { number: usize, text: String },
    #[error("move {number}: {fault}")]
    Move { number: usize, fault: MoveFault },
}

fn player(text: &str) -> Option<Player> {
    [Player::First, Player::Second].into_iter().find(|player| text.chars().eq([letter(*player)]))
}

fn hand(hand: char, cards: &[CardRef], book: &Book) -> Result<Hand, ReplayFault> {
    let resolve = |(card, reference): (usize, &CardRef)| {
        reference.resolve(book).map_err(|fault| ReplayFault::Card { hand, card, fault })
    };
    let found: Vec<HandCard> = cards.iter().enumerate().map(resolve).collect::<Result<_, _>>()?;
    Hand::try_from(found).map_err(|found| ReplayFault::HandSize { hand, found: found.len() })
}

impl ReplayRequest {
    /// Plays the game over. Deck limits are not asked for: these are games that were played.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn replay<'a>(
        &self,
        book: impl Fn(Edition) -> &'a Book,
        options: &ReplayOptions,
    ) -> Result<ReplayResult, ReplayFault> {
        let edition = Edition::from_name(&self.game).ok_or_else(|| ReplayFault::Game(self.game.clone()))?;
        let book = book(edition);
        let mut rules = Rules::preset(edition);
        for name in &self.rules {
            rules = rules.apply(name).map_err(|fault| ReplayFault::Rule { name: name.clone(), fault })?;
        }
        let mut elements = [None; 9];
        if !self.cell_elements.is_empty() && self.cell_elements.len() != 9 {
            return Err(ReplayFault::ElementCount(self.cell_elements.len()));
        }
        for (cell, &mask) in self.cell_elements.iter().enumerate().filter(|(_, mask)| **mask != 0) {
            elements[cell] = Some(Element::from_mask(mask).ok_or(ReplayFault::Element { cell, mask })?);
        }
        let hands = [hand('a', &self.hand_a, book)?, hand('b', &self.hand_b, book)?];
        let players: Vec<Player> = self
            .moves
            .iter()
            .enumerate()
            .map(|(at, mv)| {
                let fault = || ReplayFault::Player { number: at + 1, text: mv.player.clone() };
                player(&mv.player).ok_or_else(fault)
            })
            .collect::<Result<_, _>>()?;
        let first = players.first().copied().unwrap_or(Player::First);
        let mut session = Session::new(rules, elements, hands, first)?;
        let mut owners = Vec::new();
        let mut flips = options.explain.then(Vec::new);
        for (at, (mv, player)) in self.moves.iter().zip(players).enumerate() {
            // Under Chaos the record says which card was drawn: the one that was played.
            if rules.is_chaotic(player) && mv.card < HAND && session.mover() == Some(player) {
                session.draw((mv.card + if player == Player::First { 0 } else { HAND }) as u8);
            }
            let found = session.find_move(player, mv.card, mv.cell);
            let found = found.map_err(|fault| ReplayFault::Move { number: at + 1, fault })?;
            let before = session.position();
            let taken = session.play(found);
            owners.push(session.owners());
            if let Some(flips) = &mut flips {
                let answer = |flip: &triad::explain::Flip| FlipAnswer {
                    cell: flip.cell.index(),
                    card: before.card_at(flip.cell).map_or_else(String::new, |card| session.card(card).name()),
                    cause: flip.cause.to_string(),
                };
                flips.push(taken.iter().map(answer).collect());
            }
        }
        let score_a = session.position().score();
        Ok(ReplayResult {
            game: self.game.clone(),
            owners_after_each_move: owners,
            score_a,
            score_b: 10 - score_a,
            flips_of_each_move: flips,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = r##"{"game": "ff8", "rules": ["Same"], "cell_elements": [0,0,0,0,0,0,0,0,0],
        "hand_a": ["Squall", "Ifrit", "Shiva", "Zell", "#0"], "hand_b": [1, 2, 3, 4, 5],
        "moves": [{"player": "A", "card": 0, "cell": 4}, {"player": "B", "card": 0, "cell": 5}]}"##;

    fn replay(text: &str) -> Result<ReplayResult, ReplayFault> {
        let request: ReplayRequest = serde_json::from_str(text).unwrap();
        request.replay(Book::built_in, &ReplayOptions::default())
    }

    #[test]
    fn a_fault_names_the_thing() {
        assert_eq!(replay(GAME).unwrap().owners_after_each_move, ["....A....", "....AB..."]);
        for (from, to, message) in [
            ("ff8", "ff9", "the game is \"ff9\": expected ff8 or ff14"),
            ("Same", "Sane", "rule \"Sane\": no rule has that name"),
            ("Same", "Reverse", "rule \"Reverse\": reverse is not a rule of ff8"),
            ("[0,0,0", "[0,0", "cell_elements has 8 numbers: expected nine"),
            ("[0,0,0", "[0,3,0", "cell 1: 3 is no element"),
            ("[0,0,0", "[0,1,0", "cell 1 has an element, but the rule elemental is off"),
            ("\"Squall\", ", "", "hand_a has 4 cards: expected five"),
            ("Squall", "Sqall", "hand_a, card 0: no card of ff8 is called \"Sqall\"; did you mean Squall?"),
            ("[1, 2", "[110, 2", "hand_b, card 0: no card of ff8 has the number #110: they go from #0 to #109"),
            ("\"player\": \"B\"", "\"player\": \"C\"", "move 2: the player is \"C\": expected A or B"),
            ("\"player\": \"B\"", "\"player\": \"A\"", "move 2: it is B's turn"),
            (
                "\"card\": 0, \"cell\": 5",
                "\"card\": 5, \"cell\": 5",
                "move 2: there is no card 5 in the hand of B: cards are 0 to 4",
            ),
            ("\"cell\": 5", "\"cell\": 4", "move 2: cell 4 is occupied"),
            ("\"cell\": 5", "\"cell\": 9", "move 2: there is no cell 9: cells are 0 to 8"),
            ("5}]", "5}, {\"player\": \"A\", \"card\": 0, \"cell\": 0}]", "move 3: A has already played card 0"),
        ] {
            let text = GAME.replacen(from, to, 1);
            assert_ne!(text, GAME, "{from}");
            assert_eq!(replay(&text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn order_and_chaos_bind_the_card() {
        let ff14 =
            GAME.replace("ff8", "ff14").replace("\"Squall\", \"Ifrit\", \"Shiva\", \"Zell\", \"#0\"", "6, 7, 8, 9, 10");
        let ordered = ff14.replace("Same", "Order").replacen("\"card\": 0", "\"card\": 2", 1);
        assert_eq!(replay(&ordered).unwrap_err().to_string(), "move 1: under order A must play card 0 now, not card 2");
        let chaotic = ff14.replace("Same", "Chaos").replacen("\"card\": 0", "\"card\": 2", 1);
        assert_eq!(replay(&chaotic).unwrap().owners_after_each_move.len(), 2);
    }
}
