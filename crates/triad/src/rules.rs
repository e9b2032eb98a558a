//! The rules as named switches, with a preset for each game.
//!
//! | name | what it does | ff8 | ff14 |
//! |---|---|---|---|
//! | `open`, `all-open` | all hands are visible | x | x |
//! | `three-open` | three cards of each hand are visible | | x |
//! | `same` | two equal pairs of facing ranks capture, whoever owns the neighbours | x | x |
//! | `same-wall` | an A against the border counts for Same | x | |
//! | `plus` | two equal sums of facing ranks capture, whoever owns the neighbours | x | x |
//! | `elemental` | on a cell with an element: +1 for a card of this element, -1 for any other card | x | |
//! | `reverse` | the lower rank captures | | x |
//! | `fallen-ace` | a 1 also captures an A (with Reverse: an A also captures a 1) | | x |
//! | `ascension`, `descension` | +1, -1 for each card of the type on the board | | x |
//! | `order`, `order-a`, `order-b` | both players, or one, play their cards in the order of the hand | | x |
//! | `chaos`, `chaos-a`, `chaos-b` | for both players, or one, the card to play is drawn at random | | x |
//! | `sudden-death` | a draw is played again with the cards owned at the end | x | x |
//! | `random`, `swap`, `draft`, `roulette` | change what is dealt before the first card | x | x |
//!
//! The last four rules and the open hands change what is dealt and what is visible, not how cards are captured. A deal with
//! both hands given comes after them: its text keeps these rules, and they have no effect.
//!
//! Where the two games interpret a rule differently, or the interpretation is not known, a switch selects it. A switch is
//! written only if it differs from the preset of the game, as `name` or `no-name`:
//!
//! | switch | on means | ff8 | ff14 |
//! |---|---|---|---|
//! | `combo` | cards captured by Same or Plus attack their neighbours | on | on |
//! | `same-takes-weaker` | when Same fires it also captures weaker neighbours | on | off |
//! | `plus-one-sum` | if there are two pairs of equal sums, only one of them captures | on | off |
//! | `basic-chains` | when Same or Plus fires, the cards captured by the basic rule attack too | on | off (not known) |
//! | `ace-chains` | Fallen Ace applies inside combos | - | off (not known) |

use crate::card::Edition;
use core::fmt;
use grid::{Player, TextError};

/// One rule or switch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the table above describes each rule")]
pub enum Rule {
    Open,
    ThreeOpen,
    Same,
    SameWall,
    Plus,
    Elemental,
    Reverse,
    FallenAce,
    Ascension,
    Descension,
    OrderA,
    OrderB,
    ChaosA,
    ChaosB,
    SuddenDeath,
    Random,
    Swap,
    Draft,
    Roulette,
    Combo,
    SameTakesWeaker,
    PlusOneSum,
    BasicChains,
    AceChains,
}

const EIGHT: u8 = 1;
const FOURTEEN: u8 = 2;

/// Each rule with its name and the games that have it, in the order in which they are written.
const NAMES: [(Rule, &str, u8); 24] = [
    (Rule::Open, "open", EIGHT | FOURTEEN),
    (Rule::ThreeOpen, "three-open", FOURTEEN),
    (Rule::Same, "same", EIGHT | FOURTEEN),
    (Rule::SameWall, "same-wall", EIGHT),
    (Rule::Plus, "plus", EIGHT | FOURTEEN),
    (Rule::Elemental, "elemental", EIGHT),
    (Rule::Reverse, "reverse", FOURTEEN),
    (Rule::FallenAce, "fallen-ace", FOURTEEN),
    (Rule::Ascension, "ascension", FOURTEEN),
    (Rule::Descension, "descension", FOURTEEN),
    (Rule::OrderA, "order-a", FOURTEEN),
    (Rule::OrderB, "order-b", FOURTEEN),
    (Rule::ChaosA, "chaos-a", FOURTEEN),
    (Rule::ChaosB, "chaos-b", FOURTEEN),
    (Rule::SuddenDeath, "sudden-death", EIGHT | FOURTEEN),
    (Rule::Random, "random", EIGHT | FOURTEEN),
    (Rule::Swap, "swap", FOURTEEN),
    (Rule::Draft, "draft", FOURTEEN),
    (Rule::Roulette, "roulette", FOURTEEN),
    (Rule::Combo, "combo", EIGHT | FOURTEEN),
    (Rule::SameTakesWeaker, "same-takes-weaker", EIGHT | FOURTEEN),
    (Rule::PlusOneSum, "plus-one-sum", EIGHT | FOURTEEN),
    (Rule::BasicChains, "basic-chains", EIGHT | FOURTEEN),
    (Rule::AceChains, "ace-chains", FOURTEEN),
];

