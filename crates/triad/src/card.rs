//! Cards: four ranks and an element or a type, and their text form.

use core::fmt;
use grid::TextError;

/// The element of a Final Fantasy VIII card or cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names are the game's")]
pub enum Element {
    Fire,
    Ice,
    Thunder,
    Earth,
    Poison,
    Wind,
    Water,
    Holy,
}

impl Element {
    /// All eight, in the order of the game's bit mask.
    pub const ALL: [Self; 8] =
        [Self::Fire, Self::Ice, Self::Thunder, Self::Earth, Self::Poison, Self::Wind, Self::Water, Self::Holy];

    /// The letter in texts: `f i t e p w a h`. Water is `a`, because wind is `w`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['f', 'i', 't', 'e', 'p', 'w', 'a', 'h'][self as usize]
    }

    /// The element with this letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.letter() == letter)
    }

    /// The bit in the game's mask.
    #[must_use]
    pub const fn mask(self) -> u8 {
        1 << self as u8
    }

    /// The element of a mask; `None` unless exactly one bit is set.
    #[must_use]
    pub fn from_mask(mask: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.mask() == mask)
    }

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["Fire", "Ice", "Thunder", "Earth", "Poison", "Wind", "Water", "Holy"][self as usize]
    }
}

/// The type of a Final Fantasy XIV card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names are the game's")]
pub enum Kind {
    Society,
    Primal,
    Scion,
    Garlean,
}

impl Kind {
    /// All four, in the order of the game.
    pub const ALL: [Self; 4] = [Self::Society, Self::Primal, Self::Scion, Self::Garlean];

    /// The letter in texts: `s p c g`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['s', 'p', 'c', 'g'][self as usize]
    }

    /// The type with this letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["Society", "Primal", "Scion", "Garlean"][self as usize]
    }
}

/// A card: four sides from 1 to 10 (10 is written A), and optionally an element or a type.
///
/// ```
/// use ninefold_triad::{Card, Edition, Element};
/// let ifrit = Card::read("9628f", Edition::Ff8).unwrap();
/// assert_eq!(ifrit.sides, [9, 6, 2, 8]); // top, right, bottom, left
/// assert_eq!(ifrit.element, Some(Element::Fire));
/// assert_eq!(ifrit.to_string(), "9628f");
/// assert!(Card::read("0628", Edition::Ff8).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Card {
    /// Top, right, bottom, left.
    pub sides: [u8; 4],
    /// Final Fantasy VIII only.
    pub element: Option<Element>,
    /// Final Fantasy XIV only.
    pub kind: Option<Kind>,
}

impl Card {
    /// The card with these sides; `None` unless each is from 1 to 10.
    #[must_use]
    pub fn new(sides: [u8; 4]) -> Option<Self> {
        let good = sides.iter().all(|side| (1..=10).contains(side));
        good.then_some(Self { sides, element: None, kind: None })
    }

    /// Reads `8A32` (top, right, bottom, left), or `8A32f` with the letter of an element or type.
    ///
    /// # Errors
    /// At the first character that is not a side, or not a letter of this game.
    pub fn read(text: &str, edition: Edition) -> Result<Self, TextError> {
        let mut symbols = text.char_indices();
        let mut sides = [0; 4];
        for side in &mut sides {
            let (at, symbol) = symbols.next().unwrap_or((text.len(), ' '));
            *side = match symbol {
                '1'..='9' => symbol as u8 - b'0',
                'A' | 'a' => 10,
                _ => return Err(TextError::new(at, "four sides, each 1 to 9 or A")),
            };
        }
        let mut card = Self { sides, element: None, kind: None };
        if let Some((at, letter)) = symbols.next() {
            match edition {
                Edition::Ff8 => {
                    let element = Element::from_letter(letter);
                    card.element = Some(element.ok_or(TextError::new(at, "an element: f, i, t, e, p, w, a or h"))?);
                }
                Edition::Ff14 => {
                    card.kind = Some(Kind::from_letter(letter).ok_or(TextError::new(at, "a type: s, p, c or g"))?);
                }
            }
        }
        match symbols.next() {
            Some((at, _)) => Err(TextError::new(at, "nothing after the sides and one letter")),
            None => Ok(card),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in self.sides {
            fmt::Write::write_char(out, rank_symbol(side))?;
        }
        let letter = self.element.map(Element::letter).or(self.kind.map(Kind::letter));
        letter.map_or(Ok(()), |letter| fmt::Write::write_char(out, letter))
    }
}

/// The symbol of a rank on a card: 10 is an A.
#[must_use]
pub const fn rank_symbol(rank: u8) -> char {
    match rank {
        10 => 'A',
        1..=9 => (b'0' + rank) as char,
        _ => '?',
    }
}

/// The two games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edition {
    /// Final Fantasy VIII.
    Ff8,
    /// Final Fantasy XIV.
    Ff14,
}

impl Edition {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Ff8, Self::Ff14];

    /// The name in texts and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ff8 => "ff8",
            Self::Ff14 => "ff14",
        }
    }

    /// The game with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|edition| edition.name() == name)
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