/// Names of two rules at once, and alternative spellings.
const GROUPS: [(&str, [Rule; 2]); 3] = [
    ("order", [Rule::OrderA, Rule::OrderB]),
    ("chaos", [Rule::ChaosA, Rule::ChaosB]),
    ("all-open", [Rule::Open, Rule::Open]),
];

/// Pairs of rules that exclude each other.
const CONTRADICTIONS: [(Rule, Rule); 5] = [
    (Rule::Open, Rule::ThreeOpen),
    (Rule::Ascension, Rule::Descension),
    (Rule::OrderA, Rule::ChaosA),
    (Rule::OrderB, Rule::ChaosB),
    (Rule::Random, Rule::Draft),
];

impl Rule {
    /// Every rule and switch.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|entry| entry.0)
    }

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// Whether the game has this rule.
    #[must_use]
    pub const fn is_of(self, edition: Edition) -> bool {
        let bit = match edition {
            Edition::Ff8 => EIGHT,
            Edition::Ff14 => FOURTEEN,
        };
        NAMES[self as usize].2 & bit != 0
    }

    /// Whether it is a switch: it selects how another rule works and has a preset in each game.
    #[must_use]
    pub const fn is_switch(self) -> bool {
        self as u8 >= Self::Combo as u8
    }

    const fn bit(self) -> u32 {
        1 << self as u8
    }
}

/// The active rules: a game and a set of rules and switches.
///
/// ```
/// use ninefold_triad::{Edition, Rule, Rules};
/// let rules = Rules::read("same,plus,no-combo", Edition::Ff8).unwrap();
/// assert!(rules.has(Rule::Same) && !rules.has(Rule::Combo) && rules.has(Rule::PlusOneSum));
/// assert_eq!(rules.to_string(), "same,plus,no-combo");
/// assert!(Rules::read("reverse", Edition::Ff8).is_err()); // a rule of the other game
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    edition: Edition,
    set: u32,
}

const _: () = assert!(size_of::<Rules>() == 8);

impl Rules {
    /// The game without optional rules.
    #[must_use]
    pub const fn preset(edition: Edition) -> Self {
        let set = match edition {
            Edition::Ff8 => {
                Rule::Combo.bit() | Rule::SameTakesWeaker.bit() | Rule::PlusOneSum.bit() | Rule::BasicChains.bit()
            }
            Edition::Ff14 => Rule::Combo.bit(),
        };
        Self { edition, set }
    }

    /// The game.
    #[inline]
    #[must_use]
    pub const fn edition(self) -> Edition {
        self.edition
    }

    /// Whether a rule is active.
    #[inline]
    #[must_use]
    pub const fn has(self, rule: Rule) -> bool {
        self.set & rule.bit() != 0
    }

    /// With one rule switched on or off.
    #[must_use]
    pub const fn set(self, rule: Rule, on: bool) -> Self {
        Self { set: if on { self.set | rule.bit() } else { self.set & !rule.bit() }, ..self }
    }

    /// With one rule switched on.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Self {
        self.set(rule, true)
    }

    /// Whether the player must play his cards in order.
    #[inline]
    #[must_use]
    pub const fn is_ordered(self, player: Player) -> bool {
        match player {
            Player::First => self.has(Rule::OrderA),
            Player::Second => self.has(Rule::OrderB),
        }
    }

    /// Whether the player's card is drawn at random each turn.
    #[inline]
    #[must_use]
    pub const fn is_chaotic(self, player: Player) -> bool {
        match player {
            Player::First => self.has(Rule::ChaosA),
            Player::Second => self.has(Rule::ChaosB),
        }
    }

    /// Whether any player's card is drawn: luck then decides after the first move.
    #[inline]
    #[must_use]
    pub const fn has_chaos(self) -> bool {
        self.has(Rule::ChaosA) || self.has(Rule::ChaosB)
    }

    /// Whether only the basic comparison captures. Then which cards a move beats does not depend on ownership.
    #[inline]
    #[must_use]
    pub const fn is_basic(self) -> bool {
        !self.has(Rule::Same) && !self.has(Rule::Plus)
    }

    /// Two active rules that exclude each other, or one that the game does not have.
    #[must_use]
    pub fn fault(self) -> Option<RuleFault> {
        let foreign = Rule::all().find(|rule| self.has(*rule) && !rule.is_of(self.edition));
        if let Some(rule) = foreign {
            return Some(RuleFault::Foreign(rule, self.edition));
        }
        let clash = CONTRADICTIONS.into_iter().find(|(one, other)| self.has(*one) && self.has(*other));
        clash.map(|(one, other)| RuleFault::Contradiction(one, other))
    }

    /// Switches on the rule with this name, or switches off the switch after `no-`. Case is ignored, and spaces and
    /// underscores count as hyphens, so the games' own spellings (`Same Wall`) work.
    ///
    /// # Errors
    /// If the game has no such rule.
    pub fn apply(self, name: &str) -> Result<Self, RuleFault> {
        let mut letters = [0; 32];
        let length = name.trim().len();
        if length > letters.len() {
            return Err(RuleFault::Unknown);
        }
        for (letter, byte) in letters.iter_mut().zip(name.trim().bytes()) {
            *letter = if byte == b' ' || byte == b'_' { b'-' } else { byte.to_ascii_lowercase() };
        }
        let name = core::str::from_utf8(&letters[..length]).map_err(|_| RuleFault::Unknown)?;
        if let Some((_, pair)) = GROUPS.into_iter().find(|group| group.0 == name) {
            return self.apply_rule(pair[0], true)?.apply_rule(pair[1], true);
        }
        let of = |name: &str| NAMES.into_iter().find(|entry| entry.1 == name).map(|entry| entry.0);
        match (of(name), name.strip_prefix("no-").and_then(of)) {
            (Some(rule), _) => self.apply_rule(rule, true),
            (None, Some(rule)) if rule.is_switch() => self.apply_rule(rule, false),
            _ => Err(RuleFault::Unknown),
        }
    }

    fn apply_rule(self, rule: Rule, on: bool) -> Result<Self, RuleFault> {
        if rule.is_of(self.edition) { Ok(self.set(rule, on)) } else { Err(RuleFault::Foreign(rule, self.edition)) }
    }

    /// Reads names separated by commas; `-` or an empty text means no optional rules.
    ///
    /// # Errors
    /// At the name that is not a rule of this game, or at the start if two rules exclude each other.
    pub fn read(text: &str, edition: Edition) -> Result<Self, TextError> {
        let mut rules = Self::preset(edition);
        if text == "-" || text.is_empty() {
            return Ok(rules);
        }
        let mut at = 0;
        for name in text.split(',') {
            rules = rules.apply(name).map_err(|_| TextError::new(at, "a rule of this game"))?;
            at += name.len() + 1;
        }
        match rules.fault() {
            Some(_) => Err(TextError::new(0, "rules that do not contradict each other")),
            None => Ok(rules),
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let preset = Self::preset(self.edition);
        let mut separator = "";
        for rule in Rule::all().filter(|rule| self.has(*rule) != preset.has(*rule)) {
            let prefix = if self.has(rule) { "" } else { "no-" };
            let both = |first, second| self.has(first) && self.has(second);
            let name = match rule {
                Rule::OrderA if both(Rule::OrderA, Rule::OrderB) => "order",
                Rule::ChaosA if both(Rule::ChaosA, Rule::ChaosB) => "chaos",
                Rule::OrderB if both(Rule::OrderA, Rule::OrderB) => continue,
                Rule::ChaosB if both(Rule::ChaosA, Rule::ChaosB) => continue,
                _ => rule.name(),
            };
            write!(out, "{separator}{prefix}{name}")?;
            separator = ",";
        }
        if separator.is_empty() { out.write_str("-") } else { Ok(()) }
    }
}

/// Why rules are invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleFault {
    /// No rule has that name.
    Unknown,
    /// The rule belongs to the other game.
    Foreign(Rule, Edition),
    /// The two rules exclude each other.
    Contradiction(Rule, Rule),
}

impl fmt::Display for RuleFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => out.write_str("no rule has that name"),
            Self::Foreign(rule, edition) => write!(out, "{} is not a rule of {edition}", rule.name()),
            Self::Contradiction(one, other) => write!(out, "{} and {} contradict each other", one.name(), other.name()),
        }
    }
}

impl core::error::Error for RuleFault {}
